// The rule of imports itself, held against small trees: what it must refuse, in each way of writing an import.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { violationsBelow } from '../../architecture/import-boundaries.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

/** What a tree of these files, by path, breaks: each as `file → what it imports`. */
async function brokenBy(files: Record<string, string>): Promise<string[]> {
  const root = temporaryFolder('rooms');
  const packages = ['zod', 'express', 'electron', 'better-sqlite3'].flatMap((name) => [
    [`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' })],
    [`node_modules/${name}/index.js`, ''],
  ]);
  const present = {
    'main/main.ts': '',
    'renderer/main.tsx': '',
    'server/store/store.ts': 'export const a = 1;',
    ...(Object.fromEntries(packages) as Record<string, string>),
    ...files,
  };
  for (const [path, source] of Object.entries(present)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), source);
  }
  const violations = await violationsBelow(root);
  return violations.map(({ file, imported }) => `${file} → ${imported}`).sort();
}

test('the engine may not reach into the store, in whichever form the import is written', async () => {
  const forms = [
    `import { a } from '../store/store.ts'; console.log(a);`,
    `import type { A } from "../store/store.ts"; export type B = A;`,
    `import { type A } from "../store/store.ts"; export type B = A;`,
    `export const b = await import('../store/store.ts');`,
    `export * from '../store/store.ts';`,
    `export { a } from '../store/store.ts';`,
    `import '../store/store.ts';`,
    `export type B = import('../store/store.ts').A;`,
    `import {\n  a,\n} from '../store/store.ts'; console.log(a);`,
  ];
  const files = Object.fromEntries(forms.map((source, index) => [`server/engine/form-${index}.ts`, source]));
  assert.deepEqual(
    await brokenBy(files),
    forms.map(
      (form, index) =>
        `server/engine/form-${index}.ts → ${form.includes('= import(') ? '../' : 'server/'}store/store.ts`,
    ),
  );
});

test('a room may import itself, what the house allows it and what Node brings; a comment imports nothing', async () => {
  const broken = await brokenBy({
    'server/contract/catalogue/apk.ts': `import { z } from 'zod'; export const apk = z.string();`,
    'server/engine/worker.ts': `import './static/a.ts'; import 'node:fs'; import '../contract/catalogue/apk.ts'; // import '../store/store.ts'`,
    'server/engine/static/a.ts': 'export {};',
    'renderer/app.tsx': `import { apk } from '../server/contract/catalogue/apk.ts'; console.log(apk);`,
    'main/main.ts': `import { app } from 'electron'; console.log(app);`,
  });
  assert.deepEqual(broken, []);
});

test('the rooms of the services import one another in one direction alone', async () => {
  const broken = await brokenBy({
    'server/services/failure.ts': 'export {};',
    'server/services/people/accounts.ts': `import '../failure.ts'; import '../rules/rulesets.ts';`,
    'server/services/rules/rulesets.ts': `import '../failure.ts'; import '../people/sessions.ts';`,
    'server/services/people/sessions.ts': 'export {};',
  });
  assert.deepEqual(broken, ['server/services/people/accounts.ts → server/services/rules/rulesets.ts']);
});

test('a room inside a room keeps to the rules of both', async () => {
  const broken = await brokenBy({
    'server/engine/static/a.ts': 'export {};',
    'server/engine/formats/zip/zip.ts': `import '../../static/a.ts';`,
    'server/engine/formats/dex/dex.ts': `import '../zip/zip.ts'; import '../../../store/store.ts';`,
  });
  assert.deepEqual(broken, [
    'server/engine/formats/dex/dex.ts → server/store/store.ts',
    'server/engine/formats/dex/dex.ts → server/store/store.ts',
    'server/engine/formats/zip/zip.ts → server/engine/static/a.ts',
  ]);
});

