// Says of what type bytes are, in the words of libmagic but without its details. Knows no rules.

export interface FileType {
  /** As `file` begins it: `PNG image data`. */
  readonly type: string;
  readonly mime: string;
}

/** What decides whether bytes are text, or begin a document in one. */
const maxTextStart = 65_536;
/** Where in a ZIP file an APK shows itself at the latest, from either end: directories have some 100 bytes an entry. */
const maxDirectory = 4 * 1024 * 1024;

const named = (type: string, mime: string): FileType => ({ type, mime });
const data = named('data', 'application/octet-stream');

/** Hex digits at the beginning, `.` for any; the first that fits decides. @see https://man7.org/linux/man-pages/man1/file.1.html */
const beginnings: readonly [string, FileType][] = [
  ['89504e470d0a1a0a', named('PNG image data', 'image/png')],
  ['ffd8ff', named('JPEG image data', 'image/jpeg')],
  ['474946383761', named('GIF image data, version 87a', 'image/gif')],
  ['474946383961', named('GIF image data, version 89a', 'image/gif')],
  ['52494646........57454250', named('RIFF (little-endian) data, Web/P image', 'image/webp')],
  ['52494646........57415645', named('RIFF (little-endian) data, WAVE audio', 'audio/x-wav')],
  ['03000800', named('Android binary XML', 'application/octet-stream')],
  ['02000c00', named('Android package resource table (ARSC)', 'application/octet-stream')],
  ['cafebabe0000003.', named('compiled Java class data', 'application/x-java-applet')],
  ['cafebabe', named('Mach-O universal binary', 'application/x-mach-binary')],
  ['cefaedfe', named('Mach-O', 'application/x-mach-binary')],
  ['cffaedfe', named('Mach-O 64-bit', 'application/x-mach-binary')],
  ['0001000000', named('TrueType Font data', 'font/sfnt')],
  ['4f54544f', named('OpenType font data', 'application/vnd.ms-opentype')],
  ['774f4632', named('Web Open Font Format (Version 2)', 'font/woff2')],
  ['774f4646', named('Web Open Font Format', 'font/woff')],
  ['53514c69746520666f726d6174203300', named('SQLite 3.x database', 'application/vnd.sqlite3')],
  ['255044462d', named('PDF document', 'application/pdf')],
  ['d0cf11e0a1b11ae1', named('Composite Document File V2 Document', 'application/CDFV2')],
  ['1f8b', named('gzip compressed data', 'application/gzip')],
  ['425a68', named('bzip2 compressed data', 'application/x-bzip2')],
  ['fd377a585a00', named('XZ compressed data', 'application/x-xz')],
  ['28b52ffd', named('Zstandard compressed data (v0.8+)', 'application/zstd')],
  ['377abcaf271c', named('7-zip archive data', 'application/x-7z-compressed')],
  ['526172211a07', named('RAR archive data', 'application/x-rar')],
  ['4f676753', named('Ogg data', 'application/ogg')],
  ['494433', named('Audio file with ID3', 'audio/mpeg')],
  ['fff[23ab].', named('MPEG ADTS, layer III', 'audio/mpeg')],
  ['664c6143', named('FLAC audio bitstream data', 'audio/flac')],
  ['........66747970', named('ISO Media', 'video/mp4')],
  ['1a45dfa3', named('Matroska data', 'video/x-matroska')],
  ['6465780a303...00', named('Dalvik dex file', 'application/octet-stream')],
  ['7b5c727466', named('Rich Text Format data', 'text/rtf')],
  ['3082....06092a864886f70d010702', named('DER Encoded PKCS#7 Signed Data', 'application/octet-stream')],
];
const beginningPatterns = beginnings.map(([digits, type]) => [new RegExp(`^${digits}`), type] as const);
/** Bytes that the longest of them takes. */
const longestBeginning = 16;

/** The type of bytes; `data` where none is known. Linear, and looks at the beginning of text alone. */
export function fileTypeOf(bytes: Uint8Array): FileType {
  if (bytes.length === 0) return named('empty', 'application/x-empty');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = buffer.toString('hex', 0, longestBeginning);
  if (start.startsWith('504b0304') || start.startsWith('504b0506')) return zipType(buffer);
  if (start.startsWith('7f454c46') && buffer.length >= 20) return elfType(buffer);
  if (start.startsWith('4d5a')) return windowsType(buffer);
  for (const [pattern, type] of beginningPatterns) {
    if (!pattern.test(start)) continue;
    if (type.type === 'Ogg data' && isOggSound(buffer)) return named(type.type, 'audio/ogg');
    return type.type === 'Dalvik dex file'
      ? named(`${type.type} version ${buffer.toString('latin1', 4, 7)}`, type.mime)
      : type;
  }
  return textType(buffer) ?? data;
}

const isOggSound = (bytes: Buffer): boolean => /^(?:\x01vorbis|OpusHead)/.test(bytes.toString('latin1', 28, 36));

