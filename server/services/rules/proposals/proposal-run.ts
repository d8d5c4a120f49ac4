// The making of one proposal: literals are read from some of the chosen APKs, tried on them and others, chosen, and tried on
// others again. Knows neither queue nor request.
import type { RuleFeatures } from '../../../contract/engine/rule-features.ts';
import type { JobContext } from '../../../jobs/job-runner.ts';
import type { ApkRecord } from '../../../store/repositories/apk-repository.ts';
import type { AccountRecord } from '../../../store/repositories/people/account-repository.ts';
import type { Store } from '../../../store/store.ts';
import type { StoredFileTasks } from '../../analyses/stored-file-tasks.ts';
import type { Catalogue, CatalogueSearch } from '../../catalogue/catalogue.ts';
import type { MethodWeights } from '../../catalogue/method-weights.ts';
import type { ApkScanner } from '../apk-scanner.ts';
import { catalogueCount } from './catalogue-count.ts';
import { type Kin, kinOf } from './kin.ts';
import { candidatesOf, chooseLiterals, type Literal } from './literal-choice.ts';
import { LiteralCounts } from './literal-counts.ts';
import type { OtherApkChoice } from './other-apks.ts';
import { countsIn, emptyProposal, type ProposalResult } from './proposal-result.ts';
import { proposedRules, type TriedApk, type TriedRole } from './proposed-rules.ts';

export interface ProposalRunParts {
  store: Store;
  files: StoredFileTasks;
  scanner: ApkScanner;
  catalogue: Catalogue;
  methodWeights: MethodWeights;
  otherApks: OtherApkChoice;
  /** APKs at a time. */
  workers: number;
}

/** Chosen APKs whose features are read; more of them say the same. */
const maxRead = 40;
/** Of the APKs besides, the share that candidates are tried on; the rest judges what was chosen. */
const firstShare = 0.5;
const maxFailures = 100;
const stages = { reading: [0, 0.3], trying: [0.3, 0.8], judging: [0.8, 1] } as const;

interface Trial {
  id: number;
  role: TriedRole;
}

/** The making of one proposal. */
export class ProposalRun {
  readonly #parts: ProposalRunParts;
  readonly #account: AccountRecord;
  readonly #context: JobContext;
  readonly #id: number;
  readonly #chosen: readonly ApkRecord[];
  readonly #failures: ProposalResult['failures'] = [];

  constructor(
    parts: ProposalRunParts,
    account: AccountRecord,
    context: JobContext,
    id: number,
    chosen: readonly ApkRecord[],
  ) {
    this.#parts = parts;
    this.#account = account;
    this.#context = context;
    this.#id = id;
    this.#chosen = chosen;
  }

  /** null where it was interrupted. */
  async propose(name: string): Promise<ProposalResult | null> {
    const features = await this.#readFeatures();
    const weightOf = await this.#parts.methodWeights.current();
    const candidates = candidatesOf(features, (hash) => weightOf(hash) === 0);
    const { knownGood, others } = await this.#parts.otherApks.besides(this.#chosen, this.#account);
    const halves = [knownGood, others].map((ids) => Math.ceil(ids.length * firstShare));
    const part = (from: 'first' | 'rest'): Trial[] => [
      ...cut(knownGood, halves[0]!, from).map((id) => ({ id, role: 'good' as const })),
      ...cut(others, halves[1]!, from).map((id) => ({ id, role: 'other' as const })),
    ];
    const chosen = this.#chosen.map(({ id }) => ({ id, role: 'chosen' as const }));
    const first = await this.#tried('trying', candidates, [...chosen, ...part('first')]);
    const picked = await this.#choose(candidates, first);
    const rest = await this.#tried('judging', picked.literals, part('rest'));
    if (this.#context.signal.aborted) return null;
    // What shows up only now goes; what stays has been tried on all.
    const all = [...first, ...rest];
    const countsOf = this.#countsOf(all, picked.catalogue, picked.catalogueSize);
    const literals = chooseLiterals(picked.literals, countsOf, this.#chosen.length);
    // Of a group that makes no rule there is nothing to show.
    const used = proposedRules(name, literals, all).flatMap((rule) => rule.literals);
    return this.#result(name, used, all, picked);
  }

  #result(
    name: string,
    literals: readonly Literal[],
    all: readonly TriedApk[],
    { catalogue, catalogueSize }: { catalogue: ReadonlyMap<string, number>; catalogueSize: number },
  ): ProposalResult {
    const ids = new Set(literals.map(({ id }) => id));
    const tried = all
      .map((apk) => {
        const found = apk.found.map((together) => together.filter((id) => ids.has(id)));
        return { ...apk, found: found.filter(({ length }) => length > 0) };
      })
      .filter(({ role, found }) => role === 'chosen' || found.length > 0);
    const countOf = (role: TriedRole) => all.filter((apk) => apk.role === role).length;
    return {
      ...emptyProposal(name),
      counts: { chosen: countOf('chosen'), good: countOf('good'), other: countOf('other') },
      catalogueSize,
      literals: literals.map((literal) => ({ ...literal, catalogue: catalogue.get(literal.id) ?? null })),
      tried,
      failures: this.#failures.slice(0, maxFailures),
    };
  }

  #countsOf(tried: readonly TriedApk[], catalogue: ReadonlyMap<string, number>, catalogueSize: number) {
    const countsOf = countsIn(
      tried,
      this.#chosen.map(({ id }) => id),
    );
    return (id: string) => ({ ...countsOf(id), catalogue: catalogue.get(id) ?? null, catalogueSize });
  }

