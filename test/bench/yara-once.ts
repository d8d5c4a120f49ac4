// Scans with rules as a worker does, and prints {"cpu": seconds, "memory": MiB, …}. `keep RULES FOLDER ENGINE` compiles rules
// for later, `idle RULES FOLDER ENGINE` waits for work, `raw RULES FOLDER ENGINE FILE` scans one file in one piece with what was kept, `apk RULES FOLDER ENGINE FILE`
// compiles, keeps and loads rulesets and scans a whole APK, `collection RULES FOLDER ENGINE FILE` loads what was kept before. RULES holds rulesets as JSON.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SentRuleset } from '../../server/contract/engine/yara.ts';
import { CompiledRules } from '../../server/engine/yara/compiled-rules.ts';
import { withCandidates } from '../../server/engine/yara/engines/candidate-engine.ts';
import { withKinds } from '../../server/engine/yara/engines/kind-engine.ts';
import { openNativeEngine } from '../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../server/engine/yara/engines/wasm-engine.ts';
import { scanApk } from '../../server/engine/yara/scan.ts';
import { fileSource } from '../../server/vault/byte-source.ts';

const [kind, rulesPath, folder, engineName, path = ''] = process.argv.slice(2) as [string, string, string, string];
const engine = engineName === 'wasm' ? withCandidates(openWasmEngine()) : withKinds(openNativeEngine()!);
const rulesets = kind === 'idle' ? [] : (JSON.parse(readFileSync(rulesPath, 'utf8')) as SentRuleset[]);
const timeout = 300_000;

const seconds = (work: () => void): number => {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
};

/** Peak resident memory in MiB. */
const memory = () => process.resourceUsage().maxRSS / 1024;

const keep = () => {
  for (const { name, bytes } of new CompiledRules(engine).prepare(rulesets, folder).files) {
    writeFileSync(join(folder, name), bytes);
  }
};

/** What a worker is before its first task. */
const idle = (): object => ({ cpu: 0, memory: memory() });

function raw(): object {
  const collection = new CompiledRules(engine).collectionOf(rulesets, folder);
  const bytes = readFileSync(path);
  const globals = {};
  const cpu = seconds(() => {
    for (const { engineRules } of collection.groups) engineRules!.scan(bytes, globals, timeout);
  });
  return { cpu, memory: memory() };
}

const sizes = () => /VmRSS:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))!;

/** With rules that lie compiled, whose texts are not in memory. The small file and the one for Windows lie beside the folder. */
function collection(): object {
  const compiled = new CompiledRules(engine);
  const load = seconds(() => void compiled.collectionOf(rulesets, folder));
  const scan = (file: string) => seconds(() => scanFile(compiled, file));
  scan(join(folder, '../small'));
  const small = scan(join(folder, '../small'));
  const resident = Number(sizes()[1]) / 1024;
  const [first, again] = [scan(path), scan(path)];
  const windows = scan(join(folder, '../windows'));
  return { load, small, resident, first, again, windows, memory: memory() };
}

function scanFile(compiled: CompiledRules, file: string): void {
  const source = fileSource(file);
  scanApk(source, compiled.collectionOf(rulesets, folder), {
    reports: { androguard: null, cuckoo: null, droidbox: null },
    rulesetTimeout: timeout,
    progress: () => undefined,
  });
  source.close();
}

function apk(): object {
  const compile = seconds(keep);
  const compiled = new CompiledRules(engine);
  const load = seconds(() => void compiled.collectionOf(rulesets, folder));
  const scan = () => scanFile(compiled, path);
  const first = seconds(scan);
  const again = seconds(scan);
  return { compile, load, first, again, memory: memory() };
}

const works: Record<string, () => object> = { raw, idle, apk, collection };
if (kind === 'keep') keep();
else process.stdout.write(JSON.stringify(works[kind]!()));
