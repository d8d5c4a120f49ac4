// Items of a real dex file's data section that were changed so that Android's verifier refuses the file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { openDex } from '../../../../../server/engine/formats/dex/dex.ts';
import { itemKinds } from '../../../../../server/engine/formats/dex/item-kinds.ts';
import { checkStructure } from '../../../../../server/engine/formats/dex/structure.ts';
import { realApks } from '../../../../fixtures/real-apks.ts';
import { appEntries } from '../../../../fuzz/app-entries.ts';

const sound = appEntries(realApks.unlock).get('classes.dex')!;

/** Where the items of a kind begin in the sound file. */
function sectionOf(kind: keyof typeof itemKinds): number {
  const { map } = openDex(sound, new Findings(), 'classes.dex');
  return map.entries.find(({ type }) => type === itemKinds[kind])!.offset;
}

/** What is reported after `change` has been at the section of a kind. */
function reported(kind: keyof typeof itemKinds, change: (dex: Buffer, section: number) => void): string[] {
  const dex = Buffer.from(sound);
  change(dex, sectionOf(kind));
  const findings = new Findings();
  checkStructure(openDex(dex, findings, 'classes.dex'));
  return findings.list().map(({ code, evidence }) => `${code}: ${evidence}`);
}

test('a real file has nothing to report', () => {
  assert.deepEqual(
    reported('string', () => undefined),
    [],
  );
});

test('a type list with types that do not exist, or that is longer than its section, is a finding', () => {
  const [bad] = reported('typeList', (dex, list) => dex.writeUInt16LE(0xfff0, list + 4));
  assert.match(bad!, /^dex-item: type list number 0 has type 65520 of \d+$/);
  const [long] = reported('typeList', (dex, list) => dex.writeUInt32LE(0x7fffffff, list));
  assert.equal(long, 'dex-item: type list number 0 runs past the end of its section');
});

test('bytes between items are a finding unless they are zero', () => {
  // The first list of an odd number of types is followed by two bytes that fill it up.
  const filled = reported('typeList', (dex, list) => {
    let at = list;
    while (dex.readUInt32LE(at) % 2 === 0) at += 4 + dex.readUInt32LE(at) * 2;
    dex.writeUInt16LE(0x1234, at + 4 + dex.readUInt32LE(at) * 2);
  });
  assert.deepEqual(filled, ['dex-item: type list: 2 bytes of the section are of no item']);
});

test('annotations of unknown visibility or type, and with values that cannot be, are findings', () => {
  const [visibility] = reported('annotation', (dex, annotation) => dex.writeUInt8(7, annotation));
  assert.equal(visibility, 'dex-item: annotation number 0 has visibility 7');
  const [type] = reported('annotation', (dex, annotation) => dex.writeUInt8(0x7f, annotation + 1));
  assert.match(type!, /^dex-item: annotation number 0 is of type 127 of \d+$/);
  // Visibility, type, one element, its name: then the value.
  const [value] = reported('annotation', (dex, annotation) => dex.writeUInt8(0x05, annotation + 4));
  assert.equal(value, 'dex-item: annotation number 0 has a value of type 0x5 and argument 0');
});

test('sets and directories of annotations that refer to no such item are findings', () => {
  const [set] = reported('annotationSet', (dex, at) => dex.writeUInt32LE(dex.readUInt32LE(at + 4) + 1, at + 4));
  assert.match(set!, /^dex-item: annotation set number 0 refers to 0x\w+, where nothing begins$/);
  const [directory] = reported('annotationsDirectory', (dex, at) => dex.writeUInt32LE(sectionOf('string'), at));
  assert.equal(directory, 'dex-item: annotations directory number 0 has no annotations of its class');
});

test('constants of a size that their type has not, or that refer past the end of a table, are findings', () => {
  const first = (...bytes: number[]) =>
    reported('encodedArray', (dex, array) => Buffer.from(bytes).copy(dex, array))[0];
  assert.equal(first(1, 0x20), 'dex-item: encoded array number 0 has a value of type 0x0 and argument 1');
  assert.match(
    first(1, 0x37, 0xff, 0xff)!,
    /^dex-item: encoded array number 0 has a value that refers to number 65535 of/,
  );
  const nested = Array.from({ length: 40 }, () => [1, 0x1c]).flat();
  assert.equal(first(...nested), 'dex-item: encoded array number 0 is nested more than 32 deep');
});

test('a string, prototype or class that refers to where no item begins is a finding', () => {
  const moved = (field: number, at: number) =>
    reported('string', (dex) => {
      const place = dex.readUInt32LE(field) + at;
      dex.writeUInt32LE(dex.readUInt32LE(place) + 1, place);
    })[0];
  assert.equal(moved(60, 4), 'dex-item: strings: number 1 refers to where no item begins');
  const { protoIds } = openDex(sound, new Findings(), 'classes.dex');
  const taking = protoIds.findIndex((offset, index) => index % 3 === 2 && offset !== 0);
  const prototype = (taking - 2) / 3;
  assert.equal(moved(76, taking * 4), `dex-item: prototypes: number ${prototype} refers to where no item begins`);
  assert.match(moved(100, 20) ?? '', /^dex-class-definition: annotations at 0x\w+$/);
});
