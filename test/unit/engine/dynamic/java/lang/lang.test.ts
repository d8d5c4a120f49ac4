// Strings, numbers, characters and builders as the Java reference describes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JavaError, Phone, type Plain } from '../../../../../fixtures/dynamic/phone.ts';

const { call, get, make } = new Phone();
const format = (pattern: string, ...args: Plain[]) =>
  call(
    'java.lang.String.format(Ljava/util/Locale;Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;',
    null,
    pattern,
    args,
  );
const throws = (body: () => unknown, exception: string) =>
  assert.throws(body, (error) => error instanceof JavaError && error.message === exception);

test('Integer.parseInt reads signs and radixes, and names what it cannot read', () => {
  assert.equal(call('java.lang.Integer.parseInt', '-42'), -42);
  assert.equal(call('java.lang.Integer.parseInt', '+7'), 7);
  assert.equal(call('java.lang.Integer.parseInt', 'ff', 16), 255);
  throws(() => call('java.lang.Integer.parseInt', '12x'), 'java.lang.NumberFormatException: For input string: "12x"');
  throws(
    () => call('java.lang.Integer.parseInt', '2147483648'),
    'java.lang.NumberFormatException: For input string: "2147483648"',
  );
  assert.throws(() => call('java.lang.Integer.parseInt', ''), JavaError);
  assert.throws(() => call('java.lang.Integer.parseInt', null), { message: /^java\.lang\.NumberFormatException/ });
});

test('integers are written in any radix and their bits counted', () => {
  assert.equal(call('java.lang.Integer.toHexString', -1), 'ffffffff');
  assert.equal(call('java.lang.Integer.toBinaryString', 10), '1010');
  assert.equal(call('java.lang.Integer.toString', 255, 36), '73');
  assert.equal(call('java.lang.Integer.bitCount', 255), 8);
  assert.equal(call('java.lang.Integer.numberOfLeadingZeros', 1), 31);
  assert.equal(call('java.lang.Integer.reverse', 1), -2147483648);
  assert.equal(call('java.lang.Long.toHexString', -1n), 'ffffffffffffffff');
  assert.equal(call('java.lang.Long.parseLong', '-9223372036854775808'), -9223372036854775808n);
  assert.equal(call('java.lang.Integer.decode', '0x10'), 16);
});

test('doubles and floats are written as Java writes them', () => {
  assert.equal(call('java.lang.Double.toString', 1), '1.0');
  assert.equal(call('java.lang.Double.toString', 1e7), '1.0E7');
  assert.equal(call('java.lang.Double.toString', 0.001), '0.001');
  assert.equal(call('java.lang.Double.toString', 1e-4), '1.0E-4');
  assert.equal(call('java.lang.Float.toString', Math.fround(0.1)), '0.1');
  assert.equal(call('java.lang.Double.parseDouble', ' 1.5e3 '), 1500);
  assert.equal(call('java.lang.Double.isNaN', Number.NaN), true);
  assert.equal(call('java.lang.Double.compare', 0, -0), 1);
});

test('boxes are equal by class and value, and small ones are the same object', () => {
  const seven = get('java.util.Arrays.asList', [7]);
  assert.equal(seven.call('contains', 7), true);
  assert.equal(seven.call('contains', 7n), false);
  assert.equal(call('java.lang.Boolean.parseBoolean', 'TRUE'), true);
  assert.equal(call('java.lang.Boolean.parseBoolean', 'yes'), false);
});

test('a String is searched, cut and compared', () => {
  const text = make('java.lang.String', 'Hello, World');
  assert.equal(text.call('charAt', 4), 'o');
  assert.equal(text.call('substring', 7), 'World');
  assert.equal(text.call('indexOf', 'o', 5), 8);
  assert.equal(text.call('lastIndexOf', 'l'), 10);
  assert.equal(text.call('replaceAll', '[lo]+', '_'), 'He_, W_r_d');
  assert.equal(text.call('matches', 'Hello'), false);
  assert.equal(text.call('equalsIgnoreCase', 'HELLO, world'), true);
  assert.equal(text.call('compareTo', 'Help'), -4);
  assert.equal(text.call('hashCode'), -505841268);
  assert.deepEqual(make('java.lang.String', 'a,b,,').call('split', ','), ['a', 'b']);
  assert.throws(() => text.call('substring', 13), { message: /StringIndexOutOfBoundsException/ });
  assert.throws(() => text.call('charAt', -1), { message: /StringIndexOutOfBoundsException/ });
});

