// Hostile strings in every place that shows what an APK says: they are text, bounded and visible, and nothing runs.
import { buildTable } from '../fixtures/arsc-builder.ts';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { buildDex } from '../fixtures/dex-builder.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { buildZip } from '../fixtures/zip-builder.ts';
import { expect, keepScreenshot, open, test } from './window.ts';

const script = '<img src=x onerror="window.hasRun=true"><script>window.hasRun=true</script>';
const reversed = 'invoice\u202Egpj.apk';
const endless = 'A'.repeat(50_000);

/** Replaces every string of a report by a hostile one, keeping its shape; enumerated values and hashes stay. */
function poison(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, 30).map((item) => poison(item, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, poison(item, name)]));
  }
  const isEnumerated = /^(kind|severity|scheme|protection_level|defined_by|method|type|sha256)$/.test(key);
  return typeof value === 'string' && !isEnumerated ? `${script} ${value}` : value;
}

let sha256 = '';
test.beforeAll(async ({ workstation }) => {
  const { body } = await workstation.upload(realApks.settings);
  await workstation.server.idle();
  sha256 = body.sha256;
  const { store } = workstation.server;
  const apk = await store.apks.findBySha256(sha256);
  if (apk === null) throw new Error('The uploaded APK is not in the catalogue.');
  await store.transaction(({ apks }) =>
    apks.update(apk.id, { app: `${script}${reversed}`, company: script, version: reversed + endless }),
  );
  const save = async (kind: 'androguard' | 'cuckoo', change: (report: object) => object) => {
    const report = await store.reports.readJson<object>(apk.id, kind);
    await store.transaction(({ reports }) =>
      reports.save([
        { apkId: apk.id, kind, status: 'done', engineVersion: 1, content: change(poison(report) as object) },
      ]),
    );
  };
  await save('androguard', (report) => ({ ...report, main_activity: endless }));
  await save('cuckoo', (report) => report);
  await store.transaction(({ reports }) =>
    reports.save([
      {
        apkId: apk.id,
        kind: 'manifest',
        status: 'done',
        engineVersion: 1,
        content: `<manifest>\n<a b="${script}${reversed}"/>\n${endless}\n</manifest>`,
      },
      {
        apkId: apk.id,
        kind: 'icon',
        status: 'done',
        engineVersion: 1,
        content: {
          mediaType: 'image/svg+xml',
          base64: Buffer.from(
            `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="window.hasRun=true"><script>window.hasRun=true</script><image href="http://192.0.2.1/x.png"/><rect width="9" height="9" fill="red"/></svg>`,
          ).toString('base64'),
        },
      },
    ]),
  );
  await store.transaction(({ apks }) => apks.update(apk.id, { hasIcon: true }));
});

test('hostile names are shown as text in every part, and nothing of them runs', async ({ window, workstation }) => {
  await open(window, workstation, '/catalogue');
  await expect(window.getByTestId('catalogue-row')).toContainText('<img src=x onerror=');
  await expect(window.getByTestId('catalogue-row')).toContainText('U+202E');
  await keepScreenshot(window, 'hostile-catalogue');
  const parts =
    'summary manifest permissions components signature files resources indicators code abilities libraries native bundles dynamic matches community jobs raw';
  for (const part of parts.split(' ')) {
    await open(window, workstation, `/apks/${sha256}/${part}`);
    await expect(window.getByTestId(`tab-${part}`)).toContainText(/\w/);
    expect(await window.evaluate(() => 'hasRun' in globalThis)).toBe(false);
    expect(await window.locator('main img[src="x"], main script').count()).toBe(0);
  }
  await open(window, workstation, `/apks/${sha256}`);
  await expect(window.getByTestId('app-name')).toContainText('<script>');
  await keepScreenshot(window, 'hostile-apk');
});

