// Finds what came out of an APK and analyses one file of it, as an app of its own where it is one. Knows no question.
import type { FileReference, LeftFiles, PackedChild } from '../contract/engine/analysis-results.ts';
import { type Child, type ChildKind, type ChildList, within } from '../contract/engine/child.ts';
import { memorySource } from '../vault/byte-source.ts';
import { packJson } from '../vault/packed-json.ts';
import { carrierKey, type LeftFile, leftBy, readNamed, walkChildren } from './app/children.ts';
import { Findings } from './findings.ts';
import { FormatError } from './formats/byte-reader.ts';
import { openZip, type ZipArchive } from './formats/zip/archive.ts';
import { storedArchive } from './formats/zip/stored-archive.ts';
import { openFile } from './open-file.ts';
import { staticEvidence } from './report-evidence.ts';
import { identify } from './static/identity.ts';
import { analyzeCode, analyzeStatic } from './static/static-report.ts';

interface Opened {
  file: FileReference;
  left: LeftFiles;
}

/** The files of code that came out of an APK, with what apps among them say of themselves. */
export const childrenOf = (opened: Opened & { sha256: string }): ChildList =>
  withArchive(opened, (archive, left) =>
    walkChildren({ archive, left, sha256: opened.sha256 }, (child, bytes) => {
      if (child.kind === 'apk') Object.assign(child, identityOf(bytes));
    }),
  );

/**
 * Analyses one of them.
 * @throws FormatError where it cannot be read, or is no such file
 */
export function analyzeChild({ name, type, ...opened }: Opened & { name: string; type: ChildKind }): PackedChild {
  const way = archivesTo(opened, name);
  const bytes = withArchive(opened, (archive, left) => readNamed({ archive, left }, name, way));
  if (bytes === null) throw new FormatError('no-such-file', 0, 'it is there no more');
  const source = memorySource(bytes);
  const options = { fileName: name };
  const { androguard, files } =
    type === 'apk' ? analyzeStatic(source, options) : analyzeCode(source, archiveOf(bytes, type), options);
  return { reports: { androguard: packJson(androguard), files: packJson({ files }) }, ...staticEvidence(androguard) };
}

/** Of the file that was analysed last, for the next one beside it; free to go when memory is wanted between two tasks. */
let last: { key: string; archives: WeakRef<Map<string, ZipArchive>> } | null = null;

/** The archives that are open on the way to a file. */
function archivesTo({ file, left }: Opened, name: string): Map<string, ZipArchive> {
  const key = carrierKey(file, left);
  const archives = (last?.key === key ? last.archives.deref() : undefined) ?? new Map<string, ZipArchive>();
  for (const archive of archives.keys()) if (!name.startsWith(archive + within)) archives.delete(archive);
  last = { key, archives: new WeakRef(archives) };
  return archives;
}

/** Code as an app would hold it. */
function archiveOf(bytes: Uint8Array, type: Exclude<ChildKind, 'apk'>): ZipArchive {
  const isArchive = Buffer.from(bytes.subarray(0, 2)).toString('latin1') === 'PK';
  const held = isArchive ? bytes : storedArchive(placeOf[type], bytes);
  return openZip(memorySource(held), new Findings());
}

const placeOf = { dex: 'classes.dex', elf: 'lib/native/code.so', script: 'assets/script' } as const;

function withArchive<T>({ file, left }: Opened, use: (archive: ZipArchive, left: LeftFile[]) => T): T {
  const source = openFile(file);
  try {
    return use(openZip(source, new Findings()), leftBy(left));
  } finally {
    source.close();
  }
}

/** What an app says of itself; one whose manifest cannot be read says nothing. */
function identityOf(bytes: Uint8Array): Partial<Child> {
  try {
    const { packageName, appName, versionName } = identify(memorySource(bytes));
    return { package_name: packageName || null, label: appName || null, version_name: versionName || null };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return {};
  }
}
