// Runs a target's campaign in processes of their own: where one dies, its last input is a find, and the next goes on.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { maxFinds } from './campaign.ts';
import { type CampaignState, currentInput, keepFind, killReason, readState, writeState } from './campaign-state.ts';
import { minimise } from './minimisation.ts';

export interface CampaignRequest {
  target: string;
  /** What is known of the target is kept here, so that a campaign goes on where another one ended. */
  folder: string;
  seed: number;
  /** How many inputs are to have run in all, by earlier campaigns too. */
  mutants: number;
  cpuSeconds: number;
}

const maxDeaths = 10;
const maxMinimisationTries = 25;
const heapMegabytes = 512;

/** @returns how far the target has come, and what was found in all */
export async function fuzz(request: CampaignRequest): Promise<CampaignState> {
  const { target, folder, seed, mutants } = request;
  mkdirSync(folder, { recursive: true });
  for (let left = request.cpuSeconds; ; ) {
    const before = readState(folder);
    const end = await runProcess([target, folder, `${seed}`, `${mutants}`, `${left}`]);
    const state = readState(folder);
    if (end.status === 0) return state;
    await keepDeath(request, state, end);
    left -= Math.max(1, state.cpuSeconds - before.cpuSeconds);
    if (state.deaths >= maxDeaths || state.finds.length >= maxFinds || left <= 0) return readState(folder);
  }
}

/** Runs one input again. @returns whether there was no fault */
export async function runInput(target: string, folder: string, path: string): Promise<boolean> {
  const { status, output } = await runProcess([target, folder, '--input', path]);
  console.log(output.trimEnd() || 'the process died');
  return status === 0;
}

interface ProcessEnd {
  /** Null where a signal ended it. */
  status: number | null;
  signal: string | null;
  output: string;
}

async function runProcess(words: string[]): Promise<ProcessEnd> {
  const program = join(import.meta.dirname, './campaign-process.ts');
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMegabytes}`, program, ...words], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-20_000);
  };
  child.stderr!.on('data', keep);
  child.stdout!.on('data', keep);
  let told: number | null = null;
  // A process that ends by itself waits for the threads of the parser, now and then for ever.
  child.on('message', (status) => {
    told = status as number;
    child.kill('SIGKILL');
  });
  return new Promise((resolve) =>
    child.on('close', (status, signal) =>
      resolve(told === null ? { status, signal, output } : { status: told, signal: null, output }),
    ),
  );
}

/** Keeps the input that a process died of, as small as it can be made, and goes on behind it. */
async function keepDeath(request: CampaignRequest, state: CampaignState, end: ProcessEnd): Promise<void> {
  const { target, folder } = request;
  const current = existsSync(currentInput(folder)) ? readFileSync(currentInput(folder)) : Buffer.alloc(0);
  if (current.length < 8) throw new Error(`${target} cannot be run:\n${end.output}`);
  const mutant = current.readUInt32LE(0);
  const input = current.subarray(8, 8 + current.readUInt32LE(4));
  const killed = takeKillReason(folder);
  const reason = killed ?? `the process died (${end.signal ?? end.status}):\n${end.output}`;
  const smallest = await minimise(input, (candidate) => dies(request, candidate), maxMinimisationTries);
  const signature = `death of ${createHash('sha256').update(smallest).digest('hex').slice(0, 16)}`;
  if (!state.finds.includes(signature)) {
    state.finds.push(signature);
    console.log(
      `${target}: ${reason}\n  ${keepFind(folder, target, { kind: 'death', signature, reason, input, smallest, mutant })}`,
    );
  }
  Object.assign(state, { mutants: mutant + 1, deaths: state.deaths + 1 });
  writeState(folder, state);
}

async function dies({ target, folder }: CampaignRequest, candidate: Uint8Array): Promise<boolean> {
  const path = join(folder, 'candidate');
  writeFileSync(path, candidate);
  const { status } = await runProcess([target, folder, '--input', path]);
  takeKillReason(folder);
  return status !== 0 && status !== 1;
}

function takeKillReason(folder: string): string | null {
  const path = killReason(folder);
  if (!existsSync(path)) return null;
  const reason = readFileSync(path, 'utf8');
  rmSync(path);
  return reason;
}
