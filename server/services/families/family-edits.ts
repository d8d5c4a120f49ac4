// What people do with families: name, fill, split, merge, judge, and undo it. Knows nothing of code or HTTP.
import type { NewVerdict } from '../../contract/catalogue/verdict.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { FamilyActionRecord, NewFamilyAction } from '../../store/repositories/family-action-repository.ts';
import type { FamilyRecord, FamilyTie } from '../../store/repositories/family-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { Store, Writes } from '../../store/store.ts';
import type { BulkResult } from '../analyses/bulk-actions.ts';
import type { EventBus } from '../event-bus.ts';
import { Failure, FieldFailure } from '../failure.ts';
import type { Families } from './families.ts';
import { type FamilyJudgements, wordOf } from './family-judgements.ts';
import type { FamilyUpkeep } from './family-upkeep.ts';
import { placesOf, restoreMoved, settleMerged } from './settling.ts';

/** APKs that listeners are told of one by one. */
const maxTold = 50;

interface EditParts {
  store: Store;
  events: EventBus;
  families: Families;
  upkeep: FamilyUpkeep;
  judgements: FamilyJudgements;
}

type Said = Partial<Pick<FamilyActionRecord, 'otherId' | 'detail'>> & Pick<NewFamilyAction, 'familyId' | 'kind'>;

export class FamilyEdits {
  readonly #store: Store;
  readonly #events: EventBus;
  readonly #families: Families;
  readonly #upkeep: FamilyUpkeep;
  readonly #judgements: FamilyJudgements;

  constructor({ store, events, families, upkeep, judgements }: EditParts) {
    this.#store = store;
    this.#events = events;
    this.#families = families;
    this.#upkeep = upkeep;
    this.#judgements = judgements;
  }

