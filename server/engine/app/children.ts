// Finds files of code that came out of an APK: in its archive beside its own code, or left by a run of it; by content and
// not by name. Knows no report.
import { createHash, hash } from 'node:crypto';
import type { FileReference, LeftFiles } from '../../contract/engine/analysis-results.ts';
import {
  type Child,
  type ChildKind,
  type ChildList,
  type ChildWay,
  childName,
  maxChildBytes,
  maxChildDepth,
  maxChildren,
  maxChildrenNamed,
  within,
} from '../../contract/engine/child.ts';
import { memorySource } from '../../vault/byte-source.ts';
import { artefactsIn } from '../../vault/packed-artefacts.ts';
import { unpackBytesSync } from '../../vault/packed-bytes.ts';
import { Findings } from '../findings.ts';
import { FormatError } from '../formats/byte-reader.ts';
import { type Dex, openDexContainer } from '../formats/dex/dex.ts';
import { openZip, type ZipArchive, type ZipEntry } from '../formats/zip/archive.ts';
import { openFile } from '../open-file.ts';
import { dexEntries } from './app-package.ts';
import { type CodeType, codeType, isOwnLibrary } from './code-type.ts';
import { sniffLength } from './content-type.ts';

const maxEntriesSeen = 50_000;

/** A file that a run left, or a part. */
export interface LeftFile extends ChildWay {
  bytes: Uint8Array;
}

/** Unpacks what runs left, and reads parts as far as there is room for them. */
export function leftBy(left: LeftFiles): LeftFile[] {
  let room = maxChildBytes;
  return left.flatMap((from): LeftFile[] => {
    if (from.origin !== 'part') {
      const { origin, files } = from;
      return artefactsIn(unpackBytesSync(files)).map(({ sha256: _, ...file }) => ({ ...file, origin }));
    }
    const bytes = wholeFile(from.file, room);
    if (bytes === null) return [];
    room -= bytes.length;
    return [{ bytes, origin: 'part', path: from.name, action: 'carried', by: null }];
  });
}

/** null where it is larger than there is room for. */
function wholeFile(file: FileReference, room: number): Uint8Array | null {
  const source = openFile(file);
  try {
    return source.size > room ? null : source.read(0, source.size);
  } finally {
    source.close();
  }
}

/** Tells an APK with what runs of it left from any other: another run leaves other files. */
export const carrierKey = ({ path }: FileReference, left: LeftFiles): string =>
  [path, ...left.map((from) => (from.origin === 'part' ? from.file.path : hash('sha256', from.files.compressed)))].join(
    ' ',
  );

/** What is looked through. */
export interface Carrier {
  archive: ZipArchive;
  /** Of the APK. */
  sha256: string;
  left: readonly LeftFile[];
}

/** What finds a child: called once for each content, with its bytes, which it may change the record by. */
type Visit = (child: Child, bytes: Uint8Array) => void;

/** An archive that is walked through: the APK, a child, or a plain archive, which is no child itself. */
interface Holder {
  zip: ZipArchive;
  sha256: string;
  /** Of its own way, for those of its entries. */
  way: ChildWay | null;
  depth: number;
  /** Of the archive itself, and not of what it carries. */
  isOwn: (entry: ZipEntry, type: CodeType) => boolean;
}

/** Level by level, so that what lies near the top is not crowded out; each content once, with all the ways to it. */
export const walkChildren = (carrier: Carrier, visit: Visit): ChildList => new ChildWalk(carrier, visit).list();

/**
 * The bytes of a file by the name that it has here, `assets/a.apk!/classes.dex`, `run:/data/data/com.a/files/x.dex`.
 * @param opened the archives on the way, by their names: those that are in it are not unpacked again, new ones are added
 * @returns null where there is no such file
 * @throws FormatError where it or an archive that it is in cannot be unpacked
 */
export function readNamed(
  carrier: Omit<Carrier, 'sha256'>,
  name: string,
  opened = new Map<string, ZipArchive>(),
): Uint8Array | null {
  const names = name.split(within);
  if (names.length > maxChildDepth + 1) return null;
  const path = names.pop()!;
  const holder = names.join(within);
  const zip = holder === '' ? carrier.archive : (opened.get(holder) ?? openNamed(carrier, holder, opened));
  const entry = zip?.get(path);
  if (entry !== undefined) return zip!.read(entry, maxChildBytes);
  return carrier.left.find((file) => childName(file) === name)?.bytes ?? null;
}

function openNamed(carrier: Omit<Carrier, 'sha256'>, name: string, opened: Map<string, ZipArchive>): ZipArchive | null {
  const bytes = readNamed(carrier, name, opened);
  if (bytes === null) return null;
  const zip = openZip(memorySource(bytes), new Findings());
  opened.set(name, zip);
  return zip;
}

/**
 * The code of a child, of an archive what Android would load of it.
 * @throws FormatError
 */
export function childDexes(kind: ChildKind, name: string, bytes: Uint8Array, findings: Findings): Dex[] {
  if (kind !== 'apk' && kind !== 'dex') return [];
  if (codeType(bytes.subarray(0, sniffLength), bytes.length) === 'dex') return openDexContainer(bytes, findings, name);
  const archive = openZip(memorySource(bytes), new Findings());
  return dexEntries(archive).flatMap((entry) =>
    openDexContainer(archive.read(entry), findings, `${name}${within}${entry.name}`),
  );
}

