import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { artefactIn, artefactsIn, packArtefacts } from '../../../server/vault/packed-artefacts.ts';
import { openBytes, sealBytes } from '../../../server/vault/sealed-bytes.ts';
import { SealedFileError } from '../../../server/vault/sealed-format.ts';

const key = Buffer.alloc(32, 7);

test('sealed bytes open with their key, and are not to be seen without it', () => {
  const bytes = Buffer.from('dex\n035 and more');
  const sealed = sealBytes(bytes, key);
  assert.deepEqual(openBytes(sealed, key), bytes);
  assert.ok(!sealed.includes('dex\n035'));
  assert.notDeepEqual(sealBytes(bytes, key), sealed);
});

test('altered bytes, another key and bytes that nobody sealed are refused', () => {
  const sealed = sealBytes(Buffer.from('content'), key);
  for (const at of [10, 45, sealed.length - 1]) {
    const altered = Buffer.from(sealed);
    altered[at]! ^= 1;
    assert.throws(() => openBytes(altered, key), { code: 'altered' });
  }
  assert.throws(() => openBytes(sealed, Buffer.alloc(32, 8)), { code: 'altered' });
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(200), sealed.subarray(0, 20)]) {
    assert.throws(() => openBytes(bytes, key), SealedFileError);
  }
});

test('each artefact is found by its hash among those that were packed, with every way that it came', () => {
  const artefacts = ['11', '22', '33'].map((pair, at) => ({
    sha256: pair.repeat(32),
    bytes: Buffer.alloc(at * 1_000, pair, 'hex'),
    ...({ path: `/data/${pair}`, action: 'written', by: 'La/B;->m' } as const),
  }));
  const loaded = { ...artefacts[1]!, action: 'loaded', by: null } as const;
  const { size, compressed } = packArtefacts([...artefacts, loaded]);
  const whole = zstdDecompressSync(compressed);
  assert.equal(whole.length, size);
  for (const { sha256, bytes } of artefacts) assert.deepEqual(artefactIn(whole, sha256), bytes);
  assert.equal(artefactIn(whole, '44'.repeat(32)), null);
  assert.deepEqual(artefactsIn(whole), [...artefacts, loaded]);
});
