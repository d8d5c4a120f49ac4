import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repositories } from '../../../server/store/repositories/repositories.ts';
import { treeRoot } from '../../architecture/import-boundaries.ts';
import { outsideQueries } from '../../architecture/outside-queries.ts';

const names = new Set(Object.keys(repositories({ database: {} as never, clock: () => 0 })));

test('a query that waits for its own transaction is found, also in a function that a transaction calls', () => {
  const within = (body: string) =>
    `class A { async b() { await this.#store.transaction(async (inside) => { ${body} }); } }`;
  assert.deepEqual(outsideQueries(within('await this.#store.apks.findById(1);'), names), ['store.apks']);
  assert.deepEqual(outsideQueries(within('await store.transaction(work);'), names), ['store.transaction']);
  assert.deepEqual(outsideQueries(within('await inside.apks.findById(1); this.#store.clock();'), names), []);
  const called = 'const follow = async (job: Job, inside: Writes) => { await this.#store.jobs.count({}); };';
  assert.deepEqual(outsideQueries(called, names), ['store.jobs']);
  assert.deepEqual(outsideQueries('const a = () => this.#store.jobs.count({});', names), []);
});

test('what a transaction does is asked of its own repositories', () => {
  const files = globSync('server/{api,app,jobs,services}/**/*.ts', { cwd: treeRoot });
  assert.ok(files.length > 100);
  const found = files.flatMap((file) =>
    outsideQueries(readFileSync(join(treeRoot, file), 'utf8'), names).map((query) => `${file}: ${query}`),
  );
  assert.deepEqual(found, []);
});
