import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readRulesets } from '../../../server/app/rule-files.ts';
import { compileRulesets } from '../../../server/engine/yara/collection.ts';
import { openWasmEngine } from '../../../server/engine/yara/engines/wasm-engine.ts';
import { systemTool } from '../../fixtures/system-tools.ts';

const yara = systemTool('yara');
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

test('regular expressions in an older charset match the same bytes as in YARA', { skip: yara.skip }, async () => {
  const expressions = [
    '/caf\xe9{2}/',
    '/caf[\xe0-\xef]x/',
    '/caf\\\xe9!/',
    '/\\\\\xe9/',
    '/\\x41\xe9+B/',
    '/[^a]\xe9$/',
    '/\xc3\xa9/i',
  ];
  const texts = [
    'caf\xe9\xe9',
    'caf\xe8x',
    'caf\xe9!',
    'caf\\!',
    '\\\xe9',
    'A\xe9\xe9B',
    'a\xe9',
    '\xc3\xa9',
    '\xe9\xe9',
  ];
  const rules = expressions
    .map((expression, index) => `rule r${index} { strings: $a = ${expression} condition: $a }`)
    .join('\n');
  writeFileSync(join(folder, 'older.yar'), rules, 'latin1');
  const rulesets = await readRulesets(['older.yar'], folder);
  const [group] = compileRulesets(openWasmEngine(), rulesets).groups;
  assert.deepEqual([...group!.broken.values()], []);
  for (const text of texts) {
    const bytes = Buffer.from(text, 'latin1');
    writeFileSync(join(folder, 'target'), bytes);
    const said = execFileSync(yara.path!, ['-w', join(folder, 'older.yar'), join(folder, 'target')], {
      encoding: 'utf8',
    });
    const expected = said.split('\n').flatMap((line) => line.split(' ')[0] || []);
    assert.deepEqual(
      group!
        .engineRules!.scan(bytes, {}, 10_000)
        .map(({ rule }) => rule)
        .sort(),
      expected.sort(),
      text,
    );
  }
});
