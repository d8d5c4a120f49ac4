// The catalogue's tools: columns, order, facets, completion, saved searches, bulk actions; the dashboard, the palette.
import { readFileSync } from 'node:fs';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

const held = 620;
const hash = (index: number, length: number) => index.toString(16).padStart(length, '0');

test.beforeAll(async ({ workstation }) => {
  await workstation.server.store.transaction(async ({ apks, marks, search }) => {
    for (let index = 0; index < held; index++) {
      const { id } = await apks.insert({
        sha256: hash(index, 64),
        sha1: hash(index, 40),
        md5: hash(index, 32),
        size: 1_000_000 - index * 1000,
        app: `App number ${index}`,
        packageName: `com.example.app${index}`,
        company: index % 2 === 0 ? 'Even Ltd' : 'Odd Inc',
        isStaticAnalyzed: true,
        isDetected: index % 10 === 0,
      });
      if (index % 5 === 0) await apks.addTag(id, 'fifth');
      if (index < 3) await apks.setRisk(id, 90 - 10 * index, 'high');
      if (index % 10 > 0) continue;
      const terms = [{ field: 'domain', text: 'gate.evil.example' }];
      const names =
        'class:* class:com. class:com.example. class:com.example.pay. class:com.example.pay.Main class:Main';
      await search.replaceTerms(['domain'], [{ apkId: id, terms, names, sdk: { minSdk: 21, targetSdk: 34 } }]);
      await marks.replace(id, { library: ['OkHttp'], api: ['android.telephony.SmsManager.sendTextMessage'] });
    }
  });
});

test('columns are chosen, and a click on a head sorts the whole catalogue', async ({ window, workstation }) => {
  await open(window, workstation, '/catalogue');
  await expect(window.getByTestId('catalogue-row').first()).toContainText(`App number ${held - 1}`);
  await window.getByRole('button', { name: 'Sort by Size' }).click();
  await expect(window).toHaveURL(/ordering=-size/);
  await expect(window.getByTestId('catalogue-row').first()).toContainText('App number 0');
  await window.getByRole('button', { name: 'Sorted by Size, descending: reverse' }).click();
  await expect(window.getByTestId('catalogue-row').first()).toContainText(`App number ${held - 1}`);
  await window.getByRole('button', { name: 'Columns' }).click();
  await window.getByRole('menuitem', { name: 'Hosts' }).click();
  await keepScreenshot(window, 'catalogue-columns');
  await window.getByRole('menuitem', { name: 'MD5' }).click();
  await window.getByRole('menuitem', { name: 'SHA-256' }).click();
  await window.keyboard.press('Escape');
  await expect(window.getByText('MD5', { exact: true })).toBeVisible();
  await window.getByRole('button', { name: 'Sort by Hosts' }).click();
  await expect(window.getByTestId('catalogue-row').first()).toContainText('App number 610');
  await window.reload();
  await expect(window.getByText('MD5', { exact: true })).toBeVisible();
  await expectAccessible(window);
});

test('a jump far down shows the rows that stand there', async ({ window, workstation }) => {
  await open(window, workstation, '/catalogue');
  await expect(window.getByTestId('catalogue-row').first()).toBeVisible();
  const list = window.getByRole('region', { name: 'Catalogue' });
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(window.getByText('App number 0', { exact: true })).toBeVisible();
});

test('facets tell how APKs are spread and narrow the search', async ({ window, workstation }) => {
  await open(window, workstation, '/catalogue');
  await expect(window.getByTestId('catalogue-row').first()).toBeVisible();
  await window.keyboard.press('f');
  const facets = window.getByTestId('facets');
  await expect(facets).toContainText('fifth');
  // Of so many APKs hosts are estimated.
  await expect(facets.getByRole('button', { name: /^Only Domains: gate\.evil\.example/ })).toContainText('≈');
  await expect(facets.getByRole('button', { name: /^Only APIs used: .*sendTextMessage/ })).toContainText('62');
  await expect(facets.getByRole('button', { name: /^Only Libraries: OkHttp/ })).toContainText('62');
  await expectAccessible(window);
  await keepScreenshot(window, 'catalogue-facets');
  await facets.getByRole('button', { name: /Only Tags: fifth/ }).click();
  await expect(window).toHaveURL(/search=tag/);
  await expect(window.getByTestId('catalogue-count')).toHaveText(`${held / 5} APKs`);
  await window.keyboard.press('f');
  await expect(facets).toBeHidden();
});

