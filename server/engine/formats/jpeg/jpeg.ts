// Reads the pixels of JPEG images, by libjpeg-turbo. Knows nothing of what is drawn.
import { FormatError } from '../byte-reader.ts';
import type { Pixels } from '../pixels.ts';
import { WasmDecoder } from '../wasm-decoder.ts';

const decoder = new WasmDecoder<{
  tjInitDecompress(): number;
  tjDecompressHeader3(
    ...words: [handle: number, data: number, length: number, width: number, height: number, sub: number, color: number]
  ): number;
  tjDecompress2(
    ...words: [
      ...[handle: number, data: number, length: number, pixels: number],
      ...[width: number, pitch: number, height: number, format: number, flags: number],
    ]
  ): number;
}>('@cwasm/jpeg-turbo/jpeg-turbo.wasm');

const rgbaFormat = 7;
/** Encoders write some ten. Each goes over the whole picture, and may take no more than a few bytes of the file. */
const maxScans = 50;

function scansIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) if (bytes[at + 1] === 0xda) count++;
  return count;
}

/**
 * The pixels of a JPEG image.
 * @param maxPixels of an image of more nothing is unpacked
 * @throws FormatError `bad-jpeg`
 */
export function decodeJpeg(bytes: Uint8Array, maxPixels: number): Pixels {
  if (scansIn(bytes) > maxScans) throw new FormatError('bad-jpeg', 0, 'there are too many scans');
  try {
    const instance = decoder.open();
    const { malloc, tjInitDecompress, tjDecompressHeader3, tjDecompress2 } = instance.functions;
    const [data, handle, header] = [instance.put(bytes), tjInitDecompress(), malloc(16)];
    const places = [header, header + 4, header + 8, header + 12] as const;
    const isRead = handle !== 0 && tjDecompressHeader3(handle, data, bytes.length, ...places) === 0;
    const [width = 0, height = 0] = instance.words(header, 2);
    if (isRead && width * height <= maxPixels) {
      const pixels = malloc(width * height * 4);
      if (tjDecompress2(handle, data, bytes.length, pixels, width, width * 4, height, rgbaFormat, 0) === 0)
        return { width, height, rgba: instance.bytes(pixels, width * height * 4) };
    }
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
  }
  throw new FormatError('bad-jpeg', 0, 'the picture cannot be decoded');
}
