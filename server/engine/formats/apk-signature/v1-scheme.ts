// JAR signing (scheme v1): manifest, signature files and every entry's digest. Knows nothing of the signing block.
import { FormatError } from '../byte-reader.ts';
import type { ZipArchive, ZipEntry } from '../zip/archive.ts';
import { Issues } from './issues.ts';
import { type ManifestSection, parseManifest } from './jar-manifest.ts';
import { apiLevel, maxSigners } from './platform-versions.ts';
import { SchemeResult } from './scheme-result.ts';
import { SignedEntries } from './signed-entry.ts';
import { attempt, newSigner, type Signer } from './signer-block.ts';
import { digestsToVerify, findMismatch } from './v1-digests.ts';
import { readClaimedSigner, SignatureBlockError, verifySignatureBlock } from './v1-signature-block.ts';
import type { KnownSchemes } from './v2-scheme.ts';

export const manifestName = 'META-INF/MANIFEST.MF';
const metaFolder = 'META-INF/';
const strippingProtection = 'x-android-apk-signed';
/** A manifest has some 100 bytes for each of an archive's entries. */
const maxSignatureFileLength = 64 * 1024 * 1024;
/** A signature block has some kilobytes of certificates. */
const maxSignatureBlockLength = 16 * 1024 * 1024;

interface Scope extends KnownSchemes {
  minSdkVersion: number;
  maxSdkVersion: number;
}

/** A signature block with the signature file it belongs to. */
interface V1Signer {
  block: ZipEntry;
  file: ZipEntry;
  blockBytes: Uint8Array;
  fileBytes: Uint8Array;
  issues: Issues;
  reported: Signer;
  /** Entries that its signature file names. */
  entryNames: Set<string>;
}

/** Reasons to drop a signer without failing the APK, as Android does. */
class IgnoredSigner extends Error {}

const isSignatureBlock = (name: string): boolean => /^META-INF\/.*\.(?:RSA|DSA|EC)$/s.test(name);
const signatureFileOf = (name: string): string => `${name.slice(0, name.lastIndexOf('.'))}.SF`;

/** Entries that look like signature blocks, in the archive's order. */
export function findSignatureBlocks(archive: ZipArchive): ZipEntry[] {
  return archive.entries.filter(({ name }) => isSignatureBlock(name));
}

/** The signers that the signature blocks claim, without verifying anything. */
export function claimedV1Signers(archive: ZipArchive): Signer[] {
  const signers: Signer[] = [];
  for (const entry of findSignatureBlocks(archive).slice(0, maxSigners)) {
    const signer = newSigner(signers.length);
    const bytes = attempt(
      () => archive.read(entry, maxSignatureBlockLength),
      () => undefined,
    );
    if (bytes !== null) fillClaimed(bytes, signer);
    if (signer.certificates.length > 0) signers.push(signer);
  }
  return signers;
}

/** A block that cannot be read claims no signer; verification says what is wrong with it. */
function fillClaimed(block: Uint8Array, signer: Signer): void {
  const claimed = attempt(
    () => readClaimedSigner(block),
    () => undefined,
  );
  if (claimed === null) return;
  signer.certificates = claimed.certificates;
  signer.algorithms = claimed.algorithms;
}

/**
 * Verifies JAR signatures by the rules of Android, which differ from Java's: META-INF/ is not covered, all entries have
 * the same signers, and which digest counts depends on the API level.
 * Specification: https://docs.oracle.com/javase/8/docs/technotes/guides/jar/jar.html#Signed_JAR_File and
 * https://source.android.com/docs/security/features/apksigning#v1
 */
export function verifyV1(archive: ZipArchive, scope: Scope): SchemeResult {
  const result = new SchemeResult('v1');
  try {
    verifyArchive(archive, scope, result);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    result.issues.error('malformed-zip-entry', error.message);
  }
  if (result.signers.length === 0) result.signers = claimedV1Signers(archive);
  return result;
}

