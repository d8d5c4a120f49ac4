// How much methods say that many apps have: of a catalogue whose apps carry a library that no table knows.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { WeightedCode } from '../../../../server/services/catalogue/likeness/weighted-code.ts';
import { MethodWeights } from '../../../../server/services/catalogue/method-weights.ts';
import { newApk } from '../../store/new-apk.ts';
import { openScratch, scratchFolder } from '../../store/scratch-store.ts';

/** Hashes of as many methods, others for each name. */
function methods(name: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.imul(name * 4099 + index + 1, 0x9e3779b1) >>> 0);
}

function sketch(hashes: readonly number[]) {
  const bytes = Buffer.alloc(hashes.length * 4);
  for (const [index, hash] of Uint32Array.from(hashes).sort().entries()) bytes.writeUInt32BE(hash, index * 4);
  return { methods: hashes.length, hashes: bytes, coreMethods: null, coreHashes: Buffer.alloc(0) };
}

const library = methods(0, 600);

test('a library that is common in the catalogue says little, new methods of a version hardly less than others', async () => {
  const store = await openScratch(scratchFolder());
  after(() => store.close());
  const weights = new MethodWeights(store);
  const keep = async (number: number, packageName: string, hashes: readonly number[]) => {
    const { id } = await store.transaction(async (inside) => {
      const apk = await inside.apks.insert({ ...newApk(number), packageName });
      const { methods, hashes: bytes } = sketch(hashes);
      await inside.codeSketches.put(apk.id, { methods, hashes: bytes, core: null, bands: [] });
      return apk;
    });
    await weights.followHappening({ name: 'evidence_changed', apkIds: [id] });
  };
  const app = [...library, ...methods(1, 300)];
  const stranger = [...library, ...methods(2, 300)];
  const next = [...app.slice(0, 870), ...methods(3, 60)];
  const likeness = async (other: readonly number[]) => {
    const weightOf = await weights.current();
    return new WeightedCode(sketch(app), weightOf).likeness(new WeightedCode(sketch(other), weightOf));
  };
  const score = async (other: readonly number[]) => (await likeness(other)).score;

  await keep(1, 'com.example.app', app);
  await keep(2, 'com.stranger', stranger);
  assert.ok((await score(stranger)) > 0.5, 'two apps alone cannot tell a library');

  for (let number = 3; number < 43; number++)
    await keep(number, `com.other${number}`, [...library, ...methods(number, 100)]);
  for (let number = 43; number < 73; number++) await keep(number, 'com.example.app', app);
  assert.ok((await score(stranger)) < 0.2, String(await score(stranger)));
  assert.ok((await score(next)) > 0.85, String(await score(next)));
  assert.equal((await likeness(next)).shared, 870);
});

test('methods of a library that people import say nothing from then on, until it is removed', async () => {
  const store = await openScratch(scratchFolder());
  after(() => store.close());
  const weights = new MethodWeights(store);
  const shared = library[7]!;
  assert.equal((await weights.current())(shared), 1);
  await store.transaction(({ libraries }) =>
    libraries.put({ name: 'okio', version: '1.13', source: 'okio-1.13.jar' }, library),
  );
  assert.equal((await weights.current())(shared), 0);
  await store.transaction(({ libraries }) => libraries.remove('okio'));
  assert.equal((await weights.current())(shared), 1);
});
