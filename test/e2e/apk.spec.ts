import type { Page } from '@playwright/test';
import { realApks } from '../fixtures/real-apks.ts';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

let sha256 = '';
test.beforeAll(async ({ workstation }) => {
  // What a run finds is given below.
  await workstation.ask('/settings/', { method: 'PATCH', json: { analyze_dynamic_on_upload: false } });
  const { body } = await workstation.upload(realApks.apiDemos);
  sha256 = body.sha256;
  await workstation.server.idle();
  const { store } = workstation.server;
  const apk = await store.apks.findBySha256(sha256);
  await store.transaction(({ reports }) =>
    reports.save([{ apkId: apk!.id, kind: 'dynamic', status: 'done', engineVersion: 1, content: dynamicReport }]),
  );
  await store.transaction(({ apks }) => apks.update(apk!.id, { isDynamicAnalyzed: true }));
  const rules =
    'rule magic { strings: $a = "dex\\n035" condition: $a } rule often { strings: $a = "Landroid/app/" condition: $a }';
  const ruleset = await workstation.ask('/rulesets/', { method: 'POST', json: { name: 'Dex magic', rules } });
  expect(ruleset.body.rules_count).toBe(2);
  const job = await workstation.ask(`/apks/${sha256}/analyze_yara/`, { method: 'POST' });
  await workstation.jobEnd(job.body.id);
});

const dynamicReport = {
  timeline: [
    { time: 0.1, component: 'Lio/appium/android/apis/ApiDemos;', category: 'activity', summary: 'onCreate' },
    { time: 0.5, component: '', category: 'files', summary: 'a.xml written' },
    { time: 2.5, component: '', category: 'sms', summary: 'SMS to 1234' },
    { time: 7.5, component: '', category: 'network', summary: 'GET http://c2.example/' },
  ],
  screens: [
    {
      ...{ time: 0.4, component: 'io.appium.android.apis.ApiDemos', width: 1080, height: 2076 },
      items: [
        { kind: 'text', x: 40, y: 60, width: 600, height: 60, text: 'Log in' },
        { kind: 'field', x: 40, y: 200, width: 1000, height: 144, text: 'Lena Lorenz', hint: 'Name' },
        { kind: 'password', x: 40, y: 380, width: 1000, height: 144, hint: 'Password' },
        { kind: 'check', x: 40, y: 560, width: 600, height: 90, text: 'Stay logged in', is_checked: true },
        { kind: 'picture', x: 40, y: 700, width: 300, height: 300 },
        { kind: 'button', x: 300, y: 1200, width: 480, height: 144, text: 'Send' },
      ],
    },
  ],
  fileswritten: [{ name: 'a.xml', data: Buffer.from('<map>').toString('hex'), time: 0.5, dataleak: ['TAINT_IMEI'] }],
  sendsms: [{ number: '1234', message: 'a', time: 2.5 }],
  dataleaks: [
    {
      sink: 'network',
      tags: ['TAINT_IMEI'],
      path: ['Lio/appium/android/apis/ApiDemos;->onCreate(Landroid/os/Bundle;)V'],
      time: 7.5,
    },
  ],
  indicators: {
    ...{ urls: [], ips: [], emails: [] },
    domains: [{ value: 'c2.example', where: ['dynamic:network'] }],
  },
  coverage: {
    methods_total: 33_456,
    methods_executed: 1200,
    instructions_total: 9,
    instructions_executed: 3,
    unreached: ['io.appium.android.apis.ApiDemos.getData'],
  },
  unmodelled: [
    { method: 'Ljava/nio/IntBuffer;->put(I)Ljava/nio/IntBuffer;', count: 12 },
    { method: 'Landroid/app/Dialog;->hide()V', count: 3 },
  ],
  limits: ['heap', 'unheard-of'],
};

const tab = (window: Page, name: string) =>
  window.getByRole('navigation', { name: 'Parts of the report' }).getByRole('link', { name: new RegExp(`^${name}`) });

