// What Android's verifier refuses the tables of a dex file for: indexes past the end of the table that they point into,
// offsets where no item begins, rows that are not sorted. Knows no class and no code.
import type { Dex } from './dex.ts';
import { itemKinds, type KnownItems } from './item-kinds.ts';
import { LebCursor } from './leb128.ts';

/** Strings have their bytes to themselves, and each is compared with two others; dex files of a container share them. */
const maxOverlap = 2;
/** A call takes 255 registers at most. */
const maxParameters = 255;

type Table = 'strings' | 'types' | 'prototypes' | 'fields' | 'methods';

/**
 * Reports each table with a bad index or a wrong order once, by the first item that has it.
 * https://source.android.com/docs/core/runtime/dex-format#file-layout
 */
export function checkTables(dex: Dex, items: KnownItems): void {
  checkStrings(dex, items);
  checkTypes(dex);
  checkPrototypes(dex, items);
  checkMembers(dex, 'fields', dex.fieldIds, dex.fieldCount, dex.typeCount);
  checkMembers(dex, 'methods', dex.methodIds, dex.methodCount, dex.protoCount);
}

function checkStrings(dex: Dex, items: KnownItems): void {
  const { stringOffsets, bytes } = dex;
  const cursor = new LebCursor(bytes, 0);
  let lettersLeft = (bytes.length * maxOverlap) / dex.containerParts;
  let last = 0;
  for (let index = 0; index < stringOffsets.length; index++) {
    const offset = stringOffsets[index]!;
    // Strings outside the file have a finding of their own.
    if (offset >= bytes.length) return;
    if (!items.isAt(itemKinds.string, offset)) {
      reportItem(dex, 'strings', index);
      return;
    }
    cursor.offset = offset;
    cursor.uleb();
    const next = cursor.offset;
    const common = commonLength(bytes, last, next, lettersLeft);
    lettersLeft -= common;
    if (lettersLeft <= 0) return;
    if (index > 0 && rankOf(bytes, last + common) >= rankOf(bytes, next + common)) {
      reportOrder(dex, 'strings', index);
      return;
    }
    last = next;
  }
}

/** How many letters two strings begin with that are the same. */
function commonLength(bytes: Uint8Array, one: number, other: number, limit: number): number {
  let common = 0;
  while (common < limit && bytes[one + common] === bytes[other + common] && bytes[other + common]) common++;
  return common;
}

/** Bytes of modified UTF-8 are sorted as the letters they stand for, but for the two of U+0000, which follow the end. */
function rankOf(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  return byte === 0xc0 ? 0.5 : byte;
}

function checkTypes(dex: Dex): void {
  const { typeIds, stringCount } = dex;
  const bad = typeIds.findIndex((string) => string >= stringCount);
  if (bad >= 0) reportIndex(dex, 'types', bad);
  const unsorted = typeIds.findIndex((string, index) => index > 0 && string <= typeIds[index - 1]!);
  if (unsorted >= 0) reportOrder(dex, 'types', unsorted);
}

function checkPrototypes(dex: Dex, items: KnownItems): void {
  const { protoIds, protoCount, stringCount, typeCount } = dex;
  for (let index = 0; index < protoCount; index++) {
    const parameters = protoIds[index * 3 + 2]!;
    if (protoIds[index * 3]! >= stringCount || protoIds[index * 3 + 1]! >= typeCount) {
      reportIndex(dex, 'prototypes', index);
      return;
    }
    if (parameters !== 0 && !items.isAt(itemKinds.typeList, parameters)) {
      reportItem(dex, 'prototypes', index);
      return;
    }
    if (index > 0 && !isSorted(dex, index)) {
      reportOrder(dex, 'prototypes', index);
      return;
    }
  }
}

/** Whether a prototype belongs behind the one before it: by its result, then by its parameters. */
function isSorted(dex: Dex, index: number): boolean {
  const { protoIds, view, bytes } = dex;
  const result = protoIds[index * 3 + 1]! - protoIds[index * 3 - 2]!;
  if (result !== 0) return result > 0;
  const first = protoIds[index * 3 - 1]!;
  const second = protoIds[index * 3 + 2]!;
  const firstCount = lengthAt(dex, first);
  const secondCount = lengthAt(dex, second);
  const room = (bytes.length - Math.max(first, second) - 4) >> 1;
  const common = Math.min(firstCount, secondCount, room, maxParameters);
  for (let at = 4; at < 4 + common * 2; at += 2) {
    const difference = view.getUint16(second + at, true) - view.getUint16(first + at, true);
    if (difference !== 0) return difference > 0;
  }
  return secondCount > firstCount;
}

function lengthAt({ view, bytes }: Dex, list: number): number {
  return list === 0 || list + 4 > bytes.length ? 0 : view.getUint32(list, true);
}

/**
 * @param ids per member four units: class, type or prototype, name (low, high)
 * @param kindCount how many types or prototypes there are
 */
function checkMembers(dex: Dex, table: Table, ids: Uint16Array, count: number, kindCount: number): void {
  const { typeCount, stringCount } = dex;
  const isBad = (at: number) => ids[at]! >= typeCount || ids[at + 1]! >= kindCount || nameAt(ids, at) >= stringCount;
  let bad = -1;
  let unsorted = -1;
  for (let index = 0; index < count; index++) {
    if (bad < 0 && isBad(index * 4)) bad = index;
    if (unsorted < 0 && index > 0 && difference(ids, (index - 1) * 4, index * 4) >= 0) unsorted = index;
  }
  if (bad >= 0) reportIndex(dex, table, bad);
  if (unsorted >= 0) reportOrder(dex, table, unsorted);
}

const nameAt = (ids: Uint16Array, at: number): number => ids[at + 2]! + ids[at + 3]! * 0x10000;

/** Below 0 where a member stands before another one in the order of classes, names, types. */
const difference = (ids: Uint16Array, one: number, other: number): number =>
  ids[one]! - ids[other]! || nameAt(ids, one) - nameAt(ids, other) || ids[one + 1]! - ids[other + 1]!;

function reportIndex({ findings, where }: Dex, table: Table, index: number): void {
  findings.add('dex-index', where, `${table}: number ${index} points past the end of another table`);
}

function reportItem({ findings, where }: Dex, table: Table, index: number): void {
  findings.add('dex-item', where, `${table}: number ${index} refers to where no item begins`);
}

function reportOrder({ findings, where }: Dex, table: Table, index: number): void {
  findings.add('dex-order', where, `${table}: number ${index} belongs before the one before it`);
}
