// Compares APKs of the catalogue, and keeps what was found for a while. Knows nothing of formats or HTTP.
import type { PackedReport } from '../../contract/engine/analysis-results.ts';
import { engineVersion } from '../../contract/engine/engine-version.ts';
import { inVersionOrder } from '../../contract/engine/version-order.ts';
import type { ComparedFile } from '../../contract/process-line/tasks.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import type { AccountRecord } from '../../store/repositories/account-repository.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { Store } from '../../store/store.ts';
import { unpackBytes } from '../../vault/packed-bytes.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { Failure } from '../failure.ts';

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

export class Comparisons {
  readonly #store: Store;
  readonly #pool: WorkerPool;
  readonly #catalogue: Catalogue;
  /** By both hashes and what made their reports, the one asked for last at the end. */
  readonly #known = new Map<string, Comparing>();

  constructor(store: Store, pool: WorkerPool, catalogue: Catalogue) {
    this.#store = store;
    this.#pool = pool;
    this.#catalogue = catalogue;
  }

  /**
   * The comparison of two APKs as the JSON text that is sent, or how far it is where it takes longer than `milliseconds`.
   * Whoever asks again meanwhile joins the one under way.
   * @throws Failure `not-found`, `no-report`, `file-missing`, `file-altered`, `exploration-failed`, `not-isolated`
   */
  async of(
    account: AccountRecord,
    sha256: string,
    otherSha256: string,
    milliseconds: number,
  ): Promise<{ comparison: Buffer } | { progress: ComparisonProgress }> {
    const [one, other] = [await this.#catalogue.checkFile(sha256), await this.#catalogue.checkFile(otherSha256)];
    const [first, second] = one.id <= other.id ? inVersionOrder(one, other) : inVersionOrder(other, one);
    const reports = [await this.#store.reports.list(first.id), await this.#store.reports.list(second.id)];
    const made = reports.map((list) => list.find(({ kind }) => kind === 'androguard')?.createdAt ?? 0);
    const key = [first.sha256, second.sha256, ...made, engineVersion].join(' ');
    const known = this.#known.get(key) ?? this.#start(key, account, first, second);
    this.#known.delete(key);
    this.#known.set(key, known);
    const patience = Promise.withResolvers<null>();
    // What is known already comes first, however little is waited.
    const timer = setTimeout(() => patience.resolve(null), milliseconds);
    try {
      const packed = await Promise.race([known.outcome, patience.promise]);
      return packed === null ? { progress: known.progress } : { comparison: await unpackBytes(packed) };
    } finally {
      clearTimeout(timer);
    }
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
      // What is under way has somebody who waits for it.
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
    if (reply.code === 'not-isolated') throw new Failure('not-isolated');
    throw new Failure('exploration-failed', { reason: reply.message });
  }

  async #side({ id, sha256 }: ApkRecord): Promise<ComparedFile> {
    const stored = async (kind: 'androguard' | 'cuckoo' | 'manifest' | 'files'): Promise<PackedReport> => {
      const report = await this.#store.reports.readCompressed(id, kind);
      if (report === null) throw new Failure('no-report');
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
