import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { openDex } from '../../../../../server/engine/formats/dex/dex.ts';
import { checkStructure } from '../../../../../server/engine/formats/dex/structure.ts';
import { buildDex, headerFields } from '../../../../fixtures/dex-builder.ts';

const classSize = 32;
const word = { accessFlags: 4, superclass: 8, classData: 24, staticValues: 28 };

/** What is reported of two classes after `change` has been at their definitions. */
function reported(change: (dex: Buffer, classes: number) => void): { code: string; evidence: string }[] {
  const definitions = ['LA;', 'LB;'].map((descriptor) => ({ descriptor, superclass: 'Ljava/lang/Object;' }));
  const bytes = buildDex({ classes: definitions }) as Buffer;
  change(bytes, bytes.readUInt32LE(headerFields.classOffset));
  const findings = new Findings();
  checkStructure(openDex(bytes, findings, 'classes.dex'));
  return findings.list().map(({ code, evidence }) => ({ code, evidence }));
}
const definition = (evidence: string) => [{ code: 'dex-class-definition', evidence }];

test('a sound file has nothing to report', () => {
  assert.deepEqual(
    reported(() => undefined),
    [],
  );
});

test('a class that is defined twice, stands below itself or below nothing, is a finding', () => {
  const twice = reported((dex, classes) => dex.writeUInt32LE(dex.readUInt32LE(classes), classes + classSize));
  assert.deepEqual(twice, definition('defined more than once'));
  const itself = reported((dex, classes) => dex.writeUInt32LE(dex.readUInt32LE(classes), classes + word.superclass));
  assert.deepEqual(itself, definition('its own superclass'));
  const nothing = reported((dex, classes) => dex.writeUInt32LE(77, classes + word.superclass));
  assert.deepEqual(nothing, definition('below type 77 of 3'));
  assert.deepEqual(
    reported((dex, classes) => dex.writeUInt32LE(0xffff, classes)),
    definition('of type 65535 of 3'),
  );
});

test("a class with flags that are the runtime's own, or that stands before its superclass, is a finding", () => {
  const flagged = reported((dex, classes) => dex.writeUInt32LE(0x20001, classes + word.accessFlags));
  assert.deepEqual(flagged, definition('with flags 0x20001'));
  const judged = (version: string) => {
    const classes = [{ descriptor: 'LA;', superclass: 'LB;' }, { descriptor: 'LB;' }];
    const findings = new Findings();
    checkStructure(openDex(buildDex({ version, classes }), findings, 'classes.dex'));
    return findings.list().map(({ code, evidence }) => `${code}: ${evidence}`);
  };
  assert.deepEqual(judged('037'), ['dex-order: classes: LA; stands before its superclass']);
  assert.deepEqual(judged('035'), [], 'older versions leave it open');
});

test('parts of a class outside the file are findings', () => {
  const outside = reported((dex, classes) => {
    dex.writeUInt32LE(0xfffffff0, classes + word.classData);
    dex.writeUInt32LE(0x7fffff00, classes + classSize + word.staticValues);
  });
  assert.deepEqual(outside, [...definition('class data at 0xfffffff0'), ...definition('static values at 0x7fffff00')]);
});

test('a map that is missing or tells of other tables than the header is a finding', () => {
  const codes = (change: (dex: Buffer) => void) => reported(change).map(({ code }) => code);
  assert.deepEqual(
    codes((dex) => dex.writeUInt32LE(0, headerFields.mapOffset)),
    ['dex-map'],
  );
  const fewer = reported((dex) => dex.writeUInt32LE(1, headerFields.classCount));
  assert.match(fewer[0]!.evidence, /^classes: 1 at 0x\w+, in the map 2 at 0x\w+$/);
});

test('an empty map, and one outside the data section, are findings', () => {
  const evidence = (change: (dex: Buffer) => void) => reported(change).map((finding) => finding.evidence);
  const [empty] = evidence((dex) => dex.writeUInt32LE(0, dex.readUInt32LE(headerFields.mapOffset)));
  assert.match(empty!, /^the map at 0x\w+ is empty$/);
  const [outside] = evidence((dex) => dex.writeUInt32LE(1, headerFields.dataSize));
  assert.match(outside!, /^the map is not in the data section, 0x\w+ to 0x\w+$/);
});

test('bytes behind all that the header tells of are a finding, whichever sizes count them in', () => {
  const judged = (extra: number, ...counting: number[]) => {
    const bytes = buildDex({ classes: [{ descriptor: 'LA;' }] }) as Buffer;
    const longer = Buffer.concat([bytes, Buffer.alloc(extra, 0x41)]);
    for (const field of counting) longer.writeUInt32LE(longer.readUInt32LE(field) + extra, field);
    const findings = new Findings();
    checkStructure(openDex(longer, findings, 'classes.dex'));
    return findings.list().map(({ code, evidence }) => `${code}: ${evidence}`);
  };
  const { fileSize, dataSize } = headerFields;
  assert.deepEqual(judged(3, fileSize), []);
  assert.deepEqual(judged(500, fileSize), ['dex-trailing-data: 500 bytes belong to nothing']);
  assert.deepEqual(judged(500, fileSize, dataSize), ['dex-trailing-data: 500 bytes belong to nothing']);
  assert.match(judged(500).join(), /^dex-trailing-data: \d+ bytes are declared, \d+ are there$/);
});

test('strings outside the file are a finding, whether something refers to them or not', () => {
  const strings = reported((dex) => dex.writeUInt32LE(0xfffffff0, dex.readUInt32LE(headerFields.stringOffset)));
  assert.deepEqual(strings[0], { code: 'dex-string-outside', evidence: '1 of 3 strings lie outside the file' });
  const [atTheEnd] = reported((dex) => {
    dex.writeUInt8(0x80, dex.length - 1);
    dex.writeUInt32LE(dex.length - 1, dex.readUInt32LE(headerFields.stringOffset));
  }).filter(({ code }) => code === 'dex-string-outside');
  assert.equal(atTheEnd?.evidence, '1 of 3 strings lie outside the file');
});

test('a map with sections of unknown type, twice, out of order or outside the file is a finding', () => {
  const mapped = (entry: number, field: number, value: number) => {
    const findings = reported((dex) => {
      const at = dex.readUInt32LE(headerFields.mapOffset) + 4 + entry * 12 + field;
      if (field === 0) dex.writeUInt16LE(value, at);
      else dex.writeUInt32LE(value, at);
    });
    return findings.map(({ evidence }) => evidence).join('; ');
  };
  const count = 4;
  const offset = 8;
  assert.match(mapped(1, 0, 0x7777), /type 0x7777 at 0x\w+ is of no known type/);
  assert.match(mapped(2, 0, 1), /type 0x1 at 0x\w+ is named twice/);
  assert.match(mapped(2, offset, 4), /at 0x4 is out of order/);
  assert.match(mapped(2, offset, 0x7ffffff0), /at 0x7ffffff0 stands outside the file/);
  assert.match(mapped(0, count, 3), /type 0x0 at 0x0 has 3 items/);
});
