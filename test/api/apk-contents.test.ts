// Looking into an APK over HTTP: bytes of its files, resources, code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { BundleRecord } from '../../server/contract/engine/bundles.ts';
import type { ComparedLines } from '../../server/contract/engine/comparison.ts';
import { openManifest } from '../fixtures/apk-manifest.ts';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { buildHermes } from '../fixtures/bundle-builders.ts';
import { buildDex } from '../fixtures/dex-builder.ts';
import { buildElf } from '../fixtures/elf-builder.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { buildZip } from '../fixtures/zip-builder.ts';

let workstation: TestWorkstation;
let sha256: string;
before(async () => {
  workstation = await startWorkstation();
  sha256 = (await workstation.upload(realApks.apiDemos)).body.sha256;
  // What is looked into needs no report.
  for (const { id } of (await workstation.ask('/jobs/')).body.results) {
    await workstation.ask(`/jobs/${id}/cancel/`, { method: 'POST' });
  }
});
after(() => workstation[Symbol.asyncDispose]());

const ask = (path: string, token?: null) =>
  workstation.ask(`/apks/${sha256}/${path}`, token === undefined ? {} : { token });
const bytesOf = async (path: string) => {
  const response = await fetch(`${workstation.url}/apks/${sha256}/${path}`, {
    headers: { authorization: `Token ${workstation.ownerToken}` },
  });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
};
const encode = encodeURIComponent;

test('bytes of a file come as they are, in parts, as a download that no browser shows', async () => {
  const whole = await bytesOf('files/content/?path=assets%2Fhtml%2Findex.html');
  assert.equal(whole.status, 200);
  assert.equal(whole.headers.get('content-type'), 'application/octet-stream');
  assert.match(whole.headers.get('content-disposition')!, /^attachment/);
  assert.equal(whole.headers.get('x-content-type-options'), 'nosniff');
  assert.match(whole.headers.get('content-security-policy')!, /sandbox/);
  // unzip -lv: 376 bytes
  assert.equal(whole.headers.get('x-content-size'), '376');
  assert.equal(whole.bytes.length, 376);
  const part = await bytesOf('files/content/?path=assets%2Fhtml%2Findex.html&offset=10&length=7');
  assert.deepEqual(part.bytes, whole.bytes.subarray(10, 17));
  assert.equal(part.headers.get('x-content-size'), '376');
  const past = await bytesOf('files/content/?path=assets%2Fhtml%2Findex.html&offset=5000');
  assert.deepEqual([past.status, past.bytes.length], [200, 0]);
});

test('without a path it is the APK itself', async () => {
  const file = readFileSync(realApks.apiDemos);
  const { bytes, headers } = await bytesOf('files/content/?offset=1000&length=100');
  assert.deepEqual(bytes, file.subarray(1000, 1100));
  assert.equal(headers.get('x-content-size'), String(file.length));
});

test('bytes of a dex file lead to the code that stands there', async () => {
  const { status, body } = await ask('code/at/?path=classes.dex&at=2000000');
  assert.deepEqual(
    [status, body.place.class, body.place.method],
    [200, 'Landroidx/viewpager/widget/ViewPager;', 'recomputeScrollPosition(IIII)V'],
  );
  assert.deepEqual((await ask('code/at/?path=classes.dex&at=0')).body, { place: null, text: null });
  assert.equal((await workstation.ask(`/apks/${'f'.repeat(64)}/code/at/?path=classes.dex&at=0`)).status, 404);
});

