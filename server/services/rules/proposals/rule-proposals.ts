// Rules proposed from chosen APKs, as a job. Nothing of it becomes a match.
import { maxProposalApks } from '../../../contract/rules/rule-proposal.ts';
import { type JobOutcome, type JobQueue, jobPriorities } from '../../../jobs/job-queue.ts';
import type { JobHandler } from '../../../jobs/job-runner.ts';
import type { ApkRecord } from '../../../store/repositories/apk-repository.ts';
import type { FamilyRecord } from '../../../store/repositories/family-repository.ts';
import type { JobRecord } from '../../../store/repositories/job-repository.ts';
import type { AccountRecord } from '../../../store/repositories/people/account-repository.ts';
import type { RuleProposalRecord } from '../../../store/repositories/rules/rule-proposal-repository.ts';
import { Concealed, Failure, FieldFailure } from '../../failure.ts';
import type { UsageLimits } from '../../people/usage-limits.ts';
import type { Rulesets } from '../rulesets.ts';
import { emptyProposal, type ProposalResult, type ShownProposal, shownProposal } from './proposal-result.ts';
import { ProposalRun, type ProposalRunParts } from './proposal-run.ts';

interface ProposalTask {
  name: string;
  /** Ids. */
  apks: number[];
}

export interface ProposalInput {
  /** SHA-256. */
  apks?: readonly string[] | undefined;
  search?: string | undefined;
  family?: FamilyRecord | undefined;
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

export interface RuleProposalParts extends ProposalRunParts {
  queue: JobQueue;
  rulesets: Rulesets;
  limits: UsageLimits;
}

/** Microseconds for which a proposal is kept. */
const lifetime = 7 * 86_400_000_000;

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
    const task: ProposalTask = {
      name: input.name?.trim() || input.family?.name || nameOf(apks),
      apks: apks.map(({ id }) => id),
    };
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

  /** Ends the making of a proposal, which keeps what was found until then. */
  async cancel(account: AccountRecord, { proposal }: ProposalView): Promise<ProposalView> {
    await this.#parts.queue.cancel(proposal.jobId);
    return this.get(account, proposal.id);
  }

  /** Removes proposals that are older than they are kept. */
  forgetOld = (): Promise<void> => {
    const { store } = this.#parts;
    return store.transaction(({ ruleProposals }) => ruleProposals.removeBefore(store.trustedTime.now() - lifetime));
  };

  async #chosen(account: AccountRecord, { apks = [], search, family }: ProposalInput): Promise<ApkRecord[]> {
    const { store, catalogue } = this.#parts;
    const named = await Promise.all(apks.map((sha256) => store.apks.findBySha256(sha256)));
    const unknown = apks.filter((_, index) => named[index] === null);
    if (unknown.length > 0) throw new FieldFailure({ apks: unknown.map((sha256) => `There is no APK ${sha256}.`) });
    const selection = search === undefined ? null : await catalogue.search(search, account);
    const found = selection === null ? [] : (await catalogue.page({ search: selection, limit: maxProposalApks })).items;
    const members = family === undefined ? [] : await store.families.ends(family.id, maxProposalApks);
    const ofFamily = (await store.apks.findByIds(members)).values();
    const all = new Map([...named.filter((apk) => apk !== null), ...found, ...ofFamily].map((apk) => [apk.id, apk]));
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
