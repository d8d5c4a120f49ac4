// org.json as Android's reference describes it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JavaObject, Phone } from '../../../../../fixtures/dynamic/phone.ts';

const phone = new Phone();
const { make } = phone;
const object = (text: string): JavaObject => make('org.json.JSONObject', text);

test('values are converted where asked for, and missed where there are none', () => {
  const read = object('{"n": "42", "t": true, "d": 1.5, "z": null, "s": "x", "o": {"a": [1, "b", {}]}}');
  assert.equal(read.call('getInt', 'n'), 42);
  assert.equal(read.call('getString', 'd'), '1.5');
  assert.equal(read.call('getBoolean', 't'), true);
  assert.equal(read.call('isNull', 'z'), true);
  assert.equal(read.call('isNull', 'none'), true);
  assert.equal(read.call('has', 'z'), true);
  assert.equal(read.call('optString', 'none', 'default'), 'default');
  assert.equal(read.call('optInt', 's', 7), 7);
  assert.equal(read.get('getJSONObject', 'o').get('getJSONArray', 'a').call('length'), 3);
  assert.throws(() => read.call('getInt', 's'), { message: /^org\.json\.JSONException/ });
  assert.throws(() => read.call('getString', 'none'), { message: 'org.json.JSONException: No value for none' });
});

test('what is no JSON is refused', () => {
  for (const text of ['', '{', '[1]', '{"a" 1}']) {
    assert.throws(() => object(text), { message: /^org\.json\.JSONException/ }, text);
  }
  assert.throws(() => make('org.json.JSONArray', '{}'), { message: /^org\.json\.JSONException/ });
});

test('an object is written in the order of its names, escaped', () => {
  const made = make('org.json.JSONObject');
  made.call('put(Ljava/lang/String;I)Lorg/json/JSONObject;', 'b', 1);
  made.call('put(Ljava/lang/String;Ljava/lang/Object;)Lorg/json/JSONObject;', 'a', 'x"/\n');
  made.call('put(Ljava/lang/String;Ljava/lang/Object;)Lorg/json/JSONObject;', 'none', null);
  assert.equal(String(made), '{"b":1,"a":"x\\"\\/\\n"}');
  assert.equal(made.call('toString', 2), '{\n  "b": 1,\n  "a": "x\\"\\/\\n"\n}');
  assert.equal(made.call('remove', 'b'), 1);
  assert.equal(made.call('length'), 1);
});

test('an array grows with nulls up to where something is put', () => {
  const array = make('org.json.JSONArray');
  array.call('put(II)Lorg/json/JSONArray;', 2, 7);
  assert.equal(String(array), '[null,null,7]');
  assert.equal(array.call('optInt', 9, -1), -1);
  assert.throws(() => array.call('get', 9), { message: /^org\.json\.JSONException/ });
});
