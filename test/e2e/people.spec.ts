// Notifications, analysts, feeds and the account in the window, for one and for the other analyst.
import { realApks } from '../fixtures/real-apks.ts';
import { expect, expectAccessible, keepScreenshot, open, test } from './window.ts';

test('a follower is announced by the bell, and the notification leads to the analyst', async ({
  window,
  workstation,
}) => {
  const token = await workstation.analyst('carol', 'gold');
  await open(window, workstation, '/analysts');
  await expect(window.getByTestId('analyst')).toHaveCount(2);
  await expectAccessible(window);
  await workstation.ask('/analysts/owner/follow', { method: 'POST', token });
  const bell = window.getByRole('button', { name: 'Notifications, 1 unread' });
  await expect(bell).toBeVisible();
  await bell.click();
  await keepScreenshot(window, 'notification-bell');
  await window.getByRole('menuitem', { name: /New follower/ }).click();
  await expect(window.getByRole('heading', { name: 'carol' })).toBeVisible();
  await expect(window.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await window.getByRole('button', { name: 'Follow' }).click();
  await expect(window.getByRole('button', { name: 'Unfollow' })).toBeVisible();
  await window.getByRole('link', { name: /Profile comments/ }).click();
  const field = window.getByLabel(/Write a comment/);
  await field.pressSequentially('Hello @CA');
  await expect(window.getByRole('option', { name: 'carol' })).toBeVisible();
  await expectAccessible(window);
  await keepScreenshot(window, 'comment-mention');
  await field.press('Enter');
  await expect(field).toHaveValue('Hello @carol ');
  await field.pressSequentially('<b>not bold</b>');
  await window.getByRole('button', { name: 'Comment' }).click();
  await expect(window.getByTestId('comment')).toContainText('<b>not bold</b>');
  await expect(window.getByRole('link', { name: '@carol' })).toHaveAttribute('href', '#/analysts/carol');
  await expectAccessible(window);
  await keepScreenshot(window, 'analyst');
});

test('the list of notifications filters, marks as read, and says when it is empty', async ({ window, workstation }) => {
  const { body: apk } = await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  await workstation.ask(`/apks/${apk.sha256}/analyze_static/`);
  await workstation.server.idle();
  await workstation.ask('/notifications/mark_all_as_read/', { method: 'POST' });
  await open(window, workstation, '/notifications?read=unread');
  await expect(window.getByText('No unread notifications')).toBeVisible();
  await open(window, workstation, '/notifications');
  await expect(window.getByTestId('notification').first()).toBeVisible();
  await window.getByRole('button', { name: 'Mark as unread' }).first().click();
  await window.getByRole('button', { name: 'Unread', exact: true }).click();
  await expect(window.getByTestId('notification')).toHaveCount(1);
  await window.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(window.getByText('No unread notifications')).toBeVisible();
  await expectAccessible(window);
});

test('feed packages are listed by content and interval and can be downloaded', async ({ window, workstation }) => {
  await open(window, workstation, '/feeds');
  await expect(window.getByRole('heading', { name: 'Feeds' })).toBeVisible();
  await window.getByRole('button', { name: '5 minutes' }).click();
  await expect(window).toHaveURL(/interval=5-minutes/);
  await expectAccessible(window);
  await keepScreenshot(window, 'feeds');
});

test('the account page changes the profile, makes a token that works, ends sessions, shows usage', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/account/profile');
  await window.getByLabel('Occupation').fill('Malware analyst');
  await window.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(window.getByText('Saved.')).toBeVisible();
  await expectAccessible(window);
  await keepScreenshot(window, 'account-profile');

  await window.getByRole('link', { name: 'Access tokens' }).click();
  await window.getByLabel('Name of the new token').fill('triage script');
  await window.getByRole('button', { name: 'Create token' }).click();
  const secret = await window.getByTestId('new-token').innerText();
  expect((await workstation.ask('/account/', { token: secret })).status).toBe(200);
  await window.getByRole('button', { name: 'Revoke triage script' }).click();
  await expect(window.getByRole('button', { name: 'Revoke triage script' })).toHaveCount(0);
  expect((await workstation.ask('/account/', { token: secret })).status).toBe(401);

  await window.getByRole('link', { name: 'Notifications and e-mail' }).click();
  const notice = window.getByRole('switch', { name: 'Somebody mentions me' });
  const wasOn = await notice.isChecked();
  await notice.click();
  await expect.poll(async () => (await workstation.ask('/account/')).body.settings.notify_new_mention).toBe(!wasOn);
  await window.getByRole('link', { name: 'Usage and limits' }).click();
  await expect(window.getByText('All requests')).toBeVisible();
  await expectAccessible(window);
  await keepScreenshot(window, 'account-usage');
  await window.getByRole('link', { name: 'Sessions' }).click();
  await expect(window.getByText('Where you are logged in')).toBeVisible();
});

test('a limit that is reached says so and leads to the usage', async ({ page, workstation }) => {
  await workstation.ask('/limits/', { method: 'PATCH', json: { basic: { 'apk-search': '1/day' } } });
  const token = await workstation.analyst('greedy', 'basic');
  await page.addInitScript(
    (secret) => localStorage.setItem('apk-workstation.session', JSON.stringify({ token: secret, username: 'greedy' })),
    token,
  );
  await workstation.ask('/apks/', { token });
  await open(page, workstation, '/catalogue');
  await expect(page.getByText('Limit reached')).toBeVisible();
  await expectAccessible(page);
  await keepScreenshot(page, 'limit-reached');
  await page.getByRole('link', { name: 'Show usage and limits' }).click();
  await expect(page.getByText('1 of 1 today')).toBeVisible();
});

for (const address of ['/analysts/nobody', '/rulesets/none']) {
  test(`what is not there has a heading that says so: ${address}`, async ({ window, workstation }) => {
    await open(window, workstation, address);
    await expect(window.getByRole('alert').getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(window);
  });
}

test('About names the version and every package with its licence, and offers the bill of materials and the notices', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/about');
  await expect(window.getByRole('heading', { name: /^APK Workstation \d/ })).toBeVisible();
  await window.getByLabel('Filter packages').fill('mantine core');
  await expect(window.getByTestId('shipped-package')).toHaveCount(1);
  await expect(window.getByTestId('shipped-package')).toContainText('MIT');
  await expectAccessible(window);
  await keepScreenshot(window, 'about');
  const download = window.waitForEvent('download');
  await window.getByRole('button', { name: 'Bill of materials' }).click();
  expect((await download).suggestedFilename()).toBe('apk-workstation.cdx.json');
  await window.getByLabel('Filter packages').fill('no such package');
  await expect(window.getByText('No package matches')).toBeVisible();
});
