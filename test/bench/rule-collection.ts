// Writes a collection of rules with the shape of large public ones, for measuring: what they look for, how their conditions
// begin, how they are spread over files. Always the same one. Knows nothing of engines.
import { pick, type Random, randomNumbers } from '../differential/rule-generator.ts';

export interface RuleFile {
  name: string;
  rules: string;
}

const syllables =
  'ad al an ar ba be bo ca ce co con da de di do en er es ex fi fo ga ge ha he hi in is it la le li lo ma me mi mo na ne no on or pa pe po pro ra re ri ro sa se si so ta te ti to tra un us va ve vi wo'.split(
    ' ',
  );
const endings = ['.exe', '.dll', '.php', '.pdb', '', '', '', '', '/', '=%s', ': %d', '()'];

/** What machine code is full of. */
const usualBytes =
  '00 00 00 ff 8b 8b 89 83 45 e8 c4 0f 85 84 74 75 68 50 51 55 ec 48 24 c0 33 eb 6a 8d 01 04 08 10'.split(' ');
const anyByte = (random: Random): string => random(256).toString(16).padStart(2, '0');
const hexByte = (random: Random): string => (random(2) === 0 ? pick(random, usualBytes) : anyByte(random));

function word(random: Random, most: number): string {
  const parts = Array.from({ length: 2 + random(most) }, () => pick(random, syllables));
  return parts
    .map((part, index) => (index === 0 || random(3) > 0 ? part : part[0]!.toUpperCase() + part.slice(1)))
    .join('');
}

/** Names of files and functions, lines of logs, paths, requests; some of a few letters. */
function text(random: Random): string {
  const kind = random(12);
  if (kind === 0) return word(random, 1);
  if (kind < 6) return word(random, 4) + pick(random, endings);
  if (kind < 8) return `${word(random, 3)} ${word(random, 3)} ${word(random, 2)}`;
  if (kind < 10) return `\\\\${word(random, 3)}\\\\${word(random, 3)}${pick(random, endings)}`;
  return `http://${word(random, 3)}.${word(random, 1)}/${word(random, 3)}?${word(random, 1)}=`;
}

const textModifiers = [
  '',
  '',
  '',
  ' ascii',
  ' ascii',
  ' wide',
  ' ascii wide',
  ' wide ascii',
  ' nocase',
  ' fullword ascii',
  ' fullword',
];

/** Instructions with operands left open, and jumps over what compilers put between them. */
function hexString(random: Random): string {
  const length = 6 + random(24);
  const parts: string[] = [];
  for (let index = 0; index < length; index++) {
    const isOpen = index > 3 && index < length - 1;
    const kind = random(24);
    if (isOpen && kind < 4) parts.push('??');
    else if (isOpen && kind === 4) parts.push(`${hexByte(random)[0]}?`);
    else if (isOpen && kind === 5) parts.push(pick(random, ['[4]', '[2-4]', '[0-16]', '[1-64]', '[4-8]']));
    else if (isOpen && kind === 6) parts.push(`( ${hexByte(random)} | ${hexByte(random)} )`);
    else parts.push(hexByte(random));
  }
  // A jump does not follow another one, nor stand before the last byte.
  return `{ ${parts.filter((part, index) => !(part.startsWith('[') && parts[index - 1]?.startsWith('['))).join(' ')} }`;
}

function regexp(random: Random): string {
  return pick(random, [
    () => `/${word(random, 2)}[a-z0-9]{2,${4 + random(12)}}\\.${word(random, 2)}/`,
    () => `/${word(random, 2)}\\s*\\(\\s*['"]${word(random, 2)}['"]/ nocase`,
    () => `/https?:\\/\\/[\\w.-]{4,40}\\/${word(random, 2)}\\.(php|asp|jsp)/`,
    () => `/${word(random, 3)}=(${word(random, 1)}|${word(random, 1)}|${word(random, 2)})/ ascii wide`,
    () => `/[A-Z]:\\\\[^\\n]{4,60}\\\\${word(random, 3)}\\.pdb/`,
  ])();
}

function stringOf(random: Random, kind: number): string {
  if (kind < 48) return `"${text(random)}"${pick(random, textModifiers)}`;
  if (kind < 95) return hexString(random);
  return regexp(random);
}

interface Family {
  /** What its condition asks besides strings, and the modules for it. */
  guard(random: Random): { text: string; modules: readonly string[] };
  /** Of a hundred strings. */
  hexShare: number;
}

const windowsFile = 'uint16(0) == 0x5a4d';
const size = (random: Random) =>
  `filesize < ${pick(random, ['100KB', '500KB', '1MB', '2MB', '5MB', '4000KB', '300KB'])}`;
const none: readonly string[] = [];

