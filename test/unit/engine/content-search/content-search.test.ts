import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { ContentTerm } from '../../../../server/contract/engine/content-search.ts';
import { contentNeed, findContents } from '../../../../server/engine/content-search/content-search.ts';
import { addFingerprints, FingerprintSet } from '../../../../server/engine/similarity/text-fingerprints.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { realApks } from '../../../fixtures/real-apks.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';
import { pickOf, type Random, randomNumbers } from '../../../fuzz/random.ts';

const text = (value: string): ContentTerm => ({ kind: 'text', text: value });
const bytes = (value: string): ContentTerm => ({ kind: 'bytes', bytes: value });

function find(file: Uint8Array, ...terms: ContentTerm[]) {
  const found = findContents(memorySource(file), terms, { progress: () => undefined });
  return found.map(({ count, places }) => ({ count, places: places.map(({ offset, length }) => [offset, length]) }));
}

test('a text is found in any case, as UTF-8 and as UTF-16, with what stands around it', () => {
  const file = Buffer.concat([
    Buffer.from('..Secret Wörd here; '),
    Buffer.from('sEcReT WörD', 'utf16le'),
    Buffer.from('secret WÖRD'),
  ]);
  const [{ count, places }] = findContents(memorySource(file), [text('secret wörd')], {
    progress: () => undefined,
  }) as [ReturnType<typeof findContents>[number]];
  assert.equal(count, 2);
  const [first, second] = places;
  assert.deepEqual([first!.file, first!.offset, first!.length], ['', 2, 12]);
  const read = (hex: string) => Buffer.from(hex, 'hex').toString();
  assert.deepEqual([first!.before, first!.found].map(read), ['..', 'Secret Wörd']);
  assert.equal(read(first!.after).slice(0, 7), ' here; ');
  assert.deepEqual([second!.offset, second!.length], [21, 22]);
});

test('a letter of UTF-16 that only looks like an ASCII letter in its low byte keeps its case', () => {
  const file = Buffer.from('abc\u4e41', 'utf16le');
  assert.equal(find(file, text('ABC\u4e41'))[0]!.count, 1);
  assert.equal(find(file, text('abc\u4e61'))[0]!.count, 0);
});

test('bytes are found with any byte, or half of one, where a question mark stands', () => {
  const file = Buffer.from('00deadbeef11de00beef12dfadbeef', 'hex');
  assert.deepEqual(find(file, bytes('de??beef')), [
    {
      count: 2,
      places: [
        [1, 4],
        [6, 4],
      ],
    },
  ]);
  assert.deepEqual(find(file, bytes('d?adbeef')), [
    {
      count: 2,
      places: [
        [1, 4],
        [11, 4],
      ],
    },
  ]);
  assert.deepEqual(find(file, bytes('?eadbeef1?')), [{ count: 1, places: [[1, 5]] }]);
});

test('places are told by the file of the APK in which they are, and counted beyond those that are told', () => {
  const apk = buildZip({
    entries: [
      { name: 'assets/one.txt', content: 'needle in a haystack', method: 8 },
      { name: 'assets/two.txt', content: 'needle '.repeat(50), method: 8 },
    ],
  });
  const [found] = findContents(memorySource(apk), [text('NEEDLE')], { progress: () => undefined });
  assert.equal(found!.count, 51);
  assert.equal(found!.places.length, 20);
  assert.deepEqual(new Set(found!.places.map(({ file }) => file)), new Set(['assets/one.txt', 'assets/two.txt']));
  const only = { files_count: 3, ranges: [[1, 2]] as [number, number][] };
  const [fewer] = findContents(memorySource(apk), [text('NEEDLE')], { only, progress: () => undefined });
  assert.equal(fewer!.count, 1);
});

/** The same by looking at every place. */
function everywhere(file: Uint8Array, term: ContentTerm): number {
  const lower = (value: Buffer) => value.toString('latin1').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (term.kind === 'text') {
    const all = lower(Buffer.from(file));
    const forms = [Buffer.from(term.text), Buffer.from(term.text, 'utf16le')].map(lower);
    return forms.reduce((sum, form) => sum + countOf(all, form), 0);
  }
  let count = 0;
  const pairs = term.bytes.match(/../g)!;
  const hex = (byte: number) => byte.toString(16).padStart(2, '0');
  for (let start = 0; start + pairs.length <= file.length; start++) {
    const fits = pairs.every((pair, at) => {
      const there = hex(file[start + at]!);
      return [0, 1].every((half) => pair[half] === '?' || pair[half] === there[half]);
    });
    if (fits) count += 1;
  }
  return count;
}

function countOf(all: string, form: string): number {
  let count = 0;
  for (let at = all.indexOf(form); at >= 0; at = all.indexOf(form, at + 1)) count += 1;
  return count;
}

function randomTerm(random: Random, file: Buffer): ContentTerm {
  const length = 4 + random(30);
  const start = random(file.length - length);
  const piece = file.subarray(start, start + length);
  if (random(2) === 0) {
    const letters = piece.toString('latin1').replace(/[^ -~]/g, 'x');
    return text(random(2) === 0 ? letters.toUpperCase() : letters);
  }
  const pairs = piece.toString('hex').match(/../g)!;
  return bytes(
    pairs
      .map((pair, at) => (at > 1 && random(4) === 0 ? pickOf(['??', `?${pair[1]}`, `${pair[0]}?`], random) : pair))
      .join(''),
  );
}

test('what is found is what looking at every place finds, and whatever holds a content has its fingerprints', () => {
  // Backwards it is no archive, in which its files would be looked at too.
  const file = readFileSync(realApks.unlock).subarray(0, 40_000).reverse();
  const rich = Buffer.concat([
    file,
    Buffer.from('A text Of Letters to be Found, again and again. '.repeat(400)),
    file.subarray(0, 999),
  ]);
  const prints = new FingerprintSet();
  addFingerprints(rich, prints);
  const held = new Set(prints.sorted());
  const random = randomNumbers(19);
  let answered = 0;
  for (let round = 0; round < 300; round++) {
    const term = randomTerm(random, rich);
    const expected = Math.min(10_000, everywhere(rich, term));
    assert.equal(find(rich, term)[0]!.count, expected, JSON.stringify(term));
    const [need] = contentNeed(term);
    if (need!.kind !== 'prints' || expected === 0) continue;
    answered += 1;
    assert.ok(
      need!.prints.every((print) => held.has(print)),
      JSON.stringify(term),
    );
  }
  assert.ok(answered > 10, `${answered}`);
});

test('a content without ten printable letters in a row needs nothing that the index knows', () => {
  assert.deepEqual(contentNeed(text('ninechars')), [{ kind: 'any' }]);
  assert.deepEqual(contentNeed(bytes('de??adbeef')), [{ kind: 'any' }]);
  assert.equal(contentNeed(text('ten chars!'))[0]!.kind, 'prints');
  assert.equal(contentNeed(bytes(Buffer.from('ten chars!').toString('hex')))[0]!.kind, 'prints');
});
