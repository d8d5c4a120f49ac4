// Blowfish, which today's OpenSSL leaves out. Knows single blocks only. https://www.schneier.com/academic/blowfish/
const ROUNDS = 16;
const WORDS = ROUNDS + 2 + 4 * 256;

let initial: Uint32Array | null = null;

/** The fraction of pi in hexadecimal is Blowfish's start: by Machin's formula, once. */
function piWords(): Uint32Array {
  if (initial !== null) return initial;
  const bits = BigInt(WORDS * 32);
  const guard = 64n;
  const one = 1n << (bits + guard);
  const arctan = (inverse: bigint): bigint => {
    let term = one / inverse;
    let sum = term;
    const square = inverse * inverse;
    for (let n = 3n, sign = -1n; term !== 0n; n += 2n, sign = -sign) {
      term /= square;
      sum += (sign * term) / n;
    }
    return sum;
  };
  const pi = 4n * (4n * arctan(5n) - arctan(239n));
  const hex = ((pi >> guard) & ((1n << bits) - 1n)).toString(16).padStart(WORDS * 8, '0');
  initial = Uint32Array.from({ length: WORDS }, (_, index) => Number.parseInt(hex.slice(index * 8, index * 8 + 8), 16));
  return initial;
}

export class Blowfish {
  readonly #p: Uint32Array;
  readonly #s: Uint32Array;

  /** @param key 1 to 56 bytes; longer ones are cut */
  constructor(key: Uint8Array) {
    const words = piWords();
    this.#p = words.slice(0, ROUNDS + 2);
    this.#s = words.slice(ROUNDS + 2);
    const used = key.length === 0 ? Uint8Array.of(0) : key;
    for (let i = 0, at = 0; i < ROUNDS + 2; i++) {
      let word = 0;
      for (let k = 0; k < 4; k++) word = (word << 8) | used[at++ % used.length]!;
      this.#p[i] = this.#p[i]! ^ word;
    }
    const pair: [number, number] = [0, 0];
    for (const table of [this.#p, this.#s]) {
      for (let i = 0; i < table.length; i += 2) {
        this.#rounds(pair, 0, 1);
        table[i] = pair[0];
        table[i + 1] = pair[1];
      }
    }
  }

  encrypt(block: Uint8Array): void {
    this.#run(block, 0, 1);
  }

  decrypt(block: Uint8Array): void {
    this.#run(block, ROUNDS + 1, -1);
  }

  #run(block: Uint8Array, from: number, step: number): void {
    const view = new DataView(block.buffer, block.byteOffset);
    const pair: [number, number] = [view.getUint32(0), view.getUint32(4)];
    this.#rounds(pair, from, step);
    view.setUint32(0, pair[0]);
    view.setUint32(4, pair[1]);
  }

  #rounds(pair: [number, number], from: number, step: number): void {
    let [left, right] = pair;
    const s = this.#s;
    let at = from;
    for (let round = 0; round < ROUNDS; round++, at += step) {
      left = (left ^ this.#p[at]!) >>> 0;
      const f =
        (((s[left >>> 24]! + s[256 + ((left >>> 16) & 255)]!) ^ s[512 + ((left >>> 8) & 255)]!) +
          s[768 + (left & 255)]!) >>>
        0;
      right = (right ^ f) >>> 0;
      [left, right] = [right, left];
    }
    [left, right] = [right, left];
    right = (right ^ this.#p[at]!) >>> 0;
    left = (left ^ this.#p[at + step]!) >>> 0;
    pair[0] = left;
    pair[1] = right;
  }
}
