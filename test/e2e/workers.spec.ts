// Administration → Workers: another machine joins by a code of the window, and is seen, paused and removed there.
import { TestMachine, TestRedis } from '../fixtures/lab.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

test('a machine joins by a code, analyses, is paused, told of when it is gone, and removed', async ({
  window,
  workstation,
}) => {
  await using redis = await TestRedis.start();
  await using machine = new TestMachine('bench');
  await workstation.ask('/settings/', { method: 'PATCH', json: { analyze_yara_on_upload: false } });
  await open(window, workstation, '/administration/workers');
  await expect(window.getByText('No other machines: set the address of a Redis above.')).toBeVisible();
  await window.getByLabel('Redis or Valkey').fill(redis.settings.lab_redis_url);
  await window.getByLabel('Password of Redis').fill(redis.settings.lab_redis_password);
  await window.getByRole('switch', { name: 'Analyse on this machine too' }).click();
  await window.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(window.getByText('No machine has joined yet.')).toBeVisible();
  await window.getByRole('button', { name: 'Create code' }).click();
  const command = await window.getByTestId('join-command').textContent();
  const [, code] = /^apk-workstation worker --join (\S+)$/.exec(command!)!;
  machine.begin('--join', code!, '--name', machine.name);
  const row = window.getByTestId('machine');
  await expect(row.getByText('On', { exact: true })).toBeVisible({ timeout: 30_000 });

  const { body: apk } = await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `workers-${scheme}`);
  });
  await window.getByRole('button', { name: 'Pause: bench' }).click();
  await expect(row.getByText('Paused')).toBeVisible();
  await window.getByRole('button', { name: 'Resume: bench' }).click();
  await expect(row.getByText('On', { exact: true })).toBeVisible();
  await open(window, workstation, `/apks/${apk.sha256}/jobs`);
  await expect(window.getByTestId('job-history').getByRole('cell', { name: 'bench' })).toHaveCount(2);

  await machine.kill();
  await open(window, workstation, '/notifications');
  const gone = window.getByRole('link', { name: 'A machine that analyses for this workstation does not answer' });
  await expect(gone).toBeVisible({ timeout: 30_000 });
  await gone.click();
  await expect(row.getByText('Gone')).toBeVisible();
  await window.getByRole('button', { name: 'Remove: bench' }).click();
  await window.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(window.getByText('No machine has joined yet.')).toBeVisible();
});
