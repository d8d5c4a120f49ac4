import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setJavaHooks } from '../../../../../server/engine/dynamic/java/hooks.ts';
import { compilePrograms, programNames } from '../../../../fixtures/dynamic/compiled/compile.ts';
import { testMachine } from '../../../../fixtures/dynamic/machine/test-machine.ts';
import { missingTools } from '../../../../fixtures/java-tools.ts';

const folder = join(import.meta.dirname, '../../../../fixtures/dynamic/compiled');
const dex = readFileSync(join(folder, 'programs.dex'));
// Made by `java`, see compile.ts.
const outputs = JSON.parse(readFileSync(join(folder, 'outputs.json'), 'utf8')) as Record<string, string>;

/** The lines that a program's `main` prints. */
function printed(name: string): string {
  const { machine, call } = testMachine([dex]);
  let out = '';
  setJavaHooks(machine, {
    log: (_machine, _level, _tag, message) => {
      out += `${message}\n`;
    },
  });
  call(`L${name};`, 'main([Ljava/lang/String;)V', machine.objectArray('Ljava/lang/String;', []));
  return out;
}

for (const name of programNames) {
  test(`${name}, compiled from Java, prints what java prints`, () => assert.equal(printed(name), outputs[name]));
}

test('the committed programs and outputs are what javac, java and smali make of the sources', {
  skip: missingTools(),
}, async () => {
  const compiled = await compilePrograms();
  assert.deepEqual(compiled.outputs, outputs);
  assert.ok(compiled.dex.equals(dex));
});
