// Families as they come of code: real apps as obfuscators and repackagers make them, many copies of one, libraries that nobody
// knew at first.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CodeSketch } from '../../../../server/contract/engine/code-sketch.ts';
import { Findings } from '../../../../server/engine/findings.ts';
import { scanCode } from '../../../../server/engine/formats/dex/code-scan.ts';
import { openDex } from '../../../../server/engine/formats/dex/dex.ts';
import { CodeSketcher, sketchOf } from '../../../../server/engine/similarity/code-sketch.ts';
import { knownMethods } from '../../../../server/engine/static/code-origins.ts';
import { createJobQueue } from '../../../../server/jobs/job-queue.ts';
import { EventBus } from '../../../../server/services/event-bus.ts';
import { FamilyUpkeep } from '../../../../server/services/families/family-upkeep.ts';
import type { Store } from '../../../../server/store/store.ts';
import { apkDexes } from '../../../fixtures/apk-dexes.ts';
import { methods, version } from '../../../fixtures/made-apps.ts';
import { realApks } from '../../../fixtures/real-apks.ts';
import { type Renaming, renamedDexes } from '../../../fixtures/renamed-dex.ts';
import { newApk } from '../../store/new-apk.ts';
import { openScratch, scratchFolder } from '../../store/scratch-store.ts';

const failed: object[] = [];
const log = { error: (details: object) => void failed.push(details) };

interface Catalogue {
  store: Store;
  /** Puts APKs in, and waits until their families are known. @returns their ids */
  came(...apks: { sketch: CodeSketch; packageName: string; signer?: number }[]): Promise<number[]>;
  settled(): Promise<void>;
  familyOf(id: number): Promise<number | null>;
}

async function openCatalogue(): Promise<Catalogue> {
  const store = await openScratch(scratchFolder());
  const queue = createJobQueue(store);
  const upkeep = new FamilyUpkeep({ store, queue, events: new EventBus(store, queue, log), log });
  after(async () => {
    await upkeep.close();
    await store.close();
    assert.deepEqual(failed, []);
  });
  const settled = async () => {
    upkeep.wake();
    await upkeep.settled();
  };
  let made = 0;
  return {
    store,
    settled,
    async came(...apks) {
      const ids = await store.transaction(async (inside) => {
        const put: number[] = [];
        for (const { sketch, packageName, signer } of apks) {
          const hash = (signer ?? 0).toString(16).padStart(64, '0');
          const signerId =
            signer === undefined ? null : (await inside.signers.ensure({ sha256: hash, sha1: hash.slice(24) })).id;
          const { id } = await inside.apks.insert({ ...newApk(++made), packageName, signerId });
          await inside.codeSketches.put(id, sketch);
          put.push(id);
        }
        return put;
      });
      await settled();
      return ids;
    },
    familyOf: async (id) => (await store.apks.findById(id))!.codeFamilyId,
  };
}

const codeOf = (hashes: readonly number[]): CodeSketch => sketchOf(new Set(hashes), null);

function sketchOfDexes(files: readonly Buffer[]): CodeSketch {
  const sketcher = new CodeSketcher(knownMethods(), []);
  for (const bytes of files) {
    const dex = openDex(bytes, new Findings(), 'classes.dex');
    scanCode(dex, { code: sketcher.reader(dex) }, () => undefined);
  }
  return sketcher.sketch();
}

test('apps as obfuscators, shrinkers and repackagers make them are each in the family of their own, strangers in none', async () => {
  const { came, familyOf } = await openCatalogue();
  const changes: (Renaming | null)[] = [
    null,
    { seed: 3 },
    { seed: 4, without: 10 },
    { seed: 5, without: 6, isReversed: true },
    { seed: 6, without: 5 },
  ];
  const families: number[][] = [];
  for (const [place, name] of (['apiDemos', 'settings'] as const).entries()) {
    const dexes = [...(await apkDexes(realApks[name])).values()];
    const apks = changes.map((change, at) => ({
      sketch: sketchOfDexes(change === null ? dexes : renamedDexes(dexes, change).dexes),
      packageName: at < 2 ? `com.app${place}` : `com.copy${place}${at}`,
      signer: at < 2 ? place : 100 + place * 10 + at,
    }));
    families.push(await came(...apks));
  }
  const strangers = await came(
    ...(await Promise.all(
      (['minicap', 'unicodeIme'] as const).map(async (name) => ({
        sketch: sketchOfDexes([...(await apkDexes(realApks[name])).values()]),
        packageName: `com.${name}`,
        signer: 200,
      })),
    )),
  );
  const homes = await Promise.all(families.map((ids) => Promise.all(ids.map(familyOf))));
  for (const some of homes) assert.deepEqual(new Set(some).size, 1, JSON.stringify(homes));
  assert.equal(new Set(homes.flat()).size, families.length, JSON.stringify(homes));
  assert.ok(!homes.flat().includes(null));
  assert.deepEqual(await Promise.all(strangers.map(familyOf)), [null, null]);
});