test('what is not there is a 404, what is wrong is named, and a token is needed', async () => {
  assert.equal((await ask('files/content/?path=nothing')).status, 404);
  assert.equal((await ask('files/content/?index=999999')).status, 404);
  assert.deepEqual(Object.keys((await ask('files/content/?offset=-1')).body), ['offset']);
  assert.deepEqual(Object.keys((await ask('files/content/?length=99999999')).body), ['length']);
  assert.deepEqual(Object.keys((await ask('code/references/?of=nonsense')).body), ['of']);
  assert.deepEqual(Object.keys((await ask('code/search/?q=(&regex=true')).body), ['q']);
  assert.deepEqual(Object.keys((await ask('code/search/?q=a&kinds=poems')).body), ['kinds']);
  assert.equal((await ask('code/class/?name=Lno/Such;')).status, 404);
  assert.equal((await ask('code/classes/?package=no/such')).status, 404);
  assert.equal((await ask('code/java/?class=Lno/Such;')).status, 404);
  for (const path of [
    'files/content/',
    'files/xml/?path=a',
    'resources/',
    'code/',
    'code/permissions/',
    'code/java/?class=a',
  ]) {
    assert.equal((await ask(path, null)).status, 401, path);
  }
  assert.equal((await workstation.ask(`/apks/${'0'.repeat(64)}/code/`)).status, 404);
});

test('a raster image is served with the type of its own signature, and nothing else is', async () => {
  const path = encode('res/drawable-hdpi-v4/abc_btn_check_to_on_mtrl_000.png');
  const image = await bytesOf(`files/image/?path=${path}`);
  assert.equal(image.status, 200);
  assert.equal(image.headers.get('content-type'), 'image/png');
  assert.equal(image.bytes.length, 227);
  const { status, body } = await ask('files/image/?path=assets%2Fhtml%2Findex.html');
  assert.equal(status, 422);
  assert.match(body.detail, /no PNG, JPEG, WebP or GIF/);
});

test('binary XML is shown as text with the names of resources', async () => {
  const { body } = await ask('files/xml/?path=AndroidManifest.xml');
  assert.match(body.text, /android:label="@string\/activity_sample_code"/);
  assert.equal((await ask('files/xml/?path=classes.dex')).status, 422);
});

test('resources are listed by type with their values in every configuration', async () => {
  const outline = (await ask('resources/')).body;
  const types = new Map(outline.packages[0].types.map(({ name, count }: never) => [name, count]));
  // aapt dump resources ApiDemos-debug.apk | grep -c 'spec resource 0x7f.*:string/'
  assert.equal(types.get('string'), 975);
  const found = (await ask('resources/values/?type=string&search=alert_dialog_ok')).body;
  assert.equal(found.count, 1);
  // aapt dump --values resources: 0x7f0f008b, (string8) "OK"
  assert.equal(found.results[0].id, '0x7f0f008b');
  assert.deepEqual(found.results[0].values[0], { config: '', kind: 'string', value: 'OK' });
  const page = (await ask('resources/values/?type=string&offset=970&limit=100')).body;
  assert.deepEqual([page.count, page.results.length], [975, 5]);
  const locales = (await ask('resources/values/?type=string&search=abc_action_bar_home_description')).body.results[0];
  assert.ok(locales.values.some(({ config }: { config: string }) => config === 'de'));
  assert.ok(locales.values.some(({ config }: { config: string }) => config === 'pt-rBR'));
});

test('the class tree opens package by package, down to a class with its smali and the lines of its members', async () => {
  const { dexes } = (await ask('code/')).body;
  // dexdump -f classes.dex: class_defs_size 5068
  assert.deepEqual([dexes[0].name, dexes[0].classes, dexes[0].is_embedded], ['classes.dex', 5068, false]);
  // unzip -l lists one app in the app.
  assert.deepEqual(
    dexes.slice(1).map(({ name, is_embedded }: { name: string; is_embedded: boolean }) => [name, is_embedded]),
    [['assets/HelloActivity.apk!/classes.dex', true]],
  );
  const top = (await ask('code/classes/')).body;
  assert.ok(top.packages.some(({ name }: { name: string }) => name === 'io'));
  const level = (await ask('code/classes/?package=io/appium/android/apis')).body;
  assert.ok(level.packages.some(({ name }: { name: string }) => name === 'io/appium/android/apis/app'));
  assert.ok(level.classes.some(({ name }: { name: string }) => name === 'Lio/appium/android/apis/ApiDemos;'));
  const found = (await ask(`code/class/?name=${encode('Lio/appium/android/apis/ApiDemos;')}`)).body;
  assert.equal(found.superclass, 'Landroid/app/ListActivity;');
  assert.equal(found.source, 'ApiDemos.java');
  const lines = found.smali.split('\n');
  for (const { name, line } of [...found.methods, ...found.fields]) assert.ok(lines[line - 1].includes(name), name);
});