test('every part of the report is there, with what independent tools find in it', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}`);
  await expect(window.getByTestId('app-name')).toHaveText('API Demos');

  await tab(window, 'Permissions').click();
  await expect(window.getByRole('row').filter({ hasText: 'SEND_SMS' })).toBeVisible();
  await tab(window, 'Components').click();
  await expect(window.getByTestId('component').first()).toBeVisible();
  await window.getByLabel('Filter components').fill('HelloWorld');
  await expect(window.getByTestId('component')).toHaveCount(1);
  await tab(window, 'Signature').click();
  await expect(window.getByTestId('schemes').getByRole('row').filter({ hasText: 'v2' }).first()).toContainText('valid');
  await tab(window, 'Strings').click();
  await expect(window.getByText('http://www.google.com').first()).toBeVisible();
  // Whom it spoke to stands beside what its code names.
  await window.getByRole('main').getByText('Domains', { exact: false }).first().click();
  const contacted = window
    .getByRole('region', { name: 'Domains' })
    .getByRole('listitem')
    .filter({ hasText: 'c2.example' });
  await contacted.getByRole('link').click();
  await expect(window).toHaveURL(/\/dynamic\?part=network/);
  await tab(window, 'Functionalities').click();
  await expect(window.getByTestId('reference').first()).toBeVisible();
  await tab(window, 'Libraries').click();
  await expect(window.getByRole('columnheader', { name: 'Packages' })).toBeVisible();
  await tab(window, 'Manifest').click();
  await expect(window.getByTestId('code-text')).toContainText('<uses-permission');
  await tab(window, 'Jobs').click();
  await expect(window.getByTestId('job-history').getByRole('row').filter({ hasText: 'Static analysis' })).toContainText(
    'done',
  );
  await tab(window, 'Raw').click();
  await window.getByRole('button', { name: 'certificate' }).click();
  await expect(window.getByText('subjectDN')).toBeVisible();
  await expect(window).toHaveURL(new RegExp(`/app/#/apks/${sha256}/raw$`));
});

test('a verdict is said by one key, or with family and note, and its history tells who said what', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${sha256}`);
  const control = window.getByTestId('verdict-control');
  await expect(control).toHaveText('Verdict: Unknown');
  await window.keyboard.press('M');
  await expect(control).toHaveText('Verdict: Malicious');
  await window.keyboard.press('v');
  const dialog = window.getByRole('dialog', { name: 'Verdict' });
  await dialog.getByText('Suspicious', { exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Family' }).fill('Joker');
  await dialog.getByLabel('Note').fill('dials on its own');
  await expectAccessible(window);
  await keepScreenshot(window, 'verdict');
  await dialog.getByRole('button', { name: 'Save verdict' }).click();
  await expect(dialog).toBeHidden();
  await expect(window.getByRole('banner').or(window.locator('header')).getByText('Suspicious · Joker')).toBeVisible();
  await control.click();
  const said = window.getByTestId('said-verdict');
  await expect(said).toHaveCount(2);
  await expect(said.first()).toContainText('by owner');
  await expect(said.first()).toContainText('dials on its own');
  await window.keyboard.press('Escape');
  await window.keyboard.press('U');
  await expect(control).toHaveText('Verdict: Unknown');
});

test('the risk says in words what it is made of, and each reason and technique leads to what shows it', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${sha256}`);
  const risk = window.getByTestId('risk');
  await expect(risk).toContainText(/\d+ of 100 · low/);
  await expect(window.getByTestId('risk-context')).toContainText('signer of 1 APK');
  const technique = window.getByTestId('technique').filter({ hasText: 'T1582' });
  await technique.locator('summary').click();
  await expect(technique.getByRole('link', { name: /SmsMessagingDemo/ }).first()).toBeVisible();
  const part = window.getByTestId('risk-part').filter({ hasText: "Uses a device administrator's powers" });
  await part.locator('summary').click();
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `apk-risk-${scheme}`);
  });
  await part.getByRole('link').first().click();
  await expect(window).toHaveURL(/code\?class=Lio%2Fappium%2Fandroid%2Fapis%2Fapp%2FDeviceAdminSample/);
});

