// Character classes of java.util.regex by name. Knows no patterns.
export type CharacterTest = (codePoint: number) => boolean;
/** First and last code points. */
export type Ranges = [from: number, to: number][];

const between = (c: number, from: number, to: number): boolean => c >= from && c <= to;
const isDigit: CharacterTest = (c) => between(c, 48, 57);
const isLower: CharacterTest = (c) => between(c, 97, 122);
const isUpper: CharacterTest = (c) => between(c, 65, 90);
const isSpace: CharacterTest = (c) => c === 32 || between(c, 9, 13);
export const isWord: CharacterTest = (c) => isDigit(c) || isLower(c) || isUpper(c) || c === 95;
const isHorizontal: CharacterTest = (c) =>
  c === 32 ||
  c === 9 ||
  c === 0xa0 ||
  c === 0x1680 ||
  c === 0x180e ||
  between(c, 0x2000, 0x200a) ||
  c === 0x202f ||
  c === 0x205f ||
  c === 0x3000;
const isVertical: CharacterTest = (c) => between(c, 10, 13) || c === 0x85 || c === 0x2028 || c === 0x2029;
const isPunctuation: CharacterTest = (c) =>
  between(c, 33, 47) || between(c, 58, 64) || between(c, 91, 96) || between(c, 123, 126);

const not =
  (test: CharacterTest): CharacterTest =>
  (c) =>
    !test(c);

function unicode(expression: string): CharacterTest | null {
  let regex: RegExp;
  try {
    regex = new RegExp(`^\\p{${expression}}$`, 'u');
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  return (c) => regex.test(String.fromCodePoint(c));
}

/** `\d \D \s \S \w \W \h \H \v \V`; null for other letters. */
export function named(letter: string, isUnicode: boolean): CharacterTest | null {
  switch (letter) {
    case 'd':
      return isUnicode ? unicode('Nd') : isDigit;
    case 'D':
      return isUnicode ? not(unicode('Nd')!) : not(isDigit);
    case 's':
      return isUnicode ? unicode('White_Space') : isSpace;
    case 'S':
      return isUnicode ? not(unicode('White_Space')!) : not(isSpace);
    case 'w':
      return isUnicode ? unicodeWord : isWord;
    case 'W':
      return isUnicode ? not(unicodeWord) : not(isWord);
    case 'h':
      return isHorizontal;
    case 'H':
      return not(isHorizontal);
    case 'v':
      return isVertical;
    case 'V':
      return not(isVertical);
    default:
      return null;
  }
}

const unicodeWord: CharacterTest = (c) =>
  /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d]$/u.test(String.fromCodePoint(c));

const POSIX: Readonly<Record<string, CharacterTest>> = {
  Lower: isLower,
  Upper: isUpper,
  ASCII: (c) => c < 128,
  Alpha: (c) => isLower(c) || isUpper(c),
  Digit: isDigit,
  Alnum: (c) => isDigit(c) || isLower(c) || isUpper(c),
  Punct: isPunctuation,
  Graph: (c) => between(c, 33, 126),
  Print: (c) => between(c, 32, 126),
  Blank: (c) => c === 32 || c === 9,
  Cntrl: (c) => c < 32 || c === 127,
  XDigit: (c) => isDigit(c) || between(c, 97, 102) || between(c, 65, 70),
  Space: isSpace,
  L1: (c) => c < 256,
  all: () => true,
  ALL: () => true,
};

const JAVA: Readonly<Record<string, string>> = {
  javaLowerCase: 'Lowercase',
  javaUpperCase: 'Uppercase',
  javaWhitespace: 'White_Space',
  javaMirrored: 'Bidi_Mirrored',
  javaLetter: 'L',
  javaDigit: 'Nd',
  javaAlphabetic: 'Alphabetic',
  javaTitleCase: 'Lt',
};

