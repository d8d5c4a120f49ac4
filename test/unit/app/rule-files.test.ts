import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readRulesets } from '../../../server/app/rule-files.ts';
import { compileRulesets } from '../../../server/engine/yara/collection.ts';
import { openWasmEngine } from '../../../server/engine/yara/wasm-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'rule-files-'));
after(() => rmSync(folder, { recursive: true }));

test('a folder gives its files of rules, each by its path', async () => {
  for (const name of ['b.yar', 'a.yara', 'c.txt'])
    writeFileSync(join(folder, name), `rule ${name[0]} { condition: true }`);
  assert.deepEqual(await readRulesets(['.'], folder), [
    { id: 'a.yara', rules: 'rule a { condition: true }' },
    { id: 'b.yar', rules: 'rule b { condition: true }' },
  ]);
});

test('a file in an older charset matches the bytes that stand in it', async () => {
  const rules = '// \xfcber\nrule r { meta: author = "J\xfcrgen" strings: $a = "caf\xe9" condition: $a }';
  writeFileSync(join(folder, 'latin.yar'), rules, 'latin1');
  const rulesets = await readRulesets(['latin.yar'], folder);
  const [group] = compileRulesets(openWasmEngine(), rulesets).groups;
  const matches = (text: string, charset: BufferEncoding) =>
    group!.engineRules!.scan(Buffer.from(text, charset), {}, 10_000).length;
  assert.deepEqual([matches('un caf\xe9', 'latin1'), matches('un caf\xe9', 'utf8')], [1, 0]);
});
