// Writes random but reproducible YARA rules and bytes that they may match. Knows nothing of engines.

/** A small generator of pseudo-random numbers, the same on every machine (mulberry32). */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export type Random = ReturnType<typeof randomNumbers>;

export const words = [
  'alpha',
  'beta',
  'PK',
  'dex',
  'http://',
  'evil.example',
  'AndroidManifest',
  'x/y',
  'abcabc',
  'Zz',
  'aa',
];
export const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!;
const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** Strings are drawn from few words, so that rules share them. */
export function stringOf(random: Random): string {
  const kind = random(16);
  const modifier = random(9) === 0 ? ' private' : '';
  if (kind < 4) return hexString(random) + modifier;
  if (kind < 9) return regexp(random) + modifier;
  return `"${pick(random, words)}"${textModifier(random)}${modifier}`;
}

function textModifier(random: Random): string {
  return pick(random, [
    '',
    '',
    ' nocase',
    ' wide ascii',
    ' fullword',
    ' xor',
    ' wide',
    ' nocase fullword',
    ' xor(0x01-0x20)',
    ' xor wide',
    ' wide nocase',
    ' wide ascii nocase fullword',
    ' wide fullword',
  ]);
}

function hexString(random: Random): string {
  const bytes = [...Buffer.from(pick(random, words))];
  const first = hex(bytes[0]!);
  const rest = bytes.slice(1).map((byte) => {
    switch (random(9)) {
      case 0:
        return '??';
      case 1:
        return `?${hex(byte)[1]}`;
      case 2:
        return `${hex(byte)[0]}?`;
      case 3:
        return `( ${hex(byte)} | ${hex(random(256))} ${hex(random(256))} )`;
      case 4:
        return `( ${hex(byte)} | ( 61 | 62 ?? ) 63 | ${hex(byte)[0]}? )`;
      default:
        return hex(byte);
    }
  });
  const jump = pick(random, ['', '', '', '[0-3]', '[2]', '[1-4]', '[0-300]', '[-]', '[3-]']);
  const second = [...Buffer.from(pick(random, words))].map(hex);
  return `{ ${first} ${rest.join(' ')}${jump === '' ? '' : ` ${jump} ${second.join(' ')}`} }`;
}

function regexp(random: Random): string {
  const word = () => pick(random, words).replaceAll('/', '\\/').replaceAll('.', '\\.');
  const flags = pick(random, ['', '', 'i', 's', 'is']);
  const modifier = pick(random, ['', '', '', ' nocase', ' wide', ' wide ascii', ' fullword']);
  const quantifier = () => pick(random, ['*', '+', '?', '{2}', '{1,3}', '{,2}', '{2,}', '*?', '+?', '{1,4}?']);
  const atom = () =>
    pick(random, [
      'a',
      'b',
      '.',
      '\\w',
      '\\d',
      '\\s',
      '\\S',
      '[a-c]',
      '[^a-f]',
      '(ab|be|c)',
      '[\\w.-]',
      '\\x61',
      '[A-Z]',
    ]);
  // One expression must not hold greedy and lazy repetitions: yara takes none such.
  const isLazy = random(4) === 0;
  const repeated = () => {
    const repetition = quantifier();
    const greedy = repetition.endsWith('?') && repetition.length > 1 ? repetition.slice(0, -1) : repetition;
    return atom() + (isLazy ? `${greedy}?` : greedy);
  };
  const body = pick(random, [
    () => `${word()}${repeated()}${word()}`,
    () => `${word()}${repeated()}`,
    () => `(${word()}|${word()})${repeated()}${atom()}`,
    () => `${word()}.${isLazy ? '*?' : '*'}${word()}`,
    () => `${word()}[a-z\\-_[]+${isLazy ? '?' : ''}{x|${word()}`,
    () => `(${word()}|be\\ta|\\_)\\w${isLazy ? '{2,}?' : '{2,}'}`,
    () => `^${word()}`,
    () => `${word()}$`,
    // An edge behind a letter: yara takes the end of the data for one whatever stands before it.
    () => `\\b${word()}\\w\\b`,
    () => `${word()}\\B.`,
    () => `${word()}(${repeated()}${atom()})${isLazy ? '{1,2}?' : '{1,2}'}${atom()}`,
    () => `${word()}.{0,4}`,
  ])();
  // What stands around a wide text is read in other ways.
  const isEdged = /\\b|\\B|\$$/.test(body);
  return `/${body}/${flags}${isEdged ? modifier.replace(' wide', '') : modifier}`;
}

