// Reads Android's binary XML into a tree, as ResXMLTree reads it and past the point where it would give up. Knows no
// manifest and no resource table.
import type { FindingCode } from '../../../contract/findings/finding-catalogue.ts';
import type { Findings } from '../../findings.ts';
import { type Chunk, chunkHeaderSize, chunkTypes, readChunk } from '../arsc/chunk.ts';
import { androidAttributeName } from '../arsc/framework-attributes.ts';
import { valueTypes } from '../arsc/res-value.ts';
import { StringPool } from '../arsc/string-pool.ts';
import { FormatError } from '../byte-reader.ts';

export interface XmlAttribute {
  /** Namespace URI as written, null where there is none. */
  namespace: string | null;
  /** Local name: the framework's for a framework resource id, whatever the pool says; else the pool's. */
  name: string;
  /** Local name as the pool has it, by which Android finds attributes without a namespace. */
  writtenName: string;
  /** Attribute resource id, which is what Android goes by; 0 where the resource map has none. */
  resourceId: number;
  /** The source text, null where it was not kept. */
  rawValue: string | null;
  /** `Res_value.dataType` and data. */
  type: number;
  data: number;
  /** The string of a string value, null for any other type. */
  text: string | null;
}

export interface XmlElement {
  namespace: string | null;
  name: string;
  attributes: XmlAttribute[];
  children: XmlNode[];
  /** Line in the source, as the file claims. */
  line: number;
  /** Namespaces declared right before this element, prefix and URI. */
  namespaces: { prefix: string; uri: string }[];
}

export interface XmlText {
  text: string;
  line: number;
}

export type XmlNode = XmlElement | XmlText;

export interface XmlDocument {
  /** The first element; null in a document without any. */
  root: XmlElement | null;
  /** Everything at the top level, the root included. Android's manifest reader stops at the root's end. */
  children: XmlNode[];
  strings: StringPool;
  /** Whether there is a resource map; without one Android finds no attribute of its own. */
  hasResourceIds: boolean;
}

export const isElement = (node: XmlNode): node is XmlElement => 'children' in node;

/** ResXMLTree_node: chunk header, line number, comment. */
const nodeHeaderSize = 16;
const attributeExtSize = 20;
const attributeSize = 20;
/** Android's manifests need some ten levels; past this a reader that recurses would be at risk. */
const maxDepth = 200;
/** Each element costs 36 bytes in the file and some hundred in memory; the largest manifests have some ten thousand. */
const maxElements = 100_000;
const maxAttributes = 250_000;
/** Texts that are kept: manifests and drawables hold none, layouts a few. */
const maxTexts = 100_000;
const none = 0xffffffff;

/** Tag of the element in an `XmlNode` of aapt2's Resources.proto, the longest number of 32 bits, and what may follow. */
const protobufElement = 0x0a;
const maxVarintLength = 5;
const maxSourcePlace = 32;

/**
 * Reads a binary XML document.
 * @param where names the file in findings
 * @throws FormatError where there is no element to be read at all: code `axml-plain-text` for XML as text, which
 * Android does not install, `axml-protobuf` for the form that app bundles have it in, else `axml-truncated` or `axml-no-element`
 * @see https://android.googlesource.com/platform/frameworks/base/+/refs/heads/main/libs/androidfw/ResourceTypes.cpp
 */
export function parseBinaryXml(bytes: Uint8Array, findings: Findings, where = 'AndroidManifest.xml'): XmlDocument {
  if (isPlainText(bytes)) {
    findings.add('axml-plain-text', where, 'XML as text, not in binary form');
    throw new FormatError('axml-plain-text', 0, `${where} is XML as text, which Android does not read`);
  }
  if (isProtobuf(bytes)) {
    findings.add('axml-protobuf', where, 'XML in the form of app bundles');
    throw new FormatError('axml-protobuf', 0, `${where} is in the form of app bundles, which Android does not read`);
  }
  if (bytes.length < chunkHeaderSize) {
    throw new FormatError('axml-truncated', 0, `${where} has ${bytes.length} bytes, a binary XML header needs 8`);
  }
  return new DocumentReader(bytes, findings, where).read();
}

function isPlainText(bytes: Uint8Array): boolean {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  // UTF-16 with a byte order mark.
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return true;
  while (at < 64 && (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09)) at++;
  return bytes[at] === 0x3c;
}

