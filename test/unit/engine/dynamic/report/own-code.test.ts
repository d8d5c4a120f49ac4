import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConstantsOnly, isPlatformStub } from '../../../../../server/engine/dynamic/report/own-code.ts';
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

test('classes of constants that build tools make are no code of the app, unless something in them could run', () => {
  const empty: MethodSpec = {
    ...{ name: '<init>', descriptor: '()V', accessFlags: 0x10001 },
    code: { registers: 1, ins: 1, outs: 1, units: [0x1070, 0, 0, 0x000e] },
  };
  const classes = [
    { descriptor: 'Lcom/example/R$id;', methods: [empty] },
    { descriptor: 'Lcom/example/R;', methods: [empty, method('<clinit>')] },
    { descriptor: 'Lcom/example/BuildConfig;', methods: [empty, method('run')] },
    { descriptor: 'Lcom/example/Real;', methods: [empty] },
  ];
  const dex = openDex(buildDex({ classes }), new Findings(), 'classes.dex');
  const found = classes.map((_, index) => [dex.className(index), isConstantsOnly(dex, index)] as const);
  assert.deepEqual(
    found.filter(([, isOnly]) => isOnly).map(([name]) => name),
    ['Lcom/example/R$id;'],
  );
});
