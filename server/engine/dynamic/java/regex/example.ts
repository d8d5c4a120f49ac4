// A text that a pattern matches, as short as its repetitions allow. Knows no matching.
import { type Node, PatternError, parsePattern } from './parser.ts';

/** Characters that are tried for a class, the plainest first. */
const candidates = Array.from('a1A _-.@:/,;+*#', (character) => character.charCodeAt(0));
const printable = Array.from({ length: 95 }, (_, index) => 32 + index);
const maxLength = 1_000;

/** Null where the pattern is none, matches no such text, or a long one only; lookarounds are taken to hold. */
export function exampleOf(source: string, flags: number): string | null {
  try {
    return textOf(parsePattern(source, flags).node, new Map());
  } catch (error) {
    if (error instanceof PatternError) return null;
    throw error;
  }
}

function textOf(node: Node, groups: Map<number, string>): string | null {
  switch (node.kind) {
    case 'literal':
      return node.text;
    case 'test': {
      const code = [...candidates, ...printable].find(node.test);
      return code === undefined ? null : String.fromCharCode(code);
    }
    case 'sequence':
      return joined(node.nodes.map((each) => () => textOf(each, groups)));
    case 'choice':
      return node.nodes.map((each) => textOf(each, groups)).find((text) => text !== null) ?? null;
    case 'group': {
      const text = textOf(node.node, groups);
      if (text !== null) groups.set(node.index, text);
      return text;
    }
    case 'atomic':
      return textOf(node.node, groups);
    case 'repeat':
      return node.minimum > maxLength
        ? null
        : joined(Array.from({ length: node.minimum }, () => () => textOf(node.node, groups)));
    case 'back':
      return groups.get(node.group) ?? '';
    default:
      return '';
  }
}

function joined(parts: readonly (() => string | null)[]): string | null {
  let text = '';
  for (const part of parts) {
    const next = part();
    if (next === null || text.length + next.length > maxLength) return null;
    text += next;
  }
  return text;
}
