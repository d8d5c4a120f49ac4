// Typed values of manifests, as androguard 3.4 prints them.
//   python3 -c 'from androguard.core.bytecodes.axml import format_value; print(format_value(<type>, <data>))'
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { attributeText } from '../../../../../server/engine/app/manifest/attribute-text.ts';
import { systemTool } from '../../../../fixtures/system-tools.ts';

const androguard = systemTool('androguard');

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
  assert.deepEqual([textOf(1, 0x01040000), textOf(2, 0x01010001)], ['@android:01040000', '?android:01010001']);
  assert.equal(textOf(0x11, 0xab), '0x000000AB');
  assert.equal(textOf(0x1c, 0x80ff0000), '#80FF0000');
});

test('dimensions and fractions have six decimals, their unit, and their sign', () => {
  const dimensions: [number, string][] = [
    [0x00000101, '1.000000dip'],
    [0x00025801, '600.000000dip'],
    [0x7f000035, '0.992188mm'],
    [0x00000120, '0.000031px'],
    [0x3fffff00, '4194303.000000px'],
    // androguard prints 16777206.
    [0xfffff601, '-10.000000dip'],
  ];
  const fractions: [number, string][] = [
    [0x00000101, '100.000000%p'],
    [0x40000030, '50.000001%'],
    [0x33333331, '39.999999%p'],
  ];
  for (const [data, text] of dimensions) assert.equal(textOf(5, data), text);
  for (const [data, text] of fractions) assert.equal(textOf(6, data), text);
});

test('every type reads as the installed androguard prints it', { skip: androguard.skip }, () => {
  const values: [number, number][] = [];
  for (let seed = 1; seed < 400; seed++) {
    const data = Math.imul(seed, 0x9e3779b1) >>> 0;
    const positive = (data & 0x7fffff30) >>> 0;
    values.push([1, data], [2, data], [4, data], [5, positive | (seed % 6)], [6, positive | (seed % 2)]);
    values.push([0x10, data], [0x11, data], [0x12, data & 1], [0x1c, data], [0x1f, data]);
  }
  const program = [
    'import json, sys',
    'from androguard.core.bytecodes.axml import format_value',
    'print(json.dumps([format_value(kind, data) for kind, data in json.load(sys.stdin)]))',
  ];
  const { stdout } = spawnSync('/usr/bin/python3', ['-c', program.join('\n')], { input: JSON.stringify(values) });
  const texts = JSON.parse(stdout.toString()) as string[];
  values.forEach(([type, data], index) => {
    assert.equal(textOf(type, data), texts[index], `type ${type}, data 0x${data.toString(16)}`);
  });
});

test('strings, numbers and booleans stay as they are', () => {
  assert.equal(attributeText({ type: 3, data: 0, text: 'aé@7f' }), 'aé@7f');
  assert.deepEqual([textOf(0x10, 0xfffffffe), textOf(0x12, 1), textOf(0x12, 0)], ['-2', 'true', 'false']);
  assert.deepEqual([textOf(0, 0), textOf(0, 1), textOf(0xff, 1)], [null, '', null]);
});
