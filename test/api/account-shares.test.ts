// What an account's rulesets may take of an analysis, over HTTP: the real engine, on a meter of the processor that counts what rules say they cost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costlyRule } from '../fixtures/metered-engine.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation } from '../fixtures/workstation.ts';

/** For each file some seconds: within what a single ruleset may take, and six of them over an account's share. */
const slow = (name: string) => costlyRule(name, 3_000, 'filesize > 0');

test("rulesets of an account that is over its share of the time are left out and say so, and others' go on", async () => {
  await using workstation = await startWorkstation({
    workerEntry: new URL('../fixtures/metered-worker.ts', import.meta.url),
  });
  const settings = { analyze_dynamic_on_upload: false };
  assert.equal((await workstation.ask('/settings/', { method: 'PATCH', json: settings })).status, 200);
  const [eager, colleague] = [await workstation.analyst('eager', 'gold'), await workstation.analyst('colleague')];
  const save = async (token: string, name: string, rules: string) => {
    const { status, body, text } = await workstation.ask('/rulesets/', {
      method: 'POST',
      token,
      json: { name, rules },
    });
    assert.equal(status, 201, text);
    return { token, address: `/rulesets/${body.id}/` };
  };
  const theirs = [await save(colleague, 'quick', 'rule quick { condition: filesize > 0 }')];
  const slowOnes = [];
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) slowOnes.push(await save(eager, name, slow(`slow_${name}`)));
  theirs.push(await save(workstation.ownerToken, 'owned', 'rule owned { condition: filesize > 0 }'));
  const { body: apk } = await workstation.upload(realApks.unlock);
  await workstation.server.idle();

  const read = async ({ token, address }: { token: string; address: string }) =>
    (await workstation.ask(address, { token })).body;
  const conditions = await Promise.all(slowOnes.map(read));
  const codes = conditions.map(({ last_scan_error }) => last_scan_error?.code);
  assert.ok(codes.includes('over-share'), codes.join());
  assert.match(
    conditions.find(({ scan_state }) => scan_state === 'timed_out').last_scan_error.message,
    /Disable or simplify/,
  );
  for (const each of theirs) {
    const { scan_state, matches_count } = await read(each);
    assert.deepEqual([scan_state, matches_count > 0], ['ok', true]);
  }
  const { body: jobs } = await workstation.ask(`/jobs/?apk=${apk.sha256}`);
  const { status } = jobs.results.find(({ kind }: { kind: string }) => kind === 'yara');
  assert.equal(status, 'partial');
});
