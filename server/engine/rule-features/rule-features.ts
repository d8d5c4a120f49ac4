// What of an APK a rule could look for: what its reports say, texts of its own code and files, pieces of its own code.
// Knows no other APK.
import type { AndroguardReport, CuckooReport } from '../../contract/engine/reports.ts';
import {
  maxFeaturePlace,
  maxFeatures,
  maxTextBytes,
  type RuleFeatures,
  type TextFeature,
} from '../../contract/engine/rule-features.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import { attempt, dexEntries, openPackage } from '../app/app-package.ts';
import { Findings } from '../findings.ts';
import { type Dex, openDexContainer } from '../formats/dex/dex.ts';
import { opcodeLengths, payloadLength } from '../formats/dex/opcodes.ts';
import type { ZipArchive, ZipEntry } from '../formats/zip/archive.ts';
import type { KnownMethods } from '../similarity/known-methods.ts';
import { textWord } from '../similarity/method-words.ts';
import { tellingOf } from '../similarity/telling-text.ts';
import { type AppMethod, appMethods } from './app-methods.ts';
import { tellingPiece } from './code-pieces.ts';
import { reportFeatures } from './report-features.ts';

/** Bytes of one file, and of all files, whose texts are read. */
const maxFileBytes = 4 * 1024 * 1024;
const maxAllBytes = 32 * 1024 * 1024;
/** Texts that are weighed. */
const maxWeighed = 100_000;
const constString = 0x1a;
const constStringJumbo = 0x1b;

/** The most telling ones; of equals always the same, so that two versions of an app name the same. */
function best<T extends { score: number }>(features: Iterable<T>, count: number, key: (feature: T) => string): T[] {
  return [...features]
    .map((feature) => ({ feature, name: key(feature) }))
    .sort((one, other) => other.feature.score - one.feature.score || (one.name < other.name ? -1 : 1))
    .slice(0, count)
    .map(({ feature }) => feature);
}

/** The indexes of the strings that a method loads. */
function* loadedStrings({ units, start, end }: AppMethod): Generator<number> {
  for (let at = start; at < end; ) {
    const opcode = units[at]! & 0xff;
    if (opcode === 0) {
      at += units[at] === 0 ? 1 : payloadLength(units, at, end) || 1;
      continue;
    }
    const next = at + opcodeLengths[opcode]!;
    if (next > end) return;
    if (opcode === constString) yield units[at + 1]!;
    else if (opcode === constStringJumbo) yield (units[at + 1]! | (units[at + 2]! << 16)) >>> 0;
    at = next;
  }
}

class TextCollector {
  readonly #texts = new Map<string, TextFeature>();
  #weighed = 0;

  /** @param text one byte in each unit */
  add(text: string, where: string): void {
    const kept = text.slice(0, maxTextBytes);
    if (this.#texts.has(kept) || this.#weighed >= maxWeighed) return;
    this.#weighed++;
    const score = tellingOf(kept);
    if (score === 0) return;
    const hex = Buffer.from(kept, 'latin1').toString('hex');
    this.#texts.set(kept, { hex, score, where: where.slice(0, maxFeaturePlace) });
  }

  best = (count: number): TextFeature[] => best(this.#texts.values(), count, ({ hex }) => hex);
}

/** Texts that own code loads and no library's does. */
function codeTexts(own: readonly AppMethod[], libraries: readonly AppMethod[]): TextFeature[] {
  const rangeOf = (dex: Dex, index: number) => (index < dex.stringCount ? dex.stringRange(index) : null);
  const theirs = new Set<number>();
  for (const method of libraries)
    for (const index of loadedStrings(method)) {
      const range = rangeOf(method.dex, index);
      if (range !== null) theirs.add(textWord(method.dex.bytes, range.start, range.end));
    }
  const texts = new TextCollector();
  for (const method of own)
    for (const index of loadedStrings(method)) {
      const { dex, classIndex } = method;
      const range = rangeOf(dex, index);
      if (range === null || theirs.has(textWord(dex.bytes, range.start, range.end))) continue;
      const text = dex.bytes.toString('latin1', range.start, Math.min(range.end, range.start + maxTextBytes));
      texts.add(text, dex.className(classIndex));
    }
  return texts.best(maxFeatures.text);
}

function codePieces(own: readonly AppMethod[]): RuleFeatures['code'] {
  const pieces = new Map<string, RuleFeatures['code'][number]>();
  const seen = new Set<number>();
  for (const { dex, methodIndex, units, start, end, hash } of own) {
    if (hash === null || seen.has(hash)) continue;
    seen.add(hash);
    const piece = tellingPiece(units, start, end);
    if (piece === null) continue;
    const pattern = piece.pattern.join(' ');
    const where = dex.method(methodIndex).slice(0, maxFeaturePlace);
    if (!pieces.has(pattern)) pieces.set(pattern, { pattern, score: piece.score, where, hash });
  }
  return best(pieces.values(), maxFeatures.code, ({ pattern }) => pattern);
}

/** A native library of each name once, and what the app brings along as it is. */
function textFiles(archive: ZipArchive): ZipEntry[] {
  const libraries = new Set<string>();
  return archive.entries.filter(({ name }) => {
    if (name.startsWith('assets/')) return true;
    const library = /^lib\/[^/]+\/([^/]+\.so)$/.exec(name)?.[1];
    if (library === undefined || libraries.has(library)) return false;
    libraries.add(library);
    return true;
  });
}

function fileTexts(archive: ZipArchive, findings: Findings): TextFeature[] {
  const texts = new TextCollector();
  let left = maxAllBytes;
  for (const entry of textFiles(archive)) {
    if (left <= 0) break;
    const bytes = attempt(findings, entry.name, null, () => archive.readPrefix(entry, Math.min(maxFileBytes, left)));
    if (bytes === null) continue;
    left -= bytes.length;
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    for (const [run] of content.matchAll(/[\x20\x21\x23-\x26\x28-\x7e]{6,}/g)) texts.add(run.trim(), entry.name);
  }
  return texts.best(maxFeatures.file);
}

/**
 * Reads what rules could look for.
 * @throws FormatError as `openPackage` does
 */
export function ruleFeatures(
  source: ByteSource,
  reports: { androguard: AndroguardReport | null; cuckoo: CuckooReport | null },
  known: KnownMethods,
): RuleFeatures {
  const findings = new Findings();
  const { archive, manifest } = openPackage(source, findings);
  const dexes = dexEntries(archive).flatMap((entry) =>
    attempt(findings, entry.name, [] as Dex[], () => [...openDexContainer(archive.read(entry), findings, entry.name)]),
  );
  const { own, libraries } = appMethods(dexes, manifest?.packageName ?? '', known);
  return {
    report: reportFeatures(reports.androguard, reports.cuckoo),
    text: codeTexts(own, libraries),
    file: fileTexts(archive, findings),
    code: codePieces(own),
  };
}
