// Code that is in a dex file and that no list of methods shows, as "Hidex" hides it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { classData } from '../../../../../server/engine/formats/dex/class-data.ts';
import { scanCode } from '../../../../../server/engine/formats/dex/code-scan.ts';
import { openDex } from '../../../../../server/engine/formats/dex/dex.ts';
import { buildDex, type CodeSpec, headerFields } from '../../../../fixtures/dex-builder.ts';

const codeOf = (...units: number[]): CodeSpec => ({ units: () => units });
const twoCodes: [CodeSpec, CodeSpec] = [codeOf(0x000e), codeOf(0, 0x000e)];
const classDataWord = 24;
const method = (name: string, code: CodeSpec) => ({ name, descriptor: '()V', code });

/** Past the LEB128 numbers from `at` on. */
function pastNumbers(bytes: Buffer, at: number, count: number): number {
  let end = at;
  for (let left = count; left > 0; left--) while (bytes[end++]! >= 0x80);
  return end;
}

/** What a scan reports of a class of two methods after `change` has been at its list of them. */
function reported([first, second]: [CodeSpec, CodeSpec], change: (dex: Buffer, list: number) => void) {
  const methods = [method('a', first), method('b', second)];
  const bytes = buildDex({ classes: [{ descriptor: 'LA;', superclass: 'Ljava/lang/Object;', methods }] }) as Buffer;
  change(bytes, bytes.readUInt32LE(bytes.readUInt32LE(headerFields.classOffset) + classDataWord));
  const findings = new Findings();
  const dex = openDex(bytes, findings, 'classes.dex');
  const counts = scanCode(dex, {}, () => undefined);
  return { found: findings.list(), counts, data: classData(dex, 0) };
}

test('methods with code of their own, and methods that share theirs, hide nothing', () => {
  assert.deepEqual(reported(twoCodes, () => undefined).found, []);
  assert.deepEqual(reported([twoCodes[0], twoCodes[0]], () => undefined).found, []);
});

test('a method that is listed twice, so that another is not, is a finding', () => {
  // Four counts, then index, flags and place of the code of each method.
  const { found, counts, data } = reported(twoCodes, (dex, list) => {
    dex[pastNumbers(dex, list, 4 + 3)] = 0;
  });
  assert.deepEqual(
    found.map(({ code, where }) => [code, where]),
    [['dex-hidden-code', 'classes.dex:LA;->a()V']],
  );
  assert.equal(counts.methods, 2);
  assert.equal(data.virtualMethods.length + data.directMethods.length, 2);
});

test('code that no method has is a finding', () => {
  const { found } = reported(twoCodes, (dex, list) => {
    const isVirtual = dex[list + 3] === 2;
    dex[list + (isVirtual ? 3 : 2)] = 1;
  });
  assert.deepEqual(
    found.map(({ code, evidence }) => [code, evidence]),
    [['dex-hidden-code', '2 pieces of code in the map, 1 that methods have']],
  );
});

test('a scan of some classes takes the code of the others for nothing hidden', () => {
  const classes = ['LA;', 'LB;'].map((descriptor) => ({ descriptor, methods: [method('a', codeOf(0x000e))] }));
  const findings = new Findings();
  const dex = openDex(buildDex({ classes }), findings, 'classes.dex');
  assert.equal(scanCode(dex, { classes: (index) => index === 0 }, () => undefined).methods, 1);
  assert.deepEqual(findings.list(), []);
});
