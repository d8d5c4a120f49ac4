// Fuzz target: the pixels of PNG images.
import { decodePng } from '../../../server/engine/formats/png/png.ts';
import { buildPalettePng, buildPng } from '../../fixtures/png-builder.ts';
import { type FuzzTarget, hold } from '../target.ts';

const maxPixels = 4096;
const rgba = Uint8Array.from({ length: 16 * 16 * 4 }, (_, at) => (at * 37) % 64);
const pixels = { width: 16, height: 16, rgba };

export const target: FuzzTarget = {
  subject: ['engine/formats/png/'],
  samples: () => [buildPng(pixels), buildPalettePng(pixels)],
  run(bytes) {
    const { width, height, rgba: read } = decodePng(bytes, maxPixels);
    hold(read.length === width * height * 4 && width * height <= maxPixels, 'as many pixels as it says', `${width}`);
    return read;
  },
};
