// The pixels of raster images, whose dimensions are known to be small before they are unpacked. Knows no icon.
import { FormatError } from '../../../formats/byte-reader.ts';
import { decodePng, type Pixels } from '../../../formats/png/png.ts';
import { recogniseImage } from '../raster-image.ts';

/** An icon has at most 512 × 512 of them, a banner somewhat more. */
const maxPixels = 1024 * 1024;

/** Null where there is no picture that is read. */
export function pixelsOf(bytes: Uint8Array): Pixels | null {
  const image = recogniseImage(bytes);
  if (image === null || image.width * image.height > maxPixels) return null;
  try {
    return image.mediaType === 'image/png' ? decodePng(bytes, maxPixels) : null;
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}
