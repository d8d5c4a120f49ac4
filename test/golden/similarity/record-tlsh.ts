// Records what the tool `tlsh` makes of the built inputs, and how far it finds them from each other. Knows nothing of our
// implementation.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ssdeepInputs, ssdeepVariants } from '../../fixtures/ssdeep-inputs.ts';
import { systemTool } from '../../fixtures/system-tools.ts';

const tool = systemTool('tlsh');
if (tool.path === null) throw new Error(tool.skip);
const { path } = tool;
const folder = mkdtempSync(join(tmpdir(), 'tlsh-'));

function digests(inputs: Map<string, Buffer>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, bytes] of inputs) {
    writeFileSync(join(folder, name), bytes);
    const { stdout } = spawnSync(path, ['-f', name], { cwd: folder, encoding: 'utf8' });
    found[name] = /^[0-9A-F]{70}\t/.test(stdout) ? stdout.slice(0, 70) : '';
  }
  return found;
}

function save(name: string, value: unknown): void {
  writeFileSync(join(import.meta.dirname, name), `${JSON.stringify(value, null, 1)}\n`);
}

save('tlsh-digests.json', digests(ssdeepInputs()));
const variants = [...new Set(Object.values(digests(ssdeepVariants())))].filter((digest) => digest !== '');
writeFileSync(join(folder, 'list'), variants.map((digest) => `${digest}\n`).join(''));
const distances = variants.slice(0, 12).flatMap((first) => {
  const { stdout } = spawnSync(path, ['-c', first, '-l', 'list'], { cwd: folder, encoding: 'utf8' });
  // A line for each of the list, in its order, that names the first alone.
  return [...stdout.matchAll(/(\d+)$/gm)].map(([, distance], at) => [first, variants[at], Number(distance)]);
});
save('tlsh-distances.json', distances);
rmSync(folder, { recursive: true });
