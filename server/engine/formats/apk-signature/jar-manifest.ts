// Manifests and signature files of JAR signing: sections of attributes. Knows nothing of digests or signers.
import { FormatError } from '../byte-reader.ts';

export const manifestName = 'META-INF/MANIFEST.MF';

/** An archive of 400,000 entries has a section with two attributes for each. */
const maxAttributes = 1_000_000;
/** Names have up to 65,535 bytes, of which a line holds 69. */
const maxContinuationLines = 10_000;

const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const space = 0x20;

/** One section; its bytes are what `…-Digest` attributes of a signature file digest. */
export interface ManifestSection {
  /** Offset and end in the file, with the blank line that closes the section. */
  start: number;
  end: number;
  /** Value of `Name`, where that is the first attribute. */
  name: string | null;
  /** By lower-case name; the first value counts. */
  attributes: Map<string, string>;
}

/**
 * Splits a manifest or signature file into sections, the main one first, as Android reads them: lines end with CR, LF or
 * both, names end at the first colon and blank, spaces around them are kept (obfuscators use them), and continuation
 * lines begin with a blank.
 * Specification: https://docs.oracle.com/javase/8/docs/technotes/guides/jar/jar.html#JAR_Manifest
 * @throws FormatError where there are more attributes or continuation lines than any archive needs
 */
export function parseManifest(bytes: Uint8Array): ManifestSection[] {
  const sections: ManifestSection[] = [];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let section: ManifestSection | null = null;
  /** Parts of the attribute that is being read: its line and the continuation lines. */
  let parts: Buffer[] = [];
  let attributeCount = 0;

  const closeAttribute = (): void => {
    if (section === null || parts.length === 0) return;
    const text = (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString('utf8');
    parts = [];
    const delimiter = text.indexOf(': ');
    const name = (delimiter < 0 ? text : text.slice(0, delimiter)).toLowerCase();
    const value = delimiter < 0 ? '' : text.slice(delimiter + 2);
    if (section.attributes.size === 0 && name === 'name') section.name = value;
    if (!section.attributes.has(name)) section.attributes.set(name, value);
  };
  const closeSection = (end: number): void => {
    if (section === null) return;
    closeAttribute();
    section.end = end;
    sections.push(section);
    section = null;
  };

  for (let at = 0; at < bytes.length; ) {
    const lineEnd = endOfLine(buffer, at);
    const isPair = buffer[lineEnd] === carriageReturn && buffer[lineEnd + 1] === lineFeed;
    const next = Math.min(bytes.length, lineEnd + (isPair ? 2 : 1));
    if (lineEnd === at) {
      closeSection(next);
    } else if (section !== null && buffer[at] === space) {
      parts.push(buffer.subarray(at + 1, lineEnd));
      if (parts.length > maxContinuationLines)
        throw new FormatError('jar-manifest', at, 'An attribute has too many lines');
    } else {
      closeAttribute();
      if (++attributeCount > maxAttributes) throw new FormatError('jar-manifest', at, 'There are too many attributes');
      section ??= { start: at, end: at, name: null, attributes: new Map() };
      parts.push(buffer.subarray(at, lineEnd));
    }
    at = next;
  }
  closeSection(bytes.length);
  return sections;
}

/** Offset of the CR or LF that ends the line beginning at `start`, or of the end of the file. */
function endOfLine(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === lineFeed || byte === carriageReturn) return at;
  }
  return bytes.length;
}
