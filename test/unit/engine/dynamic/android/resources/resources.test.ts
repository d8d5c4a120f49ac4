// Resources, their configuration and what is missing from them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JavaObject, Phone } from '../../../../../fixtures/dynamic/phone.ts';

const phone = new Phone();
const { call, get, context, machine } = phone;
const resources = context.get('getResources');

test('a resource that is not there is not found', () => {
  assert.throws(() => resources.call('getString(I)Ljava/lang/String;', 0x7f010001), { message: /NotFoundException/ });
  assert.equal(resources.call('getIdentifier', 'none', 'string', 'com.example.app'), 0);
  assert.throws(() => resources.get('getAssets').call('open(Ljava/lang/String;)Ljava/io/InputStream;', 'none'), {
    message: /^java\.io\.FileNotFoundException/,
  });
});

test('the configuration is that of one phone', () => {
  const configuration = resources.get('getConfiguration');
  const field = (object: JavaObject, name: string) => machine.getField(object.object, name);
  assert.equal(field(configuration, 'orientation'), 1);
  const metrics = resources.get('getDisplayMetrics');
  assert.ok((field(metrics, 'widthPixels') as number) < (field(metrics, 'heightPixels') as number));
  assert.equal(field(metrics, 'densityDpi'), Number(field(metrics, 'density')) * 160);
});

test('a length in dp is as many pixels as the screen is dense', () => {
  const pixels = call('android.util.TypedValue.applyDimension', 1, 10, resources.get('getDisplayMetrics')) as number;
  assert.equal(pixels, 10 * (machine.getField(resources.get('getDisplayMetrics').object, 'density') as number));
});

test('a list of locales knows which are in it', () => {
  const list = get('android.os.LocaleList.getDefault');
  assert.ok((list.call('size') as number) >= 1);
  assert.equal(list.call('isEmpty'), false);
});
