// Keeps families up to date as APKs come: has each placed by a thread, settles what people moved, proposes names, and notes who
// else signed the code. Whatever is to be done is noted with the APKs and families themselves, so that no end of the process loses it. Knows no code.
import { setImmediate } from 'node:timers/promises';
import type { JobContext } from '../../jobs/job-runner.ts';
import type { Store, Writes } from '../../store/store.ts';
import { BackgroundWork, type BackgroundWorkParts } from '../background-work.ts';
import type { EventBus, HappeningFollower } from '../event-bus.ts';
import type { FamilyKey } from './family-placing.ts';
import { namesFor } from './family-portrait.ts';
import { FamilyThread, type MethodKnowledge, type PlaceAnswer } from './family-thread.ts';
import { restoreMoved, settleMerged } from './settling.ts';

/** APKs that are placed in one step, each within some tens of milliseconds. */
const placedAtOnce = 64;
/** From this many waiting APKs on the work is a job, whose progress people see. */
const isJobFrom = 500;
/** Delay in milliseconds between a change and the work for it, so that changes that come together are handled together. */
const patience = 1000;
const namedAtOnce = 20;
const reviewedAtOnce = 100;
/** APKs that listeners are told of one by one. */
const maxTold = 20;
/** Key in the settings: what was known of methods when members were last looked at again, and how far that has come. */
const reviewKey = 'families_review';
/** Members are compared again when the number of packages behind the methods' weights has grown by this factor. */
const reviewGrowth = 2;

interface Review {
  /** Of the last one. */
  known: MethodKnowledge;
  /** The family that was looked at last; null: none is under way. */
  afterId: number | null;
}

interface UpkeepParts extends BackgroundWorkParts {
  events: EventBus;
}

export class FamilyUpkeep extends BackgroundWork {
  readonly #store: Store;
  readonly #events: EventBus;
  readonly #thread: FamilyThread;
  /** APKs whose code was read anew since they were last asked about. */
  readonly #renewed = new Set<number>();
  #knowledge: MethodKnowledge | null = null;

  constructor({ store, events, ...parts }: UpkeepParts) {
    super({ store, ...parts }, { kind: 'families', patience, fault: 'families could not be brought up to date' });
    this.#store = store;
    this.#events = events;
    this.#thread = new FamilyThread(store.dataDir);
  }

  readonly followHappening: HappeningFollower = async (happening, inside) => {
    if (happening.name === 'standing_changed') {
      if (await inside.repackagings.lookAgain(happening.apkIds)) inside.afterCommit(() => this.wake());
    }
    if (happening.name === 'code_read') {
      inside.afterCommit(() => {
        for (const id of happening.apkIds) this.#renewed.add(id);
      });
    }
    if (happening.name !== 'evidence_changed') return;
    await inside.families.noteEvidence(happening.apkIds);
    inside.afterCommit(() => this.wake());
  };

  override async close(): Promise<void> {
    await super.close();
    await this.#thread.close();
  }

