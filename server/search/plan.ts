// What a search means: tree of syntax to conditions on APKs. Knows the fields; reads nothing.
import {
  type FlagColumn,
  type HashColumn,
  type NumberColumn,
  nothing,
  type SearchExpression,
  type TextColumn,
} from '../store/search-expression.ts';
import { parseSearch, SearchError, type SearchTree, type SearchValue } from './syntax.ts';
import { boundsOf, readDate, readNumber, readSwitch } from './values.ts';

const textColumns: Record<string, TextColumn> = {
  app: 'app',
  appname: 'app',
  package: 'package_name',
  package_name: 'package_name',
  company: 'company',
  developer: 'company',
  version: 'version',
  displayed_version: 'version',
};
const numberColumns: Record<string, NumberColumn> = {
  size: 'size',
  rating: 'rating',
  min_sdk: 'min_sdk',
  target_sdk: 'target_sdk',
  sdk: 'target_sdk',
};
const hashFields = ['md5', 'sha1', 'sha256'] as const satisfies HashColumn[];
const hashColumns: Record<number, HashColumn> = { 32: 'md5', 40: 'sha1', 64: 'sha256' };
const flagColumns: Record<string, FlagColumn> = {
  detected: 'is_detected',
  trusted: 'is_trusted',
  corrupted: 'is_corrupted',
  installed: 'is_installed',
  on_devices: 'is_installed',
  analyzed: 'is_static_analyzed',
  static_analyzed: 'is_static_analyzed',
  dynamic_analyzed: 'is_dynamic_analyzed',
  yara_analyzed: 'is_yara_analyzed',
};
const dateFields = new Set(['date', 'created_on', 'created_at']);
/** Fields of reports by their names in searches. */
const termFields: Record<string, string> = {
  url: 'url',
  urls: 'url',
  permission: 'permission',
  activity: 'activity',
  service: 'service',
  receiver: 'receiver',
  provider: 'provider',
  filter: 'filter',
  'network.hosts': 'network.hosts',
  'network.http': 'network.http',
  'network.dns': 'network.dns',
  'network.domains': 'network.domains',
};
/** Every field under the name that it is offered by, with what its values are. */
export const searchFields = {
  app: 'text',
  package: 'text',
  company: 'text',
  version: 'text',
  hash: 'hash',
  md5: 'hash',
  sha1: 'hash',
  sha256: 'hash',
  size: 'number',
  rating: 'number',
  min_sdk: 'number',
  target_sdk: 'number',
  date: 'date',
  tag: 'tag',
  cert: 'certificate',
  detected: 'flag',
  trusted: 'flag',
  corrupted: 'flag',
  installed: 'flag',
  static_analyzed: 'flag',
  dynamic_analyzed: 'flag',
  yara_analyzed: 'flag',
  url: 'term',
  permission: 'term',
  activity: 'term',
  service: 'term',
  receiver: 'term',
  provider: 'term',
  filter: 'term',
  'network.hosts': 'term',
  'network.http': 'term',
  'network.dns': 'term',
  'network.domains': 'term',
  ruleset: 'ruleset',
  rule: 'rule',
} as const;
export type SearchFieldKind = (typeof searchFields)[keyof typeof searchFields];

/** The offered name of a field, null where there is no such field. */
export function offeredField(name: string): keyof typeof searchFields | null {
  const field = name.toLowerCase();
  const plain = field.startsWith('is_') ? field.slice(3) : field;
  const aliases: Record<string, keyof typeof searchFields> = {
    ...{ appname: 'app', package_name: 'package', developer: 'company', displayed_version: 'version' },
    ...{ sdk: 'target_sdk', created_on: 'date', created_at: 'date', tags: 'tag', certificate: 'cert', urls: 'url' },
    ...{ on_devices: 'installed', analyzed: 'static_analyzed' },
  };
  for (const known of [field, plain]) {
    if (Object.hasOwn(searchFields, known)) return known as keyof typeof searchFields;
    if (Object.hasOwn(aliases, known)) return aliases[known]!;
  }
  return null;
}

const everything: SearchExpression = { kind: 'all' };
/** Longer words are not what anybody mistypes. */
const maxFuzzyLength = 50;
const isWord = (text: string) => /^[\p{L}\p{N}]+$/u.test(text);

