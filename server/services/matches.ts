// Matches of rulesets on APKs, and the detections that those of social rulesets make. Knows nothing of YARA or HTTP.
import type { AccountRecord } from '../store/account-repository.ts';
import type { ApkRecord } from '../store/apk-repository.ts';
import type { KeysetPage, KeysetRequest } from '../store/keyset-page.ts';
import { type MatchedRule, type MatchFilter, type MatchRecord, ruleNames } from '../store/match-repository.ts';
import type { RulesetRecord } from '../store/ruleset-repository.ts';
import type { Repositories, Store } from '../store/store.ts';
import type { EventBus } from './event-bus.ts';

export type { MatchedRule, MatchFilter, MatchRecord };

/** The rules of one ruleset that matched. */
export interface FoundMatch {
  rulesetId: number;
  rules: MatchedRule[];
}

/** Matches that are changed in one transaction, so that no other request waits long. */
const batchSize = 100;

const isSocial = (ruleset: RulesetRecord): boolean => ruleset.isPublic && ruleset.socialStatus === 'accepted';

async function settleDetection(inside: Repositories, ruleset: RulesetRecord, match: MatchRecord): Promise<void> {
  const source = { kind: 'ruleset', rulesetId: ruleset.id } as const;
  if (!isSocial(ruleset)) await inside.detections.remove(match.apkId, source);
  else await inside.detections.save(match.apkId, source, { rules_matched: ruleNames(match.rules) });
}

export class Matches {
  readonly #store: Store;
  readonly #events: EventBus;

  constructor(store: Store, events: EventBus) {
    this.#store = store;
    this.#events = events;
  }

  page = (filter: MatchFilter, request: KeysetRequest): Promise<KeysetPage<MatchRecord>> =>
    this.#store.matches.page({ ...request, filter });

  count = (filter: MatchFilter): Promise<number> => this.#store.matches.count(filter);

  /** A match of this ruleset, null where there is none. */
  async find(rulesetId: number, id: number | null): Promise<MatchRecord | null> {
    const match = id === null ? null : await this.#store.matches.findById(id);
    return match?.rulesetId === rulesetId ? match : null;
  }

  /** The APKs as an account sees them: with the matches of its own private rulesets counted. */
  async counted(account: AccountRecord, apks: readonly ApkRecord[]): Promise<ApkRecord[]> {
    const counts = await this.#store.matches.countPrivate(
      account.id,
      apks.map(({ id }) => id),
    );
    return apks.map((apk) => ({ ...apk, matchesCount: apk.matchesCount + (counts.get(apk.id) ?? 0) }));
  }

  /**
   * Stores what a completed scan found: new matches are told of, known ones updated, and those of scanned rulesets that
   * no longer hold are removed.
   * @param scanned ids of the rulesets that ran
   */
  async recordScan(apkId: number, scanned: readonly number[], found: readonly FoundMatch[]): Promise<void> {
    const told: MatchRecord[] = [];
    const apk = await this.#store.transaction(async (inside) => {
      const rulesets = await inside.rulesets.findByIds(scanned);
      const stale = new Set(await inside.matches.rulesetsOn(apkId, scanned));
      for (const { rulesetId, rules } of found) {
        const ruleset = rulesets.get(rulesetId);
        // Disabled or deleted while the scan ran: its matches stay as they were.
        if (ruleset?.isEnabled !== true) continue;
        stale.delete(rulesetId);
        const { match, isNew } = await inside.matches.save(apkId, rulesetId, rules);
        await settleDetection(inside, ruleset, match);
        if (isNew) told.push(match);
      }
      for (const rulesetId of stale) {
        if (rulesets.get(rulesetId)?.isEnabled !== true) continue;
        await inside.matches.remove(apkId, rulesetId);
        await inside.detections.remove(apkId, { kind: 'ruleset', rulesetId });
      }
      await inside.apks.recount([apkId]);
      return inside.apks.update(apkId, { lastYaraAnalysisAt: this.#store.clock() });
    });
    if (apk === null) return;
    this.#events.publish({ name: 'apk_updated', apk });
    for (const { id: matchId, rulesetId } of told) {
      await this.#events.happened({ name: 'ruleset_matched', matchId, rulesetId, apkId });
    }
  }

  /** Brings detections and counts of all matches of a ruleset to what it has become. */
  async settle({ id }: RulesetRecord): Promise<void> {
    await this.#inBatches(id, async (inside, matches) => {
      const ruleset = await inside.rulesets.findById(id);
      if (ruleset === null) return;
      for (const match of matches) await settleDetection(inside, ruleset, match);
    });
  }

  /** Removes all matches of a ruleset with their detections. */
  async removeAll(rulesetId: number): Promise<void> {
    await this.#inBatches(rulesetId, async (inside, matches) => {
      for (const { apkId } of matches) {
        await inside.matches.remove(apkId, rulesetId);
        await inside.detections.remove(apkId, { kind: 'ruleset', rulesetId });
      }
    });
  }

  async #inBatches(
    rulesetId: number,
    work: (inside: Repositories, matches: readonly MatchRecord[]) => Promise<void>,
  ): Promise<void> {
    let olderThan: number | undefined;
    for (;;) {
      const { rows, hasOlder } = await this.#store.transaction(async (inside) => {
        const page = await inside.matches.page({ filter: { rulesetId }, olderThan, limit: batchSize });
        await work(inside, page.rows);
        await inside.apks.recount(page.rows.map(({ apkId }) => apkId));
        return page;
      });
      olderThan = rows.at(-1)?.id;
      if (!hasOlder || olderThan === undefined) return;
      // The database is synchronous: without this, other requests would wait for the last batch.
      await new Promise(setImmediate);
    }
  }
}
