// Dates and numbers as texts, as the Java reference describes their patterns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JavaObject, Phone } from '../../../../../fixtures/dynamic/phone.ts';

const phone = new Phone();
const { get, make } = phone;
const us = phone.constant('java.util.Locale', 'US') as JavaObject;
const utc = get('java.util.TimeZone.getTimeZone', 'UTC');

const dateFormat = (pattern: string): JavaObject => {
  const made = make('java.text.SimpleDateFormat', pattern, us);
  made.call('setTimeZone', utc);
  return made;
};
const written = (pattern: string, milliseconds: bigint) =>
  dateFormat(pattern).call('format(Ljava/util/Date;)Ljava/lang/String;', make('java.util.Date', milliseconds));

test('SimpleDateFormat writes fields by their letters', () => {
  const time = BigInt(Date.UTC(2024, 1, 29, 13, 5, 9, 7));
  assert.equal(written('yyyy-MM-dd HH:mm:ss.SSS', time), '2024-02-29 13:05:09.007');
  assert.equal(written('EEE, d MMM yy h:mm a z', time), 'Thu, 29 Feb 24 1:05 PM UTC');
  assert.equal(written('EEEE MMMM D', time), 'Thursday February 60');
  assert.equal(written("yyyy'T'HH''Z", time), "2024T13'+0000");
  assert.throws(() => dateFormat('yyyy-bb'), { message: /^java\.lang\.IllegalArgumentException/ });
});

test('SimpleDateFormat reads what it writes, and is lenient with days', () => {
  const read = (pattern: string, text: string) => dateFormat(pattern).get('parse', text).call('getTime');
  assert.equal(read('yyyy-MM-dd HH:mm', '2024-02-29 13:05'), BigInt(Date.UTC(2024, 1, 29, 13, 5)));
  assert.equal(read('dd/MM/yyyy', '31/02/2024'), BigInt(Date.UTC(2024, 2, 2)));
  assert.throws(() => read('yyyy-MM-dd', 'today'), { message: 'java.text.ParseException: Unparseable date: "today"' });
});

test('DecimalFormat groups, pads and rounds half to even', () => {
  const symbols = make('java.text.DecimalFormatSymbols', us);
  const number = (pattern: string, value: number) =>
    make('java.text.DecimalFormat', pattern, symbols).call('format(D)Ljava/lang/String;', value);
  assert.equal(number('#,##0.00', 1234567.891), '1,234,567.89');
  assert.equal(number('000', 7), '007');
  assert.equal(number('0.#', 2.25), '2.2');
  assert.equal(number('0%', 0.256), '26%');
});

test('MessageFormat fills in its arguments', () => {
  const text = phone.call(
    'java.text.MessageFormat.format(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;',
    "{1} and {0}, ''quoted''",
    ['a', 'b'],
  );
  assert.equal(text, "b and a, 'quoted'");
});
