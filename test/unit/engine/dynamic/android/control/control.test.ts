// What the owner allows and what the app may then do: permissions, device administration, installing, screens of others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JavaObject, Phone } from '../../../../../fixtures/dynamic/phone.ts';

const phone = new Phone();
const { make, context } = phone;
const service = (name: string): JavaObject =>
  context.get('getSystemService(Ljava/lang/String;)Ljava/lang/Object;', name);

test('a dangerous permission is denied until it is asked for, one that was not declared for ever', () => {
  assert.equal(context.call('checkSelfPermission', 'android.permission.READ_PHONE_STATE'), -1);
  assert.equal(context.call('checkSelfPermission', 'android.permission.CAMERA'), -1);
  const activity = make('android.app.Activity');
  assert.throws(() => activity.call('requestPermissions', null, 1), {
    message: 'java.lang.IllegalArgumentException: permission cannot be null or empty',
  });
  activity.call('requestPermissions', ['android.permission.READ_PHONE_STATE', 'android.permission.CAMERA'], 1);
  assert.equal(context.call('checkSelfPermission', 'android.permission.READ_PHONE_STATE'), 0);
  assert.equal(context.call('checkSelfPermission', 'android.permission.CAMERA'), -1);
});

test('an app that is no administrator may not lock the phone', () => {
  const admin = make('android.content.ComponentName', 'com.example.app', 'com.example.app.Admin');
  assert.equal(service('device_policy').call('isAdminActive', admin), false);
  assert.equal(service('device_policy').call('isDeviceOwnerApp', 'com.example.app'), false);
});

test('a session of the installer takes an APK and is told', () => {
  const installer = context.get('getPackageManager').get('getPackageInstaller');
  const parameters = make('android.content.pm.PackageInstaller$SessionParams', 1);
  const session = installer.get('openSession', installer.call('createSession', parameters));
  const out = session.get('openWrite', 'base.apk', 0n, -1n);
  out.call('write([B)V', Buffer.from('PK'));
  out.call('close');
  assert.ok(session.className.includes('Session'));
});
