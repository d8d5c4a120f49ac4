// Walks every instruction of a dex file once and reports those that refer to marked strings, types, fields or methods.
// Decodes nothing else, for most of a report's time is spent here.
import type { Dex } from './dex.ts';
import { LebCursor } from './leb128.ts';
import { fieldFault, methodFault } from './member-faults.ts';
import { type IndexKind, opcodeLengths, opcodes, payloadLength } from './opcodes.ts';

/**
 * What to look for: per kind one byte per index, not 0 where an instruction that refers to it is wanted. Method marks
 * also match `invoke-polymorphic`.
 */
export interface CodeInterest {
  /** Whether a class definition's code is walked; all are where it is missing. */
  classes?: (classIndex: number) => boolean;
  strings?: Uint8Array;
  types?: Uint8Array;
  fields?: Uint8Array;
  methods?: Uint8Array;
  /** Told of all code, once where methods share it. */
  code?: CodeRun;
}

/** The instructions of a method of a class, by their places: `units` from `start` to before `end`. */
export type CodeRun = (classIndex: number, units: Uint16Array, start: number, end: number, methodIndex: number) => void;

/**
 * @param classIndex place among the class definitions
 * @param methodIndex index of the calling method
 * @param codeOffset file offset of the method's code item
 * @param at position of the instruction in the method's code units
 * @param index of the string, type, field or method it refers to
 */
export type CodeHit = (
  classIndex: number,
  methodIndex: number,
  codeOffset: number,
  at: number,
  opcode: number,
  index: number,
) => void;

export interface CodeCounts {
  classes: number;
  /** Methods that classes define, with code or without. */
  methods: number;
  /** Methods without code: native or abstract. */
  methodsWithoutCode: number;
  nativeMethods: number;
  /** Payloads of switches and arrays count as one each. */
  instructions: number;
}

/** Where an instruction's reference goes, by opcode: 0 nowhere, else a slot of `marks`. */
const slots: Partial<Record<IndexKind, number>> = { string: 1, type: 2, field: 3, method: 4, 'method-and-proto': 4 };
const slotOf = Uint8Array.from(opcodes, (opcode) => slots[opcode.index] ?? 0);
const constStringJumbo = 0x1b;
const accNative = 0x100;

/** Methods may share their code, so the sum of all code can exceed the file; legitimately never by this factor. */
const maxSharing = 4;
/** The same for the dex files of a container together, each of which holds little more than its share of the code. */
const maxContainerSharing = 16;
/** An encoded method takes three bytes at least. */
const minMethodBytes = 3;
const codeHeaderLength = 16;
/** Calls of up to five arguments may name a register more than once. */
const freeOuts = 5;
const noMarks = new Uint8Array(0);

/** Scans all code of a dex file in the order of its classes. Time is linear in the file's size whatever it holds. */
export function scanCode(dex: Dex, interest: CodeInterest, hit: CodeHit): CodeCounts {
  return new CodeScan(dex, interest, hit).run();
}

class CodeScan {
  readonly #dex: Dex;
  readonly #hit: CodeHit;
  readonly #classes: CodeInterest['classes'];
  readonly #code: CodeInterest['code'];
  /** By slot. */
  readonly #marks: readonly Uint8Array[];
  readonly #counts: CodeCounts;
  readonly #cursor: LebCursor;
  #unitsLeft: number;
  #entriesLeft: number;
  /** A bit for each word at which code can stand: code that methods share counts once. */
  readonly #seen: Uint32Array;
  #codeItems = 0;

  constructor(dex: Dex, { classes, strings, types, fields, methods, code }: CodeInterest, hit: CodeHit) {
    const { bytes, units, classCount } = dex;
    this.#dex = dex;
    this.#hit = hit;
    this.#classes = classes;
    this.#code = code;
    this.#marks = [noMarks, strings ?? noMarks, types ?? noMarks, fields ?? noMarks, methods ?? noMarks];
    this.#counts = { classes: classCount, methods: 0, methodsWithoutCode: 0, nativeMethods: 0, instructions: 0 };
    this.#cursor = new LebCursor(bytes, 0);
    const sharing = sharingOf(dex);
    this.#unitsLeft = Math.max(1024, units.length * sharing);
    this.#entriesLeft = Math.floor(bytes.length / minMethodBytes) * sharing;
    this.#seen = new Uint32Array((bytes.length >> 7) + 1);
  }

