// Damages numbers where a format has them: counts, sizes and offsets become those that checks get wrong. Knows no format.
import { pickOf, type Random } from './random.ts';

/** A little-endian number of a sample. */
export interface Field {
  offset: number;
  width: 1 | 2 | 4 | 8;
}

/** Several lies at once pass checks that one alone does not. */
const maxLies = 3;

/**
 * What a field may be made to say: the ends of its range, a step away from the truth, the file's own size, half of it,
 * and the places and numbers of other fields, so that structures overlap.
 */
export function liesOf(sample: Uint8Array, field: Field, others: readonly Field[]): number[] {
  const most = 2 ** (Math.min(field.width, 4) * 8) - 1;
  const truth = numberAt(sample, field);
  const lies = [
    ...[0, 1, 2, 3, most, most - 1, most >>> 1, (most >>> 1) + 1],
    ...[truth - 1, truth + 1, truth - 4, truth + 4, truth * 2, truth * 16, truth >>> 1],
    ...[sample.length - 1, sample.length, sample.length + 1, sample.length >>> 1],
    ...others.flatMap((other) => [other.offset, numberAt(sample, other)]),
  ];
  return [...new Set(lies)].filter((lie) => lie >= 0 && lie <= most && lie !== truth);
}

/** A copy of the sample in which one to three of the fields lie. */
export function mutateFields(sample: Uint8Array, random: Random, fields: readonly Field[]): Buffer {
  const bytes = Buffer.from(sample);
  const pick = (): Field => pickOf(fields, random);
  for (let left = 1 + random(maxLies); left > 0; left--) {
    const field = pick();
    const lies = liesOf(sample, field, [pick(), pick(), pick()]);
    writeNumber(bytes, field, pickOf(lies, random));
  }
  return bytes;
}

function writeNumber(bytes: Buffer, { offset, width }: Field, number: number): void {
  const low = Math.min(width, 4);
  bytes.writeUIntLE(number, offset, low);
  if (width > low) bytes.fill(number === 2 ** 32 - 1 ? 0xff : 0, offset + low, offset + width);
}

function numberAt(bytes: Uint8Array, { offset, width }: Field): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUIntLE(offset, Math.min(width, 4));
}
