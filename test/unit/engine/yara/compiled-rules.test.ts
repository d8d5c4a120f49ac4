import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import type { RulesetText } from '../../../../server/contract/engine/yara.ts';
import type { RulesetCollection } from '../../../../server/engine/yara/collection.ts';
import { CompiledRules } from '../../../../server/engine/yara/compiled-rules.ts';
import type { YaraEngine } from '../../../../server/engine/yara/engines/engine.ts';
import { openNativeEngine } from '../../../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../../../server/engine/yara/engines/wasm-engine.ts';
import { scanApk } from '../../../../server/engine/yara/scan.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';

const native = openNativeEngine();
const folder = mkdtempSync(join(tmpdir(), 'compiled-rules-'));
after(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
});

const ruleset = (id: string, word = id): RulesetText => ({
  id,
  rules: `import "androguard" rule ${id} { strings: $a = "${word}" condition: $a and not androguard.url(/${word}/) }`,
});
const broken: RulesetText = { id: 'broken', rules: 'rule b {\n condition: nothing }' };

/** Prepares as a process of its own, and does with the files what the service side does. */
function prepare(rulesets: RulesetText[], engine: YaraEngine = native!) {
  const prepared = new CompiledRules(engine).prepare(rulesets, folder);
  for (const { name, bytes } of prepared.files) writeFileSync(join(folder, name), bytes);
  for (const name of prepared.obsolete) rmSync(join(folder, name));
  return prepared;
}

const reports = { androguard: null, cuckoo: null, droidbox: null };
const matching = (collection: RulesetCollection, bytes: string) =>
  scanApk(memorySource(Buffer.from(bytes)), collection, {
    reports,
    rulesetTimeout: 5_000,
    progress: () => undefined,
  }).rulesets.map(({ id, status, rules_matched }) => [
    id,
    status,
    ...rules_matched.map(({ name, strings }) => `${name} ${strings[0]?.offset}`),
  ]);

describe('compiled forms of rulesets', { skip: native === null && 'no native engine here' }, () => {
  test('another process loads them, broken rulesets and what is wrong with them too', () => {
    const rulesets = [ruleset('one'), broken, ruleset('two')];
    const { files, broken: faults } = prepare(rulesets);
    assert.equal(files.length, 1);
    assert.deepEqual(
      faults.map(({ id, errors }) => [id, errors[0]?.line]),
      [['broken', 2]],
    );
    const collection = new CompiledRules({
      ...native!,
      compile: () => assert.fail('nothing is left to compile'),
      check: () => assert.fail('nothing is left to check'),
    }).collectionOf(rulesets, folder);
    assert.deepEqual(
      collection.rulesets.map(({ key }) => collection.errorsOf(key)?.[0]?.line),
      [undefined, 2, undefined],
    );
  });

  test('they find what freshly compiled rules find', () => {
    const rulesets = [ruleset('one'), ruleset('two'), ruleset('three', 'two')];
    prepare(rulesets);
    const expected = [
      ['one', 'done', 'one 2'],
      ['two', 'done', 'two 6'],
      ['three', 'done', 'three 6'],
    ];
    assert.deepEqual(matching(new CompiledRules(native!).collectionOf(rulesets, folder), '- one two'), expected);
    assert.deepEqual(matching(new CompiledRules(native!).collectionOf(rulesets, undefined), '- one two'), expected);
    assert.deepEqual(
      matching(new CompiledRules(openWasmEngine()).collectionOf(rulesets, folder), '- one two'),
      expected,
    );
  });

  test('a change compiles what changed, and what is gone matches no more', () => {
    const rulesets = 'abcdefghij'.split('').map((letter) => ruleset(`r${letter}`, 'word'));
    prepare(rulesets);
    const changed = [...rulesets.slice(1), ruleset('new', 'word')];
    const compiled: number[] = [];
    const watched = new CompiledRules({
      ...native!,
      compile(sources, globals, maxMatches) {
        compiled.push(sources.length);
        return native!.compile(sources, globals, maxMatches);
      },
    });
    const { files, obsolete } = watched.prepare(changed, folder);
    assert.deepEqual([files.length, obsolete, compiled], [1, [], [1]]);
    assert.deepEqual(
      matching(watched.collectionOf(changed, folder), 'word').map(([id, , match]) => [id, match]),
      changed.map(({ id }) => [id, `${id} 0`]),
    );
  });

  test('however many rulesets change one after the other, the many that stay are never compiled again', () => {
    const staying = Array.from({ length: 40 }, (_, index) => ruleset(`stays${index}`));
    prepare(staying);
    const compiled: number[] = [];
    const counting = {
      ...native!,
      compile(...given: Parameters<YaraEngine['compile']>) {
        compiled.push(given[0].length);
        return native!.compile(...given);
      },
    };
    const changed: RulesetText[] = [];
    for (const letter of 'bcdefghi') {
      changed.push(ruleset(letter));
      prepare([...staying, ...changed], counting);
      assert.ok(readdirSync(folder).length <= 3);
    }
    assert.equal(compiled.length, 8);
    assert.ok(Math.max(...compiled) <= changed.length, `${compiled}`);
    const found = matching(new CompiledRules(native!).collectionOf([...staying, ...changed], folder), 'stays7 i');
    assert.deepEqual(
      found.filter(([, , match]) => match !== undefined),
      [
        ['stays7', 'done', 'stays7 0'],
        ['i', 'done', 'i 7'],
      ],
    );
  });

  test('many small groups, and groups of mostly deleted rulesets, become one', () => {
    const rulesets: RulesetText[] = [];
    for (const letter of 'abcdefgh') {
      rulesets.push(ruleset(letter));
      prepare(rulesets);
      assert.ok(readdirSync(folder).length <= 3);
    }
    const { files, obsolete } = prepare(rulesets.slice(0, 3));
    assert.equal(files.length, 1);
    assert.ok(obsolete.length >= 1);
    assert.equal(readdirSync(folder).length, 1);
  });

  test('damaged files and those of another version are compiled again', () => {
    const rulesets = [ruleset('one')];
    const [file] = prepare(rulesets).files;
    const path = join(folder, file!.name);
    const whole = readFileSync(path);
    const altered = Buffer.from(whole);
    altered[900]! ^= 1;
    for (const damage of [whole.subarray(0, -7), whole.subarray(0, 20), Buffer.alloc(0), altered]) {
      writeFileSync(path, damage);
      assert.deepEqual(matching(new CompiledRules(native!).collectionOf(rulesets, folder), 'one'), [
        ['one', 'done', 'one 0'],
      ]);
    }
    assert.deepEqual(
      prepare(rulesets).files.map(({ name }) => name),
      [file!.name],
    );
    assert.equal(new CompiledRules({ ...native!, version: 'newer' }).prepare(rulesets, folder).files.length, 1);
  });

  test('two rulesets of the same text both match', () => {
    const same = [ruleset('one'), { ...ruleset('one'), id: 'other' }];
    assert.deepEqual(
      matching(new CompiledRules(native!).collectionOf(same, undefined), 'one').map(([id, , match]) => [id, match]),
      [
        ['one', 'one 0'],
        ['other', 'one 0'],
      ],
    );
  });
});
