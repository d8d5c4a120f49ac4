// Reads the pixels of GIF images. Knows nothing of what is drawn.
import { FormatError } from '../byte-reader.ts';
import type { Pixels } from '../pixels.ts';
import { unpackedLzw } from './lzw.ts';

const headerLength = 13;
const frameLength = 9;
const blocks = { extension: 0x21, frame: 0x2c } as const;
const graphicControl = 0xf9;
/** Rows in which an interlaced picture comes. */
const interlacedRows = [
  { from: 0, step: 8 },
  { from: 4, step: 8 },
  { from: 2, step: 4 },
  { from: 1, step: 2 },
];
const allRows = [{ from: 0, step: 1 }];

interface Palette {
  at: number;
  colors: number;
}

/** How many colours a table has by its flags, none where there is none. */
const colorsBy = (flags: number): number => (flags & 0x80 ? 2 << (flags & 7) : 0);

/** The bytes of blocks that each begin with their length, up to an empty one, and where that ends. */
function joinedBlocks(bytes: Uint8Array, from: number): { data: Buffer; end: number } {
  const parts: Uint8Array[] = [];
  let at = from;
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
    parts.push(bytes.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { data: Buffer.concat(parts), end: at + 1 };
}

/**
 * The pixels of the first picture of a GIF, what it leaves open transparent.
 * @param maxPixels of an image of more nothing is unpacked
 * @throws FormatError `bad-gif`
 * @see https://www.w3.org/Graphics/GIF/spec-gif89a.txt
 */
export function decodeGif(bytes: Uint8Array, maxPixels: number): Pixels {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headerLength) throw new FormatError('bad-gif', 0, 'the header is cut off');
  const screen = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (screen.width * screen.height > maxPixels) throw new FormatError('bad-gif', 0, 'there are too many pixels');
  const shared = { at: headerLength, colors: colorsBy(bytes[10]!) };
  let at = headerLength + shared.colors * 3;
  let clear = -1;
  while (bytes[at] === blocks.extension) {
    const { data, end } = joinedBlocks(bytes, at + 2);
    if (bytes[at + 1] === graphicControl && data.length >= 4 && data[0]! & 1) clear = data[3]!;
    at = end;
  }
  if (bytes[at] !== blocks.frame || at + 1 + frameLength >= bytes.length)
    throw new FormatError('bad-gif', at, 'there is no picture');
  return frameAt(view, bytes, at + 1, { screen, shared, clear });
}

interface Surroundings {
  screen: { width: number; height: number };
  shared: Palette;
  /** The index that is transparent, or -1. */
  clear: number;
}

function frameAt(view: DataView, bytes: Uint8Array, at: number, { screen, shared, clear }: Surroundings): Pixels {
  const [left = 0, top = 0, width = 0, height = 0] = [0, 2, 4, 6].map((field) => view.getUint16(at + field, true));
  if (left + width > screen.width || top + height > screen.height)
    throw new FormatError('bad-gif', at, 'the picture is larger than the screen');
  const flags = bytes[at + 8]!;
  const own = { at: at + frameLength, colors: colorsBy(flags) };
  const palette = own.colors > 0 ? own : shared;
  const start = own.at + own.colors * 3;
  const indexes = unpackedLzw(bytes[start] ?? 0, joinedBlocks(bytes, start + 1).data, width * height);
  const rgba = new Uint8Array(screen.width * screen.height * 4);
  let read = 0;
  for (const { from, step } of flags & 0x40 ? interlacedRows : allRows)
    for (let row = from; row < height; row += step)
      for (let column = 0; column < width && read < indexes.length; column++) {
        const index = indexes[read++]!;
        if (index === clear || index >= palette.colors) continue;
        const color = bytes.subarray(palette.at + index * 3, palette.at + index * 3 + 3);
        const place = ((top + row) * screen.width + left + column) * 4;
        rgba.set(color, place);
        rgba[place + 3] = 255;
      }
  return { ...screen, rgba };
}