function verifyArchive(archive: ZipArchive, scope: Scope, result: SchemeResult): void {
  const { issues } = result;
  const contents = new SignedEntries(archive);
  const entries = archive.entries.filter(({ name }) => !name.endsWith('/'));
  const byName = indexEntries(entries, issues);
  if (issues.hasErrors) return;

  const manifestEntry = byName.get(manifestName);
  if (manifestEntry === undefined) {
    issues.error('jar-sig-no-manifest', `There is no ${manifestName}`);
    return;
  }
  const manifestBytes = contents.read(manifestEntry, maxSignatureFileLength);
  const [mainSection, ...sections] = parseManifest(manifestBytes);
  const manifest = indexSections(sections, byName, issues);
  if (issues.hasErrors) return;

  const candidates = findSigners(archive, contents, byName, issues);
  if (issues.hasErrors) return;
  for (const signer of candidates) verifyBlock(signer, scope);
  result.signers = candidates.map(({ reported }) => reported);
  mergeIssues(candidates, issues);
  if (issues.hasErrors) return;

  const accepted = candidates.filter((signer) => verifyFile(signer, manifestBytes, mainSection, manifest, scope));
  mergeIssues(candidates, issues);
  if (issues.hasErrors) return;
  if (accepted.length === 0) {
    issues.error('jar-sig-no-signatures', 'Every signature file is one that Android ignores');
    return;
  }
  const used = verifyEntries(contents, entries, manifest, accepted, scope, issues);
  if (issues.hasErrors) return;
  warnOfUnprotected(entries, used, issues);
  result.signers = used.map(({ reported }, index) => ({ ...reported, index }));
}

function indexEntries(entries: readonly ZipEntry[], issues: Issues): Map<string, ZipEntry> {
  const byName = new Map<string, ZipEntry>();
  const reported = new Set<string>();
  for (const entry of entries) {
    if (byName.has(entry.name) && !reported.has(entry.name)) {
      reported.add(entry.name);
      issues.error('jar-sig-duplicate-zip-entry', `${entry.name} occurs more than once`);
    }
    byName.set(entry.name, entry);
  }
  return byName;
}

function indexSections(
  sections: readonly ManifestSection[],
  entries: ReadonlyMap<string, ZipEntry>,
  issues: Issues,
): Map<string, ManifestSection> {
  const byName = new Map<string, ManifestSection>();
  sections.forEach((section, index) => {
    const { name } = section;
    if (name === null) {
      issues.error('jar-sig-unnnamed-manifest-section', `Section ${index + 1} of ${manifestName} has no name`);
    } else if (byName.has(name)) {
      issues.error('jar-sig-duplicate-manifest-section', `${manifestName} names ${name} more than once`);
    } else {
      byName.set(name, section);
      if (!entries.has(name)) {
        issues.error(
          'jar-sig-missing-zip-entry-referenced-in-manifest',
          `${name} stands in ${manifestName} and is gone`,
        );
      }
    }
  });
  return byName;
}

function findSigners(
  archive: ZipArchive,
  contents: SignedEntries,
  byName: ReadonlyMap<string, ZipEntry>,
  issues: Issues,
): V1Signer[] {
  const pairs = findSignatureBlocks(archive).flatMap((block) => {
    const fileName = signatureFileOf(block.name);
    const file = byName.get(fileName);
    if (file === undefined) issues.warning('jar-sig-missing-file', `${block.name} has no signature file ${fileName}`);
    return file === undefined ? [] : [{ block, file }];
  });
  if (pairs.length === 0) issues.error('jar-sig-no-signatures', 'There is no signature block with a signature file');
  if (pairs.length > maxSigners) {
    issues.error('jar-sig-max-signatures-exceeded', `There are ${pairs.length} signers, more than ${maxSigners}`);
    return [];
  }
  return pairs.map(({ block, file }, index) => ({
    block,
    file,
    blockBytes: contents.read(block, maxSignatureBlockLength),
    fileBytes: contents.read(file, maxSignatureFileLength),
    issues: new Issues(),
    reported: newSigner(index),
    entryNames: new Set(),
  }));
}

/** Moves what was found about the signers to the scheme; the lists are emptied, so that it can be called again. */
function mergeIssues(signers: readonly V1Signer[], issues: Issues): void {
  for (const signer of signers) {
    for (const { code, message } of signer.issues.errors.splice(0)) issues.error(code, message);
    for (const { code, message } of signer.issues.warnings.splice(0)) issues.warning(code, message);
  }
}

function verifyBlock({ block, blockBytes, fileBytes, issues, reported }: V1Signer, scope: Scope): void {
  fillClaimed(blockBytes, reported);
  try {
    reported.certificates = verifySignatureBlock(blockBytes, fileBytes, scope);
  } catch (error) {
    if (!(error instanceof SignatureBlockError)) throw error;
    issues.error(error.code, `${block.name}: ${error.message}`);
  }
}

