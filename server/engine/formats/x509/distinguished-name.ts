// Distinguished names of X.509: their attributes, and one line of text for a name. Knows no certificate.
import { FormatError } from '../byte-reader.ts';
import { type Asn1Element, objectIdentifier, universalTag } from './asn1.ts';
import { attributeNames } from './object-identifiers.ts';

/** X.520 bounds attributes at 64 to 32,768 characters; a report needs no longer ones. */
const maxValueLength = 4096;

const stringTag = { utf8: 12, universal: 28, bmp: 30 } as const;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A DER string as text. Certificates made by hand-written tools put UTF-8 or a local code page into string types that do
 * not allow it; whatever is valid UTF-8 is read as such, and any other byte as Latin-1.
 */
function decodeText(element: Asn1Element): string {
  const bytes = Buffer.from(element.content);
  if (element.tagNumber === stringTag.bmp)
    return bytes
      .subarray(0, bytes.length & ~1)
      .swap16()
      .toString('utf16le');
  if (element.tagNumber === stringTag.universal) {
    let text = '';
    for (let at = 0; at + 4 <= bytes.length && text.length < maxValueLength; at += 4) {
      const point = bytes.readUInt32BE(at);
      text += point <= 0x10_ffff ? String.fromCodePoint(point) : '\ufffd';
    }
    return text;
  }
  try {
    return strictUtf8.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return bytes.toString('latin1');
  }
}

interface NameAttribute {
  /** Short name, or the dotted identifier where there is none. */
  name: string;
  value: string;
}

/** A parsed name: `text` is one line in OpenSSL's order and notation, `/C=…/CN=…`, with readable letters of any script. */
export interface DistinguishedName {
  text: string;
  attributes: NameAttribute[];
  /** The DER itself, for comparing names. */
  encoded: Uint8Array;
  /** Whether all of it could be read. */
  isWhole: boolean;
}

const escapeControl = (value: string): string =>
  value.replace(
    /[\x00-\x1f\x7f-\x9f]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

/**
 * Reads a Name, keeping every attribute that can be read.
 * Specification: RFC 5280 section 4.1.2.4, https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.4
 */
export function parseName(element: Asn1Element): DistinguishedName {
  const attributes: NameAttribute[] = [];
  let isWhole = true;
  try {
    for (const relativeName of element.children()) {
      for (const pair of relativeName.expect(universalTag.set, 'A part of a name').children()) {
        const [type, value] = pair.expect(universalTag.sequence, 'An attribute of a name').children();
        if (type === undefined || value === undefined) {
          throw new FormatError('name', pair.start, 'An attribute of a name lacks its type or value');
        }
        const identifier = objectIdentifier(type);
        attributes.push({
          name: attributeNames[identifier] ?? identifier,
          value: decodeText(value).slice(0, maxValueLength),
        });
      }
    }
  } catch (error) {
    // A name that breaks off keeps the attributes before the break: it is shown, never relied upon.
    if (!(error instanceof FormatError)) throw error;
    isWhole = false;
  }
  return {
    isWhole,
    text: attributes.map(({ name, value }) => `/${name}=${escapeControl(value)}`).join(''),
    attributes,
    encoded: element.encoded,
  };
}

const folded = ({ text }: DistinguishedName): string => text.toLowerCase().replace(/\s+/g, ' ');

/** Whether two names are the same, whatever string types, letter case and runs of blanks they are written with. */
export function isSameName(a: DistinguishedName, b: DistinguishedName): boolean {
  return Buffer.compare(a.encoded, b.encoded) === 0 || folded(a) === folded(b);
}
