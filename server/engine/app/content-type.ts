// Says what a file is by its first bytes. Knows no archive.

/** Bytes that `contentType` looks at. */
export const sniffLength = 512;

const signatures: readonly (readonly [type: string, offset: number, bytes: string])[] = [
  ['dex', 0, 'dex\n'],
  ['odex', 0, 'dey\n'],
  ['cdex', 0, 'cdex'],
  ['vdex', 0, 'vdex'],
  ['elf', 0, '\x7fELF'],
  ['zip', 0, 'PK\x03\x04'],
  ['zip', 0, 'PK\x05\x06'],
  ['png', 0, '\x89PNG\r\n\x1a\n'],
  ['jpeg', 0, '\xff\xd8\xff'],
  ['gif', 0, 'GIF8'],
  ['bmp', 0, 'BM'],
  ['ico', 0, '\x00\x00\x01\x00'],
  ['pdf', 0, '%PDF-'],
  ['sqlite', 0, 'SQLite format 3\0'],
  ['gzip', 0, '\x1f\x8b\x08'],
  ['bzip2', 0, 'BZh'],
  ['7z', 0, "7z\xbc\xaf'\x1c"],
  ['xz', 0, '\xfd7zXZ\0'],
  ['zstd', 0, '\x28\xb5\x2f\xfd'],
  ['rar', 0, 'Rar!\x1a\x07'],
  ['lz4', 0, '\x04\x22\x4d\x18'],
  ['java-class', 0, '\xca\xfe\xba\xbe'],
  ['java-serialized', 0, '\xac\xed\x00\x05'],
  ['mach-o', 0, '\xcf\xfa\xed\xfe'],
  ['pe', 0, 'MZ'],
  ['wasm', 0, '\0asm'],
  ['lua-bytecode', 0, '\x1bLua'],
  ['luajit-bytecode', 0, '\x1bLJ'],
  ['hermes-bytecode', 0, '\xc6\x1f\xbc\x03\xc1\x03\x19\x1f'],
  ['python-bytecode', 2, '\r\n'],
  ['ttf', 0, '\x00\x01\x00\x00'],
  ['otf', 0, 'OTTO'],
  ['woff', 0, 'wOFF'],
  ['woff2', 0, 'wOF2'],
  ['ogg', 0, 'OggS'],
  ['mp3', 0, 'ID3'],
  ['mp3', 0, '\xff\xfb'],
  ['flac', 0, 'fLaC'],
  ['midi', 0, 'MThd'],
  ['mp4', 4, 'ftyp'],
  ['matroska', 0, '\x1aE\xdf\xa3'],
  ['java-keystore', 0, '\xfe\xed\xfe\xed'],
  ['pem', 0, '-----BEGIN '],
  ['android-backup', 0, 'ANDROID BACKUP'],
  ['xml', 0, '<?xml'],
  ['html', 0, '<!DOCTYPE html'],
  ['html', 0, '<!doctype html'],
  ['html', 0, '<html'],
  ['script', 0, '#!/'],
];

const byFirst = new Map<number, (readonly [type: string, offset: number, bytes: Buffer])[]>();
const elsewhere: (readonly [type: string, offset: number, bytes: Buffer])[] = [];
for (const [type, offset, text] of signatures) {
  const bytes = Buffer.from(text, 'latin1');
  if (offset > 0) elsewhere.push([type, offset, bytes]);
  else byFirst.set(bytes[0]!, [...(byFirst.get(bytes[0]!) ?? []), [type, 0, bytes]]);
}

/** SHA-256 over blocks of 4096 bytes: how the hashing information of a v4 signature (`.idsig`) begins. */
const sha256InPages = '\x01\0\0\0\x0c';

/**
 * Type of a file by its content, for example `dex`, `axml`, `png`, `text`; `data` where nothing is known.
 * @param bytes the whole file or its first `sniffLength` bytes
 * @param size of the whole file
 */
