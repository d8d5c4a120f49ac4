import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assemble, programsIn } from '../../../../fixtures/dynamic/machine/assemble.ts';
import { missingTools } from '../../../../fixtures/java-tools.ts';

const folder = join(import.meta.dirname, '../../../../fixtures/dynamic/machine');

for (const name of programsIn(folder)) {
  test(`the committed ${name}.dex is what smali makes of ${name}.smali`, { skip: missingTools() }, async () => {
    const assembled = await assemble(join(folder, `${name}.smali`));
    assert.ok(assembled.equals(readFileSync(join(folder, `${name}.dex`))));
  });
}
