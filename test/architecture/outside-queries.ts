// Finds queries that are made within a transaction and not asked of its repositories. Knows nothing of what they ask.
import { type Module, parseSync } from '@swc/core';

type Node = Record<string, unknown> & { type?: string };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const named = (node: unknown): string => (isNode(node) ? String(node.value ?? '') : '');

/** `this.#store`, `store`, `this.store` … */
const isStore = (node: unknown): boolean =>
  isNode(node) &&
  (node.type === 'Identifier'
    ? named(node) === 'store'
    : node.type === 'MemberExpression' && named(node.property) === 'store');

/** Whether one of a function's parameters is what a transaction gives its work, and is always given. */
function takesWrites(node: Node): boolean {
  const inType = (part: unknown): boolean =>
    Array.isArray(part)
      ? part.some(inType)
      : isNode(part) &&
        part.type !== 'TsFunctionType' &&
        part.optional !== true &&
        ((part.type === 'TsTypeReference' && named(part.typeName) === 'Writes') || Object.values(part).some(inType));
  const params = (node.params ?? (node.function as Node | undefined)?.params) as unknown[] | undefined;
  return Array.isArray(params) && params.some(inType);
}

/**
 * @param repositories names of what a transaction has its own of
 * @returns what is asked of the store within transactions, such as `store.apks`
 */
export function outsideQueries(source: string, repositories: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const visit = (part: unknown, isWithin: boolean): void => {
    if (Array.isArray(part)) for (const one of part) visit(one, isWithin);
    if (!isNode(part) || Array.isArray(part)) return;
    const isWork = isWithin || takesWrites(part);
    if (isWork && part.type === 'MemberExpression' && isStore(part.object)) {
      const name = named(part.property);
      if (repositories.has(name) || name === 'transaction') found.push(`store.${name}`);
    }
    const isTransaction =
      part.type === 'CallExpression' && isNode(part.callee) && named(part.callee.property) === 'transaction';
    for (const [key, value] of Object.entries(part)) visit(value, isWork || (isTransaction && key === 'arguments'));
  };
  const module: Module = parseSync(source, { syntax: 'typescript', target: 'es2024' });
  visit(module.body, false);
  return found;
}
