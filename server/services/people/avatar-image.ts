// Tells what kind of picture bytes are, by the bytes themselves, and how large it would be on a screen. Knows no account.
import type { avatarTypes } from '../../contract/people/account.ts';

/** Bytes of a picture that stands beside a name. */
export const maxAvatarBytes = 1024 * 1024;
/** Pixels of a side: a few bytes can announce a picture that a browser would need gigabytes for. */
export const maxAvatarSide = 4096;

export interface AvatarImage {
  mediaType: (typeof avatarTypes)[number];
  width: number;
  height: number;
}

const text = (bytes: Buffer, start: number, end: number) => bytes.toString('latin1', start, end);

/** https://www.w3.org/TR/png-3/#11IHDR */
function pngOf(bytes: Buffer): AvatarImage | null {
  if (text(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || text(bytes, 12, 16) !== 'IHDR' || bytes.length < 24) return null;
  return { mediaType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt, section 18 */
function gifOf(bytes: Buffer): AvatarImage | null {
  if (!/^GIF8[79]a$/.test(text(bytes, 0, 6)) || bytes.length < 10) return null;
  return { mediaType: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** https://developers.google.com/speed/webp/docs/riff_container; RFC 6386 section 9.1 for its plain form */
function webpOf(bytes: Buffer): AvatarImage | null {
  if (text(bytes, 0, 4) !== 'RIFF' || text(bytes, 8, 12) !== 'WEBP' || bytes.length < 30) return null;
  const mediaType = 'image/webp';
  switch (text(bytes, 12, 16)) {
    case 'VP8X':
      return { mediaType, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { mediaType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return null;
  }
}

/** ITU-T T.81 annex B: segments until the one of the frame, whose marker is one of C0 to CF but C4, C8 and CC. */
function jpegOf(bytes: Buffer): AvatarImage | null {
  if (text(bytes, 0, 3) !== '\xff\xd8\xff') return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { mediaType: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** What may stand beside a name; null: no such picture, or one that is larger than a screen. */
export function avatarImageOf(bytes: Buffer): AvatarImage | null {
  const image = pngOf(bytes) ?? jpegOf(bytes) ?? gifOf(bytes) ?? webpOf(bytes);
  if (image === null) return null;
  const isShowable = [image.width, image.height].every((side) => side >= 1 && side <= maxAvatarSide);
  return isShowable ? image : null;
}
