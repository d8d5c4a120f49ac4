// What a search means: tree of syntax to conditions on APKs. Knows the fields; reads nothing.
import { damages } from '../contract/catalogue/damage.ts';
import { verdicts } from '../contract/catalogue/verdict.ts';
import { type ContentTerm, maxContentTerms } from '../contract/engine/content-search.ts';
import {
  type HashColumn,
  type NumberColumn,
  nothing,
  type SearchExpression,
  type TermFit,
  type TextColumn,
} from '../store/search/search-expression.ts';
import { contentKey, readContent } from './contents.ts';
import {
  addressMatch,
  certificateMatch,
  domainMatch,
  markMatch,
  nameMatch,
  readRisk,
  readSeverity,
  signerMatch,
} from './evidence.ts';
import { type FieldNature, parseSearch, SearchError, type SearchTree, type SearchValue } from './syntax.ts';
import { type Bounds, boundsOf, readDate, readNumber, readSwitch } from './values.ts';

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
  similar: 'likeness',
  content: 'content',
  size: 'number',
  rating: 'number',
  min_sdk: 'number',
  target_sdk: 'number',
  date: 'date',
  tag: 'tag',
  verdict: 'verdict',
  family: 'family',
  case: 'case',
  judged: 'judged',
  risk: 'risk',
  severity: 'severity',
  finding: 'mark',
  technique: 'mark',
  tracker: 'mark',
  library: 'mark',
  known: 'mark',
  list: 'mark',
  domain: 'domain',
  ip: 'ip',
  class: 'name',
  api: 'name',
  signer: 'signer',
  cert: 'certificate',
  detected: 'flag',
  trusted: 'flag',
  corrupted: 'flag',
  damage: 'damage',
  installed: 'flag',
  static_analyzed: 'flag',
  dynamic_analyzed: 'flag',
  yara_analyzed: 'flag',
  filename: 'term',
  url: 'term',
  payload: 'term',
  icon: 'term',
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
type SearchField = keyof typeof searchFields;
export type SearchFieldKind = (typeof searchFields)[SearchField];
type FieldOf<Kind extends SearchFieldKind> = {
  [Field in SearchField]: (typeof searchFields)[Field] extends Kind ? Field : never;
}[SearchField];

/** Other names of fields. */
const aliases: Record<string, SearchField> = {
  appname: 'app',
  package_name: 'package',
  developer: 'company',
  displayed_version: 'version',
  sdk: 'target_sdk',
  created_on: 'date',
  created_at: 'date',
  tags: 'tag',
  certificate: 'cert',
  on_devices: 'installed',
  analyzed: 'static_analyzed',
  urls: 'url',
  payloads: 'payload',
  findings: 'finding',
  techniques: 'technique',
  trackers: 'tracker',
  libraries: 'library',
  lists: 'list',
  first_seen: 'date',
  file_name: 'filename',
};
const textColumns: Record<FieldOf<'text'>, TextColumn> = {
  app: 'app',
  package: 'package_name',
  company: 'company',
  version: 'version',
};
export const hashFields = ['md5', 'sha1', 'sha256'] as const satisfies HashColumn[];
const hashLengths: Record<HashColumn, number> = { md5: 32, sha1: 40, sha256: 64 };

function namedField(name: string): SearchField | null {
  if (Object.hasOwn(searchFields, name)) return name as SearchField;
  return Object.hasOwn(aliases, name) ? aliases[name]! : null;
}

/** The offered name of a field, null where there is no such field. */
export function offeredField(name: string): SearchField | null {
  const field = name.toLowerCase();
  if (!field.startsWith('is_')) return namedField(field);
  const flag = namedField(field.slice(3));
  return flag !== null && isOf(flag, 'flag') ? flag : null;
}

function isOf<Kind extends SearchFieldKind>(field: SearchField, kind: Kind): field is FieldOf<Kind> {
  return searchFields[field] === kind;
}

const everything: SearchExpression = { kind: 'all' };
const judged: SearchExpression = { kind: 'judged' };
const anything: TermFit = { text: '', fit: 'part' };
/** Longer words are not what anybody mistypes. */
const maxFuzzyLength = 50;
/** `*` alone: anything at all. */
const isStar = (value: SearchValue) => value.kind === 'text' && value.text === '*' && !value.isPhrase;
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

