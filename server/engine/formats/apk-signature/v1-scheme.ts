// JAR signing (scheme v1): manifest, signature files and every entry's digest. Knows nothing of the signing block.
import { FormatError } from '../byte-reader.ts';
import type { ZipArchive, ZipEntry } from '../zip/archive.ts';
import { Issues } from './issues.ts';
import { type ManifestSection, manifestName, parseManifest } from './jar-manifest.ts';
import { maxSigners } from './platform-versions.ts';
import { SchemeResult } from './scheme-result.ts';
import { SignedEntries } from './signed-entry.ts';
import { attempt, newSigner, type Signer } from './signer-block.ts';
import { digestsToVerify, findMismatch } from './v1-digests.ts';
import { readClaimedSigner, SignatureBlockError, verifySignatureBlock } from './v1-signature-block.ts';
import { type SignatureFile, type V1Scope, verifySignatureFile } from './v1-signature-file.ts';

const metaFolder = 'META-INF/';
/** A manifest has some 100 bytes for each of an archive's entries. */
const maxSignatureFileLength = 64 * 1024 * 1024;
/** A signature block has some kilobytes of certificates. */
const maxSignatureBlockLength = 16 * 1024 * 1024;

/** A signature block with the signature file it belongs to. */
interface V1Signer extends SignatureFile {
  block: ZipEntry;
  blockBytes: Uint8Array;
  reported: Signer;
}

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
export function verifyV1(archive: ZipArchive, scope: V1Scope): SchemeResult {
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

function verifyArchive(archive: ZipArchive, scope: V1Scope, result: SchemeResult): void {
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

  const signed = { bytes: manifestBytes, main: mainSection, sections: manifest };
  const accepted = candidates.filter((signer) => verifySignatureFile(signer, signed, scope));
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

function verifyBlock({ block, blockBytes, fileBytes, issues, reported }: V1Signer, scope: V1Scope): void {
  fillClaimed(blockBytes, reported);
  try {
    reported.certificates = verifySignatureBlock(blockBytes, fileBytes, scope);
  } catch (error) {
    if (!(error instanceof SignatureBlockError)) throw error;
    issues.error(error.code, `${block.name}: ${error.message}`);
  }
}

/** Verifies the contents of all entries outside META-INF/. @returns the signers that all of them share */
function verifyEntries(
  contents: SignedEntries,
  entries: readonly ZipEntry[],
  manifest: ReadonlyMap<string, ManifestSection>,
  signers: readonly V1Signer[],
  { minSdkVersion, maxSdkVersion }: V1Scope,
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
