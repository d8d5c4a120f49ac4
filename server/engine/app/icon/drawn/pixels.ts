// The pixels of raster images, whose dimensions are known to be small before they are unpacked. Knows no icon.
import { FormatError } from '../../../formats/byte-reader.ts';
import { decodeGif } from '../../../formats/gif/gif.ts';
import { decodeJpeg } from '../../../formats/jpeg/jpeg.ts';
import type { Pixels } from '../../../formats/pixels.ts';
import { decodePng } from '../../../formats/png/png.ts';
import { decodeWebp } from '../../../formats/webp/webp.ts';
import { type RasterImage, recogniseImage } from '../raster-image.ts';

/** An icon has at most 512 × 512 of them, a banner somewhat more. */
const maxPixels = 1024 * 1024;

const decoders: Record<RasterImage['mediaType'], (bytes: Uint8Array, maxPixels: number) => Pixels> = {
  'image/png': decodePng,
  'image/jpeg': decodeJpeg,
  'image/webp': decodeWebp,
  'image/gif': decodeGif,
};

/** Null where there is no picture that is read. */
export function pixelsOf(bytes: Uint8Array): Pixels | null {
  const image = recogniseImage(bytes);
  if (image === null || image.width * image.height > maxPixels) return null;
  try {
    return decoders[image.mediaType](bytes, maxPixels);
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}
