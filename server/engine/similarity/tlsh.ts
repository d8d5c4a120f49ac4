// TLSH digests, identical to what the tool `tlsh` prints. Knows nothing of APKs.
//
// The algorithm: J. Oliver, C. Cheng, Y. Chen, "TLSH - A Locality Sensitive Hash", 2013, https://tlsh.org/papers.html. A window
// of five bytes goes over the file; at each place six triples of its bytes are counted in 128 buckets. The digest tells in
// which quarter of all each bucket lies, behind a checksum, the logarithm of the length and the ratios of the quartiles.

/** A permutation of all bytes: P. Pearson, "Fast hashing of variable-length text strings", 1990. */
const permutation = Uint8Array.from(
  Buffer.from(
    'AVcxDLCyZqZ5wQZU+eYsow7F1bWhVdpQQO8Y4uyOJshusWhnjf3/Mk1lURItYB/eGWu+Rlbt8CJI8hTW9OOV62HqORY8+lKv0AV/x28+h/iuqdM6Qppqw/WrEbu2' +
      'swDzhDiUS4CFnmSCflsNmfbY23dE305TWMljegtcIIhyNAqKHjC3nCM9Go9K+16Boj+Yqgdzp/HOA5Y3O5fcWjUXg32tD+5PX1kQaYnh4NmgJXt2SQKdLnQJkYbk' +
      'z9TK10XlG7xDfKj8KgQdbBX3E80ny+koupPGwJshpL9izKW0dUyMJNKsKTafCLnoccTnL5J4M0EckP7dXb3Ci3ArR2240Q==',
    'base64',
  ),
);
/** TLSH takes as long for each byte as a tenth of a static report: larger files are found by what else they are. */
export const maxTlshBytes = 4 * 1024 * 1024;
const buckets = 128;
const minLength = 50;
const window = 5;

/** The hash of a byte behind a salt, from which that of two further ones goes on. */
const salted = (salt: number) => Uint8Array.from({ length: 256 }, (_, byte) => permutation[permutation[salt]! ^ byte]!);
const [salt0, salt2, salt3, salt5, salt7, salt11, salt13] = [0, 2, 3, 5, 7, 11, 13].map(salted) as [
  ...[Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array],
];

/** Makes the digest of bytes that come piece by piece. */
export class TlshHasher {
  readonly #counts = new Uint32Array(256);
  /** The four bytes before the next one, the last first. */
  #last: [number, number, number, number] = [0, 0, 0, 0];
  #checksum = 0;
  #length = 0;

  update(bytes: Uint8Array): void {
    const counts = this.#counts;
    const hash = permutation;
    let [w1, w2, w3, w4] = this.#last;
    let checksum = this.#checksum;
    let at = 0;
    for (; at < bytes.length && this.#length + at < window - 1; at++) [w1, w2, w3, w4] = [bytes[at]!, w1, w2, w3];
    for (; at < bytes.length; at++) {
      const w0 = bytes[at]!;
      checksum = hash[hash[salt0[w0]! ^ w1]! ^ checksum]!;
      counts[hash[hash[salt2[w0]! ^ w1]! ^ w2]!]!++;
      counts[hash[hash[salt3[w0]! ^ w1]! ^ w3]!]!++;
      counts[hash[hash[salt5[w0]! ^ w2]! ^ w3]!]!++;
      counts[hash[hash[salt7[w0]! ^ w2]! ^ w4]!]!++;
      counts[hash[hash[salt11[w0]! ^ w1]! ^ w4]!]!++;
      counts[hash[hash[salt13[w0]! ^ w3]! ^ w4]!]!++;
      w4 = w3;
      w3 = w2;
      w2 = w1;
      w1 = w0;
    }
    this.#last = [w1, w2, w3, w4];
    this.#checksum = checksum;
    this.#length += bytes.length;
  }

  /** 70 upper-case hex digits; null where the bytes are too few or too much the same. */
  digest(): string | null {
    const counts = this.#counts.subarray(0, buckets);
    const used = counts.reduce((sum, count) => sum + Number(count > 0), 0);
    if (this.#length < minLength || used <= buckets / 2) return null;
    const sorted = counts.toSorted();
    const [first, second, third] = [1, 2, 3].map((quarter) => sorted[(buckets / 4) * quarter - 1]!) as [
      ...[number, number, number],
    ];
    const ratio = (quartile: number) => Math.floor(Math.fround((quartile * 100) / third)) % 16;
    const bytes = Buffer.alloc(3 + buckets / 4);
    bytes[0] = swapped(this.#checksum);
    bytes[1] = swapped(lengthStep(this.#length));
    bytes[2] = (ratio(first) << 4) | ratio(second);
    counts.forEach((count, bucket) => {
      const quarter = Number(count > first) + Number(count > second) + Number(count > third);
      bytes[bytes.length - 1 - (bucket >>> 2)]! |= quarter << ((bucket & 3) * 2);
    });
    return bytes.toString('hex').toUpperCase();
  }
}

const swapped = (byte: number): number => ((byte & 0xf) << 4) | (byte >>> 4);

/** The logarithm of a length, to the base of 1.5, 1.3 and 1.1 as it grows. */
function lengthStep(length: number): number {
  if (length <= 656) return Math.floor(Math.log(length) / 0.405_465_1);
  if (length <= 3199) return Math.floor(Math.log(length) / 0.262_364_26 - 8.727_77);
  return Math.floor(Math.log(length) / 0.095_310_18 - 62.5472) & 0xff;
}

export function tlsh(bytes: Uint8Array): string | null {
  const hasher = new TlshHasher();
  hasher.update(bytes);
  return hasher.digest();
}
