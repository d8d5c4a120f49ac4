// What an APK carries beside Dalvik code: native libraries with their functions, bundles of other runtimes.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { buildDartLibrary, buildHermes } from '../fixtures/bundle-builders.ts';
import { buildDex } from '../fixtures/dex-builder.ts';
import { buildElf } from '../fixtures/elf-builder.ts';
import { realApks } from '../fixtures/real-apks.ts';
import type { TestWorkstation } from '../fixtures/workstation.ts';
import { buildZip } from '../fixtures/zip-builder.ts';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

/** Uploads an app with these files, and waits for its report. */
async function upload(workstation: TestWorkstation, name: string, files: Record<string, Uint8Array>): Promise<string> {
  const manifest = buildAxml(element('manifest', { package: `org.example.${name}` }));
  const entries = Object.entries({ 'AndroidManifest.xml': manifest, ...files });
  const { body } = await workstation.upload(
    buildZip({ entries: entries.map(([name, content]) => ({ name, content })) }),
  );
  await workstation.server.idle();
  return body.sha256;
}

test('functions of a native library: filtered, their code beside them, strings and imports at the instructions', async ({
  window,
  workstation,
}) => {
  const content = readFileSync(join(dirname(dirname(realApks.minicap)), 'arm64-v8a/lib/android-30/minicap.so'));
  const sha256 = await upload(workstation, 'native', { 'lib/arm64-v8a/minicap.so': content });
  await open(window, workstation, `/apks/${sha256}/native`);
  await window.getByLabel('Name or address').fill('create');
  await window.getByRole('button', { name: /minicap_create/ }).click();
  const code = window.getByRole('region', { name: 'Instructions' });
  await expect(
    code
      .getByText('ret', { exact: true })
      .or(code.getByText('b', { exact: true }))
      .first(),
  ).toBeVisible();
  await expect(window).toHaveURL(/at=0x/);
  await inBothSchemes(window, async (scheme) => {
    await keepScreenshot(window, `apk-native-functions-${scheme}`);
    await expectAccessible(window);
  });
});

/** Twelve hundred instructions of AArch64 that do nothing, and a return. */
const longFunction = Buffer.concat([Buffer.from('1f2003d5'.repeat(1200), 'hex'), Buffer.from('c0035fd6', 'hex')]);

test('a Java method leads to its native function and back; a long function comes page by page', async ({
  window,
  workstation,
}) => {
  const library = buildElf({
    symbols: [{ name: 'Java_org_example_Crypto_open', isDefined: true, value: 0x11000, size: longFunction.length }],
    constants: longFunction,
    constantsAt: 0x1000,
  });
  const method = { name: 'open', descriptor: '()V', accessFlags: 0x101, isVirtual: true };
  const dex = buildDex({ classes: [{ descriptor: 'Lorg/example/Crypto;', methods: [method] }] });
  const files = { 'classes.dex': dex, 'lib/arm64-v8a/libcrypto.so': library };
  const sha256 = await upload(workstation, 'linked', files);
  await open(window, workstation, `/apks/${sha256}/code?class=Lorg/example/Crypto;`);
  await window.getByRole('link', { name: 'libcrypto.so' }).click();
  await expect(window).toHaveURL(/native\?.*at=0x11000/);
  const code = window.getByRole('region', { name: 'Instructions' });
  await expect(code.getByText('0x11000')).toBeVisible();
  await window.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await window.getByRole('button', { name: 'Copy as YARA rule' }).click();
  await expect.poll(() => window.evaluate(() => navigator.clipboard.readText())).toMatch(/\{\s+1f 20 03 d5 1f 20/);
  // 500 are asked for at a time: the end is there only once all pages have come.
  await expect(async () => {
    await code.evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await expect(code.getByText('ret', { exact: true })).toBeVisible({ timeout: 100 });
  }).toPass();
  await expect(code.getByText(`0x${(0x11000 + longFunction.length - 4).toString(16)}`)).toBeVisible();
  await window.getByRole('link', { name: /Java method/ }).click();
  await expect(window).toHaveURL(/code\?class=Lorg%2Fexample%2FCrypto%3B&member=open/);
  await expect(window.getByRole('link', { name: 'libcrypto.so' })).toBeVisible();
});

test('bundles of other runtimes: what each is, its strings filtered, page by page, with their places and damage', async ({
  window,
  workstation,
}) => {
  const strings = Array.from({ length: 700 }, (_, index) => `text ${index}`);
  const damaged = buildHermes({ strings: ['a'] });
  damaged.writeUInt32LE(9, 32);
  const bytecode = buildHermes({
    strings: ['https://c2.example/gate', '<img src=x onerror=1>', ...strings],
    functions: 12,
  });
  const sha256 = await upload(workstation, 'bundles', {
    'assets/index.android.bundle': bytecode,
    'lib/arm64-v8a/libapp.so': buildDartLibrary(['package:app/main.dart']),
    'assets/old.bundle': damaged,
  });
  await open(window, workstation, `/apks/${sha256}`);
  const tab = window.getByRole('link', { name: /^Bundles/ });
  await expect(tab).toContainText('3');
  await tab.click();
  const facts = window.getByTestId('bundle-facts');
  await expect(facts).toContainText(/Version\s*96.*Functions\s*12.*Strings\s*702.*0\.73 and later/s);
  const list = window.getByRole('region', { name: 'Strings' });
  await expect(list).toContainText('<img src=x onerror=1>');
  await expect(async () => {
    await list.evaluate((one) => one.scrollTo(0, one.scrollHeight));
    await expect(list.getByText('text 699')).toBeVisible({ timeout: 100 });
  }).toPass();
  await inBothSchemes(window, async (scheme) => {
    await keepScreenshot(window, `apk-bundles-${scheme}`);
    await expectAccessible(window);
  });
  await window.getByLabel('Part of a string').fill('GATE');
  await expect(window.getByRole('status').filter({ hasText: 'strings' })).toHaveText('1 strings');
  await expect(list.getByRole('link')).toHaveText(`0x${bytecode.indexOf('https').toString(16)}`);
  await window.getByLabel('Part of a string').fill('nothing of this');
  await expect(window.getByText('No string contains this')).toBeVisible();
  const choice = window.getByRole('region', { name: 'Bundles' });
  await choice.getByRole('button', { name: /old\.bundle/ }).click();
  await expect(facts).toContainText('the header says 9 bytes at 0x20');
  await choice.getByRole('button', { name: /libapp\.so/ }).click();
  await expect(facts).toContainText('full, with compiled code');
  await window.getByRole('button', { name: /old\.bundle/ }).click();
  await window.getByRole('link', { name: /^0x/ }).first().click();
  await expect(window.getByTestId('hex-view')).toBeVisible();
});
