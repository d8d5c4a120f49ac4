// Telephony, messages, packages, location, accounts and the phone itself: what they answer and what the report hears of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JavaObject, Phone } from '../../../../../fixtures/dynamic/phone.ts';

const phone = new Phone();
const { call, get, context } = phone;
const service = (name: string): JavaObject =>
  context.get('getSystemService(Ljava/lang/String;)Ljava/lang/Object;', name);

test('identifiers of the phone are taken from it and tainted by their kind', () => {
  const telephony = service('phone');
  assert.match(String(telephony.call('getDeviceId')), /^\d{15}$/);
  assert.match(String(telephony.call('getSubscriberId')), /^\d{15}$/);
  assert.match(String(telephony.call('getNetworkCountryIso')), /^[a-z]{2}$/);
  const { machine } = phone;
  const tags = (method: string) => {
    let found: string[] = [];
    machine.run(() => {
      const value = machine.call(telephony.object, `${method}()Ljava/lang/String;`);
      found = machine.tagsOf(machine.deepTaint(value));
    });
    return found;
  };
  assert.deepEqual(tags('getDeviceId'), ['TAINT_IMEI']);
  assert.deepEqual(tags('getSubscriberId'), ['TAINT_IMSI']);
  assert.deepEqual(tags('getLine1Number'), ['TAINT_PHONE_NUMBER']);
});

test('a sent message is told, and a long one divided', () => {
  const manager = get('android.telephony.SmsManager.getDefault');
  manager.call('sendTextMessage', '+4912345', null, 'hello', null, null);
  const parts = manager.get('divideMessage', 'x'.repeat(200));
  assert.ok(parts.elements.length > 1);
  const told = phone.recorder.notes.sendsms.map(({ number, message }) => `${number} ${message}`);
  assert.deepEqual(told, ['+4912345 hello']);
});

test('a message is read from its PDU', () => {
  const pdu = Buffer.from('07911326040000F0040B911346610089F60000208062917314080CC8F71D14969741F977FD07', 'hex');
  const message = get('android.telephony.SmsMessage.createFromPdu', pdu);
  assert.equal(message.call('getOriginatingAddress'), '+31641600986');
  assert.equal(message.call('getMessageBody'), 'How are you?');
  assert.equal(call('android.telephony.SmsMessage.createFromPdu', null), null);
});

test('the PackageManager knows this app, its permissions and others', () => {
  const packages = context.get('getPackageManager');
  const info = packages.get('getPackageInfo', 'com.example.app', 4096);
  assert.equal(phone.machine.getField(info.object, 'versionCode'), 1);
  assert.equal(packages.call('checkPermission', 'android.permission.CAMERA', 'com.example.app'), -1);
  assert.throws(() => packages.call('getPackageInfo', 'no.such.app', 0), { message: /NameNotFoundException/ });
  assert.equal(packages.call('getLaunchIntentForPackage', 'no.such.app'), null);
  assert.throws(() => packages.call('queryIntentActivities', null, 0), {
    message: /^java\.lang\.NullPointerException/,
  });
});

test('the distance between two places is that of the sphere', () => {
  const { machine } = phone;
  const results = machine.array('F', 1);
  machine.run(() => {
    machine.callStatic(
      'Landroid/location/Location;',
      'distanceBetween(DDDD[F)V',
      52.52,
      13.405,
      48.8566,
      2.3522,
      results,
    );
  });
  assert.ok(Math.abs((results.elements as Float32Array)[0]! - 878_000) < 5_000, String(results.elements));
  const none = () => call('android.location.Location.distanceBetween', 1.5, 1.5, 1.5, 1.5, null);
  assert.throws(none, { message: 'java.lang.IllegalArgumentException: results is null or has length < 1' });
});

test('a missing listener and a missing buffer are refused as on Android', () => {
  assert.throws(() => service('location').call('removeUpdates(Landroid/location/LocationListener;)V', null), {
    message: /IllegalArgumentException/,
  });
  assert.equal(service('sensor').call('registerListener', null, null, 3), false);
  const record = phone.machine.allocate('Landroid/media/AudioRecord;');
  let read: unknown = null;
  phone.machine.run(() => {
    read = phone.machine.call(record, 'read([BII)I', null, 0, 5);
  });
  assert.equal(read, -2);
});

test('Build names one phone throughout', () => {
  const value = (name: string) => phone.constant('android.os.Build', name);
  assert.ok(String(value('FINGERPRINT')).startsWith(`${value('BRAND')}/`));
  assert.equal(phone.constant('android.os.Build$VERSION', 'SDK_INT'), 28);
  assert.equal(phone.constant('android.os.Build$VERSION', 'RELEASE'), '9');
});

test('the network is there, by Wi-Fi', () => {
  const network = service('connectivity').get('getActiveNetworkInfo');
  assert.equal(network.call('isConnected'), true);
  assert.equal(network.call('getTypeName'), 'WIFI');
});

test('a MediaPlayer is prepared, plays by the clock, stands still while it pauses, and comes to its end', () => {
  const player = phone.make('android.media.MediaPlayer');
  const heard: string[] = [];
  const type = 'Landroid/media/MediaPlayer;';
  const listener = (kind: string) =>
    phone.implement(`android.media.MediaPlayer$On${kind}Listener`, {
      [`on${kind}(${type})V`]: () => void heard.push(`${kind} at ${player.call('getCurrentPosition')}`),
    });
  player.call('setOnPreparedListener', listener('Prepared'));
  player.call('setOnCompletionListener', listener('Completion'));
  player.call('prepareAsync');
  phone.wait(100);
  player.call('start');
  phone.wait(5_000);
  player.call('pause');
  assert.equal(player.call('isPlaying'), false);
  phone.wait(300_000);
  assert.equal(player.call('getCurrentPosition'), 5_000);
  player.call('start');
  phone.wait(200_000);
  assert.deepEqual(heard, ['Prepared at 0', `Completion at ${player.call('getDuration')}`]);
});
