// Looks into the files of code that came out of an APK, and keeps what their analyses find. Knows nothing of HTTP.
import { maxChildMatches } from '../../contract/catalogue/child.ts';
import { type ChildList, childName, namesUpwards } from '../../contract/engine/child.ts';
import { engineVersion } from '../../contract/engine/engine-version.ts';
import { evidenceVersion } from '../../contract/engine/evidence.ts';
import { maxContentLength } from '../../contract/engine/exploration.ts';
import { type JobOutcome, type JobQueue, jobPriorities, priorityAfter } from '../../jobs/job-queue.ts';
import type { JobContext, JobHandler } from '../../jobs/job-runner.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { ChildRecord, ChildStatus } from '../../store/repositories/child-repository.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import { prepareReport } from '../../store/repositories/report-repository.ts';
import type { Store, Writes } from '../../store/store.ts';
import { unpackBytes } from '../../vault/packed-bytes.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { DiskRoom } from '../disk-room.ts';
import type { EventBus } from '../event-bus.ts';
import { Failure } from '../failure.ts';
import { countedMatches } from '../triage/gathered-evidence.ts';
import { childrenSummary, judged, withMatches } from '../triage/payload-findings.ts';
import type { Explorer } from './explorer.ts';
import { leftFilesOf, leftFilesVersion } from './left-files.ts';
import type { StoredFileTasks } from './stored-file-tasks.ts';

/** How often one APK is looked into in a row, because a run left other files meanwhile. */
const maxRounds = 3;
/** Rulesets whose matches are looked through for an APK's children. */
const maxRulesets = 200;
/** Reports of older engines say nothing of what an APK carries. */
const firstVersion = 3;

/** What is kept of an APK beside its children: what was left out. */
type ChildrenSurvey = Pick<ChildList, 'left_out' | 'left_out_count'>;

export interface ChildView extends ChildRecord {
  /** The first rules that match it, of rulesets that the caller may see. */
  matches: { rulesetId: number; ruleset: string; rule: string }[];
  matchesCount: number;
  isInCatalogue: boolean;
}

export interface ChildrenView extends ChildrenSurvey {
  children: ChildView[];
  status: ChildStatus;
}

export interface ChildrenParts {
  store: Store;
  queue: JobQueue;
  files: StoredFileTasks;
  explorer: Explorer;
  catalogue: Catalogue;
  events: EventBus;
  room: DiskRoom;
}

export class Children {
  readonly #parts: ChildrenParts;

  constructor(parts: ChildrenParts) {
    this.#parts = parts;
  }

  /** @throws Failure `not-found` */
  async of(account: AccountRecord, sha256: string): Promise<ChildrenView> {
    const { store, catalogue } = this.#parts;
    const apk = await catalogue.get(sha256);
    const records = withMatches(await store.children.list(apk.id), await countedMatches(store, apk));
    const survey = await store.reports.readJson<ChildrenSurvey>(apk.id, 'children');
    const named = new Set(records.flatMap(({ child }) => child.ways.map(childName)));
    const matches = named.size === 0 ? new Map() : await this.#matchesByChild(named, apk.id, account.id);
    const children: ChildView[] = [];
    for (const record of records) {
      const { kind, sha256: hash, ways } = record.child;
      const found = [...new Set(ways.flatMap((way) => matches.get(childName(way)) ?? []))] as ChildView['matches'];
      const isInCatalogue = kind === 'apk' && (await store.apks.findBySha256(hash)) !== null;
      children.push({
        ...record,
        matches: found.slice(0, maxChildMatches),
        matchesCount: found.length,
        isInCatalogue,
      });
    }
    const { left_out = [], left_out_count = 0 } = survey ?? {};
    return { children, left_out, left_out_count, status: await this.#statusOf(apk, account) };
  }

  /** How far looking into an APK is; one whose report is of before such looks is looked into now. */
  async #statusOf(apk: ApkRecord, account: AccountRecord): Promise<ChildStatus> {
    const { store, queue } = this.#parts;
    const { items } = await queue.page({ apkId: apk.id, limit: 50 });
    const last = items.find(({ kind }) => kind === 'children');
    if (last !== undefined) return statusBy[last.status];
    const reports = await store.reports.list(apk.id);
    const isOld = reports.some((one) => one.kind === 'androguard' && one.engineVersion < firstVersion);
    if (!isOld || reports.some(({ kind }) => kind === 'children')) return 'done';
    await queue.enqueue({ kind: 'children', apkId: apk.id, priority: jobPriorities.request, accountId: account.id });
    return 'waiting';
  }

