// Fingerprints of texts are those of every printable run, wherever it lies, as one that looks at each letter finds them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addFingerprints, FingerprintSet } from '../../../../server/engine/similarity/text-fingerprints.ts';
import { pickOf, randomNumbers } from '../../../fuzz/random.ts';

function printsOf(bytes: Uint8Array): number[] {
  const prints = new FingerprintSet();
  addFingerprints(bytes, prints);
  return [...prints.sorted()];
}

/** Of eight letters, with capitals made small. */
function hashOf(letters: string): number {
  let rolled = 0;
  for (const letter of Buffer.from(letters.toLowerCase())) rolled = Math.imul(rolled, 0x01000193) + letter;
  let mix = rolled ^ (rolled >>> 15);
  mix = Math.imul(mix, 0x2c1b3c6d);
  mix ^= mix >>> 12;
  mix = Math.imul(mix, 0x297a2d39);
  return (mix ^ (mix >>> 15)) >>> 0;
}

/** The least of each three hashes that follow each other in a run. */
function plainPrintsOf(bytes: Uint8Array): number[] {
  const text = Buffer.from(bytes).toString('latin1');
  const narrow = text.match(/[ -~]{10,}/g) ?? [];
  const wide = (text.match(/(?:[ -~]\0){9,}[ -~]/g) ?? []).map((run) => run.replaceAll('\0', ''));
  const prints = new Set<number>();
  for (const run of [...narrow, ...wide]) {
    const hashes = Array.from({ length: run.length - 7 }, (_, at) => hashOf(run.slice(at, at + 8)));
    for (let at = 2; at < hashes.length; at++)
      prints.add(Math.min(hashes[at - 2]!, hashes[at - 1]!, hashes[at]!) % 2 ** 26);
  }
  return [...prints].sort((a, b) => a - b);
}

test('every run of ten letters has its fingerprints, ASCII or wide, at any place in memory', () => {
  const random = randomNumbers(19);
  const letters = 'abcdefghijABCDEFGHIJ 0123456789~._/';
  const text = (length: number) => Array.from({ length }, () => pickOf([...letters], random)).join('');
  const pieces = [
    () => text(random(30)),
    () => [...text(random(30))].join('\0'),
    () => '\0'.repeat(random(6)),
    () => Buffer.from(Array.from({ length: random(20) }, () => random(256))).toString('latin1'),
    () => pickOf(['\x7f', '\x1f', '\x80', '\xff', '\n'], random),
  ];
  for (let round = 0; round < 3000; round++) {
    const content = Array.from({ length: random(12) }, () => pickOf(pieces, random)()).join('');
    const place = random(4);
    const bytes = new Uint8Array(Buffer.from(`${'x'.repeat(place)}${content}`, 'latin1')).subarray(place);
    assert.deepEqual(printsOf(bytes), plainPrintsOf(bytes), JSON.stringify({ content, place }));
  }
});

test('a run that is longer than what is looked at in one go has all of its fingerprints, in order', () => {
  const random = randomNumbers(20);
  const run = Buffer.from(Array.from({ length: 70_000 }, () => 0x61 + random(26)));
  assert.deepEqual(printsOf(run), plainPrintsOf(run));
  const wide = Buffer.alloc(2 * run.length);
  for (const [index, letter] of run.entries()) wide[2 * index] = letter;
  assert.deepEqual(printsOf(wide), plainPrintsOf(run));
});