test('a class is typed among the filters, completed, and narrows the search as a class, or as its package', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/catalogue');
  await expect(window.getByTestId('catalogue-row').first()).toBeVisible();
  await window.keyboard.press('f');
  const field = window.getByTestId('facets').getByLabel('Class or package');
  await field.fill('com.exa');
  await expect(window.getByRole('option', { name: 'com.example.*' })).toBeVisible();
  await field.fill('com.example.pay.M');
  await window.getByRole('option', { name: 'com.example.pay.main' }).click();
  await field.press('Enter');
  await expect(window).toHaveURL(/search=class(?::|%3A)com\.example\.pay\.main$/);
  await expect(window.getByTestId('catalogue-count')).toHaveText('62 APKs');
  await keepScreenshot(window, 'catalogue-class');
  await open(window, workstation, '/catalogue?search=tag:fifth');
  await expect(window.getByTestId('catalogue-count')).toHaveText(`${held / 5} APKs`);
  await field.fill('com.example.*');
  await field.press('Enter');
  await expect(window).toHaveURL(/search=tag(?::|%3A)fifth(?:\+|%20)class(?::|%3A)com\.example\.(?:\*|%2A)$/);
  await expect(window.getByTestId('catalogue-count')).toHaveText('62 APKs');
});

test('a small window shows facets and rows without scrolling sideways, a 4K screen fills its dashboard', async ({
  window,
  workstation,
}) => {
  await window.setViewportSize({ width: 1024, height: 700 });
  await open(window, workstation, '/catalogue');
  await expect(window.getByTestId('catalogue-row').first()).toBeVisible();
  await window.keyboard.press('f');
  await expect(window.getByTestId('facets')).toContainText('fifth');
  const listing = window.getByTestId('catalogue-listing');
  const [shown, whole] = await listing.evaluate((element) => [element.clientWidth, element.scrollWidth]);
  expect(whole).toBeLessThanOrEqual(shown!);
  await keepScreenshot(window, 'catalogue-1024');
  await window.keyboard.press('f');
  await window.setViewportSize({ width: 3840, height: 2160 });
  await open(window, workstation, '/dashboard');
  await expect(window.getByTestId('total-detected')).toContainText(/\d/);
  await keepScreenshot(window, 'dashboard-4k');
});

test('the search line completes fields and values', async ({ window, workstation }) => {
  await open(window, workstation, '/catalogue');
  const search = window.getByLabel('Search the catalogue');
  await search.pressSequentially('detec');
  await expect(window.getByRole('option', { name: /detected:/ }).first()).toBeVisible();
  await window.keyboard.press('ArrowDown');
  await window.keyboard.press('Enter');
  await expect(search).toHaveValue(/^detected:/);
  await keepScreenshot(window, 'catalogue-completion');
  await search.pressSequentially('tru');
  // Escape closes the list, and without one it leaves the search line.
  await expect(window.getByRole('option', { name: /true/ }).first()).toBeVisible();
  await search.press('e');
  await window.keyboard.press('Escape');
  await window.keyboard.press('Enter');
  await expect(window.getByTestId('catalogue-count')).toHaveText('62 APKs');
});

test('what was meant is suggested, and every field where nothing is typed', async ({ window, workstation }) => {
  await open(window, workstation, '/catalogue');
  const search = window.getByLabel('Search the catalogue');
  await search.click();
  for (const field of ['finding:', 'technique:', 'domain:', 'api:', 'signer:', 'rule:'])
    await expect(window.getByRole('option', { name: new RegExp(`^${field}`) })).toHaveCount(1);
  await expectAccessible(window);
  await search.pressSequentially(hash(0x1b, 64).slice(0, 12));
  await expect(window.getByRole('option').first()).toContainText('sha256:000000000000*');
  await search.fill('');
  await search.pressSequentially('10.0.2.2');
  await expect(window.getByRole('option').first()).toContainText('ip:10.0.2.2');
  await keepScreenshot(window, 'catalogue-meant');
  await window.keyboard.press('Escape');
  await window.keyboard.press('Control+k');
  await window.getByPlaceholder(/Type a page/).fill('gate.example.org');
  await window.getByRole('option', { name: /^Search domain:gate.example.org/ }).click();
  await expect(window).toHaveURL(/search=domain/);
  await expect(window.getByText('No APK matches')).toBeVisible();
});

