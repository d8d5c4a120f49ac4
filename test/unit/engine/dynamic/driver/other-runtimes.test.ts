import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherRuntimes } from '../../../../../server/engine/dynamic/driver/other-runtimes.ts';

test('code for other runtimes is told by the files that hold it, each once', () => {
  const entries = [
    'classes.dex',
    'lib/arm64-v8a/libapp.so',
    'lib/armeabi-v7a/libapp.so',
    'assets/index.android.bundle',
    'assemblies/assemblies.blob',
    'lib/arm64-v8a/libil2cpp.so',
    'assets/www/index.html',
    'lib/x86_64/libpython3.11.so',
  ];
  assert.deepEqual(
    otherRuntimes(entries).map(({ name }) => name),
    ['Flutter', 'React Native', '.NET', 'Unity', 'Cordova', 'Python'],
  );
  assert.deepEqual(otherRuntimes(['lib/arm64-v8a/libapplication.so', 'assets/www/app.js']), []);
});
