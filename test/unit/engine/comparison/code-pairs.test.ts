// How much of an app is known again after an obfuscator: the names that it gave are known here, and nowhere there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeDifferences } from '../../../../server/engine/comparison/code-differences.ts';
import { CodePairs } from '../../../../server/engine/comparison/code-pairs.ts';
import { type ComparedCode, comparedCode } from '../../../../server/engine/comparison/compared-code.ts';
import { Findings } from '../../../../server/engine/findings.ts';
import { openDexContainer } from '../../../../server/engine/formats/dex/dex.ts';
import { apkDexes } from '../../../fixtures/apk-dexes.ts';
import { buildDex, type ClassSpec } from '../../../fixtures/dex-builder.ts';
import { realApks } from '../../../fixtures/real-apks.ts';
import { renamedDexes } from '../../../fixtures/renamed-dex.ts';

const codeOf = (dexes: readonly Buffer[]): ComparedCode =>
  comparedCode(
    dexes.flatMap((dex, place) => openDexContainer(dex, new Findings(), `classes${place + 1}.dex`)),
    () => null,
  );
const dexes = [...(await apkDexes(realApks.uiautomator2Test)).values()];

/** Instructions from which on a class is not like another by chance. */
const telling = 8;

/** @returns shares of the classes and methods that are told by what they do: those that were found, and found wrong */
function shares(first: ReturnType<typeof renamedDexes>, second: ReturnType<typeof renamedDexes>) {
  const [one, other] = [codeOf(first.dexes), codeOf(second.dexes)];
  const originals = (names: ReadonlyMap<string, string>) => new Map([...names].map(([name, to]) => [to, name]));
  const [mine, theirs] = [originals(first.classes), originals(second.classes)];
  const held = new Set(other.classes.map(({ name }) => theirs.get(name)));
  const { pairs } = new CodePairs(one, other).classes;
  const expected = one.classes.filter(({ name, instructions }) => instructions >= telling && held.has(mine.get(name)));
  const isRight = (name: string, to: string) => mine.get(name) === theirs.get(to);
  const found = pairs.filter(([{ instructions }]) => instructions >= telling);
  const right = found.filter(([{ name }, { name: to }]) => isRight(name, to));
  return { right: right.length / expected.length, wrong: (found.length - right.length) / expected.length };
}

test('of the classes of a real app with other names on both sides, in another order, all that do something are found', () => {
  const found = shares(renamedDexes(dexes, { seed: 1 }), renamedDexes(dexes, { seed: 7, isReversed: true }));
  assert.ok(found.right >= 0.99, `${found.right} right`);
  assert.ok(found.wrong <= 0.01, `${found.wrong} wrong`);
});

test('where every fifth class is left out, at least nine of ten others are found, and hardly one is taken for another', () => {
  const found = shares(
    renamedDexes(dexes, { seed: 1 }),
    renamedDexes(dexes, { seed: 7, without: 5, isReversed: true }),
  );
  assert.ok(found.right >= 0.9, `${found.right} right`);
  assert.ok(found.wrong <= 0.02, `${found.wrong} wrong`);
});

test('a renamed app has classes, methods and fields with other names, and none that changed', () => {
  const { classes, methods, fields } = codeDifferences(codeOf(dexes), codeOf(renamedDexes(dexes, { seed: 3 }).dexes));
  assert.equal(classes.counts.changed + classes.counts.removed + classes.counts.added, 0);
  const total = Object.values(methods.counts).reduce((sum, count) => sum + count, 0);
  assert.ok(methods.counts.changed / total < 0.01, JSON.stringify(methods.counts));
  assert.ok((methods.counts.removed + methods.counts.added) / total < 0.02, JSON.stringify(methods.counts));
  assert.ok(fields.counts.renamed > 800, JSON.stringify(fields.counts));
});

/** A class that writes and reads a field, and names a class in passing. */
const keeper = (field: string, other: string, text = 'kept'): ClassSpec[] => [
  {
    descriptor: 'Lcom/example/Keeper;',
    fields: [{ name: field, type: 'I', accessFlags: 9 }],
    methods: [
      {
        name: 'keep',
        descriptor: '()V',
        accessFlags: 9,
        code: {
          registers: 2,
          // const-string, sget, sput, const-class, return-void
          units: (pool) => [
            ...[0x001a, pool.string(text)],
            ...[0x0160, pool.field('Lcom/example/Keeper;', field, 'I')],
            ...[0x0167, pool.field('Lcom/example/Keeper;', field, 'I')],
            ...[0x011c, pool.type(other)],
            0x000e,
          ],
        },
      },
    ],
  },
  { descriptor: other, methods: [] },
];
const told = (first: readonly ClassSpec[], second: readonly ClassSpec[]) => {
  const { classes, methods, fields } = codeDifferences(
    codeOf([buildDex({ classes: first })]),
    codeOf([buildDex({ classes: second })]),
  );
  const lines = [classes, methods, fields].flatMap(({ differences }) => differences);
  return lines.map(({ state, name, to }) => `${state} ${name}${to === null ? '' : ` -> ${to}`}`);
};

test('a field with another name is known by the code that uses it, which did not change', () => {
  assert.deepEqual(told(keeper('count', 'La;'), keeper('total', 'La;')), [
    'changed Lcom/example/Keeper;',
    'renamed Lcom/example/Keeper;->count:I -> Lcom/example/Keeper;->total:I',
  ]);
});

test('an empty class is known by the code that names it', () => {
  assert.deepEqual(told(keeper('count', 'La;'), keeper('count', 'Lb;')), ['renamed La; -> Lb;']);
});

test('where code changed, a field that came is not one that went', () => {
  assert.deepEqual(told(keeper('count', 'La;'), keeper('total', 'La;', 'other')), [
    'changed Lcom/example/Keeper;',
    'changed Lcom/example/Keeper;->keep()V',
    'removed Lcom/example/Keeper;->count:I',
    'added Lcom/example/Keeper;->total:I',
  ]);
});
