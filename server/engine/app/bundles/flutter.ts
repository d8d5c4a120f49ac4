// What a Flutter app carries: compiled Dart in a library or as a file, the engine, kernel code of debug builds, assets.

import { Findings } from '../../findings.ts';
import { readSnapshot, snapshotMagic } from '../../formats/dart/snapshot.ts';
import { ElfFile } from '../../formats/elf/elf-file.ts';
import { readProgramSymbols } from '../../formats/elf/program-symbols.ts';
import { type Bundle, type BundleStrings, bufferOf, bundle, read } from './bundle.ts';
import { printableRuns } from './printable-runs.ts';

const kernelMagic = 0x90abcdef;
/** The engine has some megabytes. */
const leastEngine = 1024 * 1024;
const versionAround = 200;

/** A snapshot of the virtual machine and one of the app; the code of both stands beside them. */
const dataSymbol = /^_kDart(Vm|Isolate)SnapshotData$/;

interface Range {
  start: number;
  end: number;
}

/** Compiled Dart in `libapp.so`, by the symbols that the engine looks up. */
export function dartLibrary(bytes: Uint8Array, path: string): Bundle | null {
  if (!bufferOf(bytes).includes('_kDartVmSnapshotData')) return null;
  const faults: string[] = [];
  const file = read(faults, () => new ElfFile(bytes, path, new Findings()));
  if (file === null) return null;
  const symbols = read(faults, () => readProgramSymbols(file).dynamic) ?? [];
  const ranges: Range[] = [];
  let [versionHash, features, kind] = ['', '', ''];
  let isCode = false;
  for (const { name, value, isDefined } of symbols) {
    isCode ||= isDefined && name === '_kDartIsolateSnapshotInstructions';
    const part = isDefined ? dataSymbol.exec(name)?.[1] : undefined;
    if (part === undefined) continue;
    const start = file.offsetOf(value);
    if (start === null) {
      faults.push(`${name} leads to 0x${value.toString(16)}, which is not in the file`);
      continue;
    }
    const snapshot = read(faults, () => readSnapshot(bytes, start));
    if (snapshot === null) continue;
    faults.push(...snapshot.faults);
    ranges.push({ start, end: start + snapshot.length });
    if (part === 'Isolate' || versionHash === '') ({ versionHash, features, kind } = snapshot);
  }
  if (ranges.length === 0 && faults.length === 0) return null;
  return snapshotBundle(bytes, ranges, { versionHash, features, kind, faults, isCode });
}

/** Null where a file is no snapshot. */
export function dartSnapshot(bytes: Uint8Array): Bundle | null {
  if (bytes.length < 20 || bufferOf(bytes).readUInt32LE() !== snapshotMagic) return null;
  const faults: string[] = [];
  const snapshot = read(faults, () => readSnapshot(bytes, 0));
  if (snapshot === null) return bundle('dart-snapshot', { faults });
  const range = { start: 0, end: snapshot.length };
  return snapshotBundle(bytes, [range], { ...snapshot, isCode: false });
}

function snapshotBundle(
  bytes: Uint8Array,
  ranges: readonly Range[],
  told: { versionHash: string; features: string; kind: string; faults: string[]; isCode: boolean },
): Bundle {
  const size = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  return bundle('dart-snapshot', {
    version: told.versionHash,
    details: [
      { name: 'Snapshot', value: told.kind },
      { name: 'Features', value: told.features },
      { name: 'Bytes of data', value: `${size}` },
      { name: 'Code', value: told.isCode ? 'compiled, in the same library' : '' },
    ],
    faults: told.faults,
    readTexts: () => runsIn(bytes, ranges),
  });
}

function* runsIn(bytes: Uint8Array, ranges: readonly Range[]): BundleStrings {
  let isWhole = true;
  for (const { start, end } of ranges) isWhole = (yield* printableRuns(bufferOf(bytes), start, end)) && isWhole;
  return isWhole;
}

/** Flutter's engine, by what Dart's virtual machine says of itself: `3.1.0 (stable) (…) on "android_arm64"`. */
export function flutterEngine(bytes: Uint8Array): Bundle | null {
  if (bytes.length < leastEngine) return null;
  const content = bufferOf(bytes);
  const at = content.indexOf(' on "android_');
  if (at < 0) return null;
  const around = content.toString('latin1', Math.max(0, at - versionAround), at + 40);
  const match = /(\d+\.\d+\.\d+[\w.+-]*) (\([^\0]*\)) on "(android_\w+)"/.exec(around);
  if (match === null) return null;
  return bundle('flutter-engine', {
    version: `Dart ${match[1]}`,
    details: [
      { name: 'Channel and day', value: match[2]! },
      { name: 'Compiled for', value: match[3]! },
    ],
  });
}

/** Dart in the form that compilers hand on, as debug builds carry it. */
export function dartKernel(bytes: Uint8Array): Bundle | null {
  if (bytes.length < 8 || bufferOf(bytes).readUInt32BE() !== kernelMagic) return null;
  return bundle('dart-kernel', {
    version: `${bufferOf(bytes).readUInt32BE(4)}`,
    readTexts: () => printableRuns(bufferOf(bytes), 0, bytes.length),
  });
}

/** The list of what lies in `flutter_assets`: a map, in JSON or as Flutter's messages write one. */
export function flutterAssets(bytes: Uint8Array): Bundle | null {
  const count = bytes[0] === 0x7b ? jsonKeys(bytes) : messageSize(bytes);
  if (count === null) return null;
  return bundle('flutter-assets', {
    modules: count,
    readTexts: () => printableRuns(bufferOf(bytes), 0, bytes.length),
  });
}

function jsonKeys(bytes: Uint8Array): number | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return typeof value === 'object' && value !== null ? Object.keys(value).length : null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

/** 13 for a map, then its size in one byte, or behind 254 in two. */
function messageSize(bytes: Uint8Array): number | null {
  if (bytes[0] !== 13 || bytes.length < 4) return null;
  if (bytes[1]! < 254) return bytes[1]!;
  return bytes[1] === 254 ? bufferOf(bytes).readUInt16LE(2) : null;
}
