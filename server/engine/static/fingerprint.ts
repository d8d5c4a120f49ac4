// What an APK consists of besides its own code, for comparison with others. Knows no other APK.
import type { Icon } from '../../contract/engine/analysis-results.ts';
import { hashBytes } from '../../contract/engine/code-sketch.ts';
import {
  type Fingerprint,
  type FuzzyDigest,
  type HashSet,
  maxDexDigests,
  maxSetHashes,
} from '../../contract/engine/fingerprint.ts';
import type { ArchiveEntryRecord, NativeLibraryRecord } from '../../contract/engine/reports.ts';
import { drawnHash } from '../app/icon/drawn/drawn-hash.ts';
import { textWord } from '../similarity/method-words.ts';
import { maxTlshBytes, tlsh } from '../similarity/tlsh.ts';
import type { Contents, DexFile } from './contents.ts';
import { isFrameworkLibrary } from './framework-libraries.ts';

/** Smaller files are alike by chance. */
const minFileBytes = 64;
/** What every build makes anew, and code, which is compared by its methods. */
const builtFile = /^(?:META-INF\/|AndroidManifest\.xml$|resources\.arsc$|classes\d*\.dex$|assets\/dexopt\/)/;
/** What libraries of the platform, Kotlin and Cordova bring along, by how they call it. */
const libraryFile =
  /^(?:kotlin\/|kotlinx?[-.]|okhttp3\/|org\/|google\/protobuf\/|DebugProbesKt\.bin$|[\w-]+\.properties$|androidsupportmultidex|assets\/www\/(?:cordova|plugins\/)|res\/[\w-]+\/(?:abc|mtrl|m3|material|design|btn_(?:checkbox|radio)|notification_|notify_|tooltip_frame|common_(?:google|full)|googleg|exo|fragment_(?:close|open|fade|fast)|ic_(?:mtrl|m3|clear_black|keyboard_black|call_))[\w-]*\.)/;
/** What compilers and the runtime put into every library. */
const usualSymbol =
  /^(?:JNI_On(?:Load|Unload)|_?(?:init|fini|start|end|edata|bss_start)|__|_Unwind|_Z(?:St|NSt|NKSt|Sd|N9__gnu|N10__cxx|Nss|d[al]Pv|n[aw]))/;
/** Fewer imports say nothing. */
const tellingImports = 10;

export interface FingerprintParts {
  contents: Contents;
  dexFiles: readonly DexFile[];
  /** Of the whole file. */
  digest: FuzzyDigest;
  /** Of dex files by their names. */
  ssdeep: ReadonlyMap<string, string>;
  icon: Icon | null;
}

const hashOf = (text: string): number => textWord(Buffer.from(text), 0, Buffer.byteLength(text)) >>> 0;

function setOf(members: Iterable<number>): HashSet {
  const sorted = Uint32Array.from(new Set(members)).sort();
  const hashes = Buffer.alloc(Math.min(sorted.length, maxSetHashes) * hashBytes);
  for (let at = 0; at < hashes.length; at += hashBytes) hashes.writeUInt32BE(sorted[at / hashBytes]!, at);
  return { count: sorted.length, hashes };
}

export function fingerprintOf({ contents, dexFiles, digest, ssdeep, icon }: FingerprintParts): Fingerprint {
  const largest = dexFiles.toSorted((one, other) => other.bytes.length - one.bytes.length).slice(0, maxDexDigests);
  const ofDexes = largest.map(({ name, bytes }) => ({
    tlsh: bytes.length <= maxTlshBytes ? tlsh(bytes) : null,
    ssdeep: ssdeep.get(name) ?? '',
  }));
  return {
    icon: icon === null ? null : drawnHash(icon),
    digests: [digest, ...ofDexes],
    files: setOf(fileHashes(contents.files)),
    native: setOf([...contents.nativeFunctions, ...nativeHashes(contents.libraries)]),
  };
}

function* fileHashes(files: readonly ArchiveEntryRecord[]): Generator<number> {
  for (const { name, size, sha256 } of files)
    if (sha256 !== null && size >= minFileBytes && !builtFile.test(name) && !libraryFile.test(name))
      yield Number.parseInt(sha256.slice(0, 2 * hashBytes), 16);
}

/** What each library exports, and which functions it takes from where, as one: versions of a library are linked alike. */
function* nativeHashes(libraries: readonly NativeLibraryRecord[]): Generator<number> {
  for (const { path, needed, imports, exports } of libraries) {
    if (isFrameworkLibrary(path)) continue;
    for (const name of exports) if (!usualSymbol.test(name)) yield hashOf(name);
    if (imports.length >= tellingImports) yield hashOf([...needed, ...imports.toSorted()].join('\n'));
  }
}