/** An `XmlNode` message: its element and its length, and behind that no more than a place in a source file. */
function isProtobuf(bytes: Uint8Array): boolean {
  if (bytes[0] !== protobufElement) return false;
  let length = 0;
  for (let at = 1; at <= maxVarintLength; at++) {
    const byte = bytes[at] ?? 0;
    length += (byte & 0x7f) * 2 ** (7 * (at - 1));
    if (byte < 0x80) {
      const rest = bytes.length - at - 1 - length;
      return length > 0 && rest >= 0 && rest <= maxSourcePlace;
    }
  }
  return false;
}

class DocumentReader {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  readonly #findings: Findings;
  readonly #where: string;
  readonly #end: number;
  #strings: StringPool;
  #resourceIds: Uint32Array = new Uint32Array(0);
  readonly #document: XmlDocument;
  /** Open elements; those past the depth limit stand in it as null. */
  readonly #open: (XmlElement | null)[] = [];
  #pendingNamespaces: { prefix: string; uri: string }[] = [];
  #elements = 0;
  #attributes = 0;
  #texts = 0;

  constructor(bytes: Uint8Array, findings: Findings, where: string) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#findings = findings;
    this.#where = where;
    this.#strings = StringPool.empty(findings);
    this.#document = { root: null, children: [], strings: this.#strings, hasResourceIds: false };
    const type = this.#view.getUint16(0, true);
    const size = this.#view.getUint32(4, true);
    // Android never looks at the type of the outer chunk.
    if (type !== chunkTypes.xml) this.#report('axml-header-type', 0, `0x${type.toString(16)} instead of 0x3`);
    if (size > bytes.length) this.#report('axml-header-size', 4, `${size} bytes declared, ${bytes.length} there`);
    else if (size < bytes.length) this.#report('axml-trailing-data', size, `${bytes.length - size} bytes past the end`);
    this.#end = size > bytes.length || size < 2 * chunkHeaderSize ? bytes.length : size;
  }

  read(): XmlDocument {
    const headerSize = this.#view.getUint16(2, true);
    if (headerSize !== chunkHeaderSize) this.#report('axml-header-length', 2, `${headerSize} instead of 8`);
    const first = headerSize < chunkHeaderSize || headerSize > this.#end ? chunkHeaderSize : headerSize;
    let at = this.#readPreamble(first);
    if (at === null && first !== chunkHeaderSize) at = this.#readPreamble(chunkHeaderSize);
    if (at === null) throw new FormatError('axml-no-element', first, `${this.#where} holds no XML element`);
    this.#document.strings = this.#strings;
    this.#document.hasResourceIds = this.#resourceIds.length > 0;
    this.#readNodes(at);
    if (this.#document.root === null) {
      throw new FormatError('axml-no-element', at, `${this.#where} holds no XML element`);
    }
    if (this.#open.length > 0) this.#report('axml-unclosed', this.#end, `${this.#open.length} elements never end`);
    return this.#document;
  }

  #report(code: FindingCode, offset: number, evidence: string): void {
    this.#findings.add(code, `${this.#where}:0x${offset.toString(16)}`, evidence);
  }

  /** String pool and resource map, up to the first node; of several, Android takes the last. */
  #readPreamble(start: number): number | null {
    let at = start;
    let pools = 0;
    while (at + chunkHeaderSize <= this.#end) {
      const chunk = readChunk(this.#view, at, this.#end, chunkHeaderSize) ?? this.#repairedPool(at);
      if (chunk === null) {
        const next = this.#nextNode(at);
        this.#report(
          'axml-bad-chunk',
          at,
          next === null ? 'nothing readable follows' : `goes on at 0x${next.toString(16)}`,
        );
        if (next === null) return null;
        at = next;
        continue;
      }
      if (((chunk.body | chunk.end) & 3) !== 0)
        this.#report('axml-unaligned', at, `chunk 0x${chunk.type.toString(16)}`);
      if (chunk.type === chunkTypes.stringPool) {
        this.#strings = new StringPool(this.#bytes, chunk.start, chunk.end, this.#findings, this.#where);
        if (++pools === 2) this.#report('axml-second-string-pool', at, 'the last one before the first element counts');
      } else if (chunk.type === chunkTypes.xmlResourceMap) {
        this.#resourceIds = new Uint32Array(Math.floor((chunk.end - chunk.body) / 4));
        for (let index = 0; index < this.#resourceIds.length; index++) {
          this.#resourceIds[index] = this.#view.getUint32(chunk.body + index * 4, true);
        }
      } else if (chunk.type >= chunkTypes.xmlStartNamespace && chunk.type <= chunkTypes.xmlLastNode) {
        return at;
      } else {
        this.#report('axml-unknown-chunk', at, `type 0x${chunk.type.toString(16)}, ${chunk.end - at} bytes`);
      }
      at = chunk.end;
    }
    return null;
  }

  /** A string pool with a wrong size: it ends where the resource map or the first node begins. */
  #repairedPool(at: number): Chunk | null {
    if (this.#view.getUint16(at, true) !== chunkTypes.stringPool || at + 28 > this.#end) return null;
    const end = this.#nextNode(at + 27);
    if (end === null) return null;
    this.#report('axml-string-pool-size', at, `ends at 0x${end.toString(16)}`);
    return { type: chunkTypes.stringPool, start: at, body: at + 28, end };
  }

  /** The next offset past `start`, in steps of 4, where a resource map or a plausible node stands. */
  #nextNode(start: number): number | null {
    for (let at = start - (start % 4) + 4; at + nodeHeaderSize <= this.#end; at += 4) {
      const type = this.#view.getUint16(at, true);
      const headerSize = this.#view.getUint16(at + 2, true);
      const size = this.#view.getUint32(at + 4, true);
      if (size > this.#end - at || size % 4 !== 0) continue;
      if (type === chunkTypes.xmlResourceMap && headerSize === 8 && size >= 8 && size < 65536) return at;
      const isNode = type >= chunkTypes.xmlStartNamespace && type <= chunkTypes.xmlText;
      if (isNode && headerSize === nodeHeaderSize && size >= 24) return at;
    }
    return null;
  }

  #readNodes(start: number): void {
    let at = start;
    while (at + chunkHeaderSize <= this.#end) {
      const chunk = readChunk(this.#view, at, this.#end, nodeHeaderSize);
      if (chunk === null) {
        const next = this.#nextNode(at);
        this.#report(
          'axml-bad-chunk',
          at,
          next === null ? 'the rest is not read' : `goes on at 0x${next.toString(16)}`,
        );
        if (next === null) return;
        at = next;
        continue;
      }
      if (((chunk.body | chunk.end) & 3) !== 0)
        this.#report('axml-unaligned', at, `chunk 0x${chunk.type.toString(16)}`);
      if (chunk.body - at !== nodeHeaderSize) {
        this.#report(
          'axml-node-header',
          at,
          `type 0x${chunk.type.toString(16)}, ${chunk.body - at} bytes instead of 16`,
        );
      }
      this.#readNode(chunk);
      at = chunk.end;
      if (this.#elements > maxElements || this.#attributes > maxAttributes) {
        this.#report(
          'axml-too-large',
          at,
          `${this.#elements} elements, ${this.#attributes} attributes; the rest is not read`,
        );
        return;
      }
    }
  }

  #readNode(chunk: Chunk): void {
    const room = chunk.end - chunk.body;
    switch (chunk.type) {
      case chunkTypes.xmlStartNamespace:
        if (room >= 8) this.#startNamespace(chunk);
        else this.#report('axml-bad-chunk', chunk.start, 'a namespace without its name');
        return;
      case chunkTypes.xmlEndNamespace:
        return;
      case chunkTypes.xmlStartElement:
        if (room >= attributeExtSize) this.#startElement(chunk);
        else this.#report('axml-bad-chunk', chunk.start, 'an element without its name');
        return;
      case chunkTypes.xmlEndElement:
        this.#endElement(chunk);
        return;
      case chunkTypes.xmlText:
        if (room >= 4) this.#text(chunk);
        return;
      default:
        this.#report(
          'axml-unknown-chunk',
          chunk.start,
          `type 0x${chunk.type.toString(16)}, ${chunk.end - chunk.start} bytes`,
        );
    }
  }

  #startNamespace(chunk: Chunk): void {
    const prefix = this.#strings.at(this.#view.getUint32(chunk.body, true)) ?? '';
    const uri = this.#strings.at(this.#view.getUint32(chunk.body + 4, true)) ?? '';
    if (this.#pendingNamespaces.length < 100) this.#pendingNamespaces.push({ prefix, uri });
  }

  #startElement(chunk: Chunk): void {
    const view = this.#view;
    this.#elements++;
    if (this.#open.length >= maxDepth) {
      if (this.#open.length === maxDepth) this.#report('axml-too-deep', chunk.start, `more than ${maxDepth} levels`);
      if (this.#open.length < maxElements) this.#open.push(null);
      return;
    }
    const namespaceIndex = view.getUint32(chunk.body, true);
    const nameIndex = view.getUint32(chunk.body + 4, true);
    const name = this.#strings.at(nameIndex);
    if (name === null) this.#report('axml-missing-name', chunk.start, `element name ${nameIndex} is not in the pool`);
    const element: XmlElement = {
      namespace: namespaceIndex === none ? null : this.#strings.at(namespaceIndex),
      name: name ?? '',
      attributes: this.#readAttributes(chunk),
      children: [],
      line: view.getUint32(chunk.start + 8, true),
      namespaces: this.#pendingNamespaces,
    };
    this.#pendingNamespaces = [];
    const parent = this.#open.at(-1);
    if (parent) parent.children.push(element);
    else {
      if (this.#document.root === null) this.#document.root = element;
      else this.#report('axml-second-root', chunk.start, `<${element.name}>`);
      this.#document.children.push(element);
    }
    this.#open.push(element);
  }

  #endElement(chunk: Chunk): void {
    if (this.#open.length === 0) {
      this.#report('axml-surplus-end', chunk.start, 'an end without a start');
      return;
    }
    // Android counts levels and does not compare names.
    const element = this.#open.pop();
    if (!element || chunk.end - chunk.body < 8) return;
    const name = this.#strings.at(this.#view.getUint32(chunk.body + 4, true));
    if (name !== element.name) this.#report('axml-end-name', chunk.start, `<${element.name}> ends as </${name ?? ''}>`);
  }

  #text(chunk: Chunk): void {
    const text = this.#strings.at(this.#view.getUint32(chunk.body, true));
    if (text === null) return;
    if (++this.#texts > maxTexts) {
      if (this.#texts === maxTexts + 1) this.#report('axml-too-large', chunk.start, `more than ${maxTexts} texts`);
      return;
    }
    const node = { text, line: this.#view.getUint32(chunk.start + 8, true) };
    const parent = this.#open.at(-1);
    if (parent) parent.children.push(node);
    else if (parent === undefined) this.#document.children.push(node);
  }

  #readAttributes(chunk: Chunk): XmlAttribute[] {
    const view = this.#view;
    const start = view.getUint16(chunk.body + 8, true);
    const size = view.getUint16(chunk.body + 10, true);
    let count = view.getUint16(chunk.body + 12, true);
    if (count === 0) return [];
    if (start !== attributeExtSize || size !== attributeSize) {
      this.#report('axml-attribute-layout', chunk.body + 8, `start ${start}, size ${size}; usual are 20 and 20`);
    }
    // With a size of 0 all attributes would be the first one again.
    if (size === 0) count = 1;
    const attributes: XmlAttribute[] = [];
    let highestId = 0;
    for (let index = 0; index < count; index++) {
      const at = chunk.body + start + index * size;
      if (at + attributeSize > chunk.end && (at + attributeSize > this.#end || size >= attributeSize)) {
        this.#report('axml-attribute-count', chunk.body + 12, `${count} attributes declared, room for ${index}`);
        break;
      }
      const attribute = this.#readAttribute(at);
      attributes.push(attribute);
      const { resourceId } = attribute;
      if (resourceId === 0) continue;
      // Android goes through its own sorted list and the element's attributes of a package side by side, once.
      const isSamePackage = resourceId >>> 24 === highestId >>> 24;
      if (isSamePackage && resourceId <= highestId) {
        this.#report(
          'axml-attribute-order',
          at,
          `${attribute.name} stands where Android does not look for it any more`,
        );
      }
      highestId = isSamePackage ? Math.max(highestId, resourceId) : resourceId;
    }
    this.#attributes += attributes.length;
    return attributes;
  }

  #readAttribute(at: number): XmlAttribute {
    const view = this.#view;
    const namespaceIndex = view.getUint32(at, true);
    const nameIndex = view.getUint32(at + 4, true);
    const rawIndex = view.getUint32(at + 8, true);
    const type = view.getUint8(at + 15);
    const data = view.getUint32(at + 16, true);
    const resourceId = this.#resourceIds[nameIndex] ?? 0;
    const written = this.#strings.at(nameIndex);
    if (written === null) this.#report('axml-missing-name', at, `attribute name ${nameIndex} is not in the pool`);
    const known = androidAttributeName(resourceId);
    if (known !== null && written !== known && written !== null && written !== '') {
      this.#report('axml-attribute-name', at, `"${written}" has the id of android:${known}`);
    }
    const rawValue = rawIndex === none ? null : this.#strings.at(rawIndex);
    const text = type === valueTypes.string ? (this.#strings.at(data) ?? rawValue) : null;
    if (text !== null && rawValue !== null && text !== rawValue) {
      this.#report('axml-attribute-value', at, `written "${rawValue}", read "${text}"`);
    }
    return {
      namespace: namespaceIndex === none ? null : this.#strings.at(namespaceIndex),
      name: known ?? written ?? '',
      writtenName: written ?? '',
      resourceId,
      rawValue,
      type,
      data,
      text,
    };
  }
}
