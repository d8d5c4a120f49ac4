// Keeps the risk of every APK up to date, and explains it. Knows neither weights nor HTTP.
import { setImmediate } from 'node:timers/promises';
import { evidenceVersion } from '../../contract/engine/evidence.ts';
import type { ShownTechnique } from '../../contract/findings/risk.ts';
import type { ErrorLog } from '../../jobs/error-log.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { SignerRecord, SignerStanding } from '../../store/repositories/signer-repository.ts';
import type { Reads, Store, Writes } from '../../store/store.ts';
import type { HappeningFollower } from '../event-bus.ts';
import { Failure } from '../failure.ts';
import { shownTechniques } from '../techniques.ts';
import { type GatheredEvidence, gatherEvidence } from './gathered-evidence.ts';
import { gravestSeverity, type WeighedRisk, weighRisk } from './risk.ts';

/** Context beside the score: what this workstation knows of the APK's signer and family. */
export interface RiskContext {
  signer: (SignerRecord & SignerStanding) | null;
  /** The family that analysts named, and how many APKs here have it. */
  family: { name: string; apks: number } | null;
}

export interface ExplainedRisk extends WeighedRisk, Omit<GatheredEvidence, 'evidence'> {
  techniques: ShownTechnique[];
  context: RiskContext;
}

/** APKs that are computed in one transaction, in some milliseconds each. */
const batchSize = 20;
const maxFamily = 1000;
/** Key in the settings that keeps the pending work across restarts. */
const walksKey = 'risk_walks';

/** APKs whose risk is recomputed, in ascending order of ids. @property signerId null: all */
interface Walk {
  signerId: number | null;
  afterId: number;
}

export class Risks {
  readonly #store: Store;
  readonly #pool: WorkerPool;
  readonly #log: ErrorLog;
  readonly #closing = new AbortController();
  #work: Promise<void> = Promise.resolve();

  constructor(store: Store, pool: WorkerPool, log: ErrorLog) {
    this.#store = store;
    this.#pool = pool;
    this.#log = log;
  }

  readonly followHappening: HappeningFollower = async (happening, inside) => {
    if (happening.name === 'evidence_changed' || happening.name === 'repackagings_changed')
      for (const id of happening.apkIds) await settle(inside, id);
    if (happening.name !== 'dismissals_changed') return;
    const { signerId } = happening;
    const walks = await walksIn(inside);
    // Replaces an unfinished pass over the same APKs.
    const others = walks.filter((walk) => walk.signerId !== signerId);
    await inside.settings.write(walksKey, [...others, { signerId, afterId: 0 }]);
    inside.afterCommit(() => this.#then(() => this.#walk()));
  };

  /** @throws Failure `no-report` where there is no evidence yet */
  async of(apk: ApkRecord): Promise<ExplainedRisk> {
    const known = await gatherEvidence(this.#store, apk);
    if (known === null) throw new Failure('no-report');
    const { evidence, behaviour, dismissed } = known;
    const family = apk.family === '' ? null : apk.family;
    const signer = apk.signerId === null ? null : await this.#store.signers.findById(apk.signerId);
    return {
      ...weighRisk(evidence),
      techniques: shownTechniques(evidence),
      behaviour,
      dismissed,
      context: {
        signer: signer === null ? null : { ...signer, ...(await this.#store.signers.standing(signer.id)) },
        family: family === null ? null : { name: family, apks: await this.#store.apks.countFamily(family, maxFamily) },
      },
    };
  }

  /** Recomputes, in the background, APKs whose evidence is missing or of an earlier version. */
  start(): void {
    this.#then(async () => {
      await this.#renew();
      await this.#walk();
    });
  }

  /** Stops the background work; the next start continues it. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#work;
  }

  #then(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((err: unknown) => {
      if (!this.#closing.signal.aborted) this.#log.error({ err }, 'risks could not be brought up to date');
    });
  }

  async #renew(): Promise<void> {
    const { signal } = this.#closing;
    for (let afterId = 0; !signal.aborted; ) {
      const request = { kind: 'evidence', engineVersion: evidenceVersion, afterId, limit: batchSize } as const;
      const ids = await this.#store.reports.outdated(request);
      const last = ids.at(-1);
      if (last === undefined) return;
      afterId = last;
      for (const id of ids) if (!signal.aborted) await this.#renewOne(id);
      await setImmediate();
    }
  }

  async #renewOne(apkId: number): Promise<void> {
    const { reports } = this.#store;
    const androguard = await reports.readCompressed(apkId, 'androguard');
    const dynamic = await reports.readCompressed(apkId, 'dynamic');
    const device = await reports.readCompressed(apkId, 'device');
    if (androguard === null && dynamic === null && device === null) return;
    const task = { kind: 'evidence', androguard, dynamic, device } as const;
    const reply = await this.#pool.run(task, { isPatient: true, signal: this.#closing.signal });
    // Tried again at the next start.
    if (reply.status === 'failed') return;
    const kept = [
      { kind: 'evidence' as const, content: reply.result.androguard },
      { kind: 'behaviour' as const, content: reply.result.dynamic },
      { kind: 'device_behaviour' as const, content: reply.result.device },
    ].flatMap(({ kind, content }) =>
      content === null ? [] : [{ apkId, kind, status: 'done' as const, engineVersion: evidenceVersion, content }],
    );
    await this.#store.transaction(async (inside) => {
      // Analysed anew or deleted meanwhile.
      if ((await inside.apks.findById(apkId)) === null) return;
      if (
        (await inside.reports.list(apkId)).some(
          (one) => one.kind === 'evidence' && one.engineVersion >= evidenceVersion,
        )
      )
        return;
      await inside.reports.save(kept);
      await settle(inside, apkId);
    });
  }

  /** Recomputes the APKs that a dismissal of wider scope may have changed. */
  async #walk(): Promise<void> {
    for (;;) {
      const [walk, ...others] = await walksIn(this.#store);
      if (walk === undefined || this.#closing.signal.aborted) return;
      const ids = await this.#store.apks.idsAfter(walk.afterId, walk.signerId, batchSize);
      const last = ids.at(-1);
      await this.#store.transaction(async (inside) => {
        for (const id of ids) await settle(inside, id);
        const held = await walksIn(inside);
        // The pass may have been restarted meanwhile.
        if (JSON.stringify(held[0]) !== JSON.stringify(walk)) return;
        await inside.settings.write(walksKey, last === undefined ? others : [{ ...walk, afterId: last }, ...others]);
      });
      await setImmediate();
    }
  }
}

async function walksIn({ settings }: Pick<Reads, 'settings'>): Promise<Walk[]> {
  const stored = await settings.read(walksKey);
  return Array.isArray(stored) ? (stored as Walk[]) : [];
}

/** Updates risk and severity of an APK, and its marks in the search index. */
async function settle(inside: Writes, apkId: number): Promise<void> {
  const apk = await inside.apks.findById(apkId);
  if (apk === null) return;
  const known = await gatherEvidence(inside, apk);
  if (known === null) {
    await inside.apks.setRisk(apkId, null, null);
    return;
  }
  const { evidence } = known;
  await inside.apks.setRisk(apkId, weighRisk(evidence).score, gravestSeverity(evidence.findings));
  await inside.marks.replace(apkId, {
    finding: evidence.findings.map(({ code }) => code),
    technique: shownTechniques(evidence).map(({ id }) => id),
  });
}
