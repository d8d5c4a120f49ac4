// Keeps the risk of every APK at what is known of it, and tells what it is made of. Knows neither weights nor HTTP.
import { setImmediate } from 'node:timers/promises';
import { evidenceVersion, type ReportEvidence } from '../../contract/engine/evidence.ts';
import { type Dismissing, dismisses } from '../../contract/findings/dismissed.ts';
import type { Finding } from '../../contract/findings/finding.ts';
import type { ShownTechnique } from '../../contract/findings/risk.ts';
import type { ErrorLog } from '../../jobs/error-log.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { SignerRecord, SignerStanding } from '../../store/repositories/signer-repository.ts';
import type { Reads, Store, Writes } from '../../store/store.ts';
import type { HappeningFollower } from '../event-bus.ts';
import { Failure } from '../failure.ts';
import { shownTechniques } from '../techniques.ts';
import { type Evidence, gravestSeverity, type WeighedRisk, weighRisk } from './risk.ts';

/** What stands beside the score: what this workstation knows of who signed the APK, and of its family. */
export interface RiskContext {
  signer: (SignerRecord & SignerStanding) | null;
  /** What analysts call it, and how many APKs here they call so. */
  family: { name: string; apks: number } | null;
}

export interface ExplainedRisk extends WeighedRisk {
  techniques: ShownTechnique[];
  /** What was seen when it ran; of nothing else are the findings in no other report. */
  behaviour: Finding[];
  context: RiskContext;
}

/** More rulesets on one APK tell nothing new. */
const maxMatches = 200;
/** APKs that are weighed in one transaction, in some milliseconds each. */
const batchSize = 20;
const maxFamily = 1000;
/** Under which key of the settings what is still to be weighed outlives a restart. */
const walksKey = 'risk_walks';

/** APKs that are weighed anew one after the other, upwards. @property signerId null: all */
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
    if (happening.name === 'evidence_changed') for (const id of happening.apkIds) await settle(inside, id);
    if (happening.name !== 'dismissals_changed') return;
    const { signerId } = happening;
    const walks = await walksIn(inside);
    // What is to be walked again from its beginning need not be walked to its end first.
    const others = walks.filter((walk) => walk.signerId !== signerId);
    await inside.settings.write(walksKey, [...others, { signerId, afterId: 0 }]);
    inside.afterCommit(() => this.#then(() => this.#walk()));
  };

  /** @throws Failure `no-report` where there is nothing to weigh yet */
  async of(apk: ApkRecord): Promise<ExplainedRisk> {
    const known = await knownOf(this.#store, apk);
    if (known === null) throw new Failure('no-report');
    const { evidence, behaviour } = known;
    const family = apk.family === '' ? null : apk.family;
    const signer = apk.signerId === null ? null : await this.#store.signers.findById(apk.signerId);
    return {
      ...weighRisk(evidence),
      techniques: shownTechniques(evidence),
      behaviour,
      context: {
        signer: signer === null ? null : { ...signer, ...(await this.#store.signers.standing(signer.id)) },
        family: family === null ? null : { name: family, apks: await this.#store.apks.countFamily(family, maxFamily) },
      },
    };
  }

  /** Brings APKs up to date, in the background, whose evidence is missing, or was gathered or weighed otherwise. */
  start(): void {
    this.#then(async () => {
      await this.#renew();
      await this.#walk();
    });
  }

  /** Ends what runs in the background; the next start goes on with it. */
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
    // Its turn comes again at the next start.
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

  /** Weighs anew what dismissals that reach further than one APK may have changed. */
  async #walk(): Promise<void> {
    for (;;) {
      const [walk, ...others] = await walksIn(this.#store);
      if (walk === undefined || this.#closing.signal.aborted) return;
      const ids = await this.#store.apks.idsAfter(walk.afterId, walk.signerId, batchSize);
      const last = ids.at(-1);
      await this.#store.transaction(async (inside) => {
        for (const id of ids) await settle(inside, id);
        const held = await walksIn(inside);
        // It may have been begun anew meanwhile.
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

/** Brings the columns of an APK, and what searches find of it, to what is known of it. */
async function settle(inside: Writes, apkId: number): Promise<void> {
  const apk = await inside.apks.findById(apkId);
  if (apk === null) return;
  const known = await knownOf(inside, apk);
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

/** What is known of an APK without what was dismissed; null before its first report. */
async function knownOf(inside: Reads, apk: ApkRecord): Promise<{ evidence: Evidence; behaviour: Finding[] } | null> {
  const declared = await inside.reports.readJson<ReportEvidence>(apk.id, 'evidence');
  const interpreted = await inside.reports.readJson<ReportEvidence>(apk.id, 'behaviour');
  const onDevice = await inside.reports.readJson<ReportEvidence>(apk.id, 'device_behaviour');
  const gathered = [declared, interpreted, onDevice].filter((one) => one !== null);
  if (gathered.length === 0) return null;
  const dismissals = (await inside.dismissals.holdingFor(apk, null)).map(dismissingOf);
  const isHeld = ({ code, where }: Finding) => !dismissals.some((one) => dismisses(one, { finding: code, where }));
  const matches = (await inside.matches.ofPublicRulesets(apk.id, maxMatches)).flatMap(
    ({ rulesetId, ruleset, isSocial, rules }) =>
      rules
        .filter(({ name, file }) => {
          const about = { ruleset: String(rulesetId), rule: name, where: file };
          return !dismissals.some((one) => dismisses(one, about));
        })
        .map(({ name, tags, metadata, file }) => ({ ruleset, isSocial, rule: name, tags, metadata, file })),
  );
  const antivirus = (await inside.detections.ofApks([apk.id])).flatMap(({ kind, antivirus: name, information }) =>
    kind === 'antivirus' ? [{ antivirus: name, signature: String(information.signature ?? '') }] : [],
  );
  const findings = gathered.flatMap((one) => one.findings).filter(isHeld);
  const uses = gathered.flatMap((one) => one.uses);
  const behaviour = [interpreted, onDevice].flatMap((seen) => seen?.findings ?? []);
  return { evidence: { findings, uses, matches, antivirus }, behaviour };
}

type StoredDismissal = Awaited<ReturnType<Reads['dismissals']['holdingFor']>>[number];

const dismissingOf = ({ scope, finding, rulesetId, rule, library, place }: StoredDismissal): Dismissing => ({
  ...{ scope, finding, rule, library },
  ruleset: rulesetId === null ? null : String(rulesetId),
  where: place,
});