  protected async workThrough(signal: AbortSignal, progress: JobContext['progress'] | null): Promise<void> {
    let placed = 0;
    while (!signal.aborted) {
      await setImmediate();
      if (await this.#settle()) continue;
      const left = await this.#store.families.countWaiting(progress === null ? isJobFrom : Number.MAX_SAFE_INTEGER);
      if (left >= isJobFrom && progress === null) return this.becomeJob();
      if (left > 0) {
        const ids = await this.#store.families.waiting(placedAtOnce);
        await this.#place(ids, signal, left <= maxTold);
        placed += ids.length;
        progress?.(`placed ${placed} of ${placed + left - ids.length} APKs`, placed / (placed + left));
        continue;
      }
      // Of those that do not wait the code could not be read.
      this.#renewed.clear();
      if (await this.#review(signal)) continue;
      if (!(await this.#proposeNames())) return;
    }
  }

  /** Moves APKs that merges and their undoing left to be moved. @returns whether there were any */
  async #settle(): Promise<boolean> {
    const merged = await this.#store.families.unsettled(1);
    for (const id of merged) await this.#store.transaction((inside) => settleMerged(inside, id));
    const restoring = await this.#store.familyActions.restoring();
    for (const id of restoring) {
      const touched = await this.#store.transaction((inside) => restoreMoved(inside, id));
      for (const family of touched ?? []) this.#events.publish({ name: 'family_changed', id: family });
    }
    return merged.length > 0 || restoring.length > 0;
  }

  async #place(ids: readonly number[], signal: AbortSignal, isTold: boolean): Promise<void> {
    // Those whose own code is as it was are looked at again for the sake of others.
    const again = ids.filter((id) => !this.#renewed.delete(id));
    const alone = ids.length > maxTold ? [] : await this.#alone(ids);
    const others = ids.filter((id) => !alone.includes(id));
    const nothing = { moved: [], merged: [], repackagings: [] };
    const answer = others.length === 0 ? nothing : await this.#ask(others, signal);
    const { families, apks } = await this.#store.transaction(async (inside) => {
      const moved = await this.#apply(inside, ids, answer);
      const concerned = await this.#noteRepackagings(inside, ids, answer.repackagings, again);
      return { ...moved, apks: [...new Set([...moved.apks, ...concerned])] };
    });
    for (const id of families) this.#events.publish({ name: 'family_changed', id });
    if (!isTold || !this.#events.hasListeners) return;
    for (const apk of (await this.#store.apks.findByIds(apks)).values())
      this.#events.publish({ name: 'apk_updated', apk });
  }

  async #ask(ids: readonly number[], signal: AbortSignal): Promise<PlaceAnswer> {
    const answer = await this.#thread.place(ids, signal);
    this.#knowledge = answer.knowledge;
    return answer;
  }

  /** Those of some APKs that nothing is like, for which no thread has to be asked. */
  async #alone(ids: readonly number[]): Promise<number[]> {
    const { families, familyPlaces, codeSketches } = this.#store;
    const said = new Set((await families.tiesOf(ids)).map(({ apkId }) => apkId));
    const alone: number[] = [];
    for (const apk of (await familyPlaces.find(ids)).values()) {
      if (said.has(apk.id) || apk.familyId !== null) continue;
      const others = [...(await codeSketches.sharing(apk.id)), ...(await familyPlaces.sameApp(apk, 1))];
      if (others.length === 0) alone.push(apk.id);
    }
    return alone;
  }

  /** Moves APKs as the thread found, but where people said otherwise meanwhile. @returns what changed */
  async #apply(inside: Writes, asked: readonly number[], { moved, merged }: Pick<PlaceAnswer, 'moved' | 'merged'>) {
    const targets = new Map(moved.filter(({ apkId }) => !this.#renewed.has(apkId)).map(({ apkId, to }) => [apkId, to]));
    const apks = await inside.apks.findByIds([...targets.keys()]);
    const ties = Map.groupBy(await inside.families.tiesOf([...targets.keys()]), ({ apkId }) => apkId);
    const made = new Map<FamilyKey, number>();
    const idOf = async (key: FamilyKey): Promise<number> => {
      if (key > 0) return (await inside.families.current([key])).get(key) ?? key;
      if (!made.has(key)) made.set(key, (await inside.families.insert({ isConfirmed: false })).id);
      return made.get(key)!;
    };
    const families = new Set<number>();
    const changed: number[] = [];
    for (const [apkId, key] of targets) {
      const apk = apks.get(apkId);
      if (apk === undefined) continue;
      const to = key === null ? null : await idOf(key);
      const said = ties.get(apkId) ?? [];
      const current = await inside.families.current(said.map(({ familyId }) => familyId));
      const isAgainst = said.some(({ familyId, isMember }) => isMember !== (current.get(familyId) === to));
      if (isAgainst || apk.codeFamilyId === to) continue;
      await inside.families.move([apkId], to);
      changed.push(apkId);
      for (const id of [apk.codeFamilyId, to]) if (id !== null) families.add(id);
    }
    for (const { from, into } of merged) {
      const [fromId, intoId] = [await idOf(from), await idOf(into)];
      const both = await inside.families.findByIds([fromId, intoId]);
      if (fromId === intoId || [...both.values()].every(({ isConfirmed }) => isConfirmed)) continue;
      await inside.families.update(fromId, { mergedInto: intoId });
      await settleMerged(inside, fromId);
      families.add(fromId).add(intoId);
    }
    const isDone = asked.filter((id) => !this.#renewed.has(id));
    await inside.families.setWaiting(isDone, false);
    return { families, apks: changed };
  }

  /**
   * Notes who else signed the code of APKs.
   * @param again APKs whose findings are to be made anew even if the result is the same
   * @returns the APKs whose findings may change
   */
  async #noteRepackagings(
    inside: Writes,
    asked: readonly number[],
    found: PlaceAnswer['repackagings'],
    again: readonly number[],
  ): Promise<Set<number>> {
    const there = await inside.apks.findByIds([...asked, ...found.map(({ otherId }) => otherId)]);
    const concerned = new Set(again.filter((id) => there.has(id)));
    for (const id of asked) {
      if (!there.has(id)) continue;
      const own = found.filter(({ apkId, otherId }) => apkId === id && there.has(otherId));
      const changed = await inside.repackagings.replace(id, own);
      for (const other of changed.length === 0 ? [] : [id, ...changed]) concerned.add(other);
    }
    if (concerned.size > 0)
      await this.#events.happened({ name: 'repackagings_changed', apkIds: [...concerned] }, inside);
    return concerned;
  }

  /** Looks at some members again where much more is known of methods than when they came. @returns whether it did */
  async #review(signal: AbortSignal): Promise<boolean> {
    const known = this.#knowledge;
    if (known === null) return false;
    const held = ((await this.#store.settings.read(reviewKey)) ?? null) as Review | null;
    const write = (review: Review) => this.#store.transaction(({ settings }) => settings.write(reviewKey, review));
    if (held === null) {
      await write({ known, afterId: null });
      return false;
    }
    const isDue = known.packages >= reviewGrowth * held.known.packages || known.libraries !== held.known.libraries;
    if (held.afterId === null && !isDue) return false;
    const family = await this.#store.families.nextUnconfirmed(held.afterId ?? 0);
    if (family === null) {
      await write({ known, afterId: null });
      return false;
    }
    for (let offset = 0; !signal.aborted; offset += reviewedAtOnce) {
      const members = await this.#store.families.members(family, { offset, limit: reviewedAtOnce });
      if (members.length === 0) break;
      const strangers = await this.#thread.strangers(family, members, signal);
      if (strangers.length === 0) continue;
      offset -= strangers.length;
      await this.#store.transaction(async ({ families }) => {
        await families.move(strangers, null);
        await families.setWaiting(strangers, true);
      });
    }
    if (!signal.aborted) await write({ ...held, afterId: family });
    return true;
  }

  /** @returns whether there were any to be proposed */
  async #proposeNames(): Promise<boolean> {
    const ids = await this.#store.families.stale(namedAtOnce);
    if (ids.length === 0) return false;
    await this.#store.transaction(async ({ families }) => {
      for (const id of ids) await families.update(id, { isStale: false });
    });
    for (const family of (await this.#store.families.findByIds(ids)).values()) {
      const proposedName = family.members === 0 ? '' : ((await namesFor(this.#store, family))[0]?.name ?? '');
      if (proposedName === family.proposedName) continue;
      await this.#store.transaction(({ families }) => families.update(family.id, { proposedName }));
      this.#events.publish({ name: 'family_changed', id: family.id });
    }
    return true;
  }
}