function zipType(bytes: Buffer): FileType {
  const ends = [bytes.subarray(0, maxDirectory), bytes.subarray(-maxDirectory)];
  const holds = (name: string) => ends.some((end) => end.includes(name, 0, 'latin1'));
  if (holds('AndroidManifest.xml')) {
    const block = holds('APK Sig Block 42') ? ', with APK Signing Block' : '';
    return named(`Android package (APK), with AndroidManifest.xml${block}`, 'application/vnd.android.package-archive');
  }
  if (holds('META-INF/MANIFEST.MF')) return named('Java archive data (JAR)', 'application/java-archive');
  return named('Zip archive data, at least v2.0 to extract', 'application/zip');
}

/** https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html */
function elfType(bytes: Buffer): FileType {
  const isBig = bytes[5] === 2;
  const at = (offset: number) => (isBig ? bytes.readUInt16BE(offset) : bytes.readUInt16LE(offset));
  const [kind, mime] = (
    { 1: ['relocatable', 'application/x-object'], 2: ['executable', 'application/x-executable'] } as const
  )[at(16) as 1 | 2] ?? ['shared object', 'application/x-sharedlib'];
  const machine = { 3: 'Intel 80386', 8: 'MIPS', 40: 'ARM, EABI5', 62: 'x86-64', 183: 'ARM aarch64' }[at(18)];
  const order = `${bytes[4] === 2 ? '64' : '32'}-bit ${isBig ? 'MSB' : 'LSB'}`;
  return named(`ELF ${order} ${kind}${machine === undefined ? '' : `, ${machine}`}`, mime);
}

/** https://learn.microsoft.com/en-us/windows/win32/debug/pe-format */
function windowsType(bytes: Buffer): FileType {
  const header = bytes.length >= 0x40 ? bytes.readUInt32LE(0x3c) : 0;
  const isPe = header + 26 <= bytes.length && bytes.readUInt32LE(header) === 0x4550;
  if (!isPe) return named('MS-DOS executable', 'application/x-dosexec');
  const isLong = bytes.readUInt16LE(header + 24) === 0x20b;
  const isLibrary = (bytes.readUInt16LE(header + 22) & 0x2000) !== 0;
  return named(`PE32${isLong ? '+' : ''} executable${isLibrary ? ' (DLL)' : ''}`, 'application/x-dosexec');
}

/** Control characters that no text holds. */
const binary = /[\x00-\x06\x0e-\x1a\x1c-\x1f]/;

/** How texts begin, and what that makes of them; a comma stands before the words for any text. */
const headings: readonly (readonly [heading: string, type: string, mime: string])[] = [
  ['Manifest-Version: ', 'JAR Manifest,', 'text/plain'],
  ['Signature-Version: ', 'JAR Signature File,', 'text/plain'],
  ['-----BEGIN CERTIFICATE-----', 'PEM certificate', 'text/plain'],
  ['-----BEGIN PGP PUBLIC KEY BLOCK-----', 'PGP public key block', 'application/pgp-keys'],
];

/** null for what is no text. */
function textType(bytes: Buffer): FileType | null {
  const start = bytes.subarray(0, maxTextStart);
  const latin = start.toString('latin1');
  if (binary.test(latin)) return null;
  const isAscii = !/[\x80-\xff]/.test(latin);
  // A character may be cut in two at the end of what is looked at.
  const isUtf8 = !start.toString('utf8').slice(0, -2).includes('\ufffd');
  const words = isAscii ? 'ASCII text' : isUtf8 ? 'Unicode text, UTF-8 text' : 'ISO-8859 text';
  const beginning = latin.replace(/^(?:\xef\xbb\xbf)?\s*/, '').slice(0, 1024);
  for (const [heading, type, mime] of headings) {
    if (beginning.startsWith(heading)) return named(type.endsWith(',') ? `${type} ${words}` : type, mime);
  }
  if (/^<\?xml\b/.test(beginning)) return named(`XML 1.0 document, ${words}`, 'text/xml');
  if (/^<(?:!doctype html|html|head|title|body|script)\b/i.test(beginning))
    return named(`HTML document, ${words}`, 'text/html');
  if (/^#! ?\/\S*\b(?:sh|bash|ash)\b/.test(beginning))
    return named(`POSIX shell script, ${words} executable`, 'text/x-shellscript');
  if (/^#! ?\/\S*\bpython/.test(beginning)) return named(`Python script, ${words} executable`, 'text/x-script.python');
  if (beginning.startsWith('<?php')) return named(`PHP script, ${words}`, 'text/x-php');
  if (/^[[{]/.test(beginning) && isJson(bytes)) return named('JSON text data', 'application/json');
  return named(words, 'text/plain');
}

function isJson(bytes: Buffer): boolean {
  if (bytes.length > maxTextStart) return false;
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    // Text that only begins like it.
    return false;
  }
}
