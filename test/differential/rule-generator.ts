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

type Random = ReturnType<typeof randomNumbers>;

const words = ['alpha', 'beta', 'PK', 'dex', 'http://', 'evil.example', 'AndroidManifest', 'x/y', 'abcabc', 'Zz'];
const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!;

/** Strings are drawn from few words, so that rules share them. */
function stringOf(random: Random): string {
  const word = pick(random, words);
  const escaped = word.replaceAll('/', '\\/').replaceAll('.', '\\.');
  switch (random(8)) {
    case 0:
      return `{ ${[...Buffer.from(word)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')} }`;
    case 1:
      return `{ ${[...Buffer.from(word)].map((byte, index) => (index === 1 ? '??' : byte.toString(16).padStart(2, '0'))).join(' ')} }`;
    case 2:
      return `/${escaped}.{0,4}/${pick(random, ['', 'i', 's', 'is'])}`;
    case 3:
      return `/${escaped}[a-z\\-_[]+{x|${escaped}{,3}/`;
    case 4:
      return `/(${escaped}|be\\ta|\\_)\\w{2,}/`;
    default:
      return `"${word}"${pick(random, ['', '', ' nocase', ' wide ascii', ' fullword', ' xor', ' wide', ' nocase fullword'])}`;
  }
}

function conditionOf(random: Random, strings: readonly string[], earlier: readonly string[], depth = 0): string {
  const string = pick(random, strings);
  const name = string.slice(1);
  const inner = () => conditionOf(random, strings, earlier, depth + 1);
  switch (random(depth > 2 ? 10 : 15)) {
    case 0:
      return `filesize ${pick(random, ['<', '>', '<=', '>='])} ${pick(random, ['10', '100', '1KB', '40'])}`;
    case 1:
      return `uint32(0) == 0x04034b50`;
    case 2:
      return `${pick(random, ['uint8', 'uint16', 'uint16be', 'int32'])}(${random(6)}) ${pick(random, ['==', '!=', '<'])} ${random(300)}`;
    case 3:
      return `#${name} ${pick(random, ['>', '==', '<'])} ${random(4)}`;
    case 4:
      return `${string} at ${random(3)}`;
    case 5:
      return `${string} in (${random(5)}..filesize)`;
    case 6:
      return pick(random, ['any of them', 'all of them', '2 of them', 'none of them']);
    case 7:
      return `@${name} < filesize - ${random(20)}`;
    case 8:
      return earlier.length > 0 ? pick(random, earlier) : string;
    case 9:
      return string;
    case 10:
      return `not (${inner()})`;
    case 11:
      return `for any i${depth} in (1..#${name}) : (@${name}[i${depth}] < filesize \\ 2 and ${inner()})`;
    case 12:
      return `for any of them : ($ at 0 or # > ${random(3)})`;
    default:
      return `(${inner()}) ${pick(random, ['and', 'or'])} (${inner()})`;
  }
}

/** A ruleset of rules that refer to earlier ones, some private. */
export function generateRules(random: Random, count: number): string {
  const earlier: string[] = [];
  const rules: string[] = [];
  for (let index = 0; index < count; index++) {
    const strings = Array.from({ length: 1 + random(3) }, (_, place) => `$s${place}`);
    const definitions = strings.map((string) => `    ${string} = ${stringOf(random)}`);
    const condition = conditionOf(random, strings, earlier);
    const flag = random(8) === 0 ? 'private ' : '';
    // Every string must be used.
    rules.push(
      `${flag}rule r${index} {\n  strings:\n${definitions.join('\n')}\n  condition:\n    (${condition}) and (any of them or true)\n}`,
    );
    earlier.push(`r${index}`);
  }
  return rules.join('\n');
}

/** Bytes made of the same words, sometimes with an archive's first bytes. */
export function generateBytes(random: Random): Buffer {
  const parts: Buffer[] = random(2) === 0 ? [Buffer.from('PK\x03\x04')] : [];
  for (let left = random(12); left > 0; left--) {
    const word = pick(random, words);
    const encoded = Buffer.from(random(4) === 0 ? word.toUpperCase() : word, random(5) === 0 ? 'utf16le' : 'latin1');
    parts.push(encoded, Buffer.from(pick(random, ['', ' ', '\n', '_a{x', '\x00', 'bb'])));
  }
  return Buffer.concat(parts);
}
