// Rulesets in the window: written, checked, tried, saved, hunted with, compared, discussed.
import { readFileSync } from 'node:fs';
import { realApks } from '../fixtures/real-apks.ts';
import { buildZip } from '../fixtures/zip-builder.ts';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

const rules = `import "androguard"

rule unlocks_the_phone
{
  strings:
    $dex = "classes.dex"
  condition:
    $dex and androguard.package_name("io.appium.unlock")
}
`;

test('an empty list says what to do and leads to the editor', async ({ window, workstation }) => {
  await open(window, workstation, '/rulesets');
  await expect(window.getByText('No rulesets here')).toBeVisible();
  await expectAccessible(window);
  await window.getByRole('link', { name: 'New ruleset' }).first().click();
  await expect(window.getByTestId('yara-editor')).toBeVisible();
});

test('faults are shown in place while one types, and nothing faulty is tried or saved as valid', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/rulesets/new');
  const editor = window.getByRole('textbox', { name: 'YARA rules' });
  await editor.fill('rule broken {\n  condition:\n    nothing_of_that_name\n}\n');
  await expect(window.getByTestId('verdict')).toContainText('cannot be saved');
  await expect(window.locator('.cm-lintRange-error')).toBeVisible();
  await window.getByRole('button', { name: /Line 3, column 5/ }).click();
  await expect(window.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await keepScreenshot(window, 'ruleset-fault');
  await expectAccessible(window);
});

test('modules and their functions are completed', async ({ window, workstation }) => {
  await open(window, workstation, '/rulesets/new');
  const editor = window.getByRole('textbox', { name: 'YARA rules' });
  await editor.fill('import "androguard"\nrule a { condition: androguard.');
  await editor.press('End');
  await editor.pressSequentially('pack');
  await expect(window.locator('.cm-tooltip-autocomplete')).toContainText('package_name');
  await keepScreenshot(window, 'ruleset-completion');
});

test('a ruleset is written, tried before it is saved, saved, and finds what comes in, dark and light', async ({
  window,
  workstation,
}) => {
  await workstation.upload(realApks.unlock);
  await workstation.upload(realApks.unicodeIme);
  await workstation.server.idle();
  await open(window, workstation, '/rulesets/new');
  await window.getByLabel('Name', { exact: true }).fill('Unlocking');
  await window.getByRole('textbox', { name: 'YARA rules' }).fill(rules);
  await expect(window.getByTestId('verdict')).toContainText('1 rule, ready to save');
  await window.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(window.getByTestId('dry-run-result')).toContainText('1 match in 2 APKs');
  await expect(window.getByTestId('dry-run-match')).toHaveCount(1);
  await window.getByLabel('Filter matches').fill('nothing of this name');
  await expect(window.getByTestId('dry-run-match')).toHaveCount(0);
  await window.getByLabel('Filter matches').fill('');
  await window.getByRole('textbox', { name: 'YARA rules' }).press('Control+s');
  await expect(window.getByText('Saved.')).toBeVisible();
  await expect(window).toHaveURL(/rulesets\/[0-9A-Za-z]{16}/);
  await expect(window.getByTestId('hunt-estimate')).toContainText('2 APKs will be read');
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `ruleset-${scheme}`);
  });

  await window.getByRole('button', { name: 'Start' }).click();
  await expect(window.getByTestId('hunt').first()).toContainText('1 match');
  await expect(window.getByTestId('hunt').first()).toContainText('done');
  await window.getByRole('link', { name: /^Matches/ }).click();
  const match = window.getByTestId('ruleset-match');
  await expect(match).toHaveCount(1);
  const { app, version, sha256 } = (await workstation.ask('/apks/?search=io.appium.unlock')).body.results[0];
  await expect(match).toContainText(`${version} ${sha256.slice(0, 12)}`);
  const saving = window.waitForEvent('download');
  await window.getByRole('button', { name: 'Save as CSV' }).click();
  const csv = readFileSync(await (await saving).path(), 'utf8')
    .trim()
    .split(/\r?\n/);
  expect(csv).toEqual([
    'App,Package,Version,SHA-256,Rules',
    expect.stringContaining(`,io.appium.unlock,${version},${sha256},`),
  ]);
  await window.getByLabel('Filter matches').fill(`not ${app}`);
  await expect(match).toHaveCount(0);
  await window.getByLabel('Filter matches').fill('');
  await expect(window.getByRole('link', { name: /\$dex 0x/ }).first()).toHaveAttribute('href', /view=hex/);
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `ruleset-matches-${scheme}`);
  });
});