test('versions drift, and stay in the family of the first; an app as small as its loader goes by package and signer', async () => {
  const { came, familyOf } = await openCatalogue();
  let code = methods(1, 400);
  const ids: number[] = [];
  for (let step = 1; step <= 12; step++) {
    code = version(code, step, 0.1);
    ids.push(...(await came({ sketch: codeOf(code), packageName: 'com.drift', signer: 1 })));
  }
  assert.equal(new Set(await Promise.all(ids.map(familyOf))).size, 1);
  const small = codeOf(methods(2, 4));
  const [first, next, stranger] = await came(
    { sketch: small, packageName: 'com.small', signer: 2 },
    { sketch: codeOf(methods(3, 5)), packageName: 'com.small', signer: 2 },
    { sketch: small, packageName: 'com.small', signer: 3 },
  );
  assert.equal(await familyOf(first!), await familyOf(next!));
  assert.notEqual(await familyOf(first!), null);
  assert.equal(await familyOf(stranger!), null);
});

test('hundreds of copies of one app cost no more each than the first ones, and hide no other family', async () => {
  const { came, familyOf } = await openCatalogue();
  const code = methods(4, 300);
  const copy = (number: number) => ({ sketch: codeOf(code), packageName: `com.copy${number}` });
  const copies = await came(...Array.from({ length: 300 }, (_, number) => copy(number)));
  const close = [...code.slice(0, 60), ...methods(5, 240)];
  const [one, other, another] = await came(
    { sketch: codeOf(version(close, 1, 0.1)), packageName: 'com.close1' },
    { sketch: codeOf(version(close, 2, 0.1)), packageName: 'com.close2' },
    copy(301),
  );
  assert.equal(new Set(await Promise.all([...copies, another!].map(familyOf))).size, 1);
  assert.equal(await familyOf(one!), await familyOf(other!));
  assert.notEqual(await familyOf(one!), await familyOf(copies[0]!));
});

test('strangers that were taken for a family for a library that nobody knew part once many apps have it; people keep theirs', async () => {
  const { came, familyOf } = await openCatalogue();
  const library = methods(6, 400);
  const carrier = (number: number) => ({
    sketch: codeOf([...library, ...methods(100 + number, 120)]),
    packageName: `com.carrier${number}`,
  });
  const early = await came(carrier(1), carrier(2));
  const wrong = await familyOf(early[0]!);
  assert.notEqual(wrong, null);
  assert.equal(await familyOf(early[1]!), wrong, 'two apps alone tell no library');
  for (let from = 3; from < 67; from += 16)
    await came(...Array.from({ length: 16 }, (_, place) => carrier(from + place)));
  assert.deepEqual(await Promise.all(early.map(familyOf)), [null, null]);

  const { store, came: come, familyOf: home } = await openCatalogue();
  const confirmed = await come(carrier(1), carrier(2));
  const kept = (await home(confirmed[0]!))!;
  await store.transaction(({ families }) => families.update(kept, { name: 'Ours', isConfirmed: true }));
  for (let from = 3; from < 67; from += 16)
    await come(...Array.from({ length: 16 }, (_, place) => carrier(from + place)));
  assert.deepEqual(await Promise.all(confirmed.map(home)), [kept, kept]);
});

test('what waits when the workstation ends is done after the next start', async () => {
  const folder = scratchFolder();
  const first = await openScratch(folder);
  const sketch = codeOf(methods(7, 100));
  const ids = await first.transaction(async (inside) => {
    const put: number[] = [];
    for (const number of [1, 2]) {
      const { id } = await inside.apks.insert({ ...newApk(number), packageName: 'com.waiting' });
      await inside.codeSketches.put(id, sketch);
      put.push(id);
    }
    return put;
  });
  await first.close();
  const store = await openScratch(folder);
  const queue = createJobQueue(store);
  const upkeep = new FamilyUpkeep({ store, queue, events: new EventBus(store, queue, log), log });
  upkeep.wake();
  await upkeep.settled();
  const [one, other] = await Promise.all(ids.map(async (id) => (await store.apks.findById(id))!.codeFamilyId));
  assert.ok(one !== null && one === other);
  assert.equal((await store.families.findById(one!))!.title, 'com.waiting');
  await upkeep.close();
  await store.close();
});
