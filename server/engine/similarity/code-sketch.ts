// What an app's own code does, as a sketch that renaming, reordering and repackaging leave alone. Knows no other app.
// MinHash with bands: Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, chapter 3.
import { type CodeSketch, hashBytes, maxSketchHashes, sketchBands } from '../../contract/engine/code-sketch.ts';
import { methodsOf } from '../formats/dex/class-data.ts';
import { codeAt } from '../formats/dex/code-item.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { type IndexKind, opcodeLengths, opcodes, payloadLength } from '../formats/dex/opcodes.ts';
import { ofPlatform, shapeOfTypes } from './method-fingerprint.ts';

/** Methods of less than that are alike in all apps. */
const minTokens = 8;
/** Of each method; what comes after tells little more. */
const maxMethodUnits = 65_536;
/** Of all code, methods of every so many lengths are looked at: libraries are most of it. */
const sampledLengths = 4;
/** Methods that overlap on purpose take no longer than some times the file. */
const maxSharing = 4;
const maxMethods = 1_000_000;
/** Minimal hashes in each band: two APKs with half of their code in common agree in a band of two in a quarter of all cases. */
const bandRows = 2;

const isOwn = (type: string): boolean => !ofPlatform.test(type.replace(/^\[+/, ''));

/** Spreads each bit over all others: the finalizer of MurmurHash3. */
function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function hashOfText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mixed(hash ^ text.length);
}

const skipped = 0;
const otherKind = 1;

/**
 * What an instruction is, by opcode, 0 where compilers put it in and leave it out as they like. Moves and jumps hang on
 * registers and on the order of blocks, the sense of a condition on which branch comes first, the kind of a call on whether
 * a member is private.
 */
const kinds = Uint32Array.from(opcodes, ({ mnemonic, isUnused }) => {
  if (isUnused) return otherKind;
  if (/^(nop|goto|move)/.test(mnemonic) && !/^move-exception/.test(mnemonic)) return skipped;
  if (/^if-\w+z$/.test(mnemonic)) return hashOfText('if-z');
  if (/^if-/.test(mnemonic)) return hashOfText('if');
  if (/^invoke-(virtual|super|direct|static|interface)/.test(mnemonic)) return hashOfText('invoke');
  if (/^const(\/|$)/.test(mnemonic)) return hashOfText('const');
  if (/^const-wide/.test(mnemonic)) return hashOfText('const-wide');
  return hashOfText(mnemonic.replace(/\/(range|jumbo|2addr|lit8|lit16)$/, ''));
});
const indexKinds: readonly IndexKind[] = opcodes.map(({ index }) => index);
const literalFormats: readonly string[] = opcodes.map(({ format, mnemonic }) =>
  /^const/.test(mnemonic) || /\/lit/.test(mnemonic) ? format : '',
);
const constStringJumbo = 0x1b;
const isHigh = opcodes.map(({ mnemonic }) => mnemonic.endsWith('/high16'));
const payload = 0x00;

/** Ids of resources are others in each build. */
const isResourceId = (value: number): boolean => value >>> 24 === 0x7f;

/** What is sketched. */
export interface SketchedCode {
  readonly dexes: readonly Dex[];
  /** Whether a type, by its index, is outside known libraries. */
  isOwn(dex: Dex, type: number): boolean;
}

class DexMethods {
  readonly #dex: Dex;
  readonly #tokens = new Map<IndexKind, Map<number, number>>();

  constructor(dex: Dex) {
    this.#dex = dex;
  }

  /** A hash of what the code does; null where it is too short to tell methods apart. */
  hashOf(units: Uint16Array): number | null {
    const end = Math.min(units.length, maxMethodUnits);
    let one = 0;
    let other = 0x9e3779b9;
    let tokens = 0;
    for (let at = 0; at < end; ) {
      const opcode = units[at]! & 0xff;
      const length = opcode === payload && units[at]! !== 0 ? payloadLength(units, at, end) : 0;
      const kind = kinds[opcode]!;
      if (kind !== skipped && length === 0) {
        const token = mixed(kind + this.#operand(units, at, opcode));
        one = Math.imul(one ^ token, 0x01000193);
        other = (Math.imul(other, 31) + token) | 0;
        tokens++;
      }
      at += Math.max(1, length === 0 ? opcodeLengths[opcode]! : length);
    }
    return tokens < minTokens ? null : mixed(mixed(one) ^ other);
  }

  #operand(units: Uint16Array, at: number, opcode: number): number {
    const kind = indexKinds[opcode]!;
    const low = units[at + 1] ?? 0;
    const wide = low | ((units[at + 2] ?? 0) << 16);
    if (kind !== 'none') return this.#indexed(kind, opcode === constStringJumbo ? wide >>> 0 : low);
    const value = literalOf(literalFormats[opcode]!, units[at]!, low, wide, isHigh[opcode]!);
    return isResourceId(value) ? 0 : value;
  }

  #indexed(kind: IndexKind, index: number): number {
    let tokens = this.#tokens.get(kind);
    if (tokens === undefined) {
      tokens = new Map();
      this.#tokens.set(kind, tokens);
    }
    let token = tokens.get(index);
    if (token === undefined) {
      token = hashOfText(this.#describe(kind, index));
      tokens.set(index, token);
    }
    return token;
  }

