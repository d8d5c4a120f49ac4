// What Android's verifier refuses constants and annotations of a dex file for. Builds no values.
//
// https://source.android.com/docs/core/runtime/dex-format#encoding
import type { Dex } from './dex.ts';
import { maxDepth } from './encoded-value.ts';
import type { LebCursor } from './leb128.ts';

const lastVisibility = 2;

const types = {
  byte: 0x00,
  short: 0x02,
  char: 0x03,
  int: 0x04,
  long: 0x06,
  float: 0x10,
  double: 0x11,
  prototype: 0x15,
  methodHandle: 0x16,
  string: 0x17,
  type: 0x18,
  field: 0x19,
  method: 0x1a,
  enum: 0x1b,
  array: 0x1c,
  annotation: 0x1d,
  null: 0x1e,
  boolean: 0x1f,
} as const;
/** Per type how many bytes of a number or an index may follow, 0 for none or something else. */
const maxSizes = new Uint8Array(32);
for (const [type, size] of [
  [types.byte, 1],
  [types.short, 2],
  [types.char, 2],
  [types.int, 4],
  [types.long, 8],
  [types.float, 4],
  [types.double, 8],
] as const) {
  maxSizes[type] = size;
}
maxSizes.fill(4, types.prototype, types.array);

/** What is wrong with the annotation item at the cursor, as the end of a sentence; null for nothing. */
export function annotationFault(cursor: LebCursor, dex: Dex): string | null {
  const visibility = cursor.u8();
  return visibility > lastVisibility ? `has visibility ${visibility}` : elementsFault(cursor, dex, 0);
}

/** The same of the encoded array at the cursor. */
export function arrayFault(cursor: LebCursor, dex: Dex): string | null {
  return valuesFault(cursor, dex, 0);
}

function elementsFault(cursor: LebCursor, dex: Dex, depth: number): string | null {
  const type = cursor.uleb();
  if (type >= dex.typeCount) return `is of type ${type} of ${dex.typeCount}`;
  let last = -1;
  for (let left = cursor.uleb(); left > 0 && !cursor.isPastEnd; left--) {
    const name = cursor.uleb();
    if (name >= dex.stringCount) return `has an element named by string ${name} of ${dex.stringCount}`;
    if (name <= last) return 'has elements out of order';
    last = name;
    const fault = valueFault(cursor, dex, depth);
    if (fault !== null) return fault;
  }
  return null;
}

function valuesFault(cursor: LebCursor, dex: Dex, depth: number): string | null {
  for (let left = cursor.uleb(); left > 0 && !cursor.isPastEnd; left--) {
    const fault = valueFault(cursor, dex, depth);
    if (fault !== null) return fault;
  }
  return null;
}

function valueFault(cursor: LebCursor, dex: Dex, depth: number): string | null {
  if (depth > maxDepth) return `is nested more than ${maxDepth} deep`;
  const head = cursor.u8();
  const type = head & 0x1f;
  const argument = head >> 5;
  const maxSize = maxSizes[type]!;
  if (maxSize > 0) return argument < maxSize ? numberFault(cursor, dex, type, argument + 1) : oddValue(head);
  if (type === types.boolean) return argument <= 1 ? null : oddValue(head);
  if (argument !== 0) return oddValue(head);
  if (type === types.array) return valuesFault(cursor, dex, depth + 1);
  if (type === types.annotation) return elementsFault(cursor, dex, depth + 1);
  return type === types.null ? null : oddValue(head);
}

const oddValue = (head: number): string =>
  `has a value of type 0x${(head & 0x1f).toString(16)} and argument ${head >> 5}`;

function numberFault(cursor: LebCursor, dex: Dex, type: number, size: number): string | null {
  if (type < types.prototype) {
    cursor.offset += size;
    return null;
  }
  let index = 0;
  for (let byte = 0; byte < size; byte++) index |= cursor.u8() << (8 * byte);
  const count = targetCount(dex, type);
  return index >>> 0 < count ? null : `has a value that refers to number ${index >>> 0} of ${count}`;
}

/** How many items the table has that values of a type point into. */
function targetCount(dex: Dex, type: number): number {
  switch (type) {
    case types.prototype:
      return dex.protoCount;
    case types.methodHandle:
      return dex.map.methodHandles?.count ?? 0;
    case types.string:
      return dex.stringCount;
    case types.type:
      return dex.typeCount;
    case types.method:
      return dex.methodCount;
    default:
      return dex.fieldCount;
  }
}
