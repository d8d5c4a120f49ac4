// Records what the tool `ssdeep` makes of the built inputs. Knows nothing of our implementation.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ssdeepInputs, ssdeepVariants } from '../../fixtures/ssdeep-inputs.ts';
import { systemTool } from '../../fixtures/system-tools.ts';

const tool = systemTool('ssdeep');
if (tool.path === null) throw new Error(tool.skip);
const { path } = tool;
const folder = mkdtempSync(join(tmpdir(), 'ssdeep-'));

function signatures(inputs: Map<string, Buffer>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, bytes] of inputs) {
    writeFileSync(join(folder, name), bytes);
    const { stdout } = spawnSync(path, ['-b', '-s', name], { cwd: folder, encoding: 'utf8' });
    found[name] = stdout.split('\n')[1]!.replace(`,"${name}"`, '');
  }
  return found;
}

function save(name: string, value: unknown): void {
  writeFileSync(join(import.meta.dirname, name), `${JSON.stringify(value, null, 1)}\n`);
}

save('ssdeep-signatures.json', signatures(ssdeepInputs()));
const variants = Object.entries(signatures(ssdeepVariants()));
writeFileSync(
  join(folder, 'signatures'),
  `ssdeep,1.1--blocksize:hash:hash,filename\n${variants.map(([name, text]) => `${text},"${name}"\n`).join('')}`,
);
const { stdout } = spawnSync(path, ['-b', '-a', '-c', '-x', 'signatures'], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 });
const scores = new Map([...stdout.matchAll(/^"([^"]*)","([^"]*)",(\d+)$/gm)].map(([, a, b, score]) => [`${a} ${b}`, Number(score)]));
save(
  'ssdeep-scores.json',
  variants.flatMap(([a, first]) =>
    variants.filter(([b]) => a < b).map(([b, second]) => [first, second, scores.get(`${a} ${b}`) ?? 0]),
  ),
);
rmSync(folder, { recursive: true });
