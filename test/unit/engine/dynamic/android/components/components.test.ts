// Intents, bundles, parcels, contexts and broadcasts as Android's reference describes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JavaObject, Phone, type Plain } from '../../../../../fixtures/dynamic/phone.ts';

const phone = new Phone();
const { call, get, make, context } = phone;
const S = 'Ljava/lang/String;';
const intent = (...args: Plain[]): JavaObject => make('android.content.Intent', ...args);
const uri = (text: string) => get('android.net.Uri.parse', text);

test('extras of an Intent are read by name and type, with a default for others', () => {
  const made = intent('a.ACTION');
  made.call(`putExtra(${S}${S})Landroid/content/Intent;`, 's', 'text');
  made.call(`putExtra(${S}I)Landroid/content/Intent;`, 'i', 7);
  made.call(`putExtra(${S}[${S})Landroid/content/Intent;`, 'list', ['a', 'b']);
  assert.equal(made.call('getAction'), 'a.ACTION');
  assert.equal(made.call('getStringExtra', 's'), 'text');
  assert.equal(made.call('getStringExtra', 'i'), null);
  assert.equal(made.call('getIntExtra', 'i', -1), 7);
  assert.equal(made.call('getIntExtra', 'none', -1), -1);
  assert.deepEqual(made.call('getStringArrayExtra', 'list'), ['a', 'b']);
  assert.equal(made.call('hasExtra', 's'), true);
  made.call('removeExtra', 's');
  assert.equal(made.get('getExtras').call('size'), 2);
  assert.equal(intent().call('getExtras'), null);
});

test('data and type of an Intent replace each other unless set together', () => {
  const made = intent('android.intent.action.VIEW', uri('http://a.example/'));
  assert.equal(made.call('getDataString'), 'http://a.example/');
  made.call('setType', 'text/plain');
  assert.equal(made.call('getData'), null);
  made.call('setDataAndType', uri('file:///a'), 'image/png');
  assert.deepEqual([made.call('getDataString'), made.call('getType')], ['file:///a', 'image/png']);
  assert.equal(made.call('getScheme'), 'file');
});

test('an Intent names a component, keeps flags and categories, and is copied with them', () => {
  const made = intent(context, phone.classObject('java.lang.String'));
  assert.equal(made.get('getComponent').call('getClassName'), 'java.lang.String');
  assert.equal(made.get('getComponent').call('getPackageName'), 'com.example.app');
  made.call('addFlags', 0x10000000);
  made.call('addFlags', 4);
  made.call('addCategory', 'c.D');
  const copy = intent(made);
  assert.equal(copy.call('getFlags'), 0x10000004);
  assert.equal(copy.call('hasCategory', 'c.D'), true);
  assert.throws(() => intent(null, phone.classObject('java.lang.String')), {
    message: /^java\.lang\.NullPointerException/,
  });
});

test('an Intent is written as a URI and read from it', () => {
  const made = intent('a.ACTION', uri('http://a.example/b'));
  made.call(`putExtra(${S}I)Landroid/content/Intent;`, 'n', 5);
  const text = made.call('toUri', 1);
  assert.match(String(text), /^intent:\/\/a\.example\/b#Intent;scheme=http;action=a\.ACTION;.*i\.n=5;.*end$/);
  const read = get('android.content.Intent.parseUri', text, 1);
  assert.equal(read.call('getIntExtra', 'n', 0), 5);
  assert.equal(read.call('getDataString'), 'http://a.example/b');
});

test('a Bundle holds values of any type, and another bundle', () => {
  const bundle = make('android.os.Bundle');
  bundle.call('putLong', 'l', 8n);
  bundle.call('putByteArray', 'b', Buffer.from('ab'));
  bundle.call('putString', 's', null);
  const outer = make('android.os.Bundle');
  outer.call('putBundle', 'inner', bundle);
  assert.equal(outer.get('getBundle', 'inner').call('getLong', 'l'), 8n);
  assert.deepEqual(bundle.call('getByteArray', 'b'), Buffer.from('ab'));
  assert.equal(bundle.call('getString', 'none', 'default'), 'default');
  assert.equal(bundle.call('containsKey', 's'), true);
  assert.equal(bundle.call('getInt', 'l', 3), 3);
  assert.deepEqual(bundle.get('keySet').elements.sort(), ['b', 'l', 's']);
  assert.equal(outer.call('isEmpty'), false);
  bundle.call('clear');
  assert.equal(bundle.call('isEmpty'), true);
});

test('a Parcel gives what was written, in the same order', () => {
  const parcel = get('android.os.Parcel.obtain');
  parcel.call('writeInt', 7);
  parcel.call('writeString', 'text');
  parcel.call('writeStringArray', ['a', null]);
  parcel.call('setDataPosition', 0);
  assert.equal(parcel.call('readInt'), 7);
  assert.equal(parcel.call('readString'), 'text');
  assert.deepEqual(parcel.call('createStringArray'), ['a', null]);
});

test('a ComponentName is flattened and read', () => {
  const name = make('android.content.ComponentName', 'a.b', 'a.b.C');
  assert.equal(name.call('flattenToString'), 'a.b/a.b.C');
  assert.equal(name.call('flattenToShortString'), 'a.b/.C');
  assert.equal(get('android.content.ComponentName.unflattenFromString', 'a.b/.C').call('equals', name), true);
  assert.equal(call('android.content.ComponentName.unflattenFromString', 'a.b'), null);
});

test('a Context knows its package, its files and its services', () => {
  assert.equal(context.call('getPackageName'), 'com.example.app');
  assert.equal(context.get('getFilesDir').call('getPath'), '/data/data/com.example.app/files');
  const out = context.get('openFileOutput', 'own.txt', 0);
  out.call('write([B)V', Buffer.from('kept'));
  out.call('close');
  assert.deepEqual(context.call('fileList'), ['own.txt']);
  assert.deepEqual(context.get('openFileInput', 'own.txt').call('readAllBytes'), Buffer.from('kept'));
  assert.throws(() => context.call('openFileInput', 'none'), { message: /^java\.io\.FileNotFoundException/ });
  assert.equal(context.call(`getSystemService(${S})Ljava/lang/Object;`, 'no-such-service'), null);
  assert.equal(context.get('getApplicationContext').object, context.object);
});

test('a registered receiver hears what matches its filter until it is unregistered', () => {
  const heard: Plain[] = [];
  const receiver = phone.implement(
    'android.content.BroadcastReceiver',
    {
      'onReceive(Landroid/content/Context;Landroid/content/Intent;)V': (_context, received) => {
        heard.push((received as JavaObject).call('getAction'));
        return undefined;
      },
    },
    'android.content.BroadcastReceiver',
  );
  context.call('registerReceiver', receiver, make('android.content.IntentFilter', 'a.HEARD'));
  for (const action of ['a.HEARD', 'a.OTHER']) context.call('sendBroadcast', intent(action));
  phone.wait(1_000);
  assert.deepEqual(heard, ['a.HEARD']);
  context.call('unregisterReceiver', receiver);
  context.call('sendBroadcast', intent('a.HEARD'));
  phone.wait(1_000);
  assert.deepEqual(heard, ['a.HEARD']);
  assert.throws(() => context.call('unregisterReceiver', receiver), {
    message: /^java\.lang\.IllegalArgumentException/,
  });
});

test('an activity that nobody has is not started', () => {
  const missing = make('android.content.Intent').get('setClassName', 'com.example.app', 'com.example.app.Missing');
  assert.throws(() => context.call('startActivity', missing), {
    message: /^android\.content\.ActivityNotFoundException/,
  });
});
