// An APK's page: its parts, its actions, its look in both schemes.
import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { maxChildBytes } from '../../server/contract/engine/child.ts';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { buildDex } from '../fixtures/dex-builder.ts';
import { testApk } from '../fixtures/dynamic/test-apps.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { buildZip } from '../fixtures/zip-builder.ts';
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

test('what code is called and noted stands in Java, smali, tree and list, by keys alone, and is taken back', async ({
  window,
  workstation,
}) => {
  const name = 'Lio/appium/android/apis/os/SmsMessagingDemo;';
  await open(window, workstation, `/apks/${sha256}/code?class=${name}&view=java&member=onCreate`);
  const [java, smali] = [window.getByTestId('java-text'), window.getByTestId('smali-text')];
  const line = (side: typeof java, hasText: string | RegExp) => side.locator('.cm-line').filter({ hasText });
  const dialog = window.getByRole('dialog');
  await expect(java.locator('[class*=current]')).toContainText('void onCreate(');
  // A name that others call is kept, and words say so.
  const field = line(java, 'ACTION_SMS_SENT =').first();
  await line(java, 'void onCreate(').getByText('onCreate', { exact: true }).hover();
  await java.locator('.cm-content').focus();
  for (const key of ['Home', ...Array(3).fill('Control+ArrowRight'), 'N']) await window.keyboard.press(key);
  await expect(dialog).toContainText('->onCreate(');
  await dialog.getByLabel('Name').fill('begin');
  await window.keyboard.press('Enter');
  await expect(dialog).toContainText('has others call it by this name');
  await inBothSchemes(window, () => expectAccessible(window));
  await window.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  // A constant is renamed where it stands, and called so everywhere; what it was stands under the pointer.
  await field.getByText('ACTION_SMS_SENT', { exact: true }).click({ button: 'right' });
  await window.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog.getByLabel('Name').fill('SENT_NOTE');
  await window.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(line(java, 'String SENT_NOTE =')).toHaveCount(1);
  await expect(java.locator('[class*=renamed]').first()).toHaveAttribute('title', /ACTION_SMS_SENT/);

  // A note stands above its line.
  await line(java, 'String SENT_NOTE =').click({ position: { x: 5, y: 8 } });
  await window.keyboard.press(';');
  await dialog.getByLabel('Note').fill('told when sent');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(line(java, '// told when sent')).toHaveCount(1);
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `apk-code-names-${scheme}`);
  });

  await window.getByRole('group', { name: 'Language of the code' }).getByText('smali').click();
  await expect(line(smali, '## told when sent')).toHaveCount(1);
  await expect(line(smali, /^\.field .* SENT_NOTE:/)).toHaveCount(1);

  // All of them, which lead to where they stand.
  await window.getByRole('group', { name: 'What to list' }).getByText('Names').click();
  const rows = window.getByTestId('code-name');
  await expect(rows).toHaveCount(2);
  await window.getByLabel('Filter names and notes').fill('sent_note');
  await expect(rows).toHaveCount(1);
  await rows.click();
  await expect(smali.locator('[class*=current]')).toContainText('SENT_NOTE');
  await expectAccessible(window);
  for (let left = 2; left > 0; left--) {
    await window.getByLabel('Filter names and notes').fill('');
    await expect(rows).toHaveCount(left);
    await window
      .getByRole('button', { name: /^Remove / })
      .first()
      .click();
  }
  await expect(window.getByText('Nothing is named yet')).toBeVisible();
  await expect(line(smali, /^\.field .* ACTION_SMS_SENT:/)).toHaveCount(1);
});

test('a finding leads to the very line of code that proves it, and "back" to the finding', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, `/apks/${sha256}`);
  await window.getByTestId('finding').filter({ hasText: 'Sends text messages' }).locator('summary').click();
  await window.getByRole('link', { name: /SmsMessagingDemo\$2\.onClick/ }).click();
  await expect(window).toHaveURL(/\/code\?class=Lio/);
  // The Java that the proof is in; the smali at the same place by a key.
  const current = (side: string) => window.getByTestId(side).locator('[class*=current]');
  await expect(current('java-text')).toContainText('.sendTextMessage(');
  await window.keyboard.press('J');
  await expect(current('smali-text')).toContainText('SmsManager;->sendTextMessage(');
  await window.goBack();
  await window.goBack();
  await expect(window.getByTestId('tab-summary')).toBeVisible();
});

