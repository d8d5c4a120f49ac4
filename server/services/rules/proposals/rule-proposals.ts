// Rules proposed from chosen APKs, as a job: literals are read from some, tried on others, chosen, and tried again. Nothing
// of it becomes a match.
import type { RuleFeatures } from '../../../contract/engine/rule-features.ts';
import { maxProposalApks } from '../../../contract/rules/rule-proposal.ts';
import { type JobOutcome, type JobQueue, jobPriorities } from '../../../jobs/job-queue.ts';
import type { JobContext, JobHandler } from '../../../jobs/job-runner.ts';
import type { AccountRecord } from '../../../store/repositories/account-repository.ts';
import type { ApkRecord } from '../../../store/repositories/apk-repository.ts';
import type { JobRecord } from '../../../store/repositories/job-repository.ts';
import type { RuleProposalRecord } from '../../../store/repositories/rule-proposal-repository.ts';
import type { Store } from '../../../store/store.ts';
import type { StoredFileTasks } from '../../analyses/stored-file-tasks.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { MethodWeights } from '../../catalogue/method-weights.ts';
import { Concealed, Failure, FieldFailure } from '../../failure.ts';
import type { UsageLimits } from '../../people/usage-limits.ts';
import type { ApkScanner } from '../apk-scanner.ts';
import type { Rulesets } from '../rulesets.ts';
import { catalogueCount } from './catalogue-count.ts';
import { candidatesOf, chooseLiterals, type Literal } from './literal-choice.ts';
import { LiteralCounts } from './literal-counts.ts';
import type { OtherApkChoice } from './other-apks.ts';
import { countsIn, emptyProposal, type ProposalResult, type ShownProposal, shownProposal } from './proposal-result.ts';
import { proposedRules, type TriedApk, type TriedRole } from './proposed-rules.ts';

interface ProposalTask {
  name: string;
  /** Ids. */
  apks: number[];
}

export interface ProposalInput {
  /** SHA-256. */
  apks?: readonly string[] | undefined;
  search?: string | undefined;
  name?: string | undefined;
}

export interface ProposalView {
  proposal: RuleProposalRecord<ProposalTask, ProposalResult>;
  job: JobRecord;
  shown: ShownProposal;
  /** The APKs that it names, as far as they are there. */
  apks: Map<number, ApkRecord>;
  /** Microseconds. */
  expiresAt: number;
}

export interface RuleProposalParts {
  store: Store;
  queue: JobQueue;
  files: StoredFileTasks;
  scanner: ApkScanner;
  catalogue: Catalogue;
  rulesets: Rulesets;
  methodWeights: MethodWeights;
  otherApks: OtherApkChoice;
  limits: UsageLimits;
  /** APKs at a time. */
  workers: number;
}

/** Microseconds for which a proposal is kept. */
const lifetime = 7 * 86_400_000_000;
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

export class RuleProposals {
  readonly #parts: RuleProposalParts;

  constructor(parts: RuleProposalParts) {
    this.#parts = parts;
  }

  /**
   * Begins to propose rules.
   * @throws FieldFailure where no APK is chosen, or one that is not there; SearchFailure; Failure `throttled`
   */
  async begin(account: AccountRecord, input: ProposalInput): Promise<ProposalView> {
    const { store, queue, limits } = this.#parts;
    const apks = await this.#chosen(account, input);
    if (apks.length === 0)
      throw new FieldFailure({ apks: ['No APK to propose rules from: name some, or give a search.'] });
    await limits.use(account, 'apk-analyze');
    const task: ProposalTask = { name: input.name?.trim() || nameOf(apks), apks: apks.map(({ id }) => id) };
    const id = await store.transaction(async (inside) => {
      const id = await inside.ruleProposals.insert(account.id, task, emptyProposal(task.name));
      const asked = { apkId: null, priority: jobPriorities.request, requestedBy: account.id };
      const { job } = await queue.enqueue({ kind: 'rule_proposal', ...asked, payload: { proposalId: id } }, inside);
      await inside.ruleProposals.setJob(id, job.id);
      return id;
    });
    return this.get(account, id);
  }

  /** @throws Failure `not-found`, also where it is another's */
  async get(account: AccountRecord, id: number | null): Promise<ProposalView> {
    const { store, queue, catalogue } = this.#parts;
    const proposal = id === null ? null : await store.ruleProposals.find<ProposalTask, ProposalResult>(id);
    const job = proposal === null ? null : await queue.find(proposal.jobId);
    if (proposal === null || job === null) throw new Failure('not-found');
    if (proposal.accountId !== account.id) throw new Concealed();
    const shown = shownProposal(proposal.result);
    const named = [...shown.chosen, ...shown.falseHits, ...proposal.result.failures];
    const apks = await catalogue.findByIds(named.map(({ apkId }) => apkId));
    return { proposal, job, shown, apks, expiresAt: proposal.createdAt + lifetime };
  }

