// Tells code of other runtimes from the bytes of an entry, never by its name alone. Knows no format itself.
import type { BundleRecord } from '../../../contract/engine/bundles.ts';
import { isHermes } from '../../formats/hermes/hermes-file.ts';
import { isRamBundle } from '../../formats/metro/ram-bundle.ts';
import type { Bundle } from './bundle.ts';
import { dartKernel, dartLibrary, dartSnapshot, flutterAssets, flutterEngine } from './flutter.ts';
import {
  capacitorBundle,
  cordovaBundle,
  cordovaScript,
  hermesBundle,
  isCordova,
  isMetroScript,
  isUnbundleMark,
  metroBundle,
  ramBundle,
  unbundleFolder,
} from './javascript.ts';
import { dotnetAssembly, dotnetStore, il2cppMetadata, pythonArchive } from './other-runtimes.ts';

/** A list of settings or assets that is longer is none. */
const maxListing = 8 * 1024 * 1024;

/** Types of content that no bundle has: not looked at further. */
const others: ReadonlySet<string> = new Set(
  'empty dex odex cdex vdex zip axml arsc png jpeg gif webp ogg flac mp4 wav midi ttf otf woff woff2 pdf sqlite xml html der pem java-class'.split(
    ' ',
  ),
);

/** Whether an entry with content of this type may be a bundle. */
export const mayBeBundle = (type: string): boolean => !others.has(type);

/**
 * Code of another runtime, or null.
 * @param type of its content, as `contentType` tells it
 * @param names of all entries: some bundles are folders
 */
export function tellBundle(name: string, bytes: Uint8Array, type: string, names: readonly string[]): Bundle | null {
  if (type === 'elf') return dartLibrary(bytes, name) ?? dotnetStore(bytes, true) ?? flutterEngine(bytes);
  if (type === 'gzip') return pythonArchive(bytes, true);
  if (isHermes(bytes)) return hermesBundle(bytes);
  if (isRamBundle(bytes)) return ramBundle(bytes);
  if (isUnbundleMark(name, bytes)) return unbundleFolder(name, names);
  if (type === 'text' || type === 'json' || type === 'script') return tellText(name, bytes, names);
  if (/(?:^|\/)flutter_assets\/AssetManifest\.bin$/.test(name)) return flutterAssets(bytes);
  return (
    dartSnapshot(bytes) ??
    dartKernel(bytes) ??
    dotnetStore(bytes, false) ??
    dotnetAssembly(bytes) ??
    il2cppMetadata(bytes) ??
    pythonArchive(bytes, false)
  );
}

function tellText(name: string, bytes: Uint8Array, names: readonly string[]): Bundle | null {
  if (cordovaScript.test(name) && isCordova(bytes)) return cordovaBundle(name, bytes, names);
  if (bytes.length <= maxListing) {
    if (/(?:^|\/)capacitor\.config\.json$/.test(name)) return capacitorBundle(bytes, names);
    if (/(?:^|\/)flutter_assets\/AssetManifest\.json$/.test(name)) return flutterAssets(bytes);
  }
  return isMetroScript(bytes) ? metroBundle(bytes) : null;
}

export function recordOf(path: string, size: number, { readTexts: _, holds: __, ...told }: Bundle): BundleRecord {
  return { path, size, ...told };
}
