// The window as one uses it all day: keys in every list, nothing left open over another page, a run's report as it is.
import { readFileSync } from 'node:fs';
import { dexOf, testApk } from '../fixtures/dynamic/test-apps.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

const rules = 'rule any_dex { strings: $d = "classes.dex" condition: $d }';
const hostileName = '<img src=x onerror=alert(1)>';
let unlock = '';

test.beforeAll(async ({ workstationOf }, { file }) => {
  const workstation = await workstationOf(file);
  unlock = (await workstation.upload(realApks.unlock)).body.sha256;
  await workstation.server.idle();
  for (const name of ['Any dex', hostileName]) {
    const json = { name, rules };
    const { body } = await workstation.ask('/rulesets/', { method: 'POST', json });
    if (name === hostileName) await workstation.ask(`/rulesets/${body.id}/retrohunt/`, { method: 'POST', json: {} });
  }
  await workstation.ask(`/apks/${unlock}/analyze_dynamic/`, { method: 'POST' });
  await workstation.server.idle();
});

test('lists are walked by keys from anywhere on their page, and the help tells it', async ({ window, workstation }) => {
  await open(window, workstation, '/rulesets');
  await expect(window.getByTestId('ruleset')).toHaveCount(2);
  await window.keyboard.press('j');
  await expect(window.getByTestId('ruleset').first().getByRole('link').first()).toBeFocused();
  await window.keyboard.press('j');
  await expect(window.getByTestId('ruleset').nth(1).getByRole('link').first()).toBeFocused();
  await window.keyboard.press('k');
  await expect(window.getByTestId('ruleset').first().getByRole('link').first()).toBeFocused();
  await window.keyboard.press('?');
  const help = window.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toContainText('Next');
  await expect(help).toContainText('Command palette');
  await expectAccessible(window);
});

