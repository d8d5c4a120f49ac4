// Two APKs side by side: how one gets there, what is told of their differences, and what stands where a side is missing.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { buildDex } from '../fixtures/dex-builder.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { buildZip } from '../fixtures/zip-builder.ts';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

const script = '<img src=x onerror="window.hasRun=true">';

/** Two methods, one of which says the version. */
const codeOf = (number: number) =>
  buildDex({
    classes: [
      {
        descriptor: 'Lcom/example/notes/Main;',
        methods: ['run', 'stop'].map((name) => ({
          name,
          descriptor: '()V',
          accessFlags: 9,
          code: {
            registers: 1,
            outs: 1,
            units: (pool) => [
              ...[0x001a, pool.string(name === 'run' ? `version ${number} of the notes` : name)],
              ...[0x1071, pool.method('Ljava/lang/System;', 'load', '(Ljava/lang/String;)V'), 0x0000],
              0x000e,
            ],
          },
        })),
      },
    ],
  });

/** A version of one app. */
function version(number: number, permissions: string[], files: Record<string, string>) {
  const manifest = element(
    'manifest',
    { package: 'com.example.notes', 'android:versionName': `${number}.0`, 'android:versionCode': number },
    ...permissions.map((name) => element('uses-permission', { 'android:name': name })),
    element(
      'application',
      { 'android:label': 'Notes' },
      element('activity', { 'android:name': 'com.example.notes.Main', 'android:exported': number > 1 }),
    ),
  );
  const contents = Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text.repeat(100)) }));
  const code = { name: 'classes.dex', content: codeOf(number) };
  return buildZip({ entries: [{ name: 'AndroidManifest.xml', content: buildAxml(manifest) }, code, ...contents] });
}

let older = '';
let newer = '';
let other = '';
test.beforeAll(async ({ workstation }) => {
  const internet = 'android.permission.INTERNET';
  const upload = async (apk: Buffer | string) => (await workstation.upload(apk)).body.sha256 as string;
  older = await upload(version(1, [internet], { 'assets/a.txt': 'a', 'assets/b.txt': 'b', 'assets/c.txt': 'c' }));
  newer = await upload(
    version(2, [internet, 'android.permission.SEND_SMS', script], {
      'assets/a.txt': 'A',
      'assets/renamed.txt': 'b',
      'assets/c.txt': 'c',
    }),
  );
  other = await upload(realApks.unlock);
  await workstation.server.idle();
});

const part = (window: Page, name: string) =>
  window
    .getByRole('navigation', { name: 'Parts of the comparison' })
    .getByRole('link', { name: new RegExp(`^${name}`) });
const line = (window: Page, text: string) => window.getByTestId('difference').filter({ hasText: text });

test('two APKs chosen in the catalogue are compared by a key, and swapped, left and come back to by others', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/catalogue?search=package:com.example.notes');
  await expect(window.getByTestId('catalogue-row')).toHaveCount(2);
  await window.keyboard.press('j');
  await window.keyboard.press('x');
  await window.keyboard.press('j');
  await window.keyboard.press('x');
  await expect(window.getByRole('button', { name: 'Compare', exact: true })).toBeEnabled();
  await window.keyboard.press('c');
  await expect(window).toHaveURL(new RegExp(`#/compare/${newer}/${older}$`));
  await expect(window.getByText('Same package')).toBeVisible();
  // The lower version code stands left, whichever was chosen first.
  await expect(line(window, 'version_code')).toContainText(/A\s*1\s*B\s*2/);

  await window.keyboard.press('s');
  await expect(window).toHaveURL(/\/app\?swap=$/);
  await expect(line(window, 'version_code')).toContainText(/A\s*2\s*B\s*1/);
  const downloading = window.waitForEvent('download');
  await window.getByRole('button', { name: 'Report for people…' }).click();
  await window.getByRole('button', { name: 'Save the report' }).click();
  const report = await downloading;
  expect(report.suggestedFilename()).toMatch(/^[0-9a-f]{12}_[0-9a-f]{12}_report\.html$/);
  expect(readFileSync(await report.path(), 'utf8')).toContain('SEND_SMS');
  await window.keyboard.press('s');
  await window.keyboard.press(']');
  await expect(window).toHaveURL(/\/permissions$/);
  await expect(line(window, 'SEND_SMS')).toHaveAttribute('data-state', 'second');
  await expect(line(window, 'INTERNET')).toHaveCount(0);
  await window.keyboard.press('Escape');
  await expect(window).toHaveURL(new RegExp(`#/apks/${older}$`));
  await window.goBack();
  await expect(line(window, 'SEND_SMS')).toBeVisible();
});

