// TLSH digests and distances against those of the tool `tlsh`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TlshHasher, tlsh } from '../../../../server/engine/similarity/tlsh.ts';
import { tlshDistance } from '../../../../server/services/catalogue/likeness/tlsh-distance.ts';
import { noise, ssdeepInputs } from '../../../fixtures/ssdeep-inputs.ts';
import { systemTool } from '../../../fixtures/system-tools.ts';
import digests from '../../../golden/similarity/tlsh-digests.json' with { type: 'json' };
import distances from '../../../golden/similarity/tlsh-distances.json' with { type: 'json' };

/** The recorded version gave no digest to shorter files; later ones do from 50 bytes on. */
const recordedFrom = 256;

test('digests are those of the tool', () => {
  const recorded: Record<string, string> = digests;
  for (const [name, bytes] of ssdeepInputs())
    if (bytes.length >= recordedFrom) assert.equal(tlsh(bytes) ?? '', recorded[name], name);
  assert.equal(tlsh(noise(49, 1)), null);
});

test('a digest does not hang on the pieces in which the bytes come', () => {
  const bytes = noise(10_000, 3);
  for (const length of [1, 2, 3, 4, 5, 7, 4096]) {
    const hasher = new TlshHasher();
    for (let at = 0; at < bytes.length; at += length) hasher.update(bytes.subarray(at, at + length));
    assert.equal(hasher.digest(), tlsh(bytes), String(length));
  }
});

test('digests that are made at the same time, and after one another, know nothing of each other', () => {
  const [first, second] = [noise(3000, 5), noise(5000, 7)];
  const alone = [tlsh(first), tlsh(second)];
  const hashers = [new TlshHasher(), new TlshHasher()] as const;
  hashers[0].update(first);
  hashers[1].update(second);
  assert.deepEqual([hashers[0].digest(), hashers[1].digest()], alone);
  assert.deepEqual([tlsh(first), tlsh(second)], alone);
});

const wat2wasm = systemTool('wat2wasm');
test('the loop over bytes is what its source says', { skip: wat2wasm.skip }, () => {
  const source = join(import.meta.dirname, '../../../../resources/tlsh.wat');
  const made = execFileSync(wat2wasm.path!, [source, '--output=-']);
  assert.deepEqual(readFileSync(source.replace(/wat$/, 'wasm')), made);
});

test('distances are those of the tool', () => {
  assert.ok(distances.length > 300);
  for (const [first, second, distance] of distances as [string, string, number][])
    assert.equal(tlshDistance(Buffer.from(first, 'hex'), Buffer.from(second, 'hex')), distance, `${first} ${second}`);
});