test('a report is read by keys alone: the parts, what each holds, its filter, and out of its code', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${unlock}`);
  await expect(window.getByTestId('finding').first()).toBeVisible();
  await expect(window.getByTestId('risk-part').first()).toBeVisible();
  await window.keyboard.press('j');
  await expect(window.getByTestId('risk-part').first().locator('summary')).toBeFocused();
  const finding = window.getByTestId('finding').first().locator('summary');
  const isReached = () => finding.evaluate((element) => element === document.activeElement);
  for (let steps = 0; steps < 30 && !(await isReached()); steps += 1) await window.keyboard.press('j');
  await expect(finding).toBeFocused();
  await window.keyboard.press('Enter');
  await expect(window.getByTestId('finding').first()).toHaveAttribute('open');
  await window.setViewportSize({ width: 1280, height: 600 });
  const summary = window.getByTestId('tab-summary');
  const scrolled = () =>
    summary.evaluate((part) => Math.max(...[part, ...part.querySelectorAll('*')].map(({ scrollTop }) => scrollTop)));
  await window.keyboard.press('ArrowDown');
  await expect.poll(scrolled).toBeGreaterThan(0);
  await expect(window.getByTestId('finding').first().locator('summary')).toBeFocused();
  await window.keyboard.press('ArrowUp');
  await expect.poll(scrolled).toBe(0);
  await open(window, workstation, `/apks/${unlock}/files`);
  await expect(window.getByTestId('tree-row').first()).toBeVisible();
  await window.keyboard.press('j');
  await expect(window.getByTestId('tree-row').first()).toBeFocused();
  await window.keyboard.press('f');
  await window.keyboard.type('dex');
  await expect(window.getByTestId('tree-row').filter({ hasText: 'classes.dex' })).toBeVisible();
  await expect(window.getByTestId('tree-row').filter({ hasText: 'AndroidManifest.xml' })).toHaveCount(0);
  await window.keyboard.press('Escape');
  await expect(window.getByLabel('Filter Files')).toHaveValue('');
  await window.keyboard.press('Escape');
  await expect(window.getByLabel('Filter Files')).not.toBeFocused();
  await open(window, workstation, `/apks/${unlock}/raw`);
  await expect(window.getByText('app_name', { exact: true })).toBeVisible();
  await window.keyboard.press('f');
  await window.keyboard.type('disable_keyguard');
  await expect(window.getByText('app_name', { exact: true })).toHaveCount(0);
  await expect(window.getByRole('listitem').filter({ hasText: 'android.permission.DISABLE_KEYGUARD' })).not.toHaveCount(
    0,
  );
  await open(window, workstation, `/apks/${unlock}/manifest`);
  await window.getByRole('textbox', { name: 'Manifest' }).focus();
  await window.keyboard.press(']');
  await expect(window.getByTestId('tab-permissions')).toBeVisible();
});

test('keys reach the end of a part and come back in a window that scrolls as a whole', async ({
  window,
  workstation,
}) => {
  await window.setViewportSize({ width: 1280, height: 400 });
  await open(window, workstation, `/apks/${unlock}`);
  await expect(window.getByTestId('finding').first()).toBeVisible();
  const name = window.getByTestId('app-name');
  await expect(name).toBeInViewport();
  const atEnd = () =>
    window.getByTestId('tab-summary').evaluate((part) => {
      const { bottom } = part.getBoundingClientRect();
      return bottom <= innerHeight && part.scrollHeight - part.clientHeight - part.scrollTop <= 1;
    });
  await expect(async () => {
    await window.keyboard.press('PageDown');
    expect(await atEnd()).toBe(true);
  }).toPass();
  await expect(name).not.toBeInViewport();
  await expect(async () => {
    await window.keyboard.press('PageUp');
    await expect(name).toBeInViewport({ timeout: 1 });
  }).toPass();
});

test('menus and dialogs that were open on a page are closed on the next one', async ({ window, workstation }) => {
  await open(window, workstation, '/rulesets');
  await expect(window.getByTestId('ruleset').first()).toBeVisible();
  await open(window, workstation, '/catalogue');
  await expect(window.getByTestId('catalogue-row').first()).toBeVisible();
  await window.keyboard.press('?');
  await expect(window.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await window.keyboard.press('Control+k');
  await expect(window.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeHidden();
  await expect(window.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
  await window.goBack();
  await expect(window.getByTestId('ruleset').first()).toBeVisible();
  await expect(window.getByRole('dialog')).toHaveCount(0);
});

test('a retrohunt among the jobs leads to its ruleset', async ({ window, workstation }) => {
  await open(window, workstation, '/jobs');
  await window.getByTestId('job').filter({ hasText: 'Retrohunt' }).getByRole('link', { name: hostileName }).click();
  await expect(window).toHaveURL(/\/rulesets\/\w+\/hunts$/);
});

test('an address that leads nowhere is told as such, in the title too', async ({ window, workstation }) => {
  await open(window, workstation, '/nonsense');
  await expect(window).toHaveTitle(/^(?!Catalogue).+ · APK Workstation$/);
  await open(window, workstation, `/apks/${'a'.repeat(64)}`);
  await expect(window).toHaveTitle(/aaaa/);
});

test('what a real run found has names for its kinds, and its components lead to their code', async ({
  window,
  workstation,
}) => {
  const failed: string[] = [];
  window.on('response', (response) => {
    if (response.status() >= 400) failed.push(response.url());
  });
  await window.setViewportSize({ width: 1024, height: 700 });
  await open(window, workstation, `/apks/${unlock}/dynamic`);
  await expect(window.getByTestId('timeline')).toContainText('Components');
  await keepScreenshot(window, 'dynamic-real');
  await expectAccessible(window);
  await window.getByTestId('timeline-event').first().getByRole('link').click();
  await expect(window).toHaveURL(/\/code\?class=L/);
  await expect(window.getByTestId('class-view')).toContainText('class ');
  await open(window, workstation, `/apks/${unlock}/dynamic?part=coverage`);
  await expect(window.getByText(/instructions in .+ of virtual time/)).toBeVisible();
  await keepScreenshot(window, 'dynamic-real-coverage');
  expect(failed, 'that no device ran it is no error').toEqual([]);
});

test('a run on a device stands beside the interpreted one, and what the app loaded is saved', async ({
  window,
  workstation,
}) => {
  const { sha256 } = (await workstation.upload(testApk('packed'))).body;
  await workstation.server.idle();
  const { store } = workstation.server;
  const apk = await store.apks.findBySha256(sha256);
  const seen = { engine: { source: 'device' }, sendsms: [{ number: '4321', message: 'from the device', time: 1 }] };
  await store.transaction(({ reports }) =>
    reports.save([{ apkId: apk!.id, kind: 'device', status: 'done', engineVersion: 1, content: seen }]),
  );

  await open(window, workstation, `/apks/${sha256}/dynamic?part=artefacts`);
  const runs = window.getByRole('group', { name: 'Run' });
  await expect(runs.getByRole('button', { name: 'Interpreted' })).toHaveAttribute('aria-pressed', 'true');
  const downloading = window.waitForEvent('download');
  await window.getByTestId('behaviour').getByRole('button', { name: 'Save' }).first().click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^[0-9a-f]{64}\.bin$/);
  expect(readFileSync(await download.path()).equals(dexOf('payload'))).toBe(true);

  await runs.getByRole('button', { name: 'On a device' }).click();
  await window.getByRole('group', { name: 'Part of the dynamic report' }).getByText('SMS and calls').click();
  await expect(window.getByTestId('behaviour')).toContainText('from the device');
  await expectAccessible(window);
  await runs.getByRole('button', { name: 'Interpreted' }).click();
  await expect(window.getByText('from the device')).toHaveCount(0);

  // It is a payload too, whose bytes no entry of the archive holds.
  await window.keyboard.press('p');
  const detail = window.getByRole('region', { name: 'Dex file', exact: true });
  await expect(detail.getByRole('row').first()).toContainText('interpreted run');
  await inBothSchemes(window, async (scheme) => {
    await keepScreenshot(window, `apk-payloads-left-${scheme}`);
    await expectAccessible(window);
  });
  await detail.getByRole('link', { name: 'Show bytes' }).click();
  await expect(window).toHaveURL(/path=run%3A/);
  await expect(window.getByTestId('hex-view')).toContainText('dex·035');

  // The code of one dex file, its own or a payload's, is listed and searched by itself.
  await open(window, workstation, `/apks/${sha256}/code`);
  const rows = window.getByTestId('tree-row');
  const choice = window.getByRole('combobox', { name: 'Dex file' });
  await expect(choice.locator('option').first()).toHaveText('All 2 dex files, 1 of them embedded');
  const [own, left] = await choice
    .locator('optgroup option')
    .evaluateAll((options) => options.map((option) => option.getAttribute('value')));
  await choice.selectOption(left!);
  await expect(window).toHaveURL(/only=run%3A/);
  await expect(rows.filter({ hasText: 'Main' })).toHaveCount(0);
  await window.getByLabel('Filter classes').fill('a');
  await expect(window.getByTestId('code-hit')).toHaveCount(1);
  await choice.selectOption(own!);
  await expect(window.getByTestId('code-hit').filter({ hasText: 'Main' })).toBeVisible();
  await inBothSchemes(window, async (scheme) => {
    await keepScreenshot(window, `code-one-dex-${scheme}`);
    await expectAccessible(window);
  });
});

test('where a run is missing it is started, where one failed it is tried again', async ({ window, workstation }) => {
  const digits = (length: number) => 'e'.repeat(length);
  const record = { sha256: digits(64), sha1: digits(40), md5: digits(32), size: 1, app: 'Bare', packageName: 'a.bare' };
  await workstation.server.store.transaction(({ apks }) => apks.insert(record));
  for (const [part, start] of [
    ['summary', 'Static analysis'],
    ['dynamic', 'Dynamic analysis'],
  ]) {
    await open(window, workstation, `/apks/${record.sha256}/${part}`);
    await window.getByTestId(`tab-${part}`).getByRole('button', { name: start! }).click();
    // Its file is not there: the analysis ends at once, and says so.
    await expect(window.getByText('The analysis failed')).toBeVisible();
    await expect(window.getByTestId(`tab-${part}`).getByRole('button', { name: 'Try again' })).toBeVisible();
    await expectAccessible(window);
  }
  for (const part of ['files', 'manifest', 'raw']) {
    await open(window, workstation, `/apks/${record.sha256}/${part}`);
    await expect(window.getByTestId(`tab-${part}`).getByRole('button', { name: 'Try again' })).toBeVisible();
  }
});

test('what is typed right after the key is the palette’s, and dialogs and menus give the focus back', async ({
  window,
  workstation,
}) => {
  const { sha256 } = (await workstation.upload(realApks.unlock)).body;
  await open(window, workstation, `/apks/${sha256}`);
  const link = window.getByRole('link', { name: 'Manifest' });
  await link.focus();
  await window.keyboard.press('Control+k');
  await window.keyboard.type('dashb');
  await expect(window.getByRole('combobox', { name: 'Command palette' })).toHaveValue('dashb');
  await window.keyboard.press('Escape');
  await expect(link).toBeFocused();

  for (const name of ['Analyse', 'Delete']) {
    const button = window.getByRole('article').getByRole('button', { name, exact: true });
    await button.focus();
    await window.keyboard.press('Enter');
    await expect(window.getByRole(name === 'Delete' ? 'dialog' : 'menu')).toBeVisible();
    await window.keyboard.press('Escape');
    await expect(button).toBeFocused();
  }
  await expect(window).toHaveURL(new RegExp(`/apks/${sha256}$`));
});

test('a window magnified twice shows the part that is open, and its list of parts follows', async ({
  window,
  workstation,
}) => {
  const { sha256 } = (await workstation.upload(realApks.unlock)).body;
  await workstation.server.idle();
  await window.setViewportSize({ width: 640, height: 400 });
  await open(window, workstation, `/apks/${sha256}`);
  await expect(window.getByTestId('risk-part').first()).toBeInViewport();
  await window.keyboard.press('[');
  await expect(window.getByRole('link', { name: 'Raw' })).toBeInViewport();
  await keepScreenshot(window, 'apk-magnified');
});

test('no list needs sideways scrolling in a window magnified twice', async ({ window, workstation }) => {
  await window.setViewportSize({ width: 640, height: 400 });
  const apk = `/apks/${unlock}`;
  for (const [address, shown] of [
    ['/jobs', 'job'],
    ['/rulesets', 'ruleset'],
    [`${apk}/resources`, 'resource'],
    [`${apk}/libraries`, 'tab-libraries'],
    [`${apk}/permissions`, 'tab-permissions'],
    [`${apk}/signature`, 'schemes'],
  ] as const) {
    await open(window, workstation, address);
    await expect(window.getByTestId(shown).first()).toBeVisible();
    const wide = await window
      .locator('main :not(nav)')
      .evaluateAll((all) =>
        all.filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth),
      );
    expect(wide, address).toEqual([]);
  }
  await keepScreenshot(window, 'rulesets-magnified');
});

test('where the system chooses the colours, what is chosen is framed and switches are drawn', async ({
  window,
  workstation,
}) => {
  await window.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await open(window, workstation, '/administration/accounts');
  const current = window.getByRole('link', { name: 'Accounts' });
  await expect(current).toHaveCSS('outline-style', 'solid');
  await expect(window.locator('.mantine-Switch-track').first()).toHaveCSS('forced-color-adjust', 'none');
  await keepScreenshot(window, 'forced-colours');
});

test('whoever asks for less motion sees nothing turn without end while an answer is waited for', async ({
  window,
  workstation,
}) => {
  await window.emulateMedia({ reducedMotion: 'reduce' });
  await window.route(/\/(storage|backups)\//, () => undefined);
  await open(window, workstation, '/administration/storage');
  await expect(window.locator('.mantine-Loader-root').first()).toBeVisible();
  const running = () =>
    window.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
  await expect.poll(running).toBe(0);
});
