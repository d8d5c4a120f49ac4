// YARA's module `dex` in words that YARA-X understands, whose own module of that name is another. Knows tokens, no rules.
import { literalOf } from '../language/literals.ts';
import type { Token } from '../language/tokens.ts';
import type { ModuleArgument, ModuleCall } from '../modules/module-functions.ts';

/** The translation of an expression on `dex`: text for the engine, or a call that is answered for each file. */
export type DexTranslation = { next: number } & (
  | { text: string }
  | { call: ModuleCall; isUndefinedElsewhere: boolean }
  | { problem: string }
);

/** As YARA reads them: `dex\n`, and a version with the zero behind it as one number. */
const dexMagic = '0x0a786564';
const [firstVersion, lastVersion] = ['0x30333500', '0x30343100'];
const headerLength = 112;

/**
 * Undefined where there is no dex file, else 0. The engine's own module takes no file for one whose header says anything
 * unusual, or that is cut.
 * @param zero a global that is 0
 */
export function dexZero(zero: string): string {
  const version = `uint32be(${zero}+4)`;
  const isOther = `uint32(${zero})!=${dexMagic} or ${version}<${firstVersion} or ${version}>${lastVersion} or ${version}&255!=0`;
  return `0*uint8(${zero}+${headerLength - 1}+filesize*math.to_number(${isOther}))`;
}

/** Nested brackets that are followed; a few lead from table to table. */
const maxDepth = 8;

type Field = readonly [offset: number, read: 'uint16' | 'uint32'];
interface Table {
  /** Where the table begins and how many items it has, as expressions. */
  start: string;
  count: string;
  itemSize: number;
  fields: Readonly<Record<string, Field>>;
}

const at = (offset: number, zero: string): string => `uint32(${zero}+${offset})`;
const words = (names: string): Record<string, Field> =>
  Object.fromEntries(names.split(' ').map((name, index) => [name, [index * 4, 'uint32'] as const]));
const halves = (names: string): Record<string, Field> => {
  const [first, second, last] = names.split(' ');
  return { [first!]: [0, 'uint16'], [second!]: [2, 'uint16'], [last!]: [4, 'uint32'] };
};

/** By name, the offset of its size in the header, that of its offset behind it. @see https://source.android.com/docs/core/runtime/dex-format#header-item */
const tablesInHeader: Readonly<Record<string, { size: number; itemSize: number; fields: Record<string, Field> }>> = {
  string_ids: { size: 56, itemSize: 4, fields: words('offset') },
  type_ids: { size: 64, itemSize: 4, fields: words('descriptor_idx') },
  proto_ids: { size: 72, itemSize: 12, fields: words('shorty_idx return_type_idx parameters_offset') },
  field_ids: { size: 80, itemSize: 8, fields: halves('class_idx type_idx name_idx') },
  method_ids: { size: 88, itemSize: 8, fields: halves('class_idx proto_idx name_idx') },
  class_defs: {
    size: 96,
    itemSize: 32,
    fields: words(
      'class_idx access_flags super_class_idx interfaces_offset source_file_idx annotations_offset class_data_offset static_values_offset',
    ),
  },
};
const mapItemFields: Readonly<Record<string, Field>> = {
  type: [0, 'uint16'],
  unused: [2, 'uint16'],
  size: [4, 'uint32'],
  offset: [8, 'uint32'],
};
const mapOffset = 52;

/** Numbers of the header. */
export const headerOffsets: Readonly<Record<string, number>> = {
  checksum: 8,
  file_size: 32,
  header_size: 36,
  endian_tag: 40,
  link_size: 44,
  link_offset: 48,
  map_offset: mapOffset,
  ...Object.fromEntries(
    Object.entries(tablesInHeader).flatMap(([name, { size }]) => [
      [`${name}_size`, size],
      [`${name}_offset`, size + 4],
    ]),
  ),
  data_size: 104,
  data_offset: 108,
};