/** Verifies a signature file against the manifest. @returns whether Android counts the signer */
function verifyFile(
  signer: V1Signer,
  manifestBytes: Uint8Array,
  mainSection: ManifestSection | undefined,
  manifest: ReadonlyMap<string, ManifestSection>,
  scope: Scope,
): boolean {
  const { file, issues } = signer;
  try {
    const [main, ...sections] = parseManifest(signer.fileBytes);
    if (main === undefined || !main.attributes.has('signature-version')) {
      throw new IgnoredSigner('it does not state its version');
    }
    if (scope.maxSdkVersion >= apiLevel.nougat) {
      checkStripping(signer, main.attributes.get(strippingProtection), scope);
      if (issues.hasErrors) return false;
    }
    const isBySigntool = main.attributes.get('created-by')?.includes('signtool') ?? false;
    const isWhole = verifyWholeManifest(signer, main, isBySigntool, manifestBytes, scope);
    if (!isBySigntool) verifyMainSection(signer, main, mainSection, manifestBytes, scope);
    if (issues.hasErrors) return false;
    verifySections(signer, sections, isWhole, isBySigntool, manifestBytes, manifest, scope);
    return !issues.hasErrors;
  } catch (error) {
    if (!(error instanceof IgnoredSigner)) throw error;
    // An ignored signer cannot fail the APK, so that nothing said of it is an error.
    for (const each of issues.errors.splice(0)) issues.warning(each.code, each.message);
    issues.warning('jar-sig-ignored-signer', `${file.name} is ignored: ${error.message}`);
    return false;
  }
}

function checkStripping({ file, issues }: V1Signer, named: string | undefined, { supported, found }: Scope): void {
  if (named === undefined) {
    if (found.size > 0) {
      const message = `${file.name} does not protect the newer signatures from being stripped`;
      issues.warning('jar-sig-no-apk-sig-strip-protection', message);
    }
    return;
  }
  if (supported.size === 0) return;
  for (const word of named.split(',').map((text) => text.trim())) {
    if (!/^[+-]?\d+$/.test(word)) continue;
    const scheme = Number(word);
    if (!supported.has(scheme)) {
      issues.warning('jar-sig-unknown-apk-sig-scheme-id', `${file.name} names the unknown signature scheme ${scheme}`);
    } else if (!found.has(scheme)) {
      issues.error(
        'jar-sig-missing-apk-sig-referenced',
        `${file.name} says that the APK was signed with scheme v${scheme} too, which is gone`,
      );
    }
  }
}

function verifyWholeManifest(
  { file, issues }: V1Signer,
  main: ManifestSection,
  isBySigntool: boolean,
  manifestBytes: Uint8Array,
  { minSdkVersion, maxSdkVersion }: Scope,
): boolean {
  const suffix = isBySigntool ? '-digest' : '-digest-manifest';
  const digests = digestsToVerify(main, suffix, minSdkVersion, maxSdkVersion);
  if (digests.length === 0) {
    issues.warning('jar-sig-no-manifest-digest-in-sig-file', `${file.name} has no digest of ${manifestName}`);
    return false;
  }
  const mismatch = findMismatch(digests, [manifestBytes]);
  if (mismatch === null) return true;
  const message = `${manifestName} does not have the ${mismatch.hash} digest that ${file.name} states`;
  issues.warning('jar-sig-zip-entry-digest-did-not-verify', message);
  return false;
}

function verifyMainSection(
  { file, issues }: V1Signer,
  main: ManifestSection,
  mainSection: ManifestSection | undefined,
  manifestBytes: Uint8Array,
  { minSdkVersion, maxSdkVersion }: Scope,
): void {
  const digests = digestsToVerify(main, '-digest-manifest-main-attributes', minSdkVersion, maxSdkVersion);
  if (digests.length === 0) return;
  const bytes = manifestBytes.subarray(mainSection?.start ?? 0, mainSection?.end ?? 0);
  const mismatch = findMismatch(digests, [bytes]);
  if (mismatch === null) return;
  const message = `The main section of ${manifestName} does not have the ${mismatch.hash} digest that ${file.name} states`;
  issues.error('jar-sig-manifest-main-section-digest-did-not-verify', message);
}

