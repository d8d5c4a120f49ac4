// Tells listeners what happens in the workstation, each only what its analyst may see. Knows nothing of connections.
import type { ErrorLog } from '../jobs/error-log.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { ApkRecord } from '../store/repositories/apk-repository.ts';
import type { JobRecord } from '../store/repositories/job-repository.ts';
import type { AccountRecord } from '../store/repositories/people/account-repository.ts';
import type { MatchRecord } from '../store/repositories/rules/match-repository.ts';
import type { UncountedRuleset } from '../store/repositories/rules/ruleset-repository.ts';
import type { Store, Writes } from '../store/store.ts';
import type { ContentRun } from './analyses/content-searches/content-run.ts';
import type { NotificationView } from './people/notifications.ts';
import { maySeeJob } from './policies.ts';
import type { RetrohuntView } from './rules/retrohunts.ts';

export type WorkstationChange =
  | { name: 'job'; job: JobRecord; apk: ApkRecord | null }
  | { name: 'apk_created' | 'apk_updated'; apk: ApkRecord }
  | { name: 'apk_deleted'; sha256: string }
  /** Names or notes of its code. */
  | { name: 'code_names_changed'; sha256: string }
  | { name: 'notification'; notification: NotificationView }
  | { name: 'match'; match: MatchRecord; apk: ApkRecord; ruleset: UncountedRuleset; author: AccountRecord }
  /** Made or undone. */
  | { name: 'dismissals_changed'; id: number }
  /** Its name, note or members. */
  | { name: 'family_changed'; id: number }
  | { name: 'retrohunt'; hunt: RetrohuntView }
  | { name: 'content_search'; run: ContentRun };

export type ChangeListener = (change: WorkstationChange) => void;

/** Changes that analysts may want to be notified of; ids are row numbers. */
export type Happening =
  | { name: 'followed'; followerId: number; followedId: number }
  /** A comment on an APK, a ruleset or a profile, new or with another text: exactly one of the three is given. */
  | {
      name: 'commented';
      commentId: number;
      authorId: number;
      text: string;
      /** Null: it is new. */
      textBefore: string | null;
      apkId: number | null;
      rulesetId: number | null;
      profileId: number | null;
    }
  /** A ruleset made trouble so often that analyses no longer run it. */
  | { name: 'ruleset_suspended'; rulesetId: number }
  /** The certificate authority was renewed of itself: whoever trusts the former one has to trust this one before that lapses. */
  | { name: 'authority_renewed' }
  /** A machine that analyses for this workstation has fallen silent. */
  | { name: 'machine_gone' }
  /** A backup by schedule failed, or found that older ones are damaged. */
  | { name: 'backup_failed' }
  /** A ruleset matches an APK that it did not match before, or otherwise than before. */
  | { name: 'ruleset_matched'; matchId: number; rulesetId: number; apkId: number }
  /** What is known of APKs themselves changed: reports, matches, what antivirus says, dismissals of one. */
  | { name: 'evidence_changed'; apkIds: readonly number[] }
  /** The code of APKs was read, for the first time or anew. Told beside `evidence_changed`. */
  | { name: 'code_read'; apkIds: readonly number[] }
  /** What lists or people say of APKs changed, or they come back or are about to go: it is evidence on copies of them. */
  | { name: 'standing_changed'; apkIds: readonly number[] }
  /** Which other signers have the code of these APKs, or what is known of their APKs. */
  | { name: 'repackagings_changed'; apkIds: readonly number[] }
  /** A dismissal that reaches further than one APK came or went. @property signerId null: it may concern any */
  | { name: 'dismissals_changed'; signerId: number | null }
  /** The answer to a ruleset's author who asked for it to be social. */
  | { name: 'ruleset_judged'; rulesetId: number; judgeId: number; isAccepted: boolean };

export type HappeningFollower = (happening: Happening, inside: Writes) => Promise<void>;

/** Windows and scripts of one analyst that listen at once; the one that has listened longest makes room. */
const maxListenersEach = 32;
/** Milliseconds over which changes of one job are merged into one event. */
const jobEventInterval = 200;

export class EventBus {
  readonly #listeners = new Map<ChangeListener, { account: AccountRecord; onEnd: (() => void) | null }>();
  #happeningFollowers: readonly HappeningFollower[] = [];
  readonly #changedJobs = new Map<number, JobRecord>();
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #log: ErrorLog;
  readonly #stopListening: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, queue: JobQueue, log: ErrorLog) {
    this.#store = store;
    this.#queue = queue;
    this.#log = log;
    this.#stopListening = queue.onChange((job) => this.#noteJob(job));
  }

  /**
   * @param onEnd called when the workstation ends, and when later listeners of the same account need the place; null: a
   *   part of the workstation, which gives its place to nobody
   * @returns how to stop listening
   */
  subscribe(account: AccountRecord, listener: ChangeListener, onEnd: (() => void) | null): () => void {
    const own = [...this.#listeners].filter(([, other]) => other.account.id === account.id && other.onEnd !== null);
    for (const [longest, { onEnd: end }] of own.slice(0, Math.max(0, own.length - maxListenersEach + 1))) {
      this.#listeners.delete(longest);
      end?.();
    }
    this.#listeners.set(listener, { account, onEnd });
    return () => this.#listeners.delete(listener);
  }

  /** Whether anybody listens; without listeners an event need not be built. */
  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Tells every listener whose account may see the change. */
  publish(change: WorkstationChange, canSee: (account: AccountRecord) => boolean = () => true): void {
    for (const [listener, { account }] of this.#listeners) if (canSee(account)) listener(change);
  }

  /** Has these follow everything that happens, one after the other. */
  followHappenings(followers: readonly HappeningFollower[]): void {
    this.#happeningFollowers = followers;
  }

  /**
   * Calls every follower in the transaction that made the change, so that neither is ever on disk without the other.
   */
  async happened(happening: Happening, inside: Writes): Promise<void> {
    for (const follow of this.#happeningFollowers) await follow(happening, inside);
  }

  #noteJob(job: JobRecord): void {
    if (this.#listeners.size === 0) return;
    this.#changedJobs.set(job.id, job);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tellOfJobs().catch((err: unknown) => this.#log.error({ err }, 'job events could not be told'));
    }, jobEventInterval);
  }

  async #tellOfJobs(): Promise<void> {
    const jobs = [...this.#changedJobs.values()];
    this.#changedJobs.clear();
    const apkIds = jobs.flatMap(({ apkId }) => (apkId === null ? [] : [apkId]));
    const apks = await this.#store.apks.findByIds(apkIds);
    for (const job of jobs) {
      const requesters = await this.#queue.requesters(job.id);
      const apk = job.apkId === null ? null : (apks.get(job.apkId) ?? null);
      this.publish({ name: 'job', job, apk }, (account) => maySeeJob(account, requesters));
    }
  }

  /** Ends every listener; nothing is told any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#stopListening();
    for (const { onEnd } of this.#listeners.values()) onEnd?.();
    this.#listeners.clear();
  }
}
