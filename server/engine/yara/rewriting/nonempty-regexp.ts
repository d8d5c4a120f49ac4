// Rewrites expressions that may match no bytes so that they match the same except no bytes. Knows pieces of expressions, no rules.

/** A piece, or a group of alternatives; `quantifier` is empty, or the repetition with what makes it lazy. */
interface Item {
  atom: string | Item[][];
  quantifier: string;
}

/** Pieces of an expression; a larger one is left to the compiler, which refuses it, for each piece would be written out. */
const maxPieces = 64;
/** Matches nowhere: a word boundary where there is none. */
const never = ['n', 'e', 'v', '\\b', '\\B', 'e', 'r'];
const isQuantifier = (piece: string | undefined): boolean => piece !== undefined && /^(?:[*+?]|\{\d.*)$/.test(piece);
const isEdge = (atom: string | Item[][]): boolean =>
  typeof atom === 'string'
    ? /^(?:\^|\$|\\b|\\B)$/.test(atom)
    : atom.every((sequence) => sequence.length > 0 && sequence.every((item) => isEdge(item.atom)));

/** YARA reports no empty matches: an expression that could match nothing is rewritten to match at least one byte. */
export function withoutEmptyMatch(pieces: readonly string[]): readonly string[] {
  if (pieces.length > maxPieces) return pieces;
  const reader = { pieces, position: 0 };
  const alternatives = readAlternatives(reader);
  // The compiler reports parentheses that do not fit.
  if (reader.position < pieces.length || !alternatives.some(mayBeEmpty)) return pieces;
  const needed = neededOfOptional(alternatives);
  if (needed !== null) return needed;
  const something = nonemptyAlternatives(withoutUnreached(alternatives));
  return something.length === 0 ? never : something;
}

/**
 * In a text YARA finds what begins at one of its bytes: nothing in an empty text, and nothing after the last byte. An
 * expression that may match nothing is found wherever there is a byte.
 */
export function beginningAtByte(pieces: readonly string[]): readonly string[] {
  if (pieces.length > maxPieces) return pieces;
  const reader = { pieces, position: 0 };
  const alternatives = readAlternatives(reader);
  if (reader.position < pieces.length || !alternatives.some(mayBeEmpty)) return pieces;
  if (alternatives.some(isFreelyEmpty)) return ['[\\x00-\\xff]'];
  // It may match nothing between any two bytes.
  if (pieces.includes('\\B')) return pieces;
  const something = nonemptyAlternatives(alternatives);
  return something.length === 0 ? never : something;
}

/** Whether it may match nothing at the beginning, which YARA takes for a word boundary whatever follows. */
const isFreelyEmpty = (sequence: readonly Item[]): boolean =>
  sequence.every(
    ({ atom, quantifier }) =>
      /^(?:[*?]|\{0)/.test(quantifier) ||
      atom === '^' ||
      atom === '\\b' ||
      (typeof atom !== 'string' && atom.some(isFreelyEmpty)),
  );

/** Where a lazy `?` is the whole expression, YARA looks for what it may match: `/a??/` is `/a/`. */
function neededOfOptional(alternatives: readonly Item[][]): string[] | null {
  const item = alternatives.length === 1 && alternatives[0]!.length === 1 ? alternatives[0]![0]! : null;
  if (item === null || item.atom === '.') return null;
  const isOptional = /^(?:\?|\{0,1\})\?$/.test(item.quantifier);
  if (isOptional) return mayItemBeEmpty({ ...item, quantifier: '' }) ? null : piecesOf({ ...item, quantifier: '' });
  return item.quantifier === '' && typeof item.atom !== 'string' ? neededOfOptional(item.atom) : null;
}

/** Alternatives behind one that matches nothing everywhere are never tried. */
function withoutUnreached(alternatives: readonly Item[][]): readonly Item[][] {
  const last = alternatives.findIndex((sequence) => mayBeEmpty(sequence) && !sequence.some(holdsEdge));
  return last < 0 ? alternatives : alternatives.slice(0, last + 1);
}

const holdsEdge = ({ atom }: Item): boolean =>
  isEdge(atom) || (typeof atom !== 'string' && atom.some((sequence) => sequence.some(holdsEdge)));

function readAlternatives(reader: { pieces: readonly string[]; position: number }): Item[][] {
  const alternatives: Item[][] = [[]];
  while (reader.position < reader.pieces.length && reader.pieces[reader.position] !== ')') {
    const piece = reader.pieces[reader.position++]!;
    if (piece === '|') {
      alternatives.push([]);
      continue;
    }
    let atom: Item['atom'] = piece;
    if (piece === '(') {
      atom = readAlternatives(reader);
      reader.position += 1;
    }
    let quantifier = '';
    if (isQuantifier(reader.pieces[reader.position])) {
      quantifier = reader.pieces[reader.position++]!;
      if (reader.pieces[reader.position] === '?') quantifier += reader.pieces[reader.position++]!;
    }
    alternatives.at(-1)!.push({ atom, quantifier });
  }
  return alternatives;
}

const isLazy = (quantifier: string): boolean => quantifier.length > 1 && quantifier.endsWith('?');

const mayBeEmpty = (sequence: readonly Item[]): boolean => sequence.every(mayItemBeEmpty);

function mayItemBeEmpty({ atom, quantifier }: Item): boolean {
  if (/^(?:[*?]|\{0)/.test(quantifier) || isEdge(atom)) return true;
  return typeof atom !== 'string' && atom.some(mayBeEmpty);
}

function nonemptyAlternatives(alternatives: readonly Item[][]): string[] {
  const all: string[] = [];
  for (const sequence of alternatives) {
    const pieces = mayBeEmpty(sequence) ? nonemptySequence(sequence) : sequence.flatMap(piecesOf);
    if (pieces.length > 0) all.push(...(all.length > 0 ? ['|'] : []), ...pieces);
  }
  return all;
}

/** The alternatives of a sequence that may be empty: from each part that matches something to the end. */
function nonemptySequence(sequence: readonly Item[]): string[] {
  const all: string[] = [];
  for (const [index, item] of sequence.entries()) {
    // A lazy part matches nothing, unless a boundary has to follow.
    const isContent = isLazy(item.quantifier) && !sequence.slice(index + 1).some(holdsEdge);
    const first = isContent ? [] : nonemptyItem(item);
    if (first.length === 0) continue;
    const edges = sequence.slice(0, index).filter(({ atom }) => isEdge(atom));
    const rest = sequence.slice(index + 1).flatMap(piecesOf);
    all.push(...(all.length > 0 ? ['|'] : []), ...edges.flatMap(piecesOf), ...first, ...rest);
  }
  return all;
}

function nonemptyItem({ atom, quantifier }: Item): string[] {
  if (isEdge(atom)) return [];
  const something = typeof atom === 'string' ? [atom] : nonemptyAlternatives(atom);
  if (something.length === 0) return [];
  const group = typeof atom === 'string' ? something : ['(', ...something, ')'];
  return [...group, ...repeatedAtLeastOnce(quantifier)];
}

/** `{0,5}` as `{1,5}`. */
function repeatedAtLeastOnce(quantifier: string): string[] {
  const lazy = isLazy(quantifier) ? ['?'] : [];
  const repetition = quantifier.slice(0, quantifier.length - lazy.length);
  if (repetition === '' || repetition === '?') return [];
  if (repetition === '*' || repetition === '+') return ['+', ...lazy];
  return [repetition.replace(/^\{0,?/, (zero) => (zero === '{0' ? '{1' : '{1,')), ...lazy];
}

function piecesOf({ atom, quantifier }: Item): string[] {
  const inside = typeof atom === 'string' ? [atom] : ['(', ...atom.flatMap(withBar), ')'];
  const repetition = isLazy(quantifier) ? quantifier.slice(0, -1) : quantifier;
  return [...inside, ...(repetition === '' ? [] : [repetition]), ...(isLazy(quantifier) ? ['?'] : [])];
}

const withBar = (sequence: readonly Item[], index: number): string[] => [
  ...(index > 0 ? ['|'] : []),
  ...sequence.flatMap(piecesOf),
];