test('a finding and a rule are dismissed with a reason, stand folded, and come back', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${sha256}`);
  const finding = window.getByTestId('finding').filter({ hasText: 'Sends text messages' });
  await finding.locator('summary').click();
  await finding.getByRole('button', { name: 'Dismiss…' }).click();
  const dialog = window.getByRole('dialog');
  await dialog.getByLabel('In a library, in every APK').click();
  await dialog.getByRole('combobox', { name: 'Library' }).fill('io.appium.android');
  await dialog.getByLabel('Reason').fill('a demo of the platform');
  await expectAccessible(window);
  await keepScreenshot(window, 'dismiss');
  await dialog.getByRole('button', { name: 'Dismiss', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(finding).toHaveCount(0);
  await expect(window.getByTestId('finding-counts')).toHaveText(/^\d+ findings, 1 dismissed$/);

  await tab(window, 'YARA').click();
  const rules = window.getByTestId('match');
  await rules.getByRole('button', { name: 'Dismiss…' }).first().click();
  await dialog.getByLabel('Reason').fill('every dex has it');
  await dialog.getByRole('button', { name: 'Dismiss', exact: true }).click();
  const fold = rules.getByTestId('dismissed');
  await fold.locator('summary').click();
  await expect(fold).toContainText('every dex has it');
  await expect(fold).toContainText('by owner');
  await fold.getByRole('button', { name: 'Undo: magic' }).click();
  await expect(fold).toHaveCount(0);

  await tab(window, 'Summary').click();
  await window.getByTestId('dismissed').locator('summary').click();
  await keepScreenshot(window, 'dismissed');
  await window.getByRole('link', { name: 'All dismissals' }).click();
  const row = window.getByTestId('dismissal');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('in io.appium.android');
  await expectAccessible(window);
  await row.getByRole('button', { name: /^Undo/ }).click();
  await expect(window.getByText('Nothing is dismissed')).toBeVisible();
  await window.getByRole('button', { name: 'Undone' }).click();
  await expect(row).toHaveCount(2);
  await open(window, workstation, `/apks/${sha256}`);
  await expect(finding).toHaveCount(1);
});

test('files are shown as a tree, as bytes, as decoded XML, as text and as pictures', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${sha256}/files`);
  await window.getByTestId('tree-row').filter({ hasText: 'classes.dex' }).click();
  // unzip -p ApiDemos-debug.apk classes.dex | xxd | head -1
  await expect(window.getByTestId('hex-view')).toContainText('64650a303335'.slice(0, 4));
  await expect(window.getByTestId('hex-view')).toContainText('dex·035');
  await window.getByLabel('Go to a hexadecimal offset').fill('6f1340');
  await window.keyboard.press('Enter');
  await expect(window.getByTestId('hex-view')).toContainText('006f1340');

  await open(window, workstation, `/apks/${sha256}/files?path=assets/html/index.html`);
  await expect(window.getByTestId('file-view').getByTestId('code-text')).toContainText('<html>');
  await open(window, workstation, `/apks/${sha256}/files?path=res/layout/hello_world.xml`);
  await expect(window.getByTestId('file-view').getByTestId('code-text')).toContainText('@string/hello_world');
  await open(window, workstation, `/apks/${sha256}/files?path=res/drawable-hdpi-v4/abc_btn_check_to_on_mtrl_000.png`);
  await expect(window.getByText('48 × 48 pixels')).toBeVisible();

  await open(window, workstation, `/apks/${sha256}/files?layout=table`);
  await expect(window.getByTestId('file').filter({ hasText: 'classes.dex' }).first()).toBeVisible();
});

test('resources are listed by type, searched, and lead to their files', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}/resources`);
  await window.getByRole('button', { name: 'string 975' }).click();
  await window.getByLabel('Search resources').fill('alert_dialog_ok');
  await expect(window.getByTestId('resource')).toHaveCount(1);
  await expect(window.getByTestId('resource')).toContainText('OK');
  await window.getByRole('button', { name: 'Images' }).click();
  await expect(window.getByTestId('tile').locator('img').first()).toBeVisible();
  await keepScreenshot(window, 'apk-resources-pictures');
});

test('a permission shows the code that uses it', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}/permissions`);
  const row = window.getByRole('row').filter({ hasText: 'SEND_SMS' });
  await row.getByText('1 place').click();
  await row.getByRole('link', { name: /SmsMessagingDemo/ }).click();
  await expect(window.getByTestId('class-view')).toContainText('sendTextMessage');
});

