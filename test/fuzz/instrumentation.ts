// Counts the blocks of modules as they are loaded. The parser is the bundler's, so that nothing more need be installed.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { reserveBlocks } from './coverage-counters.ts';

const countersModule = new URL('coverage-counters.ts', import.meta.url).href;

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

export interface InstrumentedModule {
  source: string;
  blocks: number;
  /** Texts and whole numbers that stand in the code: what its reader compares with. */
  words: (string | number)[];
}

/** Constants longer than these are messages, tables and the like. */
const maxWordLength = 24;

/**
 * The module with a counter in every function, branch, loop, case and handler. Lines stay where they are.
 * @param firstBlock takes the number of blocks and says at which place of the counters they stand
 */
export function instrument(source: string, firstBlock: (count: number) => number): InstrumentedModule {
  const marks: { at: number; text: string | number; after?: string }[] = [];
  const words = new Set<string | number>();
  let blocks = 0;
  const statement = (node: SyntaxNode | null | undefined) => {
    if (node == null) return;
    if (node.type === 'BlockStatement') {
      marks.push({ at: node.start + 1, text: blocks++, after: ';' });
      return walk(node);
    }
    marks.push({ at: node.start, text: '{' }, { at: node.start, text: blocks++, after: ';' });
    walk(node);
    marks.push({ at: node.end, text: '}' });
  };
  const expression = (node: SyntaxNode) => {
    marks.push({ at: node.start, text: '(' }, { at: node.start, text: blocks++, after: ',' });
    walk(node);
    marks.push({ at: node.end, text: ')' });
  };
  const branches: Record<string, (node: SyntaxNode, key: string) => boolean> = {
    IfStatement: (_, key) => key === 'consequent' || key === 'alternate',
    ConditionalExpression: (_, key) => key === 'consequent' || key === 'alternate',
    LogicalExpression: (_, key) => key === 'right',
    ForStatement: (_, key) => key === 'body',
    ForOfStatement: (_, key) => key === 'body',
    ForInStatement: (_, key) => key === 'body',
    WhileStatement: (_, key) => key === 'body',
    DoWhileStatement: (_, key) => key === 'body',
    CatchClause: (_, key) => key === 'body',
    FunctionDeclaration: (_, key) => key === 'body',
    FunctionExpression: (_, key) => key === 'body',
    ArrowFunctionExpression: (_, key) => key === 'body',
  };
  const walk = (node: SyntaxNode): void => {
    if (node.type === 'ImportDeclaration') return;
    if (node.type === 'Literal') addWord(node.value);
    if (node.type === 'SwitchCase') {
      const [first] = node.consequent as SyntaxNode[];
      if (first !== undefined) marks.push({ at: first.start, text: blocks++, after: ';' });
    }
    for (const [key, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (!isNode(child)) continue;
        if (branches[node.type]?.(node, key) !== true) walk(child);
        else if (/Statement$/.test(child.type)) statement(child);
        else expression(child);
      }
    }
  };
  const addWord = (value: unknown) => {
    if (typeof value === 'string' && value.length > 0 && value.length <= maxWordLength) words.add(value);
    if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) > 15) words.add(value);
  };
  walk(parseAst(source, { lang: 'ts' }) as unknown as SyntaxNode);
  const first = firstBlock(blocks);
  let made = `import {counters as __blocks} from '${countersModule}';`;
  let from = 0;
  const inOrder = marks.map((mark, index) => ({ ...mark, index })).sort((a, b) => a.at - b.at || a.index - b.index);
  for (const { at, text, after = '' } of inOrder) {
    const inserted = typeof text === 'number' ? `__blocks[${first + text}]++${after}` : text;
    made += source.slice(from, at) + inserted;
    from = at;
  }
  return { source: made + source.slice(from), blocks, words: [...words] };
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

/** An instrumented module: its path below `server/`, its blocks' places and its constants. */
export interface Subject {
  path: string;
  first: number;
  blocks: number;
  words: readonly (string | number)[];
}

/** Instruments every module of the server that is loaded from now on. @returns those loaded so far */
export function instrumentServer(): readonly Subject[] {
  const loaded: Subject[] = [];
  registerHooks({
    load(url, context, nextLoad) {
      const path = /\/server\/([^?]*\.ts)$/.exec(url)?.[1];
      if (path === undefined || url.includes('/node_modules/')) return nextLoad(url, context);
      let first = 0;
      const { source, blocks, words } = instrument(readFileSync(fileURLToPath(url), 'utf8'), (count) => {
        first = reserveBlocks(count);
        return first;
      });
      loaded.push({ path, first, blocks, words });
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
  return loaded;
}
