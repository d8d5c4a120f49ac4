// How alike two APKs are: what little they have, and code that was mostly rewritten.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HashSet } from '../../../../server/contract/engine/fingerprint.ts';
import { ComparedApk, type Profile, type Weights } from '../../../../server/services/catalogue/likeness/likeness.ts';
import { WeightedCode } from '../../../../server/services/catalogue/likeness/weighted-code.ts';

const weights: Weights = { ofMethod: () => 1, ofFile: () => 1, ofTrait: () => 1, ofSigner: 1 };

/** As many hashes, others for each name. */
const hashes = (name: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.imul(name * 4099 + index + 1, 0x9e3779b1) >>> 0);

function bytesOf(list: readonly number[]): Buffer {
  const bytes = Buffer.alloc(list.length * 4);
  for (const [index, hash] of Uint32Array.from(list).sort().entries()) bytes.writeUInt32BE(hash, index * 4);
  return bytes;
}

const setOf = (list: readonly number[]): HashSet => ({ count: list.length, hashes: bytesOf(list) });

/** @param core those of its methods that are surely own */
function codeOf(own: readonly number[], core: readonly number[] | null) {
  const coreParts = { coreMethods: core?.length ?? null, coreHashes: bytesOf(core ?? []) };
  return { methods: own.length, hashes: bytesOf(own), ...coreParts };
}

const none = setOf([]);

test('two small apps of one template, icon and signer do not score a half, the next version of one does', () => {
  const icon = Buffer.from('0f1e2d3c4b5a6978', 'hex');
  const template = hashes(1, 3);
  const ssdeep = '24:abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLM';
  const small = (number: number, packageName: string): Profile => ({
    ...{ signerId: 1, packageName, code: codeOf(hashes(number, 2), null), traits: [1, 2, 3, 4, 5] },
    fingerprint: {
      ...{ icon, digests: [{ tlsh: null, ssdeep }], native: none },
      files: setOf([...template, ...hashes(number + 50, 2)]),
    },
  });
  const asked = new ComparedApk(small(10, 'com.example.keyboard'), weights);
  const stranger = asked.with(small(11, 'com.example.unlock'));
  assert.deepEqual(stranger.kinds, ['files', 'icon', 'ssdeep', 'behaviour', 'signer']);
  assert.ok(stranger.score < 0.5, String(stranger.score));
  const next = asked.with(small(12, 'com.example.keyboard'));
  assert.ok(next.score >= 0.5, String(next.score));
});

test('a third of an app beside new code is the app where own code is in it, and a library where none is', () => {
  const [core, library] = [hashes(1, 60), hashes(2, 200)];
  const weigh = (own: readonly number[], itsCore: readonly number[]) => new WeightedCode(codeOf(own, itsCore), () => 1);
  const app = weigh([...core, ...library], core);
  const kept = core.slice(0, 30);
  const rewritten = [...kept, ...library.slice(0, 60), ...hashes(3, 170)];
  const { share, score } = app.likeness(weigh(rewritten, [...kept, ...hashes(3, 30)]));
  assert.ok(share < 0.4 && score >= 0.5, `${share}, ${score}`);
  const others = hashes(4, 60);
  const stranger = app.likeness(weigh([...others, ...library], others));
  assert.ok(stranger.shared === 200 && stranger.score < 0.5, JSON.stringify(stranger));
});

test('two methods of a small core say less than all of it', () => {
  const [core, library] = [hashes(1, 9), hashes(3, 300)];
  const weigh = (itsCore: readonly number[]) => new WeightedCode(codeOf([...itsCore, ...library], itsCore), () => 1);
  const scores = [0, 2, 9].map((kept) => {
    const other = [...core.slice(0, kept), ...hashes(2, 9 - kept)];
    return weigh(core).likeness(weigh(other)).score;
  });
  assert.ok(scores[0]! < 0.5 && scores[1]! < 0.75 && scores[2] === 1, scores.join(', '));
});
