// Which tests a change concerns: those whose imports lead to a file that has changed. Knows nothing of how tests are run.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface Module {
  /** Path from the top of the tree, with `/`. */
  readonly path: string;
  readonly imports: readonly string[];
  readonly source: string;
}

const isTest = (path: string) => /^test\/.*\.(?:test|spec)\.ts$/.test(path);

/** How sources name a file that they start or read instead of importing it: `/worker.`, `permissions.json`. */
const namesOf = (path: string) => {
  const name = basename(path);
  return /\.(?:ts|tsx|mjs)$/.test(name) ? [`/${name.replace(/\.\w+$/, '.')}`] : [name];
};

/**
 * The tests that lead to any of the changed files, the nearest first.
 * @param changed paths from the top of the tree, with `/`
 */
export function testsOf(changed: readonly string[], modules: readonly Module[]): string[] {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of modules) {
    for (const imported of imports) importers.set(imported, [...(importers.get(imported) ?? []), path]);
  }
  const reached = new Set(changed);
  for (const path of reached) {
    const names = namesOf(path);
    const startedBy = modules.filter(({ source }) => names.some((name) => source.includes(name)));
    for (const next of importers.get(path) ?? startedBy.map((module) => module.path)) reached.add(next);
  }
  // What the interface shows is looked at by the tests in a browser alone, and they see it as a whole.
  if (changed.some((path) => path.startsWith('renderer/'))) {
    for (const { path } of modules) if (path.startsWith('test/e2e/') && isTest(path)) reached.add(path);
  }
  return [...reached].filter(isTest);
}

/** What git says has changed since the upstream branch, committed or not, new files too. @returns paths that exist */
export function changedFiles(root: string): string[] {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  let base = 'HEAD';
  try {
    base = git('merge-base', 'HEAD', '@{upstream}');
  } catch (error) {
    if ((error as { status?: number }).status === undefined) throw error;
    // A branch that follows none is compared with its last commit.
  }
  const changed = git('diff', '--name-only', '--diff-filter=d', base);
  const added = git('ls-files', '--others', '--exclude-standard');
  return `${changed}\n${added}`.split('\n').filter((path) => path !== '');
}

/** Every module of the tree with what it imports. */
export async function modulesOf(root: string): Promise<Module[]> {
  const { modulesBelow } = await import('./import-boundaries.ts');
  const { modules } = await modulesBelow(root, ['main', 'renderer', 'server', 'test']);
  return modules
    .filter(({ source }) => /^(?:main|renderer|server|test)\//.test(source))
    .map(({ source, dependencies }) => ({
      path: source,
      imports: dependencies.map(({ resolved }) => resolved),
      source: readFileSync(join(root, source), 'utf8'),
    }));
}