test('a permission that Android adds is told apart from those asked for, with its reason', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${sha256}/permissions`);
  const added = window.getByTestId('implied-permission');
  await expect(added).toContainText('READ_EXTERNAL_STORAGE');
  await expect(added).toContainText('requested WRITE_EXTERNAL_STORAGE');
  await keepScreenshot(window, 'apk-permissions');
});

test('what is found everywhere in a raw report is said to be cut', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}/raw`);
  await window.getByLabel('Find a name or a value').fill('a');
  await expect(window.getByText('The first 5,000 lines found')).toBeVisible();
  await window.getByLabel('Find a name or a value').fill('main_activity');
  await expect(window.getByText('The first 5,000 lines found')).toHaveCount(0);
});

test('components are drawn with what opens them, and lead to their code', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}/components?layout=picture&kind=receiver`);
  const picture = window.getByTestId('components-picture');
  await expect(picture).toContainText('Telephony.SMS_RECEIVED');
  await keepScreenshot(window, 'apk-components-picture');
  await picture.getByRole('link', { name: /SmsMessageReceiver/ }).click();
  await expect(window.getByTestId('class-view')).toContainText('onReceive');
});

test('analysts vote, comment with mentions and tags, edit and delete', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}/community`);
  await window.getByRole('button', { name: 'Vote: malicious' }).click();
  await expect(window.getByTestId('vote')).toContainText('owner');
  await expect(window.getByText('Rating -1')).toBeVisible();
  await expect(window.getByRole('button', { name: 'Vote: harmless' })).toBeDisabled();

  await window
    .getByLabel('Write a comment')
    .fill('Seen by @owner, a #dropper.\n<img src=x onerror="window.hasRun=true">');
  await window.getByRole('button', { name: 'Comment', exact: true }).click();
  const comment = window.getByTestId('comment');
  await expect(comment).toContainText('<img src=x');
  await expect(comment.getByRole('link', { name: '@owner' })).toHaveAttribute('href', '#/analysts/owner');
  await expect(window.getByTestId('tag')).toContainText('#dropper');
  await comment.getByRole('button', { name: 'Edit' }).click();
  await comment.getByLabel('Edit').fill('Changed');
  await comment.getByRole('button', { name: 'Save' }).click();
  await expect(comment).toContainText('Changed');
  await expect(comment).toContainText('edited');
  await comment.getByRole('button', { name: 'Delete' }).click();
  await comment.getByRole('button', { name: 'Delete' }).click();
  await expect(window.getByTestId('comment')).toHaveCount(0);

  await window.getByLabel('Add tag').fill('reviewed');
  await window.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(window.getByTestId('tag')).toHaveCount(2);
  await window.getByRole('button', { name: 'Remove tag reviewed' }).click();
  await expect(window.getByTestId('tag')).toHaveCount(1);
  expect(await window.evaluate(() => 'hasRun' in globalThis)).toBe(false);
});

test('a match of a ruleset leads to the bytes that hit', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}/matches`);
  const match = window.getByTestId('match');
  await expect(match).toContainText('Dex magic');
  await match.getByRole('link', { name: 'Show these bytes: 0x0' }).first().click();
  await expect(window.getByTestId('hex-view')).toContainText('dex·035');
  await expect(window.getByTestId('hex-view').locator('span[class*="marked"]').first()).toHaveText('64');
  await window.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await window.getByTestId('hex-view').getByRole('button', { name: 'Copy as YARA rule' }).click();
  await expect.poll(() => window.evaluate(() => navigator.clipboard.readText())).toContain('64 65 78 0a');
});

test('of a rule that hits often the first strings are shown, the others when asked for', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${sha256}/matches`);
  // The app in its assets is hit too, in a table of its own.
  const both = window.getByRole('table').filter({ hasText: 'Landroid/app/' });
  await expect(both).toHaveCount(2);
  const often = both.first();
  await expect(often.getByRole('row')).toHaveCount(8);
  // A match keeps fifty.
  await window.getByRole('button', { name: 'show 42 more strings' }).click();
  await expect(often.getByRole('row')).toHaveCount(50);
  await expect(window.getByRole('button', { name: /more string/ })).toHaveCount(0);
  await keepScreenshot(window, 'apk-matches-often');
  await both
    .last()
    .getByRole('link', { name: /Show these bytes/ })
    .click();
  await expect(window.getByTestId('hex-view').locator('span[class*="marked"]').first()).toHaveText('4c');
});

