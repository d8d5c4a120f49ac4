// Searches in the files of APKs, in the search line.
import { readFileSync } from 'node:fs';
import { realApks } from '../fixtures/real-apks.ts';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

test.beforeAll(async ({ workstation }) => {
  await workstation.ask('/settings/', {
    method: 'PATCH',
    json: { analyze_dynamic_on_upload: false, analyze_yara_on_upload: false },
  });
  const unlock = readFileSync(realApks.unlock);
  const told = (index: number) => Buffer.concat([unlock, Buffer.from(`the text of number ${index} stands here`)]);
  for (let index = 0; index < 4; index++) await workstation.upload(told(index));
  await workstation.upload(readFileSync(realApks.settings));
  await workstation.server.idle();
  await workstation.server.services.contentIndexing.settled();
});

test('a text is found in files, each place with what stands around it and a way to its bytes', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/catalogue');
  const line = window.getByRole('combobox', { name: 'Search the catalogue' });
  await line.fill('content:"TEXT of number 2 stands"');
  await line.press('Enter');
  const hit = window.getByTestId('content-hit');
  await expect(hit).toHaveCount(1);
  await expect(hit).toContainText('the text of number 2 stands here');
  await expect(window.getByTestId('content-search')).toContainText(
    'Done · 1 APK found, 1 of 1 read, of 5 in the search',
  );
  await line.fill('content:"android.permission.WRITE_SETTINGS" OR content:"the text of number"');
  await line.press('Enter');
  await expect(hit).toHaveCount(5);
  await inBothSchemes(window, async (scheme) => {
    await keepScreenshot(window, `contents-${scheme}`);
    await expectAccessible(window);
  });
  await hit.filter({ hasText: 'the text of number 3' }).getByRole('link').nth(1).click();
  await expect(window).toHaveURL(/view=hex/);
  await window.goBack();
  await expect(hit).toHaveCount(5);
});

test('a text that the index cannot tell says so, one that is nowhere too, and a fault stands where it is', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/catalogue?search=${encodeURIComponent('content:"umber 1"')}`);
  await expect(window.getByTestId('content-unaided')).toContainText('A longer text');
  await expect(window.getByTestId('content-hit')).toHaveCount(1);
  await inBothSchemes(window, (scheme) => keepScreenshot(window, `contents-unaided-${scheme}`));
  await open(window, workstation, `/catalogue?search=${encodeURIComponent('content:"nobody writes this anywhere"')}`);
  await expect(window.getByText('No file holds it')).toBeVisible();
  await open(window, workstation, `/catalogue?search=${encodeURIComponent('content:{de ad')}`);
  await expect(window.getByTestId('search-fault')).toContainText('not closed');
});
