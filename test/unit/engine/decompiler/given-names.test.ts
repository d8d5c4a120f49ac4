// Source with the names and notes that analysts gave: valid Java, whose spans name what the code has.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { decompileDexes } from '../../../../server/engine/decompiler/decompiler.ts';
import { checkNames } from '../../../../server/engine/decompiler/names/name-checks.ts';
import type { Note } from '../../../../server/engine/decompiler/names/notes.ts';
import { Findings } from '../../../../server/engine/findings.ts';
import { openDex } from '../../../../server/engine/formats/dex/dex.ts';
import { JavaTools, missingTools } from '../../../fixtures/java-tools.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

const programs = readFileSync(new URL('../../../fixtures/dynamic/compiled/programs.dex', import.meta.url));
const dexes = [openDex(programs, new Findings(), 'classes.dex')];
const decompiled = (names: readonly (readonly [string, string])[], notes: readonly Note[] = []) =>
  new Map([...decompileDexes([programs], { words: { names, notes } })].map((file) => [file.path, file]));

const names = [
  ['LClasses;', 'org.sample.Everything'],
  ['LClasses$Chain;', 'Pile'],
  ['LClasses$Planet;', 'org.sample.Everything$World'],
  ['LClasses$Planet;->EARTH:LClasses$Planet;', 'HOME'],
  ['LClasses$Base;->describe()Ljava/lang/String;', 'inWords'],
  ['LClasses$Chain;->size:I', 'count'],
  ['LClasses;->log:Ljava/lang/StringBuilder;', 'protocol'],
  ['LClasses;->sum([I)I', 'added'],
  ['LClasses;->sum([I)I#p0', 'numbers'],
  ['LTexts;', 'Words'],
] as const;

