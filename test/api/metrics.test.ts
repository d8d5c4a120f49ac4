// What Prometheus collects, over HTTP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation } from '../fixtures/workstation.ts';

test('metrics are off at first, the owner turns them on, and nobody else reads them', async () => {
  await using workstation = await startWorkstation();
  const { ask } = workstation;
  const off = await ask('/metrics');
  assert.equal(off.status, 404);
  assert.match(off.body.detail, /setting metrics/);
  await ask('/settings/', { method: 'PATCH', json: { metrics: true, analyze_dynamic_on_upload: false } });
  const token = await workstation.analyst('erin', 'gold');
  assert.equal((await ask('/metrics', { token })).status, 403);
  assert.equal((await ask('/metrics', { token: null })).status, 401);

  await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  const measured = async () => {
    const response = await fetch(`${workstation.url}/metrics`, {
      headers: { authorization: `Token ${workstation.ownerToken}` },
    });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
    return response.text();
  };
  await measured();
  const text = await measured();
  for (const line of [
    'apk_workstation_healthy 1',
    'apk_workstation_apks 1',
    'apk_workstation_jobs{state="queued"} 0',
    'apk_workstation_jobs_ended_total{kind="static",status="done"} 1',
    'apk_workstation_lab_tasks_out 0',
  ])
    assert.ok(text.split('\n').includes(line), `${line} in\n${text}`);
  assert.match(text, /^process_resident_memory_bytes \d+$/m);
});
