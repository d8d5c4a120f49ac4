// Walks an APK's entries once: what each is, its hash, native libraries, addresses in text, hidden code.
// Knows neither manifest nor dex code.
import { hash } from 'node:crypto';
import type { ArchiveEntryRecord, NativeLibraryRecord } from '../../contract/engine/reports.ts';
import { maxListedFiles } from '../../contract/engine/result-limits.ts';
import { dexEntries } from '../app/app-package.ts';
import { cordovaScript, cordovaVersion } from '../app/bundles/javascript.ts';
import { codeType, isOwnLibrary } from '../app/code-type.ts';
import { contentType, entropy, isDisguised, sniffLength } from '../app/content-type.ts';
import { Findings } from '../findings.ts';
import { FormatError } from '../formats/byte-reader.ts';
import { type Dex, openDexContainer } from '../formats/dex/dex.ts';
import { checkDigests } from '../formats/dex/digests.ts';
import { checkStructure } from '../formats/dex/structure.ts';
import { ElfFile } from '../formats/elf/elf-file.ts';
import { readElf } from '../formats/elf/native-library.ts';
import type { ZipArchive, ZipEntry } from '../formats/zip/archive.ts';
import { nativeFunctionHashes } from '../similarity/native-function-hashes.ts';
import { BundleCollector, type CollectedBundles } from './bundles.ts';
import { isFrameworkLibrary } from './framework-libraries.ts';
import type { IndicatorCollector } from './indicators.ts';
import { isOpenPasswordScreen } from './weaknesses/tapjacking.ts';

/** Real apps carry some dozen libraries for each of four ABIs. */
const maxLibraries = 400;
/** Letters of all libraries' symbols together; browsers and game engines have some millions for each ABI. */
const maxSymbolText = 48 * 1024 * 1024;
/** Code of native libraries that is compared by its functions: of all, and of each. */
const maxFunctionBytes = 8 * 1024 * 1024;
const maxLibraryCode = 2 * 1024 * 1024;
/** Longer documents are libraries or data; their URLs are still found, byte by byte. */
const maxDocumentLength = 4 * 1024 * 1024;
/** Functions of the C library that write until a text ends. */
const unboundedCopies: ReadonlySet<string> = new Set(['strcpy', 'strcat', 'gets', 'sprintf', 'vsprintf', 'stpcpy']);
/** Bytes that are needed to measure entropy. */
const minEntropyLength = 4096;
/** Of 8 bits per byte; compressed and encrypted data have more. */
const highEntropy = 7.95;

export interface DexFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  /** Several in a container, none where the file is no dex. */
  readonly parts: Dex[];
}

export interface Contents {
  readonly files: ArchiveEntryRecord[];
  readonly libraries: NativeLibraryRecord[];
  /** What functions of native libraries do, as hashes; none of frameworks. */
  readonly nativeFunctions: readonly number[];
  readonly bundles: CollectedBundles;
  readonly cordova: string | null;
  /** Layouts that ask for a password and leave touches unfiltered. */
  readonly openPasswordScreens: string[];
  /** Code that Android does not load by itself, or an archive that may hold some. */
  readonly carriesCode: boolean;
  /** How many entries there are; null where not all that can be were read, or one is not as long as the directory says. */
  readonly entriesRead: number | null;
}

/** Is shown the content of each entry that could be read, by its place in the archive. */
export type EntryVisit = (index: number, bytes: Uint8Array) => void;

const compressed: ReadonlySet<string> = new Set(
  'png jpeg gif webp mp3 mp4 ogg flac matroska gzip bzip2 7z xz zstd rar lz4 woff woff2 zip ttf otf wav riff pdf'.split(
    ' ',
  ),
);
const textual: ReadonlySet<string> = new Set(['text', 'json', 'xml', 'html', 'script', 'pem']);

const sha256Of = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex');

/** The app's own code; null for a file that cannot be read. */
export type DexFiles = ReadonlyMap<ZipEntry, DexFile | null>;

/** Reads the root dex files, before other entries can use up what the archive may unpack to. */
export function readDexFiles(archive: ZipArchive, findings: Findings): DexFiles {
  const entries = dexEntries(archive);
  reportGap(entries, findings);
  const files = new Map<ZipEntry, DexFile | null>();
  for (const entry of entries) {
    const { name } = entry;
    const bytes = readEntry(archive, entry, findings);
    if (bytes !== null) archive.keep(entry, bytes);
    const parts = bytes === null ? [] : openParts(name, bytes, findings);
    files.set(entry, bytes === null ? null : { name, bytes, sha256: sha256Of(bytes), parts });
  }
  return files;
}