/** @param isPrefix whether the text may be the beginning of a hash */
function hashMatch(columns: readonly HashColumn[], text: string, isPrefix: boolean): SearchExpression {
  const fits = (column: HashColumn) =>
    isPrefix ? text.length <= hashLengths[column] : text.length === hashLengths[column];
  const wanted = columns.filter(fits);
  if (wanted.length === 0 || !/^[0-9a-f]+$/i.test(text)) return nothing;
  return { kind: 'hash', columns: wanted, hash: text.toLowerCase() };
}

function bareMatch(value: SearchValue): SearchExpression {
  if (value.kind !== 'text') throw new SearchError('A comparison needs a field before it.', value.position);
  if (isStar(value)) return everything;
  const text = textMatch(['app', 'package_name', 'company'], value);
  const hash = hashMatch(hashFields, value.text, false);
  return hash === nothing ? text : { kind: 'or', parts: [hash, text] };
}

/** Without bounds: those that have a value at all. */
const range = (column: NumberColumn, { from, to }: Bounds = { from: null, to: null }): SearchExpression => ({
  kind: 'range',
  column,
  from,
  to,
});

/** `*`: any word at all. */
function verdictMatch(text: string, isAny: boolean, position: number): SearchExpression {
  const said = (place: number) => range('verdict', { from: place, to: place });
  if (isAny) return { kind: 'not', part: said(verdicts.indexOf('unknown')) };
  const place = (verdicts as readonly string[]).indexOf(text.toLowerCase());
  if (place < 0) throw new SearchError('A verdict is malicious, suspicious, clean or unknown.', position);
  return said(place);
}

/** `*`: any damage at all. */
function damageMatch(text: string, isAny: boolean, position: number): SearchExpression {
  if (isAny) return range('damage');
  const place = (damages as readonly string[]).indexOf(text.toLowerCase());
  if (place < 0) throw new SearchError(`A damage is ${damages.join(', ')}.`, position);
  return range('damage', { from: place, to: place });
}

/** @throws SearchError where it is no whole SHA-256 */
function likenessOf(value: SearchValue): string {
  if (value.kind === 'text' && /^[0-9a-f]{64}$/i.test(value.text)) return value.text.toLowerCase();
  throw new SearchError('What is similar is asked by a whole SHA-256.', value.position);
}

/** What a search means depends on these, which its text does not hold. */
interface Asked {
  viewerId: number | null;
  /** SHA-256 of the APKs that are like those that the search names. */
  alike: ReadonlyMap<string, readonly string[]>;
  /** Where a content is, as far as is known; null: nobody has looked. */
  contents: ContentAnswer | null;
}

/** @param isNegated whether the search wants APKs without it */
export type ContentAnswer = (content: ContentTerm, isNegated: boolean) => SearchExpression;

function contentMatch(value: SearchValue, isNegated: boolean, { contents }: Asked): SearchExpression {
  const content = readContent(value);
  if (contents === null)
    throw new SearchError('Contents of files are not looked at here: `apk-workstation search` does.', value.position);
  return contents(content, isNegated);
}

function fieldMatch({ name, at, value, isNegated }: NamedMatch, asked: Asked): SearchExpression {
  const { viewerId, alike } = asked;
  // The catalogue holds nothing else.
  if (/^(?:is_)?apk$/i.test(name)) return readSwitch(value) ? everything : nothing;
  const field = offeredField(name);
  if (field === null) throw new SearchError(`There is no field "${name}".`, at);
  const isAny = isStar(value);
  // No APK is without any of these.
  if (isAny && (isOf(field, 'flag') || isOf(field, 'hash') || isOf(field, 'date'))) return everything;
  if (isOf(field, 'flag')) return { kind: 'flag', column: `is_${field}`, value: readSwitch(value) };
  if (isOf(field, 'number')) return isAny ? range(field) : range(field, boundsOf(value, readNumber));
  if (isOf(field, 'date')) return range('created_at', boundsOf(value, readDate));
  if (isOf(field, 'risk')) return isAny ? range(field) : range(field, boundsOf(value, readRisk));
  if (isOf(field, 'severity')) return isAny ? range(field) : range(field, boundsOf(value, readSeverity));
  if (isOf(field, 'content')) return contentMatch(value, isNegated, asked);
  if (isOf(field, 'judged')) return isAny || readSwitch(value) ? judged : { kind: 'not', part: judged };
  if (value.kind !== 'text') throw new SearchError(`The field "${name}" has no order to compare by.`, value.position);
  if (isOf(field, 'text')) {
    const column = textColumns[field];
    return isAny ? { kind: 'filled', column } : textMatch([column], value);
  }
  if (value.distance > 0) throw new SearchError(`The field "${name}" is not searched fuzzily.`, value.position);
  const { text, isPrefix } = value;
  if (isOf(field, 'hash')) return hashMatch(field === 'hash' ? hashFields : [field], text, isPrefix);
  if (isOf(field, 'certificate') || isOf(field, 'signer')) {
    if (isAny) return range('signer_id');
    return field === 'cert' ? certificateMatch(value) : signerMatch(value);
  }
  if (isOf(field, 'likeness')) {
    const hashes = alike.get(likenessOf(value)) ?? [];
    return { kind: 'or', parts: hashes.map((hash) => ({ kind: 'hash', columns: ['sha256'], hash })) };
  }
  if (isOf(field, 'verdict')) return verdictMatch(text, isAny, value.position);
  if (isOf(field, 'damage')) return damageMatch(text, isAny, value.position);
  if (isOf(field, 'mark')) return isAny ? { kind: 'mark', field, ...anything } : markMatch(field, value);
  if (isOf(field, 'domain') || isOf(field, 'ip')) {
    if (isAny) return { kind: 'term', field, ...anything };
    return field === 'domain' ? domainMatch(value) : addressMatch(value);
  }
  if (isOf(field, 'name'))
    return isAny ? { kind: 'name', names: [`${field}:*`], isPrefix: false } : nameMatch(field, value);
  if (isOf(field, 'term')) return { kind: 'term', field, text: isAny ? '' : text, fit: 'part' };
  const named = isAny ? { name: '', isPrefix: true } : { name: text, isPrefix: value.isPrefix };
  return field === 'tag' || field === 'family' || field === 'case'
    ? { kind: field, ...named }
    : { kind: field, ...named, viewerId };
}