test('a search for what older analyses kept nothing of tells how many there are, and offers to renew them', async ({
  window,
  workstation,
}) => {
  const { store } = workstation.server;
  const apk = await store.apks.findBySha256(hash(333, 64));
  await store.transaction(({ reports }) =>
    reports.save([{ apkId: apk!.id, kind: 'androguard', status: 'done', engineVersion: 1, content: {} }]),
  );
  await open(window, workstation, '/catalogue?search=class:com.example.Main');
  const told = window.getByTestId('outdated');
  await expect(told).toContainText('1 APK was analysed by an older version');
  await expect(told.getByRole('button', { name: 'Analyse again' })).toBeVisible();
  await open(window, workstation, '/catalogue?search=detected:true');
  await expect(window.getByTestId('catalogue-count')).toHaveText('62 APKs');
  await expect(told).toHaveCount(0);
});

test('the queue opens what nobody has judged, worst first, and a key judges and brings the next', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/catalogue');
  const rows = window.getByTestId('catalogue-row');
  await expect(rows.first()).toContainText(`App number ${held - 1}`);
  await window.getByRole('button', { name: 'Riskiest first' }).click();
  await expect(rows.first()).toContainText('App number 0');
  await expectAccessible(window);
  await keepScreenshot(window, 'catalogue-worst-first');
  await window.keyboard.press('q');
  const [name, queue] = [window.getByTestId('app-name'), window.getByTestId('queue')];
  await expect(name).toHaveText('App number 0');
  await expect(queue).toContainText(`${held} left`);
  await inBothSchemes(window, () => expectAccessible(window));
  await keepScreenshot(window, 'queue');
  await window.keyboard.press('Shift+M');
  await expect(name).toHaveText('App number 1');
  await expect(queue).toContainText(`${held - 1} left`);
  await window.keyboard.press('n');
  await expect(name).toHaveText('App number 2');
  await window.keyboard.press('Shift+U');
  await expect(name).toHaveText(`App number ${held - 1}`);
  await expect(queue).toContainText(`${held - 2} left`);
  await window.keyboard.press('Escape');
  await expect(rows.first()).toContainText('App number 0');
  await expect(rows.first()).toContainText('Malicious');
  await expect(queue).toHaveCount(0);
});