test('every use of a class, member or variable has the name that it was given, and javac takes the source', {
  skip: missingTools(),
}, async () => {
  const files = decompiled(names);
  const { source } = files.get('org/sample/Everything.java')!;
  assert.match(source, /^package org\.sample;/);
  assert.match(source, /\/\* renamed from: Classes \*\/\npublic class Everything \{/);
  assert.match(source, /static int added \/\* renamed from: sum \*\/\(int\.\.\. numbers\) \{/);
  assert.match(source, / World\.HOME\.text\(\)/);
  assert.match(source, /HOME \/\* its name\(\) is EARTH in the code \*\//);
  assert.match(source, /private int count;/);
  assert.doesNotMatch(source, /\bdescribe\(\)|\bChain\.|[^$]\bPlanet\.|\blog\./);
  const tools = JavaTools.ofProcess;
  const folder = temporaryFolder('given-names');
  const paths = Array.from(files.values(), ({ path, source: text }) => {
    const to = join(folder, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text);
    return to;
  });
  const before = [...decompiled([]).values()].length;
  assert.equal(paths.length, before);
  const errors = await tools.compile(paths, join(folder, 'out'), tools.release);
  assert.deepEqual(
    errors.map(({ path, line, message }) => `${path}:${line}: ${message}`),
    [],
  );
});

test('a method that overrides another has its name, whichever of both was renamed', () => {
  for (const owner of ['Base', 'Derived']) {
    const { source } = decompiled([[`LClasses$${owner};->describe()Ljava/lang/String;`, 'inWords']]).get(
      'Classes.java',
    )!;
    assert.equal(source.match(/String inWords \/\* renamed from: describe \*\/\(\)/g)?.length, 2);
    assert.doesNotMatch(source, /\bdescribe\(\)/);
  }
});

test('spans name what the code has under the new names, and variables are told by method and key', () => {
  const { source, spans, variables } = decompiled(names).get('org/sample/Everything.java')!;
  const shown = (symbol: string) =>
    new Set(
      spans
        .filter((span) => span.symbol === symbol && span.address === undefined)
        .map(({ start, end }) => source.slice(start, end)),
    );
  assert.deepEqual(shown('LClasses$Chain;->size:I'), new Set(['count']));
  assert.ok(shown('LClasses$Chain;').has('Pile'));
  const numbers = variables.filter(({ method, key }) => `${method}#${key}` === 'LClasses;->sum([I)I#p0');
  assert.ok(numbers.length >= 2);
  for (const { start, name } of numbers) assert.equal(source.slice(start, start + name.length), 'numbers');
});

test('every place of a variable has its name', () => {
  for (const { source, variables } of decompiled([]).values()) {
    assert.ok(variables.every(({ start, name }) => source.startsWith(name, start)));
  }
});

test('a note stands above its line, cannot end its comment, and moves no span off its text', () => {
  const notes = [
    { symbol: 'LClasses;', address: null, text: 'takes orders\nfrom \u202eafar \\u000a evil' },
    { symbol: 'LClasses;->sum([I)I', address: null, text: 'adds' },
    { symbol: 'LClasses;->day(LClasses$Planet;)I', address: 0, text: 'hours' },
  ];
  const plain = decompiled([]).get('Classes.java')!;
  const { source, spans, variables } = decompiled([], notes).get('Classes.java')!;
  assert.match(source, /\/\/ takes orders\n\/\/ from \{202e\}afar \\ u000a evil\npublic class Classes/);
  assert.match(source, /\n {4}\/\/ adds\n {4}static int sum\(/);
  assert.match(source, /\n {8}\/\/ hours\n {8}switch \(/);
  const texts = ({ source: text, spans: all }: Pick<typeof plain, 'source' | 'spans'>) =>
    all
      .filter(({ start, end, address }) => address === undefined && end - start < 40)
      .map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(texts({ source, spans }), texts(plain));
  assert.ok(variables.every(({ start, name }) => source.startsWith(name, start)));
});

test('a name is refused that Java has not, that something else has, or that others call', () => {
  const verdictOf = (symbol: string, name: string, address: number | null = null) => {
    const [verdict] = checkNames(dexes, [['LTexts;', 'Words']], [{ symbol, name, address }]);
    return verdict!.fault === null ? 'fits' : `${verdict!.fault} ${verdict!.by}`.trim();
  };
  assert.equal(verdictOf('LClasses;', 'Everything'), 'fits');
  assert.equal(verdictOf('LClasses;', 'Words'), 'clash LTexts;');
  assert.equal(verdictOf('LClasses;', 'org.sample.Words'), 'fits');
  assert.equal(verdictOf('LClasses;', '2nd'), 'no-name');
  assert.equal(verdictOf('LClasses;', 'a b'), 'no-name');
  assert.equal(verdictOf('LNone;', 'Some'), 'unknown');
  assert.equal(verdictOf('LClasses$Chain;', 'Planet'), 'clash LClasses$Planet;');
  assert.equal(verdictOf('LClasses;->total:I', 'log'), 'clash LClasses;->log:Ljava/lang/StringBuilder;');
  assert.equal(verdictOf('LClasses;->total:I', 'class'), 'no-name');
  assert.equal(verdictOf('LClasses;->sum([I)I', 'which'), 'fits');
  assert.equal(verdictOf('LClasses;->which(J)Ljava/lang/String;', 'sum'), 'fits');
  assert.equal(
    verdictOf('LClasses$Base;->describe()Ljava/lang/String;', 'toString'),
    'clash Ljava/lang/Object;->toString()Ljava/lang/String;',
  );
  assert.equal(verdictOf('LClasses$Chain;->iterator()Ljava/util/Iterator;', 'walk'), 'outside Ljava/lang/Iterable;');
  assert.equal(verdictOf('LClasses$Base;-><init>()V', 'made'), 'outside LClasses$Base;');
  assert.equal(verdictOf('LClasses;->sum([I)I#p0', 'numbers'), 'fits');
  assert.equal(verdictOf('LClasses;->none()V#p0', 'numbers'), 'unknown');
});

test('names may be exchanged, and of two that would be the same none is given', () => {
  const verdicts = (...changes: [string, string][]) =>
    checkNames(
      dexes,
      [],
      changes.map(([symbol, name]) => ({ symbol, name, address: null })),
    ).map(({ fault }) => fault);
  assert.deepEqual(verdicts(['LClasses;', 'Texts'], ['LTexts;', 'Classes']), [null, null]);
  assert.deepEqual(verdicts(['LClasses;', 'Same'], ['LTexts;', 'Same'], ['LTimes;', 'Hours']), [
    'clash',
    'clash',
    null,
  ]);
});
