// Fuzzes one target in this process: makes inputs, runs them, keeps those that reach new code. Knows no format.
import type { Corpus } from './corpus.ts';
import { countCovered, takeNewCoverage } from './coverage-counters.ts';
import { execute, type Fault } from './execution.ts';
import { InputMaker } from './input-maker.ts';
import type { Subject } from './instrumentation.ts';
import { minimise } from './minimisation.ts';
import { randomNumbers, seedOf } from './random.ts';
import type { FuzzTarget } from './target.ts';

export interface Progress {
  /** Inputs that were made and run, in all campaigns of this state. */
  mutants: number;
  cpuSeconds: number;
  /** Blocks of the subject that have run, of those it has. */
  covered: number;
  blocks: number;
  corpus: number;
  slowest: { milliseconds: number; size: number };
}

export interface Find extends Omit<Fault, 'kind'> {
  /** Death: the process ended. */
  kind: Fault['kind'] | 'death';
  input: Uint8Array;
  /** The same, as small as it could be made. */
  smallest: Uint8Array;
  /** The input that was made with this number. */
  mutant: number;
}

export interface CampaignPlan {
  target: FuzzTarget;
  corpus: Corpus;
  /** The instrumented code that the target is about. */
  subjects: readonly Subject[];
  seed: number;
  /** The number of the first input: those before were run by earlier campaigns. */
  first: number;
  /** Ends before the input of this number, */
  end: number;
  /** or after so many seconds of CPU. */
  cpuSeconds: number;
  /** Causes that are known. */
  known: Set<string>;
  /** Before each input, which may be this process's last. */
  onInput?(input: Uint8Array, mutant: number): void;
  onProgress?(progress: Progress): void;
  onFind(find: Find): void;
}

/** Every so many inputs are read twice. */
const twiceEvery = 50;
const maxMinimisationTries = 400;
const maxSlowTries = 40;
const progressInterval = 2;
/** Causes after which one looks at them first. */
export const maxFinds = 20;

export async function runCampaign(plan: CampaignPlan): Promise<Progress> {
  const { target, corpus, seed, known } = plan;
  const slowest = { milliseconds: 0, size: 0 };
  const start = process.cpuUsage();
  const used = () => cpuSecondsSince(start);
  const attempt = async (input: Uint8Array, mutant: number, isTwice: boolean) => {
    plan.onInput?.(input, mutant);
    takeNewCoverage();
    const { fault, cpuTime } = await execute(target, input, isTwice);
    if (cpuTime > slowest.milliseconds)
      Object.assign(slowest, { milliseconds: Math.round(cpuTime), size: input.length });
    if (fault !== null && !known.has(fault.signature)) {
      known.add(fault.signature);
      plan.onFind({ ...fault, input, smallest: await smallest(plan, input, fault, mutant), mutant });
    }
    return fault;
  };
  await readCorpus(plan, attempt);
  const maker = new InputMaker(target, corpus, new Set(plan.subjects.flatMap(({ words }) => words)));
  let mutant = plan.first;
  const progress = (): Progress => {
    const covered = sum(plan.subjects.map(({ first, blocks }) => countCovered(first, blocks)));
    const blocks = sum(plan.subjects.map((subject) => subject.blocks));
    return { mutants: mutant, cpuSeconds: used(), covered, blocks, corpus: corpus.inputs.length, slowest };
  };
  let told = used();
  for (; mutant < plan.end && used() < plan.cpuSeconds && known.size < maxFinds; mutant++) {
    const input = maker.next(randomNumbers(seedOf(seed, mutant)));
    const fault = await attempt(input, mutant, mutant % twiceEvery === 0);
    if (takeNewCoverage() > 0 && fault === null) corpus.add(input);
    if (used() - told > progressInterval) {
      told = used();
      plan.onProgress?.(progress());
    }
  }
  return progress();
}

type Attempt = (input: Uint8Array, mutant: number, isTwice: boolean) => Promise<Fault | null>;

/** Samples stay in any case; of what earlier campaigns kept, what still reaches something that no smaller input does. */
async function readCorpus({ target, corpus, first }: CampaignPlan, attempt: Attempt): Promise<void> {
  for (const sample of target.samples()) {
    await attempt(sample, first, true);
    takeNewCoverage();
    corpus.addSample(sample);
  }
  for (const input of corpus.stored()) {
    const fault = await attempt(input, first, false);
    if (takeNewCoverage() > 0 && fault === null) corpus.add(input);
    else corpus.forget(input);
  }
}

async function smallest(plan: CampaignPlan, input: Uint8Array, fault: Fault, mutant: number): Promise<Uint8Array> {
  if (fault.kind === 'unsteady') return input;
  const isSame = async (candidate: Uint8Array) => {
    plan.onInput?.(candidate, mutant);
    return (await execute(plan.target, candidate)).fault?.signature === fault.signature;
  };
  return minimise(input, isSame, fault.kind === 'slow' ? maxSlowTries : maxMinimisationTries);
}

function cpuSecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