test('files are told apart by their content, and what is listed is part of the address', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/compare/${older}/${newer}`);
  await part(window, 'Files').click();
  await expect(line(window, 'assets/a.txt')).toHaveAttribute('data-state', 'changed');
  await expect(line(window, 'assets/b.txt')).toContainText('as assets/renamed.txt');
  await expect(line(window, 'assets/c.txt')).toHaveCount(0);
  await expect(window.getByText('1 entry is the same on both sides.')).toBeVisible();
  await window
    .getByRole('group', { name: 'What to list' })
    .getByRole('button', { name: /^Renamed/ })
    .click();
  await expect(line(window, 'assets/a.txt')).toHaveCount(0);
  await expect(window).toHaveURL(/show=moved$/);
  await window.reload();
  await expect(line(window, 'assets/b.txt')).toBeVisible();
  await window.getByRole('textbox', { name: 'Filter Files' }).fill('nothing like it');
  await expect(window.getByTestId('difference')).toHaveCount(0);

  await part(window, 'Native code').click();
  await expect(window.getByText('None in either APK')).toBeVisible();
  await part(window, 'Components').click();
  await expect(line(window, 'com.example.notes.Main')).toHaveAttribute('data-state', 'changed');
  await open(window, workstation, `/compare/${older}/${other}/strings`);
  await expect(window.getByTestId('difference').first()).toBeVisible();
});

test('code and manifests stand side by side, by differences or whole, and an address leads to each of them', async ({
  window,
  workstation,
}) => {
  const pair = (text: string) => window.getByTestId('line-pair').filter({ hasText: text });
  await open(window, workstation, `/compare/${newer}/${older}/classes`);
  await line(window, 'Lcom/example/notes/Main;').getByRole('link').first().click();
  const code = window.getByRole('region', { name: 'com.example.notes.Main, side by side' }).first();
  await expect(pair('version 1 of the notes')).toHaveAttribute('data-state', 'changed');
  await expect(pair('version 1 of the notes').locator('mark')).toHaveText(['1', '2']);
  await expect(pair('"stop"')).toHaveCount(0);
  await window.keyboard.press('w');
  await expect(pair('"stop"')).toHaveAttribute('data-state', 'same');
  await window.keyboard.press('n');
  await expect(code.getByText('Difference 1 of 1')).toBeVisible();
  await expect(window).toHaveURL(/difference=1/);
  await window.reload();
  await expect(code.getByText('Difference 1 of 1')).toBeVisible();
  await expect(pair('version 1 of the notes')).toHaveAttribute('data-current', 'true');
  await window.keyboard.press('s');
  await expect(pair('version 1 of the notes').locator('mark')).toHaveText(['2', '1']);
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `compare-lines-${scheme}`);
  });
  await window.keyboard.press('Shift+J');
  await expect(pair('System.load("version 1 of the notes")').locator('mark')).toHaveText(['2', '1']);
  await expect(pair('void run()')).toHaveAttribute('data-state', 'same');
  await expect(window).toHaveURL(/as=java/);
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `compare-java-${scheme}`);
  });
  await window.getByRole('button', { name: 'Show smali' }).click();
  await expect(pair('const-string v0, "version')).toHaveCount(1);
  await window.keyboard.press('Escape');
  await expect(line(window, 'Lcom/example/notes/Main;')).toBeVisible();
  await part(window, 'Manifest').click();
  await expect(pair('SEND_SMS')).toHaveAttribute('data-state', 'removed');
});

test('an APK leads to others of its package to compare it with, and the palette to any by its hash', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${older}`);
  await expect(window.getByTestId('app-name')).toBeVisible();
  await window.keyboard.press('c');
  await expect(window).toHaveURL(new RegExp(`#/compare/${older}$`));
  const others = window.getByRole('list', { name: 'Other APKs of this package' });
  await expect(others.getByRole('listitem')).toHaveCount(1);
  await expectAccessible(window);
  await keepScreenshot(window, 'compare-choose');
  const search = window.getByRole('textbox', { name: 'Search the other APK' });
  await expect(search).toBeFocused();
  await search.fill(older.slice(0, 10));
  await expect(window.getByText('This is the same APK.')).toBeVisible();
  await search.fill('package:com.example.notes');
  await expect(window.getByRole('list', { name: 'Found' }).getByRole('listitem')).toHaveCount(1);
  await search.fill(newer.slice(0, 12));
  await expect(window.getByRole('list', { name: 'Found' }).getByText(newer.slice(0, 12))).toBeVisible();
  await search.press('Enter');
  await expect(window).toHaveURL(new RegExp(`#/compare/${older}/${newer}$`));

  await window.keyboard.press('Control+k');
  await window.getByRole('combobox', { name: 'Command palette' }).fill(`${older} ${other}`);
  await expect(window.getByRole('option').first()).toContainText('Compare the APKs');
  await window.keyboard.press('Enter');
  await expect(window).toHaveURL(new RegExp(`#/compare/${older}/${other}$`));
  await expect(window.getByText('Different package')).toBeVisible();

  await open(window, workstation, `/apks/${older}`);
  await window.getByRole('link', { name: 'All APKs of this package' }).click();
  await expect(window.getByTestId('catalogue-row')).toHaveCount(2);
});

