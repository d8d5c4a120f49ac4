// Cases in the window: APKs are gathered, something is written on them, and the case goes to a file and comes back.
import { readFileSync } from 'node:fs';
import { methods, putApks } from '../fixtures/made-apps.ts';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

let sha256s: string[] = [];
test.beforeAll(async ({ workstation }) => {
  const apps = ['Bank', 'Torch', 'Game'].map((app, at) => ({
    ...{ code: methods(at + 1, 50), app, packageName: `com.example.${app.toLowerCase()}` },
  }));
  sha256s = await putApks(workstation, 1, apps);
});

test('a case is made from the page of an APK, filled from the catalogue and by a search, and shows what is written in it', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${sha256s[0]}`);
  await window.getByRole('button', { name: 'Add to case…' }).click();
  const dialog = window.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Bank fraud');
  await dialog.getByRole('button', { name: 'New case “Bank fraud”' }).click();
  await expect(window.getByTestId('case-chip')).toHaveText('Bank fraud');

  await open(window, workstation, '/catalogue');
  await window.getByLabel('Select Torch').click();
  await window.getByRole('button', { name: 'Add to case…' }).click();
  await dialog.getByRole('button', { name: 'Add to Bank fraud' }).click();
  await window.getByRole('link', { name: 'Open it' }).first().click();

  const apks = window.getByTestId('case-apk');
  await expect(apks).toHaveCount(2);
  await window.getByRole('textbox', { name: 'Add by SHA-256 or search' }).fill('package:game');
  await window.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(apks).toHaveCount(3);
  await window.getByRole('textbox', { name: 'Add by SHA-256 or search' }).fill('ab'.repeat(32));
  await window.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(apks.filter({ hasText: 'not in this catalogue' })).toHaveCount(1);
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `case-${scheme}`);
  });

  const views = window.getByRole('group', { name: 'What is shown of the case' });
  await views.getByText('Questions').click();
  await window.getByRole('textbox', { name: 'Text' }).fill('Who signs it?');
  await window.getByRole('button', { name: 'Write' }).click();
  await window.getByRole('button', { name: 'Answer…' }).click();
  await window.getByRole('textbox', { name: 'Answer' }).fill('A stolen key');
  await window.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(window.getByTestId('case-entry')).toContainText('A stolen key');
  await views.getByText('Time line').click();
  await window.getByRole('textbox', { name: 'Text' }).fill('It came by SMS');
  await window.getByRole('button', { name: 'Write' }).click();
  await expect(window.getByTestId('case-entry')).toHaveCount(2);
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `case-entries-${scheme}`);
  });
});

test('a case is saved whole and taken in again under a name that is free', async ({ window, workstation }) => {
  const { body } = await workstation.ask('/cases/', { method: 'POST', json: { name: 'Shared' } });
  await workstation.ask(`/cases/${body.id}/apks/`, { method: 'POST', json: { search: '' } });
  await open(window, workstation, '/cases');
  const shared = window.getByTestId('case').filter({ hasText: 'Shared' });
  await shared.getByRole('link').click();
  const download = window.waitForEvent('download');
  await window.getByRole('button', { name: 'Export the case' }).click();
  const path = await (await download).path();
  await open(window, workstation, '/cases');
  await window
    .locator('input[type=file][accept=".json"]')
    .setInputFiles({ name: 'case.json', mimeType: 'application/json', buffer: readFileSync(path) });
  await expect(window.getByRole('heading', { name: 'Case: Shared (2)' })).toBeVisible();
  await expect(window.getByTestId('case-apk')).toHaveCount(3);
  await open(window, workstation, '/cases');
  await expect(shared).toHaveCount(2);
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `cases-${scheme}`);
  });
});
