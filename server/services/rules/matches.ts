// Matches of rulesets on APKs, and the detections that those of social rulesets make. Knows nothing of YARA or HTTP.

import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import {
  type MatchedRule,
  type MatchFilter,
  type MatchRecord,
  ruleNames,
} from '../../store/repositories/rules/match-repository.ts';
import type {
  RuleStatisticsFilter,
  RuleStatisticsOrder,
  RuleStatisticsRecord,
} from '../../store/repositories/rules/rule-statistics-repository.ts';
import type { RulesetRecord, UncountedRuleset } from '../../store/repositories/rules/ruleset-repository.ts';
import type { KeysetPage, KeysetRequest } from '../../store/sqlite/keyset-page.ts';
import type { Store, Writes } from '../../store/store.ts';
import type { EventBus } from '../event-bus.ts';
import { maySeeRuleset } from '../policies.ts';
import type { ActiveRulesets } from './active-rulesets.ts';
import { noteOutcome } from './ruleset-conditions.ts';
import type { ScanOutcome } from './ruleset-isolation.ts';

export type { MatchedRule, MatchFilter, MatchRecord, RuleStatisticsRecord };

/** One ruleset of a scan: the version of its text that ran, and what came of it. */
export interface ScannedRuleset {
  rulesetId: number;
  version: number;
  outcome: Pick<ScanOutcome, 'status' | 'code' | 'message' | 'matches_count' | 'rules_matched'>;
}

/** A match that holds. */
export interface RecordedMatch {
  matchId: number;
  rulesetId: number;
  isNew: boolean;
  isChanged: boolean;
}

const isNews = ({ isNew, isChanged }: RecordedMatch): boolean => isNew || isChanged;

export interface RecordedScan {
  matches: RecordedMatch[];
  /** Matches that nobody was notified of: they did not change, and nobody had asked for the scan. */
  untold: RecordedMatch[];
  /** Rulesets that were changed during the scan: nothing that the former text found was stored. */
  outdated: number[];
  /** Rulesets that did not run to their end. Their matches stay as they were. */
  unfinished: number[];
  /** Rulesets that made trouble too often and were disabled. */
  suspended: number[];
}

export interface RecordOptions {
  /** A retrohunt runs the present texts, of disabled rulesets too, and is no analysis of the APK. */
  isHunt?: boolean;
  /** Of the scan: where somebody has asked for it, the authors hear of every match, not of what is new alone. */
  jobId?: number;
  /** Other rulesets of the same scan are still to come. */
  isPart?: boolean;
  /** Rulesets that scan this APK for the folder that it came by, also where they are disabled. */
  isOfFolder?: ReadonlySet<number>;
  /** Writes what else belongs to the scan, in the same transaction. */
  also?: (inside: Writes, recorded: RecordedScan) => Promise<void>;
}

/** Whether what a version found may be stored; in the minutes before a text comes into use it is the one before. */
function isOutdated(ruleset: UncountedRuleset, version: number, now: number, isHunt: boolean): boolean {
  if (isHunt) return ruleset.version !== version;
  return ruleset.version !== version && (ruleset.activeSince ?? 0) <= now;
}

/** Matches that are changed in one transaction, so that no other request waits long. */
const batchSize = 100;

const isSocial = (ruleset: UncountedRuleset): boolean => ruleset.isPublic && ruleset.socialStatus === 'accepted';

async function settleDetection(inside: Writes, ruleset: UncountedRuleset, match: MatchRecord): Promise<void> {
  const source = { kind: 'ruleset', rulesetId: ruleset.id } as const;
  if (!isSocial(ruleset)) await inside.detections.remove(match.apkId, source);
  else await inside.detections.save(match.apkId, source, { rules_matched: ruleNames(match.rules) });
}

export class Matches {
  readonly #store: Store;
  readonly #events: EventBus;

  readonly #active: ActiveRulesets;
  /** Which accounts have private rulesets, as it was at `#privateRevision`. */
  readonly #private = new Map<number, boolean>();
  #privateRevision = -1;

  constructor(store: Store, events: EventBus, active: ActiveRulesets) {
    this.#store = store;
    this.#events = events;
    this.#active = active;
  }

  /** Matches that the filter lets through, newest first. */
  page = (filter: MatchFilter, request: KeysetRequest): Promise<KeysetPage<MatchRecord>> =>
    this.#store.matches.page({ ...request, filter });

  /** How many matches the filter lets through. */
  count = (filter: MatchFilter): Promise<number> => this.#store.matches.count(filter);

