// Texts of rules travel to workers once, whatever becomes of the folder; with real workers.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { RulesetText } from '../../../../server/contract/engine/yara.ts';
import { createWorkerPool } from '../../../../server/jobs/worker-pool.ts';
import { CompiledRulesFolder } from '../../../../server/services/rules/compiled-rules-folder.ts';
import { ruleCollection } from '../../../bench/rule-collection.ts';
import { realApks } from '../../../fixtures/real-apks.ts';

const path = mkdtempSync(join(tmpdir(), 'kept-rules-'));
const texts = [
  ...ruleCollection(300, 20).map(({ rules }, index) => ({ id: String(index), rules })),
  { id: 'zip', rules: 'rule zip { strings: $a = "PK" condition: $a at 0 }' },
];
const pool = createWorkerPool({ readableFolders: [path, realApks.unlock], isBackground: false, concurrency: 1 });
const faults: unknown[] = [];
const folder = new CompiledRulesFolder(path, pool, { error: (details) => faults.push(details) });
after(async () => {
  await pool.close();
  rmSync(path, { recursive: true });
});

const reports = { androguard: null, cuckoo: null, droidbox: null };
const file = { kind: 'plain', path: realApks.unlock } as const;

/** @returns for each time that the task was sent, how many of its texts were sent with it */
async function scan(some: readonly RulesetText[] = texts) {
  const sent: number[] = [];
  const reply = await folder.run(some, (kept) => {
    sent.push(kept.rulesets.filter(({ key }) => key === undefined).length);
    return pool.run({ kind: 'yara', file, ...kept, reports });
  });
  if (reply.status === 'failed') throw new Error(reply.message);
  const found = reply.result.rulesets.filter(({ id }) => id === 'zip');
  assert.deepEqual(
    found.flatMap(({ rules_matched }) => rules_matched.map(({ name, strings }) => [name, strings[0]?.offset])),
    [['zip', 0]],
  );
  return { sent, compile: reply.result.timings.compile };
}

test('a second scan is sent no text, and compiles nothing again', async () => {
  await folder.prepare(texts);
  assert.deepEqual((await scan()).sent, [0]);
  const { sent, compile } = await scan();
  assert.deepEqual(sent, [0]);
  assert.ok(compile! < 20, `${compile} ms of compiling`);
  assert.deepEqual(faults, []);
});

test('a text that was changed for a scan is sent, those beside it are not', async () => {
  const changed = { id: 'new', rules: 'rule another { condition: false }' };
  assert.deepEqual((await scan([...texts.slice(1), changed])).sent, [1]);
});

test('texts that are damaged are sent once more, and written anew for the next scans', async () => {
  const kept = join(path, 'texts');
  const names = readdirSync(kept);
  assert.equal(names.length, texts.length);
  const zip = texts.at(-1)!;
  // Nothing of this is compiled, so that the worker needs the texts.
  for (const name of readdirSync(path)) if (name !== 'texts') rmSync(join(path, name));
  for (const name of names) writeFileSync(join(kept, name), 'rule zip { condition: true }');
  assert.deepEqual((await scan([zip])).sent, [0, 1]);
  await folder.prepare([zip]);
  assert.deepEqual((await scan([zip])).sent, [0]);
  assert.deepEqual(faults, []);
});