test('code is read as in a decompiler: tree, definition, callers, search, back', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}/code`);
  await window
    .getByTestId('tree-row')
    .filter({ hasText: /^ApiDemos$/ })
    .click();
  const code = window.getByTestId('class-view');
  await expect(code).toContainText('public class ApiDemos extends ListActivity');
  const view = window.getByRole('group', { name: 'Language of the code' });
  await view.getByText('smali').click();
  await expect(code).toContainText('.class public');
  await expect(code).toContainText('extends android.app.ListActivity');

  await window.getByRole('button', { name: 'Uses of addItem', exact: true }).click();
  const references = window.getByTestId('references');
  // dexdump -d classes.dex | grep -c 'invoke.*ApiDemos;.addItem:'
  await expect(references.getByTestId('code-place')).toHaveCount(3);
  await references.getByTestId('code-place').first().focus();
  await window.keyboard.press('j');
  await expect(references.getByTestId('code-place').nth(1)).toBeFocused();
  await references.getByTestId('code-place').first().click();
  await expect(window).toHaveURL(/member=getData/);
  await expect(code).toContainText('Lio/appium/android/apis/ApiDemos;->addItem(');

  await window.getByRole('group', { name: 'Direction of the references' }).getByText('Uses', { exact: true }).click();
  await expect(references.getByTestId('code-place').first()).toContainText('Ljava/util/HashMap;');

  // A click on a reference in the text goes to its definition, "back" returns.
  await window.goto(
    `${workstation.url}/app/#/apks/${sha256}/code?class=Lio/appium/android/apis/os/SmsMessagingDemo;&member=onCreate&seek=SmsMessagingDemo$1;-><init>`,
  );
  const reference = code.locator('.cm-line').filter({ hasText: 'SmsMessagingDemo$1;-><init>' });
  await reference.locator('[class*=reference]').first().click();
  await expect(window).toHaveURL(/SmsMessagingDemo%241/);
  await expect(code.getByRole('heading')).toContainText('SmsMessagingDemo$1');
  await window.goBack();
  await expect(code.getByRole('heading')).toHaveText(/SmsMessagingDemo$/);

  // Both in step: where one stands, the other stands, and what is scrolled leads.
  await view.getByText('Both').click();
  const [java, smali] = [window.getByTestId('java-text'), window.getByTestId('smali-text')];
  await expect(java.locator('[class*=current]')).toContainText('new CompoundButton.OnCheckedChangeListener() {');
  await java
    .locator('.cm-line')
    .filter({ hasText: 'findViewById(' })
    .first()
    .click({ position: { x: 5, y: 8 } });
  await expect(smali.locator('[class*=current]')).toContainText('findViewById');
  await java.locator('.cm-scroller').hover();
  await window.mouse.wheel(0, -10_000);
  await expect(smali.locator('.cm-line').filter({ hasText: '.class ' })).toBeInViewport();
  // The same keys and clicks lead on from Java.
  await java
    .locator('.cm-line')
    .filter({ hasText: 'void onCreate(' })
    .locator('[class*=reference]')
    .filter({ hasText: 'onCreate' })
    .click();
  await expect(java.locator('[class*=current]')).toContainText('void onCreate(');
  for (const key of ['Home', ...Array(3).fill('Control+ArrowRight')]) await window.keyboard.press(key);
  await window.keyboard.press('x');
  await expect(references).toContainText('->onCreate(');
  await java.locator('.cm-content').focus();
  await window.keyboard.press('m');
  await expect(window.getByRole('menuitem')).toHaveText([
    /^Go to definition/,
    /^Uses/,
    /^Call graph/,
    /^Rename/,
    'Note',
    'Copy',
    /^Copy as Frida hook/,
    /^Copy as YARA rule/,
    /^Copy its bytes as YARA rule/,
  ]);
  await inBothSchemes(window, () => expectAccessible(window));
  await window.getByRole('menuitem', { name: 'Copy as YARA rule' }).click();
  await expect(window.getByText('The YARA rule is on the clipboard.')).toBeVisible();
  // The bytes of the method under the cursor, and of lines that are selected.
  await window.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => window.evaluate(() => navigator.clipboard.readText());
  const declared = java.locator('.cm-line').filter({ hasText: 'void onCreate(' });
  await declared.click({ position: { x: 5, y: 8 } });
  await window.keyboard.press('B');
  await expect
    .poll(copied)
    .toMatch(/^rule bytes_Lio_appium.*_onCreate_.*\n.*\$0 = \{\n +6f 20 \?\? \?\? [0-9a-f?\s]{300,}\}/s);
  const first = smali.locator('.cm-line').filter({ hasText: 'setContentView' }).first();
  await first.click({ position: { x: 60, y: 8 } });
  await window.keyboard.press('Shift+End');
  await window.keyboard.press('B');
  await expect.poll(copied).toMatch(/\$0 = \{\n +6e 20 \?\? \?\? [0-9a-f]{2} 00\n +\}/);
  await java
    .locator('.cm-line')
    .filter({ hasText: 'ACTION_SMS_SENT =' })
    .getByText('SMS_SENT_ACTION"')
    .click({ button: 'right' });
  await window.getByRole('menuitem', { name: 'Uses' }).click();
  await expect(references).toContainText('"io.appium.android.apis.os.SMS_SENT_ACTION"');
  await view.getByText('Java').click();
  await java.locator('[class*=reference]').filter({ hasText: 'Activity' }).first().click();
  await expect(code.or(window.getByText('The app does not define this class'))).toBeVisible();
  await window.goBack();

  await window.getByRole('group', { name: 'What to list' }).getByText('Search').click();
  await window.getByLabel('Search all code').first().fill('SmsManager.sendTextMessage');
  await window.keyboard.press('Enter');
  await window.getByTestId('code-hit').filter({ hasText: 'api' }).first().click();
  await expect(references.getByTestId('code-place')).toHaveCount(1);
  await expect(references).toContainText('SmsMessagingDemo$2');
  await keepScreenshot(window, 'apk-code-search');

  // The Java of all classes, whose lines lead to where they stand.
  await window.getByRole('group', { name: 'What to list' }).getByText('Java').click();
  await window.getByLabel('Search decompiled Java').first().fill('.sendTextMessage(');
  await window.keyboard.press('Enter');
  await expect(window.getByRole('progressbar', { name: 'Files searched' })).toBeVisible();
  await window.getByTestId('java-hit').first().click();
  await expect(window).toHaveURL(/SmsMessagingDemo%3B.*line=|line=.*SmsMessagingDemo%3B/);
  await expect(java.locator('[class*=current]')).toContainText('.sendTextMessage(');
  await window.getByRole('button', { name: 'Stop' }).click();
  await expect(window.getByRole('button', { name: 'Continue search' })).toBeVisible();
});

