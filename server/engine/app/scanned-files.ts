// The files of an APK that rules are run over, in their order: the APK itself, its entries unpacked, what came out of it. Knows
// no rule.
import type { LeftFiles } from '../../contract/engine/analysis-results.ts';
import { childName, maxChildBytes, within } from '../../contract/engine/child.ts';
import type { OnlyFiles } from '../../contract/engine/content-index.ts';
import { type ByteSource, memorySource } from '../../vault/byte-source.ts';
import { Findings } from '../findings.ts';
import { FormatError } from '../formats/byte-reader.ts';
import { openZip, type ZipArchive } from '../formats/zip/archive.ts';
import { defaultZipLimits } from '../formats/zip/limits.ts';
import { leftBy, walkChildren } from './children.ts';

/** Bytes past which an APK is not looked through as one file: it is taken in one piece, and a process has only so much memory. */
export const maxScanLength = 768 * 1024 * 1024;

export interface ScannedFile {
  /** The entry's, empty for the APK itself. */
  name: string;
  /** The APK is 0, entries follow as they stand in the archive; all that came out of it have the number behind them. */
  number: number;
  bytes: Uint8Array;
  /** It is no entry of the archive, but came out of the APK. */
  isChild: boolean;
}

export interface FileWalk {
  /** What is in archives inside is looked at where this is given; `left` by runs. */
  left?: LeftFiles | undefined;
  /** Whether a file is looked at; all are without it. Others are not unpacked. */
  wants?: (number: number) => boolean;
  findings: Findings;
  /** Share of the entries that were looked at. */
  progress(done: number): void;
  visit(file: ScannedFile): void;
}

/** Whether a file is among some, by its number. */
export const isWithin = (ranges: OnlyFiles['ranges'], number: number): boolean =>
  ranges.some(([start, end]) => number >= start && number < end);

/** Goes through all files of an APK. What cannot be read is a finding. */
export function walkFiles(source: ByteSource, walk: FileWalk): void {
  const { findings, left, wants = () => true, visit } = walk;
  if (wants(0)) visitWhole(source, findings, visit);
  const archive = openArchive(source, findings);
  if (archive === null) return;
  const { length } = archive.entries;
  visitEntries(
    archive,
    findings,
    (index) => wants(index + 1),
    (name, bytes, index) => {
      if ((index & 15) === 0) walk.progress(index / length);
      visit({ name, number: index + 1, bytes, isChild: false });
    },
  );
  const number = length + 1;
  if (left !== undefined && wants(number)) visitCarried(source, number, { findings, left, visit });
}

/** Looks at the APK itself, as one file. */
export function visitWhole(source: ByteSource, findings: Findings, visit: FileWalk['visit']): void {
  if (source.size <= maxScanLength) visit({ name: '', number: 0, bytes: source.read(0, source.size), isChild: false });
  else findings.add('analysis-incomplete', '', `${source.size} bytes are too many for one scan`);
}

/** Looks at all that came out of an APK. @param number the one behind its entries' */
export function visitCarried(
  source: ByteSource,
  number: number,
  { findings, left, visit }: Pick<FileWalk, 'findings' | 'visit'> & { left: LeftFiles },
): void {
  visitChildren(source, findings, left, (name, bytes) => visit({ name, number, bytes, isChild: true }));
}

/** A file that is no archive is looked at as it is. @param limits of what it may unpack to */
function openArchive(source: ByteSource, findings: Findings, limits = defaultZipLimits): ZipArchive | null {
  try {
    return openZip(source, new Findings(), limits);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    if (error.code !== 'not-a-zip') findings.add('analysis-incomplete', '', error.message);
    return null;
  }
}

type Visit = (name: string, bytes: Uint8Array, index: number) => void;

function visitEntries(archive: ZipArchive, findings: Findings, wants: (index: number) => boolean, visit: Visit): void {
  for (const [index, entry] of archive.entries.entries()) {
    if (!wants(index) || (entry.name.endsWith('/') && entry.size === 0)) continue;
    if (archive.budget.spent > archive.budget.limit) return;
    let bytes: Uint8Array;
    try {
      bytes = archive.read(entry);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      findings.add('analysis-incomplete', entry.name, error.message);
      continue;
    }
    visit(entry.name, bytes, index);
  }
}

/** Entries of the archive were looked at as such; those of archives that it carries are here, whatever they hold. */
function visitChildren(
  source: ByteSource,
  findings: Findings,
  left: LeftFiles,
  visit: (name: string, bytes: Uint8Array) => void,
): void {
  // With room of its own to unpack in.
  const archive = openZip(source, new Findings());
  const seen = new Set(archive.entries.map(({ name }) => name));
  const visitOnce = (name: string, bytes: Uint8Array) => {
    if (!seen.has(name)) visit(name, bytes);
    seen.add(name);
  };
  let room = maxChildBytes;
  walkChildren({ archive, sha256: '', left: leftBy(left) }, ({ kind, ways: [way] }, bytes) => {
    const name = childName(way!);
    visitOnce(name, bytes);
    if (kind !== 'apk' && kind !== 'dex') return;
    const inner = openArchive(memorySource(bytes), findings, { ...defaultZipLimits, maxTotalOutput: room });
    if (inner === null) return;
    const all = () => true;
    visitEntries(inner, findings, all, (entry, content) => visitOnce(`${name}${within}${entry}`, content));
    room = Math.max(0, room - inner.budget.spent);
  });
}