  /** Chooses by what was tried first, and by how many of the whole catalogue have what an index knows. */
  async #choose(candidates: readonly Literal[], tried: readonly TriedApk[]) {
    const kin = kinOf(this.#chosen);
    const catalogueSize = await this.#strangers(undefined, this.#chosen, kin);
    const counts = new Map<string, number>();
    const countsOf = this.#countsOf(tried, counts, catalogueSize);
    for (const literal of candidates) {
      const { chosen, knownGood } = countsOf(literal.id);
      if (literal.member === null || chosen.length === 0 || knownGood > 0 || this.#context.signal.aborted) continue;
      const expression = catalogueCount(literal.member, literal.value);
      if (expression === null) continue;
      const having = chosen.map((place) => this.#chosen[place]!);
      counts.set(literal.id, await this.#strangers(expression, having, kin));
    }
    return { literals: chooseLiterals(candidates, countsOf, this.#chosen.length), catalogue: counts, catalogueSize };
  }

  /** How many of the catalogue an expression finds, without the chosen ones among them and what is likely of their family. */
  async #strangers(expression: CatalogueSearch, having: readonly ApkRecord[], kin: Kin): Promise<number> {
    const { catalogue } = this.#parts;
    const { signal } = this.#context;
    const all = await catalogue.count(expression, signal);
    const parts = expression === undefined ? [kin.expression] : [expression, kin.expression];
    const ofKin = await catalogue.count({ kind: 'and', parts }, signal);
    return Math.max(0, all - ofKin - having.filter((apk) => !kin.has(apk)).length);
  }

  async #readFeatures(): Promise<RuleFeatures[]> {
    const { files, store } = this.#parts;
    const stride = Math.max(1, this.#chosen.length / maxRead);
    const read = Array.from({ length: Math.min(maxRead, this.#chosen.length) }, (_, place) => {
      return this.#chosen[Math.floor(place * stride)]!;
    });
    const features: (RuleFeatures | null)[] = read.map(() => null);
    await this.#each('reading', read, async (apk, place) => {
      const packed = async (kind: 'androguard' | 'cuckoo') => {
        const report = await store.reports.readCompressed(apk.id, kind);
        return report === null ? null : { size: report.size, compressed: report.compressed };
      };
      const reports = { androguard: await packed('androguard'), cuckoo: await packed('cuckoo') };
      const reply = await files.run(apk, (file) => ({ kind: 'features', file, reports }), {
        account: this.#account.id,
        signal: this.#context.signal,
      });
      if (reply.status === 'failed') this.#fail(apk.id, reply);
      else features[place] = reply.result;
    });
    return features.filter((one) => one !== null);
  }

  async #tried(stage: keyof typeof stages, literals: readonly Literal[], on: readonly Trial[]): Promise<TriedApk[]> {
    const counts = new LiteralCounts(this.#parts.scanner, `proposal ${this.#id} ${stage}`, literals);
    const apks = await this.#parts.store.apks.findByIds(on.map(({ id }) => id));
    const tried: (TriedApk | null)[] = on.map(() => null);
    await this.#each(stage, on, async ({ id, role }, place) => {
      const apk = apks.get(id);
      if (apk === undefined) return;
      const { signal } = this.#context;
      const scan = await counts.in(apk, { account: this.#account.id, signal, isAwaited: true });
      if (scan.status === 'failed') this.#fail(id, scan);
      else tried[place] = { apkId: id, role, found: scan.found };
    });
    return tried.filter((one) => one !== null);
  }

  #fail(apkId: number, { code, message }: { code: string; message: string }): void {
    if (!this.#context.signal.aborted) this.#failures.push({ apkId, code, message });
  }

  /** Does something with each, some at a time, until it is interrupted. */
  async #each<T>(stage: keyof typeof stages, list: readonly T[], run: (one: T, place: number) => Promise<void>) {
    const [from, to] = stages[stage];
    let next = 0;
    let done = 0;
    const work = async (): Promise<void> => {
      while (next < list.length && !this.#context.signal.aborted) {
        const place = next++;
        await run(list[place]!, place);
        done++;
        this.#context.progress(stage, from + ((to - from) * done) / list.length);
      }
    };
    await Promise.all(Array.from({ length: this.#parts.workers }, work));
  }
}

const cut = (ids: readonly number[], at: number, from: 'first' | 'rest'): readonly number[] =>
  from === 'first' ? ids.slice(0, at) : ids.slice(at);
