// Typed values of manifests, as androguard 3.4 prints them.
//   python3 -c 'from androguard.core.bytecodes.axml import format_value; print(format_value(<type>, <data>))'
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributeText } from '../../../../server/engine/manifest/attribute-text.ts';

function textOf(type: number, data: number): string | null {
  return attributeText({ type, data, text: null });
}

test('floats have six decimals, halves rounded to even', () => {
  const floats: [number, string][] = [
    [0x40400000, '3.000000'],
    [0x3ff33333, '1.900000'],
    [0x3c000000, '0.007812'],
    [0x3cc00000, '0.023438'],
    [0x33d6bf95, '0.000000'],
    [0x80000000, '-0.000000'],
    [0xbf8e38e4, '-1.111111'],
    [0x501502f9, '10000000000.000000'],
    [0x7f7fffff, '340282346638528859811704183484516925440.000000'],
    [0x7f800000, 'inf'],
    [0xff800000, '-inf'],
    [0x7fc00000, 'nan'],
    [0x00000001, '0.000000'],
  ];
  for (const [data, text] of floats) assert.equal(textOf(4, data), text);
});

test('references, attributes, hexadecimal numbers and colours are in upper case', () => {
  assert.equal(textOf(1, 0x7f06000a), '@7F06000A');
  assert.equal(textOf(2, 0x7f06000a), '?7F06000A');
  assert.equal(textOf(0x11, 0xab), '0x000000AB');
  assert.equal(textOf(0x1c, 0x80ff0000), '#80FF0000');
});

test('strings, numbers and booleans stay as they are', () => {
  assert.equal(attributeText({ type: 3, data: 0, text: 'aé@7f' }), 'aé@7f');
  assert.deepEqual([textOf(0x10, 0xfffffffe), textOf(0x12, 1), textOf(0x12, 0)], ['-2', 'true', 'false']);
  assert.deepEqual([textOf(0, 0), textOf(0, 1), textOf(0xff, 1)], [null, '', null]);
});