/** As often as they stand here: programs for Windows first, then any bytes, then all the rest. */
const families: readonly Family[] = [
  ...Array<Family>(7).fill({
    guard: (random) => ({ text: `${windowsFile} and ${size(random)}`, modules: none }),
    hexShare: 30,
  }),
  ...Array<Family>(2).fill({ guard: () => ({ text: windowsFile, modules: none }), hexShare: 40 }),
  ...Array<Family>(4).fill({
    guard: (random) => ({ text: `filesize < ${1 + random(9_000_000)}`, modules: none }),
    hexShare: 98,
  }),
  { guard: () => ({ text: `${windowsFile} and uint32(uint32(0x3c)) == 0x00004550`, modules: none }), hexShare: 40 },
  {
    guard: (random) => ({ text: `${windowsFile} and pe.number_of_sections > ${1 + random(6)}`, modules: ['pe'] }),
    hexShare: 30,
  },
  {
    guard: (random) => ({ text: `pe.imports("${word(random, 2)}.dll", "${word(random, 3)}")`, modules: ['pe'] }),
    hexShare: 30,
  },
  {
    guard: (random) => ({
      text: `pe.imphash() == "${Array.from({ length: 16 }, () => anyByte(random)).join('')}"`,
      modules: ['pe'],
    }),
    hexShare: 20,
  },
  { guard: (random) => ({ text: `uint32(0) == 0x464c457f and ${size(random)}`, modules: none }), hexShare: 40 },
  { guard: () => ({ text: 'uint32be(0) == 0x7f454c46', modules: none }), hexShare: 70 },
  { guard: () => ({ text: 'elf.type == elf.ET_EXEC', modules: ['elf'] }), hexShare: 40 },
  { guard: () => ({ text: 'uint32(0) == 0xe011cfd0', modules: none }), hexShare: 10 },
  { guard: (random) => ({ text: size(random), modules: none }), hexShare: 20 },
  { guard: () => ({ text: '', modules: none }), hexShare: 60 },
  { guard: () => ({ text: '', modules: none }), hexShare: 20 },
  {
    guard: (random) => ({ text: `math.entropy(0, filesize) > ${5 + random(3)} and ${windowsFile}`, modules: ['math'] }),
    hexShare: 30,
  },
];

function ruleOf(random: Random, name: string, family: Family): { text: string; modules: readonly string[] } {
  const guard = family.guard(random);
  const count = pick(random, [1, 2, 3, 3, 4, 5, 6, 7, 7, 8, 10, 10, 14, 20]);
  const strings = Array.from({ length: count }, (_, index) => {
    const kind = random(100);
    const drawn = kind < family.hexShare ? 60 : kind < 96 ? 10 : 99;
    return `      $s${index} = ${stringOf(random, drawn)}`;
  });
  const wanted = pick(random, [
    'all of them',
    'any of them',
    `${Math.min(count, 2 + random(6))} of them`,
    count > 2 ? `($s0 and 1 of ($s1*, $s2)) or ${Math.min(count, 3)} of ($s*)` : '1 of ($s*)',
    '#s0 > 1 or all of them',
  ]);
  const condition = guard.text === '' ? wanted : `${guard.text} and (${wanted})`;
  const meta = [
    `description = "Detects ${word(random, 3)} ${word(random, 3)} by its ${word(random, 2)}"`,
    `author = "${word(random, 2)} ${word(random, 2)}"`,
    `reference = "https://${word(random, 3)}.example/${word(random, 4)}"`,
    `date = "20${10 + random(16)}-0${1 + random(9)}-${10 + random(19)}"`,
    `hash1 = "${Array.from({ length: 32 }, () => anyByte(random)).join('')}"`,
    `score = ${40 + random(60)}`,
  ];
  const text = `rule ${name} : ${pick(random, ['APT', 'MALWARE', 'HKTL', 'WEBSHELL', 'SUSP'])} {\n   meta:\n${meta.map((line) => `      ${line}`).join('\n')}\n   strings:\n${strings.join('\n')}\n   condition:\n      ${condition}\n}\n`;
  return { text, modules: guard.modules };
}

/** Some files hold hundreds of rules, most a few; every rule has a name of its own. */
export function ruleCollection(ruleCount: number, fileCount: number): RuleFile[] {
  const random = randomNumbers(19);
  const weights = Array.from({ length: fileCount }, () => 1 / (1 + random(1000)) ** 0.75);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let written = 0;
  let passed = 0;
  return weights.map((weight, file) => {
    passed += weight;
    const left = fileCount - file - 1;
    const end =
      left === 0
        ? ruleCount
        : Math.min(ruleCount - left, Math.max(written + 1, Math.round((passed / all) * ruleCount)));
    const family = pick(random, families);
    const modules = new Set<string>();
    const rules: string[] = [];
    for (; written < end; written++) {
      // A file is mostly about one kind of program.
      const rule = ruleOf(
        random,
        `${word(random, 2)}_${word(random, 2)}_${written}`,
        random(5) === 0 ? pick(random, families) : family,
      );
      for (const module of rule.modules) modules.add(module);
      rules.push(rule.text);
    }
    const imports = [...modules].map((module) => `import "${module}"\n`).join('');
    return {
      name: `${String(file).padStart(4, '0')}-${word(random, 2)}.yar`,
      rules: `${imports}\n${rules.join('\n')}`,
    };
  });
}