const constants: Readonly<Record<string, string>> = {
  ENDIAN_CONSTANT: '0x12345678',
  REVERSE_ENDIAN_CONSTANT: '0x78563412',
  NO_INDEX: '0xffffffff',
  ACC_VOLATILE: '0x40',
  ACC_TRANSIENT: '0x80',
  ...Object.fromEntries(
    ['035', '036', '037', '038', '039'].map((version) => [`DEX_FILE_MAGIC_${version}`, `"dex\\n${version}"`]),
  ),
};

/** The value of a constant of the module; undefined for any other word. */
export const dexConstant = (word: string): string | undefined => ownOf(constants, word);

/** What a record has under a name from a rule, which may be one that every object has, `constructor`. */
export const ownOf = <T>(record: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(record, word) ? record[word] : undefined;

const functions: ReadonlySet<string> = new Set(['has_method', 'has_class']);
const counts: ReadonlySet<string> = new Set(['number_of_methods', 'number_of_fields']);
const records: ReadonlySet<string> = new Set(['method', 'field']);

/**
 * Translates an expression that begins with `dex`; null where the engine reads it as YARA does.
 * @param zero a global that is 0, so that no search is bounded by what is read
 */
export function translateDex(tokens: readonly Token[], start: number, zero: string, depth = 0): DexTranslation | null {
  const wordAt = (index: number) => (tokens[index - 1]?.text === '.' ? (tokens[index]?.text ?? '') : '');
  const name = wordAt(start + 2);
  const next = start + 3;
  const tooDeep = { next, problem: 'the indexes of `dex` are too deep within each other' };
  if (depth > maxDepth) return tooDeep;
  const constant = dexConstant(name);
  if (constant !== undefined) return { next, text: constant };
  if (counts.has(name)) return { next, call: { path: `dex.${name}`, arguments: [] }, isUndefinedElsewhere: true };
  if (functions.has(name)) return functionAt(tokens, next, name);
  if (name === 'header') return headerField(tokens, start + 4, wordAt(start + 4), zero);
  if (name === 'map_list' && wordAt(start + 4) === 'size') {
    return { next: start + 5, text: `(${mapTable(zero).count}+${dexZero(zero)})` };
  }
  const isMap = name === 'map_list' && wordAt(start + 4) === 'map_item';
  const open = isMap ? start + 5 : next;
  const isRecord = records.has(name);
  if (!isMap && !isRecord && ownOf(tablesInHeader, name) === undefined) return null;
  const close = tokens[open]?.text === '[' ? closingBracket(tokens, open) : -1;
  if (close < 0)
    return isRecord || name === 'string_ids'
      ? {
          next: open,
          problem: `\`dex.${name}\` is asked by an index, or item by item in a loop that asks for nothing but strings besides`,
        }
      : null;
  const isCode = isRecord && wordAt(close + 2) === 'code_item' && wordAt(close + 4) !== '';
  const field = isCode ? `code_item.${wordAt(close + 4)}` : wordAt(close + 2);
  const end = close + (isCode ? 5 : 3);
  if (isRecord || (name === 'string_ids' && field === 'value')) {
    const index = close === open + 2 ? literalOf(tokens[open + 1]!) : null;
    if (index?.kind !== 'number')
      return {
        next: end,
        problem: `\`dex.${name}[…].${field}\` takes a number that is written out, or the variable of a loop that asks for nothing but strings besides`,
      };
    return { next: end, call: { path: `dex.${name}.${field}`, arguments: [index] }, isUndefinedElsewhere: true };
  }
  const index = indexText(tokens.slice(open + 1, close), zero, depth);
  if (index === null) return tooDeep;
  const table = isMap ? mapTable(zero) : tableOf(name, zero);
  if (name === 'string_ids' && field === 'size') return { next: end, text: stringSize(table, index, zero) };
  const place = ownOf(table.fields, field);
  return place === undefined ? null : { next: end, text: itemField(table, index, place, zero) };
}

function functionAt(tokens: readonly Token[], open: number, name: string): DexTranslation {
  if (tokens[open]?.text !== '(') return { next: open, problem: `\`dex.${name}\` is a function: it needs arguments` };
  const given: ModuleArgument[] = [];
  let next = open + 1;
  for (; tokens[next] !== undefined && tokens[next]!.text !== ')'; next++) {
    if (tokens[next]!.text === ',') continue;
    const argument = literalOf(tokens[next]!);
    if (argument === null) return { next: next + 1, problem: `\`dex.${name}\` takes what is written out` };
    given.push(argument);
  }
  return { next: next + 1, call: { path: `dex.${name}`, arguments: given }, isUndefinedElsewhere: true };
}

function headerField(tokens: readonly Token[], index: number, name: string, zero: string): DexTranslation | null {
  const offset = ownOf(headerOffsets, name);
  if (offset !== undefined) return { next: index + 1, text: `(${at(offset, zero)}+${dexZero(zero)})` };
  // A text in YARA and a number in YARA-X: rules that compare it with a number mean that of YARA-X.
  const comparand = /^[=!]$/.test(tokens[index + 1]?.text ?? '') ? tokens[index + 3] : tokens[index + 2];
  const isText = comparand?.kind === 'text' || comparand?.kind === 'regexp' || comparand?.text === 'dex';
  if (name !== 'magic' || !isText) return null;
  return { next: index + 1, call: { path: 'dex.header.magic', arguments: [] }, isUndefinedElsewhere: false };
}

function closingBracket(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let index = open; index < tokens.length; index++) {
    const { text } = tokens[index]!;
    if (text === '[') depth += 1;
    else if (text === ']' && --depth === 0) return index;
    else if (text === '}') return -1;
  }
  return -1;
}