interface NamedMatch {
  /** The field's. */
  name: string;
  at: number;
  value: SearchValue;
  isNegated: boolean;
}

function meaningOf(tree: SearchTree, asked: Asked, isNegated = false): SearchExpression {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return { kind: tree.kind, parts: tree.parts.map((part) => meaningOf(part, asked, isNegated)) };
    case 'not':
      return { kind: 'not', part: meaningOf(tree.part, asked, !isNegated) };
    case 'match': {
      const { field: name, at, value } = tree;
      return name === null ? bareMatch(value) : fieldMatch({ name, at, value, isNegated }, asked);
    }
  }
}

const fieldNature: FieldNature = {
  isNumeric(name) {
    const field = offeredField(name);
    return field !== null && isOf(field, 'number');
  },
  hasBytes(name) {
    const field = offeredField(name);
    return field !== null && isOf(field, 'content');
  },
};

// Half a letter is stored and compared as the replacement character.
const treeOf = (text: string): SearchTree | null => parseSearch(text.toWellFormed(), fieldNature);

/**
 * Works out which APKs a search wants.
 * @param viewerId account whose private rulesets may be named; null: nobody's
 * @param known what the search names that is looked up elsewhere: `namedLikenesses` and `namedContents`
 * @returns null where the search is empty: all of them
 * @throws SearchError with the position of what is wrong
 */
export function planSearch(
  text: string,
  viewerId: number | null,
  { alike = new Map(), contents = null }: Partial<Pick<Asked, 'alike' | 'contents'>> = {},
): SearchExpression | null {
  const tree = treeOf(text);
  return tree === null ? null : meaningOf(tree, { viewerId, alike, contents });
}

/** The values of fields of a kind that a search names. */
function valuesOf(text: string, kind: SearchFieldKind): SearchValue[] {
  const tree = treeOf(text);
  const namedIn = (part: SearchTree): SearchValue[] => {
    if (part.kind === 'not') return namedIn(part.part);
    if (part.kind !== 'match') return part.parts.flatMap(namedIn);
    const field = part.field === null ? null : offeredField(part.field);
    return field !== null && isOf(field, kind) ? [part.value] : [];
  };
  return tree === null ? [] : namedIn(tree);
}

/** SHA-256 of the APKs that a search wants others to be like. @throws SearchError */
export const namedLikenesses = (text: string): string[] => [
  ...new Set(valuesOf(text, 'likeness').map((value) => likenessOf(value))),
];

/** What a search wants to stand in files, each once. @throws SearchError */
export function namedContents(text: string): ContentTerm[] {
  const values = valuesOf(text, 'content');
  const contents = [...new Map(values.map(readContent).map((content) => [contentKey(content), content])).values()];
  if (contents.length > maxContentTerms)
    throw new SearchError(`More than ${maxContentTerms} contents are too many.`, values[maxContentTerms]!.position);
  return contents;
}
