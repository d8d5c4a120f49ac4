// Tells raster images by their bytes and reads their dimensions. Knows nothing of apps.

export interface RasterImage {
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  /** Pixels. */
  width: number;
  height: number;
}

/**
 * What kind of image the bytes are.
 * @returns null where they are none that a browser shows, or their header does not say how large they are
 */
export function recogniseImage(bytes: Uint8Array): RasterImage | null {
  if (bytes.length < 16) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = view.getUint32(0);
  if (magic === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a) return readPng(view);
  if (magic >>> 8 === 0xffd8ff) return readJpeg(view);
  if (magic === 0x52494646 && view.getUint32(8) === 0x57454250) return readWebp(view);
  if (magic === 0x47494638) return sized('image/gif', view.getUint16(6, true), view.getUint16(8, true));
  return null;
}

const sized = (mediaType: RasterImage['mediaType'], width: number, height: number): RasterImage | null =>
  width > 0 && height > 0 ? { mediaType, width, height } : null;

/** @see https://www.w3.org/TR/png-3/#11IHDR */
function readPng(view: DataView): RasterImage | null {
  if (view.byteLength < 24 || view.getUint32(12) !== 0x49484452) return null;
  return sized('image/png', view.getUint32(16), view.getUint32(20));
}

/** Walks the segments to the first frame header. @see https://www.w3.org/Graphics/JPEG/itu-t81.pdf */
function readJpeg(view: DataView): RasterImage | null {
  let at = 2;
  while (at + 9 < view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return sized('image/jpeg', view.getUint16(at + 7), view.getUint16(at + 5));
    at += marker === 0xff ? 1 : 2 + Math.max(2, view.getUint16(at + 2));
  }
  return null;
}

/** @see https://developers.google.com/speed/webp/docs/riff_container */
function readWebp(view: DataView): RasterImage | null {
  if (view.byteLength < 30) return null;
  switch (view.getUint32(12)) {
    case 0x56503820:
      return sized('image/webp', view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    case 0x5650384c: {
      const bits = view.getUint32(21, true);
      return sized('image/webp', (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 0x56503858:
      return sized(
        'image/webp',
        1 + view.getUint16(24, true) + (view.getUint8(26) << 16),
        1 + view.getUint16(27, true) + (view.getUint8(29) << 16),
      );
    default:
      return null;
  }
}
