// Jobs as they run: the tray, the page, cancelling.
import { realApks } from '../fixtures/real-apks.ts';
import { expect, expectAccessible, keepScreenshot, open, test } from './window.ts';

test.beforeAll(async ({ workstationOf }, { file }) => {
  const workstation = await workstationOf(file);
  await workstation.upload(realApks.unlock);
  await workstation.server.idle();
});

test('the tray shows what runs and waits, as it happens, and is empty at the end', async ({ window, workstation }) => {
  // A busy machine takes its time over the analyses.
  test.slow();
  await open(window, workstation, '/catalogue');
  await expect(window.getByText('Live')).toBeVisible();
  await window.keyboard.press('t');
  const tray = window.getByRole('region', { name: 'Running and queued' });
  await expect(tray).toContainText('Nothing is running');
  const [{ body }] = await Promise.all([
    workstation.upload(realApks.settings),
    // Waited for, not expected: a short analysis could begin and end between two looks of `expect`.
    tray.getByRole('progressbar').first().waitFor(),
  ]);
  await workstation.server.idle();
  await expect(tray).toContainText('Nothing is running');
  await expect(window.getByRole('button', { name: 'Jobs: none running' })).toBeVisible();
  expect((await workstation.ask(`/apks/${body.sha256}/`)).body.is_static_analyzed).toBe(true);
});

test('the jobs page lists every job with its end, and cancels one', async ({ window, workstation }) => {
  // Put into the store past the queue, it waits until somebody wakes the runner: time enough to be cancelled.
  const { store } = workstation.server;
  const { body } = await workstation.ask('/apks/');
  const apk = await store.apks.findBySha256(body.results[0].sha256);
  const job = { apkId: apk!.id, priority: 0, isAutomatic: false, payload: null, accountId: null };
  await store.transaction(({ jobs }) => jobs.insert({ kind: 'static', ...job }));
  const { count } = (await workstation.ask('/jobs/')).body;
  await open(window, workstation, '/jobs');
  await expect(window.getByTestId('job')).toHaveCount(count);
  const latest = window.getByTestId('job').first();
  await latest.getByRole('button', { name: 'Cancel' }).click();
  await expect(latest).toHaveAttribute('data-status', 'failed');
  await keepScreenshot(window, 'jobs');
  await expectAccessible(window);
  await window.getByRole('button', { name: 'Failed and partial' }).click();
  await expect(window.getByTestId('job')).toHaveCount(1);
});

test('a job that gave only part of what was asked says so in words', async ({ window, workstation }) => {
  const at = '2026-01-02T03:04:05Z';
  const partial = {
    id: 'one',
    url: `${workstation.url}/jobs/one/`,
    kind: 'yara',
    status: 'partial',
    progress: 1,
    error: null,
    created_at: at,
    started_at: at,
    finished_at: at,
    stage: '',
    error_code: null,
    apk: null,
    result_url: null,
  };
  await window.route(/\/jobs\/\?/, (route) =>
    route.fulfill({ json: { count: 1, next: null, previous: null, results: [partial] } }),
  );
  await open(window, workstation, '/jobs');
  await expect(window.getByTestId('job')).toContainText('What it found until then is shown');
});
