// One signature file of JAR signing: that it vouches for the manifest and its sections. Knows no entry's contents.
import type { ZipEntry } from '../zip/archive.ts';
import type { Issues } from './issues.ts';
import { type ManifestSection, manifestName, parseManifest } from './jar-manifest.ts';
import { apiLevel } from './platform-versions.ts';
import { digestsToVerify, findMismatch } from './v1-digests.ts';
import type { KnownSchemes } from './v2-scheme.ts';

const strippingProtection = 'x-android-apk-signed';

export interface V1Scope extends KnownSchemes {
  minSdkVersion: number;
  maxSdkVersion: number;
}

export interface SignatureFile {
  file: ZipEntry;
  fileBytes: Uint8Array;
  issues: Issues;
  /** Entries that it names; filled by verification. */
  entryNames: Set<string>;
}

/** The manifest that signature files are about. */
export interface SignedManifest {
  bytes: Uint8Array;
  main: ManifestSection | undefined;
  /** By the names of their entries. */
  sections: ReadonlyMap<string, ManifestSection>;
}

/** Reasons to drop a signer without failing the APK, as Android does. */
class IgnoredSigner extends Error {}

/** Verifies a signature file against the manifest. @returns whether Android counts the signer */
export function verifySignatureFile(signer: SignatureFile, manifest: SignedManifest, scope: V1Scope): boolean {
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
    const isWhole = verifyWholeManifest(signer, main, isBySigntool, manifest.bytes, scope);
    if (!isBySigntool) verifyMainSection(signer, main, manifest, scope);
    if (issues.hasErrors) return false;
    verifySections(signer, sections, isWhole, isBySigntool, manifest, scope);
    return !issues.hasErrors;
  } catch (error) {
    if (!(error instanceof IgnoredSigner)) throw error;
    // An ignored signer cannot fail the APK, so that nothing said of it is an error.
    for (const each of issues.errors.splice(0)) issues.warning(each.code, each.message);
    issues.warning('jar-sig-ignored-signer', `${file.name} is ignored: ${error.message}`);
    return false;
  }
}

function checkStripping(
  { file, issues }: SignatureFile,
  named: string | undefined,
  { supported, found }: V1Scope,
): void {
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
  { file, issues }: SignatureFile,
  main: ManifestSection,
  isBySigntool: boolean,
  manifestBytes: Uint8Array,
  { minSdkVersion, maxSdkVersion }: V1Scope,
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
  { file, issues }: SignatureFile,
  main: ManifestSection,
  manifest: SignedManifest,
  { minSdkVersion, maxSdkVersion }: V1Scope,
): void {
  const digests = digestsToVerify(main, '-digest-manifest-main-attributes', minSdkVersion, maxSdkVersion);
  if (digests.length === 0) return;
  const bytes = manifest.bytes.subarray(manifest.main?.start ?? 0, manifest.main?.end ?? 0);
  const mismatch = findMismatch(digests, [bytes]);
  if (mismatch === null) return;
  const message = `The main section of ${manifestName} does not have the ${mismatch.hash} digest that ${file.name} states`;
  issues.error('jar-sig-manifest-main-section-digest-did-not-verify', message);
}

function verifySections(
  { file, issues, entryNames }: SignatureFile,
  sections: readonly ManifestSection[],
  isWhole: boolean,
  isBySigntool: boolean,
  manifest: SignedManifest,
  { minSdkVersion, maxSdkVersion }: V1Scope,
): void {
  let ignored: IgnoredSigner | null = null;
  sections.forEach((section, index) => {
    const { name } = section;
    if (name === null) throw new IgnoredSigner(`its section ${index + 1} has no name`);
    if (entryNames.has(name)) throw new IgnoredSigner(`it names ${name} more than once`);
    entryNames.add(name);
    // Where the manifest's own digest verifies, its sections need not be looked at one by one.
    if (isWhole) return;
    const target = manifest.sections.get(name);
    if (target === undefined) {
      ignored = new IgnoredSigner(`it names ${name}, which ${manifestName} does not`);
      return;
    }
    const digests = digestsToVerify(section, '-digest', minSdkVersion, maxSdkVersion);
    if (digests.length === 0) {
      issues.error('jar-sig-no-zip-entry-digest-in-sig-file', `${file.name} has no digest for ${name}`);
      return;
    }
    const bytes = manifest.bytes.subarray(target.start, sectionEnd(target, isBySigntool, manifest.bytes));
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
