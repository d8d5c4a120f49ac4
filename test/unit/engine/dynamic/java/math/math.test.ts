// BigInteger and BigDecimal as the Java reference describes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone } from '../../../../../fixtures/dynamic/phone.ts';

const { get, make } = new Phone();
const big = (text: string) => make('java.math.BigInteger', text);
const decimal = (text: string) => make('java.math.BigDecimal', text);

test('a BigInteger calculates beyond 64 bits', () => {
  const value = big('123456789012345678901234567890');
  assert.equal(String(value.get('multiply', big('-2'))), '-246913578024691357802469135780');
  assert.equal(String(value.get('mod', big('97'))), String(123456789012345678901234567890n % 97n));
  assert.equal(String(big('3').get('modPow', big('200'), big('1000007'))), '959082');
  assert.equal(String(big('3').get('modInverse', big('11'))), '4');
  assert.equal(String(big('-7').get('divide', big('2'))), '-3');
  assert.equal(String(big('-7').get('remainder', big('2'))), '-1');
  assert.equal(value.call('bitLength'), 97);
  assert.equal(value.call('toString', 16), '18ee90ff6c373e0ee4e3f0ad2');
  assert.equal(String(big('48').get('gcd', big('36'))), '12');
});

test("the bytes of a BigInteger are two's complement, and with a sign a magnitude", () => {
  assert.deepEqual(big('128').call('toByteArray'), Buffer.from([0, 128]));
  assert.deepEqual(big('-129').call('toByteArray'), Buffer.from([0xff, 0x7f]));
  assert.equal(String(make('java.math.BigInteger', Buffer.from([0xff]))), '-1');
  assert.equal(String(make('java.math.BigInteger', 1, Buffer.from([0xff]))), '255');
  assert.equal(String(make('java.math.BigInteger', 'ff', 16)), '255');
});

test('what is no number and what cannot be divided is refused', () => {
  assert.throws(() => big('1x'), { message: /^java\.lang\.NumberFormatException/ });
  assert.throws(() => big('1').get('divide', big('0')), { message: /^java\.lang\.ArithmeticException/ });
  assert.throws(() => big('1').get('add', null), { message: /^java\.lang\.NullPointerException/ });
});

test('a BigDecimal keeps its scale', () => {
  assert.equal(String(decimal('1.10').get('add', decimal('2'))), '3.10');
  assert.equal(String(decimal('1.10').get('multiply', decimal('2.0'))), '2.200');
  assert.equal(decimal('1.10').call('equals', decimal('1.1')), false);
  assert.equal(decimal('1.10').call('compareTo', decimal('1.1')), 0);
  assert.equal(String(decimal('2.345').get('setScale', 2, get('java.math.RoundingMode.valueOf', 'HALF_EVEN'))), '2.34');
  assert.equal(String(decimal('1E+3')), '1E+3');
  assert.equal(decimal('1E+3').call('toPlainString'), '1000');
  assert.throws(() => decimal('1').get('divide', decimal('3')), {
    message: /^java\.lang\.ArithmeticException: Non-terminating/,
  });
});
