import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { JavaTools, missingTools } from '../../../fixtures/java-tools.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { changed, changesOf, mangle } from '../../../roundtrip/mangler.ts';
import { minimal } from '../../../roundtrip/minimiser.ts';
import { programsOf } from '../../../roundtrip/programs.ts';
import { writeRandomPrograms } from '../../../roundtrip/random/random-program.ts';
import { type RoundTrip, roundTrip } from '../../../roundtrip/round-trip.ts';

const all = programsOf(join(import.meta.dirname, '../../../roundtrip/programs'));
/** Each takes some 0.3 s: a dozen here, all of them by `npm run roundtrip`. */
const programs = all.filter((_, index) => index % Math.ceil(all.length / 12) === 0);

/** @returns what it printed */
function assertEqual(result: RoundTrip, name: string): string[] {
  const errors = result.errors.map(({ message }) => message);
  assert.deepEqual([result.notCarried, errors, result.lost], [null, [], 0], name);
  assert.ok(result.comparisons.length > 0);
  for (const { verdict, before, after } of result.comparisons)
    assert.equal(verdict, 'equal', `${name}: ${before}\n${after}`);
  return result.comparisons.map(({ before }) => before);
}

test('a program that was decompiled and compiled again prints what it printed, whatever obfuscators do to it', {
  skip: missingTools(),
}, async () => {
  const tools = JavaTools.ofProcess;
  const stage = { tools, folder: temporaryFolder('round-trip') };
  for (const [seed, program] of programs.entries()) {
    const printed = assertEqual(await roundTrip(stage, program), program.name);
    if (seed % 2 === 0) continue;
    const mangled = await roundTrip(stage, program, { mangle: (classes) => mangle(classes, seed) });
    assert.deepEqual(assertEqual(mangled, `${program.name}, seed ${seed}`), printed);
  }
});

test('a random program prints what it printed, as it is and mangled', { skip: missingTools() }, async () => {
  const tools = JavaTools.ofProcess;
  const stage = { tools, folder: temporaryFolder('round-trip') };
  const [program] = programsOf(writeRandomPrograms(temporaryFolder('random-programs'), 4, 1));
  const printed = assertEqual(await roundTrip(stage, program!), program!.name);
  const mangled = await roundTrip(stage, program!, { mangle: (classes) => mangle(classes, 4) });
  assert.deepEqual(assertEqual(mangled, 'mangled'), printed);
});

test('what classes that stand in each other reach by the accessors of an older javac does the same without them', {
  skip: missingTools(),
}, async () => {
  const tools = JavaTools.ofProcess;
  const stage = { tools, folder: temporaryFolder('round-trip') };
  for (const name of ['Accessors.java', 'InnerClasses.java']) {
    const program = all.find((each) => each.name === name)!;
    assertEqual(await roundTrip(stage, program, { release: 8 }), name);
  }
});

test('what a failure takes is found, whatever else there is', async () => {
  const found = async (items: readonly number[], needed: readonly number[]) =>
    await minimal(items, async (kept) => needed.every((each) => kept.includes(each)));
  const items = Array.from({ length: 100 }, (_, index) => index);
  assert.deepEqual(await found(items, [3, 50, 99]), [3, 50, 99]);
  assert.deepEqual(await found(items, []), []);
  assert.deepEqual(await found([7], [7]), [7]);
});

test('a change does the same to its method whichever others there are', () => {
  const body = ['.registers 3', 'const/4 v0, 0x1', 'const/4 v1, 0x1', 'add-int v0, v0, v1', 'return v0', '.end method'];
  const text = ['a', 'b'].flatMap((name) => [`.method public static ${name}()I`, ...body]).join('\n');
  const classes = [{ name: 'A', text }];
  const changes = changesOf(classes, 5, ['clutter', 'order']);
  assert.ok(changes.length > 0);
  const [whole] = changed(classes, 5, changes);
  for (const method of ['a', 'b']) {
    const [alone] = changed(
      classes,
      5,
      changes.filter((change) => change.method === `A->${method}()I`),
    );
    const linesOf = ({ text }: { text: string }) =>
      text.slice(text.indexOf(`static ${method}()`)).split('.end method')[0];
    assert.equal(linesOf(alone!), linesOf(whole!));
  }
});