  /** Rules that match APKs, the first in an order, with the dismissals that quarantine them and how many APKs there are. */
  async statistics(filter: RuleStatisticsFilter, order: RuleStatisticsOrder, limit: number) {
    const { count, rules } = await this.#store.ruleStatistics.list(filter, order, limit);
    const ids = rules.flatMap(({ quarantineId }) => quarantineId ?? []);
    const quarantines = await this.#store.dismissals.findByIds(ids);
    return { count, rules, quarantines, apks: await this.#store.apks.count() };
  }

  /** A match of this ruleset, null where there is none. */
  async find(rulesetId: number, id: number | null): Promise<MatchRecord | null> {
    const match = id === null ? null : await this.#store.matches.findById(id);
    return match?.rulesetId === rulesetId ? match : null;
  }

  /** The APKs as an account sees them: with the matches of its own private rulesets counted. */
  async counted(account: AccountRecord, apks: readonly ApkRecord[]): Promise<ApkRecord[]> {
    if (!(await this.#hasPrivateRulesets(account))) return [...apks];
    const counts = await this.#store.matches.countPrivate(
      account.id,
      apks.map(({ id }) => id),
    );
    return apks.map((apk) => ({ ...apk, matchesCount: apk.matchesCount + (counts.get(apk.id) ?? 0) }));
  }

  async #hasPrivateRulesets({ id }: AccountRecord): Promise<boolean> {
    const revision = this.#store.revisions.of('rulesets');
    if (revision !== this.#privateRevision) {
      this.#private.clear();
      this.#privateRevision = revision;
    }
    const known = this.#private.get(id);
    if (known !== undefined) return known;
    const has = (await this.#store.rulesets.count({ readerId: id, ownerId: id, isPublic: false })) > 0;
    if (revision === this.#store.revisions.of('rulesets')) this.#private.set(id, has);
    return has;
  }

  /**
   * Stores what a completed scan found: new matches and changed ones are told of, all of them where somebody has asked for
   * the scan, and those of scanned rulesets that no
   * longer hold are removed.
   */
  async recordScan(
    apkId: number,
    scanned: readonly ScannedRuleset[],
    { isHunt = false, isPart = false, isOfFolder, jobId, also }: RecordOptions = {},
  ): Promise<RecordedScan> {
    const recorded: RecordedScan = { matches: [], untold: [], outdated: [], unfinished: [], suspended: [] };
    let told: readonly RecordedMatch[] = [];
    const apk = await this.#store.transaction(async (inside) => {
      const before = await inside.apks.findById(apkId);
      if (before === null) {
        await also?.(inside, recorded);
        return null;
      }
      const ids = scanned.map(({ rulesetId }) => rulesetId);
      const rulesets = await inside.rulesets.findUncounted(ids);
      // Of thousands of rulesets few match; only these are looked at one by one.
      const matching = new Set(await inside.matches.rulesetsOn(apkId, ids));
      let hasFewer = false;
      for (const one of scanned) {
        const ruleset = rulesets.get(one.rulesetId);
        // Disabled or deleted while the scan ran: its matches stay as they were.
        if (ruleset === undefined || !(ruleset.isEnabled || isHunt || isOfFolder?.has(ruleset.id))) continue;
        const isStale = await this.#recordRuleset(inside, apkId, ruleset, one, isHunt, recorded);
        if (!isStale || !matching.has(one.rulesetId)) continue;
        hasFewer = true;
        await inside.matches.remove(apkId, one.rulesetId);
        await inside.detections.remove(apkId, { kind: 'ruleset', rulesetId: one.rulesetId });
      }
      if (hasFewer || recorded.matches.length > 0 || !isHunt) await this.recount(inside, [apkId]);
      await also?.(inside, recorded);
      const isAsked = jobId !== undefined && (await inside.jobs.askers(jobId)).length > 0;
      // A hunt tells of its matches when it ends.
      told = isHunt ? [] : recorded.matches.filter((match) => isAsked || isNews(match));
      recorded.untold = recorded.matches.filter((match) => !told.includes(match));
      await this.#tell(inside, apkId, told, recorded.suspended);
      if (!isHunt && !isPart) return inside.apks.update(apkId, { lastYaraAnalysisAt: this.#store.clock() });
      const after = await inside.apks.findById(apkId);
      return isHunt && after?.updatedAt === before.updatedAt ? null : after;
    });
    if (recorded.suspended.length > 0) this.#active.invalidate();
    if (apk !== null) this.#events.publish({ name: 'apk_updated', apk });
    if (apk === null || !this.#events.hasListeners) return recorded;
    for (const match of told) await this.#publish(match.matchId, match.rulesetId, apk);
    return recorded;
  }

  async #tell(
    inside: Writes,
    apkId: number,
    matches: readonly RecordedMatch[],
    suspended: readonly number[],
  ): Promise<void> {
    for (const rulesetId of suspended) await this.#events.happened({ name: 'ruleset_suspended', rulesetId }, inside);
    await this.tellOf(inside, apkId, matches);
  }

  /** Tells the authors of matches that hold, but not of rules in quarantine. */
  async tellOf(inside: Writes, apkId: number, matches: readonly RecordedMatch[]): Promise<void> {
    const quarantined = await inside.ruleStatistics.quarantined(matches.map(({ matchId }) => matchId));
    for (const { matchId, rulesetId } of matches) {
      if (quarantined.has(matchId)) continue;
      await this.#events.happened({ name: 'ruleset_matched', matchId, rulesetId, apkId }, inside);
    }
  }

  async #publish(matchId: number, rulesetId: number, apk: ApkRecord): Promise<void> {
    const match = await this.#store.matches.findById(matchId);
    const ruleset = (await this.#store.rulesets.findUncounted([rulesetId])).get(rulesetId);
    const author = ruleset === undefined ? null : await this.#store.accounts.findById(ruleset.authorId);
    if (match === null || ruleset === undefined || author === null) return;
    this.#events.publish({ name: 'match', match, apk, ruleset, author }, (account) => maySeeRuleset(account, ruleset));
  }

  /** Brings APKs to what their matches say now. */
  async recount(inside: Writes, apkIds: readonly number[]): Promise<void> {
    await inside.apks.recount(apkIds);
    await this.#events.happened({ name: 'evidence_changed', apkIds }, inside);
  }

  /** @returns whether a match of before no longer holds */
  async #recordRuleset(
    inside: Writes,
    apkId: number,
    ruleset: UncountedRuleset,
    { rulesetId, version, outcome }: ScannedRuleset,
    isHunt: boolean,
    recorded: RecordedScan,
  ): Promise<boolean> {
    const now = this.#store.clock();
    if (isOutdated(ruleset, version, now, isHunt)) {
      recorded.outdated.push(rulesetId);
      return false;
    }
    if (await noteOutcome(inside, ruleset, outcome, now)) recorded.suspended.push(rulesetId);
    if (outcome.status !== 'done') {
      recorded.unfinished.push(rulesetId);
      return false;
    }
    if (outcome.rules_matched.length === 0) return true;
    const { rules_matched: rules, matches_count: count } = outcome;
    const { match, isNew, isChanged } = await inside.matches.save(apkId, rulesetId, rules, count);
    await settleDetection(inside, ruleset, match);
    recorded.matches.push({ matchId: match.id, rulesetId, isNew, isChanged });
    return false;
  }

  /** Brings detections and counts of all matches of a ruleset to what it has become. */
  async settle({ id }: RulesetRecord): Promise<void> {
    await this.#inBatches(id, async (inside, matches) => {
      const ruleset = await inside.rulesets.findById(id);
      if (ruleset === null) return;
      for (const match of matches) await settleDetection(inside, ruleset, match);
    });
  }