  run(): CodeCounts {
    const dex = this.#dex;
    for (let classIndex = 0; classIndex < dex.classCount; classIndex++) {
      const offset = dex.classDefs[classIndex * 8 + 6]!;
      if (offset === 0 || this.#classes?.(classIndex) === false) continue;
      if (offset >= dex.bytes.length) {
        const where = `${dex.where}:${dex.className(classIndex)}`;
        dex.findings.add('dex-offset-outside', where, `class data at 0x${offset.toString(16)}`);
        continue;
      }
      const fault = this.#scanClass(classIndex, offset);
      if (fault !== null) dex.findings.add('dex-class-data', `${dex.where}:${dex.className(classIndex)}`, fault);
    }
    if (this.#entriesLeft <= 0 || this.#unitsLeft <= 0) {
      dex.findings.add('dex-code-limit', dex.where, 'classes share so much code or data that the rest was not scanned');
    } else if (this.#classes === undefined) {
      reportHiddenCode(dex, this.#codeItems);
    }
    return this.#counts;
  }

  /** Scans the methods of a class; returns why Android would refuse its class data, null where it would not. */
  #scanClass(classIndex: number, offset: number): string | null {
    const cursor = this.#cursor;
    cursor.offset = offset;
    cursor.isPastEnd = false;
    const staticFields = cursor.uleb();
    const instanceFields = cursor.uleb();
    const directMethods = cursor.uleb();
    const virtualMethods = cursor.uleb();
    const type = this.#dex.classDefs[classIndex * 8]!;
    let fault: string | null = null;
    let fieldIndex = 0;
    for (let left = staticFields + instanceFields; left > 0 && this.#entriesLeft > 0; left--) {
      if (left === instanceFields) fieldIndex = 0;
      fieldIndex += cursor.uleb();
      const accessFlags = cursor.uleb();
      if (cursor.isPastEnd) break;
      this.#entriesLeft--;
      fault ??= fieldFault(this.#dex, type, fieldIndex, accessFlags, left > instanceFields);
    }
    for (const isDirect of [true, false]) {
      const found = this.#scanMethods(classIndex, isDirect ? directMethods : virtualMethods, isDirect);
      fault ??= found;
    }
    return cursor.isPastEnd ? 'the class data is cut off' : fault;
  }

  /** Scans one of a class's two lists of methods, which the cursor is at; returns what is wrong with the first bad one. */
  #scanMethods(classIndex: number, count: number, isDirect: boolean): string | null {
    const dex = this.#dex;
    const cursor = this.#cursor;
    const type = dex.classDefs[classIndex * 8]!;
    let fault: string | null = null;
    let methodIndex = 0;
    for (let left = count; left > 0 && this.#entriesLeft > 0; left--) {
      const step = cursor.uleb();
      methodIndex += step;
      const accessFlags = cursor.uleb();
      const codeOffset = cursor.uleb();
      if (cursor.isPastEnd) break;
      this.#entriesLeft--;
      this.#counts.methods++;
      if (step === 0 && left < count) {
        dex.findings.add('dex-hidden-code', whereOf(dex, methodIndex), 'its class lists it more than once');
      }
      fault ??= methodFault(dex, type, methodIndex, accessFlags, codeOffset !== 0, isDirect);
      if ((accessFlags & accNative) !== 0) this.#counts.nativeMethods++;
      if (codeOffset === 0) this.#counts.methodsWithoutCode++;
      else this.#scanMethod(classIndex, methodIndex, codeOffset);
    }
    return fault;
  }

  #scanMethod(classIndex: number, methodIndex: number, codeOffset: number): void {
    const dex = this.#dex;
    const { bytes, view } = dex;
    if (codeOffset + codeHeaderLength > bytes.length) {
      dex.findings.add('dex-offset-outside', whereOf(dex, methodIndex), `code at 0x${codeOffset.toString(16)}`);
      return;
    }
    const bit = 1 << ((codeOffset >> 2) & 31);
    const isNew = (this.#seen[codeOffset >> 7]! & bit) === 0;
    if (isNew) {
      this.#seen[codeOffset >> 7]! |= bit;
      this.#codeItems++;
    }
    const registers = view.getUint16(codeOffset, true);
    const ins = view.getUint16(codeOffset + 2, true);
    const outs = view.getUint16(codeOffset + 4, true);
    if (ins > registers || (outs > freeOuts && outs > registers)) {
      const evidence = `${ins} arguments come in and ${outs} go out by ${registers} registers`;
      dex.findings.add('dex-registers', whereOf(dex, methodIndex), evidence);
    }
    const declared = view.getUint32(codeOffset + 12, true);
    const start = codeOffset + codeHeaderLength;
    const room = (bytes.length - start) >> 1;
    if (declared > room) {
      dex.findings.add('dex-code-truncated', whereOf(dex, methodIndex), `${declared} code units, room for ${room}`);
    }
    const length = Math.min(declared, room, this.#unitsLeft);
    this.#unitsLeft -= length;
    if (!this.#scanUnits(classIndex, methodIndex, codeOffset, length, isNew)) {
      const evidence = 'the last instruction runs past the end of the code';
      dex.findings.add('dex-code-overrun', whereOf(dex, methodIndex), evidence);
    }
  }

  /** Walks the instructions of a method; false where the last one runs past their end. */
  #scanUnits(classIndex: number, methodIndex: number, codeOffset: number, length: number, isNew: boolean): boolean {
    const { bytes, units } = this.#dex;
    const marks = this.#marks;
    const start = codeOffset + codeHeaderLength;
    let code = units;
    let base = start >> 1;
    if ((start & 1) !== 0) {
      code = new Uint16Array(bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + start + length * 2));
      base = 0;
    }
    const end = base + length;
    if (isNew) this.#code?.(classIndex, code, base, end, methodIndex);
    let at = base;
    let instructions = 0;
    while (at < end) {
      const unit = code[at]!;
      const opcode = unit & 0xff;
      instructions++;
      if (opcode === 0) {
        at += unit === 0 ? 1 : payloadLength(code, at, end) || 1;
        continue;
      }
      const slot = slotOf[opcode]!;
      const next = at + opcodeLengths[opcode]!;
      if (slot !== 0 && next <= end) {
        const index = opcode === constStringJumbo ? (code[at + 1]! | (code[at + 2]! << 16)) >>> 0 : code[at + 1]!;
        const marked = marks[slot]!;
        if (index < marked.length && marked[index] !== 0)
          this.#hit(classIndex, methodIndex, codeOffset, at - base, opcode, index);
      }
      at = next;
    }
    this.#counts.instructions += instructions;
    return at <= end;
  }
}

