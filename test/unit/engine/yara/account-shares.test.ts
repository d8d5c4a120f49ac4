// What an account's rulesets may take of the time for one APK, and that those of others lose nothing by them.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { compileRulesets } from '../../../../server/engine/yara/collection.ts';
import { withCandidates } from '../../../../server/engine/yara/engines/candidate-engine.ts';
import { openNativeEngine } from '../../../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../../../server/engine/yara/engines/wasm-engine.ts';
import { scanApk } from '../../../../server/engine/yara/scan.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { costlyRule, ProcessorMeter } from '../../../fixtures/metered-engine.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

const native = openNativeEngine();
const reports = { androguard: null, cuckoo: null, droidbox: null };
const files = Array.from({ length: 16 }, (_, index) => ({ name: `assets/${index}`, content: 'abc' }));
const apk = memorySource(buildZip({ entries: files }));
const fast = (name: string) => `rule ${name} { strings: $a = "abc" condition: filesize == 3 and $a at 0 }`;

const meter = new ProcessorMeter();
const engines = [withCandidates(meter.of(openWasmEngine())), ...(native === null ? [] : [meter.of(native)])];
/** Milliseconds of that meter that a slow ruleset takes for each file, and for all of them. */
const perFile = 20;
const milliseconds = perFile * files.length;

for (const engine of engines) {
  const scan = (t: TestContext, rulesets: { id: string; rules: string; sharer?: number }[], accountShare: number) => {
    t.mock.method(process, 'threadCpuUsage', meter.usage);
    return scanApk(memorySource(apk.read(0, apk.size)), compileRulesets(engine, rulesets), {
      reports,
      rulesetTimeout: 60_000,
      accountShare,
      progress: () => undefined,
    });
  };
  const slow = (account: number | undefined, index: number) => ({
    id: `slow ${account} ${index}`,
    rules: costlyRule(`s${account}_${index}`, perFile, 'filesize == 3'),
    ...(account === undefined ? {} : { sharer: account }),
  });

  test(`the ${engine.name} engine leaves out what takes most of an account's share, and nothing else`, (t) => {
    const rulesets = [
      slow(undefined, 1),
      ...[1, 2, 3, 4, 5].map((index) => slow(7, index)),
      { id: 'fast 7', rules: fast('f7'), sharer: 7 },
      { id: 'fast 8', rules: fast('f8'), sharer: 8 },
      { id: 'fast owner', rules: fast('owners') },
    ];
    const { rulesets: outcomes, findings } = scan(t, rulesets, milliseconds / 2);
    const statusOf = (part: string) => [
      ...new Set(outcomes.filter(({ id }) => id.includes(part)).map(({ status }) => status)),
    ];
    assert.deepEqual(
      ['slow 7', 'fast', 'undefined'].map((part) => statusOf(part)),
      [['over-share'], ['done'], ['done']],
    );
    const counts = outcomes.filter(({ status }) => status === 'done').map(({ matches_count: count }) => count);
    assert.deepEqual(counts, Array(4).fill(files.length));
    assert.match(findings[0]!.evidence, /over its author's share of the time/);
  });

  // Whose time it is does not depend on the engine: the faster one shows it.
  if (engine !== engines.at(-1)) continue;

  test(`the ${engine.name} engine lets an account within its share be, and the owner beyond any`, (t) => {
    const { rulesets: outcomes } = scan(t, [slow(undefined, 1), slow(7, 1)], 60_000);
    assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], ['done']);
    const { rulesets: owners } = scan(t, [slow(undefined, 1), slow(undefined, 2)], 10);
    assert.deepEqual([...new Set(owners.map(({ status }) => status))], ['done']);
  });

  test(`with the ${engine.name} engine a text of two accounts is no dearer for the one that no share bounds`, (t) => {
    const { rules } = slow(7, 1);
    const { rulesets: outcomes } = scan(
      t,
      [
        { id: 'theirs', rules, sharer: 7 },
        { id: 'owner', rules },
      ],
      20,
    );
    assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], ['done']);
  });
}