test('the Java source of a class comes with what its text shows: names and the code that each part is made of', async () => {
  const inner = encode('Lio/appium/android/apis/app/ActionBarTabs$TabListener;');
  const { body } = await ask(`code/java/?class=${inner}&whole=true`);
  const { class: top, path, source, spans, lost, is_cut } = body;
  assert.deepEqual(
    [top, path, lost, is_cut],
    ['Lio/appium/android/apis/app/ActionBarTabs;', 'io/appium/android/apis/app/ActionBarTabs.java', 0, false],
  );
  type Shown = { start: number; end: number; symbol: string; address?: number; is_declaration?: true };
  const shown = (test: (span: Shown) => boolean) =>
    spans.filter(test).map(({ start, end }: Shown) => source.slice(start, end));
  const method = 'Lio/appium/android/apis/app/ActionBarTabs;->onAddTab(Landroid/view/View;)V';
  assert.deepEqual(
    shown(({ symbol, is_declaration }) => symbol === method && is_declaration === true),
    ['onAddTab'],
  );
  // Calls that the same method's smali has stand in the text that is said to be its code.
  const { smali, methods } = (await ask(`code/class/?name=${encode('Lio/appium/android/apis/app/ActionBarTabs;')}`))
    .body;
  const { line, addresses } = methods.find(({ name }: { name: string }) => name === 'onAddTab');
  const code = smali.split('\n').slice(line).join('\n').split('.end method')[0];
  const blocks = code.split('\n\n').slice(1);
  assert.equal(blocks.length, addresses.length);
  const call = blocks.findIndex((block: string) => block.includes('ActionBar;->getTabCount()I'));
  const made = shown(({ symbol, address }) => symbol === method && address === addresses[call]);
  assert.ok(made.length > 0 && made.every((text: string) => text.includes('getTabCount()')), made.join());
  assert.equal((await ask(`code/java/?class=${inner}&dex=no.dex`)).status, 404);
  assert.equal((await ask('code/java/?class=Landroid/app/Activity;')).status, 404);
});