/** An index as the engine reads it; null where it holds something that is no number, or too many others. */
function indexText(tokens: readonly Token[], zero: string, depth: number): string | null {
  let text = '';
  for (let index = 0; index < tokens.length; ) {
    const { text: word } = tokens[index]!;
    const inner =
      word === 'dex' && tokens[index + 1]?.text === '.' ? translateDex(tokens, index, zero, depth + 1) : null;
    if (inner !== null && !('text' in inner)) return null;
    text += ` ${inner?.text ?? word}`;
    index = inner?.next ?? index + 1;
    // Each link of a chain of indexes repeats the ones before it several times.
    if (text.length > 4_000) return null;
  }
  return text.trim();
}

function tableOf(name: string, zero: string): Table {
  const { size, itemSize, fields } = tablesInHeader[name]!;
  return { start: at(size + 4, zero), count: at(size, zero), itemSize, fields };
}

function mapTable(zero: string): Table {
  const start = at(mapOffset, zero);
  return { start: `4+${start}`, count: `uint32(${zero}+${start})`, itemSize: 12, fields: mapItemFields };
}

/** Undefined for an index outside of the table, where nothing can be read behind the end of the file. */
const insideTable = ({ count }: Table, index: string): string =>
  `0*uint8(filesize*math.to_number((${index})<0 or (${index})>=${count}))`;

function itemField(table: Table, index: string, [offset, read]: Field, zero: string): string {
  const place = `${zero}+${table.start}+${table.itemSize}*(${index})+${offset}`;
  return `(${read}(${place})+${dexZero(zero)}+${insideTable(table, index)})`;
}

/** A string's length stands before it, seven bits a byte: https://source.android.com/docs/core/runtime/dex-format#leb128 */
function stringSize(table: Table, index: string, zero: string): string {
  const place = `${zero}+uint32(${zero}+${table.start}+4*(${index}))`;
  const byte = (number: number) => `uint8(${place}+${number})`;
  const goesOn = (number: number) => `(${byte(number)}>>7)`;
  const bits = (number: number) => `((${byte(number)}&127)<<${7 * number})`;
  const length = `${bits(0)}+${goesOn(0)}*${bits(1)}+${goesOn(0)}*${goesOn(1)}*${bits(2)}`;
  return `(${length}+${dexZero(zero)}+${insideTable(table, index)})`;
}