test('a name of fifty thousand letters is cut, and shown whole when asked for', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}`);
  const fact = window.getByRole('definition').filter({ hasText: 'AAAA' });
  expect((await fact.textContent())!.length).toBeLessThan(400);
  await fact.getByRole('button', { name: /show .* more/ }).click();
  expect((await fact.textContent())!.length).toBe(50_000);
});

/** An APK whose every name is hostile: files, classes, members, constants, resources, the manifest's own. */
function hostileApk(): Buffer {
  const name = `${script}${reversed}`;
  const manifest = element(
    'manifest',
    { package: 'com.hostile', 'android:versionName': name },
    element('uses-permission', { 'android:name': name }),
    element(
      'application',
      { 'android:label': name },
      element(
        'activity',
        { 'android:name': name, 'android:exported': true },
        element(
          'intent-filter',
          {},
          element('action', { 'android:name': name }),
          element('data', { 'android:scheme': name }),
        ),
      ),
    ),
  );
  const dex = buildDex({
    classes: [
      {
        descriptor: 'L<img src=x onerror="window.hasRun=true">/A;',
        sourceFile: script,
        fields: [{ name: script, type: 'I', accessFlags: 1 }],
        methods: [
          {
            name: script,
            descriptor: '()V',
            // const-string v0, name; return-void
            code: { registers: 1, units: (pool) => [0x001a, pool.string(name), 0x000e] },
          },
        ],
      },
    ],
  });
  const table = buildTable([{ types: [{ name: 'string', entries: [script], values: [{ values: { 0: name } }] }] }]);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.hasRun=true"><script>window.hasRun=true</script></svg>`;
  return buildZip({
    entries: [
      { name: 'AndroidManifest.xml', content: buildAxml(manifest) },
      { name: 'classes.dex', content: dex },
      { name: 'resources.arsc', content: Buffer.from(table) },
      { name: `${script}.html`, content: script },
      { name: `assets/${reversed}`, content: name },
      { name: '../../../etc/passwd', content: 'root' },
      { name: 'assets//a/../b', content: '' },
      { name: 'res/icon.png', content: svg },
      { name: 'assets/icon.svg', content: svg },
      { name: 'twice', content: 'first' },
      { name: 'twice', content: script },
    ],
  });
}

test('an APK of hostile names is taken apart without any of them acting', async ({ window, workstation }) => {
  const { status, body } = await workstation.upload(hostileApk());
  expect(status).toBe(201);
  await workstation.server.idle();
  const base = `/apks/${body.sha256}`;
  const isQuiet = async () => {
    expect(await window.evaluate(() => 'hasRun' in globalThis)).toBe(false);
    expect(await window.locator('main img[src="x"], main script').count()).toBe(0);
  };
  await open(window, workstation, `${base}/files`);
  const files = window.getByTestId('tree-row');
  // The slash of the closing tag makes it a folder with a file.
  await expect(files.filter({ hasText: '<script>window.hasRun=true<' })).toBeVisible();
  for (const file of ['.html', 'icon.png', 'twice']) {
    // Folders that hide the file stand closed: the filter opens them.
    await window.getByLabel('Filter Files').fill(file);
    await files.filter({ hasText: file }).last().click();
    await expect(window.getByTestId('file-view')).toBeVisible();
    await isQuiet();
  }
  await expect(window.getByText('The archive has several entries of this name.')).toBeVisible();
  for (const view of ['text', 'hex']) {
    await open(window, workstation, `${base}/files?path=assets/icon.svg&view=${view}`);
    await expect(window.getByTestId('file-view')).toContainText(view === 'text' ? 'onload=' : '<svg');
    await isQuiet();
  }
  await open(window, workstation, `${base}/manifest`);
  await expect(window.getByTestId('code-text')).toContainText('&lt;img src=x');
  await expect(window.getByTestId('code-text')).toContainText('U+202E');
  await isQuiet();
  await open(window, workstation, `${base}/resources?type=string`);
  await expect(window.getByTestId('resource')).toContainText('U+202E');
  await isQuiet();
  await open(window, workstation, `${base}/code`);
  await expect(files.filter({ hasText: '<img src=x' }).first()).toBeVisible();
  await files.filter({ hasText: /^A$/ }).click();
  await expect(window.getByTestId('class-view')).toContainText('onerror=');
  await keepScreenshot(window, 'hostile-code');
  await isQuiet();
  await open(window, workstation, `${base}/code?mode=search&q=hasRun`);
  await window.getByTestId('code-hit').filter({ hasText: 'string' }).click();
  await expect(window.getByTestId('code-place')).toContainText('hasRun');
  await isQuiet();
  for (const part of ['summary', 'permissions', 'components?layout=picture', 'signature', 'raw']) {
    await open(window, workstation, `${base}/${part}`);
    await expect(window.getByTestId(`tab-${part.replace(/\?.*/, '')}`)).toContainText(/\w/);
    await isQuiet();
  }
});

test('rules and names of another analyst show what would hide or reorder them', async ({ window, workstation }) => {
  const rules = `// ${reversed}\nrule a { strings: $a = "x" /* \u2066 */ condition: $a }`;
  const { body } = await workstation.ask('/rulesets/', {
    method: 'POST',
    token: await workstation.analyst('mallory'),
    // An odd number of letters first: the name is cut within a pair of surrogates.
    json: { name: `${reversed}${'🤖'.repeat(60)}`, is_public: true, rules },
  });
  await open(window, workstation, `/rulesets/${body.id}`);
  await expect(window.getByTestId('yara-editor')).toContainText('U+202E');
  await expect(window.getByTestId('yara-editor')).toContainText('U+2066');
  await expect(window.getByRole('heading', { level: 1 })).toContainText('U+202E');
  await open(window, workstation, '/rulesets');
  const name = window.getByTestId('ruleset').getByRole('link').first();
  await expect(name).toContainText('🤖…');
  expect(await name.evaluate((link) => link.textContent.isWellFormed())).toBe(true);
});