/** Reads every other entry once. One that cannot be read leaves a finding and a record without a hash. */
export function readContents(
  archive: ZipArchive,
  dexFiles: DexFiles,
  indicators: IndicatorCollector,
  findings: Findings,
  { progress, visit }: { progress: (done: number) => void; visit?: EntryVisit | undefined },
): Contents {
  const files: ArchiveEntryRecord[] = [];
  const libraries = new LibraryCollector(findings);
  const bundles = new BundleCollector(archive, indicators, findings);
  const openPasswordScreens: string[] = [];
  let cordova: string | null = null;
  let isOverBudget = false;
  let carriesCode = false;
  let isCut = false;
  let hasFalseSize = false;
  for (const entry of archive.entries) {
    if (files.length >= maxListedFiles) {
      findings.add('report-cut', 'files', `${maxListedFiles} of ${archive.entries.length} are listed`);
      isCut = true;
      break;
    }
    if ((entry.index & 0x3f) === 0) progress(entry.index / archive.entries.length);
    if (entry.name.endsWith('/') && entry.size === 0) continue;
    const dexFile = dexFiles.get(entry);
    let bytes = dexFile?.bytes ?? null;
    if (dexFile === undefined && !isOverBudget) {
      bytes = readEntry(archive, entry, findings);
      isOverBudget = archive.budget.spent > archive.budget.limit;
    }
    const type = bytes === null ? 'unreadable' : contentType(bytes.subarray(0, sniffLength), bytes.length);
    const sha256 = bytes === null ? null : (dexFile?.sha256 ?? sha256Of(bytes));
    const kind = bytes !== null && type === 'zip' && isApp(entry.name, bytes) ? 'apk' : type;
    files.push({
      name: entry.name,
      size: entry.size,
      compressed_size: entry.compressedSize,
      method: entry.effectiveMethod,
      crc32: entry.crc32.toString(16).toUpperCase().padStart(8, '0'),
      type: kind,
      sha256,
    });
    if (bytes === null) continue;
    visit?.(entry.index, bytes);
    hasFalseSize ||= bytes.length !== entry.size;
    if (dexFile !== undefined) continue;
    const code = codeType(bytes.subarray(0, sniffLength), bytes.length, type);
    carriesCode ||= code !== null && !isOwnLibrary(entry.name, code);
    if (kind === 'axml' && isOpenPasswordScreen(entry.name, bytes)) openPasswordScreens.push(entry.name);
    if (kind === 'elf') libraries.add(entry.name, bytes);
    reportHidden(entry.name, kind, bytes, findings);
    if (kind === 'text' && cordovaScript.test(entry.name)) cordova ??= cordovaVersion(bytes);
    if (!bundles.add(entry.name, kind, bytes)) collectAddresses(entry.name, kind, bytes, indicators);
  }
  const entriesRead = isCut || isOverBudget || hasFalseSize ? null : archive.entries.length;
  return {
    files,
    libraries: libraries.end(),
    nativeFunctions: libraries.functions,
    bundles: bundles.end(),
    cordova,
    openPasswordScreens,
    carriesCode,
    entriesRead,
  };
}

/** Reports root dex files behind a gap in their numbers: Android loads them up to the gap, the app may load the rest. */
function reportGap(rootDexes: readonly ZipEntry[], findings: Findings): void {
  const nameAt = (index: number) => `classes${index === 0 ? '' : index + 1}.dex`;
  const gap = rootDexes.findIndex(({ name }, index) => name !== nameAt(index));
  if (gap < 0) return;
  const evidence = `not loaded by Android, since there is no ${nameAt(gap)}`;
  for (const { name } of rootDexes.slice(gap)) findings.add('content-embedded-dex', name, evidence);
}

function readEntry(archive: ZipArchive, entry: ZipEntry, findings: Findings): Uint8Array | null {
  try {
    return archive.read(entry);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    findings.add('analysis-incomplete', entry.name, error.message);
    return null;
  }
}