test('Ctrl+S saves from the fields beside the editor too, and once where it is held down', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/rulesets/new');
  await expect(window.getByTestId('yara-editor')).toBeVisible();
  await window.getByLabel('Name', { exact: true }).fill('Saved from its name');
  await window.keyboard.down('Control');
  for (let repeated = 0; repeated < 5; repeated++) await window.keyboard.down('s');
  await window.keyboard.up('s');
  await window.keyboard.up('Control');
  await expect(window.getByText('Enabled')).toBeVisible();
  await expect(window).toHaveURL(/#\/rulesets\/(?!new)\w+$/);
  await open(window, workstation, '/rulesets');
  await expect(window.getByTestId('ruleset').filter({ hasText: 'Saved from its name' })).toHaveCount(1);
});

test('versions are compared and an earlier text comes back', async ({ window, workstation }) => {
  const made = await workstation.ask('/rulesets/', { method: 'POST', json: { name: 'Versions', rules } });
  const changed = rules.replace('unlocks_the_phone', 'renamed');
  await workstation.ask(`/rulesets/${made.body.id}/`, { method: 'PATCH', json: { rules: changed } });
  await open(window, workstation, `/rulesets/${made.body.id}/versions`);
  await expect(window.getByTestId('version')).toHaveCount(2);
  await window.getByRole('button', { name: 'Compare with current' }).click();
  await expect(window.getByTestId('version-diff')).toContainText('unlocks_the_phone');
  await keepScreenshot(window, 'ruleset-versions');
  await expectAccessible(window);
  await window.getByRole('button', { name: 'Restore' }).click();
  await expect(window.getByTestId('yara-editor')).toContainText('unlocks_the_phone');
  await expect(window.getByText('Unsaved')).toBeVisible();
});

test('leaving unsaved rules asks first', async ({ window, workstation }) => {
  await open(window, workstation, '/rulesets/new');
  await window.getByRole('textbox', { name: 'YARA rules' }).fill(rules);
  await window.getByRole('link', { name: 'Catalogue' }).click();
  await expect(window.getByRole('dialog', { name: 'Unsaved' })).toBeVisible();
  await window.getByRole('button', { name: 'Cancel' }).click();
  await expect(window.getByTestId('yara-editor')).toBeVisible();
  await window.getByRole('link', { name: 'Catalogue' }).click();
  await window.getByRole('button', { name: 'Leave' }).click();
  await expect(window).toHaveURL(/catalogue/);
});

test("another's public ruleset can be read and discussed, and the owner makes it social", async ({
  window,
  workstation,
}) => {
  const token = await workstation.analyst('mallory');
  const made = await workstation.ask('/rulesets/', {
    method: 'POST',
    token,
    json: { name: '<img src=x onerror=alert(1)>', rules, is_public: true },
  });
  await workstation.ask(`/rulesets/${made.body.id}/promote/`, { method: 'POST', token });
  await open(window, workstation, `/rulesets/${made.body.id}`);
  await expect(window.getByText('<img src=x onerror=alert(1)>').first()).toBeVisible();
  await expect(window.getByText('Written by mallory')).toBeVisible();
  await window.getByRole('button', { name: 'Accept as social' }).click();
  await expect(window.getByText('Social', { exact: true })).toBeVisible();
  await window.getByRole('link', { name: /^Comments/ }).click();
  await window.getByLabel(/Write a comment/).fill('Good work, @mallory');
  await window.getByRole('button', { name: 'Comment', exact: true }).click();
  await expect(window.getByTestId('comment')).toContainText('Good work, @mallory');
  await window.getByTestId('comment').getByRole('button', { name: 'Delete' }).click();
  await window.getByTestId('comment').getByRole('button', { name: 'Delete' }).click();
  await expect(window.getByTestId('comment')).toHaveCount(0);
});

test('the list filters by name and whose it is', async ({ window, workstation }) => {
  for (const name of ['Sieve of versions', 'Other']) {
    await workstation.ask('/rulesets/', { method: 'POST', json: { name, rules: 'rule a { condition: false }' } });
  }
  await open(window, workstation, '/rulesets?show=own&name=sieve');
  await expect(window.getByTestId('ruleset')).toHaveCount(1);
  await expectAccessible(window);
  await keepScreenshot(window, 'rulesets');
});

test('the rules that come with the workstation are added, by one and all together', async ({ window, workstation }) => {
  await open(window, workstation, '/rulesets');
  await window.getByRole('button', { name: 'Starter rules' }).first().click();
  const dialog = window.getByRole('dialog', { name: 'Starter rules' });
  await dialog.getByRole('button', { name: 'Add Packers and protectors' }).press('Enter');
  await expect(dialog.getByRole('link', { name: 'Open Packers and protectors' })).toBeFocused();
  await expectAccessible(window);
  await keepScreenshot(window, 'starting-rules');
  await dialog.getByRole('button', { name: 'Add all' }).press('Enter');
  await expect(dialog.getByRole('link')).toHaveCount(4);
  await expect(dialog.getByRole('link', { name: 'Open Trackers' })).toBeFocused();
  await window.setViewportSize({ width: 640, height: 400 });
  await keepScreenshot(window, 'starting-rules-magnified');
  await window.keyboard.press('Enter');
  await expect(window).toHaveTitle(/Trackers/);
  await open(window, workstation, '/rulesets');
  await expect(window.getByTestId('ruleset').filter({ hasText: 'Trackers' })).toHaveCount(1);
});

