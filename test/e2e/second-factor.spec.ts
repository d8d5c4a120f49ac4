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
  const used = codeNow(secret);
  const { recovery_codes } = await post('second_factor/confirm', { second_factor: used });
  return { secret, used, recovery: recovery_codes as string[] };
}

test('a log-in asks for a code where there is a second factor, says what was wrong, and takes a recovery code', async ({
  page,
  workstation,
}) => {
  const faults = watchFaults(page, workstation.url);
  const { secret, used, recovery } = await withApp(workstation, 'ada');
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
  await page.keyboard.type(used);
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

test('the account page sets a second factor up, renews recovery codes and turns it off', async ({
  window,
  workstation,
}) => {
  await workstation.ask('/account/password/', { method: 'POST', json: { password } });
  await open(window, workstation, '/account/second-factor');
  await window.getByRole('textbox', { name: 'Current password' }).fill('not this one');
  await window.getByRole('button', { name: 'Set up a second factor' }).click();
  await expect(window.getByText('This is not the current password.')).toBeVisible();
  await window.getByRole('textbox', { name: 'Current password' }).fill(password);
  await window.keyboard.press('Enter');
  await expect(window.getByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible();
  const secret = await window.getByTestId('second-factor-secret').innerText();
  await expect(window.getByLabel('Code from the app')).toBeFocused();
  await expectAccessible(window);
  await keepScreenshot(window, 'second-factor-begun');
  await window.keyboard.type('12345');
  await window.keyboard.press('Enter');
  await expect(window.getByText('This code is wrong')).toBeVisible();
  // The codes are told once: they must be there also where the state cannot be looked up at once.
  const isState = (url: URL) => url.pathname === '/account/second_factor/';
  await window.route(isState, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ status: 429, json: { detail: 'Wait.' } }) : route.fallback(),
  );
  await window.getByLabel('Code from the app').fill(codeNow(secret));
  await window.keyboard.press('Enter');
  const codes = window.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  await window.unroute(isState);
  await window.getByRole('button', { name: 'Try again' }).click();
  await expect(window.getByRole('button', { name: 'Turn off' })).toBeVisible();
  await expect(codes).toHaveCount(10);
  await expectAccessible(window);
  await keepScreenshot(window, 'second-factor-recovery-codes');
  await window.emulateMedia({ colorScheme: 'dark' });
  await keepScreenshot(window, 'second-factor-recovery-codes-dark');
  await window.emulateMedia({ colorScheme: 'light' });
  const first = await codes.first().innerText();
  const download = window.waitForEvent('download');
  await window.getByRole('button', { name: 'Save', exact: true }).click();
  expect((await download).suggestedFilename()).toBe('recovery-codes.txt');

  const prove = async (action: string, code: string) => {
    await window.getByRole('button', { name: action }).click();
    await window.getByRole('textbox', { name: 'Current password' }).fill(password);
    await window.getByLabel('Code from the app, or a recovery code').fill(code);
    await expectAccessible(window);
    await window.keyboard.press('Enter');
  };
  await prove('New recovery codes', first);
  await expect(codes.first()).not.toHaveText(first);
  const renewed = await codes.first().innerText();
  await window.reload();
  await expect(window.getByText('10 recovery codes are left.')).toBeVisible();
  await expect(codes).toHaveCount(0);
  await prove('Turn off', renewed);
  await expect(window.getByText('Logging in takes no code.')).toBeVisible();
  await window.getByRole('link', { name: 'Sessions' }).click();
  await expect(window.getByRole('columnheader', { name: 'Ends if unused' })).toBeVisible();
  await keepScreenshot(window, 'account-sessions');
});

test('the owner removes the second factor of somebody who lost it, and sees merged refusals', async ({
  window,
  workstation,
}) => {
  await withApp(workstation, 'bob');
  for (let times = 0; times < 3; times++)
    await workstation.ask('/settings/', { method: 'PATCH', json: {}, token: null });
  await open(window, workstation, '/administration/accounts');
  const row = window.getByTestId('account').filter({ hasText: 'bob' });
  await row.getByRole('button', { name: 'Remove the second factor of bob' }).click();
  await expect(row.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(window);
  await keepScreenshot(window, 'administration-second-factor');
  await row.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(row).toContainText('none');

  await window.getByRole('link', { name: 'Audit log' }).click();
  await expect(window.getByText(/^\d+ times, last at /).first()).toBeVisible();
  await expectAccessible(window);
  await keepScreenshot(window, 'administration-audit-merged');
  await window.getByRole('link', { name: 'Sessions', exact: true }).click();
  await window.getByLabel('A session ends when it is not used for').fill('90');
  await window.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(window.getByText('Saved.')).toBeVisible();
  await expectAccessible(window);
  await keepScreenshot(window, 'administration-sessions');
  await window.getByRole('link', { name: 'Sharing' }).click();
  const proxies = window.getByLabel('Trusted proxies, one address or network per line');
  await proxies.fill('my proxy');
  await proxies.blur();
  await expect(window.getByText('Not understood: my, proxy')).toBeVisible();
  await proxies.fill('10.0.0.0/8');
  await proxies.blur();
  await expect.poll(async () => (await workstation.ask('/settings/')).body.trusted_proxies).toEqual(['10.0.0.0/8']);
  await window.getByLabel('Open to callers without a token').click();
  await expect.poll(async () => (await workstation.ask('/settings/')).body.open_to_guests).toBe(false);
  await expectAccessible(window);
  await keepScreenshot(window, 'administration-sharing-guests');
});

test('requests that a window makes while nobody uses it say so, and end no idle time', async ({
  window,
  workstation,
}) => {
  await window.clock.install();
  await open(window, workstation, '/catalogue');
  await expect(window.getByText('The catalogue is empty')).toBeVisible();
  // The first look at the server's health has ended: it is somebody's who has just opened the window.
  await expect(window.getByText(/^Version /)).toBeVisible();
  const next = () => window.waitForRequest(/\/health\//);
  const unattended = next();
  await window.clock.runFor(61_000);
  expect((await unattended).headers()['x-unattended']).toBe('yes');
  await window.clock.runFor(30_000);
  await window.keyboard.press('Shift');
  const attended = next();
  await window.clock.runFor(40_000);
  expect((await attended).headers()['x-unattended']).toBeUndefined();
});
