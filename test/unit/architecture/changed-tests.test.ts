// Which tests a change is said to concern.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Module, modulesOf, testsOf } from '../../architecture/changed-tests.ts';
import { treeRoot } from '../../architecture/import-boundaries.ts';

const module = (path: string, imports: string[] = [], source = ''): Module => ({ path, imports, source });
const modules = [
  module('server/engine/zip.ts'),
  module('server/engine/worker.ts', ['server/engine/zip.ts']),
  module('server/jobs/pool.ts', [], 'new URL(`../engine/worker.$' + '{extension}`)'),
  module('server/jobs/clock.ts'),
  module('test/unit/zip.test.ts', ['server/engine/zip.ts']),
  module('test/api/uploads.test.ts', ['server/jobs/pool.ts']),
  module('test/unit/clock.test.ts', ['server/jobs/clock.ts']),
  module('test/unit/table.test.ts', [], `readFileSync('permissions.json')`),
  module('renderer/page.tsx'),
  module('test/e2e/page.spec.ts'),
];

test('a change concerns the tests that import it at any remove, the nearest first', () => {
  assert.deepEqual(testsOf(['server/jobs/clock.ts'], modules), ['test/unit/clock.test.ts']);
  assert.deepEqual(testsOf(['server/engine/zip.ts'], modules), ['test/unit/zip.test.ts', 'test/api/uploads.test.ts']);
});

test('a file that is started or read by its path concerns the tests of whoever names it', () => {
  assert.deepEqual(testsOf(['server/engine/worker.ts'], modules), ['test/api/uploads.test.ts']);
  assert.deepEqual(testsOf(['resources/permissions.json'], modules), ['test/unit/table.test.ts']);
});

test('a test that has changed is its own, and what the interface shows concerns the tests in a browser', () => {
  assert.deepEqual(testsOf(['test/unit/clock.test.ts'], modules), ['test/unit/clock.test.ts']);
  assert.deepEqual(testsOf(['renderer/page.tsx'], modules), ['test/e2e/page.spec.ts']);
  assert.deepEqual(testsOf(['README.md'], modules), []);
});

test('of this tree a change of sealed files concerns their own tests first, and one of this module this test', () => {
  const modules = modulesOf(treeRoot);
  const [first] = testsOf(['server/vault/sealed-file.ts'], modules);
  assert.match(first!, /^test\/unit\//);
  assert.ok(testsOf(['server/vault/sealed-file.ts'], modules).includes('test/unit/vault/sealed-file.test.ts'));
  assert.deepEqual(testsOf(['test/architecture/changed-tests.ts'], modules), [
    'test/unit/architecture/changed-tests.test.ts',
  ]);
});