test('parts are opened by keys, and back and forward pass through them', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}`);
  await expect(window.getByTestId('tab-summary')).toBeVisible();
  await window.keyboard.press('3');
  await expect(window.getByTestId('tab-permissions')).toBeVisible();
  await window.keyboard.press('7');
  await expect(window.getByTestId('tab-code')).toBeVisible();
  await window.goBack();
  await expect(window.getByTestId('tab-permissions')).toBeVisible();
  await window.goForward();
  await expect(window.getByTestId('tab-code')).toBeVisible();
  await window.keyboard.press(']');
  await expect(window.getByTestId('tab-abilities')).toBeVisible();
  await window.keyboard.press('Control+k');
  await window.getByRole('combobox', { name: 'Command palette' }).fill('open perm');
  await window
    .getByRole('option', { name: /Permissions/ })
    .first()
    .click();
  await expect(window.getByTestId('tab-permissions')).toBeVisible();
});

test('the dynamic report is a picture over time, with leaks and their paths', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}/dynamic`);
  await expect(window.getByTestId('timeline').locator('circle')).toHaveCount(4);
  const screens = window.getByRole('list', { name: 'Screens of the app' }).getByRole('button');
  await expect(screens).toHaveCount(1);
  await expect(screens.first()).toContainText('Lena Lorenz');
  await keepScreenshot(window, 'apk-dynamic-screens');
  await screens.first().click();
  await expect(window.getByRole('dialog')).toContainText('Stay logged in');
  await expect(window.getByRole('dialog').getByRole('listitem')).toHaveText('typed: Lena Lorenz into Name');
  await keepScreenshot(window, 'apk-dynamic-screen');
  await window.keyboard.press('Escape');
  await window.getByTestId('timeline').locator('circle').first().click();
  await expect(window.getByTestId('timeline-event')).toHaveCount(1);
  await keepScreenshot(window, 'apk-dynamic-timeline');
  await window.getByRole('group', { name: 'Part of the dynamic report' }).getByText('Leaks').click();
  await expect(window.getByTestId('behaviour').first()).toContainText('IMEI');
  await window.getByRole('link', { name: /ApiDemos\.onCreate/ }).click();
  await expect(window.getByTestId('class-view')).toContainText('public void onCreate(Bundle ');
  await open(window, workstation, `/apks/${sha256}/dynamic?part=files`);
  // Hexadecimal that is text is read as such.
  await expect(window.getByTestId('behaviour')).toContainText('<map>');
  await open(window, workstation, `/apks/${sha256}/dynamic?part=coverage`);
  await expect(window.getByText('1,200 of 33,456 (4%)')).toBeVisible();
  await expect(window.getByText('The memory limit was reached.')).toBeVisible();
  await expect(window.getByText('unheard-of')).toBeVisible();
  await window.keyboard.press('f');
  await window.keyboard.type('Dialog');
  const unmodelled = window.getByRole('region', { name: 'Called, not modelled' }).getByRole('listitem');
  await expect(unmodelled).toHaveText(['Landroid/app/Dialog;->hide()V3 calls']);
  await window.getByRole('button', { name: 'Not reached 1' }).click();
  await window.getByLabel('Filter Not reached').fill('');
  await expect(window.getByRole('link', { name: /getData/ })).toBeVisible();
  await open(window, workstation, `/apks/${sha256}`);
  await expect(window.getByText('Behaviour at run time')).toBeVisible();
});

test('what a filter leaves of a list is seen from its first item, wherever the list stood', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${sha256}/indicators?kind=strings`);
  const list = window.getByRole('region', { name: 'Strings' });
  const first = list.locator('li[data-index="0"]');
  await expect(first).toHaveAttribute('aria-posinset', '1');
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(first).toHaveCount(0);
  await window.getByLabel('Filter Strings').fill('e');
  await expect(first).toBeInViewport();
});

test('findings are found by the names under which their places are shown', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}/indicators`);
  await window.getByLabel('Filter URLs').fill('ClipboardSample.onCreate(Bundle)');
  await expect(window.getByRole('region', { name: 'URLs' }).getByRole('listitem')).toHaveCount(1);
});

