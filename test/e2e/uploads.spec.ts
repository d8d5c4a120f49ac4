// From a dropped file to its report, with the server's events alone.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realApks } from '../fixtures/real-apks.ts';
import { drop, expect, expectAccessible, keepScreenshot, open, test } from './window.ts';

test('a dropped APK is uploaded, analysed and shown with its report, without a reload', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/catalogue');
  await expect(window.getByText('The catalogue is empty')).toBeVisible();
  await drop(window, [{ name: 'settings.apk', bytes: readFileSync(realApks.settings) }]);
  await expect(window.getByTestId('upload')).toHaveAttribute('data-state', 'added');
  await expect(window.getByTestId('upload-summary')).toHaveText('1 added');

  const row = window.getByTestId('catalogue-row');
  await expect(row).toContainText('io.appium.settings');
  await expect(row).not.toContainText('Not analysed', { timeout: 120_000 });
  await row.click();
  await expect(window.getByTestId('app-name')).toHaveText('Appium Settings');
  await expect(window.getByTestId('package-name')).toHaveText('io.appium.settings');
  await expect(window.getByTestId('file-name')).toHaveText('settings.apk');
  await expect(window.getByText('Valid signature')).toBeVisible();
  await expect(window.getByTestId('finding').first()).toBeVisible();
  // Nothing was looked for: that no rule matches would be said of one that was scanned.
  await window.getByRole('link', { name: /^YARA/ }).click();
  await expect(window.getByText('No rules are active')).toBeVisible();
  await window.getByRole('main').getByRole('link', { name: 'Rulesets' }).click();
  await expect(window).toHaveURL(/#\/rulesets$/);
});

test('bad files are refused with their reason, and the files after them go on', async ({ window, workstation }) => {
  await open(window, workstation, '/catalogue');
  await drop(window, [
    { name: 'notes.txt', bytes: Buffer.from('These are no bytes of an app.') },
    { name: 'empty.apk', bytes: Buffer.alloc(0) },
    { name: 'unlock.apk', bytes: readFileSync(realApks.unlock) },
    { name: 'unlock again.apk', bytes: readFileSync(realApks.unlock) },
  ]);
  const states = () => window.getByTestId('upload').evaluateAll((rows) => rows.map((row) => row.dataset.state).sort());
  await expect.poll(states).toEqual(['added', 'held', 'refused', 'refused']);
  await expect(window.getByTestId('upload').filter({ hasText: 'notes.txt' })).toContainText(
    'not an Android application',
  );
  await expect(window.getByTestId('upload-summary')).toHaveText('1 added · 1 already in the catalogue · 2 rejected');
  await keepScreenshot(window, 'uploads');
  await expectAccessible(window);

  const saving = window.waitForEvent('download');
  await window.getByRole('button', { name: 'Save list of rejected' }).click();
  const list = readFileSync(await (await saving).path(), 'utf8');
  expect(list.split('\n').sort()).toEqual([
    '',
    expect.stringMatching(/^empty\.apk\t/),
    expect.stringMatching(/^notes\.txt\t.*not an/),
  ]);

  await window.getByRole('button', { name: 'Retry failed' }).click();
  await expect.poll(states).toEqual(['added', 'held', 'refused', 'refused']);
});

test('the file dialog takes many files, and the same ones again', async ({ window, workstation }) => {
  await workstation.upload(realApks.unlock);
  await open(window, workstation, '/catalogue');
  await window.getByTestId('pick-files').setInputFiles([realApks.unicodeIme, realApks.unlock]);
  await expect(window.getByTestId('upload-summary')).toHaveText('1 added · 1 already in the catalogue');
  await window.getByTestId('pick-files').setInputFiles([realApks.unicodeIme]);
  await expect(window.getByTestId('upload-summary')).toHaveText('1 added · 2 already in the catalogue');
});

test('a folder is walked: apps are sent, whatever their names, and other files are left aside', async ({
  window,
  workstation,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-samples-'));
  try {
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    copyFileSync(realApks.uiautomator2Test, join(folder, 'deep/er/2b1f0c'));
    writeFileSync(join(folder, 'deep/notes.txt'), 'nothing');
    await open(window, workstation, '/catalogue');
    await window.getByTestId('pick-folder').setInputFiles(folder);
    await expect(window.getByTestId('upload-summary')).toHaveText('1 added · 1 other file skipped');
    await expect(window.getByTestId('upload')).toContainText('deep/er/2b1f0c');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a folder dropped from the desktop is walked to its depth, and what is no APK in it is left aside', async ({
  window,
  workstation,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-drop-'));
  mkdirSync(join(folder, 'deeper/still'), { recursive: true });
  copyFileSync(realApks.unlock, join(folder, 'unlock.apk'));
  copyFileSync(realApks.unicodeIme, join(folder, 'deeper/still/ime.apk'));
  writeFileSync(join(folder, 'notes.txt'), 'not an app');
  await open(window, workstation, '/catalogue');
  await expect(window.getByRole('heading', { name: 'Catalogue' })).toBeVisible();
  // Only the browser itself can hand a page a folder, as the desktop's drag does.
  const browser = await window.context().newCDPSession(window);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await browser.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
  }
  const uploads = window.getByTestId('upload');
  await expect(uploads).toHaveCount(2);
  await expect(uploads.filter({ hasText: 'ime.apk' })).toHaveAttribute('data-state', /added|held/);
  await expect(uploads.filter({ hasText: 'unlock.apk' })).toHaveAttribute('data-state', /added|held/);
  rmSync(folder, { recursive: true });
});
