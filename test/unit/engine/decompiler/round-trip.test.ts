import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { JavaTools, missingTools } from '../../../roundtrip/java-tools.ts';
import { mangle } from '../../../roundtrip/mangler.ts';
import { programsOf } from '../../../roundtrip/programs.ts';
import { roundTrip } from '../../../roundtrip/round-trip.ts';

/** Each program takes some 0.3 s: every fourth here, all of them by `npm run roundtrip`. */
const programs = programsOf(join(import.meta.dirname, '../../../roundtrip/programs')).filter(
  (_, index) => index % 4 === 0,
);

test('a program that was decompiled and compiled again prints what it printed, and what obfuscators do changes nothing of it', {
  skip: missingTools(),
}, async () => {
  await using tools = JavaTools.start();
  const stage = { tools, folder: temporaryFolder('round-trip') };
  for (const [seed, program] of programs.entries()) {
    const result = await roundTrip(stage, program);
    const errors = result.errors.map(({ message }) => message);
    assert.deepEqual([result.notCarried, errors, result.lost], [null, [], 0], program.name);
    assert.ok(result.comparisons.length > 0);
    for (const { verdict, before, after } of result.comparisons)
      assert.equal(verdict, 'equal', `${program.name}: ${before}\n${after}`);
    if (seed % 2 === 0) continue;
    const mangled = await roundTrip(stage, program, { mangle: (classes) => mangle(classes, seed) });
    const printed = ({ comparisons }: typeof result) => comparisons.map(({ before }) => before);
    assert.deepEqual([mangled.notCarried, printed(mangled)], [null, printed(result)], program.name);
  }
});