test('bytes of a String depend on the charset', () => {
  const text = make('java.lang.String', 'ä€');
  assert.deepEqual(text.call('getBytes', 'UTF-8'), Buffer.from('ä€'));
  assert.deepEqual(text.call('getBytes', 'ISO-8859-1'), Buffer.from([0xe4, 0x3f]));
  assert.equal(String(make('java.lang.String', Buffer.from([0xe4]), 'ISO-8859-1')), 'ä');
  assert.throws(() => text.call('getBytes', 'no-such'), { message: /^java\.io\.UnsupportedEncodingException/ });
});

test('String.format writes widths, flags, radixes and arguments by number', () => {
  assert.equal(format('%5d|%-5d|%05d|%+d', 42, 42, 42, 42), '   42|42   |00042|+42');
  assert.equal(format('%x %X %o %b', 255, 255, 8, true), 'ff FF 10 true');
  assert.equal(format('%.3f %8.2f %e', 2.71859, 2.5, 12345.678), '2.719     2.50 1.234568e+04');
  assert.equal(format('%2$s %1$s %%%n', 'a', 'b'), 'b a %\n');
  assert.equal(format('%,d', 1234567), '1,234,567');
  assert.equal(format('%s %S', null, 'up'), 'null UP');
  assert.equal(format('%02x%02x', 1, 171), '01ab');
  assert.throws(() => format('%d', 'x'), { message: /^java\.util\.IllegalFormatConversionException/ });
  assert.throws(() => format('%s'), { message: /^java\.util\.MissingFormatArgumentException/ });
});

test('a StringBuilder appends, inserts, deletes and reverses', () => {
  const builder = make('java.lang.StringBuilder', 'abc');
  builder
    .get('append', 1)
    .get('append', true)
    .get('append', 'x')
    .get('append(C)Ljava/lang/StringBuilder;', 'y')
    .call('append(D)Ljava/lang/StringBuilder;', 1.5);
  assert.equal(String(builder), 'abc1truexy1.5');
  builder.get('delete', 3, 8).get('insert', 0, '<').call('setCharAt', 1, 'A');
  assert.equal(String(builder), '<Abcxy1.5');
  builder.call('setLength', 4);
  assert.equal(String(builder.get('reverse')), 'cbA<');
  assert.equal(builder.call('indexOf', 'A'), 2);
  assert.throws(() => builder.call('deleteCharAt', 9), { message: /StringIndexOutOfBoundsException/ });
});

test('Character tells letters from digits, also beyond ASCII', () => {
  const is = (name: string, value: Plain) => call(`java.lang.Character.${name}(C)Z`, value);
  assert.equal(is('isLetter', 'ä'), true);
  assert.equal(is('isDigit', '٣'), true);
  assert.equal(is('isWhitespace', '\u00a0'), false);
  assert.equal(is('isUpperCase', 'Ä'), true);
  assert.equal(call('java.lang.Character.getNumericValue(C)I', 'z'), 35);
  assert.equal(call('java.lang.Character.toUpperCase(C)C', 'ß'), 'ß');
  assert.equal(call('java.lang.Character.digit(CI)I', 'g', 16), -1);
});

test('Math rounds half up and refuses to overflow where exact', () => {
  assert.equal(call('java.lang.Math.round(D)J', -2.5), -2n);
  assert.equal(call('java.lang.Math.floorMod(II)I', -7, 3), 2);
  assert.equal(call('java.lang.Math.rint', 2.5), 2);
  assert.equal(call('java.lang.Math.abs(I)I', -2147483648), -2147483648);
  assert.throws(() => call('java.lang.Math.addExact(II)I', 2147483647, 1), {
    message: /ArithmeticException: integer overflow/,
  });
});

test('System.arraycopy moves within an array and checks its bounds', () => {
  const throwsBounds = () => call('java.lang.System.arraycopy', Buffer.from('abc'), 1, Buffer.alloc(2), 0, 3);
  assert.throws(throwsBounds, { message: /ArrayIndexOutOfBoundsException/ });
  assert.throws(() => call('java.lang.System.arraycopy', Buffer.from('a'), 0, [1], 0, 1), {
    message: /ArrayStoreException/,
  });
  assert.equal(call('java.lang.System.getProperty(Ljava/lang/String;)Ljava/lang/String;', 'file.separator'), '/');
});
