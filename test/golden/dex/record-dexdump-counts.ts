// Records what `dexdump -f -d` counts in every dex file of the real APKs. Knows nothing of our parser.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apkDexes } from '../../fixtures/apk-dexes.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { systemTool } from '../../fixtures/system-tools.ts';

const dexdump = systemTool('dexdump');
if (dexdump.path === null) throw new Error(dexdump.skip);
const folder = mkdtempSync(join(tmpdir(), 'dexdump-'));
const golden: Record<string, Record<string, unknown>> = {};
for (const [apk, path] of Object.entries(realApks)) {
  for (const [name, bytes] of await apkDexes(path)) {
    const file = join(folder, 'one.dex');
    writeFileSync(file, bytes);
    const { stdout } = spawnSync(dexdump.path, ['-f', '-d', file], { encoding: 'latin1', maxBuffer: 2 ** 30 });
    const header = (key: string) => Number(new RegExp(`^${key}_size +: (\\d+)`, 'm').exec(stdout)?.[1]);
    const digest = createHash('sha256');
    let instructions = 0;
    for (const [, position, text] of stdout.matchAll(/^[0-9a-f]{6,}: [^|\n]*\|([0-9a-f]{4,}): (\S+)/gm)) {
      instructions++;
      digest.update(`${position}: ${text}\n`);
    }
    golden[`${apk}/${name}`] = {
      strings: header('string_ids'),
      types: header('type_ids'),
      protos: header('proto_ids'),
      fields: header('field_ids'),
      methodIds: header('method_ids'),
      classes: header('class_defs'),
      methods: stdout.match(/^ {4}#\d+ +: \(in .*\n {6}name +: .*\n {6}type +: '\(/gm)?.length ?? 0,
      instructions,
      sha256: digest.digest('hex'),
    };
  }
}
rmSync(folder, { recursive: true });
writeFileSync(join(import.meta.dirname, './dexdump-counts.json'), `${JSON.stringify(golden, null, 1)}\n`);
