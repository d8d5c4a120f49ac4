// The methods around one, by calls: callers and callees step by step, bounded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callGraphOf } from '../../../../server/engine/exploration/call-graph.ts';
import { OpenedApp } from '../../../../server/engine/exploration/opened-app.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { buildDex, type ClassSpec } from '../../../fixtures/dex-builder.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

/** A class whose static method `run` calls `run` of others. */
const calling = (descriptor: string, ...owners: string[]): ClassSpec => ({
  descriptor,
  methods: [
    {
      name: 'run',
      descriptor: '()V',
      accessFlags: 9,
      code: {
        registers: 1,
        ins: 0,
        outs: 0,
        units: (pool) => [...owners.flatMap((owner) => [0x0071, pool.method(owner, 'run', '()V'), 0]), 0x000e],
      },
    },
  ],
});

const appOf = (...classes: ClassSpec[]) =>
  new OpenedApp(memorySource(buildZip({ entries: [{ name: 'classes.dex', content: buildDex({ classes }) }] })));
const run = (owner: string) => `${owner}->run()V`;

test('callers and callees of a method are told step by step, loops and all, the app’s own code first', () => {
  const app = appOf(
    calling('La/First;', 'La/Second;'),
    calling('La/Second;', 'La/Middle;'),
    calling('La/Middle;', 'Landroid/Outside;', 'La/Inherits;', 'La/Middle;'),
    calling('La/Next;', 'La/Last;', 'La/First;'),
    calling('La/Last;'),
    { descriptor: 'La/Inherits;', superclass: 'La/Next;' },
  );
  const steps = (graph: ReturnType<typeof callGraphOf>) =>
    Object.fromEntries(graph.nodes.map(({ symbol, step }) => [symbol, step]));
  const one = callGraphOf(app, { of: run('La/Middle;'), steps: 1 });
  assert.deepEqual(steps(one), {
    [run('La/Middle;')]: 0,
    [run('La/Second;')]: -1,
    // What the class inherits is the method that runs.
    [run('La/Next;')]: 1,
    [run('Landroid/Outside;')]: 1,
  });
  assert.deepEqual(
    one.edges.map(({ from, to }) => [from.slice(1, -9), to.slice(1, -9)]),
    [
      ['a/Second', 'a/Middle'],
      ['a/Middle', 'a/Middle'],
      ['a/Middle', 'android/Outside'],
      ['a/Middle', 'a/Next'],
    ],
  );
  assert.deepEqual(
    one.nodes.map(({ origin }) => origin),
    ['own', 'own', 'own', 'outside'],
  );
  const three = callGraphOf(app, { of: run('La/Middle;'), steps: 3 });
  assert.equal(steps(three)[run('La/First;')], -2);
  assert.equal(steps(three)[run('La/Last;')], 2);
  // Back from what is called to what calls.
  assert.ok(three.edges.some(({ from, to }) => from === run('La/Next;') && to === run('La/First;')));
  assert.equal(three.is_cut, false);
});

test('a method that thousands call has the first of them, and says how many are left out', () => {
  const callers = Array.from({ length: 3000 }, (_, index) => calling(`La/C${index};`, 'La/Log;'));
  const { nodes, is_cut } = callGraphOf(appOf(calling('La/Log;'), ...callers), { of: run('La/Log;'), steps: 3 });
  assert.equal(nodes.length, 25);
  assert.equal(nodes[0]!.hidden, 3000 - 24);
  assert.ok(is_cut);
});

test('only methods have a call graph', () => {
  assert.throws(() => callGraphOf(appOf(calling('La/A;')), { of: 'La/A;', steps: 1 }), { code: 'bad-question' });
});
