// Tells what is wrong with corrupted APKs that came before this was told, by the identity that is stored. Reads no file.
import { setImmediate } from 'node:timers/promises';
import { damageOf } from '../../contract/catalogue/damage.ts';
import type { Identity } from '../../contract/engine/analysis-results.ts';
import type { Store } from '../../store/store.ts';

/** APKs that are looked up, and written, at a time. */
const batch = 20;

/** @returns how many APKs it told of */
export async function tellStoredDamage(store: Store, signal?: AbortSignal): Promise<number> {
  let told = 0;
  let afterId = 0;
  for (;;) {
    const ids = await store.apks.ofUntoldDamage(afterId, batch);
    const last = ids.at(-1);
    if (last === undefined || signal?.aborted === true) return told;
    afterId = last;
    const reasons = await Promise.all(
      ids.map(async (id) => (await store.reports.readJson<Identity>(id, 'identity'))?.corruptions ?? []),
    );
    await store.transaction(async ({ apks }) => {
      for (const [at, id] of ids.entries()) await apks.setDamage(id, damageOf(reasons[at]!) ?? 'damaged');
    });
    told += ids.length;
    await setImmediate();
  }
}
