// What an APK is like, in the window: a list with reasons, and a picture that opens further.
import { apkDexes } from '../fixtures/apk-dexes.ts';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { renamedDexes } from '../fixtures/renamed-dex.ts';
import { signedBy } from '../fixtures/signed-copies.ts';
import { buildZip } from '../fixtures/zip-builder.ts';
import { dragFiles, drop, expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

const packed = (packageName: string, dexes: readonly Buffer[]) =>
  buildZip({
    entries: [
      { name: 'AndroidManifest.xml', content: buildAxml(element('manifest', { package: packageName })) },
      ...dexes.map((content, index) => ({ name: `classes${index === 0 ? '' : index + 1}.dex`, content })),
    ],
  });

let original = '';
let copy = '';
test.beforeAll(async ({ workstation }) => {
  await workstation.ask('/settings/', { method: 'PATCH', json: { analyze_dynamic_on_upload: false } });
  const dexes = [...(await apkDexes(realApks.settings)).values()];
  const renamed = renamedDexes(dexes, { seed: 3, without: 12, isReversed: false }).dexes;
  const added = [];
  for (const apk of [realApks.settings, packed('com.example.copy', dexes), packed('com.example.renamed', renamed)])
    added.push((await workstation.upload(apk)).body.sha256);
  await workstation.server.idle();
  [original = '', copy = ''] = added;
  await workstation.ask(`/apks/${copy}/verdict/`, { method: 'PUT', json: { verdict: 'malicious', family: 'Copied' } });
});

test('what an APK is like is listed with the reason, and compared by a key', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${original}/similar`);
  const lines = window.getByTestId('similar');
  await expect(lines).toHaveCount(2);
  await expect(lines.first()).toContainText('com.example.copy');
  await expect(lines.first()).toContainText('100%');
  await expect(lines.first()).toContainText('own methods');
  await expect(lines.first()).toContainText('Malicious · Copied');
  await inBothSchemes(window, async (scheme) => {
    await keepScreenshot(window, `similar-list-${scheme}`);
    await expectAccessible(window);
  });
  for (const line of [lines.first(), lines.nth(1)]) {
    await window.keyboard.press('j');
    await expect(line.getByRole('link').first()).toBeFocused();
  }
  await window.keyboard.press('c');
  await expect(window).toHaveURL(new RegExp(`/compare/${original}/(?!${copy})[0-9a-f]{64}`));
});

test('the picture of neighbours opens further by keys, and what is open stands in the address', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${original}/similar?layout=picture`);
  const nodes = window.getByTestId('network-node');
  await expect(nodes).toHaveCount(3);
  const neighbour = window.locator(`[data-id="apk:${copy}"]`);
  await expect(neighbour).toHaveAccessibleName(/com\.example\.copy, APK, verdict: malicious, 100%/);
  await neighbour.focus();
  await expect(window.getByTestId('network-detail')).toContainText('own methods');
  await window.keyboard.press('Enter');
  await expect(neighbour).toHaveAttribute('aria-expanded', 'true');
  await expect(window).toHaveURL(new RegExp(`open=apk%3A${copy}`));
  await inBothSchemes(window, async (scheme) => {
    await keepScreenshot(window, `similar-picture-${scheme}`);
    await expectAccessible(window);
  });
  await window.goBack();
  await expect(neighbour).toHaveAttribute('aria-expanded', 'false');
  await neighbour.focus();
  await window.keyboard.press('o');
  await expect(window.getByTestId('package-name')).toHaveText('com.example.copy');
});

test('a file that is not kept is dropped to learn what it is like; a bad one says why, and a good one can be added', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/like');
  await expect(window.getByText('Ask about a file that is not kept')).toBeVisible();
  await dragFiles(window, [{ name: 'notes.txt', bytes: Buffer.from('no archive') }], 'main');
  const place = window.getByTestId('drop-ask');
  await expect(place).toContainText('It is not kept.');
  await keepScreenshot(window, 'drop-choice');
  await drop(window, [{ name: 'notes.txt', bytes: Buffer.from('no archive') }], '[data-ask]');
  await expect(window.getByRole('alert')).toContainText('not an Android application');
  await expect(place).toHaveCount(0);

  const dexes = [...(await apkDexes(realApks.settings)).values()];
  const other = packed('com.example.other', dexes);
  await open(window, workstation, '/catalogue');
  await window.getByTestId('pick-asked').setInputFiles({ name: 'other.apk', mimeType: '', buffer: other });
  await expect(window).toHaveURL(/\/like$/);
  const lines = window.getByTestId('similar');
  await expect(lines).toHaveCount(3);
  await expect(lines.first()).toContainText('100%');
  await expect(lines.first()).toContainText('own methods');
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `like-${scheme}`);
  });
  // It stays while a result is looked at, and is in no list until somebody adds it.
  await lines.first().getByRole('link').first().click();
  await expect(window.getByTestId('package-name')).toBeVisible();
  await window.goBack();
  await expect(lines).toHaveCount(3);
  expect((await workstation.ask('/apks/?search=package:com.example.other')).body.count).toBe(0);
  await window.getByRole('button', { name: 'Add it to the catalogue' }).click();
  await expect(window.getByTestId('upload')).toHaveAttribute('data-state', 'added');
});

test('what an APK has leads to who else has it, and that one to what it has', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${original}/connections`);
  const nodes = window.getByTestId('network-node');
  const family = nodes.and(window.locator('[data-id^="family:"]'));
  await expect(family).toHaveAccessibleName(/APKs/);
  const icon = nodes.and(window.locator('[data-id^="icon:"]'));
  await expect(icon).toHaveAccessibleName(/^Icon, /);
  await expect(icon.locator('image')).toHaveAttribute('href', /\/icons\//);
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `connections-${scheme}`);
  });
  const before = await nodes.count();
  await family.focus();
  await window.keyboard.press('Enter');
  await expect(family).toHaveAttribute('aria-expanded', 'true');
  await expect(window.locator(`[data-id="apk:${copy}"]`)).toBeVisible();
  expect(await nodes.count()).toBeGreaterThan(before);
  await expect(window).toHaveURL(/open=family%3A/);
  await keepScreenshot(window, 'connections-opened');
});

test('a repackaged app says so, and leads to what it is a copy of', async ({ window, workstation }) => {
  const shas = [];
  for (const key of ['ec-p256', 'ec-p384']) {
    shas.push((await workstation.upload(signedBy(key))).body.sha256);
    await workstation.server.idle();
  }
  await workstation.server.services.familyUpkeep.settled();
  const [first = '', second = ''] = shas;
  await open(window, workstation, `/apks/${second}/summary`);
  const title = 'Its code is that of an APK by another signer';
  await expect(window.getByTestId('risk-part').filter({ hasText: title })).toHaveCount(1);
  const finding = window.getByTestId('finding').filter({ hasText: title });
  await finding.locator('summary').click();
  await expect(finding).toContainText('own methods are the same; came here before this one');
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `repackaged-${scheme}`);
  });
  await finding.getByRole('link', { name: `apk:${first.slice(0, 12)}…` }).click();
  await expect(window).toHaveURL(new RegExp(`/apks/${first}`));
  await expect(window.getByTestId('finding').filter({ hasText: 'Another signer has the same code too' })).toHaveCount(
    1,
  );
});
