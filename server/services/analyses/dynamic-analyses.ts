// Performs dynamic analyses and stores what they found. Knows nothing of HTTP and nothing of how an app is run.
import { webcrypto } from 'node:crypto';
import { engineVersion } from '../../contract/engine/engine-version.ts';
import { evidenceVersion } from '../../contract/engine/evidence.ts';
import type { CuckooParts, CuckooReport, DynamicReport } from '../../contract/engine/reports.ts';
import type { JobOutcome } from '../../jobs/job-queue.ts';
import type { JobHandler } from '../../jobs/job-runner.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { Store } from '../../store/store.ts';
import { artefactIn, packArtefacts } from '../../vault/packed-artefacts.ts';
import { DamagedReportError, unpackBytes } from '../../vault/packed-bytes.ts';
import { packJson } from '../../vault/packed-json.ts';
import type { EventBus } from '../event-bus.ts';
import { Failure } from '../failure.ts';
import { type DeviceRunResult, networkAndFiles } from './adb/device-run.ts';
import { type KeptAnalysis, keepAnalysis } from './analysis-keeping.ts';
import type { Children } from './children.ts';
import { leftByRuns, leftFilesKinds, partFilesOf, sealLeft } from './left-files.ts';
import type { FinishedReply, StoredFileTasks } from './stored-file-tasks.ts';

/** A cuckoo report of an APK that has no static analysis yet. */
const bareReport = ({ sha256, sha1, md5, size }: ApkRecord): Omit<CuckooReport, keyof CuckooParts> => ({
  info: {},
  target: {
    category: 'file',
    file: { name: `${sha256}.apk`, size, type: '', crc32: '', md5, sha1, sha256, sha512: '', ssdeep: '' },
  },
  signatures: [],
  strings: [],
});

const leftKinds: ReadonlySet<string> = new Set(Object.values(leftFilesKinds));

export interface DynamicAnalysesParts {
  store: Store;
  pool: WorkerPool;
  files: StoredFileTasks;
  events: EventBus;
  children: Children;
}

export class DynamicAnalyses {
  readonly #store: Store;
  readonly #pool: WorkerPool;
  readonly #events: EventBus;
  readonly #children: Children;
  /** The handler of `dynamic` jobs. */
  readonly perform: JobHandler<'dynamic'>;

  constructor({ store, pool, files, events, children }: DynamicAnalysesParts) {
    this.#store = store;
    this.#pool = pool;
    this.#events = events;
    this.#children = children;
    this.perform = files.handler(
      async (file, apk) => ({ kind: 'dynamic', file, parts: await partFilesOf(store, apk.sha256) }),
      (apk, reply, signal, job) => this.#keep(apk, reply, signal, job),
    );
  }

  /**
   * The bytes of an artefact that the dynamic report of an APK names.
   * @throws Failure `not-found` where the last run kept none of this hash
   * @throws DamagedReportError
   */
  async artefact(apkId: number, sha256: string): Promise<Buffer> {
    const left = await leftByRuns(this.#store, apkId);
    const found = await Promise.all(left.map(async ({ files }) => artefactIn(await unpackBytes(files), sha256)));
    const bytes = found.find((one) => one !== null) ?? null;
    if (bytes === null) throw new Failure('not-found');
    const digest = await webcrypto.subtle.digest('SHA-256', bytes);
    if (Buffer.from(digest).toString('hex') !== sha256) throw new DamagedReportError('an artefact has another hash');
    return bytes;
  }

  async #keep(
    apk: ApkRecord,
    { status, result: { artefacts, dynamic, cuckoo: parts, findings, decoded } }: FinishedReply<'dynamic'>,
    signal: AbortSignal,
    job: JobRecord,
  ): Promise<JobOutcome> {
    const described = { apkId: apk.id, status, engineVersion };
    const device = await this.#store.reports.readJson<DynamicReport>(apk.id, 'device');
    const added = device === null ? null : packJson(networkAndFiles(device));
    return this.#finish(apk, status, signal, {
      job,
      reports: [
        { ...described, kind: 'dynamic', ...dynamic },
        { ...described, engineVersion: evidenceVersion, kind: 'behaviour', content: { findings, uses: [], decoded } },
        ...(artefacts === null
          ? []
          : [{ ...described, kind: leftFilesKinds.run, ...sealLeft(this.#store, artefacts) } as const]),
      ],
      removed: artefacts === null ? ['artefacts'] : [],
      cuckoo: ({ androguard, cuckoo }) => ({
        kind: 'join',
        androguard,
        cuckoo: cuckoo ?? packJson(bareReport(apk)),
        parts,
        added,
      }),
    });
  }

  /** Stores what a run on a device showed, beside what the interpreter found. */
  async keepDeviceRun(
    apk: ApkRecord,
    { report, left }: DeviceRunResult,
    signal: AbortSignal,
    job: JobRecord,
  ): Promise<JobOutcome> {
    const status = report.limits.length === 0 ? 'done' : 'partial';
    const described = { apkId: apk.id, status } as const;
    const device = packJson(report);
    // What an app did there is as hostile as the app: a worker reads it.
    const task = { kind: 'evidence', androguard: null, dynamic: null, device } as const;
    const reply = await this.#pool.run(task, { signal });
    if (reply.status === 'failed') return reply;
    const seen = reply.result.device!;
    const artefacts = left.length === 0 ? null : sealLeft(this.#store, packArtefacts(left));
    const kind = leftFilesKinds.device;
    return this.#finish(apk, status, signal, {
      job,
      reports: [
        ...(artefacts === null ? [] : [{ ...described, engineVersion, kind, ...artefacts } as const]),
        { ...described, engineVersion, kind: 'device', ...packJson({ ...report, findings: seen.findings }) },
        { ...described, engineVersion: evidenceVersion, kind: 'device_behaviour', content: seen },
      ],
      removed: artefacts === null ? [kind] : [],
      cuckoo: ({ androguard, cuckoo }) => ({
        kind: 'join',
        androguard,
        cuckoo: cuckoo ?? packJson(bareReport(apk)),
        parts: null,
        added: packJson(networkAndFiles(report)),
      }),
    });
  }

  async #finish(
    apk: ApkRecord,
    status: 'done' | 'partial',
    signal: AbortSignal,
    { job, ...found }: Pick<KeptAnalysis, 'reports' | 'removed' | 'cuckoo'> & { job: JobRecord },
  ): Promise<JobOutcome> {
    const kept: KeptAnalysis = {
      ...found,
      describe: { status, engineVersion },
      update: async (inside) => {
        await this.#events.happened({ name: 'evidence_changed', apkIds: [apk.id] }, inside);
        const hasLeft = found.reports.some(({ kind }) => leftKinds.has(kind));
        if (hasLeft || apk.children !== null) await this.#children.follow(inside, job, apk.id);
        return inside.apks.update(apk.id, { isDynamicAnalyzed: true, fileState: 'ok' });
      },
    };
    const outcome = await keepAnalysis(this.#store, this.#pool, apk.id, kept, signal);
    if (outcome.status === 'failed') return outcome;
    if (outcome.changed !== null) this.#events.publish({ name: 'apk_updated', apk: outcome.changed });
    return { status };
  }
}