test('an analysis is started again and followed to its end', async ({ window, workstation }) => {
  const analyses = window.getByTestId('job').filter({ hasText: 'Static analysis' });
  await open(window, workstation, '/jobs');
  await expect(analyses.first()).toBeVisible();
  const before = await analyses.count();
  await open(window, workstation, `/apks/${sha256}`);
  await window.getByRole('button', { name: 'Analyse' }).click();
  await window.getByRole('menuitem', { name: 'Static analysis' }).click();
  await open(window, workstation, '/jobs');
  await expect(analyses).toHaveCount(before + 1);
  await expect(analyses.first()).toHaveAttribute('data-status', 'done');
});

test('the owner trusts, downloads and deletes an APK', async ({ window, workstation }) => {
  const { body } = await workstation.upload(realApks.unlock);
  await open(window, workstation, `/apks/${body.sha256}`);
  await window.getByLabel('Trusted').click({ force: true });
  await expect.poll(async () => (await workstation.ask(`/apks/${body.sha256}/`)).body.is_trusted).toBe(true);

  const download = window.waitForEvent('download');
  await window.getByRole('button', { name: 'Download the APK' }).click();
  await window.getByRole('menuitem', { name: 'APK', exact: true }).click();
  expect((await download).suggestedFilename()).toBe(`${body.sha256}.apk`);
  const locked = window.waitForEvent('download');
  await window.getByRole('button', { name: 'Download the APK' }).click();
  await window.getByRole('menuitem', { name: 'ZIP with the password “infected”' }).click();
  expect((await locked).suggestedFilename()).toBe(`${body.sha256}.zip`);

  await window.getByRole('button', { name: 'Delete' }).click();
  await window.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(window).toHaveURL(/catalogue/);
  expect((await workstation.ask(`/apks/${body.sha256}/`)).status).toBe(404);
});

/** Every part once, in both schemes; what is looked for says that it has arrived. */
const parts: [address: string, arrived: string][] = [
  ['summary', '[data-testid=finding]'],
  ['similar', 'text=The catalogue has nothing like it'],
  ['connections', '[data-testid=network-node]'],
  ['manifest', '.cm-line'],
  ['permissions', '[data-testid=permission-uses]'],
  ['components', '[data-testid=component]'],
  ['components?layout=picture', '[data-testid=components-picture] rect'],
  ['signature', '[data-testid=schemes]'],
  ['files?path=classes.dex', '[data-testid=hex-view]'],
  ['files?path=res/layout/hello_world.xml', '.cm-line'],
  ['files?layout=table', '[data-testid=file]'],
  ['resources?type=color', '[data-testid=resource]'],
  ['resources?type=gallery', '[data-testid=tile] img'],
  ['indicators', 'main section'],
  ['code?class=Lio/appium/android/apis/ApiDemos;&refs=Lio/appium/android/apis/ApiDemos;', '[data-testid=code-place]'],
  ['code?class=Lio/appium/android/apis/ApiDemos;&member=getData&view=both', '[data-testid=java-text] .cm-line'],
  ['code?mode=names', '[data-testid=class-view], [class*=searchForm]'],
  ['code?mode=java&q=SmsManager&class=Lio/appium/android/apis/ApiDemos;&view=java', '[data-testid=java-hit]'],
  ['code?mode=search&q=sms', '[data-testid=code-hit]'],
  ['abilities', '[data-testid=reference]'],
  ['libraries', 'table'],
  ['native', 'text=The app has no native code'],
  ['payloads', 'text=Hello, Activity!'],
  ['bundles', 'text=The app carries no code of other runtimes'],
  ['dynamic', '[data-testid=timeline]'],
  ['dynamic?part=leaks', '[data-testid=behaviour]'],
  ['matches', '[data-testid=match]'],
  ['community', '[data-testid=vote], main form'],
  ['jobs', '[data-testid=job-history]'],
  ['raw', 'main li'],
];

