// Reads the pixels of WebP images, by libwebp. Knows nothing of what is drawn.
import { FormatError } from '../byte-reader.ts';
import type { Pixels } from '../pixels.ts';
import { WasmDecoder } from '../wasm-decoder.ts';

const decoder = new WasmDecoder<{
  WebPDecodeRGBA(data: number, length: number, width: number, height: number): number;
}>('@cwasm/webp/webp.wasm');

/**
 * The pixels of a WebP image that does not move.
 * @throws FormatError `bad-webp`
 * @see https://developers.google.com/speed/webp/docs/riff_container
 */
export function decodeWebp(bytes: Uint8Array): Pixels {
  try {
    const instance = decoder.open();
    const size = instance.functions.malloc(8);
    const pixels = instance.functions.WebPDecodeRGBA(instance.put(bytes), bytes.length, size, size + 4);
    const [width = 0, height = 0] = instance.words(size, 2);
    if (pixels !== 0) return { width, height, rgba: instance.bytes(pixels, width * height * 4) };
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
  }
  throw new FormatError('bad-webp', 0, 'the picture cannot be decoded');
}
