// Names that Java takes, for names that a dex file may have. Knows no program.

const reserved = new Set(
  (
    'abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally ' +
    'float for goto if implements import instanceof int interface long native new package private protected public return ' +
    'short static strictfp super switch synchronized this throw throws transient try void volatile while true false null _'
  ).split(' '),
);
/** Java takes these as names, but not for types. */
const reservedTypes = new Set(['var', 'record', 'yield', 'sealed', 'permits']);
const plain = /^[\p{L}\p{Nl}\p{Sc}\p{Pc}][\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Mn}\p{Mc}\p{Nd}]*$/u;
const ascii = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** Whether a name can stand in Java source. */
export const isIdentifier = (name: string): boolean =>
  (ascii.test(name) || (plain.test(name) && name.normalize('NFC') === name)) &&
  !reserved.has(name) &&
  name.length < 1000;

/** The name, or one that stands for it: what Java does not take is written by its number, so that no two become the same. */
export function identifier(name: string): string {
  let known = identifiers.get(name);
  if (known === undefined) {
    known = isIdentifier(name) ? name : replaced(name);
    if (identifiers.size >= maxKnown) identifiers.clear();
    identifiers.set(name, known);
  }
  return known;
}

const identifiers = new Map<string, string>();
const maxKnown = 20_000;

function replaced(name: string): string {
  const safe = name.slice(0, 200).replace(/[^A-Za-z0-9_$]/gu, (unit) => `$${unit.codePointAt(0)!.toString(16)}`);
  return /^[0-9]/.test(safe) || reserved.has(safe) || safe === '' ? `_${safe}` : safe;
}

/** The same for a class, whose name has some words more to shun. */
export function typeIdentifier(name: string): string {
  const found = identifier(name);
  return reservedTypes.has(found) ? `${found}_` : found;
}

const escapes: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};
const escaped = (unit: string) =>
  escapes[unit] ??
  Array.from({ length: unit.length }, (_, at) => `\\u${unit.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** A string literal: what cannot be seen, or turns the direction of writing, is escaped. */
export const stringLiteral = (text: string): string =>
  `"${text.replace(/["\\]|[^\x20-\x7e\p{L}\p{N}\p{P}\p{Sm}\p{Sc}\p{So}]|[\ud800-\udfff]/gu, escaped)}"`;

export function charLiteral(value: number): string {
  const unit = String.fromCharCode(value);
  if (unit === "'") return "'\\''";
  if (unit === '"') return `'"'`;
  return `'${/[\x20-\x7e]|[\p{L}]/u.test(unit) && unit !== '\\' ? unit : escaped(unit)}'`;
}

/** What may stand in a comment: no end of it, no line break, no unicode escape. */
export const commentText = (text: string): string =>
  text
    .replace(/\*\//g, '* /')
    .replace(/[^\x20-\x7e]/gu, (unit) => `{${unit.codePointAt(0)!.toString(16)}}`)
    .replace(/\\u/g, '\\ u');
