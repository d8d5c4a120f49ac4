// The code part of an APK's page: Java and smali, names and notes, searches, the call graph.
import { testApk } from '../fixtures/dynamic/test-apps.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

let sha256 = '';
test.beforeAll(async ({ workstation }) => {
  await workstation.ask('/settings/', { method: 'PATCH', json: { analyze_dynamic_on_upload: false } });
  sha256 = (await workstation.upload(realApks.apiDemos)).body.sha256;
  await workstation.server.idle();
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

test('a class named in the manifest leads to its code', async ({ window, workstation }) => {
  await open(window, workstation, `/apks/${sha256}/manifest?find=io.appium.android.apis.os.SmsMessageReceiver`);
  const text = window.getByTestId('code-text');
  await text.locator('.cm-searchMatch-selected').first().click();
  await expect(window.getByTestId('class-view').getByRole('heading')).toHaveText(/SmsMessageReceiver$/);
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
