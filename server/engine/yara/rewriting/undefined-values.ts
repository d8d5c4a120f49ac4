// Where YARA and YARA-X differ in what is undefined, and what makes YARA-X say what YARA says. Knows tokens, no rules.
import { maxOperandTokens, type Parentheses } from '../language/parentheses.ts';
import type { Replacement } from '../language/position-map.ts';
import { type Token, textOfTokens } from '../language/tokens.ts';

/** Functions of `pe` that YARA leaves undefined where there is no PE file, and YARA-X calls 0 or false. */
const undefinedOutsidePe: Readonly<Record<string, 'number' | 'boolean' | 'imports'>> = {
  'pe.imports': 'imports',
  'pe.rich_signature.version': 'number',
  'pe.rich_signature.toolid': 'number',
  'pe.exports': 'boolean',
  'pe.locale': 'boolean',
  'pe.language': 'boolean',
};
/** Undefined outside PE files, else 0. */
const peZero = '0*pe.number_of_sections';
/** Numbers in YARA, truth values in YARA-X; those of `undefinedOutsidePe` are both, too. What each is where it is true. */
const truthNumbers: Readonly<Record<string, number>> = {
  'pe.is_pe': 1,
  'pe.is_dll': 0x2000,
  'pe.is_32bit': 1,
  'pe.is_64bit': 1,
  'math.in_range': 1,
  'console.log': 1,
  'console.hex': 1,
};

/** Only with these words in a condition do undefined values differ from false. */
export const negation = /^(?:not|none|defined)$/;

/** Insertions into a condition, in no order. */
export function exactUndefined(condition: readonly Token[], parentheses: Parentheses): Replacement[] {
  const insertions: Replacement[] = [];
  const insert = (place: number, text: string) => insertions.push({ start: place, end: place, text });
  const isNegated = condition.some(({ text }) => negation.test(text));
  for (const [index, token] of condition.entries()) {
    const previous = condition[index - 1]?.text;
    if (/^(?:pe|math|console)$/.test(token.text) && previous !== '.') countTruth(condition, index, parentheses, insert);
    if (token.text === 'pe' && previous !== '.') guardFunction(condition, index, parentheses, isNegated, insert);
    else if (token.text === 'elf' && previous !== '.') guardCount(condition, index, insert);
    else if ((token.text === 'hash' || token.text === 'math') && previous !== '.') {
      guardRange(condition, index, parentheses, insert);
    } else if (token.text === '0' && condition[index + 1]?.text === 'of' && previous !== 'for') {
      insertions.push({ start: token.start, end: token.end, text: 'none' });
    }
  }
  // Parts inside such a comparison are closed before it.
  if (isNegated) for (const index of condition.keys()) guardLess(condition, index, insert);
  return insertions;
}

type Insert = (place: number, text: string) => void;

/** The path that begins at an index, and the index behind it. */
function pathAt(tokens: readonly Token[], start: number): { path: string; next: number } {
  let path = tokens[start]!.text;
  let next = start + 1;
  while (tokens[next]?.text === '.' && tokens[next + 1]?.kind === 'word') {
    path += `.${tokens[next + 1]!.text}`;
    next += 2;
  }
  return { path, next };
}

function guardFunction(
  tokens: readonly Token[],
  start: number,
  parentheses: Parentheses,
  isNegated: boolean,
  insert: Insert,
): void {
  const { path, next } = pathAt(tokens, start);
  const close = parentheses.get(next);
  if (undefinedOutsidePe[path] === undefined || close === undefined || tokens[next]?.text !== '(') return;
  const kind =
    undefinedOutsidePe[path] === 'imports'
      ? importsKind(argumentsBetween(tokens, next, close))
      : undefinedOutsidePe[path];
  const isNumber = isOperand(tokens, start, close);
  if (kind === 'number' && (isNegated || isNumber)) {
    insert(tokens[start]!.start, '(');
    insert(tokens[close]!.end, `+${peZero})`);
  } else if (kind === 'boolean' && isNumber) {
    insert(tokens[start]!.start, '(math.to_number(');
    insert(tokens[close]!.end, `)+${peZero})`);
  } else if (isNegated && /^(?:and|or|\))?$/.test(tokens[close + 1]?.text ?? '')) {
    insert(tokens[start]!.start, '(');
    insert(tokens[close]!.end, `==1+${peZero})`);
  }
}

/** Beside these a truth value is used as a number in YARA. */
const isOperand = (tokens: readonly Token[], first: number, last: number): boolean =>
  /^[-+*\\%&|^~<>=]$/.test(tokens[first - 1]?.text ?? '') || /^[-+*\\%&|^<>=!]$/.test(tokens[last + 1]?.text ?? '');

/** Makes a truth value the number that YARA takes it for. */
function countTruth(tokens: readonly Token[], start: number, parentheses: Parentheses, insert: Insert): void {
  const { path, next } = pathAt(tokens, start);
  const number = truthNumbers[path];
  const last = tokens[next]?.text === '(' ? parentheses.get(next) : next - 1;
  if (number === undefined || last === undefined || !isOperand(tokens, start, last)) return;
  insert(tokens[start]!.start, `(${number}*math.to_number(`);
  insert(tokens[last]!.end, '))');
}

