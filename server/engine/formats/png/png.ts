// Reads the pixels of PNG images. Knows nothing of what is drawn.
import { constants, inflateSync } from 'node:zlib';
import { FormatError } from '../byte-reader.ts';
import type { Pixels } from '../pixels.ts';

interface Header {
  width: number;
  height: number;
  depth: number;
  colorType: number;
  isInterlaced: boolean;
}

const signatureLength = 8;
const chunkFrame = 12;
/** Samples of a pixel by colour type: grey, -, colours, index, grey and opacity, -, colours and opacity. */
const channelCounts = [1, 0, 3, 1, 2, 0, 4];
const indexed = 3;
const passes = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
];
const wholeImage = [{ x: 0, y: 0, stepX: 1, stepY: 1 }];

/**
 * The pixels of a PNG image, what is cut off at its end transparent. Checksums are not compared.
 * @param maxPixels of an image of more nothing is unpacked
 * @throws FormatError `bad-png`
 * @see https://www.w3.org/TR/png-3/
 */
export function decodePng(bytes: Uint8Array, maxPixels: number): Pixels {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let header: Header | null = null;
  let palette: Uint8Array = new Uint8Array();
  let transparency: Uint8Array = new Uint8Array();
  for (let at = signatureLength; at + chunkFrame <= bytes.length; ) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const content = bytes.subarray(at + 8, Math.min(at + 8 + length, bytes.length));
    if (name === 'IHDR') header ??= headerOf(content, maxPixels);
    else if (name === 'PLTE') palette = content;
    else if (name === 'tRNS') transparency = content;
    else if (name === 'IDAT') parts.push(content);
    else if (name === 'IEND') break;
    at += chunkFrame + length;
  }
  if (header === null) throw new FormatError('bad-png', 0, 'there is no header');
  return pixelsOf(header, unpacked(header, parts), palette, transparency);
}

function headerOf(content: Uint8Array, maxPixels: number): Header {
  if (content.length < 13) throw new FormatError('bad-png', 0, 'the header is cut off');
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const [width, height, depth, colorType] = [view.getUint32(0), view.getUint32(4), content[8]!, content[9]!];
  const isKnown = [1, 2, 4, 8, 16].includes(depth) && (channelCounts[colorType] ?? 0) > 0;
  if (!isKnown || width === 0 || height === 0) throw new FormatError('bad-png', 0, 'the header makes no sense');
  if (width * height > maxPixels) throw new FormatError('bad-png', 0, `${width} × ${height} pixels are too many`);
  return { width, height, depth, colorType, isInterlaced: content[12] === 1 };
}

const bitsOf = ({ depth, colorType }: Header): number => depth * channelCounts[colorType]!;
const passSize = (whole: number, from: number, step: number): number => Math.ceil((whole - from) / step);
const passesOf = ({ isInterlaced }: Header) => (isInterlaced ? passes : wholeImage);