test('menus and questions over the catalogue can be read and left by everybody, dark and light', async ({
  window,
  workstation,
}) => {
  const expectReadable = () => inBothSchemes(window, () => expectAccessible(window));
  // What fades in and out is to keep the focus right meanwhile.
  await window.emulateMedia({ reducedMotion: 'no-preference' });
  await open(window, workstation, '/catalogue');
  await expect(window.getByTestId('catalogue-row').first()).toBeVisible();
  for (const name of ['Add APKs', 'Columns', 'Colour scheme', 'Account owner']) {
    const button = window.getByRole('button', { name });
    await button.press('Enter');
    await expect(window.getByRole('menuitem').first()).toBeFocused();
    await expectReadable();
    await window.keyboard.press('Escape');
    await expect(button).toBeFocused();
    await expect(window.getByRole('menu')).toHaveCount(0);
  }
  const star = window.getByRole('button', { name: 'Saved searches' });
  await star.press('Enter');
  await expect(window.getByLabel('Name')).toBeFocused();
  await expectReadable();
  await window.keyboard.press('Escape');
  await expect(star).toBeFocused();
  // It fades out behind its focus.
  await expect(window.getByRole('dialog', { name: 'Saved searches' })).toBeHidden();
  await window.keyboard.press('*');
  await window.getByRole('button', { name: 'Delete…' }).click();
  await expect(window.getByRole('dialog', { name: 'Delete 620 APKs' })).toBeVisible();
  await expect(window.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectReadable();
});

test('a search is kept under a name and opened again', async ({ window, workstation }) => {
  await open(window, workstation, '/catalogue?search=tag:fifth&ordering=size');
  await window.getByRole('button', { name: 'Saved searches' }).click();
  await window.getByLabel('Name').fill('Every fifth');
  await window.getByRole('button', { name: 'Save this search' }).click();
  await expect(window.getByRole('link', { name: /Every fifth/ })).toBeVisible();
  await window.keyboard.press('Escape');
  await expect(window.getByRole('link', { name: /Every fifth/ })).toBeHidden();
  await open(window, workstation, '/catalogue');
  await window.getByRole('button', { name: 'Saved searches' }).click();
  await window.getByRole('link', { name: /Every fifth/ }).click();
  await expect(window).toHaveURL(/search=tag.*ordering=size/);
  await window.getByRole('button', { name: 'Saved searches' }).click();
  await window.getByRole('button', { name: 'Delete Every fifth' }).click();
  await expect(window.getByText('No saved searches yet.')).toBeVisible();
});

test('the page on which a search is kept stays, and the next name can be typed', async ({ window, workstation }) => {
  await open(window, workstation, '/dashboard');
  await window.getByRole('button', { name: 'Saved searches' }).click();
  await window.getByLabel('Name').fill('All there are');
  await window.keyboard.press('Enter');
  await expect(window.getByRole('link', { name: /All there are/ })).toBeVisible();
  await expect(window.getByLabel('Name')).toBeFocused();
  await expect(window.getByLabel('Name')).toHaveValue('');
  await expect(window).toHaveURL(/\/dashboard$/);
  await window.getByRole('button', { name: 'Delete All there are' }).click();
  await expect(window.getByText('No saved searches yet.')).toBeVisible();
});

test('many APKs are chosen by mouse and keyboard, tagged, judged, exported and deleted', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/catalogue?search=company:Even');
  await window.getByLabel(`Select App number ${held - 2}`).click();
  await window.getByLabel(`Select App number ${held - 10}`).click({ modifiers: ['Shift'] });
  await expect(window.getByTestId('chosen-count')).toHaveText('5 APKs selected');
  await expectAccessible(window);
  await keepScreenshot(window, 'catalogue-bulk');
  await window.getByRole('button', { name: 'Add tag…' }).click();
  await window.getByLabel('Tag', { exact: true }).fill('together');
  await window.getByRole('button', { name: 'Apply' }).click();
  await expect(window.getByText('Done for 5 APKs.')).toBeVisible();
  expect((await workstation.ask('/apks/?search=tag:together')).body.count).toBe(5);

  await window.getByRole('button', { name: 'Verdict…' }).click();
  await window.getByRole('combobox', { name: 'Family' }).fill('Evensong');
  await window.getByLabel('Note').fill('seen together');
  await window.getByRole('button', { name: 'Save verdict' }).click();
  await expect(window.getByText('Malicious · Evensong').first()).toBeVisible();
  expect((await workstation.ask('/apks/?search=verdict:malicious%20family:evensong')).body.count).toBe(5);

  const downloading = window.waitForEvent('download');
  await window.getByRole('button', { name: 'Export CSV' }).click();
  const file = await (await downloading).path();
  const [head, ...rows] = readFileSync(file, 'utf8').trim().split('\r\n');
  expect(head).toContain('verdict,family,note');
  expect(rows.map((row) => row.includes('malicious,Evensong,seen together'))).toEqual(rows.map(() => true));
  expect(rows).toHaveLength(5);

  await window.getByRole('button', { name: 'Delete…' }).click();
  await window.getByRole('button', { name: 'Delete 5 APKs' }).click();
  await expect(window.getByTestId('catalogue-count')).toHaveText(`${held / 2 - 5} APKs`);
  await window.getByRole('button', { name: 'Undo' }).click();
  await expect(window.getByText('5 restored.')).toBeVisible();
  await expect(window.getByTestId('catalogue-count')).toHaveText(`${held / 2} APKs`);
  await window.keyboard.press('*');
  await expect(window.getByTestId('chosen-count')).toHaveText(`${held / 2} APKs selected`);
  await window.keyboard.press('Escape');
  await expect(window.getByTestId('chosen-count')).toBeHidden();
});

