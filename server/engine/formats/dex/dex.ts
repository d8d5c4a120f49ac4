// One dex file: its tables of strings, types, prototypes, fields, methods and classes, read on demand. Knows no code items.
//
// https://source.android.com/docs/core/runtime/dex-format
import type { Findings } from '../../findings.ts';
import { FormatError } from '../byte-reader.ts';
import {
  type DexHeader,
  isDexAt,
  itemSizes,
  type MapSections,
  readHeader,
  readMap,
  type Section,
  tablesSize,
} from './header.ts';
import { LebCursor } from './leb128.ts';
import { decodeMutf8, stringEnd } from './mutf8.ts';

/** An index that stands for "none", `NO_INDEX` in the format's description. */
export const noIndex = 0xffffffff;

/** https://source.android.com/docs/core/runtime/dex-format#class-def-item; an offset of 0 means there is none. */
export interface ClassDef {
  readonly index: number;
  readonly typeIndex: number;
  readonly accessFlags: number;
  readonly superclassIndex: number;
  readonly interfacesOffset: number;
  readonly sourceFileIndex: number;
  readonly annotationsOffset: number;
  readonly classDataOffset: number;
  readonly staticValuesOffset: number;
}

/** Type indexes have 16 bits: a longer list of interfaces repeats itself. */
const maxTypeList = 65_535;
/** An invocation takes 255 registers at most, so no method has more parameters. */
const maxParameters = 255;
/** Prototypes with more are read anew each time. */
const maxKeptParameters = 16;
/** Strings lie one after the other and are decoded once: only those that overlap on purpose sum up to more. */
const decodingFactor = 4;
const decodingAllowance = 1 << 20;

/** What the dex files of one container share, so that a thousand of them cost little more than one. */
interface DexContainer {
  parts: number;
  /** UTF-16 units that strings, and prototypes' texts, may still take. */
  stringUnitsLeft: number;
  descriptorUnitsLeft: number;
}

function newContainer(bytes: Uint8Array): DexContainer {
  const units = bytes.length * decodingFactor + decodingAllowance;
  return { parts: 0, stringUnitsLeft: units, descriptorUnitsLeft: units };
}

/**
 * Every index keeps its meaning: a bad entry reads as a placeholder such as `string@12`, never shifts the others.
 * Strings are decoded when they are first asked for, and kept.
 */
export class Dex {
  /** The whole file, for a container all of it: every offset counts from its start. */
  readonly bytes: Buffer;
  readonly view: DataView;
  /** The file as code units; an odd trailing byte is not in it. */
  readonly units: Uint16Array;
  /** The file as words of 32 bits, without up to three trailing bytes. */
  readonly words: Uint32Array;
  readonly header: DexHeader;
  /** Entry name, for findings. */
  readonly where: string;
  readonly findings: Findings;

  readonly stringOffsets: Uint32Array;
  /** Per type: index of its descriptor. */
  readonly typeIds: Uint32Array;
  /** Per prototype three words: shorty, return type, offset of the parameter list. */
  readonly protoIds: Uint32Array;
  /** Per field four units: class, type, name (low, high). */
  readonly fieldIds: Uint16Array;
  /** Per method four units: class, prototype, name (low, high). */
  readonly methodIds: Uint16Array;
  /** Per class eight words. */
  readonly classDefs: Uint32Array;

  readonly #strings: (string | undefined)[];
  readonly #descriptors: (string | undefined)[] = [];
  /** Per prototype the types of its parameters, where these are few. */
  readonly #parameters: (readonly string[] | undefined)[] = [];
  readonly #container: DexContainer;
  #map: MapSections | undefined;
  #classIndexes: Map<string, number> | undefined;

