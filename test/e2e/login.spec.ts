// Opening and ending sessions in the window.
import { expect, keepScreenshot, open, test, watchFaults } from './window.ts';

test('the one-time link logs the owner in, asks for a password once, and is spent', async ({ page, workstation }) => {
  const faults = watchFaults(page, workstation.url);
  const link = workstation.server.loginUrl;
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Choose a password' })).toBeVisible();
  await keepScreenshot(page, 'first-start');
  await expect(page.getByLabel('User name')).toHaveValue('owner');
  // The same in another case: others know the owner by it.
  await page.getByLabel('User name').fill('Owner');
  await page.getByLabel('New password').fill('correct horse battery');
  await page.getByLabel('Repeat the password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The catalogue is empty')).toBeVisible();
  await keepScreenshot(page, 'empty-catalogue');

  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  expect((await workstation.ask('/account/')).body.username).toBe('Owner');
  await page.goto(link);
  await page.reload();
  await expect(page.getByText('This link was already used')).toBeVisible();
  expect(faults).toEqual([]);
});

test('name and password log in and lead to where one wanted to go', async ({ page, workstation }) => {
  await open(page, workstation, '/jobs');
  // Whoever has no password yet, or lost it, is told where one comes from.
  const hint = page.getByText('one-time link shown where the workstation was started');
  await expect(hint).toContainText('apk-workstation account reset-password NAME');
  await page.getByLabel('User name').fill('owner');
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('alert')).toContainText(/\w/);
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
});

test('a session that ended says so and asks to log in again', async ({ page, workstation }) => {
  await page.addInitScript(() =>
    localStorage.setItem('apk-workstation.session', JSON.stringify({ token: 'f'.repeat(40), username: 'owner' })),
  );
  await open(page, workstation, '/catalogue');
  await expect(page.getByText('Your session ended')).toBeVisible();
});
