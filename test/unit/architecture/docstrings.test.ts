import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describedFiles, undescribed, undescribedBelow } from '../../architecture/docstrings.ts';
import { treeRoot } from '../../architecture/import-boundaries.ts';

test('a function or method without a docstring is found, one of its own file or class is not', () => {
  const source = [
    'export class Held {',
    '  constructor() {}',
    '  /** How many. */',
    '  count = (): number => 1;',
    '  async page(): Promise<void> {}',
    '  #own(): void {}',
    '}',
    'class Hidden {',
    '  page(): void {}',
    '}',
    'function own(): void {}',
    'export async function open(): Promise<void> {}',
  ];
  assert.deepEqual(undescribed(source.join('\n')), ['page', 'open']);
});

test('every public function and method of services and store says what it does', () => {
  assert.ok(describedFiles(treeRoot).length > 150);
  assert.deepEqual(undescribedBelow(treeRoot), []);
});
