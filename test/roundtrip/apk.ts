// The decompiled sources of an APK, and what javac says of them beside stubs of what the APK does not have. Knows no command line.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dexEntries } from '../../server/engine/app/app-package.ts';
import { decompileDexes } from '../../server/engine/decompiler/decompiler.ts';
import { Findings } from '../../server/engine/findings.ts';
import { openDexContainer } from '../../server/engine/formats/dex/dex.ts';
import { openZip } from '../../server/engine/formats/zip/archive.ts';
import { fileSource } from '../../server/vault/byte-source.ts';
import type { JavacError, JavaTools } from '../fixtures/java-tools.ts';
import { Stubs } from './stubs.ts';

export interface ApkTrip {
  readonly files: number;
  /** Files of which javac says nothing. */
  readonly accepted: number;
  readonly methods: number;
  readonly lost: number;
  readonly unresolved: number;
  readonly dispatched: number;
  /** CPU seconds of the decompiler alone. */
  readonly seconds: number;
  readonly errors: readonly JavacError[];
}

/** @param folder is written to, and nobody else's */
export async function tripOfApk(tools: JavaTools, apk: string, folder: string): Promise<ApkTrip> {
  const findings = new Findings();
  const archive = openZip(fileSource(apk), findings);
  const dexes = dexEntries(archive).map((entry) => archive.read(entry));
  const counts = { methods: 0, lost: 0, unresolved: 0, dispatched: 0 };
  const sources: string[] = [];
  const started = process.cpuUsage();
  for (const { path, source, methods, lost, unresolved, dispatched } of decompileDexes(dexes)) {
    counts.methods += methods;
    counts.lost += lost;
    counts.unresolved += unresolved;
    counts.dispatched += dispatched;
    sources.push(written(join(folder, 'sources'), path, source));
  }
  const { user, system } = process.cpuUsage(started);
  const stubs = await stubsOf(tools, dexes, folder);
  const classes = join(folder, 'classes');
  mkdirSync(classes, { recursive: true });
  const errors = await tools.compile(sources, classes, tools.release, '-cp', stubs);
  const bad = new Set(errors.map(({ path }) => path));
  const accepted = bad.has('?') ? 0 : sources.length - bad.size;
  return { files: sources.length, accepted, ...counts, seconds: (user + system) / 1e6, errors };
}

function written(folder: string, path: string, text: string): string {
  const place = join(folder, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
  return place;
}

/** Rounds in which javac may refuse members of stubs, which are left out then. */
const maxRounds = 6;

/** The folder of the compiled stubs. */
async function stubsOf(tools: JavaTools, dexes: readonly Uint8Array[], folder: string): Promise<string> {
  const opened = dexes.flatMap((bytes, index) => openDexContainer(bytes, new Findings(), `classes${index + 1}.dex`));
  const isJava = (type: string) =>
    /^Ljavax?\//.test(type) && !/^Ljavax\/(?:microedition|inject|annotation\/(?!processing))/.test(type);
  const place = join(folder, 'stubs');
  const out = join(folder, 'stub-classes');
  mkdirSync(out, { recursive: true });
  const stubs = new Stubs(opened, isJava);
  const paths = new Set([...stubs.sources()].map(({ path, text }) => written(place, path, text)));
  // What the app defines is named by what stands for the rest.
  const own = join(folder, 'sources');
  for (let round = 0; round < maxRounds; round++) {
    const errors = await tools.compile([...paths], out, tools.release, '-sourcepath', own);
    const refused = errors.filter(({ path }) => path.startsWith(place));
    if (refused.length === 0) break;
    for (const error of refused) if (!leaveOut(place, error)) paths.delete(error.path);
  }
  return out;
}

/**
 * Empties the line of a stub's member that javac refuses; of two interfaces that give a class the same method, the second one's; and
 * of a class what it extends.
 * @returns whether there was something to leave out
 */
function leaveOut(place: string, { path, line, message }: JavacError): boolean {
  const [, method, type] = message.match(/unrelated defaults for (\w+)\(.* and (\S+)$/) ?? [];
  if (method === undefined || type === undefined) {
    return changeLines(path, (text, index) =>
      index === line - 1 ? (isMember(text) ? '' : text.replace(/ extends [\w.]+/, '')) : text,
    );
  }
  let isChanged = false;
  const parts = type.replace(/<.*/, '').split('.');
  for (let length = parts.length; length > 0; length--) {
    const file = join(place, `${parts.slice(0, length).join('/')}.java`);
    if (!existsSync(file)) continue;
    const isSame = (text: string) => isMember(text) && text.includes(' default ') && text.includes(` ${method}(`);
    isChanged = changeLines(file, (text) => (isSame(text) ? '' : text)) || isChanged;
  }
  return isChanged;
}

const isMember = (line: string): boolean => /^(?:public|protected) .*[;}]$/.test(line);

/** @returns whether any is another now */
function changeLines(path: string, change: (line: string, index: number) => string): boolean {
  const before = readFileSync(path, 'utf8');
  const after = before.split('\n').map(change).join('\n');
  writeFileSync(path, after);
  return after !== before;
}
