// Command: `npm run fuzz -- [target…] [--mutants N] [--seconds S] [--seed X] [--jobs J] [--input FILE]`; see README.md.
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CampaignState } from './campaign-state.ts';
import { fuzz, runInput } from './fuzzing.ts';

const targets = readdirSync(join(import.meta.dirname, 'targets')).map((file) => file.replace(/\.ts$/, ''));
const results = join(import.meta.dirname, '../../test-results/fuzz');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mutants: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    input: { type: 'string' },
  },
});
const unknown = positionals.filter((name) => !targets.includes(name));
if (unknown.length > 0) {
  console.error(`there is no target ${unknown.join(', ')}; there are ${targets.join(', ')}`);
  process.exit(2);
}
const wanted = positionals.length === 0 ? targets : positionals;
setPriority(constants.priority.PRIORITY_LOW);

function tell(name: string, state: CampaignState): void {
  const { mutants, cpuSeconds, covered, blocks, corpus, slowest, finds } = state;
  const rate = Math.round(mutants / Math.max(cpuSeconds, 1));
  const share = blocks === 0 ? '' : ` ${covered} of ${blocks} blocks (${Math.round((100 * covered) / blocks)} %),`;
  const found = finds.length === 0 ? 'nothing found' : `${finds.length} FOUND`;
  console.log(
    `${name}: ${mutants} inputs, ${rate} per CPU second,${share} corpus ${corpus}, slowest ${slowest.milliseconds} ms for ${slowest.size} bytes: ${found}`,
  );
  if (finds.length > 0) process.exitCode = 1;
}

if (values.input !== undefined) {
  const [name] = wanted;
  if (!(await runInput(name!, join(results, name!), values.input))) process.exitCode = 1;
} else {
  const left = [...wanted];
  const work = async () => {
    for (let target = left.shift(); target !== undefined; target = left.shift()) {
      const [mutants, cpuSeconds, seed] = [values.mutants, values.seconds, values.seed].map(Number) as [
        number,
        number,
        number,
      ];
      tell(target, await fuzz({ target, folder: join(results, target), seed, mutants, cpuSeconds }));
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
}
