// Fields and methods of classes that Android's verifier refuses, as a scan of the code meets them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { scanCode } from '../../../../../server/engine/formats/dex/code-scan.ts';
import { openDex } from '../../../../../server/engine/formats/dex/dex.ts';
import { buildDex, type ClassSpec, type CodeSpec, headerFields } from '../../../../fixtures/dex-builder.ts';

const access = { public: 0x1, private: 0x2, static: 0x8, final: 0x10, volatile: 0x40, native: 0x100, abstract: 0x400 };
const code: CodeSpec = { units: [0x000e] };

function reportedOf(dex: Buffer): string[] {
  const findings = new Findings();
  scanCode(openDex(dex, findings, 'classes.dex'), {}, () => undefined);
  return findings.list().map(({ code, where, evidence }) => `${code} ${where}: ${evidence}`);
}

const reported = (...classes: ClassSpec[]): string[] => reportedOf(buildDex({ classes }));
const method = (accessFlags: number, others: { code?: CodeSpec; isVirtual?: boolean } = {}) =>
  reported({ descriptor: 'LA;', methods: [{ name: 'run', descriptor: '()V', accessFlags, ...others }] });
const field = (accessFlags: number) => reported({ descriptor: 'LA;', fields: [{ name: 'a', type: 'I', accessFlags }] });
const fault = (evidence: string) => [`dex-class-data classes.dex:LA;: ${evidence}`];

test('fields and methods as compilers write them have nothing to report', () => {
  assert.deepEqual(field(access.public | access.static | access.final), []);
  assert.deepEqual(field(access.private | access.volatile), []);
  assert.deepEqual(method(access.private | access.static, { code }), []);
  assert.deepEqual(method(access.public | access.abstract, { isVirtual: true }), []);
  assert.deepEqual(method(access.public | access.native, { isVirtual: true }), []);
});

test('flags that contradict each other or that no member has are findings', () => {
  assert.deepEqual(field(access.public | access.private), fault('field 0 has flags 0x3'));
  assert.deepEqual(field(access.final | access.volatile), fault('field 0 has flags 0x50'));
  assert.deepEqual(field(0x10000), fault('field 0 has flags 0x10000'));
  assert.deepEqual(method(access.public | access.private, { code }), fault('method 0 has flags 0x3'));
  assert.deepEqual(method(0x40000, { code }), fault('method 0 has flags 0x40000'));
});

test('code where none may be, none where some must be, and methods in the wrong list are findings', () => {
  assert.deepEqual(method(access.native | access.static, { code }), fault('method 0 has code and flags 0x108'));
  assert.deepEqual(method(access.public, { isVirtual: true }), fault('method 0 has no code and flags 0x1'));
  assert.deepEqual(
    method(access.static, { code, isVirtual: true }),
    fault('method 0 is listed among those of the other kind'),
  );
});

test("members of another class, and members past a table's end, are findings", () => {
  const one = { name: 'a', type: 'I', accessFlags: 0 };
  const dex = buildDex({ classes: ['LA;', 'LB;'].map((descriptor) => ({ descriptor, fields: [one] })) });
  const classes = dex.readUInt32LE(headerFields.classOffset);
  const shared = Buffer.from(dex);
  shared.writeUInt32LE(dex.readUInt32LE(classes + 32 + 24), classes + 24);
  assert.deepEqual(reportedOf(shared), fault("field 1 is another class's"));
  const fewer = Buffer.from(dex);
  fewer.writeUInt32LE(1, headerFields.fieldCount);
  assert.deepEqual(reportedOf(fewer), ['dex-class-data classes.dex:LB;: field 1 of 1']);
});

test('code that takes or hands on more than its registers hold is a finding', () => {
  const judged = (registers: number, ins: number, outs: number) =>
    method(access.static, { code: { ...code, registers, ins, outs } });
  assert.deepEqual(judged(2, 2, 5), []);
  assert.deepEqual(judged(1, 2, 0), [
    'dex-registers classes.dex:LA;->run()V: 2 arguments come in and 0 go out by 1 registers',
  ]);
  assert.deepEqual(judged(5, 0, 6), [
    'dex-registers classes.dex:LA;->run()V: 0 arguments come in and 6 go out by 5 registers',
  ]);
});
