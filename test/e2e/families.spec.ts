// Families of APKs in the window: what belongs together is split, merged, taken back and judged at once, and stands in the
// catalogue.
import { type MadeApk, methods, putApks, version } from '../fixtures/made-apps.ts';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

const versions = (name: string, number: number, count: number): MadeApk[] =>
  Array.from({ length: count }, (_, at) => ({
    code: version(methods(number, 300), at, 0.15),
    app: `${name} ${at}`,
    packageName: `com.example.${name.toLowerCase()}`,
    signer: number,
  }));

let sha256s: string[] = [];
test.beforeAll(async ({ workstation }) => {
  sha256s = await putApks(workstation, 1, [...versions('Gallery', 10, 5), ...versions('Torch', 11, 3)]);
});

test('members are split off into a family of their own, merged with another, and each step is taken back', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/families');
  const families = window.getByTestId('family');
  await expect(families).toHaveCount(2);
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `families-${scheme}`);
  });
  await families.filter({ hasText: 'gallery' }).getByRole('link').first().click();
  const members = window.getByTestId('member');
  await expect(members).toHaveCount(5);
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `family-${scheme}`);
  });

  for (const name of ['Gallery 3', 'Gallery 4']) await window.getByRole('checkbox', { name: `Select ${name}` }).check();
  await window.getByRole('button', { name: /^Split off/ }).click();
  const dialog = window.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Shutter');
  await dialog.getByRole('button', { name: 'Split 2 APKs off' }).click();
  await expect(members).toHaveCount(3);
  await window.getByRole('button', { name: /^Merge/ }).click();
  await dialog.getByRole('textbox').fill('torch');
  await dialog.getByRole('button', { name: /torch/i }).first().click();
  await expect(members).toHaveCount(6);

  await window.getByRole('group', { name: 'What is shown of the family' }).getByText('History').click();
  const actions = window.getByTestId('family-action');
  await expect(actions).toHaveCount(2);
  await expectAccessible(window);
  await keepScreenshot(window, 'family-history');
  for (const count of [1, 0]) {
    await window.getByRole('button', { name: /^Undo/ }).first().click();
    await expect(window.getByRole('button', { name: /^Undo/ })).toHaveCount(count);
  }
  await window.getByRole('group', { name: 'What is shown of the family' }).getByText('APKs').click();
  await expect(members).toHaveCount(5);
});

test('one key on the page of an APK judges its whole family, which the catalogue then shows and is narrowed to', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${sha256s[6]}`);
  await expect(window.getByTestId('family-chip')).toContainText('· 3');
  await window.keyboard.press('A');
  const dialog = window.getByTestId('judge-family');
  await expect(dialog.getByRole('radio', { name: 'Malicious' })).toBeFocused();
  await window.keyboard.press('s');
  await window.keyboard.press('Enter');
  await expect(window.getByText('The verdict holds for 3 APKs.')).toBeVisible();

  await open(window, workstation, '/catalogue');
  const rows = window.getByTestId('catalogue-row');
  await expect(rows).toHaveCount(8);
  const torch = rows.filter({ hasText: 'Torch' });
  await expect(torch.filter({ hasText: 'Suspicious' })).toHaveCount(3);
  await expect(torch.first().locator('[title="Family of APKs with much the same code"]')).toHaveText(
    'com.example.torch',
  );
  await window.keyboard.press('f');
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `catalogue-families-${scheme}`);
  });
  await window
    .getByTestId('facets')
    .getByRole('button', { name: /Only Family: .*torch/ })
    .click();
  await expect(rows).toHaveCount(3);
  await expect(window).toHaveURL(/family%3A/);
});
