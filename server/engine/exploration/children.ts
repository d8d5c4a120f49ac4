// Collects files of code that an APK carries beside its own: apps, dex files, native code, scripts, by content and not by
// name. Knows no report.
import { createHash } from 'node:crypto';
import {
  type Child,
  type ChildKind,
  type ChildList,
  type ChildWay,
  maxChildBytes,
  maxChildDepth,
  maxChildren,
  maxChildrenNamed,
} from '../../contract/engine/child.ts';
import { memorySource } from '../../vault/byte-source.ts';
import { dexEntries } from '../app/app-package.ts';
import { contentType, sniffLength } from '../app/content-type.ts';
import { Findings } from '../findings.ts';
import { FormatError } from '../formats/byte-reader.ts';
import { isDexAt } from '../formats/dex/header.ts';
import { openZip, type ZipArchive, type ZipEntry } from '../formats/zip/archive.ts';
import { identify } from '../static/identity.ts';

const maxEntriesSeen = 50_000;
/** Where Android itself takes native code from. */
const libraryName = /^lib\/[^/]+\/[^/]+\.so$/;
/** How scripts without a first line that names their interpreter begin: PHP, Python, Lua, shell. */
const scriptForms =
  /^<\?php\s|^(?:import [\w.]+(?: as \w+)?|from [\w.]+ import [\w*, ]+)\s*$|^local (?:function \w+|\w+\s*=\s*require\b)|^(?:pm install|am start|chmod [0-7]{3,4}|setprop|su -c) /m;

export interface CollectedChildren extends ChildList {
  /** By SHA-256. */
  contents: ReadonlyMap<string, Uint8Array>;
}

/** An archive that is walked through: the APK, a child, or a plain archive, which is no child itself. */
interface Holder {
  zip: ZipArchive;
  sha256: string;
  prefix: string;
  depth: number;
  /** Of the archive itself, and not of what it carries. */
  isOwn: (entry: ZipEntry) => boolean;
}

/**
 * Level by level, so that what lies near the top is not crowded out; each content once, with all the ways to it.
 * @param sha256 of the APK
 */
export function collectChildren(archive: ZipArchive, sha256: string): CollectedChildren {
  return new Collection(archive, sha256).list();
}

class Collection {
  readonly #children = new Map<string, Child>();
  readonly #contents = new Map<string, Uint8Array>();
  /** Archives that were walked through, so that none within itself is walked again. */
  readonly #walked = new Set<string>();
  readonly #holders: Holder[] = [];
  readonly #leftOut: ChildList['left_out'] = [];
  #leftOutCount = 0;
  #bytesLeft = maxChildBytes;
  #entriesLeft = maxEntriesSeen;

