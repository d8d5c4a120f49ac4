import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPlatformStub } from '../../../../../server/engine/dynamic/report/own-code.ts';
import { Findings } from '../../../../../server/engine/findings.ts';
import { openDex } from '../../../../../server/engine/formats/dex/dex.ts';
import { buildDex, type MethodSpec } from '../../../../fixtures/dex-builder.ts';

const method = (name: string): MethodSpec => ({
  ...{ name, descriptor: '()V', accessFlags: 0x10008 },
  code: { registers: 1, ins: 0, outs: 0, units: [0x000e] },
});

test('what stands for a class of newer phones is no code of the app, and what only bears such a name is', () => {
  const classes = [
    { descriptor: 'Landroid/net/Newest;', methods: [method('<clinit>')] },
    { descriptor: 'Landroid/net/Hidden;', methods: [method('<clinit>'), { ...method('send'), accessFlags: 0x9 }] },
    { descriptor: 'Lcom/example/Empty;', methods: [method('<clinit>')] },
  ];
  const dex = openDex(buildDex({ classes }), new Findings(), 'classes.dex');
  assert.deepEqual(
    classes.map(({ descriptor }) => isPlatformStub(dex, descriptor)),
    [true, false, false],
  );
});