  /** Makes the rules do without some literals. @param leftOut their ids; unknown ones are refused */
  async leaveOut(
    account: AccountRecord,
    { proposal }: ProposalView,
    leftOut: readonly string[],
  ): Promise<ProposalView> {
    const ids = new Set(proposal.result.literals.map(({ id }) => id));
    const unknown = leftOut.filter((id) => !ids.has(id));
    if (unknown.length > 0) throw new FieldFailure({ left_out: unknown.map((id) => `There is no literal ${id}.`) });
    const result = { ...proposal.result, leftOut: [...new Set(leftOut)] };
    await this.#parts.store.transaction(({ ruleProposals }) => ruleProposals.saveResult(proposal.id, result));
    return this.get(account, proposal.id);
  }

  async cancel(account: AccountRecord, { proposal }: ProposalView): Promise<ProposalView> {
    await this.#parts.queue.cancel(proposal.jobId);
    return this.get(account, proposal.id);
  }

  /** Removes proposals that are older than they are kept. */
  forgetOld = (): Promise<void> => {
    const { store } = this.#parts;
    return store.transaction(({ ruleProposals }) => ruleProposals.removeBefore(store.trustedTime.now() - lifetime));
  };

  async #chosen(account: AccountRecord, { apks = [], search }: ProposalInput): Promise<ApkRecord[]> {
    const { store, catalogue } = this.#parts;
    const named = await Promise.all(apks.map((sha256) => store.apks.findBySha256(sha256)));
    const unknown = apks.filter((_, index) => named[index] === null);
    if (unknown.length > 0) throw new FieldFailure({ apks: unknown.map((sha256) => `There is no APK ${sha256}.`) });
    const selection = search === undefined ? null : catalogue.search(search, account);
    const found = selection === null ? [] : (await catalogue.page({ search: selection, limit: maxProposalApks })).items;
    const all = new Map([...named.filter((apk) => apk !== null), ...found].map((apk) => [apk.id, apk]));
    return [...all.values()].slice(0, maxProposalApks);
  }

  /** The handler of `rule_proposal` jobs. After an interruption it begins anew. */
  readonly perform: JobHandler<'rule_proposal'> = async ({ payload }, context): Promise<JobOutcome> => {
    const { store } = this.#parts;
    const proposal = await store.ruleProposals.find<ProposalTask, ProposalResult>(payload.proposalId);
    const account = proposal === null ? null : await store.accounts.findById(proposal.accountId);
    if (proposal === null || account === null) {
      return { status: 'failed', code: 'gone', message: 'The proposal was deleted.' };
    }
    const { name, apks } = proposal.task;
    const chosen = [...(await store.apks.findByIds(apks)).values()];
    const run = new ProposalRun(this.#parts, account, context, proposal.id, chosen);
    const result = await run.propose(name);
    if (context.signal.aborted || result === null) return { status: 'done' };
    await this.#parts.rulesets.checked(account, shownProposal(result).text);
    await store.transaction(({ ruleProposals }) => ruleProposals.saveResult(proposal.id, result));
    return { status: result.failures.length > 0 ? 'partial' : 'done' };
  };
}

/** What most of the APKs are called: the family that people say they are of, else the package. */
function nameOf(apks: readonly ApkRecord[]): string {
  const commonest = (words: readonly string[]) => {
    const groups = [
      ...Map.groupBy(
        words.filter((word) => word !== ''),
        (word) => word,
      ),
    ];
    return groups.sort(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? null;
  };
  return commonest(apks.map(({ family }) => family)) ?? commonest(apks.map(({ packageName }) => packageName)) ?? 'apk';
}

/** The making of one proposal. */
class ProposalRun {
  readonly #parts: RuleProposalParts;
  readonly #account: AccountRecord;
  readonly #context: JobContext;
  readonly #id: number;
  readonly #chosen: readonly ApkRecord[];
  readonly #failures: ProposalResult['failures'] = [];

  constructor(
    parts: RuleProposalParts,
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
    const { catalogue } = this.#parts;
    const catalogueSize = Math.max(0, (await catalogue.count(undefined)) - this.#chosen.length);
    const counts = new Map<string, number>();
    const countsOf = this.#countsOf(tried, counts, catalogueSize);
    for (const literal of candidates) {
      const { chosen, knownGood } = countsOf(literal.id);
      if (literal.member === null || chosen.length === 0 || knownGood > 0 || this.#context.signal.aborted) continue;
      const expression = catalogueCount(literal.member, literal.value);
      if (expression === null) continue;
      const all = await catalogue.count(expression, this.#context.signal);
      counts.set(literal.id, Math.max(0, all - chosen.length));
    }
    return { literals: chooseLiterals(candidates, countsOf, this.#chosen.length), catalogue: counts, catalogueSize };
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
