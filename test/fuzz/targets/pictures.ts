// Fuzz target: the pixels of WebP, JPEG and GIF images.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recogniseImage } from '../../../server/engine/app/icon/raster-image.ts';
import { decodeGif } from '../../../server/engine/formats/gif/gif.ts';
import { decodeJpeg } from '../../../server/engine/formats/jpeg/jpeg.ts';
import { decodeWebp } from '../../../server/engine/formats/webp/webp.ts';
import { type FuzzTarget, hold } from '../target.ts';

const maxPixels = 96 * 96;
const golden = join(import.meta.dirname, '../../golden/icons');
const names = ['lossy.webp', 'lossless.webp', 'moving.webp', 'progressive.jpg', 'grey.jpg', 'interlaced.gif'];
const decoders = { 'image/webp': decodeWebp, 'image/jpeg': decodeJpeg, 'image/gif': decodeGif, 'image/png': null };

export const target: FuzzTarget = {
  subject: ['engine/formats/webp/', 'engine/formats/jpeg/', 'engine/formats/gif/'],
  samples: () => names.map((name) => readFileSync(join(golden, name))),
  run(bytes) {
    const image = recogniseImage(bytes);
    if (image === null || image.width * image.height > maxPixels) return null;
    const pixels = decoders[image.mediaType]?.(bytes, maxPixels);
    if (pixels === undefined) return null;
    const { width, height, rgba } = pixels;
    hold(rgba.length === width * height * 4 && width * height <= maxPixels, 'as many pixels as it says', `${width}`);
    return rgba;
  },
};