  /** Removes all matches of a ruleset with their detections. @param trashId where they go; null: for good */
  async removeAll(rulesetId: number, trashId: number | null): Promise<void> {
    await this.#inBatches(rulesetId, async (inside, matches) => {
      if (trashId !== null) {
        const apkIds = matches.map(({ apkId }) => apkId);
        await inside.trash.take(trashId, 'detections', await inside.detections.idsOfRuleset(rulesetId, apkIds));
        const ids = matches.map(({ id }) => id);
        await inside.trash.take(trashId, 'matches', ids);
        return;
      }
      for (const { apkId } of matches) {
        await inside.matches.remove(apkId, rulesetId);
        await inside.detections.remove(apkId, { kind: 'ruleset', rulesetId });
      }
    });
  }

  async #inBatches(
    rulesetId: number,
    work: (inside: Writes, matches: readonly MatchRecord[]) => Promise<void>,
  ): Promise<void> {
    let olderThan: number | undefined;
    for (;;) {
      const { items, hasOlder } = await this.#store.transaction(async (inside) => {
        const page = await inside.matches.page({ filter: { rulesetId }, olderThan, limit: batchSize });
        await work(inside, page.items);
        await this.recount(
          inside,
          page.items.map(({ apkId }) => apkId),
        );
        return page;
      });
      olderThan = items.at(-1)?.id;
      if (!hasOlder || olderThan === undefined) return;
      // The database is synchronous: without this, other requests would wait for the last batch.
      await new Promise(setImmediate);
    }
  }
}
