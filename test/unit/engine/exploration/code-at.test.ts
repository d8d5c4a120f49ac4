// Which code stands at bytes of a dex file: the instruction, the first use of a text, or neither.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeAtOf } from '../../../../server/engine/exploration/code-at.ts';
import { OpenedApp } from '../../../../server/engine/exploration/opened-app.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { buildDex } from '../../../fixtures/dex-builder.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

const dex = buildDex({
  classes: [
    {
      descriptor: 'Lcom/a/B;',
      methods: [
        {
          name: 'm',
          descriptor: '()V',
          accessFlags: 9,
          // const/16 v0, 0x4711; const-string v0, "sesame"; return-void
          code: {
            registers: 1,
            ins: 0,
            outs: 0,
            units: (pool) => [0x0013, 0x4711, 0x001a, pool.string('sesame'), 0x000e],
          },
        },
      ],
    },
  ],
});
const app = new OpenedApp(memorySource(buildZip({ entries: [{ name: 'classes.dex', content: dex }] })));
const asked = (at: number) => codeAtOf(app, { path: 'classes.dex', at });
const place = (offset: number) => ({ class: 'Lcom/a/B;', dex: 'classes.dex', method: 'm()V', offset });

test('bytes of an instruction lead to it, wherever they stand in it', () => {
  const at = dex.indexOf(Buffer.from([0x13, 0x00, 0x11, 0x47]));
  assert.deepEqual(
    [0, 1, 3, 4, 7, 8].map((more) => asked(at + more).place),
    [0, 0, 0, 2, 2, 4].map(place),
  );
});

test('bytes of a text lead to the first code that loads it; of a name that no code loads there is the text alone', () => {
  const at = dex.indexOf('sesame');
  for (const more of [0, 5]) assert.deepEqual(asked(at + more), { place: place(2), text: 'sesame' });
  assert.deepEqual(asked(dex.indexOf('Lcom/a/B;')), { place: null, text: 'Lcom/a/B;' });
});

test('tables, places outside and files that are no dex have none', () => {
  for (const at of [0, 0x70, dex.length - 1, 0xffff_ffff]) assert.deepEqual(asked(at), { place: null, text: null });
  assert.throws(() => codeAtOf(app, { path: 'a.txt', at: 0 }), /no such dex file/);
});