  /** Rules that match a child, or a file of it that is none itself, by the names of children. */
  async #matchesByChild(
    named: ReadonlySet<string>,
    apkId: number,
    readerId: number,
  ): Promise<Map<string, ChildView['matches']>> {
    const { store } = this.#parts;
    const { items } = await store.matches.page({ filter: { apkId, readerId }, limit: maxRulesets });
    const names = await store.rulesets.findUncounted(items.map(({ rulesetId }) => rulesetId));
    const byChild = new Map<string, ChildView['matches']>();
    for (const { rulesetId, rules } of items) {
      const ruleset = names.get(rulesetId)?.name ?? '';
      const told = new Set<string>();
      for (const { name, file } of rules) {
        const child = [...namesUpwards(file)].find((one) => named.has(one));
        // Names of rules hold no blanks.
        if (child === undefined || told.has(`${name} ${child}`)) continue;
        told.add(`${name} ${child}`);
        byChild.set(child, [...(byChild.get(child) ?? []), { rulesetId, ruleset, rule: name }]);
      }
    }
    return byChild;
  }

  /** @throws Failure `not-found` */
  async find(sha256: string, child: string): Promise<ChildRecord> {
    const { store, catalogue } = this.#parts;
    const apk = await catalogue.get(sha256);
    const found = await store.children.find(apk.id, child);
    if (found === null) throw new Failure('not-found');
    return found;
  }

  /** A report of a child as JSON text: its static one, or `{files}` of an app. @throws Failure `not-found`, `no-report` */
  async report(sha256: string, child: string, kind: 'report' | 'files'): Promise<Buffer> {
    const { id, child: found } = await this.find(sha256, child);
    if (kind === 'files' && found.kind !== 'apk') throw new Failure('not-found');
    const packed = await this.#parts.store.children.report(id, kind);
    if (packed === null) throw new Failure('no-report');
    return unpackBytes(packed);
  }

  /** The bytes of a child, piece by piece; the worker's answer to each is bounded. */
  async *bytes(account: AccountRecord, sha256: string, { child }: ChildRecord): AsyncGenerator<Uint8Array> {
    const path = childName(child.ways[0]!);
    for (let offset = 0; offset < child.size; ) {
      const question = { ask: 'content', path, nth: 0, offset, length: maxContentLength } as const;
      const { bytes } = await this.#parts.explorer.ask(account, sha256, question);
      if (bytes.length === 0) throw new Failure('content-unreadable', { reason: 'it ends early' });
      yield bytes;
      offset += bytes.length;
    }
  }

  /** Has an APK looked into, after an analysis of it says that there is something. */
  async follow(inside: Writes, { priority, accountId }: JobRecord, apkId: number): Promise<void> {
    const job = { kind: 'children', apkId, priority: priorityAfter(priority), accountId } as const;
    await this.#parts.queue.enqueue(job, inside);
  }

  /** The handler of `children` jobs. A child that cannot be analysed leaves the others alone. */
  readonly perform: JobHandler<'children'> = async (job, context): Promise<JobOutcome> => {
    const { store, files, room } = this.#parts;
    const apk = job.apkId === null ? null : await store.apks.findById(job.apkId);
    if (apk === null) return { status: 'failed', code: 'apk-gone', message: 'The APK was deleted.' };
    await room.check();
    const options = { account: job.accountId, signal: context.signal };
    for (let round = 1; ; round++) {
      const version = await leftFilesVersion(store, apk);
      const left = await leftFilesOf(store, apk);
      const { sha256 } = apk;
      const found = await files.run(apk, (file) => ({ kind: 'children', file, left, sha256 }), options);
      if (found.status === 'failed') return found;
      const isThere = await store.transaction(async ({ apks, children, search }) => {
        if ((await apks.findById(apk.id)) === null) return false;
        await children.replace(apk.id, found.result.results, engineVersion);
        const terms = found.result.results.map((child) => ({ field: 'payload', text: child.sha256 }));
        await search.replaceTerms(['payload'], [{ apkId: apk.id, terms }]);
        return true;
      });
      if (!isThere) return { status: 'failed', code: 'apk-gone', message: 'The APK was deleted.' };
      const waiting = (await store.children.list(apk.id)).filter(({ status }) => status !== 'done');
      for (const [index, record] of waiting.entries()) {
        context.progress('payloads', index / waiting.length);
        const outcome = await this.#analyze(apk, record, left, options);
        if (outcome !== null) return outcome;
      }
      const isCurrent = await this.#conclude(apk, found.result, version);
      if (isCurrent || round === maxRounds) break;
    }
    const records = await store.children.list(apk.id);
    return { status: records.some(({ status }) => status === 'failed') ? 'partial' : 'done' };
  };

  /** @returns why the whole job ends here; null: it goes on */
  async #analyze(
    apk: ApkRecord,
    { id, child }: ChildRecord,
    left: Awaited<ReturnType<typeof leftFilesOf>>,
    options: { account: number | null; signal: JobContext['signal'] },
  ): Promise<JobOutcome | null> {
    const { store, files } = this.#parts;
    await store.transaction(({ children }) => children.setStatus(id, 'running'));
    const name = childName(child.ways[0]!);
    const reply = await files.run(apk, (file) => ({ kind: 'child', file, left, name, type: child.kind }), options);
    if (reply.status === 'failed' && ownFaults.has(reply.code)) return reply;
    await store.transaction(async ({ children }) => {
      if (reply.status === 'failed') await children.setStatus(id, 'failed', reply.message);
      else {
        const { androguard: report, files: listed } = reply.result.reports;
        await children.save(id, { report, files: listed, ...judged(reply.result) });
      }
    });
    return null;
  }

  /** Says of the APK what came out of it. @returns false where a run has left other files meanwhile */
  async #conclude(apk: ApkRecord, { left_out, left_out_count }: ChildList, version: string): Promise<boolean> {
    const { store, events } = this.#parts;
    const records = await store.children.list(apk.id);
    const survey: ChildrenSurvey = { left_out, left_out_count };
    const described = { apkId: apk.id, kind: 'children', status: 'done', engineVersion: evidenceVersion } as const;
    const report = await prepareReport({ ...described, content: survey });
    return store.transaction(async (inside) => {
      if ((await leftFilesVersion(inside, apk)) !== version) return false;
      if ((await inside.apks.findById(apk.id)) === null) return true;
      await inside.reports.save([report]);
      const changed = await inside.apks.update(apk.id, { children: childrenSummary(records) });
      await events.happened({ name: 'evidence_changed', apkIds: [apk.id] }, inside);
      if (changed !== null) inside.afterCommit(() => events.publish({ name: 'apk_updated', apk: changed }));
      return true;
    });
  }
}

/** Failures that say nothing of the child itself. */
const ownFaults: ReadonlySet<string> = new Set(['cancelled', 'not-isolated', 'file-missing', 'file-altered']);

const statusBy: Readonly<Record<JobRecord['status'], ChildStatus>> = {
  queued: 'waiting',
  running: 'running',
  done: 'done',
  partial: 'done',
  failed: 'failed',
  cancelled: 'failed',
};
