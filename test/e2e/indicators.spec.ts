// Indicators for other programs, saved from the page of an APK, from the catalogue and from a family.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { realApks } from '../fixtures/real-apks.ts';
import { expect, expectAccessible, keepScreenshot, open, test } from './window.ts';

let sha256 = '';
test.beforeAll(async ({ workstation }) => {
  await workstation.ask('/settings/', { method: 'PATCH', json: { analyze_dynamic_on_upload: false } });
  ({ sha256 } = (await workstation.upload(realApks.unlock)).body);
  await workstation.upload(realApks.unicodeIme);
  await workstation.server.idle();
  const said = { verdict: 'malicious', family: 'Locker', note: '' };
  await workstation.ask(`/apks/${sha256}/verdict/`, { method: 'PUT', json: said });
});

/** Chooses a format in the menu. @returns the file's name and text */
async function saved(window: Page, item: string): Promise<{ name: string; text: string }> {
  const downloading = window.waitForEvent('download');
  await window.getByRole('button', { name: 'Export…' }).click();
  await window.getByRole('menuitem', { name: item, exact: true }).click();
  const download = await downloading;
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

/** Saves the report as the dialog stands, once it was changed. */
async function savedReport(
  window: Page,
  change = async () => undefined as unknown,
): Promise<{ name: string; text: string }> {
  await window.getByRole('button', { name: 'Export…' }).click();
  await window.getByRole('menuitem', { name: 'Report for people…' }).click();
  await change();
  const downloading = window.waitForEvent('download');
  await window.getByRole('button', { name: 'Save the report' }).click();
  const download = await downloading;
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'latin1') };
}

test('an APK is exported as a STIX bundle from its page', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}`);
  await window.getByRole('button', { name: 'Export…' }).click();
  await expect(window.getByRole('menuitem', { name: 'MISP event' })).toBeVisible();
  await expectAccessible(window);
  await keepScreenshot(window, 'export-menu');
  await window.keyboard.press('Escape');
  const { name, text } = await saved(window, 'STIX 2.1 bundle');
  expect(name).toBe(`${sha256.slice(0, 12)}_indicators.stix.json`);
  const { objects } = JSON.parse(text) as { objects: { type: string; name?: string }[] };
  expect(objects.filter(({ type }) => type === 'malware').map((malware) => malware.name)).toContain('Locker');
});

test('a report for people is saved from the page of an APK, and opens by itself with nothing that is refused', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${sha256}`);
  const { name, text } = await savedReport(window);
  expect(name).toBe(`${sha256.slice(0, 12)}_report.html`);
  const page = await window.context().newPage();
  const told: string[] = [];
  page.on('console', (message) => told.push(message.text()));
  await page.setContent(text);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unlock');
  expect(await page.locator('img').evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBeGreaterThan(0);
  expect(
    await page
      .locator('dl')
      .first()
      .evaluate((list) => getComputedStyle(list).display),
  ).toBe('grid');
  expect(told).toEqual([]);
  await expectAccessible(page);
  await keepScreenshot(page, 'report-page');
  await page.close();
});

test('what a search finds is exported from the catalogue, defanged on request', async ({ window, workstation }) => {
  await open(window, workstation, `/catalogue?search=${encodeURIComponent('verdict:malicious')}`);
  const { name, text } = await saved(window, 'Indicators as CSV, defanged');
  expect(name).toBe('indicators.defanged.csv');
  const hashes = text.split('\r\n').filter((line) => line.startsWith('sha256,'));
  expect(hashes.map((line) => line.split(',')[1])).toEqual([sha256]);
});

test('a report has the sections that were chosen, its mark, and is a PDF file where that was wanted', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${sha256}`);
  const chosen = await savedReport(window, async () => {
    const dialog = window.getByRole('dialog', { name: 'Report for people' });
    await dialog.getByRole('checkbox', { name: 'Indicators' }).uncheck();
    await dialog.getByRole('combobox', { name: 'Who may read it' }).selectOption('TLP:AMBER');
    await expectAccessible(window);
    await keepScreenshot(window, 'report-dialog');
  });
  expect(chosen.text).toContain('TLP:AMBER');
  expect(chosen.text).toContain('<h2>Signer');
  expect(chosen.text).not.toContain('<h2>Indicators');
  const pdf = await savedReport(window, () =>
    window.getByRole('combobox', { name: 'Kind of file' }).selectOption('PDF'),
  );
  expect(pdf.name).toBe(`${sha256.slice(0, 12)}_report.pdf`);
  expect(pdf.text.slice(0, 5)).toBe('%PDF-');
});

test('a logo of the owner’s stands on reports until it is removed', async ({ window, workstation }) => {
  await open(window, workstation, '/administration/reports');
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const choosing = window.waitForEvent('filechooser');
  await window.getByRole('button', { name: 'Choose a logo…' }).click();
  await (await choosing).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') });
  await expect(window.getByRole('img', { name: 'The logo on reports' })).toBeVisible();
  await expectAccessible(window);
  await keepScreenshot(window, 'report-logo');
  const page = async () => (await workstation.ask(`/apks/${sha256}/page/`)).text;
  expect(await page()).toContain(`<img class="logo" src="data:image/png;base64,${png}"`);
  await window.getByRole('button', { name: 'Remove the logo' }).click();
  await expect(window.getByRole('img', { name: 'The logo on reports' })).toBeHidden();
  expect(await page()).not.toContain('class="logo"');
});
