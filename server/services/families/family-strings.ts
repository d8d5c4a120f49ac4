// Which texts of their own code the members of a family share, and in which they differ: none that others have too. Knows no HTTP.
import { type FamilyTraits, maxFamilyTraits } from '../../contract/catalogue/family.ts';
import type { OwnStrings } from '../../contract/engine/own-strings.ts';
import type { FamilyRecord } from '../../store/repositories/family-repository.ts';
import type { Store } from '../../store/store.ts';
import { DamagedReportError } from '../../vault/packed-bytes.ts';
import { unpackJson } from '../../vault/packed-json.ts';
import { hashesIn } from '../catalogue/likeness/hash-list.ts';

/** Other APKs that tell how rare a text is, and the share of them that may have a rare one: some may be members yet unknown. */
const maxOthers = 400;
const rareShare = 0.02;

interface Member {
  keys: Uint32Array;
  strings: OwnStrings;
}

function textsOf({ texts }: OwnStrings): string[] {
  try {
    return unpackJson<string[]>(texts);
  } catch (error) {
    if (error instanceof DamagedReportError) return [];
    throw error;
  }
}

/** Compares by the texts that of all members would be kept. @param members ids of APKs */
export async function familyStrings(
  store: Store,
  family: FamilyRecord,
  members: readonly number[],
): Promise<FamilyTraits> {
  const all = (await store.ownStrings.find(members)).map(
    (strings): Member => ({ keys: hashesIn(strings.keys), strings }),
  );
  const end = Math.min(
    ...all.map(({ keys, strings }) => (strings.isCut ? (keys.at(-1) ?? 0) : Number.POSITIVE_INFINITY)),
  );
  const having = new Map<number, number>();
  for (const { keys } of all) for (const key of keys) if (key <= end) having.set(key, (having.get(key) ?? 0) + 1);
  const usual = await usualAmong(store, family, having);
  const keys = [...having.keys()].filter((key) => !usual.has(key)).sort((one, other) => one - other);
  const shared = keys.filter((key) => having.get(key) === all.length);
  const varying = keys
    .filter((key) => having.get(key)! < all.length)
    .sort((one, other) => having.get(one)! - having.get(other)!);
  const listed = { shared: shared.slice(0, maxFamilyTraits), varying: varying.slice(0, maxFamilyTraits) };
  const texts = textsByKey(all, new Set([...listed.shared, ...listed.varying]));
  return {
    shared_count: shared.length,
    shared: listed.shared.flatMap((key) => texts.get(key) ?? []),
    varying_count: varying.length,
    varying: listed.varying.flatMap((key) =>
      texts.has(key) ? [{ name: texts.get(key)!, apks_count: having.get(key)! }] : [],
    ),
  };
}

/** Those of some texts that too many other APKs have. */
async function usualAmong(
  store: Store,
  { id }: FamilyRecord,
  asked: ReadonlyMap<number, number>,
): Promise<Set<number>> {
  const others = await store.ownStrings.keysOutside(id, maxOthers);
  const counts = new Map<number, number>();
  for (const other of others)
    for (const key of hashesIn(other)) if (asked.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > others.length * rareShare).map(([key]) => key));
}

function textsByKey(members: readonly Member[], wanted: ReadonlySet<number>): Map<number, string> {
  const found = new Map<number, string>();
  for (const { keys, strings } of members) {
    if (found.size === wanted.size) break;
    if (!keys.some((key) => wanted.has(key) && !found.has(key))) continue;
    for (const [at, text] of textsOf(strings).entries()) if (wanted.has(keys[at]!)) found.set(keys[at]!, text);
  }
  return found;
}
