// Names of code for a whole APK: readable ones by a switch, mapping files, what equal classes of other APKs are called.
import { readFileSync } from 'node:fs';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { renamedDexes } from '../fixtures/renamed-dex.ts';
import { buildZip } from '../fixtures/zip-builder.ts';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

const programs = readFileSync(new URL('../fixtures/dynamic/compiled/programs.dex', import.meta.url));
const renamed = renamedDexes([programs], { seed: 3 });
const apkOf = (name: string, dex: Buffer) =>
  buildZip({
    entries: [
      { name: 'AndroidManifest.xml', content: buildAxml(element('manifest', { package: name })) },
      { name: 'classes.dex', content: dex },
    ],
  });
let plain = '';
let short = '';
test.beforeAll(async ({ workstation }) => {
  plain = (await workstation.upload(apkOf('com.example.plain', programs))).body.sha256;
  short = (await workstation.upload(apkOf('com.example.short', renamed.dexes[0]!))).body.sha256;
});

test('what is called by no word has readable names by a switch, and its own ones stand beside them', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${short}/code?mode=names`);
  const modes = window.getByRole('group', { name: 'What to list' });
  const isOn = window.getByRole('switch', { name: 'Readable names' });
  await expect(isOn).not.toBeChecked();
  await isOn.click();
  await expect(isOn).toBeChecked();
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `apk-code-readable-names-${scheme}`);
  });
  await modes.getByText('Search').click();
  await window.getByPlaceholder('Class, method, field, string or API').fill('Runnable');
  await window.keyboard.press('Enter');
  const hit = window.getByTestId('code-hit').filter({ hasText: /as Runnable\d/ });
  await hit.first().click();
  await window.getByRole('group', { name: 'Language of the code' }).getByText('Java').click();
  await expect(window.getByTestId('java-text')).toContainText(/renamed from: \w+ \*\/.*class Runnable\d/s);
  // All that can be listed stands in one row.
  await modes.getByText('Classes').click();
  const tops = await modes.getByRole('button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  await keepScreenshot(window, 'apk-code-readable-class');
});

test('a mapping file is imported, and another APK is offered its names for equal classes: one, then all', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${plain}/code?mode=names`);
  const mapping = 'org.sample.Words -> Texts:\norg.sample.All -> Classes:\n    int added(int[]) -> sum\nnonsense\n';
  const choosing = window.waitForEvent('filechooser');
  await window.getByRole('button', { name: 'Import mapping' }).click();
  const file = { name: 'mapping.txt', mimeType: 'text/plain', buffer: Buffer.from(mapping) };
  await (await choosing).setFiles(file);
  await expect(window.getByText('3 names were applied, 1 line was not.')).toBeVisible();
  await expect(window.getByTestId('code-name')).toHaveCount(3);

  await open(window, workstation, `/apks/${short}/code?mode=names`);
  const offers = window.getByTestId('app-offers');
  await offers.getByText('Equal classes of other APKs have 3 names for this one').click();
  for (const text of ['org.sample.All', 'org.sample.Words', 'added'])
    await expect(offers.getByText(text, { exact: true })).toBeInViewport();
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `apk-code-offers-${scheme}`);
  });
  await offers.getByRole('button', { name: 'Apply org.sample.Words' }).click();
  await expect(window.getByTestId('code-name')).toHaveCount(1);
  await expect(offers).toContainText('2 names for this one');
  await offers.getByRole('button', { name: 'Apply all' }).click();
  await expect(window.getByTestId('code-name')).toHaveCount(3);
  await expect(offers).toHaveCount(0);
});
