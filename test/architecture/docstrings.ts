// Public functions and methods of services and store that no docstring describes. Knows no other room.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const exportedFunction = /^export (?:async )?function\*? (\w+)/;
const publicMethod = /^ {2}(?:static )?(?:readonly )?(?:async )?\*?([a-z]\w*)(?:<[^(]*>)?(?:\(| = (?:async )?\()/;
/** A line that begins something at the top of a file. */
const topLevel = /^(?:export )?(?:abstract )?(?:class|interface|function|const|async|type)\b/;

/** Names of the exported functions, and public methods of exported classes, above which no docstring ends. */
export function undescribed(source: string): string[] {
  const lines = source.split('\n');
  let isInClass = false;
  return lines.flatMap((line, at) => {
    if (topLevel.test(line)) isInClass = /^export (?:abstract )?class/.test(line);
    const name = exportedFunction.exec(line)?.[1] ?? (isInClass ? publicMethod.exec(line)?.[1] : undefined);
    if (name === undefined || name === 'constructor' || lines[at - 1]?.endsWith('*/')) return [];
    return [name];
  });
}

/** The files of a tree whose functions are to be described. */
export const describedFiles = (root: string): string[] =>
  globSync('server/{services,store}/**/*.ts', { cwd: root }).filter((file) => !file.includes('migrations'));

/** The same of a tree, each behind its file's name. */
export function undescribedBelow(root: string): string[] {
  return describedFiles(root).flatMap((file) =>
    undescribed(readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
}
