// The jumps of hex strings as YARA reads them, in numbers that YARA-X accepts. Knows nothing of rules.
import { maxScanLength } from '../../app/scanned-files.ts';

export interface HexJumps {
  /** With jumps that say the same to YARA-X. */
  text: string;
  /** Whether a jump is longer than anything that is scanned. */
  isNeverFound: boolean;
  /** The least number of bytes that the jumps skip: the compiler writes each of them out. */
  length: number;
  /** What YARA refuses; null where it takes all. */
  problem: string | null;
}

/** Comments and well-formed jumps; the compiler reports others. */
const jumpsAndComments = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\[\s*(\d+)\s*(?:(-)\s*(\d*)\s*)?\]/g;

/**
 * YARA keeps numbers in 32 bits with a sign: `[4294967296-]` is `[0-]`, and half of those past 2³¹ are negative. A jump
 * over no bytes says nothing; `{ 01 [0-0] 02 }` is `{ 01 02 }`.
 */
export function readHexJumps(hex: string): HexJumps {
  let isNeverFound = false;
  let length = 0;
  let problem: string | null = null;
  const text = hex.replace(jumpsAndComments, (jump, first?: string, hyphen?: string, second?: string) => {
    if (first === undefined) return jump;
    const least = asInteger(first);
    const most = hyphen === undefined ? least : second === '' ? null : asInteger(second!);
    if (least < 0 || (most !== null && most < least)) {
      problem ??= hyphen === undefined ? 'invalid jump length' : 'invalid jump range';
      return jump;
    }
    isNeverFound ||= least > maxScanLength;
    length += least;
    if (most === 0) return '';
    const isPlain = least === Number(first) && (most === null || hyphen === undefined || most === Number(second));
    if (isPlain) return jump;
    return hyphen === undefined ? `[${least}]` : `[${least}-${most ?? ''}]`;
  });
  return { text, isNeverFound, length, problem };
}

const mostOfLong = 2n ** 63n - 1n;
const digitsOfLong = 19;

/** As C's `atoi` on machines of 64 bits. */
function asInteger(digits: string): number {
  const significant = digits.replace(/^0+(?=\d)/, '');
  const value = significant.length > digitsOfLong ? mostOfLong : BigInt(significant);
  return Number(BigInt.asIntN(32, value > mostOfLong ? mostOfLong : value));
}