function textMatch(
  columns: readonly TextColumn[],
  { text, isPrefix, distance, position }: Extract<SearchValue, { kind: 'text' }>,
): SearchExpression {
  if (distance > 0) {
    if (!isWord(text) || text.length > maxFuzzyLength)
      throw new SearchError('A fuzzy word is made of letters and digits alone.', position);
    return { kind: 'similar', columns, text, distance };
  }
  if (isPrefix && isWord(text)) return { kind: 'prefix', columns, text };
  return { kind: 'text', columns, text };
}

function hashMatch(columns: readonly HashColumn[], text: string): SearchExpression {
  const wanted = columns.filter((column) => hashColumns[text.length] === column);
  if (wanted.length === 0 || !/^[0-9a-f]+$/i.test(text)) return nothing;
  return { kind: 'hash', columns: wanted, hash: text.toLowerCase() };
}

function bareMatch(value: SearchValue): SearchExpression {
  if (value.kind !== 'text') throw new SearchError('A comparison needs a field before it.', value.position);
  if (value.text === '*' && !value.isPhrase) return everything;
  const text = textMatch(['app', 'package_name', 'company'], value);
  const hash = hashMatch(hashFields, value.text);
  return hash === nothing ? text : { kind: 'or', parts: [hash, text] };
}

function range(column: NumberColumn, { from, to }: { from: number | null; to: number | null }): SearchExpression {
  return from === null && to === null ? everything : { kind: 'range', column, from, to };
}

function fieldMatch(name: string, at: number, value: SearchValue, viewerId: number | null): SearchExpression {
  const field = name.toLowerCase();
  const plain = field.startsWith('is_') ? field.slice(3) : field;
  if (Object.hasOwn(flagColumns, plain)) return { kind: 'flag', column: flagColumns[plain]!, value: readSwitch(value) };
  if (plain === 'apk') return readSwitch(value) ? everything : nothing;
  if (Object.hasOwn(numberColumns, field)) return range(numberColumns[field]!, boundsOf(value, readNumber));
  if (dateFields.has(field)) return range('created_at', boundsOf(value, readDate));
  if (value.kind !== 'text') throw new SearchError(`The field "${name}" has no order to compare by.`, value.position);
  if (Object.hasOwn(textColumns, field)) return textMatch([textColumns[field]!], value);
  if (value.distance > 0) throw new SearchError(`The field "${name}" is not searched fuzzily.`, value.position);
  const { text } = value;
  if (field === 'hash') return hashMatch(hashFields, text);
  const hash = hashFields.find((known) => known === field);
  if (hash !== undefined) return hashMatch([hash], text);
  if (field === 'cert' || field === 'certificate') {
    const digits = text.replaceAll(':', '').toLowerCase();
    return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(digits) ? { kind: 'certificate', hash: digits } : nothing;
  }
  const isAny = text === '*' && !value.isPhrase;
  const named = isAny ? { name: '', isPrefix: true } : { name: text, isPrefix: value.isPrefix };
  if (field === 'tag' || field === 'tags') return { kind: 'tag', ...named };
  if (field === 'ruleset' || field === 'rule') return { kind: field, ...named, viewerId };
  if (Object.hasOwn(termFields, field)) return { kind: 'term', field: termFields[field]!, text };
  throw new SearchError(`There is no field "${name}".`, at);
}

function meaningOf(tree: SearchTree, viewerId: number | null): SearchExpression {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return { kind: tree.kind, parts: tree.parts.map((part) => meaningOf(part, viewerId)) };
    case 'not':
      return { kind: 'not', part: meaningOf(tree.part, viewerId) };
    case 'match':
      return tree.field === null ? bareMatch(tree.value) : fieldMatch(tree.field, tree.at, tree.value, viewerId);
  }
}

/**
 * Works out which APKs a search wants.
 * @param viewerId account whose private rulesets may be named; null: nobody's
 * @returns null where the search is empty: all of them
 * @throws SearchError with the position of what is wrong
 */
export function planSearch(text: string, viewerId: number | null): SearchExpression | null {
  // Half a letter is stored and compared as the replacement character.
  const tree = parseSearch(text.toWellFormed(), (field) => Object.hasOwn(numberColumns, field.toLowerCase()));
  return tree === null ? null : meaningOf(tree, viewerId);
}
