// The payloads part of an APK's page: what an APK carries, what was left out and why.
import { createHash } from 'node:crypto';
import { maxChildBytes } from '../../server/contract/engine/child.ts';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { buildDex } from '../fixtures/dex-builder.ts';
import { buildZip } from '../fixtures/zip-builder.ts';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

// Nothing here looks at what a run finds.
test.beforeAll(({ workstation }) =>
  workstation.ask('/settings/', { method: 'PATCH', json: { analyze_dynamic_on_upload: false } }),
);

test('what an APK carries is listed with its way, its report and its bytes, and is added to the catalogue', async ({
  window,
  workstation,
}) => {
  const carrying = (...entries: { name: string; content: Uint8Array | string }[]) =>
    buildZip({
      entries: [
        { name: 'AndroidManifest.xml', content: buildAxml(element('manifest', { package: 'the.app' })) },
        ...entries,
      ],
    });
  const payload = carrying({ name: 'assets/deep.sh', content: '#!/system/bin/sh\nid\n' });
  const { body: carrier } = await workstation.upload(carrying({ name: 'assets/update.png', content: payload }));
  await workstation.server.idle();
  await open(window, workstation, `/apks/${carrier.sha256}`);
  await expect(window.getByRole('link', { name: /^Payloads/ })).toBeVisible();
  await window.keyboard.press('p');
  const rows = window.getByLabel('Payloads', { exact: true }).getByRole('button');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('update.png');
  const detail = window.getByRole('region', { name: 'App', exact: true });
  await expect(detail).toContainText('the.app');
  await expect(detail.getByRole('row')).toHaveText(/Carried.*in the archive.*assets\/update\.png/);
  await detail.getByText('The app is not signed').first().click();
  await inBothSchemes(window, async (scheme) => {
    await keepScreenshot(window, `apk-payloads-${scheme}`);
    await expectAccessible(window);
  });

  await rows.nth(1).click();
  const script = window.getByRole('region', { name: 'Script' });
  await expect(script).toContainText('assets/update.png!/assets/deep.sh');
  await expect(script.getByRole('button', { name: 'Add to the catalogue' })).toHaveCount(0);
  await script.getByRole('link', { name: /^[0-9a-f]{12}$/ }).click();

  await detail.getByRole('button', { name: 'Add to the catalogue' }).click();
  await detail.getByRole('link', { name: 'Open in the catalogue' }).click();
  await expect(window).toHaveURL(new RegExp(createHash('sha256').update(payload).digest('hex')));

  const { body: bare } = await workstation.upload(carrying());
  await open(window, workstation, `/apks/${bare.sha256}/payloads`);
  await expect(window.getByText('No payloads')).toBeVisible();

  // At twice the size the list stays above what was chosen of it.
  await window.setViewportSize({ width: 720, height: 450 });
  await open(window, workstation, `/apks/${carrier.sha256}/payloads`);
  await expect(rows.first()).toBeInViewport({ ratio: 1 });
  await rows.nth(1).click();
  await expect(script.getByRole('button', { name: 'Save' })).toBeInViewport();
  await keepScreenshot(window, 'apk-payloads-magnified');
  await expectAccessible(window);
  await window.setViewportSize({ width: 1440, height: 900 });
});

test('payloads that were left out, or that could not be analysed, say why', async ({ window, workstation }) => {
  const within = (name: string, content: Uint8Array | string) => buildZip({ entries: [{ name, content }] });
  const tooDeep = within('3.zip', within('4.zip', within('5.sh', '#!/system/bin/sh\nid\n')));
  const entries = [
    { name: 'AndroidManifest.xml', content: buildAxml(element('manifest', { package: 'the.app' })) },
    { name: 'assets/1.zip', content: within('2.zip', tooDeep) },
    { name: 'assets/cut.zip', content: within('a.sh', '#!/system/bin/sh').subarray(0, 60) },
    { name: 'assets/run.sh', content: '#!/system/bin/sh\nsu\n' },
    { name: 'assets/other.sh', content: '#!/system/bin/sh\nps\n' },
  ];
  const { body } = await workstation.upload(buildZip({ entries }));
  await workstation.server.idle();
  const { store } = workstation.server;
  const apk = await store.apks.findBySha256(body.sha256);
  await open(window, workstation, `/apks/${body.sha256}/payloads`);
  const leftOut = window.getByRole('group').filter({ hasText: '2 files were left out' });
  await leftOut.getByText('2 files were left out').click();
  await expect(leftOut.getByRole('listitem')).toHaveText([
    /cut\.zip could not be unpacked/,
    /4\.zip nested too deeply/,
  ]);

  const [first] = await store.children.list(apk!.id);
  await store.transaction(async ({ children, jobs }) => {
    await children.setStatus(first!.id, 'failed', 'it took too long');
    const job = {
      apkId: apk!.id,
      kind: 'children' as const,
      priority: 0,
      isAutomatic: false,
      payload: null,
      accountId: null,
    };
    const { id } = await jobs.insert(job);
    await jobs.end(id, { status: 'failed', errorCode: 'took-too-long', error: 'it took too long' });
  });
  await window.reload();
  await expect(window.getByRole('status').filter({ hasText: 'Not all payloads could be analysed' })).toBeVisible();
  await expect(window.getByRole('alert').filter({ hasText: 'it took too long' })).toBeVisible();
  await window.getByText('2 files were left out').click();
  await inBothSchemes(window, async (scheme) => {
    await keepScreenshot(window, `apk-payloads-failed-${scheme}`);
    await expectAccessible(window);
  });
});

test('of more files than are opened, and of one that is too large, it says which and why', async ({
  window,
  workstation,
}) => {
  const scripts = Array.from({ length: 65 }, (_, index) => ({
    name: `assets/${index}.sh`,
    content: `#!/system/bin/sh\necho ${index}\n`,
  }));
  const dex = buildDex({ classes: [{ descriptor: 'La/B;' }] });
  const entries = [
    { name: 'AndroidManifest.xml', content: buildAxml(element('manifest', { package: 'the.many' })) },
    { name: 'assets/large.dex', content: dex, size: maxChildBytes + 1 },
    ...scripts,
  ];
  const { body } = await workstation.upload(buildZip({ entries }));
  await workstation.server.idle();
  await open(window, workstation, `/apks/${body.sha256}/payloads`);
  const leftOut = window.getByRole('group').filter({ hasText: '2 files were left out' });
  await leftOut.getByText('2 files were left out').click();
  await expect(leftOut.getByRole('listitem')).toHaveText([
    /assets\/large\.dex beyond 256 MB/,
    /assets\/64\.sh beyond the first 64 files/,
  ]);
  await expectAccessible(window);
});
