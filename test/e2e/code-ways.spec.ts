// Ways into the code of an APK: what is told of it elsewhere leads to the very line of Java.
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { buildDex, type Pool } from '../fixtures/dex-builder.ts';
import { buildZip } from '../fixtures/zip-builder.ts';
import { expect, open, test } from './window.ts';

const smsManager = 'Landroid/telephony/SmsManager;';
const send =
  '(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Landroid/app/PendingIntent;Landroid/app/PendingIntent;)V';
/** SmsManager.getDefault().sendTextMessage("1234567", null, "open sesame", null, null) */
const units = (pool: Pool) => [
  ...[0x0071, pool.method(smsManager, 'getDefault', `()${smsManager}`), 0x0000, 0x000c],
  ...[0x011a, pool.string('1234567'), 0x0212, 0x031a, pool.string('open sesame'), 0x0412, 0x0512],
  ...[0x0674, pool.method(smsManager, 'sendTextMessage', send), 0x0000, 0x000e],
];
const apk = buildZip({
  entries: [
    {
      name: 'AndroidManifest.xml',
      content: buildAxml(
        element(
          'manifest',
          { package: 'com.example.tell' },
          element('uses-permission', { 'android:name': 'android.permission.SEND_SMS' }),
        ),
      ),
    },
    {
      name: 'classes.dex',
      content: buildDex({
        classes: [
          {
            descriptor: 'Lcom/example/tell/Teller;',
            fields: [{ name: 'last', type: 'I', accessFlags: 9 }],
            methods: [
              {
                name: 'idle',
                descriptor: '()V',
                accessFlags: 9,
                code: { registers: 0, ins: 0, outs: 0, units: [0x0e] },
              },
              { name: 'tell', descriptor: '()V', accessFlags: 9, code: { registers: 6, ins: 0, outs: 6, units } },
            ],
          },
        ],
      }),
    },
  ],
});

test('a finding, a permission, a match and a leak lead to the line of Java; a field is copied as a watch of Frida', async ({
  window,
  workstation,
}) => {
  await workstation.ask('/settings/', { method: 'PATCH', json: { analyze_dynamic_on_upload: false } });
  const rules =
    'rule text { strings: $a = "sesame" condition: $a } rule bytes { strings: $a = { 74 06 ?? ?? 00 00 0e 00 } condition: $a }';
  await workstation.ask('/rulesets/', { method: 'POST', json: { name: 'Told', rules } });
  const { sha256 } = (await workstation.upload(apk)).body;
  await workstation.server.idle();
  const { store } = workstation.server;
  const { id } = (await store.apks.findBySha256(sha256))!;
  const content = {
    timeline: [{ time: 1, component: 'Lcom/example/tell/Teller;', category: 'sms', summary: 'SMS to 1234567' }],
    dataleaks: [{ sink: 'sms', tags: ['TAINT_IMEI'], path: ['Lcom/example/tell/Teller;->tell()V'], time: 1 }],
  };
  await store.transaction(({ reports }) =>
    reports.save([{ apkId: id, kind: 'dynamic', status: 'done', engineVersion: 1, content }]),
  );
  await store.transaction(({ apks }) => apks.update(id, { isDynamicAnalyzed: true }));
  const java = window.getByTestId('java-text');
  const line = java.locator('[class*=current]');
  const sent = /sendTextMessage\("1234567", .*"open sesame"/;

  await open(window, workstation, `/apks/${sha256}`);
  await window.getByTestId('finding').filter({ hasText: 'Sends text messages' }).first().locator('summary').click();
  await window
    .getByTestId('finding')
    .getByRole('link', { name: /Teller\.tell/ })
    .first()
    .click();
  await expect(line).toContainText(sent);

  await window.keyboard.press('3');
  await window.getByRole('row').filter({ hasText: 'SEND_SMS' }).getByText('1 place').click();
  await window.getByRole('link', { name: /Teller/ }).click();
  await expect(line).toContainText(sent);

  await open(window, workstation, `/apks/${sha256}/matches`);
  const codes = window.getByRole('link', { name: /^Show this code/ });
  await expect(codes).toHaveCount(2);
  for (const at of [0, 1]) {
    await codes.nth(at).click();
    await expect(line).toContainText(sent);
    await window.goBack();
  }
  await open(window, workstation, `/apks/${sha256}/code?path=classes.dex&bytes=0`);
  await expect(window.getByText('No code stands at these bytes')).toBeVisible();

  await open(window, workstation, `/apks/${sha256}/dynamic?part=leaks`);
  await window
    .getByRole('link', { name: /Teller.*tell/ })
    .first()
    .click();
  await expect(line).toContainText('void tell()');
  await open(window, workstation, `/apks/${sha256}/dynamic`);
  await window
    .getByTestId('timeline-event')
    .getByRole('link', { name: /Teller/ })
    .click();
  await expect(java).toContainText(sent);

  await window.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await java.getByText('last', { exact: true }).click({ button: 'right' });
  await window.getByRole('menuitem', { name: 'Copy as Frida hook' }).click();
  await expect
    .poll(() => window.evaluate(() => navigator.clipboard.readText()))
    .toContain('Java.use("com.example.tell.Teller").class.getDeclaredField("last")');
});