test('rooms of the store keep their order: neither files nor searches reach up, nor does a backup know repositories', async () => {
  const broken = await brokenBy({
    'server/store/clock.ts': 'export {};',
    'server/store/files/file-store.ts': `import '../sqlite/reader.ts'; import '../clock.ts'; import '../store.ts';`,
    'server/store/sqlite/reader.ts': `import '../clock.ts'; import '../search/terms.ts';`,
    'server/store/search/terms.ts': `import '../../contract/catalogue/apk.ts'; import '../../vault/vault.ts';`,
    'server/store/search/listings.ts': `import '../repositories/apks.ts';`,
    'server/store/repositories/apks.ts': `import '../search/terms.ts'; import '../files/file-store.ts';`,
    'server/store/backup/backup.ts': `import '../files/file-store.ts'; import '../repositories/apks.ts';`,
    'server/store/repair/salvage.ts': `import '../sqlite/reader.ts'; import '../backup/backup.ts';`,
    'server/contract/catalogue/apk.ts': 'export {};',
    'server/vault/vault.ts': 'export {};',
  });
  assert.deepEqual(broken, [
    'server/store/backup/backup.ts → server/store/repositories/apks.ts',
    'server/store/files/file-store.ts → server/store/sqlite/reader.ts',
    'server/store/files/file-store.ts → server/store/store.ts',
    'server/store/repair/salvage.ts → server/store/backup/backup.ts',
    'server/store/repositories/apks.ts → server/store/files/file-store.ts',
    'server/store/search/listings.ts → server/store/repositories/apks.ts',
    'server/store/search/terms.ts → server/vault/vault.ts',
    'server/store/sqlite/reader.ts → server/store/search/terms.ts',
  ]);
});

test('rooms of the contract keep their order: what the engine makes knows no record, and no record an address', async () => {
  const broken = await brokenBy({
    'server/contract/list.ts': 'export {};',
    'server/contract/engine/reports.ts': `import '../list.ts'; import type {} from '../rules/ruleset.ts';`,
    'server/contract/rules/ruleset.ts': `import '../engine/reports.ts'; import type {} from '../people/account.ts';`,
    'server/contract/people/account.ts': `import '../rules/ruleset.ts'; import '../operations/account.ts';`,
    'server/contract/operations/account.ts': `import '../list.ts';`,
  });
  assert.deepEqual(broken, [
    'server/contract/engine/reports.ts → server/contract/rules/ruleset.ts',
    'server/contract/people/account.ts → server/contract/operations/account.ts',
    'server/contract/rules/ruleset.ts → server/contract/people/account.ts',
  ]);
});

test('only main names Electron, only the store SQLite; the contract needs zod alone and runs without Node', async () => {
  const broken = await brokenBy({
    'server/app/start.ts': `import { app } from 'electron'; console.log(app);`,
    'server/api/apks.ts': `import Database from 'better-sqlite3'; console.log(Database);`,
    'server/contract/catalogue/apk.ts': `import express from 'express'; import { z } from 'zod'; console.log(express, z);`,
    'renderer/app.tsx': `import { join } from 'node:path'; console.log(join);`,
  });
  assert.deepEqual(broken, [
    'renderer/app.tsx → path',
    'server/api/apks.ts → node_modules/better-sqlite3/index.js',
    'server/app/start.ts → node_modules/electron/index.js',
    'server/contract/catalogue/apk.ts → node_modules/express/index.js',
  ]);
});

test('files that need each other for values are refused, files that only name each other’s types are not', async () => {
  const broken = await brokenBy({
    'server/jobs/one.ts': `import { three } from './three.ts'; export const one = three;`,
    'server/jobs/two.ts': `import { one } from './one.ts'; export const two = one;`,
    'server/jobs/three.ts': `export { two as three } from './two.ts';`,
    'server/jobs/queue.ts': `import type { Pool } from './pool.ts'; export class Queue { pool: Pool | null = null; }`,
    'server/jobs/pool.ts': `import { Queue } from './queue.ts'; export class Pool { queue = new Queue(); }`,
  });
  assert.deepEqual(broken, ['server/jobs/one.ts → server/jobs/three.ts → server/jobs/two.ts → server/jobs/one.ts']);
});

test('a file outside of every room and an import of what is not there are refused', async () => {
  const broken = await brokenBy({
    'server/attic/old.ts': `import './older.ts';`,
    'server/attic/older.ts': '',
    'server/jobs/queue.ts': `import './gone.ts';`,
  });
  assert.deepEqual(broken, [
    'server/attic/old.ts → server/attic/older.ts',
    'server/jobs/queue.ts → ./gone.ts',
    'server/jobs/queue.ts → ./gone.ts',
  ]);
});
