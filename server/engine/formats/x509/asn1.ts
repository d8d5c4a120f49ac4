// Reads ASN.1 in BER and DER, bounded in depth and size. Knows nothing of certificates or signatures.
import { FormatError } from '../byte-reader.ts';

/** Certificates nest some 12 levels deep and PKCS #7 some 16; what goes deeper wants to exhaust the stack. */
const maxDepth = 40;
/** Names have some ten parts, sets of certificates a few: elements of two bytes each are there to eat memory. */
const maxChildren = 10_000;
/** An object identifier's arcs: the longest registered ones have some 20. */
const maxArcs = 64;

export const universalTag = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octetString: 4,
  null: 5,
  objectIdentifier: 6,
  sequence: 16,
  set: 17,
} as const;

const tagClass = { universal: 0, application: 1, contextSpecific: 2, private: 3 } as const;

const indefinite = -1;

interface Header {
  tagClass: number;
  isConstructed: boolean;
  tagNumber: number;
  contentStart: number;
  /** Offset past the content, or -1 for an indefinite length. */
  contentEnd: number;
}

function truncated(offset: number): FormatError {
  return new FormatError('asn1-truncated', offset, 'An ASN.1 element ends past its container');
}

function readHeader(bytes: Uint8Array, start: number, limit: number): Header {
  let at = start;
  const next = (): number => {
    if (at >= limit) throw truncated(start);
    return bytes[at++]!;
  };
  const identifier = next();
  let tagNumber = identifier & 0x1f;
  if (tagNumber === 0x1f) {
    tagNumber = 0;
    for (let octet = 0x80; (octet & 0x80) !== 0; ) {
      octet = next();
      if (tagNumber > 0xff_ffff) throw new FormatError('asn1-tag', start, 'An ASN.1 tag number is too large');
      tagNumber = tagNumber * 128 + (octet & 0x7f);
    }
  }
  const isConstructed = (identifier & 0x20) !== 0;
  const header = { tagClass: identifier >> 6, isConstructed, tagNumber };
  const first = next();
  if (first === 0x80) {
    if (!isConstructed) throw new FormatError('asn1-length', start, 'A primitive element has an indefinite length');
    return { ...header, contentStart: at, contentEnd: indefinite };
  }
  let length = first;
  if (first > 0x80) {
    length = 0;
    for (let left = first & 0x7f; left > 0; left--) {
      length = length * 256 + next();
      if (length > limit) throw truncated(start);
    }
  }
  if (length > limit - at) throw truncated(start);
  return { ...header, contentStart: at, contentEnd: at + length };
}

/** Offset of the end-of-contents octets that close an indefinite length whose content begins at `start`. */
function findEndOfContents(bytes: Uint8Array, start: number, limit: number, depth: number): number {
  if (depth > maxDepth) throw new FormatError('asn1-depth', start, 'ASN.1 elements nest too deep');
  let at = start;
  while (true) {
    if (at + 2 > limit) throw truncated(start);
    if (bytes[at] === 0 && bytes[at + 1] === 0) return at;
    const header = readHeader(bytes, at, limit);
    at =
      header.contentEnd === indefinite
        ? findEndOfContents(bytes, header.contentStart, limit, depth + 1) + 2
        : header.contentEnd;
  }
}

/** One element: identifier, length and content, sharing memory with the bytes it was read from. */
export class Asn1Element {
  readonly #bytes: Uint8Array;
  readonly #depth: number;
  readonly tagClass: number;
  readonly tagNumber: number;
  readonly isConstructed: boolean;
  /** Offsets within the parsed bytes. */
  readonly start: number;
  readonly contentStart: number;
  readonly contentEnd: number;
  readonly end: number;

  constructor(bytes: Uint8Array, start: number, limit: number, depth: number) {
    if (depth > maxDepth) throw new FormatError('asn1-depth', start, 'ASN.1 elements nest too deep');
    const header = readHeader(bytes, start, limit);
    this.#bytes = bytes;
    this.#depth = depth;
    this.tagClass = header.tagClass;
    this.tagNumber = header.tagNumber;
    this.isConstructed = header.isConstructed;
    this.start = start;
    this.contentStart = header.contentStart;
    if (header.contentEnd === indefinite) {
      this.contentEnd = findEndOfContents(bytes, header.contentStart, limit, depth);
      this.end = this.contentEnd + 2;
    } else {
      this.contentEnd = header.contentEnd;
      this.end = header.contentEnd;
    }
  }

  /** The content's bytes, without identifier and length. */
  get content(): Uint8Array {
    return this.#bytes.subarray(this.contentStart, this.contentEnd);
  }

