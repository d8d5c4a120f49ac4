// A method's instructions as bytes: what differs from build to build is open.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeBytesOf } from '../../../../server/engine/exploration/code-bytes.ts';
import { OpenedApp } from '../../../../server/engine/exploration/opened-app.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { buildDex } from '../../../fixtures/dex-builder.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

/** `const-string v0, "key"; invoke-static {v0}, La/B;->b(…)V; const/16 v1, 0x1234; if-eqz v1, +3; const-wide/16 v2, -1; return-void` */
const dexWith = (strings: string[]) =>
  buildDex({
    classes: [
      {
        descriptor: 'La/B;',
        methods: [
          {
            name: 'run',
            descriptor: '()V',
            accessFlags: 9,
            code: {
              registers: 4,
              ins: 0,
              outs: 1,
              units: (pool) => [
                ...strings.flatMap((text) => [0x001a, pool.string(text)]),
                ...[0x1071, pool.method('La/B;', 'b', '(Ljava/lang/String;)V'), 0],
                ...[0x0113, 0x1234, 0x0138, 3, 0x0216, 0xffff, 0x000e],
              ],
            },
          },
          { name: 'b', descriptor: '(Ljava/lang/String;)V', accessFlags: 0x401, isVirtual: true },
        ],
      },
    ],
  });
const dex = dexWith(['key']);
const app = new OpenedApp(memorySource(buildZip({ entries: [{ name: 'classes.dex', content: dex }] })));

test('indexes into tables are open, registers, numbers and distances are not', () => {
  assert.deepEqual(codeBytesOf(app, { of: 'La/B;->run()V' }), {
    dex: 'classes.dex',
    is_cut: false,
    instructions: [
      { address: 0, pattern: '1a 00 ?? ??' },
      { address: 2, pattern: '71 10 ?? ?? 00 00' },
      { address: 5, pattern: '13 01 34 12' },
      { address: 7, pattern: '38 01 03 00' },
      { address: 9, pattern: '16 02 ff ff' },
      { address: 11, pattern: '0e 00' },
    ],
  });
  // The same bytes stand in the file, and once.
  const { instructions } = codeBytesOf(app, { of: 'La/B;->run()V' });
  const source = instructions.map(({ pattern }) => pattern.replaceAll('??', '..').replaceAll(' ', '')).join('');
  assert.equal([...dex.toString('hex').matchAll(new RegExp(source, 'g'))].length, 1);
});

test('what is no method, has no code, or is in no dex file of the app is refused', () => {
  assert.throws(() => codeBytesOf(app, { of: 'La/B;' }), { code: 'bad-question' });
  for (const method of ['La/B;->b(Ljava/lang/String;)V', 'La/B;->none()V', 'La/None;->run()V'])
    assert.throws(() => codeBytesOf(app, { of: method }), { code: 'not-found' });
  assert.throws(() => codeBytesOf(app, { of: 'La/B;->run()V', dex: 'classes2.dex' }), { code: 'not-found' });
});

test('of a long method the first 4,096 instructions are told', () => {
  const long = new OpenedApp(
    memorySource(
      buildZip({ entries: [{ name: 'classes.dex', content: dexWith(Array.from({ length: 5000 }, () => 'key')) }] }),
    ),
  );
  const { instructions, is_cut } = codeBytesOf(long, { of: 'La/B;->run()V' });
  assert.deepEqual([instructions.length, is_cut], [4096, true]);
});