test('what was deleted lies in the trash until it is brought back or deleted for good', async ({
  window,
  workstation,
}) => {
  const { body } = await workstation.ask('/apks/?search=company:Even&page_size=2');
  for (const { sha256 } of body.results) await workstation.ask(`/apks/${sha256}/`, { method: 'DELETE' });
  await open(window, workstation, '/trash');
  const items = window.getByTestId('trash-item');
  await expect(items).toHaveCount(2);
  await expectAccessible(window);
  await keepScreenshot(window, 'trash');
  await items
    .first()
    .getByRole('button', { name: /^Restore / })
    .click();
  await expect(items).toHaveCount(1);
  await expect(window.getByText(/was restored\.$/)).toBeVisible();
  await items
    .first()
    .getByRole('button', { name: /^Delete for good/ })
    .click();
  await expect(window.getByText('The trash is empty')).toBeVisible();
  expect((await workstation.ask('/apks/?search=company:Even')).body.count).toBe(body.count - 1);
});

test('the dashboard tells what came in and leads to it, dark and light', async ({ window, workstation }) => {
  await open(window, workstation, '/dashboard');
  await expect(window.getByTestId('total-detected')).toContainText(/\d/);
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `dashboard-${scheme}`);
  });
  for (const name of ['Unsigned', 'Signature fails', 'Damaged'])
    await expect(window.getByRole('link', { name: new RegExp(`^\\d+ ?${name}$`) })).toBeVisible();
  await expect(window.getByText('Corrupted')).toHaveCount(0);
  for (const title of [
    /^Newest$/,
    /^Riskiest without a verdict$/,
    /^APKs by their most severe finding$/,
    /^Permissions of/,
  ])
    await expect(window.getByRole('heading', { name: title })).toBeVisible();
  await expect(window.getByRole('link', { name: /App number 619/ })).toBeVisible();
  await expect(window.getByText('risk 80')).toBeVisible();
  await window.getByTestId('total-detected').click();
  await expect(window).toHaveURL(/search=detected/);
  await window.goBack();
  await window.getByRole('link', { name: /: [1-9]\d* Added/ }).click();
  await expect(window.getByTestId('catalogue-count')).toContainText(/\d+ APKs/);
});

test('the command palette goes anywhere by a few letters', async ({ window, workstation }) => {
  await open(window, workstation, '/catalogue');
  await expect(window.getByTestId('catalogue-row').first()).toBeVisible();
  await window.keyboard.press('Control+k');
  const palette = window.getByRole('combobox', { name: 'Command palette' });
  await palette.fill('go rul');
  await expect(window.getByRole('option').first()).toContainText('Go to Rulesets');
  await expectAccessible(window);
  await keepScreenshot(window, 'command-palette');
  await window.keyboard.press('Enter');
  await expect(window).toHaveURL(/rulesets/);
  await window.keyboard.press('Control+k');
  await palette.fill(hash(3, 64));
  await window.keyboard.press('Enter');
  await expect(window.getByTestId('app-name')).toHaveText('App number 3');
});

test('the command palette finds apps, packages and rulesets by their names', async ({ window, workstation }) => {
  const rules = 'rule numbered { condition: false }';
  const { body: ruleset } = await workstation.ask('/rulesets/', {
    method: 'POST',
    json: { name: 'Number rules', rules },
  });
  await open(window, workstation, '/jobs');
  await expect(window.getByRole('heading', { name: 'Jobs' })).toBeVisible();
  await window.keyboard.press('Control+k');
  const palette = window.getByRole('combobox', { name: 'Command palette' });
  await palette.fill('app number 61');
  await expect(window.getByRole('option', { name: /^App: App number 61/ }).first()).toBeVisible();
  await palette.fill('com.example.app619');
  await window.getByRole('option', { name: /^Package: com.example.app619/ }).click();
  await expect(window.getByTestId('catalogue-row')).toHaveCount(1);
  await window.keyboard.press('Control+k');
  await palette.fill('number r');
  await window.getByRole('option', { name: 'Ruleset: Number rules' }).click();
  await expect(window).toHaveURL(new RegExp(`rulesets/${ruleset.id}`));
});

test('whoever asks for more contrast gets it, dark and light', async ({ window, workstation }) => {
  await window.emulateMedia({ contrast: 'more' });
  await open(window, workstation, '/catalogue');
  await expect(window.getByTestId('catalogue-row').first()).toBeVisible();
  await inBothSchemes(window, async (scheme) => {
    const [black, white] = ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'];
    await expect(window.locator('body')).toHaveCSS('color', scheme === 'light' ? black! : white!);
    await expect(window.locator('body')).toHaveCSS('background-color', scheme === 'light' ? white! : black!);
    await expectAccessible(window);
    await keepScreenshot(window, `high-contrast-${scheme}`);
  });
});