test('the versions of a package stand along a line of time with what each added, and lead to their comparison', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${older}/versions`);
  const versions = window.getByRole('list', { name: 'Versions of the package' }).getByTestId('version');
  await expect(versions).toHaveCount(2);
  await expect(versions.first().getByRole('heading')).toHaveText('2.0');
  await expect(versions.last()).toHaveAttribute('aria-current', 'true');
  await expect(versions.last()).toContainText('The first version here');
  const changes = versions.first().getByTestId('version-changes');
  await expect(changes).toContainText('added android.permission.SEND_SMS');
  await expect(changes).toContainText(script);
  await inBothSchemes(window, async (scheme) => {
    await keepScreenshot(window, `versions-${scheme}`);
    await expectAccessible(window);
  });
  await versions.first().getByRole('link', { name: 'Compare with 1.0' }).click();
  await expect(window).toHaveURL(new RegExp(`#/compare/${newer}/${older}$`));

  await open(window, workstation, `/apks/${other}/versions`);
  await expect(window.getByText('No other version of this package')).toBeVisible();
});

test('a missing report of either side is named, with what can be done about it', async ({ window, workstation }) => {
  const digits = (length: number) => 'd'.repeat(length);
  const record = { sha256: digits(64), sha1: digits(40), md5: digits(32), size: 1, app: 'Bare', packageName: 'a.bare' };
  await workstation.server.store.transaction(({ apks }) => apks.insert(record));
  await open(window, workstation, `/compare/${older}/${record.sha256}`);
  const missing = window.getByRole('region', { name: 'APK B has no static report' });
  await missing.getByRole('button', { name: 'Static analysis' }).click();
  // Its file is not there: the analysis ends at once, and says so.
  await expect(missing.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expectAccessible(window);
  await keepScreenshot(window, 'compare-unreported');
  await part(window, 'Files').click();
  await expect(missing.getByRole('button', { name: 'Try again' })).toBeVisible();

  await open(window, workstation, `/compare/${older}/${older}`);
  await expect(window.getByText('Both sides are the same APK')).toBeVisible();
  await open(window, workstation, `/compare/${older}/${'0'.repeat(64)}`);
  await expect(window.getByText('One of the APKs is not in the catalogue')).toBeVisible();
  await window.getByRole('button', { name: 'Another APK…' }).click();
  await expect(window).toHaveURL(new RegExp(`#/compare/${older}$`));
});

test('the comparison can be read in both themes, and nothing that an APK names runs', async ({
  window,
  workstation,
}) => {
  for (const scheme of ['light', 'dark'] as const) {
    await window.emulateMedia({ colorScheme: scheme });
    await open(window, workstation, `/compare/${older}/${newer}/permissions?show=all`);
    await expect(line(window, script)).toBeVisible();
    await expectAccessible(window);
    await keepScreenshot(window, `compare-${scheme}`);
  }
  await window.setViewportSize({ width: 640, height: 512 });
  await expect(line(window, 'SEND_SMS')).toBeVisible();
  await keepScreenshot(window, 'compare-narrow');
  expect(await window.evaluate(() => 'hasRun' in globalThis)).toBe(false);
});
