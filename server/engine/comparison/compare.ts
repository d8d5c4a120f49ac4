// Compares two APKs by their static reports and their bytes. Knows neither who asks nor which side is left.
import { childName } from '../../contract/engine/child.ts';
import type { Comparison } from '../../contract/engine/comparison.ts';
import type { AndroguardReport, ArchiveEntryRecord, CuckooReport } from '../../contract/engine/reports.ts';
import type { ComparedFile, TaskOf } from '../../contract/process-line/tasks.ts';
import type { PackedBytes } from '../../vault/packed-bytes.ts';
import { packJson, unpackJson } from '../../vault/packed-json.ts';
import { dexEntries, resourcesName } from '../app/app-package.ts';
import { childDexes, walkChildren } from '../app/children.ts';
import { Findings } from '../findings.ts';
import { parseResourceTable, type ResourceTable } from '../formats/arsc/resource-table.ts';
import { FormatError } from '../formats/byte-reader.ts';
import { type Dex, openDexContainer } from '../formats/dex/dex.ts';
import { openZip, type ZipArchive } from '../formats/zip/archive.ts';
import { openFile } from '../open-file.ts';
import { codeDifferences } from './code-differences.ts';
import { comparedCode } from './compared-code.ts';
import { differencesOf, type Entry } from './differences.ts';
import { lineDifference } from './manifest-lines.ts';
import {
  appEntries,
  certificateEntries,
  codeEntries,
  componentEntries,
  fileEntries,
  findingEntries,
  functionalityEntries,
  indicatorEntries,
  libraryEntries,
  nativeEntries,
  permissionEntries,
  stringEntries,
} from './report-entries.ts';
import { resourceEntries } from './resource-entries.ts';

type Progress = (stage: string, done: number) => void;

/** @throws FormatError where one of them is no archive; the file system's error, SealedFileError, DamagedReportError */
export function compare({ first, second }: TaskOf<'compare'>, progress: Progress): PackedBytes {
  const [one, other] = [readSide(first), readSide(second)];
  progress('reports', 0.1);
  const of = (entries: (report: AndroguardReport) => Entry[]) =>
    differencesOf(entries(one.report), entries(other.report));
  const parts = {
    app: of(appEntries),
    permissions: of(permissionEntries),
    components: of(componentEntries),
    certificate: of(certificateEntries),
    files: differencesOf(fileEntries(one.files), fileEntries(other.files)),
    native: of(nativeEntries),
    code: of(codeEntries),
    functionalities: of(functionalityEntries),
    libraries: of(libraryEntries),
    indicators: of(indicatorEntries),
    findings: of(findingEntries),
    strings: differencesOf(stringEntries(one.strings), stringEntries(other.strings)),
  };
  const manifest = lineDifference(one.manifest, other.manifest);
  progress('resources', 0.3);
  const [mine, theirs] = [resourcesOf(one), resourcesOf(other)];
  const resources = differencesOf(mine.entries, theirs.entries);
  if (mine.isCut || theirs.isCut) resources.is_cut = true;
  progress('code', 0.5);
  const codes = [codeOf(one), codeOf(other)] as const;
  progress('classes', 0.8);
  const code = codeDifferences(...codes);
  const comparison: Comparison = {
    first: first.sha256,
    second: second.sha256,
    manifest,
    parts: { ...parts, resources, ...code },
  };
  return packJson(comparison);
}

interface Side {
  report: AndroguardReport;
  manifest: string;
  files: ArchiveEntryRecord[];
  strings: string[];
  archive: ZipArchive;
  resources: ResourceTable | null;
  dexes: Dex[];
  /** Code that could not be read. */
  isCut: boolean;
}

/** Reads all of its bytes, and closes the file. */
function readSide({ file, reports }: ComparedFile): Side {
  const findings = new Findings();
  const source = openFile(file);
  try {
    const archive = openZip(source, findings);
    const dexes: Dex[] = [];
    let isCut = false;
    const own = dexEntries(archive);
    for (const entry of own) {
      const read = readable(() => openDexContainer(archive.read(entry), findings, entry.name));
      isCut ||= read === null;
      dexes.push(...(read ?? []));
    }
    walkChildren({ archive, sha256: '', left: [] }, ({ kind, ways }, bytes) => {
      const read = readable(() => childDexes(kind, childName(ways[0]!), bytes, findings));
      isCut ||= read === null;
      dexes.push(...(read ?? []));
    });
    const table = archive.get(resourcesName);
    return {
      report: unpackJson<AndroguardReport>(reports.androguard),
      strings: unpackJson<CuckooReport>(reports.cuckoo).strings,
      manifest: unpackJson<{ manifest: string | null }>(reports.manifest).manifest ?? '',
      files: unpackJson<{ files: ArchiveEntryRecord[] }>(reports.files).files,
      archive,
      resources: table === undefined ? null : readable(() => parseResourceTable(archive.read(table), findings)),
      dexes,
      isCut,
    };
  } finally {
    source.close();
  }
}

function readable<T>(run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

const resourcesOf = ({ resources, archive }: Side) =>
  resources === null ? { entries: [], isCut: false } : resourceEntries(resources, archive);

/** Ids of the app's own package, whose numbers change with every build. */
const isOwnId = (value: number): boolean => value >>> 24 === 0x7f;

function codeOf({ dexes, resources, isCut }: Side) {
  const names = new Map<number, string | null>();
  const resourceName = (value: number) => {
    if (resources === null || !isOwnId(value)) return null;
    if (!names.has(value)) names.set(value, resources.nameOf(value));
    return names.get(value)!;
  };
  const code = comparedCode(dexes, resourceName);
  return { ...code, isCut: code.isCut || isCut };
}