test('classes stay open as tabs, moved through and closed by keys, kept in the address, with a way back', async ({
  window,
  workstation,
}) => {
  const packageName = 'Lio/appium/android/apis';
  await open(window, workstation, `/apks/${sha256}/code?class=${packageName}/ApiDemos;&view=smali&member=getData`);
  const [tabs, heading] = [window.getByTestId('class-tab'), window.getByTestId('class-view').getByRole('heading')];
  const current = window.getByTestId('smali-text').locator('[class*=current]');
  await expect(tabs).toHaveText(['ApiDemos']);
  await expect(current).toContainText('getData(');
  await window.getByLabel('Filter classes').fill('SmsMessagingDemo');
  for (const name of [/^SmsMessagingDemo(?!\$)/, /^SmsMessagingDemo\$1/]) {
    await window.getByTestId('code-hit').filter({ hasText: name }).click();
    await expect(tabs.and(window.locator('[data-current]'))).toHaveText(/^SmsMessagingDemo/);
  }
  await expect(tabs).toHaveText(['ApiDemos', 'SmsMessagingDemo', 'SmsMessagingDemo$1']);
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `apk-code-tabs-${scheme}`);
  });
  await window.getByTestId('smali-text').locator('.cm-content').focus();

  // Round and round, to where one stood in each.
  await window.keyboard.press('.');
  await expect(heading).toHaveText(/\.ApiDemos$/);
  await expect(current).toContainText('getData(');
  await window.keyboard.press(',');
  await expect(heading).toHaveText(/\$1$/);
  await window.reload();
  await expect(tabs).toHaveText(['ApiDemos', 'SmsMessagingDemo', 'SmsMessagingDemo$1']);

  await window.keyboard.press('w');
  await expect(tabs).toHaveText(['ApiDemos', 'SmsMessagingDemo']);
  await expect(heading).toHaveText(/\.SmsMessagingDemo$/);
  await window.keyboard.press('<');
  await expect(tabs).toHaveCount(3);
  await window.keyboard.press('>');
  await expect(tabs).toHaveCount(2);
  await window.getByRole('button', { name: `Close io.appium.android.apis.ApiDemos` }).click();
  await expect(tabs).toHaveText(['SmsMessagingDemo']);
  await window.keyboard.press('w');
  await expect(tabs).toHaveCount(0);
  await expect(window.getByText('Choose a class, or search all code')).toBeVisible();
});

