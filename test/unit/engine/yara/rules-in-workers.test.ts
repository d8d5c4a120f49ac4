import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createWorkerPool } from '../../../../server/jobs/worker-pool.ts';
import { packJson } from '../../../../server/vault/packed-json.ts';
import { realApks } from '../../../fixtures/real-apks.ts';

const pool = createWorkerPool({ readableFolders: [realApks.unlock], concurrency: 1, isBackground: false });
after(() => pool.close());

test('a confined worker checks rules', async () => {
  const reply = await pool.run({ kind: 'compile', rules: 'rule r { condition: nothing }' });
  assert.equal(reply.status, 'done');
  assert.equal(reply.status === 'done' && reply.result.errors[0]?.column, 21);
});

test('a confined worker scans an APK, with what its reports say', async () => {
  const rules = 'import "droidbox" rule r { strings: $d = "dex\\n035" condition: $d at 0 and droidbox.sendsms("123") }';
  const task = {
    kind: 'yara',
    file: { kind: 'plain', path: realApks.unlock },
    rulesets: [{ id: 'one', rules }],
    reports: { androguard: null, cuckoo: null, droidbox: packJson({ sendsms: [{ number: '123' }] }) },
  } as const;
  const reply = await pool.run({ ...task, rulesets: [...task.rulesets] });
  assert.equal(reply.status, 'done');
  const matches = reply.status === 'done' ? reply.result.rulesets[0]!.rules_matched : [];
  assert.deepEqual(
    matches.map(({ name, file }) => [name, file]),
    [['r', 'classes.dex']],
  );
});
