// Performs dynamic analyses and stores what they found. Knows nothing of HTTP and nothing of how an app is run.
import { type EngineReply, engineVersion } from '../contract/engine.ts';
import type { AndroguardReport, CuckooParts, CuckooReport } from '../contract/reports.ts';
import type { JobOutcome } from '../jobs/job-queue.ts';
import type { JobContext, JobHandler } from '../jobs/job-runner.ts';
import type { WorkerPool } from '../jobs/worker-pool.ts';
import type { ApkRecord } from '../store/apk-repository.ts';
import type { JobRecord } from '../store/job-repository.ts';
import type { Store } from '../store/store.ts';
import type { EventBus } from './event-bus.ts';
import { indexReports } from './report-terms.ts';

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

/** What an earlier dynamic analysis put into the cuckoo report, which a new static one must not lose. */
export async function dynamicPartsOf(store: Store, apk: ApkRecord): Promise<Partial<CuckooParts>> {
  if (!apk.isDynamicAnalyzed) return {};
  const known = await store.reports.readJson<CuckooReport>(apk.id, 'cuckoo');
  return known === null ? {} : { network: known.network, behavior: known.behavior };
}

export class DynamicAnalyses {
  readonly #store: Store;
  readonly #pool: WorkerPool;
  readonly #events: EventBus;
  readonly perform: JobHandler = (job, context) => this.#perform(job, context);

  constructor(store: Store, pool: WorkerPool, events: EventBus) {
    this.#store = store;
    this.#pool = pool;
    this.#events = events;
  }

  async #perform(job: JobRecord, context: JobContext): Promise<JobOutcome> {
    const apk = job.apkId === null ? null : await this.#store.apks.findById(job.apkId);
    if (apk === null) return { status: 'failed', code: 'apk-gone', message: 'The APK was deleted.' };
    const state = this.#store.files.inspect(apk.sha256);
    if (state === 'missing') return this.#fileFault(apk, state);
    const file = this.#store.files.fileReference(apk.sha256);
    const reply = await this.#pool.run(
      { kind: 'dynamic', file },
      { signal: context.signal, onProgress: context.progress },
    );
    if (reply.status !== 'failed') return this.#keep(apk, reply);
    if (reply.code === 'unreadable-file') {
      const found = await this.#store.files.verify(apk.sha256);
      if (found !== 'ok') return this.#fileFault(apk, found);
    }
    return reply;
  }

  async #fileFault(apk: ApkRecord, fileState: 'missing' | 'altered'): Promise<JobOutcome> {
    const changed = await this.#store.apks.update(apk.id, { fileState });
    if (changed !== null) this.#events.publish({ name: 'apk_updated', apk: changed });
    return { status: 'failed', code: `file-${fileState}`, message: `The stored file is ${fileState}.` };
  }

  async #keep(
    apk: ApkRecord,
    { status, result }: Extract<EngineReply<'dynamic'>, { status: 'done' | 'partial' }>,
  ): Promise<JobOutcome> {
    const artefacts = result.artefacts.map(({ sha256, bytes }) => ({
      sha256,
      base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
    }));
    const described = { apkId: apk.id, status, engineVersion };
    await this.#store.reports.save([
      { ...described, kind: 'dynamic', content: result.dynamic },
      ...(artefacts.length === 0 ? [] : [{ ...described, kind: 'artefacts', content: { artefacts } } as const]),
    ]);
    if (artefacts.length === 0) await this.#store.reports.remove(apk.id, 'artefacts');
    const changed = await this.#store.transaction(async (inside) => {
      // A static analysis may have stored its part meanwhile: it is read in here.
      const stored = await inside.reports.readJson<CuckooReport>(apk.id, 'cuckoo');
      const androguard = await inside.reports.readJson<AndroguardReport>(apk.id, 'androguard');
      const cuckoo = { ...(stored ?? bareReport(apk)), ...result.cuckoo };
      await inside.reports.save([{ ...described, kind: 'cuckoo', content: cuckoo }]);
      await indexReports(inside, apk.id, { androguard: androguard ?? {}, cuckoo });
      return inside.apks.update(apk.id, { isDynamicAnalyzed: true, fileState: 'ok' });
    });
    if (changed !== null) this.#events.publish({ name: 'apk_updated', apk: changed });
    return { status };
  }
}
