import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { indexTerms } from '../../../server/services/catalogue/search-indexing.ts';
import type { Store, Writes } from '../../../server/store/store.ts';
import { newApk } from './new-apk.ts';
import { openScratch, scratchFolder } from './scratch-store.ts';

const store = await openScratch(scratchFolder());
after(() => store.close());
const terms = { terms: [], names: null, minSdk: null, targetSdk: null };

/** Never called: the types check compiles it, and fails where one of these lines is right. */
export function refused(outside: Store, inside: Writes): void {
  // @ts-expect-error what writes is asked within a transaction alone
  void outside.apks.insert(newApk(1));
  // @ts-expect-error so is what has no record to answer with
  void outside.settings.write('smtp_host', 'mail.example');
  // @ts-expect-error a function that writes takes the repositories of a transaction
  void indexTerms(outside, 1, terms);
  // @ts-expect-error a handle that reads has no way to write
  void outside.apks.insert.call(outside.apks, newApk(1));
  void inside.apks.insert(newApk(1));
  void indexTerms(inside, 1, terms);
}

test('a query within a transaction that is not asked of its repositories throws, instead of waiting for ever', async () => {
  const before = await store.apks.count();
  const asking = store.transaction(async ({ apks }) => {
    await apks.insert(newApk(2));
    await store.apks.count();
  });
  await assert.rejects(asking, /within a transaction/);
  const nested = store.transaction(() => store.transaction(({ apks }) => apks.count()));
  await assert.rejects(nested, /within a transaction/);
  assert.equal(await store.apks.count(), before);
});

test('what is asked while a transaction of others is open waits for its end', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const writing = store.transaction(async ({ apks }) => {
    await apks.insert(newApk(3));
    begin();
    await released;
  });
  await begun;
  const counting = store.apks.count();
  release();
  await writing;
  assert.equal(await counting, 1);
});

test('a stored file that is found missing within a transaction is noted after it', async () => {
  const apk = newApk(4);
  await store.transaction(({ apks }) => apks.insert(apk));
  await store.transaction(async ({ apks }) => {
    assert.throws(() => store.files.open(apk.sha256));
    await apks.count();
  });
  const noted = async () => (await store.apks.findBySha256(apk.sha256))?.fileState;
  while ((await noted()) === 'ok') await new Promise(setImmediate);
  assert.equal(await noted(), 'missing');
});