  /** The whole element as it was written. */
  get encoded(): Uint8Array {
    return this.#bytes.subarray(this.start, this.end);
  }

  isUniversal(tagNumber: number): boolean {
    return this.tagClass === tagClass.universal && this.tagNumber === tagNumber;
  }

  isContext(tagNumber: number): boolean {
    return this.tagClass === tagClass.contextSpecific && this.tagNumber === tagNumber;
  }

  /**
   * The elements within.
   * @throws FormatError where one does not fit
   */
  children(): Asn1Element[] {
    const children: Asn1Element[] = [];
    for (let at = this.contentStart; at < this.contentEnd; ) {
      const child = new Asn1Element(this.#bytes, at, this.contentEnd, this.#depth + 1);
      if (children.length === maxChildren)
        throw new FormatError('asn1-children', at, 'An ASN.1 element has too many parts');
      children.push(child);
      at = child.end;
    }
    return children;
  }

  /** The element itself where it has this universal tag. @throws FormatError where it has another */
  expect(tagNumber: number, what: string): this {
    if (!this.isUniversal(tagNumber)) {
      throw new FormatError(
        'asn1-unexpected-tag',
        this.start,
        `${what} has tag ${this.tagClass}/${this.tagNumber}, not universal ${tagNumber}`,
      );
    }
    return this;
  }
}

/**
 * Reads the element that begins at `offset`; bytes after it are left alone.
 * Specification: ITU-T X.690, https://www.itu.int/rec/T-REC-X.690
 * @throws FormatError where it does not fit into the bytes or nests too deep
 */
export function parseAsn1(bytes: Uint8Array, offset = 0): Asn1Element {
  return new Asn1Element(bytes, offset, bytes.length, 0);
}

/** Dotted notation of an object identifier's content. @throws FormatError where it is empty, truncated or overlong */
export function objectIdentifier(element: Asn1Element): string {
  element.expect(universalTag.objectIdentifier, 'An object identifier');
  const content = element.content;
  const malformed = () => new FormatError('asn1-oid', element.start, 'An object identifier is malformed');
  if (content.length === 0 || (content[content.length - 1]! & 0x80) !== 0) throw malformed();
  const arcs: (number | bigint)[] = [];
  let arc: number | bigint = 0;
  for (const octet of content) {
    // Arcs past 2^53 exist: those derived from UUIDs have 128 bits.
    arc =
      typeof arc === 'number' && arc < 2 ** 44 ? arc * 128 + (octet & 0x7f) : BigInt(arc) * 128n + BigInt(octet & 0x7f);
    if ((octet & 0x80) !== 0) continue;
    if (arcs.length === 0) {
      const first = arc < 40 ? 0 : arc < 80 ? 1 : 2;
      arcs.push(first, typeof arc === 'number' ? arc - first * 40 : arc - BigInt(first * 40));
    } else arcs.push(arc);
    if (arcs.length > maxArcs) throw malformed();
    arc = 0;
  }
  return arcs.join('.');
}

/** An octet string's value; BER may cut one into pieces. @throws FormatError where it is no octet string */
export function octetString(element: Asn1Element): Uint8Array {
  if (!element.isConstructed) return element.content;
  return Buffer.concat(element.children().map(octetString));
}

/** A bit string's whole octets, without the count of unused bits. @throws FormatError where it is empty */
export function bitString(element: Asn1Element): Uint8Array {
  if (element.isConstructed) return Buffer.concat(element.children().map(bitString));
  if (element.content.length === 0) {
    throw new FormatError('asn1-bit-string', element.start, 'A bit string lacks its first octet');
  }
  return element.content.subarray(1);
}

/** An integer's value in two's complement. */
export function signedInteger(content: Uint8Array): bigint {
  if (content.length === 0) return 0n;
  const value = unsignedInteger(content);
  return (content[0]! & 0x80) === 0 ? value : value - (1n << BigInt(content.length * 8));
}

/** An integer's octets read as a positive number, whatever their first bit. */
export function unsignedInteger(content: Uint8Array): bigint {
  return content.length === 0 ? 0n : BigInt(`0x${Buffer.from(content).toString('hex')}`);
}

/** Encodes one element in DER: identifier octet, shortest length, content. */
export function encodeAsn1(identifier: number, ...content: readonly Uint8Array[]): Buffer {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  const lengthOctets: number[] = [];
  for (let left = length; left > 0; left = Math.floor(left / 256)) lengthOctets.unshift(left % 256);
  const header = length < 0x80 ? [identifier, length] : [identifier, 0x80 | lengthOctets.length, ...lengthOctets];
  return Buffer.concat([Buffer.from(header), ...content]);
}
