// What an APK is like, in the window: a list with reasons, and a picture that opens further.
import { apkDexes } from '../fixtures/apk-dexes.ts';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { renamedDexes } from '../fixtures/renamed-dex.ts';
import { buildZip } from '../fixtures/zip-builder.ts';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

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
  // The second line has the focus then.
  await window.keyboard.press('j');
  await window.keyboard.press('j');
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
