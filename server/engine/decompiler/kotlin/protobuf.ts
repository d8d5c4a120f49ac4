// Fields of protobuf messages, as they stand in the bytes. Knows no message.
//
// https://protobuf.dev/programming-guides/encoding/

/** A number, or the bytes of a text, message or packed list. */
type FieldValue = number | Uint8Array;

/** Fields of one message: Kotlin writes some hundred for the largest classes. */
const maxFields = 20_000;

/** Something in the bytes is not as the encoding has it. */
export class BadMessage extends Error {}

export class Message {
  readonly #fields = new Map<number, FieldValue[]>();

  /** @throws BadMessage */
  constructor(bytes: Uint8Array) {
    const cursor = { bytes, at: 0 };
    for (let left = maxFields; cursor.at < bytes.length; left--) {
      if (left === 0) throw new BadMessage('too many fields');
      const key = varint(cursor);
      const value = fieldValue(cursor, key & 7);
      const known = this.#fields.get(key >>> 3);
      if (known === undefined) this.#fields.set(key >>> 3, [value]);
      else known.push(value);
    }
  }

  /** The last one of a number; null for none. */
  number(field: number): number | null {
    const value = this.#fields.get(field)?.at(-1);
    return typeof value === 'number' ? value : null;
  }

  /** All numbers of a list, packed or not. */
  numbers(field: number): number[] {
    return (this.#fields.get(field) ?? []).flatMap((value) => (typeof value === 'number' ? [value] : packed(value)));
  }

  text(field: number): string | null {
    const value = this.#fields.get(field)?.at(-1);
    return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : null;
  }

  message(field: number): Message | null {
    return this.messages(field).at(-1) ?? null;
  }

  messages(field: number): Message[] {
    return (this.#fields.get(field) ?? []).flatMap((value) => (typeof value === 'number' ? [] : [new Message(value)]));
  }
}

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** The lowest 32 bits; what stands above them no message of Kotlin's has. @throws BadMessage */
function varint(cursor: Cursor): number {
  let value = 0;
  for (let shift = 0; shift < 70; shift += 7) {
    const byte = cursor.bytes[cursor.at];
    if (byte === undefined) throw new BadMessage('cut off');
    cursor.at++;
    if (shift < 32) value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value >>> 0;
  }
  throw new BadMessage('a number that does not end');
}

function fieldValue(cursor: Cursor, wire: number): FieldValue {
  if (wire === 0) return varint(cursor);
  const length = wire === 2 ? varint(cursor) : wire === 1 ? 8 : wire === 5 ? 4 : -1;
  const end = cursor.at + length;
  if (length < 0 || end > cursor.bytes.length) throw new BadMessage('cut off');
  const value = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  return value;
}

function packed(bytes: Uint8Array): number[] {
  const cursor = { bytes, at: 0 };
  const numbers: number[] = [];
  while (cursor.at < bytes.length) numbers.push(varint(cursor));
  return numbers;
}

/** A message that stands behind its length, and what stands behind it. @throws BadMessage */
export function delimited(bytes: Uint8Array): { message: Message; rest: Uint8Array } {
  const cursor = { bytes, at: 0 };
  const end = varint(cursor) + cursor.at;
  if (end > bytes.length) throw new BadMessage('cut off');
  return { message: new Message(bytes.subarray(cursor.at, end)), rest: bytes.subarray(end) };
}