  /** Names a family or notes something on it; what is left out stays. */
  async change(account: AccountRecord, family: FamilyRecord, changes: { name?: string; note?: string }) {
    const before = { name: family.name, note: family.note };
    const after = { name: changes.name ?? before.name, note: changes.note ?? before.note };
    if (after.name === before.name && after.note === before.note) return family;
    return this.#done(
      account,
      { familyId: family.id, kind: 'edit', detail: { before, after } },
      async ({ families }) => {
        await families.update(family.id, { ...after, isConfirmed: true });
        return [];
      },
    );
  }

  /** Makes a family of APKs, which leave the ones they were in. @throws FieldFailure */
  async create(account: AccountRecord, sha256: readonly string[], name: string): Promise<FamilyRecord> {
    const apks = await this.#apks(sha256);
    const { id } = await this.#store.transaction(({ families }) => families.insert({ name, isConfirmed: true }));
    return this.#put(account, { familyId: id, kind: 'create' }, apks, null);
  }

  /** Puts APKs into a family. @throws FieldFailure */
  async add(account: AccountRecord, family: FamilyRecord, sha256: readonly string[]): Promise<FamilyRecord> {
    const apks = await this.#apks(sha256);
    return this.#put(account, { familyId: family.id, kind: 'add' }, apks, null);
  }

  /** Splits members off into a family of their own. @throws FieldFailure */
  async split(
    account: AccountRecord,
    family: FamilyRecord,
    sha256: readonly string[],
    name: string,
  ): Promise<FamilyRecord> {
    const apks = await this.#apks(sha256);
    if (apks.some(({ codeFamilyId }) => codeFamilyId !== family.id))
      throw new FieldFailure({ apks: ['Only members can be split off.'] });
    if (apks.length >= family.members) throw new FieldFailure({ apks: ['At least one member stays.'] });
    const { id } = await this.#store.transaction(({ families }) => families.insert({ name, isConfirmed: true }));
    return this.#put(account, { familyId: id, otherId: family.id, kind: 'split' }, apks, family.id);
  }

  /** Takes a member out, which does not come back by itself. @throws Failure `not-found` where it is none */
  async remove(account: AccountRecord, family: FamilyRecord, apk: ApkRecord): Promise<void> {
    if (apk.codeFamilyId !== family.id) throw new Failure('not-found');
    const action = { familyId: family.id, kind: 'remove', detail: { apks: 1 } } as const;
    await this.#done(account, action, async (inside, actionId) => {
      const places = await placesOf(inside, [apk.id]);
      await inside.familyActions.noteMoves(actionId, places);
      const others = places.flatMap(({ ties }) => ties.filter(({ familyId }) => familyId !== family.id));
      await inside.families.setTies([apk.id], [...others, { apkId: apk.id, familyId: family.id, isMember: false }]);
      await inside.families.move([apk.id], null);
      await inside.families.update(family.id, { isConfirmed: true });
      await inside.families.setWaiting([apk.id], true);
      return [apk.id];
    });
  }

  /** Merges another family into one. @throws FieldFailure where both are the same */
  async merge(account: AccountRecord, family: FamilyRecord, other: FamilyRecord): Promise<FamilyRecord> {
    if (family.id === other.id) throw new FieldFailure({ family: ['It is this family.'] });
    const action = { familyId: family.id, otherId: other.id, kind: 'merge', detail: { apks: other.members } } as const;
    return this.#done(account, action, async (inside) => {
      await inside.families.update(other.id, { mergedInto: family.id });
      await inside.families.update(family.id, { isConfirmed: true });
      const some = await inside.families.someMembers(other.id, maxTold + 1);
      await settleMerged(inside, other.id);
      return some;
    });
  }

  /** Says of all members what they are. */
  async judge(account: AccountRecord, family: FamilyRecord, said: NewVerdict): Promise<BulkResult> {
    const verdict = wordOf(family, said);
    const detail = { apks: family.members, verdict: verdict.verdict!, family: verdict.family ?? '' };
    await this.#done(account, { familyId: family.id, kind: 'judge', detail }, async ({ families }) => {
      await families.update(family.id, { isConfirmed: true });
      return [];
    });
    return this.#judgements.say(account, family, verdict);
  }

  /** Undoes an action on a family; what somebody did with the same APKs since stays. @throws Failure `undone-already` */
  async undo(account: AccountRecord, action: FamilyActionRecord): Promise<FamilyRecord> {
    const { id, familyId, otherId, kind, detail } = action;
    const touched = new Set([familyId, ...(otherId === null ? [] : [otherId])]);
    await this.#store.transaction(async (inside) => {
      if (!(await inside.familyActions.undo(id, account.username))) throw new Failure('undone-already');
      if (kind === 'edit' && detail.before !== undefined) await inside.families.update(familyId, detail.before);
      if (kind === 'merge' && otherId !== null) await inside.families.update(otherId, { mergedInto: null });
      for (const one of (await restoreMoved(inside, id)) ?? []) touched.add(one);
    });
    if (kind === 'judge') await this.#judgements.takeBack(account, action);
    this.#tell(touched);
    this.#upkeep.wake();
    return this.#families.get(familyId);
  }

  async #put(
    account: AccountRecord,
    said: Said,
    apks: readonly ApkRecord[],
    leftId: number | null,
  ): Promise<FamilyRecord> {
    const { familyId } = said;
    const ids = apks.map(({ id }) => id);
    const left = [...new Set(apks.flatMap(({ codeFamilyId }) => codeFamilyId ?? []))];
    return this.#done(account, { ...said, detail: { apks: ids.length } }, async (inside, actionId) => {
      const places = await placesOf(inside, ids);
      await inside.familyActions.noteMoves(actionId, places);
      const ties = places.flatMap(({ apkId, ties: held }): FamilyTie[] => {
        const others = held.filter((tie) => !tie.isMember && tie.familyId !== familyId && tie.familyId !== leftId);
        const apart = leftId === null ? [] : [{ apkId, familyId: leftId, isMember: false }];
        return [...others, ...apart, { apkId, familyId, isMember: true }];
      });
      await inside.families.setTies(ids, ties);
      await inside.families.move(ids, familyId);
      await inside.families.setWaiting(ids, false);
      for (const id of new Set([familyId, ...left])) await inside.families.update(id, { isConfirmed: true });
      inside.afterCommit(() => this.#tell(left));
      return ids;
    });
  }

  /** Does something in one transaction, notes who did it, and tells of it. @param work @returns APKs that it moves */
  async #done(
    { id: accountId, username }: AccountRecord,
    { familyId, otherId = null, kind, detail = {} }: Said,
    work: (inside: Writes, actionId: number) => Promise<readonly number[]>,
  ): Promise<FamilyRecord> {
    const moved = await this.#store.transaction(async (inside) => {
      const action = { familyId, otherId, kind, detail, accountId, username };
      return work(inside, (await inside.familyActions.insert(action)).id);
    });
    this.#tell([familyId, ...(otherId === null ? [] : [otherId])]);
    if (moved.length <= maxTold && this.#events.hasListeners)
      for (const apk of (await this.#store.apks.findByIds(moved)).values())
        this.#events.publish({ name: 'apk_updated', apk });
    this.#upkeep.wake();
    return this.#families.get(familyId);
  }

  #tell(familyIds: Iterable<number>): void {
    for (const id of familyIds) this.#events.publish({ name: 'family_changed', id });
  }

  /** @throws FieldFailure where one of them is not there */
  async #apks(sha256: readonly string[]): Promise<ApkRecord[]> {
    const apks: ApkRecord[] = [];
    for (const hash of new Set(sha256)) {
      const apk = await this.#store.apks.findBySha256(hash);
      if (apk === null) throw new FieldFailure({ apks: [`${hash} is not in the catalogue.`] });
      apks.push(apk);
    }
    return apks;
  }
}
