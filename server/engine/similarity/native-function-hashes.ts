// Hashes of what the functions of a native library do, which other addresses in it leave alone. Knows no symbol's name.
import type { ElfFile } from '../formats/elf/elf-file.ts';
import { type CodeRange, functionRanges } from '../formats/elf/function-ranges.ts';

/** Shorter functions are alike by chance. */
const minBytes = 64;
/** Of each function; what comes after tells little more. */
const maxFunctionBytes = 16_384;
/** What linkers fill with up to the next function, where no table tells sizes. */
const paddings: ReadonlySet<number> = new Set([0, 0xbf00, 0x46c0]);
const machines = { x86: 3, arm: 40, x64: 62, arm64: 183 } as const;

/** FNV-1a by words. */
class WordHash {
  #hash = 0x811c9dc5;

  add(word: number): void {
    this.#hash = Math.imul(this.#hash ^ word, 0x01000193);
    this.#hash ^= this.#hash >>> 15;
  }

  get value(): number {
    const mixed = Math.imul(this.#hash ^ (this.#hash >>> 16), 0x85ebca6b);
    return (mixed ^ (mixed >>> 13)) >>> 0;
  }
}

/** Adds the code of a function, without what differs by where it and what it uses stand. */
type Normaliser = (code: Uint8Array, address: number, hash: WordHash) => void;

const normalisers: Partial<Record<number, Normaliser>> = {
  [machines.x86]: (code, _, hash) => addX86(code, hash, false),
  [machines.x64]: (code, _, hash) => addX86(code, hash, true),
  [machines.arm64]: (code, _, hash) => addArm64(code, hash),
  [machines.arm]: (code, address, hash) => (address % 2 === 1 ? addThumb : addArm)(code, hash),
};

/** The hashes of a library's functions, where its machine is known. @param maxBytes of code that are read at most */
export function nativeFunctionHashes(file: ElfFile, maxBytes: number): number[] {
  const normalise = normalisers[file.machine];
  if (normalise === undefined) return [];
  const hashes: number[] = [];
  let left = maxBytes;
  for (const { address, size } of functionRanges(file)) {
    const code = bytesOf(file, { address, size: Math.min(size, maxFunctionBytes) });
    if (code === null || code.length < minBytes) continue;
    left -= code.length;
    if (left < 0) break;
    const hash = new WordHash();
    normalise(code, address, hash);
    hashes.push(hash.value);
  }
  return hashes;
}

function bytesOf(file: ElfFile, { address, size }: CodeRange): Uint8Array | null {
  if (file.machine !== machines.arm) {
    const start = file.offsetOf(address);
    return start === null ? null : file.bytes.subarray(start, start + size);
  }
  const start = file.offsetOf(address - (address % 2));
  if (start === null) return null;
  let end = Math.min(file.bytes.length, start + size - (size % 2));
  while (end > start + 2 && paddings.has(halfAt(file.bytes, end - 2))) end -= 2;
  return file.bytes.subarray(start, end);
}

const halfAt = (code: Uint8Array, at: number): number => code[at]! | (code[at + 1]! << 8);
const wordAt = (code: Uint8Array, at: number): number => halfAt(code, at) | (halfAt(code, at + 2) << 16);

/** Jumps, addresses by page, offsets within a page, which fields of objects have too. */
function addArm64(code: Uint8Array, hash: WordHash): void {
  for (let at = 0; at + 4 <= code.length; at += 4) {
    const word = wordAt(code, at);
    if ((word & 0x7c000000) === 0x14000000) hash.add(word & 0xfc000000);
    else if ((word & 0x1f000000) === 0x10000000) hash.add(word & 0x9f00001f);
    else if ((word & 0x7f800000) === 0x11000000 || (word & 0x3b000000) === 0x39000000) hash.add(word & ~0x003ffc00);
    else if ((word & 0x3b000000) === 0x18000000) hash.add(word & ~0x00ffffe0);
    else hash.add(word);
  }
}

/** Jumps, halves of addresses, and words that are loaded from behind the code. */
function addArm(code: Uint8Array, hash: WordHash): void {
  const pool = new Set<number>();
  for (let at = 0; at + 4 <= code.length; at += 4) {
    if (pool.has(at)) continue;
    const word = wordAt(code, at);
    if ((word & 0x0e000000) === 0x0a000000) hash.add(word & 0xff000000);
    else if ((word & 0x0fb00000) === 0x03000000) hash.add(word & 0xfff0f000);
    else if ((word & 0x0f7f0000) === 0x051f0000) {
      pool.add(at + 8 + (word & 0x00800000 ? word & 0xfff : -(word & 0xfff)));
      hash.add(word & 0xfffff000);
    } else hash.add(word);
  }
}

function addThumb(code: Uint8Array, hash: WordHash): void {
  const pool = new Set<number>();
  const addPool = (at: number, offset: number) => {
    const start = ((at + 4) & ~3) + offset;
    pool.add(start).add(start + 2);
  };
  for (let at = 0; at + 2 <= code.length; at += 2) {
    if (pool.has(at)) continue;
    const first = halfAt(code, at);
    if (first >> 11 < 0x1d || at + 4 > code.length) {
      const isLoad = (first & 0xf800) === 0x4800;
      if (isLoad) addPool(at, (first & 0xff) * 4);
      hash.add(isLoad ? first & 0xff00 : first);
      continue;
    }
    const second = halfAt(code, at + 2);
    at += 2;
    if ((first & 0xf800) === 0xf000 && second & 0x8000) hash.add((first & 0xf800) | ((second & 0xd000) << 16));
    else if ((first & 0xfb70) === 0xf240) hash.add((first & 0xfbf0) | ((second & 0x0f00) << 16));
    else {
      if ((first & 0xff7f) === 0xf85f) addPool(at - 2, first & 0x80 ? second & 0xfff : -(second & 0xfff));
      hash.add(first | ((first & 0xff7f) === 0xf85f ? (second & 0xf000) << 16 : second << 16));
    }
  }
}

/** Opcodes of one byte behind which a ModRM byte stands. */
const hasModRm = (() => {
  const known = new Uint8Array(256);
  for (let base = 0; base < 0x40; base += 8) for (let low = 0; low < 4; low++) known[base + low] = 1;
  for (const opcode of [0x63, 0x69, 0x6b, 0xc0, 0xc1, 0xc6, 0xc7, 0xd0, 0xd1, 0xd3, 0xf6, 0xf7, 0xfe, 0xff])
    known[opcode] = 1;
  for (let opcode = 0x80; opcode <= 0x8f; opcode++) known[opcode] = 1;
  return known;
})();

/**
 * Distances of jumps and calls, and of data from the code. Instructions are not told apart, so that bytes in the middle of one may
 * count as a distance: the same ones in the same code, wherever it stands.
 */
function addX86(code: Uint8Array, hash: WordHash, is64: boolean): void {
  for (let at = 0; at < code.length; at++) {
    const byte = code[at]!;
    hash.add(byte);
    const before = code[at - 1] ?? 0;
    const isJump = byte === 0xe8 || byte === 0xe9 || (before === 0x0f && (byte & 0xf0) === 0x80);
    const isOperand = hasModRm[before] === 1 || code[at - 2] === 0x0f;
    // By the instruction's own place, or, where there is no such way, by a register that holds that of a table.
    const isFar = isOperand && (is64 ? (byte & 0xc7) === 0x05 : (byte & 0xc7) === 0x83);
    const isTable = !is64 && before === 0x81 && (byte & 0xf8) === 0xc0;
    if (isJump || isFar || isTable) at += 4;
  }
}