class ChildWalk {
  readonly #visit: Visit;
  readonly #children = new Map<string, Child>();
  /** Archives that were walked through, so that none within itself is walked again. */
  readonly #walked = new Set<string>();
  readonly #holders: Holder[] = [];
  readonly #leftOut: ChildList['left_out'] = [];
  #leftOutCount = 0;
  #bytesLeft = maxChildBytes;
  #entriesLeft = maxEntriesSeen;

  constructor({ archive, sha256, left }: Carrier, visit: Visit) {
    this.#visit = visit;
    this.#walked.add(sha256);
    const root: Holder = { zip: archive, sha256, way: null, depth: 1, isOwn: ownEntries(archive) };
    this.#holders.push(root);
    for (const file of left) this.#takeLeft(root, file);
    for (let next = this.#holders.shift(); next !== undefined; next = this.#holders.shift()) this.#walk(next);
  }

  list(): ChildList {
    const results = [...this.#children.values()];
    return { results, count: results.length, left_out: this.#leftOut, left_out_count: this.#leftOutCount };
  }

  #walk(holder: Holder): void {
    for (const entry of holder.zip.entries) {
      if (entry.size === 0 || entry.name.endsWith('/')) continue;
      const way = wayOf(holder, entry);
      if (--this.#entriesLeft < 0) {
        this.#leaveOut(way, 'count');
        return;
      }
      const start = startOf(holder.zip, entry);
      const type = start === null ? null : codeType(start, entry.size);
      if (type === null || holder.isOwn(entry, type) || !this.#hasRoom(holder, way, entry.size)) continue;
      const bytes = this.#read(holder.zip, entry, way);
      if (bytes !== null) this.#take(holder, way, bytes, type);
    }
  }

  #takeLeft(holder: Holder, { bytes, ...way }: LeftFile): void {
    const type = codeType(bytes.subarray(0, sniffLength), bytes.length);
    if (type !== null && this.#hasRoom(holder, way, bytes.length)) this.#take(holder, way, bytes, type);
  }

  #hasRoom({ depth }: Holder, way: ChildWay, size: number): boolean {
    const reason =
      depth > maxChildDepth
        ? 'depth'
        : size > this.#bytesLeft
          ? 'size'
          : this.#children.size >= maxChildren
            ? 'count'
            : null;
    if (reason !== null) this.#leaveOut(way, reason);
    return reason === null;
  }

  #take(holder: Holder, way: ChildWay, bytes: Uint8Array, type: CodeType): void {
    this.#bytesLeft -= bytes.length;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const known = this.#children.get(sha256);
    if (known !== undefined && known.ways.length < maxChildrenNamed) known.ways.push(way);
    if (known !== undefined || this.#walked.has(sha256)) return;
    const opened = type === 'zip' ? this.#opened(bytes, way) : null;
    if (type === 'zip' && opened === null) return;
    const kind = opened === null ? (type as ChildKind) : kindOfArchive(opened);
    if (kind !== null) {
      const place = { parent: holder.sha256, depth: holder.depth, ways: [way] };
      const child = { sha256, kind, size: bytes.length, ...place, package_name: null, label: null, version_name: null };
      this.#children.set(sha256, child);
      this.#visit(child, bytes);
    }
    if (opened === null) return;
    this.#walked.add(sha256);
    this.#holders.push({
      zip: opened,
      sha256: kind === null ? holder.sha256 : sha256,
      way,
      depth: holder.depth + 1,
      isOwn: kind === null ? () => false : ownEntries(opened),
    });
  }

  #read(zip: ZipArchive, entry: ZipEntry, way: ChildWay): Uint8Array | null {
    try {
      return zip.read(entry, this.#bytesLeft);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      this.#leaveOut(way, error.code === 'zip-entry-too-large' ? 'size' : 'unreadable');
      return null;
    }
  }

  #opened(bytes: Uint8Array, way: ChildWay): ZipArchive | null {
    try {
      return openZip(memorySource(bytes), new Findings());
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      this.#leaveOut(way, 'unreadable');
      return null;
    }
  }

  #leaveOut(way: ChildWay, reason: ChildList['left_out'][number]['reason']): void {
    this.#leftOutCount++;
    if (this.#leftOut.length < maxChildrenNamed) this.#leftOut.push({ path: childName(way), reason });
  }
}

function wayOf({ way }: Holder, { name }: ZipEntry): ChildWay {
  if (way === null) return { origin: 'entry', path: name, action: 'carried', by: null };
  return { origin: way.origin, path: `${way.path}${within}${name}`, action: 'carried', by: null };
}

/** What Android loads by itself. */
function ownEntries(archive: ZipArchive): Holder['isOwn'] {
  const dexes = new Set(dexEntries(archive));
  return (entry, type) => dexes.has(entry) || isOwnLibrary(entry.name, type);
}

/** null where the entry cannot be unpacked, which the report of the archive tells. */
function startOf(zip: ZipArchive, entry: ZipEntry): Uint8Array | null {
  try {
    return zip.readPrefix(entry, sniffLength);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return null;
  }
}

function kindOfArchive(archive: ZipArchive): ChildKind | null {
  if (archive.get('AndroidManifest.xml') !== undefined) return 'apk';
  return archive.get('classes.dex') === undefined ? null : 'dex';
}
