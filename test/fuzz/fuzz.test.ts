import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildZip } from '../fixtures/zip-builder.ts';
import { liesOf, mutateFields } from './field-mutation.ts';
import { zipFields } from './fields.ts';
import { mutate } from './mutation.ts';

/** A process per target: an endless loop or an exhausted heap is seen, and stops no other target. */
const timeout = 300_000;

for (const file of readdirSync(join(import.meta.dirname, 'targets'))) {
  const name = file.replace(/\.ts$/, '');
  test(`damaged input makes ${name} return or throw FormatError, in time and in memory`, () => {
    const run = join(import.meta.dirname, './run.ts');
    const { status, signal, stdout, stderr } = spawnSync(
      process.execPath,
      ['--max-old-space-size=512', run, name, '1500', '0', '2'],
      { encoding: 'utf8', timeout, killSignal: 'SIGKILL' },
    );
    assert.equal(signal, null, `${name} did not end in ${timeout} ms`);
    assert.equal(status, 0, `${stdout}${stderr}`);
  });
}

test('a seed always gives the same damage, and another seed another', () => {
  const sample = Buffer.alloc(500, 'abc');
  assert.ok(mutate(sample, 7).equals(mutate(sample, 7)));
  assert.ok(!mutate(sample, 7).equals(mutate(sample, 8)));
  assert.ok(sample.equals(Buffer.alloc(500, 'abc')));
});

test('a lie changes the numbers of fields alone, to edges, neighbours and what other fields hold', () => {
  const sample = buildZip({ entries: [{ name: 'a', content: 'content' }] });
  const fields = zipFields(sample);
  const isField = (at: number) => fields.some(({ offset, width }) => at >= offset && at < offset + width);
  for (let seed = 0; seed < 100; seed++) {
    const damaged = mutateFields(sample, seed, fields);
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