function verifySections(
  { file, issues, entryNames }: V1Signer,
  sections: readonly ManifestSection[],
  isWhole: boolean,
  isBySigntool: boolean,
  manifestBytes: Uint8Array,
  manifest: ReadonlyMap<string, ManifestSection>,
  { minSdkVersion, maxSdkVersion }: Scope,
): void {
  let ignored: IgnoredSigner | null = null;
  sections.forEach((section, index) => {
    const { name } = section;
    if (name === null) throw new IgnoredSigner(`its section ${index + 1} has no name`);
    if (entryNames.has(name)) throw new IgnoredSigner(`it names ${name} more than once`);
    entryNames.add(name);
    // Where the manifest's own digest verifies, its sections need not be looked at one by one.
    if (isWhole) return;
    const target = manifest.get(name);
    if (target === undefined) {
      ignored = new IgnoredSigner(`it names ${name}, which ${manifestName} does not`);
      return;
    }
    const digests = digestsToVerify(section, '-digest', minSdkVersion, maxSdkVersion);
    if (digests.length === 0) {
      issues.error('jar-sig-no-zip-entry-digest-in-sig-file', `${file.name} has no digest for ${name}`);
      return;
    }
    const bytes = manifestBytes.subarray(target.start, sectionEnd(target, isBySigntool, manifestBytes));
    const mismatch = findMismatch(digests, [bytes]);
    if (mismatch !== null) {
      const message = `The section ${name} of ${manifestName} does not have the ${mismatch.hash} digest that ${file.name} states`;
      issues.error('jar-sig-manifest-section-digest-did-not-verify', message);
    }
  });
  if (ignored !== null) throw ignored;
}

/** Netscape's signtool leaves the blank line that closes a section out of its digest. */
function sectionEnd({ end }: ManifestSection, isBySigntool: boolean, bytes: Uint8Array): number {
  const lineFeed = 0x0a;
  return isBySigntool && bytes[end - 1] === lineFeed && bytes[end - 2] === lineFeed ? end - 1 : end;
}

/** Verifies the contents of all entries outside META-INF/. @returns the signers that all of them share */
function verifyEntries(
  contents: SignedEntries,
  entries: readonly ZipEntry[],
  manifest: ReadonlyMap<string, ManifestSection>,
  signers: readonly V1Signer[],
  { minSdkVersion, maxSdkVersion }: Scope,
  issues: Issues,
): V1Signer[] {
  let shared: { name: string; signers: V1Signer[] } | null = null;
  const ordered = [...entries].sort((a, b) => a.localHeaderOffset - b.localHeaderOffset);
  for (const entry of ordered) {
    const { name } = entry;
    if (name.startsWith(metaFolder)) continue;
    const section = manifest.get(name);
    if (section === undefined) {
      issues.error('jar-sig-no-zip-entry-digest-in-manifest', `${name} does not stand in ${manifestName}`);
      continue;
    }
    const entrySigners = signers.filter(({ entryNames }) => entryNames.has(name));
    if (entrySigners.length === 0) {
      issues.error('jar-sig-zip-entry-not-signed', `${name} is not signed`);
      continue;
    }
    shared ??= { name, signers: entrySigners };
    if (
      entrySigners.length !== shared.signers.length ||
      entrySigners.some((each, at) => each !== shared!.signers[at])
    ) {
      issues.error('jar-sig-zip-entry-signers-mismatch', `${shared.name} and ${name} have different signers`);
      continue;
    }
    const digests = digestsToVerify(section, '-digest', minSdkVersion, maxSdkVersion);
    if (digests.length === 0) {
      issues.error('jar-sig-no-zip-entry-digest-in-manifest', `${manifestName} has no digest for ${name}`);
      continue;
    }
    const mismatch = findMismatch(digests, contents.pieces(entry));
    if (mismatch !== null) {
      const message = `${name} does not have the ${mismatch.hash} digest that ${manifestName} states`;
      issues.error('jar-sig-zip-entry-digest-did-not-verify', message);
    }
  }
  if (shared === null) issues.error('jar-sig-no-signed-zip-entries', 'No entry is signed');
  return shared?.signers ?? [];
}

function warnOfUnprotected(entries: readonly ZipEntry[], signers: readonly V1Signer[], issues: Issues): void {
  const known = new Set([manifestName, ...signers.flatMap(({ block, file }) => [block.name, file.name])]);
  for (const { name } of entries) {
    if (!name.startsWith(metaFolder) || known.has(name)) continue;
    issues.warning('jar-sig-unprotected-zip-entry', `${name} is not protected by the JAR signature`);
  }
}
