// Writes random but reproducible rulesets whose rules share strings that some of them bound. Knows nothing of engines.
import { conditionOf, generateBytes, pick, type Random, stringOf, words } from './rule-generator.ts';

const sizes = [0, 1, 2, 3, 5, 6, 10, 13, 20, 40];
const comparison = (random: Random): string => pick(random, ['<', '<=', '>', '>=', '==', '!=']);

/** What a rule asks of the file as a whole. */
function boundOf(random: Random): string {
  const word = Buffer.from(pick(random, words));
  const [size, larger] = [pick(random, sizes), pick(random, sizes)];
  switch (random(9)) {
    case 0:
      return `${size} ${comparison(random)} filesize`;
    case 1:
      return `filesize >= ${size} and filesize <= ${larger}`;
    case 2:
      return `for any i in (${Math.min(size, larger)}..${Math.max(size, larger)}) : (filesize == i)`;
    case 3:
      return `uint8(${random(3)}) ${comparison(random)} ${word[0]}`;
    case 4:
      return `${pick(random, ['uint16', 'int16'])}(0) == ${word.readUInt16LE()}`;
    case 5:
      return `${word.readUInt16BE()} == uint16be(0)`;
    case 6:
      return pick(random, ['uint32(0) == 0x04034b50', 'uint32be(0) == 0x504b0304', 'int8(0) == 0x50']);
    default:
      return `filesize ${comparison(random)} ${size}`;
  }
}

/** What a rule asks of one string. */
function termOf(random: Random, string: string): string {
  const name = string.slice(1);
  switch (random(14)) {
    case 0:
    case 1:
    case 2:
      return `${string} at ${pick(random, ['0', '0', '0x0', '(0)', '0KB', '1 - 1', '1', '2', '4', 'filesize - 2', `@${name}`])}`;
    case 3:
      return `${string} in (${random(3)}..${pick(random, ['2', '5', 'filesize'])})`;
    case 4:
      return `#${name} in (0..${random(9)}) ${comparison(random)} ${random(3)}`;
    case 5:
      return `@${name}${pick(random, ['', '[1]', '[2]'])} ${comparison(random)} ${random(9)}`;
    case 6:
      return `!${name}${pick(random, ['', '[1]', '[2]'])} ${comparison(random)} ${random(7)}`;
    case 7:
      return `#${name} ${comparison(random)} ${random(3)}`;
    case 8:
      return `for ${pick(random, ['any', 'all', '1'])} of (${string}) : ($ at 0)`;
    case 9:
      return `any of (${string}) in (0..${random(5)})`;
    case 10:
      return `${string} at entrypoint`;
    default:
      return string;
  }
}

/** Bounds, terms for all strings and other rules in any order, joined and nested in any way. */
function sharingCondition(random: Random, strings: readonly string[], earlier: readonly string[]): string {
  const parts = strings.map((string) => termOf(random, string));
  for (let left = random(3); left > 0; left--) parts.splice(random(parts.length + 1), 0, boundOf(random));
  // What bounds a search is a condition that has to hold with all others.
  if (random(2) === 0) return parts.join(' and ');
  if (earlier.length > 0 && random(3) === 0) parts.push(pick(random, earlier));
  if (random(4) === 0) parts.push(`(${conditionOf(random, strings, earlier, 2)})`);
  if (random(4) === 0) parts.push(pick(random, ['any of them', 'all of ($s*)', 'for any of them : ($ at 0)']));
  return parts
    .map((part) => pick(random, [part, part, `(${part})`, `not (${part})`, `defined (${part}) and ${part}`]))
    .reduce((all, part) => {
      const joined = `${all} ${random(4) === 0 ? 'or' : 'and'} ${part}`;
      return random(4) === 0 ? `(${joined})` : joined;
    });
}

interface SharingCase {
  rulesets: string[];
  files: Buffer[];
}

/** One to three rulesets of two to six rules in all, no two of one name, and six files. */
export function generateSharingCase(random: Random): SharingCase {
  const some = Array.from({ length: 3 }, () => pick(random, words));
  return { rulesets: rulesetsAbout(random, some), files: Array.from({ length: 6 }, () => bytesOf(random, some)) };
}

function rulesetsAbout(random: Random, some: readonly string[]): string[] {
  const pool = [...some.map((word) => `"${word}"`), variantOf(random, pick(random, some)), stringOf(random)];
  const rulesets = Array.from({ length: 1 + random(3) }, () => ({ rules: [] as string[], names: [] as string[] }));
  for (let index = 1 + random(5); index >= 0; index--) {
    const { rules, names } = pick(random, rulesets);
    const isBare = random(3) === 0;
    const strings = Array.from({ length: isBare ? 1 : 1 + random(3) }, (_, place) => `$s${place}`);
    const definitions = strings.map((string) => `    ${string} = ${pick(random, pool)}`);
    const condition = isBare ? pick(random, ['$s0', '#s0 > 0', '@s0 >= 0']) : sharingCondition(random, strings, names);
    const flag = pick(random, ['', '', '', '', '', '', '', '', 'private ', 'global ', 'global private ']);
    rules.push(`${flag}rule r${index} {\n  strings:\n${definitions.join('\n')}\n  condition:\n    ${condition}\n}`);
    if (!flag.startsWith('global')) names.push(`r${index}`);
  }
  return rulesets.filter(({ rules }) => rules.length > 0).map(({ rules }) => rules.join('\n'));
}

/** The same word in another form. */
function variantOf(random: Random, word: string): string {
  const modifier = pick(random, ['nocase', 'fullword', 'wide ascii', 'xor', 'ascii', 'private']);
  const [hex, escaped] = [Buffer.from(word).toString('hex'), word.replace(/[./]/g, '\\$&')];
  return pick(random, [`"${word}" ${modifier}`, `{ ${hex} }`, `/${escaped}/`, `/^${escaped}/`, `/${escaped}.?/`]);
}

/** Nothing, one of the words first, or last, as long as rules may ask, sometimes where a program begins. */
function bytesOf(random: Random, some: readonly string[]): Buffer {
  const parts = [
    ['', '.', 'xx', ...some],
    ['', ' ', ...some],
    ['', '_', ...some],
  ].map((list) => pick(random, list));
  const bytes = Buffer.from(parts.join(pick(random, ['', ' '])));
  switch (random(6)) {
    case 0:
    case 1:
      return bytes.subarray(0, pick(random, sizes));
    case 2:
      return Buffer.concat([bytes, generateBytes(random)]);
    case 3:
      return programOf(bytes);
    default:
      return bytes;
  }
}

/** The smallest ELF file with an entry point, right behind its headers. */
function programOf(code: Buffer): Buffer {
  const [base, length] = [0x400000, 120 + code.length];
  const headers = Buffer.alloc(120);
  headers.write('\x7fELF\x02\x01\x01', 'latin1');
  headers.writeUInt16LE(2, 16);
  headers.writeUInt16LE(62, 18);
  headers.writeUInt32LE(1, 20);
  headers.writeUInt32LE(base + headers.length, 24);
  headers.writeUInt32LE(64, 32);
  for (const [index, size] of [64, 56, 1, 64].entries()) headers.writeUInt16LE(size, 52 + 2 * index);
  // One segment: all of the file.
  headers.writeUInt32LE(1, 64);
  headers.writeUInt32LE(base, 80);
  headers.writeUInt32LE(length, 96);
  headers.writeUInt32LE(length, 104);
  return Buffer.concat([headers, code]);
}