export function contentType(bytes: Uint8Array, size: number): string {
  if (size === 0) return 'empty';
  const [first, second, third, fourth] = bytes;
  const declared = bytes.length >= 8 ? new DataView(bytes.buffer, bytes.byteOffset, 8).getUint32(4, true) : 0;
  const isChunk =
    third! >= 8 && third! <= 0x40 && fourth === 0 && second === 0 && declared >= 8 && declared <= size + 4096;
  if (isChunk && first === 3) return 'axml';
  if (isChunk && first === 2) return 'arsc';
  const matches = ([, offset, magic]: readonly [string, number, Buffer]) =>
    magic.every((byte, index) => bytes[offset + index] === byte);
  const found = byFirst.get(first!)?.find(matches) ?? elsewhere.find(matches);
  if (found !== undefined && !(found[0] === 'pe' || found[0] === 'bmp')) {
    return found[0] === 'python-bytecode' && !isBinary(bytes) ? 'text' : found[0];
  }
  if (isAt(bytes, 0, '\x02\0\0\0') && isAt(bytes, 8, sha256InPages)) return 'apk-signature-v4';
  if (isAt(bytes, 0, 'RIFF')) return isAt(bytes, 8, 'WEBP') ? 'webp' : isAt(bytes, 8, 'WAVE') ? 'wav' : 'riff';
  if (first === 0x30 && second === 0x82 && size > 64) return 'der';
  if (!isBinary(bytes)) return first === 0x7b || first === 0x5b ? 'json' : 'text';
  return found?.[0] ?? 'data';
}

const isAt = (bytes: Uint8Array, offset: number, text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (bytes[offset + at] !== text.charCodeAt(at)) return false;
  return true;
};

/** Text holds no control characters but blanks; a byte order mark and UTF-8 are text. */
function isBinary(bytes: Uint8Array): boolean {
  const end = Math.min(bytes.length, sniffLength);
  for (let at = 0; at < end; at++) {
    const byte = bytes[at]!;
    if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 0x1b) return true;
    if (byte === 0x7f) return true;
  }
  // Text that is not UTF-8 has few Latin-1 letters; other bytes are data.
  let invalid = 0;
  for (let at = 0; at < end; at++) {
    const byte = bytes[at]!;
    if (byte < 0x80) continue;
    const length = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0;
    if (length === 0) invalid++;
    for (let next = 1; next <= length; next++, at++) {
      if (at + 1 < end && (bytes[at + 1]! & 0xc0) !== 0x80) {
        invalid++;
        break;
      }
    }
  }
  return invalid * 20 > end;
}

/** Types that a file's ending promises, where other content would be suspicious. */
const expected: Readonly<Record<string, readonly string[]>> = {
  png: ['png', 'webp', 'jpeg', 'gif'],
  jpg: ['jpeg', 'png', 'webp', 'gif'],
  jpeg: ['jpeg', 'png', 'webp', 'gif'],
  gif: ['gif', 'png', 'jpeg', 'webp'],
  webp: ['webp', 'png', 'jpeg', 'gif'],
  mp3: ['mp3', 'ogg', 'wav', 'mp4', 'data'],
  ogg: ['ogg', 'mp3', 'data'],
  wav: ['wav', 'riff', 'mp3', 'ogg', 'data'],
  mp4: ['mp4', 'data'],
  ttf: ['ttf', 'otf', 'data'],
  txt: ['text', 'json', 'xml', 'html', 'pem', 'script', 'data', 'gzip'],
  json: ['json', 'text', 'gzip', 'data'],
  html: ['html', 'text', 'xml', 'gzip', 'data'],
  css: ['text', 'data'],
  js: ['text', 'json', 'hermes-bytecode', 'gzip', 'data'],
  xml: ['axml', 'xml', 'text', 'html', 'data'],
};
/** Contents that are suspicious under such a name. */
const executable: ReadonlySet<string> = new Set(['dex', 'odex', 'elf', 'zip', 'pe', 'java-class', 'lua-bytecode']);

/** Whether a file's name promises a harmless type and its content is code or an archive. */
export function isDisguised(name: string, type: string): boolean {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase();
  if (ending === undefined || !executable.has(type)) return false;
  return Object.hasOwn(expected, ending) && !expected[ending]!.includes(type);
}

const entropySample = 64 * 1024;

/** Shannon entropy of the first 64 KiB, in bits per byte. */
export function entropy(bytes: Uint8Array): number {
  const counts = new Uint32Array(256);
  const length = Math.min(bytes.length, entropySample);
  for (let at = 0; at < length; at++) counts[bytes[at]!]!++;
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / length) * Math.log2(count / length);
  return bits;
}
