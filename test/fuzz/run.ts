// Command: `node test/fuzz/run.ts [target] [count] [first seed] [CPU seconds]` damages inputs of one target or of all.
// Prints one line per target, and what failed; a seed printed here is run again with a count of 1.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FuzzTarget, runTarget } from './target.ts';

const folder = join(import.meta.dirname, 'targets');
const [name = 'all', count = '1000', first = '0', seconds = '3600'] = process.argv.slice(2);
const names = readdirSync(folder)
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((file) => name === 'all' || file === name);
if (names.length === 0) {
  console.error(`there is no target ${name}`);
  process.exitCode = 2;
}
for (const file of names) {
  const { target } = (await import(join(folder, `${file}.ts`))) as { target: FuzzTarget };
  const { runs, failures } = await runTarget(target, {
    first: Number(first),
    count: Number(count),
    budget: Number(seconds) * 1000,
  });
  console.log(`${target.name}: ${runs} inputs, ${failures.length === 0 ? 'none failed' : 'failures:'}`);
  for (const { seed, reason } of failures) console.log(`  seed ${seed}: ${reason}`);
  if (failures.length > 0) process.exitCode = 1;
}
