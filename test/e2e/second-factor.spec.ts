// The second factor in the window: asked for at the log-in, set up and taken away by its owner, or by the workstation's.
import { stepAt } from '../../server/services/people/one-time-codes.ts';
import { systemClock } from '../../server/store/clock.ts';
import { appCode } from '../fixtures/authenticator-app.ts';
import type { TestWorkstation } from '../fixtures/workstation.ts';
import { expect, expectAccessible, keepScreenshot, open, test, watchFaults } from './window.ts';

const password = 'albatross over Kerguelen';
/** Each code serves once; the one of the next half minute is taken too. */
const codeNow = (secret: string) => appCode(secret, stepAt(systemClock()));
const codeNext = (secret: string) => appCode(secret, stepAt(systemClock()) + 1);

/** Somebody with a password and an app. */
async function withApp(workstation: TestWorkstation, username: string) {
  const token = await workstation.analyst(username);
  const post = async (path: string, json: object) =>
    (await workstation.ask(`/account/${path}/`, { method: 'POST', token, json })).body;
  await post('password', { password });
  const { secret } = await post('second_factor', { current_password: password });
  const { recovery_codes } = await post('second_factor/confirm', { second_factor: codeNow(secret) });
  return { secret, recovery: recovery_codes as string[] };
}

test('a log-in asks for a code where there is a second factor, says what was wrong, and takes a recovery code', async ({
  page,
  workstation,
}) => {
  const faults = watchFaults(page, workstation.url);
  const { secret, recovery } = await withApp(workstation, 'ada');
  await open(page, workstation, '/jobs');
  const logIn = async () => {
    await page.getByLabel('User name').fill('ada');
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  };
  await logIn();
  const code = page.getByLabel('Code', { exact: true });
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(code).toHaveAttribute('inputmode', 'numeric');
  await expect(page.getByRole('alert')).toHaveText('');
  await expectAccessible(page);
  await keepScreenshot(page, 'login-code');
  await page.keyboard.type(codeNow(secret));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('This code is wrong, or was used already.');
  await expectAccessible(page);
  await keepScreenshot(page, 'login-code-wrong');
  await code.fill(codeNext(secret));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();

  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await logIn();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await expect(page.getByLabel('Recovery code')).toBeFocused();
  await expectAccessible(page);
  await keepScreenshot(page, 'login-recovery-code');
  await page.keyboard.type(recovery[0]!.toUpperCase());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
  expect(faults).toEqual([]);
});