test('every part is accessible in the dark and in the light scheme', async ({ window, workstation }) => {
  // So many parts take a busy machine some time.
  test.slow();
  for (const [address, arrived] of parts) {
    await open(window, workstation, `/apks/${sha256}/${address}`);
    await expect(window.locator(arrived).first()).toBeVisible();
    await inBothSchemes(window, async (scheme) => {
      await keepScreenshot(window, `apk-${address.replace(/[^\w=]+/g, '-').slice(0, 50)}-${scheme}`);
      await expectAccessible(window);
    });
  }
});

test('a list that the report cuts says so beside the list, not as a finding', async ({ window, workstation }) => {
  const { body } = await workstation.upload(realApks.unicodeIme);
  await workstation.server.idle();
  const { store } = workstation.server;
  const apk = await store.apks.findBySha256(body.sha256);
  const { body: content } = await workstation.ask(`/apks/${body.sha256}/analysis/androguard/`);
  const cut = { code: 'report-cut', severity: 'info', where: 'components', evidence: '5000 of 6000' };
  const findings = [...content.findings, { ...content.findings[0], ...cut }];
  await store.transaction(({ reports }) =>
    reports.save([
      { apkId: apk!.id, kind: 'androguard', status: 'done', engineVersion: 1, content: { ...content, findings } },
    ]),
  );
  await open(window, workstation, `/apks/${body.sha256}/components`);
  await expect(window.getByTestId('cut')).toHaveText(/5000 of 6000/);
  await open(window, workstation, `/apks/${body.sha256}`);
  await expect(window.getByRole('heading', { name: /^Findings/ })).toBeVisible();
  await expect(window.getByText('A list was cut')).toHaveCount(0);
});

test('the catalogue and the list of keys are accessible in the dark and in the light scheme', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/catalogue');
  await expect(window.getByTestId('catalogue-row').first()).toBeVisible();
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `catalogue-${scheme}`);
  });
  await window.keyboard.press('?');
  await expect(window.getByRole('dialog')).toContainText('Keyboard shortcuts');
  await inBothSchemes(window, () => expectAccessible(window));
});

test('the page is usable in a window of 1024 pixels', async ({ window, workstation }) => {
  await window.setViewportSize({ width: 1024, height: 720 });
  const within = [
    '',
    '/files?path=classes.dex',
    '/code?class=Lio/appium/android/apis/ApiDemos;',
    '/permissions',
    '/community',
  ];
  for (const address of ['/catalogue', '/jobs', ...within.map((part) => `/apks/${sha256}${part}`)]) {
    await open(window, workstation, address);
    await expect(window.getByRole('main')).toContainText(/\w/);
    expect(await window.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1024);
  }
});

test('at twice the size code and bytes fill the window, and bytes are searched and show their entropy', async ({
  window,
  workstation,
}) => {
  const { body } = await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  // What is left of 1440 by 900 pixels.
  await window.setViewportSize({ width: 720, height: 450 });
  /** How much of the window an element takes in its height. */
  const share = (selector: string) =>
    window.locator(selector).evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / innerHeight;
    });
  await open(window, workstation, `/apks/${body.sha256}/code?class=Lio/appium/unlock/Unlock;`);
  await expect(window.locator('.cm-line').first()).toBeVisible();
  await keepScreenshot(window, 'apk-code-magnified');
  expect(await share('.cm-scroller')).toBeGreaterThan(0.4);
  await expectAccessible(window);
  await open(window, workstation, `/apks/${body.sha256}/files?path=classes.dex&view=hex`);
  await expect(window.getByTestId('hex-view')).toBeVisible();
  await window.getByLabel('Search the bytes').fill('Unlock');
  await window.getByRole('button', { name: 'Find' }).click();
  await expect(window.getByText(/^1 of \d+$/)).toBeVisible();
  await expect(window.getByTestId('entropy')).toContainText(/Entropy \d\.\d\d/);
  await keepScreenshot(window, 'apk-hex-magnified');
  expect(await share('[data-testid=hex-view]')).toBeGreaterThan(0.6);
  await expectAccessible(window);
  await window.setViewportSize({ width: 1440, height: 900 });
});
