// Command in a process of its own: `campaign-process.ts <target> <folder> <seed> <end> <CPU seconds>` goes on with a
// target's campaign; `campaign-process.ts <target> <folder> --input <file>` runs one input, with status 1 for a fault.
import { mkdirSync, openSync, readFileSync, writevSync } from 'node:fs';
import { join } from 'node:path';
import { type Progress, runCampaign } from './campaign.ts';
import { corpusFolder, currentInput, keepFind, killReason, readState, writeState } from './campaign-state.ts';
import { Corpus } from './corpus.ts';
import { execute } from './execution.ts';
import { instrumentServer } from './instrumentation.ts';
import { type FuzzTarget, usualCpuTime } from './target.ts';
import { watch } from './watchdog.ts';

const [name = '', folder = '', ...words] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
Error.stackTraceLimit = 30;
/** What an input may take before its process is ended: it is told as slow long before. */
const patience = 5;
const tell = watch(killReason(folder));

const modules = instrumentServer();
const { target } = (await import(join(import.meta.dirname, 'targets', `${name}.ts`))) as { target: FuzzTarget };
const subjects = target.subject.flatMap((beginning) => {
  const found = modules.filter(({ path }) => path.startsWith(beginning));
  if (found.length === 0) throw new Error(`${name} is about ${beginning}, which it does not load`);
  return found;
});
const patienceFor = (input: Uint8Array): number => patience * (target.maxCpuTime ?? usualCpuTime)(input.length);

async function goOn(seed: number, end: number, cpuSeconds: number): Promise<void> {
  const state = readState(folder);
  const earlier = state.cpuSeconds;
  const current = openSync(currentInput(folder), 'w');
  const header = Buffer.alloc(8);
  const keep = (progress: Progress) =>
    writeState(folder, Object.assign(state, progress, { cpuSeconds: earlier + progress.cpuSeconds }));
  const progress = await runCampaign({
    target,
    corpus: new Corpus(corpusFolder(folder)),
    subjects,
    seed,
    first: state.mutants,
    end,
    cpuSeconds,
    known: new Set(state.finds),
    onInput(input, mutant) {
      tell(patienceFor(input));
      header.writeUInt32LE(mutant, 0);
      header.writeUInt32LE(input.length, 4);
      writevSync(current, [header, input], 0);
    },
    onProgress: keep,
    onFind(find) {
      state.finds.push(find.signature);
      console.log(`${name}: ${find.kind}, mutant ${find.mutant}: ${keepFind(folder, name, find)}\n  ${find.reason}`);
      writeState(folder, state);
    },
  });
  keep(progress);
}

/** @returns the process's exit status */
async function runOne(path: string): Promise<number> {
  const input = readFileSync(path);
  tell(patienceFor(input));
  const { fault, cpuTime } = await execute(target, input, true);
  console.log(`${name}: ${Math.round(cpuTime)} ms of CPU, ${fault === null ? 'no fault' : fault.reason}`);
  return fault === null ? 0 : 1;
}

let status = 0;
if (words[0] === '--input') status = await runOne(words[1]!);
else await goOn(Number(words[0]), Number(words[1]), Number(words[2]));
await target.close?.();
// Whoever started it ends it.
if (process.send === undefined) process.exit(status);
process.send(status);