/** `for any of them : (…)` may not stand in another; `inLoop` says whether it does. */
export function conditionOf(
  random: Random,
  strings: readonly string[],
  earlier: readonly string[],
  depth = 0,
  inLoop = false,
): string {
  const string = pick(random, strings);
  const name = string.slice(1);
  const inner = (isLoop = inLoop) => conditionOf(random, strings, earlier, depth + 1, isLoop);
  const quantifier = () => pick(random, ['any', 'all', 'none', '1', '2', '50%', '100%', '34%']);
  const set = () => pick(random, ['them', `(${string})`, '($s*)', `(${strings.join(', ')})`]);
  const size = () => pick(random, ['10', '100', '1KB', '40', '0x20']);
  switch (random(depth > 2 ? 18 : 28)) {
    case 0:
      return `filesize ${pick(random, ['<', '>', '<=', '>=', '!='])} ${size()}`;
    case 1:
      return `uint32(0) == 0x04034b50`;
    case 2:
      return `${pick(random, ['uint8', 'uint16', 'uint16be', 'int32', 'int8', 'uint32be', 'int16be'])}(${random(6)}) ${pick(random, ['==', '!=', '<', '>='])} ${random(300)}`;
    case 3:
      return `#${name} ${pick(random, ['>', '==', '<'])} ${random(4)}`;
    case 4:
      return `${string} at ${random(3)}`;
    case 5:
      return `${string} in (${random(5)}..filesize)`;
    case 6:
      return `${quantifier()} of ${set()}`;
    case 7:
      return `@${name} < filesize - ${random(20)}`;
    case 8:
      return earlier.length > 0 ? pick(random, earlier) : string;
    case 9:
      return string;
    case 10:
      return `@${name}[${random(3)}] ${pick(random, ['<', '>', '=='])} ${random(30)}`;
    case 11:
      return `!${name}[${1 + random(2)}] ${pick(random, ['<', '>', '=='])} ${random(9)}`;
    case 12:
      return `#${name} in (0..${10 + random(30)}) ${pick(random, ['==', '>'])} ${random(3)}`;
    case 13:
      return `${pick(random, ['any', 'all', '1', '2'])} of ${set()} in (${random(4)}..${5 + random(40)})`;
    case 14:
      return `(uint8(@${name}) + filesize) % ${2 + random(4)} == ${random(3)}`;
    case 15:
      return `filesize \\ ${1 + random(9)} ${pick(random, ['<', '>'])} ${random(30)} and ${string}`;
    case 16:
      return `uint16(filesize - ${random(4)}) ${pick(random, ['==', '>'])} ${random(999)}`;
    case 17:
      return earlier.length > 1
        ? `${pick(random, ['any', 'all', '2', 'none'])} of (${earlier.slice(-3).join(', ')})`
        : string;
    case 18:
    case 19:
      return `not (${inner()})`;
    case 20:
      return `for ${pick(random, ['any', 'all', '2'])} i${depth} in (1..#${name}) : (@${name}[i${depth}] < filesize \\ 2 and ${inner()})`;
    case 21:
      if (inLoop) return string;
      return `for ${pick(random, ['any', 'all', '2'])} of ${set()} : ($ at 0 or # > ${random(3)} or @ > ${random(30)} or $ in (2..9) and ${inner(true)})`;
    case 22:
      return `for any n${depth} in (0, ${random(9)}, filesize - 3) : (uint8(n${depth}) == ${97 + random(4)} or ${inner()})`;
    case 23:
      return `for all b${depth} in (0..${random(4)}) : (uint8(b${depth}) < ${100 + random(40)})`;
    default:
      return `(${inner()}) ${pick(random, ['and', 'or'])} (${inner()})`;
  }
}

/** A ruleset of rules that refer to earlier ones, some private, sometimes one that is global. */
export function generateRules(random: Random, count: number): string {
  const earlier: string[] = [];
  const rules: string[] = [];
  for (let index = 0; index < count; index++) {
    const strings = Array.from({ length: 1 + random(3) }, (_, place) => `$s${place}`);
    const definitions = strings.map((string) => `    ${string} = ${stringOf(random)}`);
    const condition = conditionOf(random, strings, earlier);
    const flag = random(8) === 0 ? 'private ' : random(40) === 0 ? 'global ' : '';
    // Every string must be used.
    rules.push(
      `${flag}rule r${index} {\n  strings:\n${definitions.join('\n')}\n  condition:\n    (${condition}) and (any of them or true)\n}`,
    );
    if (flag !== 'global ') earlier.push(`r${index}`);
  }
  return rules.join('\n');
}

/** Bytes made of the same words, sometimes with an archive's first bytes, sometimes hidden by one key or spread out. */
export function generateBytes(random: Random): Buffer {
  const parts: Buffer[] = random(2) === 0 ? [Buffer.from('PK\x03\x04')] : [];
  for (let left = random(12); left > 0; left--) {
    const word = pick(random, words);
    const encoded = Buffer.from(random(4) === 0 ? word.toUpperCase() : word, random(5) === 0 ? 'utf16le' : 'latin1');
    const key = random(7) === 0 ? random(40) : 0;
    parts.push(
      encoded.map((byte) => byte ^ key) as Buffer,
      Buffer.from(pick(random, ['', ' ', '\n', '_a{x', '\x00', 'bb', 'abeta\t', '.-a', '0aZ ', '\xff\xc3'])),
    );
  }
  return Buffer.concat(parts);
}