/**
 * `pe.imports` of one function says whether; of one by its ordinal, of a library or of expressions how many. The kind of
 * imports may come first.
 */
function importsKind(given: readonly Token[][]): 'number' | 'boolean' {
  const [first, last] = [given[0]?.[0]?.kind, given.at(-1)?.[0]?.kind];
  const hasKind = first !== 'text' && first !== 'regexp';
  if (given.length < (hasKind ? 3 : 2) || last === 'regexp') return 'number';
  return last === 'number' && !hasKind ? 'number' : 'boolean';
}

/** Of an ELF file that lacks the section YARA knows no number of its entries, YARA-X calls it 0. */
function guardCount(tokens: readonly Token[], start: number, insert: Insert): void {
  const { path, next } = pathAt(tokens, start);
  if (!/^elf\.(?:symtab|dynsym)_entries$/.test(path)) return;
  insert(tokens[start]!.start, '(');
  insert(tokens[next - 1]!.end, `+0\\${path})`);
}

/** Functions of `math` with results that are no integers. */
const floatFunction = /^(?:entropy|mean|deviation|serial_correlation|monte_carlo_pi)$/;
const startOfOperand = /^(?:and|or|not|defined|[(:,])$/;
const endOfOperand = /^(?:and|or|[),])$/;

/** Where one side is undefined, `<` of numbers that are no integers is false in YARA, as no other comparison is. */
function guardLess(tokens: readonly Token[], less: number, insert: Insert): void {
  const isLess = tokens[less]!.text === '<' && !/^[<=]$/.test(tokens[less + 1]?.text ?? '');
  if (!isLess || tokens[less - 1]?.text === '<') return;
  const first = edgeOf(tokens, less, -1, startOfOperand);
  const last = edgeOf(tokens, less, 1, endOfOperand);
  const isFloat = tokens
    .slice(first, last + 1)
    .some(({ kind, text }) => (kind === 'number' && text.includes('.')) || floatFunction.test(text));
  if (!isFloat || first === less || last === less) return;
  insert(tokens[first]!.start, '(');
  insert(tokens[last]!.end, ' or filesize < 0)');
}

/** The last token of an operand, in one direction or the other; that of the operator where there is none, or no end near. */
function edgeOf(tokens: readonly Token[], operator: number, step: 1 | -1, edge: RegExp): number {
  let depth = 0;
  let index = operator;
  for (let next = operator + step; tokens[next] !== undefined; next += step) {
    const { text } = tokens[next]!;
    if (depth === 0 && edge.test(text)) break;
    if (text === '(' || text === '[') depth += step;
    else if (text === ')' || text === ']') depth -= step;
    if (Math.abs(next - operator) > maxOperandTokens) return operator;
    index = next;
  }
  return index;
}

/** Functions of a part of the file, and which of their arguments says where it begins; its length follows. */
const rangeFunctions: Readonly<Record<string, number>> = {
  ...Object.fromEntries(['md5', 'sha1', 'sha256', 'checksum32', 'crc32'].map((name) => [`hash.${name}`, 0])),
  ...Object.fromEntries(
    ['entropy', 'mean', 'deviation', 'serial_correlation', 'monte_carlo_pi', 'mode'].map((name) => [`math.${name}`, 0]),
  ),
  'math.count': 1,
  'math.percentage': 1,
};
/** Tokens of expressions that may be written twice: numbers, variables, places of strings and arithmetic. */
const plainToken = /^(?:[-+*\\%&|^~<>()[\]]|[#@!]\w*|\d\w*|(?!entrypoint$)[a-z_]\w*)$/i;

/** In YARA a part that goes past the end is cut, and one that begins past it is undefined. */
function guardRange(tokens: readonly Token[], start: number, parentheses: Parentheses, insert: Insert): void {
  const { path, next } = pathAt(tokens, start);
  const first = rangeFunctions[path];
  const close = parentheses.get(next);
  if (first === undefined || close === undefined || close - next > maxOperandTokens) return;
  const given = argumentsBetween(tokens, next, close);
  const [from, length] = [given[first] ?? [], given[first + 1] ?? []];
  if (from.length === 0 || length.length === 0 || !from.every(({ text }) => plainToken.test(text))) return;
  const place = textOfTokens(from);
  insert(from.at(-1)!.end, `+0*uint8(${place})`);
  const isWhole = Number(place) === 0 && length.length === 1 && length[0]!.text === 'filesize';
  if (!path.startsWith('hash.') || isWhole) return;
  insert(length[0]!.start, 'math.min(');
  insert(length.at(-1)!.end, `,filesize-(${place}))`);
}

function argumentsBetween(tokens: readonly Token[], open: number, close: number): Token[][] {
  const given: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens.slice(open + 1, close)) {
    if (token.text === '(' || token.text === '[') depth += 1;
    else if (token.text === ')' || token.text === ']') depth -= 1;
    if (token.text === ',' && depth === 0) given.push([]);
    else given.at(-1)!.push(token);
  }
  return given;
}
