// What is wrong with a corrupted APK, and how its file is called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corruptions, damageOf } from '../../../server/contract/catalogue/damage.ts';
import { fileNameOf } from '../../../server/contract/catalogue/file-name.ts';

test('unsigned, failing and damaged APKs are told apart, by the gravest where there is more than one reason', () => {
  assert.equal(damageOf([]), null);
  assert.equal(damageOf([corruptions.unsigned]), 'unsigned');
  assert.equal(damageOf([corruptions.signature]), 'signature');
  assert.equal(damageOf([corruptions.unsigned, 'the manifest does not parse']), 'damaged');
  assert.equal(damageOf(['the identity could not be read: crashed']), 'damaged');
});

test('a file has its last name alone, of any system, and no endless one', () => {
  assert.equal(fileNameOf('C:\\samples\\bank er.apk'), 'bank er.apk');
  assert.equal(fileNameOf('/home/ada/über.apk'), 'über.apk');
  assert.equal(fileNameOf('folder/'), '');
  assert.equal(fileNameOf('x'.repeat(5000)).length, 255);
  assert.equal(fileNameOf('half\ud800'), 'half\ufffd');
});