/** As many bytes as the image takes, zeros where its data ends before. */
function unpacked(header: Header, parts: readonly Uint8Array[]): Uint8Array {
  const size = passesOf(header).reduce((sum, { x, y, stepX, stepY }) => {
    const [columns, rows] = [passSize(header.width, x, stepX), passSize(header.height, y, stepY)];
    return columns <= 0 || rows <= 0 ? sum : sum + rows * (1 + Math.ceil((columns * bitsOf(header)) / 8));
  }, 0);
  const raw = new Uint8Array(size);
  try {
    // What is left of a stream that is cut off counts; one that goes on after the image ends does too.
    const data = inflateSync(Buffer.concat(parts), {
      maxOutputLength: size + 65_536,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    raw.set(data.subarray(0, size));
  } catch {
    throw new FormatError('bad-png', 0, 'the pixels do not unpack');
  }
  return raw;
}

function pixelsOf(header: Header, raw: Uint8Array, palette: Uint8Array, transparency: Uint8Array): Pixels {
  const { width, height } = header;
  const rgba = new Uint8Array(width * height * 4);
  const colorOf = new SampleReader(header, palette, transparency);
  const pixelBytes = Math.max(1, bitsOf(header) >>> 3);
  let at = 0;
  for (const { x, y, stepX, stepY } of passesOf(header)) {
    const [columns, rows] = [passSize(width, x, stepX), passSize(height, y, stepY)];
    if (columns <= 0 || rows <= 0) continue;
    const length = Math.ceil((columns * bitsOf(header)) / 8);
    let above = new Uint8Array(length);
    for (let row = 0; row < rows; row++) {
      const line = raw.subarray(at + 1, at + 1 + length);
      unfilter(raw[at]!, line, above, pixelBytes);
      for (let column = 0; column < columns; column++)
        colorOf.write(line, column, rgba, ((y + row * stepY) * width + x + column * stepX) * 4);
      above = line as Uint8Array<ArrayBuffer>;
      at += 1 + length;
    }
  }
  return { width, height, rgba };
}

/** @see https://www.w3.org/TR/png-3/#9Filters */
function unfilter(kind: number, line: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  if (kind < 1 || kind > 4) return;
  for (let at = 0; at < line.length; at++) {
    const left = at >= pixelBytes ? line[at - pixelBytes]! : 0;
    const corner = at >= pixelBytes ? above[at - pixelBytes]! : 0;
    const up = above[at]!;
    if (kind === 1) line[at]! += left;
    else if (kind === 2) line[at]! += up;
    else if (kind === 3) line[at]! += (left + up) >>> 1;
    else line[at]! += paeth(left, up, corner);
  }
}

function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** What the samples of a line say of a pixel. */
class SampleReader {
  readonly #header: Header;
  readonly #palette: Uint8Array;
  readonly #transparency: Uint8Array;
  /** The colour that is transparent, where there is one. */
  readonly #clear: readonly number[];

  constructor(header: Header, palette: Uint8Array, transparency: Uint8Array) {
    this.#header = header;
    this.#palette = palette;
    this.#transparency = transparency;
    const has = (channel: number) => channel * 2 + 1 < transparency.length;
    this.#clear = [0, 1, 2].filter(has).map((at) => (transparency[at * 2]! << 8) | transparency[at * 2 + 1]!);
  }

  #sample(line: Uint8Array, place: number): number {
    const { depth } = this.#header;
    if (depth === 8) return line[place]!;
    if (depth === 16) return (line[place * 2]! << 8) | line[place * 2 + 1]!;
    const bit = place * depth;
    return (line[bit >>> 3]! >>> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
  }

  write(line: Uint8Array, column: number, rgba: Uint8Array, at: number): void {
    const { depth, colorType } = this.#header;
    const channels = channelCounts[colorType]!;
    const first = this.#sample(line, column * channels);
    if (colorType === indexed) {
      rgba.set(this.#palette.subarray(first * 3, first * 3 + 3), at);
      rgba[at + 3] = this.#transparency[first] ?? 255;
      return;
    }
    const most = 2 ** depth - 1;
    const isColored = channels > 2;
    const green = isColored ? this.#sample(line, column * channels + 1) : first;
    const blue = isColored ? this.#sample(line, column * channels + 2) : first;
    rgba[at] = (first * 255) / most;
    rgba[at + 1] = (green * 255) / most;
    rgba[at + 2] = (blue * 255) / most;
    if (channels % 2 === 0) rgba[at + 3] = (this.#sample(line, (column + 1) * channels - 1) * 255) / most;
    else rgba[at + 3] = this.#isClear(first, green, blue) ? 0 : 255;
  }

  #isClear(red: number, green: number, blue: number): boolean {
    const [clearRed, clearGreen = clearRed, clearBlue = clearRed] = this.#clear;
    return clearRed === red && clearGreen === green && clearBlue === blue;
  }
}
