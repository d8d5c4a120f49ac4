import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { treeRoot } from '../../architecture/import-boundaries.ts';

const exportedFunction = /^export (?:async )?function\*? (\w+)/;
const publicMethod = /^ {2}(?:static )?(?:readonly )?(?:async )?\*?([a-z]\w*)(?:<[^(]*>)?(?:\(| = (?:async )?\()/;
/** A line that begins something at the top of a file. */
const topLevel = /^(?:export )?(?:abstract )?(?:class|interface|function|const|async|type)\b/;

/** Names of the exported functions, and public methods of exported classes, above which no docstring ends. */
function undescribed(source: string): string[] {
  const lines = source.split('\n');
  let isInClass = false;
  return lines.flatMap((line, at) => {
    if (topLevel.test(line)) isInClass = /^export (?:abstract )?class/.test(line);
    const name = exportedFunction.exec(line)?.[1] ?? (isInClass ? publicMethod.exec(line)?.[1] : undefined);
    if (name === undefined || name === 'constructor' || lines[at - 1]?.endsWith('*/')) return [];
    return [name];
  });
}

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
  const files = globSync('server/{services,store}/**/*.ts', { cwd: treeRoot });
  assert.ok(files.length > 150);
  const found = files
    .filter((file) => !file.includes('migrations'))
    .flatMap((file) => undescribed(readFileSync(join(treeRoot, file), 'utf8')).map((name) => `${file}: ${name}`));
  assert.deepEqual(found, []);
});
