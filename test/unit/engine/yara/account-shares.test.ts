// What an account's rulesets may take of the time for one APK, and that those of others lose nothing by them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMilliseconds } from '../../../../server/engine/cpu-time.ts';
import { compileRulesets } from '../../../../server/engine/yara/collection.ts';
import { withCandidates } from '../../../../server/engine/yara/engines/candidate-engine.ts';
import { openNativeEngine } from '../../../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../../../server/engine/yara/engines/wasm-engine.ts';
import { scanApk } from '../../../../server/engine/yara/scan.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

const native = openNativeEngine();
const reports = { androguard: null, cuckoo: null, droidbox: null };
const files = Array.from({ length: 16 }, (_, index) => ({ name: `assets/${index}`, content: 'abc' }));
const apk = memorySource(buildZip({ entries: files }));
const fast = (name: string) => `rule ${name} { strings: $a = "abc" condition: filesize == 3 and $a at 0 }`;

const engines = [withCandidates(openWasmEngine()), ...(native === null ? [] : [native])];

for (const engine of engines) {
  const scan = (rulesets: { id: string; rules: string; sharer?: number }[], accountShare: number) =>
    scanApk(memorySource(apk.read(0, apk.size)), compileRulesets(engine, rulesets), {
      reports,
      rulesetTimeout: 60_000,
      accountShare,
      progress: () => undefined,
    });
  const loop = (name: string, turns: number) =>
    `rule ${name} { condition: filesize == 3 and for all i in (0..${turns}) : (i != 1000000000000) }`;
  /** Milliseconds of the processor that this many turns take for all files. */
  const timeOf = (turns: number) => {
    const started = cpuMilliseconds();
    scan([{ id: 'alone', rules: loop('alone', turns) }], 60_000);
    return cpuMilliseconds() - started;
  };
  // Well above what the engine takes for each file by itself, and what a collection of garbage adds to one.
  const least = Math.max(300, 150 + 2 * files.length * engine.scanTime);
  let turns = 50_000;
  let milliseconds = timeOf(turns);
  while (milliseconds < least) {
    turns *= 2;
    milliseconds = timeOf(turns);
  }
  // Engines get faster with what they have run before.
  milliseconds = Math.min(timeOf(turns), timeOf(turns));
  const slow = (account: number | undefined, index: number) => ({
    id: `slow ${account} ${index}`,
    rules: loop(`s${account}_${index}`, turns),
    ...(account === undefined ? {} : { sharer: account }),
  });

  test(`the ${engine.name} engine leaves out what takes most of an account's share, and nothing else`, () => {
    const rulesets = [
      slow(undefined, 1),
      ...[1, 2, 3, 4, 5].map((index) => slow(7, index)),
      { id: 'fast 7', rules: fast('f7'), sharer: 7 },
      { id: 'fast 8', rules: fast('f8'), sharer: 8 },
      { id: 'fast owner', rules: fast('owners') },
    ];
    const { rulesets: outcomes, findings } = scan(rulesets, milliseconds / 2);
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

  test(`the ${engine.name} engine lets an account within its share be, and the owner beyond any`, () => {
    const { rulesets: outcomes } = scan([slow(undefined, 1), slow(7, 1)], 60_000);
    assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], ['done']);
    const { rulesets: owners } = scan([slow(undefined, 1), slow(undefined, 2)], 10);
    assert.deepEqual([...new Set(owners.map(({ status }) => status))], ['done']);
  });

  test(`with the ${engine.name} engine a text of two accounts is no dearer for the one that no share bounds`, () => {
    const { rules } = slow(7, 1);
    const { rulesets: outcomes } = scan(
      [
        { id: 'theirs', rules, sharer: 7 },
        { id: 'owner', rules },
      ],
      20,
    );
    assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], ['done']);
  });
}