test('an archive of rules is imported, updated, leads to its rulesets, is switched and removed', async ({
  window,
  workstation,
}) => {
  const archive = (version: string, files: Record<string, string>) => ({
    name: `community-${version}.zip`,
    mimeType: 'application/zip',
    buffer: buildZip({ entries: Object.entries(files).map(([name, content]) => ({ name, content })) }),
  });
  const send = async (file: ReturnType<typeof archive>) => {
    await window.locator('form input[type=file]').setInputFiles(file);
    await window.getByRole('button', { name: 'Import', exact: true }).click();
  };
  await open(window, workstation, '/rule-packages');
  await expect(window.getByText('No package yet.', { exact: false })).toBeVisible();
  const rule = (name: string) => `rule ${name} { strings: $a = "${name}" condition: $a }`;
  await send(archive('1', { 'a.yar': rule('a'), 'b.yar': rule('b'), 'bad.yar': 'rule bad {' }));
  const row = window.getByTestId('rule-package');
  await expect(row).toContainText('+2 1 refused');
  const newer = archive('2', { 'a.yar': rule('other'), 'c.yar': rule('c') });
  await window.locator('form input[type=file]').setInputFiles(newer);
  await window.getByRole('button', { name: 'Preview changes' }).click();
  const preview = window.getByTestId('package-preview');
  await expect(preview).toContainText('community 2 would change: +1 ~1 −1');
  await preview.getByRole('button', { name: 'See changes…' }).click();
  await window.getByRole('dialog').getByText('a.yar').click();
  await expect(window.getByRole('dialog').locator('[data-state=added]')).toContainText('rule other');
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `rule-package-preview-${scheme}`);
  });
  await expect(row).toContainText('+2 1 refused');
  await window.getByRole('dialog').getByRole('button', { name: 'Update' }).click();
  await expect(row).toContainText('+1 ~1 −1');
  await expectAccessible(window);
  await inBothSchemes(window, (scheme) => keepScreenshot(window, `rule-packages-${scheme}`));
  await row.getByRole('button', { name: /What the last import of community changed/ }).click();
  await expect(window.getByRole('dialog')).toContainText('b.yar');
  await expectAccessible(window);
  await keepScreenshot(window, 'rule-package-change');
  await window.keyboard.press('Escape');
  await row.getByRole('switch').click({ force: true });
  await expect(row).toContainText('none');
  await row.getByRole('link', { name: 'community' }).click();
  await expect(window.getByTestId('ruleset')).toHaveCount(2);
  await keepScreenshot(window, 'rulesets-of-a-package');
  await window.getByRole('button', { name: 'Leave the package community' }).click();
  await window.getByRole('link', { name: 'Packages' }).click();
  await row.getByRole('button', { name: 'Remove the package community' }).click();
  await window.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(row).toHaveCount(0);
});

test('a rule that matches too much is put into quarantine and taken out again', async ({ window, workstation }) => {
  const noisy = 'rule noisy_archive { strings: $a = "PK" condition: $a at 0 }';
  const json = { name: 'Archives', rules: noisy, is_public: true };
  await workstation.ask('/rulesets/', { method: 'POST', json });
  await workstation.upload(buildZip({ entries: [{ name: 'AndroidManifest.xml', content: '' }] }));
  const { body } = await workstation.upload(realApks.unlock);
  await workstation.ask(`/apks/${body.sha256}/analyze_yara/`, { method: 'POST' });
  await workstation.server.idle();
  await open(window, workstation, '/rulesets');
  await window.getByRole('link', { name: 'Statistics' }).click();
  await window.getByLabel('Search rules, rulesets and packages').fill('noisy');
  const row = window.getByTestId('rule-statistics');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Archives');
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `rule-statistics-${scheme}`);
  });
  await row.getByRole('button', { name: 'Quarantine noisy_archive' }).click();
  await window.getByLabel('Reason').fill('matches every archive');
  await window.getByRole('dialog').getByRole('button', { name: 'Quarantine', exact: true }).click();
  await expect(row).toContainText('matches every archive');
  await window.getByText('In quarantine').click();
  await expect(row).toHaveCount(1);
  await window.setViewportSize({ width: 1024, height: 720 });
  await keepScreenshot(window, 'rule-statistics-quarantine');
  await expectAccessible(window);
  await window.setViewportSize({ width: 1440, height: 900 });
  await row.getByRole('button', { name: 'Undo: noisy_archive' }).click();
  await expect(window.getByText('No rule matches')).toBeVisible();
});