  constructor(archive: ZipArchive, sha256: string) {
    this.#walked.add(sha256);
    this.#holders.push({ zip: archive, sha256, prefix: '', depth: 1, isOwn: ownEntries(archive) });
    for (let next = this.#holders.shift(); next !== undefined; next = this.#holders.shift()) this.#walk(next);
  }

  list(): CollectedChildren {
    const results = [...this.#children.values()];
    return {
      results,
      count: results.length,
      left_out: this.#leftOut,
      left_out_count: this.#leftOutCount,
      contents: this.#contents,
    };
  }

  #walk(holder: Holder): void {
    for (const entry of holder.zip.entries) {
      if (entry.size === 0 || entry.name.endsWith('/') || holder.isOwn(entry)) continue;
      const path = `${holder.prefix}${entry.name}`;
      if (--this.#entriesLeft < 0) {
        this.#leaveOut(path, 'count');
        return;
      }
      const start = startOf(holder.zip, entry);
      const type = start === null ? null : codeType(start, entry.size);
      if (type === null) continue;
      if (holder.depth > maxChildDepth) this.#leaveOut(path, 'depth');
      else if (entry.size > this.#bytesLeft) this.#leaveOut(path, 'size');
      else if (this.#children.size >= maxChildren) this.#leaveOut(path, 'count');
      else this.#take(holder, entry, path, type);
    }
  }

  #take(holder: Holder, entry: ZipEntry, path: string, type: Exclude<ChildKind, 'apk'> | 'zip'): void {
    const bytes = this.#read(holder.zip, entry, path);
    if (bytes === null) return;
    this.#bytesLeft -= bytes.length;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const known = this.#children.get(sha256);
    if (known !== undefined && known.ways.length < maxChildrenNamed) known.ways.push(wayOf(path));
    if (known !== undefined || this.#walked.has(sha256)) return;
    const opened = type === 'zip' ? this.#opened(bytes, path) : null;
    if (type === 'zip' && opened === null) return;
    const kind = opened === null ? (type as ChildKind) : kindOfArchive(opened);
    if (kind !== null) {
      const said = kind === 'apk' ? identityOf(bytes) : noIdentity;
      const { depth } = holder;
      const child = { sha256, kind, size: bytes.length, parent: holder.sha256, depth, ways: [wayOf(path)], ...said };
      this.#children.set(sha256, child);
      this.#contents.set(sha256, bytes);
    }
    if (opened === null) return;
    this.#walked.add(sha256);
    this.#holders.push({
      zip: opened,
      sha256: kind === null ? holder.sha256 : sha256,
      prefix: `${path}!/`,
      depth: holder.depth + 1,
      isOwn: kind === null ? () => false : ownEntries(opened),
    });
  }

  #read(zip: ZipArchive, entry: ZipEntry, path: string): Uint8Array | null {
    try {
      return zip.read(entry, this.#bytesLeft);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      this.#leaveOut(path, error.code === 'zip-entry-too-large' ? 'size' : 'unreadable');
      return null;
    }
  }

  #opened(bytes: Uint8Array, path: string): ZipArchive | null {
    try {
      return openZip(memorySource(bytes), new Findings());
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      this.#leaveOut(path, 'unreadable');
      return null;
    }
  }

  #leaveOut(path: string, reason: ChildList['left_out'][number]['reason']): void {
    this.#leftOutCount++;
    if (this.#leftOut.length < maxChildrenNamed) this.#leftOut.push({ path, reason });
  }
}

/** What Android loads by itself. */
function ownEntries(archive: ZipArchive): Holder['isOwn'] {
  const dexes = new Set(dexEntries(archive));
  return (entry) => dexes.has(entry) || libraryName.test(entry.name);
}

const wayOf = (path: string): ChildWay => ({ origin: 'entry', path, action: 'carried', by: null });

/** null where the entry cannot be unpacked, which the report of the archive tells. */
function startOf(zip: ZipArchive, entry: ZipEntry): Uint8Array | null {
  try {
    return zip.readPrefix(entry, sniffLength);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return null;
  }
}

function codeType(start: Uint8Array, size: number): Exclude<ChildKind, 'apk'> | 'zip' | null {
  if (isDexAt(start)) return 'dex';
  const type = contentType(start, size);
  if (type === 'elf' || type === 'zip') return type;
  if (type === 'script' || type === 'lua-bytecode' || type === 'luajit-bytecode' || type === 'python-bytecode') {
    return 'script';
  }
  const text = Buffer.from(start.buffer, start.byteOffset, start.length).toString('latin1');
  return type === 'text' && (text.startsWith('#!') || scriptForms.test(text)) ? 'script' : null;
}

function kindOfArchive(archive: ZipArchive): ChildKind | null {
  if (archive.get('AndroidManifest.xml') !== undefined) return 'apk';
  return archive.get('classes.dex') === undefined ? null : 'dex';
}

const noIdentity = { package_name: null, label: null, version_name: null };

/** What an app says of itself; one whose manifest cannot be read says nothing. */
function identityOf(bytes: Uint8Array): Pick<Child, 'package_name' | 'label' | 'version_name'> {
  try {
    const { packageName, appName, versionName } = identify(memorySource(bytes));
    return { package_name: packageName || null, label: appName || null, version_name: versionName || null };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return noIdentity;
  }
}