function openParts(name: string, bytes: Uint8Array, findings: Findings): Dex[] {
  try {
    const parts = openDexContainer(bytes, findings, name);
    for (const part of parts) {
      checkDigests(part);
      checkStructure(part);
    }
    return parts;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    findings.add('analysis-incomplete', name, error.message);
    return [];
  }
}

/** Describes libraries until there are too many of them, or their symbols. */
class LibraryCollector {
  readonly records: NativeLibraryRecord[] = [];
  readonly functions: number[] = [];
  readonly #findings: Findings;
  #symbolTextLeft = maxSymbolText;
  #functionBytesLeft = maxFunctionBytes;
  /** The first library that is not described, and how many are left out. */
  #leftOut = '';
  #leftOutCount = 0;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  add(name: string, bytes: Uint8Array): void {
    if (this.#leftOutCount > 0 || this.records.length >= maxLibraries || this.#symbolTextLeft < 0) {
      if (this.#leftOutCount === 0) this.#leftOut = name;
      this.#leftOutCount += 1;
      return;
    }
    try {
      const library = readElf(bytes, name, this.#findings);
      for (const symbols of [library.imports, library.exports]) {
        for (const symbol of symbols) this.#symbolTextLeft -= symbol.length;
      }
      this.records.push(library);
      const unbounded = library.imports.filter((name) => unboundedCopies.has(name));
      if (unbounded.length > 0) this.#findings.add('elf-unbounded-copy', name, unbounded.join(', '));
      this.#addFunctions(name, bytes);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      this.#findings.add('analysis-incomplete', name, error.message, 'low');
    }
  }

  /** What is left out of a very large library makes no finding: a part of it tells what it is. */
  #addFunctions(name: string, bytes: Uint8Array): void {
    if (this.#functionBytesLeft <= 0 || isFrameworkLibrary(name)) return;
    const most = Math.min(this.#functionBytesLeft, maxLibraryCode);
    this.functions.push(...nativeFunctionHashes(new ElfFile(bytes, name, new Findings()), most));
    this.#functionBytesLeft -= Math.min(bytes.length, most);
  }

  /** Reports that the list is cut, if it is. */
  end(): NativeLibraryRecord[] {
    const listed = this.records.length;
    if (this.#leftOutCount > 0) {
      const evidence = `${listed} of ${listed + this.#leftOutCount} are listed, none from ${this.#leftOut} on`;
      this.#findings.add('report-cut', 'native_libraries', evidence);
    }
    return this.records;
  }
}

/** Whether an archive inside the archive is an app: its directory names a manifest. */
const isApp = (name: string, bytes: Uint8Array): boolean =>
  /\.(?:apk|apks|aab)$/i.test(name) ||
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('AndroidManifest.xml');

function reportHidden(name: string, type: string, bytes: Uint8Array, findings: Findings): void {
  if (isDisguised(name, type)) {
    findings.add('content-disguised', name, `the content is ${type}, which the name denies`);
  } else if (type === 'dex' || type === 'odex') {
    findings.add('content-embedded-dex', name, `${bytes.length} bytes of Dalvik code outside classes.dex`);
  } else if (type === 'apk') {
    findings.add('content-embedded-apk', name, `${bytes.length} bytes: an app inside the app`);
  } else if (type === 'elf' && !name.startsWith('lib/')) {
    findings.add('content-embedded-elf', name, `${bytes.length} bytes of native code outside lib/`);
  } else if (type === 'data' && bytes.length >= minEntropyLength && /^(?:assets|res\/raw)\//.test(name)) {
    const bits = entropy(bytes);
    if (bits >= highEntropy) {
      findings.add('content-high-entropy', name, `${bits.toFixed(2)} bits per byte: encrypted or compressed`);
    }
  }
}

function collectAddresses(name: string, type: string, bytes: Uint8Array, indicators: IndicatorCollector): void {
  if (compressed.has(type) || type === 'arsc' || type === 'der' || name === 'AndroidManifest.xml') return;
  if (name.startsWith('META-INF/') && /\.(?:MF|SF|RSA|DSA|EC|version)$/i.test(name)) return;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (textual.has(type) && bytes.length <= maxDocumentLength) {
    if (buffer.includes('://') || buffer.includes('@')) indicators.addDocument(buffer.toString('utf8'), [name]);
  } else {
    indicators.addBytes(buffer, [name]);
  }
}
