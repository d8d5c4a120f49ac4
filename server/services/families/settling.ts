// Brings APKs where people moved their families: into what those were merged into, and back when it is undone. Knows no code.
import type { FamilyMove } from '../../store/repositories/family-action-repository.ts';
import type { FamilyTie } from '../../store/repositories/family-repository.ts';
import type { Writes } from '../../store/store.ts';

/** APKs that are moved in one transaction, in some tens of milliseconds. */
const settledAtOnce = 500;

/** Where APKs are now, and what is said of them. */
export async function placesOf(inside: Writes, apkIds: readonly number[]): Promise<FamilyMove[]> {
  const apks = await inside.apks.findByIds(apkIds);
  const ties = Map.groupBy(await inside.families.tiesOf(apkIds), ({ apkId }) => apkId);
  return [...apks.values()].map(({ id, codeFamilyId }) => ({
    apkId: id,
    fromId: codeFamilyId,
    ties: ties.get(id) ?? [],
  }));
}

/** Moves some members of a family that was merged into another. @returns whether there may be more */
export async function settleMerged(inside: Writes, familyId: number): Promise<boolean> {
  const ids = await inside.families.someMembers(familyId, settledAtOnce);
  const target = (await inside.families.current([familyId])).get(familyId);
  if (ids.length === 0 || target === undefined || target === familyId) return false;
  const places = await placesOf(inside, ids);
  const merge = await inside.familyActions.mergeOf(familyId);
  if (merge !== null) await inside.familyActions.noteMoves(merge.id, places);
  // Merging two families also says that members taken out of one belong to the merged one.
  const excluded = places.filter(({ ties }) => ties.some((tie) => tie.familyId === target && !tie.isMember));
  const kept = excluded.flatMap(({ ties }) => ties.filter((tie) => tie.familyId !== target));
  await inside.families.setTies(
    excluded.map(({ apkId }) => apkId),
    kept,
  );
  await inside.families.move(ids, target);
  return ids.length === settledAtOnce;
}

/** Puts some APKs back where they were before an action that is undone. @returns the families concerned; null: all are back */
export async function restoreMoved(inside: Writes, actionId: number): Promise<Set<number> | null> {
  const moves = await inside.familyActions.takeMoves(actionId, settledAtOnce);
  if (moves === null) return null;
  const ids = moves.map(({ apkId }) => apkId);
  const touched = new Set((await placesOf(inside, ids)).flatMap(({ fromId }) => fromId ?? []));
  const current = await inside.families.current(moves.flatMap(({ fromId }) => fromId ?? []));
  const ties: FamilyTie[] = moves.flatMap((move) => move.ties);
  await inside.families.setTies(ids, ties);
  for (const [fromId, some] of Map.groupBy(moves, (move) => move.fromId)) {
    const target = fromId === null ? null : (current.get(fromId) ?? null);
    await inside.families.move(
      some.map(({ apkId }) => apkId),
      target,
    );
    if (target !== null) touched.add(target);
  }
  return touched;
}
