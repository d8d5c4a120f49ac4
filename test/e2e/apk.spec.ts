// An APK's page: its parts, its actions, its look in both schemes.
import type { Page } from '@playwright/test';
import { realApks } from '../fixtures/real-apks.ts';
import { expect, expectAccessible, keepScreenshot, open, test } from './window.ts';

let sha256 = '';
test.beforeAll(async ({ workstation }) => {
  const { body } = await workstation.upload(realApks.apiDemos);
  sha256 = body.sha256;
  await workstation.server.idle();
});

const tab = (window: Page, name: string) =>
  window.getByRole('navigation', { name: 'Parts of the report' }).getByText(name);

test('every part of the report is there, with what independent tools find in it', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}`);
  await expect(window.getByTestId('app-name')).toHaveText('API Demos');

  await tab(window, 'Permissions').click();
  await expect(window.getByRole('row').filter({ hasText: 'SEND_SMS' })).toBeVisible();
  await tab(window, 'Components').click();
  await expect(window.getByTestId('component').first()).toBeVisible();
  await window.getByLabel('Filter components').fill('HelloWorld');
  await expect(window.getByTestId('component')).toHaveCount(1);
  await tab(window, 'Signature').click();
  await expect(window.getByTestId('schemes').getByRole('row').filter({ hasText: 'v2' }).first()).toContainText(
    'verifies',
  );
  await tab(window, 'Indicators').click();
  await expect(window.getByText('http://www.google.com').first()).toBeVisible();
  await tab(window, 'Functionalities').click();
  await expect(window.getByTestId('reference').first()).toBeVisible();
  await tab(window, 'Libraries').click();
  await expect(window.getByRole('columnheader', { name: 'Packages' })).toBeVisible();
  await tab(window, 'Manifest').click();
  await expect(window.getByText('<uses-permission').first()).toBeVisible();
  await window.getByLabel('Search the manifest').fill('RECEIVE_SMS');
  await window.getByRole('button', { name: 'Next' }).click();
  await expect(window.locator('mark').first()).toHaveText('RECEIVE_SMS');
  await tab(window, 'Files').click();
  await expect(window.getByTestId('file').filter({ hasText: 'classes.dex' }).first()).toBeVisible();
  await tab(window, 'Raw').click();
  await window.getByRole('button', { name: 'certificate' }).click();
  await expect(window.getByText('subjectDN')).toBeVisible();
  await expect(window).toHaveURL(new RegExp(`/app/#/apks/${sha256}/raw$`));
});

test('an analysis is started again and followed to its end', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}`);
  await window.getByRole('button', { name: 'Analyse' }).click();
  await window.getByRole('menuitem', { name: 'Static analysis' }).click();
  await open(window, workstation, '/jobs');
  await expect(window.getByTestId('job').first()).toHaveAttribute('data-status', 'done');
  await expect(window.getByTestId('job')).toHaveCount(2);
});

test('the owner trusts, downloads and deletes an APK', async ({ window, workstation }) => {
  const { body } = await workstation.upload(realApks.unlock);
  await open(window, workstation, `/apks/${body.sha256}`);
  await window.getByLabel('Trusted').click({ force: true });
  await expect.poll(async () => (await workstation.ask(`/apks/${body.sha256}/`)).body.is_trusted).toBe(true);

  const download = window.waitForEvent('download');
  await window.getByRole('button', { name: 'Download the APK' }).click();
  expect((await download).suggestedFilename()).toBe(`${body.sha256}.apk`);

  await window.getByRole('button', { name: 'Delete' }).click();
  await window.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(window).toHaveURL(/catalogue/);
  expect((await workstation.ask(`/apks/${body.sha256}/`)).status).toBe(404);
});

/** Each kind of screen once in each scheme: what is tested is colours and structure, which its siblings share. */
const checkedParts = {
  dark: ['', '/components', '/signature', '/files'],
  light: ['', '/permissions', '/code', '/manifest'],
};

for (const scheme of ['dark', 'light'] as const) {
  test(`the screens are accessible in the ${scheme} scheme`, async ({ window, workstation }) => {
    await window.emulateMedia({ colorScheme: scheme });
    for (const part of checkedParts[scheme]) {
      await open(window, workstation, `/apks/${sha256}${part}`);
      await expect(window.locator('[data-testid^="tab-"] >> :is(section, table)').first()).toBeVisible();
      await expectAccessible(window);
      await keepScreenshot(window, `apk${part.replace('/', '-')}-${scheme}`);
    }
    await open(window, workstation, '/catalogue');
    await expect(window.getByTestId('catalogue-row').first()).toBeVisible();
    await expectAccessible(window);
    await keepScreenshot(window, `catalogue-${scheme}`);
    await window.keyboard.press('?');
    await expect(window.getByRole('dialog')).toContainText('Keyboard shortcuts');
    await expectAccessible(window);
  });
}

test('the page is usable in a window of 1024 pixels', async ({ window, workstation }) => {
  await window.setViewportSize({ width: 1024, height: 720 });
  for (const address of ['/catalogue', `/apks/${sha256}`, `/apks/${sha256}/files`, '/jobs']) {
    await open(window, workstation, address);
    await expect(window.getByRole('main')).toContainText(/\w/);
    expect(await window.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1024);
  }
});
