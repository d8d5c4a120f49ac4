// Compares APKs of the catalogue, and keeps what was found for a while. Knows nothing of formats or HTTP.
import type { PackedReport } from '../../contract/engine/analysis-results.ts';
import type { ComparedLines, LinesQuery } from '../../contract/engine/comparison.ts';
import { engineVersion } from '../../contract/engine/engine-version.ts';
import { inVersionOrder } from '../../contract/engine/version-order.ts';
import type { FailedReply } from '../../contract/process-line/messages.ts';
import type { AlignedText, ComparedFile } from '../../contract/process-line/tasks.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { Store } from '../../store/store.ts';
import { unpackBytes } from '../../vault/packed-bytes.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { Failure } from '../failure.ts';
import type { Explorer } from './explorer.ts';
import { javaMember } from './java-member.ts';

/** Comparisons that are kept, and their bytes together: one is some hundred kilobytes. */
const maxKept = 64;
const maxKeptBytes = 64 * 1024 * 1024;

export interface ComparisonProgress {
  stage: string;
  /** 0 to 1. */
  done: number;
}

interface Comparing {
  progress: ComparisonProgress;
  outcome: Promise<PackedReport>;
  /** Bytes, once it is there. */
  size: number;
}

interface ComparisonParts {
  store: Store;
  pool: WorkerPool;
  catalogue: Catalogue;
  explorer: Explorer;
}

export class Comparisons {
  readonly #store: Store;
  readonly #pool: WorkerPool;
  readonly #catalogue: Catalogue;
  readonly #explorer: Explorer;
  /** By both hashes and what made their reports, the one asked for last at the end. */
  readonly #known = new Map<string, Comparing>();

  constructor({ store, pool, catalogue, explorer }: ComparisonParts) {
    this.#store = store;
    this.#pool = pool;
    this.#catalogue = catalogue;
    this.#explorer = explorer;
  }

  /**
   * The comparison of two APKs as the JSON text that is sent, or how far it is where it takes longer than `milliseconds`.
   * Whoever asks again meanwhile joins the one under way.
   * @throws Failure `not-found`, `not-comparable`, `file-missing`, `file-altered`, `exploration-failed`, `not-isolated`
   */
  async of(
    account: AccountRecord,
    sha256: string,
    otherSha256: string,
    milliseconds: number,
  ): Promise<{ comparison: Buffer } | { progress: ComparisonProgress }> {
    const known = await this.#comparing(account, await this.#pair(sha256, otherSha256));
    const packed = await outcomeWithin(known, milliseconds);
    return packed === null ? { progress: known.progress } : { comparison: await unpackBytes(packed) };
  }

  /**
   * A class or a method of both side by side, or their manifests; progress where their comparison is not there yet.
   * @throws Failure as `of`; `not-found` also where a side has no such code, `content-unreadable`
   */
  async lines(
    account: AccountRecord,
    sha256: string,
    otherSha256: string,
    { first: one, second: other, as, whole, wait }: LinesQuery,
  ): Promise<{ lines: ComparedLines } | { progress: ComparisonProgress }> {
    const [first, second] = await this.#pair(sha256, otherSha256);
    const isCode = one !== undefined || other !== undefined;
    const known = await this.#comparing(account, [first, second]);
    const comparison = await outcomeWithin(known, wait * 1000);
    if (comparison === null) return { progress: known.progress };
    const code = (apk: ApkRecord, name: string | undefined) =>
      as === 'java' ? this.#java(account, apk, name) : this.#smali(account, apk, name);
    const texts = isCode
      ? { first: await code(first, one), second: await code(second, other) }
      : { first: await this.#manifest(first), second: await this.#manifest(second) };
    const isSmali = isCode && as === 'smali';
    const task = { kind: 'align', ...texts, comparison: isSmali ? comparison : null, whole } as const;
    const reply = await this.#pool.run(task, { account: account.id });
    if (reply.status !== 'failed') return { lines: reply.result };
    throw failureOf(reply);
  }

  /** In the order in which they stand side by side. */
  async #pair(sha256: string, otherSha256: string): Promise<[ApkRecord, ApkRecord]> {
    const [one, other] = [await this.#catalogue.checkFile(sha256), await this.#catalogue.checkFile(otherSha256)];
    return one.id <= other.id ? inVersionOrder(one, other) : inVersionOrder(other, one);
  }

  async #comparing(account: AccountRecord, [first, second]: [ApkRecord, ApkRecord]): Promise<Comparing> {
    const reports = [await this.#store.reports.list(first.id), await this.#store.reports.list(second.id)];
    const made = reports.map((list) => list.find(({ kind }) => kind === 'androguard')?.createdAt ?? null);
    const missing = [first, second].filter((_, side) => made[side] === null).map((apk) => apk.sha256);
    if (missing.length > 0) {
      const address = missing.map(analysisOf).join(' and ');
      throw new Failure('not-comparable', { missing: missing.join(' and '), address });
    }
    const key = [first.sha256, second.sha256, ...made, engineVersion].join(' ');
    const known = this.#known.get(key) ?? this.#start(key, account, first, second);
    this.#known.delete(key);
    this.#known.set(key, known);
    return known;
  }

  async #smali(account: AccountRecord, apk: ApkRecord, name: string | undefined): Promise<AlignedText | null> {
    if (name === undefined) return null;
    const question = { ask: 'class', name: name.split('->', 1)[0]! } as const;
    return { name, text: (await this.#explorer.ask(account, apk.sha256, question)).smali };
  }

  async #java(account: AccountRecord, apk: ApkRecord, name: string | undefined): Promise<AlignedText | null> {
    if (name === undefined) return null;
    const question = { ask: 'java', class: name.split('->', 1)[0]!, whole: false } as const;
    const java = await this.#explorer.ask(account, apk.sha256, question);
    return { name: null, text: name.includes('->') ? javaMember(java, name) : java.source };
  }

  async #manifest({ sha256 }: ApkRecord): Promise<AlignedText> {
    const report = await this.#catalogue.reportPart(sha256, 'manifest');
    const { manifest } = JSON.parse(report.toString()) as { manifest: string | null };
    return { name: null, text: manifest ?? '' };
  }

