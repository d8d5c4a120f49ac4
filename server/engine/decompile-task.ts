// Decompiles an APK page by page, each going on where the one before ended. Knows no Java.
import type { DecompiledPage } from '../contract/engine/decompilation.ts';
import type { TaskOf } from '../contract/process-line/tasks.ts';
import { dexEntries, resourcesName } from './app/app-package.ts';
import { type Decompilation, decompilation } from './decompiler/decompiler.ts';
import { Findings } from './findings.ts';
import { parseResourceTable } from './formats/arsc/resource-table.ts';
import { parseBinaryXml } from './formats/axml/document.ts';
import { printXml } from './formats/axml/xml-text.ts';
import { FormatError } from './formats/byte-reader.ts';
import { openZip, type ZipArchive } from './formats/zip/archive.ts';
import { openFile } from './open-file.ts';

interface Opened extends Decompilation {
  readonly key: string;
  readonly manifest: string | null;
  /** Files that were handed over. */
  done: number;
}

/** Characters of source and files on one page. */
const pageCharacters = 1_000_000;
const pageFiles = 400;

let opened: Opened | null = null;

/** @throws FormatError where the file is no archive */
export function decompilePage(task: TaskOf<'decompile'>): DecompiledPage {
  const key = `${JSON.stringify(task.file)} ${task.only ?? ''} ${task.names?.version ?? ''} ${task.names?.deobfuscate === true}`;
  if (opened === null || opened.key !== key || opened.done > task.from) opened = open(task, key);
  const app = opened;
  for (; app.done < task.from; app.done++) if (app.files.next().done === true) break;
  const page: DecompiledPage = {
    files: [],
    next: null,
    total: app.total,
    counts: { methods: 0, lost: 0, unresolved: 0, dispatched: 0 },
    manifest: task.from === 0 ? app.manifest : null,
  };
  for (let characters = 0; characters < pageCharacters && page.files.length < pageFiles; ) {
    const next = app.files.next();
    if (next.done === true) {
      opened = null;
      return page;
    }
    const { path, source, ...counts } = next.value;
    app.done++;
    characters += source.length;
    page.files.push({ path, source });
    for (const name of ['methods', 'lost', 'unresolved', 'dispatched'] as const) page.counts[name] += counts[name];
  }
  return { ...page, next: app.done };
}

function open({ file, only, names }: TaskOf<'decompile'>, key: string): Opened {
  const source = openFile(file);
  try {
    const archive = openZip(source, new Findings());
    const dexes = dexEntries(archive).flatMap((entry) => readable(() => [archive.read(entry)]) ?? []);
    const words = {
      names: names?.names ?? [],
      notes: (names?.notes ?? []).map(([symbol, address, text]) => ({ symbol, address, text })),
      isDeobfuscated: names?.deobfuscate === true,
    };
    return { ...decompilation(dexes, { only, words }), key, manifest: manifestOf(archive), done: 0 };
  } finally {
    source.close();
  }
}

function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError || error instanceof RangeError) return null;
    throw error;
  }
}

function manifestOf(archive: ZipArchive): string | null {
  const entry = archive.get('AndroidManifest.xml');
  const table = archive.get(resourcesName);
  if (entry === undefined) return null;
  const findings = new Findings();
  return readable(() => {
    const resources = table === undefined ? null : readable(() => parseResourceTable(archive.read(table), findings));
    const document = parseBinaryXml(archive.read(entry), findings, entry.name);
    return document.root === null ? null : printXml(document, resources);
  });
}
