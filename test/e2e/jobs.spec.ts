// Jobs as they run: the tray, the page, cancelling.
import { realApks } from '../fixtures/real-apks.ts';
import { expect, expectAccessible, keepScreenshot, open, test } from './window.ts';

test('the tray shows what runs and waits, as it happens, and is empty at the end', async ({ window, workstation }) => {
  // Four analyses, each bounded by the processor's time: a busy machine takes longer.
  test.slow();
  await open(window, workstation, '/catalogue');
  await expect(window.getByText('Live')).toBeVisible();
  await window.keyboard.press('t');
  const tray = window.getByRole('region', { name: 'Running and waiting' });
  await expect(tray).toContainText('Nothing is running');
  const [large] = await Promise.all([
    workstation.upload(realApks.uiautomator2Server),
    workstation.upload(realApks.apiDemos),
    expect(tray.getByRole('progressbar').first()).toBeVisible(),
  ]);
  await expect(tray).toContainText('Nothing is running', { timeout: 120_000 });
  await expect(window.getByRole('button', { name: 'Jobs: none running' })).toBeVisible();
  expect((await workstation.ask(`/apks/${large.body.sha256}/`)).body.is_static_analyzed).toBe(true);
});

test('the jobs page lists every job with its end, and cancels one', async ({ window, workstation }) => {
  // Put into the store past the queue, it waits until somebody wakes the runner: time enough to be cancelled.
  const { apks, jobs } = workstation.server.store;
  const { body } = await workstation.ask('/apks/');
  const apk = await apks.findBySha256(body.results[0].sha256);
  await jobs.insert({ kind: 'static', apkId: apk!.id, priority: 0, isAutomatic: false, payload: null });
  await open(window, workstation, '/jobs');
  await expect(window.getByTestId('job')).toHaveCount(5);
  const latest = window.getByTestId('job').first();
  await latest.getByRole('button', { name: 'Cancel' }).click();
  await expect(latest).toHaveAttribute('data-status', 'failed');
  await keepScreenshot(window, 'jobs');
  await expectAccessible(window);
  await window.getByRole('button', { name: 'Failed and partial' }).click();
  await expect(window.getByTestId('job')).toHaveCount(1);
});