  #start(key: string, account: AccountRecord, first: ApkRecord, second: ApkRecord): Comparing {
    const outcome = this.#compare(key, account, first, second);
    const comparing: Comparing = { progress: { stage: 'waiting', done: 0 }, outcome, size: 0 };
    this.#known.set(key, comparing);
    outcome.then(
      ({ compressed }) => {
        comparing.size = compressed.length;
        this.#forgetOldest();
      },
      () => this.#known.delete(key),
    );
    return comparing;
  }

  #forgetOldest(): void {
    let bytes = [...this.#known.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, { size }] of this.#known) {
      if (this.#known.size <= maxKept && bytes <= maxKeptBytes) return;
      // Somebody waits for a comparison that is still under way.
      if (size === 0) continue;
      this.#known.delete(key);
      bytes -= size;
    }
  }

  async #compare(key: string, account: AccountRecord, first: ApkRecord, second: ApkRecord): Promise<PackedReport> {
    const task = { kind: 'compare', first: await this.#side(first), second: await this.#side(second) } as const;
    const onProgress = (stage: string, done: number) => {
      const comparing = this.#known.get(key);
      if (comparing !== undefined) comparing.progress = { stage, done };
    };
    const reply = await this.#pool.run(task, { account: account.id, onProgress });
    if (reply.status !== 'failed') return reply.result;
    if (reply.code === 'unreadable-file') {
      for (const apk of [first, second])
        await this.#catalogue.noteFileState(apk, await this.#store.files.verify(apk.sha256));
    }
    throw failureOf(reply);
  }

  async #side({ id, sha256 }: ApkRecord): Promise<ComparedFile> {
    const stored = async (kind: 'androguard' | 'cuckoo' | 'manifest' | 'files'): Promise<PackedReport> => {
      const report = await this.#store.reports.readCompressed(id, kind);
      if (report === null) throw new Failure('not-comparable', { missing: sha256, address: analysisOf(sha256) });
      return { size: report.size, compressed: report.compressed };
    };
    return {
      sha256,
      file: this.#store.files.fileReference(sha256),
      reports: {
        androguard: await stored('androguard'),
        cuckoo: await stored('cuckoo'),
        manifest: await stored('manifest'),
        files: await stored('files'),
      },
    };
  }
}

const analysisOf = (sha256: string): string => `/apks/${sha256}/analyze_static/`;

const failureOf = ({ code, message }: FailedReply): Failure =>
  code === 'not-isolated' ? new Failure('not-isolated') : new Failure('exploration-failed', { reason: message });

/** null where it takes longer. A comparison that is done is returned even with no time to wait. */
async function outcomeWithin({ outcome }: Comparing, milliseconds: number): Promise<PackedReport | null> {
  const patience = Promise.withResolvers<null>();
  const timer = setTimeout(() => patience.resolve(null), milliseconds);
  try {
    return await Promise.race([outcome, patience.promise]);
  } finally {
    clearTimeout(timer);
  }
}