/** Map type of code. https://source.android.com/docs/core/runtime/dex-format#type-codes */
const codeItemType = 0x2001;

/** Reports code that belongs to no method: compilers write none, an app that changes its own dex file can use it. */
function reportHiddenCode(dex: Dex, codeItems: number): void {
  const mapped = dex.map.entries.find(({ type }) => type === codeItemType)?.count ?? 0;
  // The map of one dex of a container may count the code of all.
  if (mapped <= codeItems || dex.containerParts > 1) return;
  const evidence = `${mapped} pieces of code in the map, ${codeItems} that methods have`;
  dex.findings.add('dex-hidden-code', dex.where, evidence);
}

const sharingOf = ({ containerParts }: Dex): number => Math.min(maxSharing, maxContainerSharing / containerParts);

function whereOf(dex: Dex, methodIndex: number): string {
  return `${dex.where}:${dex.method(methodIndex)}`;
}

/** A loop that does nothing else is soon compiled, which one among others is not while an app is looked at. */
function endOfString(bytes: Buffer, start: number): number {
  let end = start;
  while (end < bytes.length && bytes[end] !== 0) end++;
  return end;
}

/** What is told of a string: its raw bytes, `bytes[start, end)` in MUTF-8, and its place among the strings. */
type StringHit = (bytes: Buffer, start: number, end: number, index: number) => void;

/** Strings at a time: a function that is called often is compiled once, a loop that runs long once for each file. */
const stringBlock = 512;

/**
 * Hands out every string's raw bytes without decoding any; bad entries are left out, `index` keeps its place. Strings that
 * overlap on purpose are bounded: past four times the file's size the rest is cut.
 */
export function forEachString(dex: Dex, callback: StringHit): void {
  const { bytes, stringOffsets } = dex;
  const count = stringOffsets.length;
  let bytesLeft = Math.max(1024, bytes.length * sharingOf(dex));
  for (let from = 0; from < count; from += stringBlock) {
    bytesLeft = readStrings(dex, from, Math.min(count, from + stringBlock), bytesLeft, callback);
    if (bytesLeft < 0) return;
  }
}

/** Hands out strings of a block; answers how many bytes may still be read, below 0 where the rest is cut. */
function readStrings(dex: Dex, from: number, to: number, budget: number, callback: StringHit): number {
  const { bytes, stringOffsets } = dex;
  let bytesLeft = budget;
  for (let index = from; index < to; index++) {
    let start = stringOffsets[index]!;
    if (start >= bytes.length) continue;
    for (let length = 1; bytes[start]! >= 0x80 && length < 5; length++) start++;
    start++;
    if (start > bytes.length) continue;
    const end = endOfString(bytes, start);
    bytesLeft -= end - start + 1;
    if (bytesLeft < 0) {
      dex.findings.add('dex-string-limit', dex.where, `strings from ${index} on overlap too much to be read`);
      return bytesLeft;
    }
    callback(bytes, start, end, index);
  }
  return bytesLeft;
}