test('a search of code that takes long is stopped', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}/code?mode=search`);
  await window.route(/\/code\/search\//, () => undefined);
  await window.getByLabel('Search all code').first().fill('Activity');
  const ended = window.waitForEvent('requestfailed', (request) => request.url().includes('/code/search/'));
  await window.keyboard.press('Enter');
  await window.getByRole('button', { name: 'Stop' }).click();
  await ended;
  await expect(window.getByRole('button', { name: 'Stop' })).toHaveCount(0);
});

test('texts that a run saw the code decrypt stand at their lines', async ({ window, workstation }) => {
  const { body } = await workstation.upload(testApk('strings'));
  await workstation.server.idle();
  await open(window, workstation, `/apks/${body.sha256}/code?class=Lcom/example/app/Main;&view=both&member=onCreate`);
  await expect(window.getByTestId('java-text').locator('.cm-line').filter({ hasText: 'void onCreate(' })).toBeVisible();
  // What a run shows comes in without a reload.
  await workstation.ask(`/apks/${body.sha256}/analyze_dynamic/`, { method: 'POST' });
  for (const side of ['java-text', 'smali-text'])
    await expect(
      window.getByTestId(side).locator('.cm-line').filter({ hasText: 'decoded in a run: "report"' }),
    ).toBeVisible();
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `apk-code-decoded-${scheme}`);
  });
});

test('the calls around a method are a picture that keys move through and that leads into the code', async ({
  window,
  workstation,
}) => {
  const owner = 'Lio/appium/android/apis/ApiDemos;';
  await open(window, workstation, `/apks/${sha256}/code?class=${owner}&member=getData&view=smali`);
  await window.getByRole('button', { name: 'Uses of addItem', exact: true }).click();
  const panel = window.getByTestId('references');
  await panel.getByRole('button', { name: 'Call graph' }).click();
  const nodes = window.getByTestId('graph-node');
  // dexdump -d classes.dex: getData calls addItem, and addItem calls these three of Java.
  await expect(nodes).toHaveCount(5);
  await panel.getByRole('button', { name: '2', exact: true }).click();
  const node = (name: string | RegExp) => nodes.filter({ hasText: name });
  await expect(node('onCreate').first()).toBeVisible();
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `apk-code-graph-${scheme}`);
  });
  // From the middle to who calls it, whose code opens; then that one is in the middle.
  await nodes.and(window.locator('[aria-current]')).focus();
  await window.keyboard.press('ArrowLeft');
  await expect(node('getData')).toBeFocused();
  await window.keyboard.press('Enter');
  await expect(window).toHaveURL(/member=getData%28/);
  await node('getData').focus();
  await window.keyboard.press('Space');
  await expect(nodes.and(window.locator('[aria-current]'))).toContainText('getData');
  await window.goBack();
  await expect(nodes.and(window.locator('[aria-current]'))).toContainText('addItem');
  await panel.getByRole('button', { name: 'Close references' }).click();
  await expect(nodes).toHaveCount(0);

  // From the name itself.
  await open(
    window,
    workstation,
    `/apks/${sha256}/code?class=${owner}&member=getData&seek=ApiDemos;->addItem(&view=smali`,
  );
  const line = window.getByTestId('smali-text').locator('.cm-line').filter({ hasText: 'ApiDemos;->addItem(' }).first();
  await line.locator('[class*=reference]').first().click({ button: 'right' });
  await window.getByRole('menuitem', { name: 'Call graph' }).click();
  await expect(nodes.and(window.locator('[aria-current]'))).toContainText('addItem');
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

test('a class named in the manifest leads to its code', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}/manifest?find=io.appium.android.apis.os.SmsMessageReceiver`);
  const text = window.getByTestId('code-text');
  await text.locator('.cm-searchMatch-selected').first().click();
  await expect(window.getByTestId('class-view').getByRole('heading')).toHaveText(/SmsMessageReceiver$/);
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

test('all classes of a package are listed, however many requests they take', async ({ window, workstation }) => {
  const classes = 12_000;
  await window.route(/\/code\/classes\//, (route) => {
    const { searchParams } = new URL(route.request().url());
    const offset = Number(searchParams.get('offset'));
    const length = Math.min(Number(searchParams.get('limit')), classes - offset);
    const page = Array.from({ length }, (_, at) => ({ name: `La${offset + at};`, dex: 'classes.dex', kind: 'class' }));
    return route.fulfill({ json: { package: '', packages: [], classes_count: classes, classes: page } });
  });
  await open(window, workstation, `/apks/${sha256}/code`);
  await window.getByTestId('tree-row').filter({ hasText: /^a0$/ }).focus();
  await window.keyboard.press('End');
  await expect(window.getByTestId('tree-row').filter({ hasText: `a${classes - 1}` })).toBeFocused();
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
  await expect(tab(window, 'Payloads')).toBeVisible();
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

  await open(window, workstation, `/apks/${sha256}/payloads`);
  await expect(window.getByRole('region', { name: 'App', exact: true })).toContainText('Hello, Activity!');
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
