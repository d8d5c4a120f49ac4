import assert from 'node:assert/strict';
import { test } from 'node:test';
import { xmlReference, xmlReferenceAddress } from '../../../renderer/components/code/xml-references.ts';
import { codeAddress, placeAddress, placeName, seekOf } from '../../../renderer/components/place/place-address.ts';

const at = (place: string) => {
  const address = placeAddress('abc', place);
  return address === null ? null : decodeURIComponent(address.replaceAll('+', ' '));
};

test('classes and methods are named as Java writes them, other places stay as they are', () => {
  assert.equal(placeName('Lcom/a/B;-><init>()V'), 'com.a.B.<init>()');
  assert.equal(placeName('Lcom/a/B;'), 'com.a.B');
  for (const place of ['AndroidManifest.xml:activity:com.a.B', '@string/a', 'Lcom/a/B;->f:I', 'resources.arsc:0x1f']) {
    assert.equal(placeName(place), place);
  }
});

test('methods of one name are told apart by the types of their parameters', () => {
  assert.equal(placeName('Lcom/a/B$1;->m(ILjava/lang/String;)V'), 'com.a.B$1.m(int, String)');
  assert.equal(placeName('Lcom/a/B$1;->m([[JLTop;[Lcom/a/C$D;)I'), 'com.a.B$1.m(long[][], Top, C$D[])');
});

test('parameters that are no types are named as they stand, however long they are', () => {
  assert.equal(placeName('Lcom/a/B;->m(?I[V)V'), 'com.a.B.m(?, int, V[])');
  assert.equal(placeName('Lcom/a/B;->m(ILcom/a)V'), 'com.a.B.m(int, Lcom/a)');
  const length = 1_000_000;
  assert.equal(placeName(`La;->m(${'['.repeat(length)})V`), `a.m(${'[]'.repeat(length)})`);
  assert.equal(placeName(`La;->m(${'L'.repeat(length)})V`), `a.m(${'L'.repeat(length)})`);
});

test('places of a report lead to the part that shows them', () => {
  assert.equal(at('Lcom/a/B;->m(I)V'), '/apks/abc/code?class=Lcom/a/B;&member=m(I)V');
  assert.equal(at('classes2.dex:Lcom/a/B;'), '/apks/abc/code?class=Lcom/a/B;');
  assert.equal(at('AndroidManifest.xml:activity:com.a.B'), '/apks/abc/manifest?find=com.a.B');
  assert.equal(at('AndroidManifest.xml'), '/apks/abc/manifest');
  assert.equal(at('@string/app_name'), '/apks/abc/resources?type=string&find=app_name');
  assert.equal(at('certificate 9DEA'), '/apks/abc/signature');
  const other = 'd'.repeat(64);
  assert.equal(at(`apk:${other}`), `/apks/${other}`);
  assert.equal(placeName(`apk:${other}`), 'apk:dddddddddddd…');
  assert.equal(at('lib/arm64-v8a/libx.so'), '/apks/abc/files?path=lib/arm64-v8a/libx.so');
  assert.equal(at('a/b.c/d.json'), '/apks/abc/files?path=a/b.c/d.json');
  assert.equal(at('resources.arsc:0x1f'), '/apks/abc/files?path=resources.arsc&view=hex&at=31');
  assert.equal(at('classes.dex:string@5'), '/apks/abc/files?path=classes.dex');
  assert.equal(at('signing block 0x71777777'), '/apks/abc/signature');
  assert.equal(at('start of file'), '/apks/abc/files?whole=&view=hex&at=0&length=1');
  assert.equal(at('dynamic:timeline'), '/apks/abc/dynamic');
  assert.equal(at('dynamic:network'), '/apks/abc/dynamic?part=network');
  assert.equal(at('device:timeline'), '/apks/abc/dynamic?run=device');
  assert.equal(at('device:code'), '/apks/abc/dynamic?run=device&part=code');
  assert.equal(at('code'), '/apks/abc/code');
  assert.equal(at('native_libraries'), '/apks/abc/native');
  for (const text of ['', 'toString', '12 more of the same']) assert.equal(at(text), null, text);
});

test('paths without an ending and instructions without a target are read in one go, however long they are', () => {
  assert.equal(at('a/'.repeat(100_000)), null);
  assert.equal(seekOf(`const/4 v0, ${'L'.repeat(1_000_000)}`), '');
});

test('a hostile name stays one value of the address', () => {
  const address = codeAddress('abc', 'L<a href="x">&class=Lb;/A;->m&x=#y');
  const { searchParams, hash } = new URL(address, 'http://x');
  assert.deepEqual(
    [...searchParams],
    [
      ['class', 'L<a href="x">&class=Lb;/A;'],
      ['member', 'm&x=#y'],
    ],
  );
  assert.equal(hash, '');
});

test('the line that an instruction stands in is sought by what smali writes too', () => {
  assert.equal(
    seekOf('invoke-virtual/range v2 ... v7, Landroid/telephony/SmsManager;->sendTextMessage(Ljava/lang/String; I)V'),
    'Landroid/telephony/SmsManager;->sendTextMessage',
  );
  assert.equal(seekOf('invoke-virtual v0, [Lcom/a/B;->clone()Ljava/lang/Object;'), 'Lcom/a/B;->clone');
  assert.equal(seekOf("const-string v0, 'application/vnd'"), '"application/vnd');
  assert.equal(seekOf('android:exported="true"'), '');
});

test('values in XML lead to classes, resources and permissions, and nothing else leads anywhere', () => {
  const to = (value: string) => {
    const address = xmlReferenceAddress('abc', value, 'com.app');
    return address === null ? null : decodeURIComponent(address);
  };
  assert.equal(to('.Main'), '/apks/abc/code?class=Lcom/app/Main;');
  assert.equal(to('com.a.B$C'), '/apks/abc/code?class=Lcom/a/B$C;');
  assert.equal(to('@string/app_name'), '/apks/abc/resources?type=string&find=app_name');
  assert.equal(to('android.permission.SEND_SMS'), '/apks/abc/permissions');
  assert.equal(to('android.intent.action.MAIN'), null);
  assert.equal(to('android.hardware.camera'), null);
  const line =
    '<activity android:name=".Main" android:label="@string/a" android:exported="true" android:taskAffinity=""/>';
  assert.deepEqual(line.match(xmlReference), ['.Main', '@string/a']);
});