/** Blocks that patterns name; Unicode's blocks are not in JavaScript's properties. */
const BLOCKS: Readonly<Record<string, readonly [number, number]>> = {
  basiclatin: [0, 0x7f],
  latin1supplement: [0x80, 0xff],
  latinextendeda: [0x100, 0x17f],
  greek: [0x370, 0x3ff],
  cyrillic: [0x400, 0x4ff],
  hebrew: [0x590, 0x5ff],
  arabic: [0x600, 0x6ff],
  hiragana: [0x3040, 0x309f],
  katakana: [0x30a0, 0x30ff],
  cjkunifiedideographs: [0x4e00, 0x9fff],
  hangulsyllables: [0xac00, 0xd7a3],
  generalpunctuation: [0x2000, 0x206f],
  latinextendedb: [0x180, 0x24f],
  ipaextensions: [0x250, 0x2af],
  spacingmodifierletters: [0x2b0, 0x2ff],
  combiningdiacriticalmarks: [0x300, 0x36f],
  armenian: [0x530, 0x58f],
  devanagari: [0x900, 0x97f],
  thai: [0xe00, 0xe7f],
  hanguljamo: [0x1100, 0x11ff],
  latinextendedadditional: [0x1e00, 0x1eff],
  currencysymbols: [0x20a0, 0x20cf],
  arrows: [0x2190, 0x21ff],
  mathematicaloperators: [0x2200, 0x22ff],
  cjksymbolsandpunctuation: [0x3000, 0x303f],
  privateusearea: [0xe000, 0xf8ff],
  halfwidthandfullwidthforms: [0xff00, 0xffef],
};

/** `\p{name}`; null where Java knows none. */
export function unicodeProperty(name: string): CharacterTest | null {
  const posix = POSIX[name];
  if (posix !== undefined) return posix;
  const java = JAVA[name];
  if (java !== undefined) return unicode(java);
  const keyed = /^(script|sc|block|blk|general_category|gc)=(.*)$/i.exec(name);
  if (keyed !== null) {
    const key = keyed[1]!.toLowerCase();
    if (key.startsWith('s')) return unicode(`Script=${keyed[2]}`);
    return key.startsWith('b') ? block(keyed[2]!) : unicode(keyed[2]!);
  }
  if (name.startsWith('In')) return block(name.slice(2));
  const plain = name.startsWith('Is') ? name.slice(2) : name;
  if (plain === 'LC') return unicode('LC');
  return unicode(plain) ?? unicode(`Script=${plain}`);
}

function block(name: string): CharacterTest | null {
  const range = BLOCKS[name.replaceAll(/[\s_-]/g, '').toLowerCase()];
  return range === undefined ? null : (c) => between(c, range[0], range[1]);
}

/** What lies in one of the ranges, found by halves. */
export function rangeTest(ranges: Ranges): CharacterTest {
  const joined: Ranges = [];
  for (const [from, to] of ranges.toSorted((left, right) => left[0] - right[0])) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return (c) => {
    let low = 0;
    let high = joined.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (joined[middle]![1] < c) low = middle + 1;
      else high = middle;
    }
    return low < joined.length && joined[low]![0] <= c;
  };
}

/** What lies in one of the ranges in one of its cases: of ASCII's letters, or of all. */
export function ignoringCase(ranges: Ranges, isUnicode: boolean): CharacterTest {
  if (!isUnicode) {
    const test = rangeTest(ranges);
    return (c) => test(c) || (isLower(c) && test(c - 32)) || (isUpper(c) && test(c + 32));
  }
  const single = ranges
    .filter(([from, to]) => from === to)
    .map(([c]): [number, number] => [lower(upper(c)), lower(upper(c))]);
  const test = rangeTest([...ranges, ...single]);
  return (c) => test(c) || test(upper(c)) || test(lower(upper(c)));
}

const upper = (c: number): number => soleCodePoint(String.fromCodePoint(c).toUpperCase()) ?? c;
const lower = (c: number): number => soleCodePoint(String.fromCodePoint(c).toLowerCase()) ?? c;

function soleCodePoint(text: string): number | null {
  const codePoint = text.codePointAt(0)!;
  return text.length === (codePoint > 0xffff ? 2 : 1) ? codePoint : null;
}
