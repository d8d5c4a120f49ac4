import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildZip } from '../fixtures/zip-builder.ts';
import { mutateBytes } from './byte-mutation.ts';
import { runCampaign } from './campaign.ts';
import { Corpus } from './corpus.ts';
import { liesOf, mutateFields } from './field-mutation.ts';
import { zipFields } from './fields.ts';
import { fuzz } from './fuzzing.ts';
import { instrument } from './instrumentation.ts';
import { minimise } from './minimisation.ts';
import { randomNumbers } from './random.ts';
import type { FuzzTarget } from './target.ts';

const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const server = join(import.meta.dirname, '../../server');
/** Of each target, without guidance: enough to see that it still stands. */
const share = 25;

for (const file of readdirSync(join(import.meta.dirname, 'targets'))) {
  const name = file.replace(/\.ts$/, '');
  // A running workstation is for long runs.
  if (name === 'pipeline') continue;
  test(`damaged input makes ${name} answer or refuse with a typed error, in time`, async () => {
    const { target } = (await import(join(import.meta.dirname, 'targets', file))) as { target: FuzzTarget };
    for (const path of target.subject) assert.notEqual(globSync(`${path}*`, { cwd: server }).length, 0, `no ${path}`);
    const found: string[] = [];
    await runCampaign({
      target,
      corpus: new Corpus(null),
      subjects: [],
      seed: 1,
      first: 0,
      end: share,
      cpuSeconds: Number.POSITIVE_INFINITY,
      known: new Set(),
      onFind: ({ reason }) => found.push(reason),
    });
    await target.close?.();
    assert.deepEqual(found, []);
  });
}

test('a campaign goes on where it ended, reaches more code than before, and keeps what reached it', async () => {
  const request = { target: 'xml-text', folder: join(folder, 'campaign'), seed: 1, cpuSeconds: 60 };
  const first = await fuzz({ ...request, mutants: 5 });
  const second = await fuzz({ ...request, mutants: 250 });
  assert.deepEqual([first.mutants, second.mutants], [5, 250]);
  assert.ok(first.covered > 0 && second.covered > first.covered && second.covered <= second.blocks);
  assert.ok(second.corpus > first.corpus && second.cpuSeconds > first.cpuSeconds);
});

test('errors, differences between two readings, slowness and endless loops are found, made small and told once', async () => {
  const request = { target: '../broken-target', folder: join(folder, 'broken'), seed: 1, mutants: 2, cpuSeconds: 60 };
  const { finds, mutants } = await fuzz(request);
  assert.equal(mutants, 2);
  const kept = readdirSync(join(request.folder, 'finds')).filter((name) => !/\.(?:txt|whole)$/.test(name));
  const causes = kept.map((name) => `${name.split('-')[0]} ${readFileSync(join(request.folder, 'finds', name))}`);
  assert.deepEqual(causes.sort(), ['death h', 'error e', 'slow s', 'unsteady u']);
  assert.equal(finds.length, 4);
});

test('a seed always gives the same damage, and another seed another', () => {
  const sample = Buffer.alloc(500, 'abc');
  const damaged = (seed: number) => mutateBytes(sample, randomNumbers(seed));
  assert.ok(damaged(7).equals(damaged(7)));
  assert.ok(!damaged(7).equals(damaged(8)));
  assert.ok(sample.equals(Buffer.alloc(500, 'abc')));
});

test('a lie changes the numbers of fields alone, to edges, neighbours and what other fields hold', () => {
  const sample = buildZip({ entries: [{ name: 'a', content: 'content' }] });
  const fields = zipFields(sample);
  const isField = (at: number) => fields.some(({ offset, width }) => at >= offset && at < offset + width);
  for (let seed = 0; seed < 100; seed++) {
    const damaged = mutateFields(sample, randomNumbers(seed), fields);
    assert.equal(damaged.length, sample.length);
    const changed = [...sample.keys()].filter((at) => damaged[at] !== sample[at]);
    assert.ok(changed.length > 0 && changed.every(isField), `seed ${seed}`);
  }
  const size = { offset: 18, width: 4 } as const;
  const lies = liesOf(sample, size, [{ offset: 26, width: 2 }]);
  assert.ok(
    [0, 6, 8, 26, 1, 0xffffffff, sample.length].every((lie) => lies.includes(lie)),
    lies.join(' '),
  );
  assert.ok(!lies.includes(7));
});

test('what fails is made as small as it still fails', async () => {
  const input = Buffer.from(`${'x'.repeat(500)}needle${'y'.repeat(300)}`);
  const smallest = await minimise(input, (candidate) => Buffer.from(candidate).includes('needle'), 400);
  assert.equal(Buffer.from(smallest).toString(), 'needle');
});

const instrumented = (source: string) => instrument(source, () => 0);

test('every function, branch, loop, case and handler is counted, on the line where it stood', () => {
  const source = `export function f(a: number) {
  if (a > 1) return a > 2 ? 'x' : 'y';
  for (const b of [1]) a += b && 77;
  switch (a) { case 99: return (() => a)(); }
  try { throw a; } catch { return null; }
}`;
  const { source: counted, blocks, words } = instrumented(source);
  assert.equal(blocks, 9);
  assert.equal(counted.split('\n').length, source.split('\n').length);
  assert.deepEqual(words, ['x', 'y', 77, 99]);
});
