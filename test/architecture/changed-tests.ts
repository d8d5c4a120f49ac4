// Which tests a change concerns: those whose imports lead to a file that has changed. Knows nothing of how tests are run.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface Module {
  /** Path from the top of the tree, with `/`. */
  readonly path: string;
  readonly imports: readonly string[];
  readonly source: string;
}

const isTest = (path: string) => /^test\/.*\.(?:test|spec)\.ts$/.test(path);

/** What a source may name a file by that it starts or reads: every text in it, also as a path from there, without `.${…}`. */
function namesIn({ path, source }: Module): Set<string> {
  const texts = [...source.matchAll(/['"`]([^'"`\n]{1,200})['"`]/g)].map((match) => match[1]!.replace(/\.\$\{.*/, ''));
  return new Set([...texts, ...texts.map((text) => posix.join(posix.dirname(path), text))]);
}

const isNamed = (path: string, names: ReadonlySet<string>): boolean => {
  const program = path.replace(/\.(?:ts|tsx|mjs)$/, '');
  const name = posix.basename(program);
  return (
    [path, program, posix.basename(path)].some((each) => names.has(each)) || (name.includes('-') && names.has(name))
  );
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
  const names = modules.map(namesIn);
  const reached = new Set(changed);
  for (const path of reached) {
    const startedBy = isTest(path) ? [] : modules.filter((_, index) => isNamed(path, names[index]!));
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

/** Static and dynamic imports and re-exports of files, as text: one too many in a comment costs a test, and no more. */
const specifier = /(?:\bfrom\s*|\bimport\s*\(?\s*)['"](\.[^'"\n]+)['"]/g;

/** Every module of the tree with what it imports. dependency-cruiser cannot read `using`, which tests need. */
export function modulesOf(root: string): Module[] {
  const paths = globSync('{main,renderer,server,test}/**/*.{ts,tsx,mjs}', { cwd: root });
  return paths.map((found) => {
    const path = found.replaceAll('\\', '/');
    const source = readFileSync(join(root, path), 'utf8');
    const imports = [...source.matchAll(specifier)].map((match) => posix.join(posix.dirname(path), match[1]!));
    return { path, imports, source };
  });
}