  /** Names of the platform as they are, all else by its shape. */
  #describe(kind: IndexKind, index: number): string {
    const dex = this.#dex;
    switch (kind) {
      case 'string':
        return `"${dex.string(index)}`;
      case 'type':
        return shapeOfTypes(dex.type(index), isOwn);
      case 'field':
        return isOwn(dex.fieldClass(index)) ? shapeOfTypes(dex.fieldType(index), isOwn) : dex.field(index);
      case 'method':
      case 'method-and-proto':
        return shapeOfTypes(isOwn(dex.methodClass(index)) ? dex.methodDescriptor(index) : dex.method(index), isOwn);
      case 'proto':
        return shapeOfTypes(dex.protoDescriptor(index), isOwn);
      default:
        return kind;
    }
  }
}

/** The number in an instruction, its lower half where it has 64 bits; 0 where it has none. */
function literalOf(format: string, unit: number, low: number, wide: number, isShifted: boolean): number {
  switch (format) {
    case '11n':
      return (unit << 16) >> 28;
    case '21s':
    case '22s':
    case '21h':
      return isShifted ? low << 16 : (low << 16) >> 16;
    case '22b':
      return (low << 16) >> 24;
    case '31i':
    case '51l':
      return wide;
    default:
      return 0;
  }
}

/** Code units that a method says it has. https://source.android.com/docs/core/runtime/dex-format#code-item */
const lengthAt = ({ view, bytes }: Dex, codeOffset: number): number =>
  codeOffset + 16 <= bytes.length ? view.getUint32(codeOffset + 12, true) : 0;

/** @param own of methods outside of known libraries; @param all of a sample of all methods */
function addHashes(dex: Dex, classes: SketchedCode, own: Set<number>, all: Set<number>): void {
  const methods = new DexMethods(dex);
  const seen = new Set<number>();
  let unitsLeft = Math.max(1024, dex.units.length * maxSharing);
  for (let index = 0; index < dex.classCount; index++) {
    const isOwnClass = classes.isOwn(dex, dex.classDefs[index * 8]!);
    for (const { codeOffset } of methodsOf(dex, index)) {
      if (codeOffset === 0 || seen.has(codeOffset)) continue;
      if (unitsLeft < 0 || all.size >= maxMethods) return;
      const isSampled = lengthAt(dex, codeOffset) % sampledLengths === 0;
      if (!isSampled && !isOwnClass) continue;
      seen.add(codeOffset);
      const code = codeAt(dex, codeOffset);
      if (code === null) continue;
      unitsLeft -= code.units.length;
      const hash = methods.hashOf(code.units);
      if (hash === null) continue;
      if (isSampled) all.add(hash);
      if (isOwnClass) own.add(hash);
    }
  }
}

const hasOwnClass = (dex: Dex, classes: SketchedCode): boolean =>
  Array.from({ length: dex.classCount }, (_, index) => dex.classDefs[index * 8]!).some((type) =>
    classes.isOwn(dex, type),
  );

/**
 * Minima of one permutation: Li, Owen, Zhang, One Permutation Hashing, 2012.
 * @param first the number of the first band
 */
function bandsOf(hashes: Iterable<number>, first: number): number[] {
  const minima = new Float64Array(sketchBands * bandRows).fill(Infinity);
  for (const hash of hashes) {
    const spread = mixed(hash ^ 0x9e3779b9);
    const row = spread % minima.length;
    if (spread < minima[row]!) minima[row] = spread;
  }
  if (minima.every((least) => least === Infinity)) return [];
  const rows = Uint32Array.from(minima, (own, row) => {
    let least = own;
    // A row that got no hash takes that of the next one that did.
    for (let away = 1; least === Infinity; away++) least = minima[(row + away) % minima.length]! + away;
    return least;
  });
  return Array.from({ length: sketchBands }, (_, band) => {
    const [one = 0, other = 0] = rows.subarray(band * bandRows, (band + 1) * bandRows);
    return (first + band) * 2 ** 32 + mixed(mixed(one) ^ Math.imul(other, 31));
  });
}

/**
 * The sketch of an app's code: hashes of what is outside of known libraries, and bands of that and of all code. Where an
 * obfuscator renamed libraries, too, all is own code, and the bands of all code are what the app has in common with itself.
 */
export function codeSketch(classes: SketchedCode): CodeSketch {
  const outside = new Set<number>();
  const all = new Set<number>();
  for (const dex of classes.dexes) addHashes(dex, classes, outside, all);
  // A copy under another name of an app whose company also publishes libraries has the names of these alone.
  const own = classes.dexes.some((dex) => hasOwnClass(dex, classes)) ? outside : all;
  const hashes = Uint32Array.from(own).sort();
  const kept = Buffer.alloc(Math.min(hashes.length, maxSketchHashes) * hashBytes);
  for (let at = 0; at < kept.length; at += hashBytes) kept.writeUInt32BE(hashes[at / hashBytes]!, at);
  const bands = own.size === 0 ? [] : [...bandsOf(own, 0), ...bandsOf(all, sketchBands)];
  return { methods: own.size, hashes: kept, bands };
}