test('the Java source of all code is searched page by page, files that name what is sought first, own code before libraries', async () => {
  type Line = { class: string; line: number; text: string };
  /** Asks for pages until so many lines were found: how many files one page comes to hangs on the machine. */
  const linesOf = async (q: string, enough: number): Promise<Line[]> => {
    const lines: Line[] = [];
    for (let cursor = 0; ; ) {
      const { body } = await ask(`code/java/search/?q=${encode(q)}&cursor=${cursor}`);
      assert.equal(body.failed, 0);
      lines.push(...body.results);
      if (body.next === null || lines.length >= enough) return lines;
      assert.deepEqual([body.next, body.next > cursor, body.total > body.next], [body.searched, true, true]);
      cursor = body.next;
    }
  };
  const [call] = await linesOf('sendTextMessage', 1);
  assert.equal(call!.class, 'Lio/appium/android/apis/os/SmsMessagingDemo;');
  assert.match(call!.text, /\.sendTextMessage\(/);
  const { body } = await ask(`code/java/?class=${encode(call!.class)}`);
  assert.equal(body.source.split('\n')[call!.line - 1].trim(), call!.text);
  // A constant in quotes, and words that no table has.
  const [constant] = await linesOf('"android.intent.action.MAIN"', 1);
  assert.ok(constant!.class.startsWith('Lio/appium/android/apis/'));
  const words = await linesOf('static final', 10);
  assert.ok(words.length >= 10 && words.every(({ text }) => text.includes('static final')));
  const otherwise = await ask('code/java/search/?q=SENDTEXTMESSAGE&case=true');
  assert.deepEqual(otherwise.body.results, []);
  assert.deepEqual(Object.keys((await ask('code/java/search/?q=')).body), ['q']);
  assert.deepEqual((await ask('code/java/search/?q=a&cursor=9999999')).body.next, null);
});

test('callers are those that dexdump finds, through subclasses too', async () => {
  const of = encode(
    'Lio/appium/android/apis/ApiDemos;->addItem(Ljava/util/List;Ljava/lang/String;Landroid/content/Intent;)V',
  );
  // dexdump -d classes.dex | grep -c 'invoke.*ApiDemos;.addItem:'
  const { body } = await ask(`code/references/?of=${of}`);
  assert.equal(body.count, 3);
  assert.equal(body.results[0].class, 'Lio/appium/android/apis/ApiDemos;');
  assert.equal(body.results[0].method, 'getData(Ljava/lang/String;)Ljava/util/List;');
  // Activities inherit setContentView: dexdump names their own classes at each of the calls.
  const inherited = await ask(`code/references/?of=${encode('Landroid/app/Activity;->setContentView(I)V')}&limit=1`);
  assert.ok(inherited.body.count > 150);
  assert.equal(inherited.body.results.length, 1);
  const string = await ask(`code/references/?of=${encode('"appium.android.intent.category.SAMPLE_CODE')}`);
  // dexdump -d classes.dex | grep -c 'const-string.*SAMPLE_CODE'
  assert.equal(string.body.count, 1);
  const uses = await ask(`code/references/?of=${encode('Lio/appium/android/apis/ApiDemos;')}`);
  assert.ok(
    uses.body.results.some(({ opcode }: { opcode: string }) => opcode === 'const-class' || opcode.startsWith('invoke')),
  );
});

test('callees of a method are what its code refers to, in order', async () => {
  const of = encode(
    'Lio/appium/android/apis/ApiDemos;->activityIntent(Ljava/lang/String;Ljava/lang/String;)Landroid/content/Intent;',
  );
  const { results } = (await ask(`code/references/?of=${of}&direction=callees`)).body;
  assert.deepEqual(
    results.map(({ opcode, target }: { opcode: string; target: string }) => `${opcode} ${target}`),
    // dexdump -d classes.dex
    [
      'new-instance Landroid/content/Intent;',
      'invoke-direct Landroid/content/Intent;-><init>()V',
      'invoke-virtual Landroid/content/Intent;->setClassName(Ljava/lang/String;Ljava/lang/String;)Landroid/content/Intent;',
    ],
  );
  assert.ok(results.every(({ is_own }: { is_own: boolean }) => !is_own));
});

test('all code is searched by text or pattern, by kind, in pages', async () => {
  const strings = (await ask('code/search/?q=SAMPLE_CODE&kinds=string&case=true')).body;
  assert.deepEqual(strings.results, [
    { kind: 'string', text: 'appium.android.intent.category.SAMPLE_CODE', renamed: null, dex: 'classes.dex', uses: 1 },
  ]);
  const api = (await ask('code/search/?q=SmsManager.sendTextMessage&kinds=api')).body;
  assert.equal(api.results[0].uses, 1);
  const classes = (await ask(`code/search/?q=${encode('^Lio/appium/.*Demos;$')}&kinds=class&regex=true`)).body;
  assert.deepEqual(
    classes.results.map(({ text }: { text: string }) => text),
    ['Lio/appium/android/apis/ApiDemos;'],
  );
  const all = (await ask('code/search/?q=intent&limit=3&offset=3')).body;
  assert.equal(all.results.length, 3);
  assert.ok(all.counts.class > 0 && all.counts.method > 0 && all.counts.string > 0);
});

test('a pattern that backtracks without end is answered all the same, and the next question too', async () => {
  const { status } = await ask(`code/search/?q=${encode('(([a-z/])+.)+[A-Z]([a-z])+~$')}&regex=true`);
  assert.equal(status, 200);
  assert.equal((await ask('code/')).status, 200);
});

test('code that uses what a permission guards is found by permission', async () => {
  const { permissions } = (await ask('code/permissions/')).body;
  const sms = permissions.find(({ name }: { name: string }) => name === 'android.permission.SEND_SMS');
  assert.equal(sms.count, 1);
  assert.match(sms.uses[0].target, /SmsManager;->sendTextMessage/);
  const camera = permissions.find(({ name }: { name: string }) => name === 'android.permission.CAMERA');
  assert.ok(camera.uses.some(({ target }: { target: string }) => target.startsWith('Landroid/hardware/Camera;->open')));
});

test('each report can be had by itself', async () => {
  const { body: apk } = await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  const of = async (part: string) => workstation.ask(`/apks/${apk.sha256}/analysis/${part}/`);
  assert.equal((await of('androguard')).body.package_name, 'io.appium.unlock');
  assert.equal((await of('cuckoo')).body.target.category, 'file');
  assert.equal((await of('poetry')).status, 404);
});

test('entries of one name are told apart by their place, and hostile names are only data', async () => {
  const manifest = openManifest(realApks.unlock).archive;
  const name = '../../../../etc/passwd\r\nSet-Cookie: a=b';
  const apk = buildZip({
    entries: [
      { name: 'AndroidManifest.xml', content: manifest.read(manifest.get('AndroidManifest.xml')!) },
      { name: 'twice', content: 'the first' },
      { name: 'twice', content: 'the second' },
      { name, content: 'hostile' },
      { name: 'res/a.png', content: '<svg onload="alert(1)"/>' },
      {
        name: 'lib/x86_64/liba.so',
        content: buildElf({
          machine: 62,
          symbols: [{ name: 'Java_a_B_c', isDefined: true, value: 0x11000, size: 2 }],
          constants: Buffer.from([0x5d, 0xc3]),
          constantsAt: 0x1000,
        }),
      },
      { name: 'assets/<b>.bundle', content: buildHermes({ strings: ['<script>', 'https://c2.example/gate'] }) },
    ],
  });
  const { sha256: hostile } = (await workstation.upload(apk)).body;
  const text = async (query: string) => {
    const headers = { authorization: `Token ${workstation.ownerToken}` };
    const response = await fetch(`${workstation.url}/apks/${hostile}/files/content/?${query}`, { headers });
    assert.equal(response.headers.get('set-cookie'), null);
    return response.text();
  };
  assert.equal(await text('path=twice'), 'the first');
  assert.equal(await text('index=2'), 'the second');
  assert.equal(await text('path=twice&nth=1'), 'the second');
  assert.equal((await workstation.ask(`/apks/${hostile}/files/content/?path=twice&nth=2`)).status, 404);
  assert.equal(await text(`path=${encode(name)}`), 'hostile');
  assert.equal((await workstation.ask(`/apks/${hostile}/files/image/?path=res%2Fa.png`)).status, 422);
  assert.deepEqual((await workstation.ask(`/apks/${hostile}/code/`)).body, { dexes: [], unreadable: [] });
  assert.deepEqual((await workstation.ask(`/apks/${hostile}/resources/`)).body, { packages: [] });

  // Functions of its native library, their code, and what they are to Java.
  const native = async (question: string) => workstation.ask(`/apks/${hostile}/native/${question}`);
  const functions = (await native('functions/?path=lib/x86_64/liba.so')).body;
  assert.deepEqual(functions.results[0].java, { class: 'La/B;', method: 'c', parameters: null });
  const { instructions, next } = (await native('code/?path=lib/x86_64/liba.so&address=0x11000')).body;
  assert.deepEqual(
    [instructions.map(({ mnemonic }: { mnemonic: string }) => mnemonic), instructions[1].bytes, next],
    [['pop', 'ret'], 'c3', null],
  );
  assert.equal((await native('methods/?class=La/B;')).body.results[0].address, 0x11000);
  const { results: bundles } = (await native('bundles/')).body;
  assert.deepEqual(
    bundles.map(({ path, kind, version, strings }: BundleRecord) => [path, kind, version, strings]),
    [['assets/<b>.bundle', 'hermes', '96', 2]],
  );
  const bundle = `bundles/strings/?path=${encode('assets/<b>.bundle')}`;
  assert.deepEqual(
    (await native(`${bundle}&limit=1`)).body.results.map(({ text }: { text: string }) => text),
    ['<script>'],
  );
  assert.deepEqual((await native(`${bundle}&search=GATE`)).body.count, 1);
  const statuses = [
    'bundles/strings/?path=none',
    'bundles/strings/?path=twice',
    'bundles/strings/',
    'functions/?path=none',
    'functions/?path=twice',
    'code/?path=lib/x86_64/liba.so&address=1',
    'code/',
  ];
  assert.deepEqual(
    await Promise.all(statuses.map(async (question) => (await native(question)).status)),
    [404, 404, 400, 404, 422, 404, 400],
  );
});

test('a text or bytes are found wherever they stand in a file, also in two bytes a letter, and in the APK itself', async () => {
  const file = readFileSync(realApks.apiDemos);
  const html = (await bytesOf('files/content/?path=assets%2Fhtml%2Findex.html')).bytes;
  const found = await ask('files/search/?path=assets%2Fhtml%2Findex.html&q=%3C');
  assert.equal(found.status, 200);
  const wanted = [...html.entries()].filter(([, byte]) => byte === 0x3c).map(([offset]) => ({ offset, length: 1 }));
  assert.deepEqual([found.body.count, found.body.results, found.body.size], [wanted.length, wanted, html.length]);
  const wide = (await ask('files/search/?path=AndroidManifest.xml&q=manifest')).body;
  assert.ok(wide.results.some(({ length }: { length: number }) => length === 16) && wide.count >= 1);
  // Also where one stands over the end of what is read at a time.
  const at = (1 << 20) - 3;
  const across = (await ask(`files/search/?as=hex&q=${file.subarray(at, at + 8).toString('hex')}`)).body;
  assert.ok(across.results.some(({ offset }: { offset: number }) => offset === at));
  const end = file.lastIndexOf('PK\x05\x06');
  const record = (await ask('files/search/?as=hex&q=50 4B 05 06')).body;
  assert.deepEqual(record.results.at(-1), { offset: end, length: 4 });
  assert.deepEqual(Object.keys((await ask('files/search/?as=hex&q=5')).body), ['q']);
  assert.equal((await ask('files/search/?path=AndroidManifest.xml&q=nothing+of+this+kind')).body.count, 0);
});

test('the entropy of a file is told as a whole and by stretches', async () => {
  const text = (await ask('files/entropy/?path=assets%2Fhtml%2Findex.html')).body;
  assert.deepEqual([text.size, text.block, text.blocks.length], [376, 256, 2]);
  assert.ok(text.entropy > 3 && text.entropy < 6);
  const whole = (await ask('files/entropy/')).body;
  assert.ok(whole.entropy > 7 && whole.entropy <= 8, `${whole.entropy}`);
  assert.ok(whole.blocks.length <= 256 && whole.block * whole.blocks.length >= whole.size);
});

const notesCode = (text: string) =>
  buildDex({
    classes: [
      {
        descriptor: 'Lcom/example/two/Main;',
        methods: [
          {
            name: 'run',
            descriptor: '()V',
            accessFlags: 9,
            code: {
              registers: 1,
              outs: 1,
              units: (pool) => [
                ...[0x001a, pool.string(text)],
                ...[0x1071, pool.method('Ljava/lang/System;', 'load', '(Ljava/lang/String;)V'), 0x0000],
                0x000e,
              ],
            },
          },
        ],
      },
    ],
  });

test('two APKs are compared, the lower version code on the left, once both have a static report', async () => {
  const version = (versionCode: number, permission: string) =>
    buildZip({
      entries: [
        {
          name: 'AndroidManifest.xml',
          content: buildAxml(
            element(
              'manifest',
              { package: 'com.example.two', 'android:versionCode': versionCode },
              element('uses-permission', { 'android:name': permission }),
            ),
          ),
        },
        { name: 'classes.dex', content: notesCode(`version ${versionCode}`) },
      ],
    });
  const newer = (await workstation.upload(version(10, 'android.permission.SEND_SMS'))).body.sha256 as string;
  const older = (await workstation.upload(version(9, 'android.permission.CAMERA'))).body.sha256 as string;
  await workstation.server.idle();
  const { status, body } = await workstation.ask(`/apks/${newer}/compare/${older}/`);
  assert.equal(status, 200);
  assert.deepEqual([body.first, body.second], [older, newer]);
  assert.deepEqual(
    body.parts.permissions.differences.map(({ state, name }: { state: string; name: string }) => [state, name]),
    [
      ['removed', 'android.permission.CAMERA'],
      ['added', 'android.permission.SEND_SMS'],
    ],
  );
  assert.ok(body.manifest.hunks[0].lines.some((line: string) => line.startsWith('+') && line.includes('SEND_SMS')));
  // Whoever does not wait hears how far it is, or at once what is known already.
  assert.equal((await workstation.ask(`/apks/${older}/compare/${newer}/?wait=0`)).status, 200);
  assert.deepEqual(Object.keys((await workstation.ask(`/apks/${older}/compare/${newer}/?wait=-1`)).body), ['wait']);
  assert.equal((await ask(`compare/${'0'.repeat(64)}/`)).status, 404);
  assert.equal((await ask(`compare/${older}/`, null)).status, 401);

  const lines = `/apks/${newer}/compare/${older}/lines/`;
  const changed = ({ hunks }: ComparedLines) =>
    hunks.flatMap(({ rows }) =>
      rows.filter(({ state }) => state !== 'same').map((row) => [row.state, row.first?.trim(), row.second?.trim()]),
    );
  const method = `Lcom/example/two/Main;->${encode('run()V')}`;
  const smali = await workstation.ask(`${lines}?first=${method}&second=${method}`);
  assert.deepEqual(changed(smali.body), [['changed', 'const-string v0, "version 9"', 'const-string v0, "version 10"']]);
  const java = (await workstation.ask(`${lines}?first=${method}&second=${method}&as=java&whole=true`)).body;
  const literal = (version: number) => `System.load("version ${version}");`;
  assert.deepEqual(changed(java), [['changed', literal(9), literal(10)]]);
  assert.match(java.hunks[0].rows[0].first, /^public static void run\(\) \{$/);
  const whole = await workstation.ask(`${lines}?first=Lcom/example/two/Main;&second=Lcom/example/two/Main;&as=java`);
  assert.deepEqual(changed(whole.body), changed(java));
  assert.equal((await workstation.ask(`${lines}?first=Lno/Such;&as=java`)).status, 404);
  assert.deepEqual(Object.keys((await workstation.ask(`${lines}?first=${method}&as=kotlin`)).body), ['as']);
  const manifest = (await workstation.ask(`${lines}?whole=true`)).body;
  assert.ok(changed(manifest).some(([, one, other]) => one?.includes('CAMERA') && other?.includes('SEND_SMS')));
  assert.ok(manifest.hunks.length === 1 && manifest.hunks[0].rows[0].first.startsWith('<?xml'));
  const gone = await workstation.ask(`${lines}?first=Lcom/example/two/Main;`);
  assert.ok(changed(gone.body).every(([state]) => state === 'removed'));
  assert.equal((await workstation.ask(`${lines}?first=Lno/Such;`)).status, 404);
  assert.equal((await workstation.ask(lines, { token: null })).status, 401);

  const { store } = workstation.server;
  const { id } = (await store.apks.findBySha256(older))!;
  await store.transaction(({ reports }) => reports.remove(id, 'androguard'));
  const missing = await workstation.ask(`/apks/${newer}/compare/${older}/`);
  assert.equal(missing.status, 404);
  assert.match(missing.body.detail, new RegExp(`none of ${older}\\. Start it by POST /apks/${older}/analyze_static/`));
});
