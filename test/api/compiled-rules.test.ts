// Compiled rules are kept in a folder: what did not change is not compiled again, after a restart neither.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ruleCollection } from '../bench/rule-collection.ts';
import { startServer } from '../fixtures/program.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation } from '../fixtures/workstation.ts';
import { buildZip } from '../fixtures/zip-builder.ts';

const sha256 = createHash('sha256').update(readFileSync(realApks.unlock)).digest('hex');

test('compiled rules outlive the server, those of an unchanged ruleset are used again, damaged ones replaced', async () => {
  await using workstation = await startWorkstation();
  const { ask, dataDir, ownerToken } = workstation;
  const folder = join(dataDir, 'cache', 'compiled-rules');
  const compiled = () => readdirSync(folder).filter((name) => name.endsWith('.compiled-rules'));
  const kept = () => compiled().map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`);
  const json = { name: 'Kept', rules: 'rule a { condition: uint16(0) == 0x4b50 }' };
  const { body: ruleset } = await ask('/rulesets/', { method: 'POST', json });
  await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  const first = kept();
  assert.equal(first.length, 1);
  await workstation.server.close();

  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const again = await startServer({ dataDir, log });
  const headers = { authorization: `Token ${ownerToken}`, 'content-type': 'application/json' };
  const scan = async () => {
    await fetch(`${again.url}/apks/${sha256}/analyze_yara/`, { headers });
    await again.idle();
    const found = await fetch(`${again.url}/rulesets/${ruleset.id}/matches/`, { headers });
    const { results } = (await found.json()) as { results: { rules_matched: { name: string }[] }[] };
    return results[0]!.rules_matched[0]!.name;
  };
  try {
    assert.equal(await scan(), 'a');
    assert.deepEqual(kept(), first);
    const body = JSON.stringify({ rules: 'rule b { condition: uint16(0) == 0x4b50 }' });
    await fetch(`${again.url}/rulesets/${ruleset.id}/`, { method: 'PATCH', headers, body });
    assert.equal(await scan(), 'b');
    assert.notDeepEqual(kept(), first);
    for (const name of compiled()) writeFileSync(join(folder, name), 'no compiled rules');
    assert.equal(await scan(), 'b');
  } finally {
    await again.close();
  }
});

/** Processes below this one that hold the engine for rules. */
function ruleWorkers(parent = process.pid): number[] {
  const tasks = readdirSync(`/proc/${parent}/task`);
  const children = tasks.flatMap((task) => readFileSync(`/proc/${parent}/task/${task}/children`, 'latin1').split(' '));
  return children.filter(Boolean).flatMap((child) => {
    const words = readFileSync(`/proc/${child}/cmdline`, 'latin1');
    const isWorker = words.startsWith(process.execPath) && words.includes('native-preload');
    return [...(isWorker ? [Number(child)] : []), ...ruleWorkers(Number(child))];
  });
}

test('after a collection of rules was compiled for one APK, the next one meets the same worker, and nothing is compiled', {
  skip: process.platform !== 'linux',
}, async () => {
  await using workstation = await startWorkstation();
  const { ask, dataDir } = workstation;
  const entries = ruleCollection(400, 40).map(({ name, rules }) => ({ name, content: rules }));
  const body = Buffer.from(buildZip({ entries }));
  const { body: job } = await ask('/rule-packages/?name=collection', { method: 'POST', body });
  assert.equal((await workstation.jobEnd(job.id)).status, 'done');
  const folder = join(dataDir, 'cache', 'compiled-rules');
  const kept = () => readdirSync(folder).map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`);
  const state = async (apk: string) => {
    await workstation.upload(apk);
    await workstation.server.idle();
    return { workers: ruleWorkers(), kept: kept() };
  };
  const first = await state(realApks.unlock);
  assert.ok(first.workers.length > 0);
  assert.equal(readdirSync(join(folder, 'texts')).length, 40);
  assert.deepEqual(await state(realApks.unicodeIme), first);
});
