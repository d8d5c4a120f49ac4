import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation } from '../fixtures/workstation.ts';

test('an app that takes its worker over fails its own job after two workers, and the server and other jobs go on', async () => {
  const workerEntry = new URL('../unit/jobs/engine-with-traitor.ts', import.meta.url);
  await using workstation = await startWorkstation({ workerEntry });
  await workstation.ask('/settings/', {
    method: 'PATCH',
    json: { analyze_dynamic_on_upload: false, analyze_yara_on_upload: false },
  });
  const [hostile, honest] = [
    (await workstation.upload(realApks.unicodeIme)).body.sha256,
    (await workstation.upload(realApks.unlock)).body.sha256,
  ];
  await workstation.server.idle();
  const endOf = async (sha256: string) => {
    const { results } = (await workstation.ask(`/jobs/?apk=${sha256}`)).body;
    const { status, error_code, error } = results.find(({ kind }: { kind: string }) => kind === 'static');
    return { status, error_code, error };
  };
  assert.deepEqual(await endOf(hostile), {
    status: 'failed',
    error_code: 'invalid-reply',
    error: 'The worker sent a message of another task. It was tried 2 times.',
  });
  assert.equal((await endOf(honest)).status, 'done');
  assert.equal((await workstation.ask(`/apks/${honest}/analysis/`)).status, 200);
  assert.equal((await workstation.ask(`/apks/${hostile}/analysis/`)).status, 404);
  const ended = workstation.logged.filter(({ details }) => (details as { code?: string }).code === 'invalid-reply');
  assert.deepEqual(
    ended.map(({ level, message }) => `${level}: ${message}`),
    Array(2).fill('warn: a worker process died of its task'),
  );
});
