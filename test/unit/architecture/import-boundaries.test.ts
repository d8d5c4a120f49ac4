import assert from 'node:assert/strict';
import { test } from 'node:test';
import { treeRoot, violationsBelow, violationsIn } from '../../architecture/import-boundaries.ts';

const importedBy = (file: string, source: string) => violationsIn(file, source).map(({ imported }) => imported);

test('the tree imports one way only', () => {
  assert.deepEqual(violationsBelow(treeRoot), []);
});

test('the engine may not reach into the store, in whichever form the import is written', () => {
  assert.deepEqual(importedBy('server/engine/worker.ts', `import { a } from '../store/store.ts';`), [
    'server/store/store.ts',
  ]);
  assert.deepEqual(importedBy('server/engine/a/b.ts', `import type { A } from "../../store/store.ts";`), [
    'server/store/store.ts',
  ]);
  assert.deepEqual(importedBy('server/engine/worker.ts', `const a = await import('../store/store.ts');`), [
    'server/store/store.ts',
  ]);
  assert.deepEqual(importedBy('server/engine/worker.ts', `export * from '../store/store.ts';`), [
    'server/store/store.ts',
  ]);
  assert.deepEqual(importedBy('server/engine/worker.ts', `import '../store/store.ts';`), ['server/store/store.ts']);
});

test('an import over several lines is seen, one in a comment is not', () => {
  assert.deepEqual(importedBy('renderer/app.tsx', `import {\n  a,\n  b,\n} from '../server/services/a.ts';`), [
    'server/services/a.ts',
  ]);
  assert.deepEqual(importedBy('renderer/app.tsx', `// import a from '../server/services/a.ts';`), []);
});

test('a room may import itself, what the house allows it and what Node brings', () => {
  assert.deepEqual(
    importedBy('server/engine/worker.ts', `import a from './static/a.ts'; import b from 'node:fs';`),
    [],
  );
  assert.deepEqual(importedBy('renderer/app.tsx', `import type { A } from '../server/contract/apk.ts';`), []);
});

test('only main names Electron, only the store names SQLite, and the contract needs zod alone', () => {
  assert.deepEqual(importedBy('server/app/start.ts', `import { app } from 'electron';`), ['electron']);
  assert.deepEqual(importedBy('server/api/apks.ts', `import Database from 'better-sqlite3';`), ['better-sqlite3']);
  assert.deepEqual(importedBy('server/contract/apk.ts', `import express from 'express'; import { z } from 'zod';`), [
    'express',
  ]);
  assert.deepEqual(importedBy('main/main.ts', `import { app } from 'electron';`), []);
});