  /** @throws FormatError where there is no dex header; use `openDex` */
  constructor(
    bytes: Buffer,
    headerOffset: number,
    findings: Findings,
    where: string,
    container: DexContainer = newContainer(bytes),
  ) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.units = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
    this.words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    this.findings = findings;
    this.where = where;
    this.header = readHeader(bytes, headerOffset, findings, where);
    this.stringOffsets = this.#words(this.header.strings, itemSizes.strings);
    this.typeIds = this.#words(this.header.types, itemSizes.types);
    this.protoIds = this.#words(this.header.protos, itemSizes.protos);
    this.classDefs = this.#words(this.header.classes, itemSizes.classes);
    this.fieldIds = this.#halves(this.header.fields, itemSizes.fields);
    this.methodIds = this.#halves(this.header.methods, itemSizes.methods);
    this.#strings = [];
    this.#container = container;
    container.parts++;
  }

  /** A table's bytes from an address that typed arrays can look at: in place where it is aligned, else copied. */
  #aligned(section: Section, itemSize: number, alignment: number): Uint8Array {
    const part = this.bytes.subarray(section.offset, section.offset + section.count * itemSize);
    if (part.byteOffset % alignment === 0) return part;
    this.findings.add('dex-misaligned', this.where, `a table stands at 0x${section.offset.toString(16)}`);
    return Uint8Array.prototype.slice.call(part);
  }

  #words(section: Section, itemSize: number): Uint32Array {
    const part = this.#aligned(section, itemSize, 4);
    return new Uint32Array(part.buffer, part.byteOffset, part.length >> 2);
  }

  #halves(section: Section, itemSize: number): Uint16Array {
    const part = this.#aligned(section, itemSize, 2);
    return new Uint16Array(part.buffer, part.byteOffset, part.length >> 1);
  }

  /** How many dex files share these bytes. */
  get containerParts(): number {
    return this.#container.parts;
  }

  get stringCount(): number {
    return this.header.strings.count;
  }

  get typeCount(): number {
    return this.header.types.count;
  }

  get protoCount(): number {
    return this.header.protos.count;
  }

  get fieldCount(): number {
    return this.header.fields.count;
  }

  get methodCount(): number {
    return this.header.methods.count;
  }

  get classCount(): number {
    return this.header.classes.count;
  }

  /** Sections that only the map names. */
  get map(): MapSections {
    this.#map ??= readMap(this.bytes, this.header, this.findings, this.where);
    return this.#map;
  }

  /** Where the bytes of string `index` stand, without their NUL; null where the entry is bad. */
  stringRange(index: number): { start: number; end: number } | null {
    const offset = this.stringOffsets[index];
    if (offset === undefined || offset >= this.bytes.length) return null;
    let start = offset;
    while (start < offset + 5 && start < this.bytes.length && this.bytes[start]! >= 0x80) start++;
    start++;
    return start > this.bytes.length ? null : { start, end: stringEnd(this.bytes, start) };
  }

  /** Text of string `index`, null where the index or its entry is bad. */
  stringOrNull(index: number): string | null {
    const known = this.#strings[index];
    if (known !== undefined) return known;
    const range = this.stringRange(index);
    if (range === null) return null;
    if (range.end - range.start > this.#container.stringUnitsLeft) {
      this.findings.add('dex-text-limit', this.where, `string ${index} and others overlap too much to be read`);
      return null;
    }
    this.#container.stringUnitsLeft -= range.end - range.start;
    const { text, isMalformed } = decodeMutf8(this.bytes, range.start, range.end);
    if (isMalformed) this.findings.add('dex-string-encoding', `${this.where}:string@${index}`, text);
    const declared = new LebCursor(this.bytes, this.stringOffsets[index]!).uleb();
    if (declared !== text.length) {
      this.findings.add(
        'dex-string-length',
        `${this.where}:string@${index}`,
        `${declared} units are declared, ${text.length} are there`,
      );
    }
    this.#strings[index] = text;
    return text;
  }

  /** Text of string `index`, `string@N` where it is bad. */
  string(index: number): string {
    return this.stringOrNull(index) ?? `string@${index}`;
  }

  /** Descriptor of type `index`, for example `Ljava/lang/String;`; `type@N` where it is bad. */
  type(index: number): string {
    const string = this.typeIds[index];
    return (string === undefined ? null : this.stringOrNull(string)) ?? `type@${index}`;
  }

  /** Type indexes of a type list; empty for offset 0. https://source.android.com/docs/core/runtime/dex-format#type-list */
  typeList(offset: number, limit = maxTypeList): number[] {
    if (offset === 0) return [];
    if (offset + 4 > this.bytes.length) {
      this.findings.add('dex-offset-outside', this.where, `type list at 0x${offset.toString(16)}`);
      return [];
    }
    const declared = this.view.getUint32(offset, true);
    const count = Math.min(declared, (this.bytes.length - offset - 4) >> 1, limit);
    if (count < declared) {
      this.findings.add('dex-type-list', this.where, `${declared} types at 0x${offset.toString(16)}, ${count} read`);
    }
    return Array.from({ length: count }, (_, index) => this.view.getUint16(offset + 4 + index * 2, true));
  }

  #isProto(index: number): boolean {
    return index >= 0 && index < this.protoCount;
  }

  protoShorty(index: number): string {
    return this.#isProto(index) ? this.string(this.protoIds[index * 3]!) : `proto@${index}`;
  }

  /** `V` where the index is bad. */
  protoReturnType(index: number): string {
    return this.#isProto(index) ? this.type(this.protoIds[index * 3 + 1]!) : 'V';
  }

  protoParameters(index: number): readonly string[] {
    const known = this.#parameters[index];
    if (known !== undefined) return known;
    if (!this.#isProto(index)) return [];
    const parameters = this.typeList(this.protoIds[index * 3 + 2]!, maxParameters).map((type) => this.type(type));
    if (parameters.length <= maxKeptParameters) this.#parameters[index] = parameters;
    return parameters;
  }

  /** `(ILjava/lang/String;)V`; `proto@N` where the index is bad. */
  protoDescriptor(index: number): string {
    if (!this.#isProto(index)) return `proto@${index}`;
    const known = this.#descriptors[index];
    if (known !== undefined) return known;
    const parameters = this.protoParameters(index);
    const length = parameters.reduce((sum, { length }) => sum + length, 0);
    if (length > this.#container.descriptorUnitsLeft) {
      this.findings.add('dex-text-limit', this.where, `prototype ${index} repeats types of long names`);
      return `proto@${index}`;
    }
    this.#container.descriptorUnitsLeft -= length;
    const descriptor = `(${parameters.join('')})${this.protoReturnType(index)}`;
    this.#descriptors[index] = descriptor;
    return descriptor;
  }

  /** Type index of the class that method `index` is looked up in, -1 where the index is bad. */
  methodClassIndex(index: number): number {
    return this.methodIds[index * 4] ?? -1;
  }

  methodProtoIndex(index: number): number {
    return this.methodIds[index * 4 + 1] ?? -1;
  }

  /** String index, -1 where the index is bad. */
  methodNameIndex(index: number): number {
    return index < this.methodCount
      ? (this.methodIds[index * 4 + 2]! | (this.methodIds[index * 4 + 3]! << 16)) >>> 0
      : -1;
  }

  methodClass(index: number): string {
    return index < this.methodCount ? this.type(this.methodIds[index * 4]!) : `method@${index}`;
  }

  methodName(index: number): string {
    return index < this.methodCount ? this.string(this.methodNameIndex(index)) : `method@${index}`;
  }

  /** `(I)V` */
  methodDescriptor(index: number): string {
    return index < this.methodCount ? this.protoDescriptor(this.methodIds[index * 4 + 1]!) : `method@${index}`;
  }

  /** `Lcom/example/A;->name(I)V`; `method@N` where the index is bad. */
  method(index: number): string {
    if (index >= this.methodCount) return `method@${index}`;
    return `${this.methodClass(index)}->${this.methodName(index)}${this.methodDescriptor(index)}`;
  }

  /** Type index, -1 where the index is bad. */
  fieldClassIndex(index: number): number {
    return this.fieldIds[index * 4] ?? -1;
  }

  /** String index, -1 where the index is bad. */
  fieldNameIndex(index: number): number {
    return index < this.fieldCount ? (this.fieldIds[index * 4 + 2]! | (this.fieldIds[index * 4 + 3]! << 16)) >>> 0 : -1;
  }

  fieldClass(index: number): string {
    return index < this.fieldCount ? this.type(this.fieldIds[index * 4]!) : `field@${index}`;
  }

  fieldName(index: number): string {
    return index < this.fieldCount ? this.string(this.fieldNameIndex(index)) : `field@${index}`;
  }

  fieldTypeIndex(index: number): number {
    return this.fieldIds[index * 4 + 1] ?? -1;
  }

  fieldType(index: number): string {
    return index < this.fieldCount ? this.type(this.fieldIds[index * 4 + 1]!) : `field@${index}`;
  }

  /** `Lcom/example/A;->name:I`; `field@N` where the index is bad. */
  field(index: number): string {
    if (index >= this.fieldCount) return `field@${index}`;
    return `${this.fieldClass(index)}->${this.fieldName(index)}:${this.fieldType(index)}`;
  }

  /** @throws RangeError where `index` is not below `classCount` */
  classDef(index: number): ClassDef {
    if (!(index < this.classCount)) throw new RangeError(`class ${index} of ${this.classCount}`);
    const at = index * 8;
    const word = (position: number) => this.classDefs[at + position]!;
    return {
      index,
      typeIndex: word(0),
      accessFlags: word(1),
      superclassIndex: word(2),
      interfacesOffset: word(3),
      sourceFileIndex: word(4),
      annotationsOffset: word(5),
      classDataOffset: word(6),
      staticValuesOffset: word(7),
    };
  }

  /** Descriptor of class `index`, by its place among the class definitions. */
  className(index: number): string {
    return this.type(this.classDefs[index * 8]!);
  }

  /** Index of the class that defines a descriptor, -1 where none does. As on Android the first definition counts. */
  classByDescriptor(descriptor: string): number {
    if (this.#classIndexes === undefined) {
      this.#classIndexes = new Map();
      for (let index = this.classCount - 1; index >= 0; index--) this.#classIndexes.set(this.className(index), index);
    }
    return this.#classIndexes.get(descriptor) ?? -1;
  }
}

/** The bytes as a Buffer whose start a typed array can look at; copied only where it is misaligned. */
function alignedBuffer(bytes: Uint8Array): Buffer {
  if (bytes.byteOffset % 4 === 0) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}

/**
 * Opens a dex file. Its tables are bounded by the bytes that are there; everything odd becomes a finding.
 * @param where entry name, for findings
 * @throws FormatError `dex-magic` or `truncated` where there is no whole header
 */
export function openDex(bytes: Uint8Array, findings: Findings, where: string): Dex {
  return new Dex(alignedBuffer(bytes), 0, findings, where);
}

/** As many dex files as an entry's `classesN.dex` could ever be; a container with more is cut. */
const maxContainerParts = 1000;

/**
 * Opens every dex file of a container (version 041); one element for an ordinary file.
 * @throws FormatError as `openDex`, for the first one
 */
export function openDexContainer(bytes: Uint8Array, findings: Findings, where: string): Dex[] {
  const buffer = alignedBuffer(bytes);
  const container = newContainer(buffer);
  let last = new Dex(buffer, 0, findings, where, container);
  const parts = [last];
  let tablesLeft = buffer.length - tablesSize(last.header);
  while (last.header.containerSize !== null) {
    const next = last.header.offset + last.header.fileSize;
    if (last.header.fileSize < last.header.headerSize || next >= buffer.length || next >= last.header.containerSize)
      break;
    const name = `${where}#${parts.length + 1}`;
    // Each dex has tables of its own; only the data behind them are shared.
    if (parts.length >= maxContainerParts || tablesLeft < 0 || !isDexAt(buffer, next)) {
      findings.add('dex-container', name, `no further dex is read at 0x${next.toString(16)}`);
      break;
    }
    try {
      last = new Dex(buffer, next, findings, name, container);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      findings.add('dex-container', name, error.message);
      break;
    }
    tablesLeft -= tablesSize(last.header);
    parts.push(last);
  }
  return parts;
}
