// Verifies an APK's signatures as Android does, every scheme for itself and all of them together.
// Knows no manifest: the caller says which platform versions the app supports.
import { hash } from 'node:crypto';
import type { SchemeVerdict, SignatureReport } from '../../../contract/engine/reports.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { ZipArchive } from '../zip/archive.ts';
import { computeContentDigests, isVerityAligned } from './content-digest.ts';
import { Issues } from './issues.ts';
import { manifestName } from './jar-manifest.ts';
import { capabilityNames } from './lineage.ts';
import { apiLevel, newestApiLevel } from './platform-versions.ts';
import { SchemeResult } from './scheme-result.ts';
import type { ContentDigestKind } from './signature-algorithms.ts';
import { SignedEntries } from './signed-entry.ts';
import { attempt, claimedSigners } from './signer-block.ts';
import { type ApkSections, blockId, blockValue, describeBlock } from './signing-block.ts';
import { type SchemeDigests, stampEntryName, verifySourceStamp } from './source-stamp.ts';
import { claimedV1Signers, findSignatureBlocks, verifyV1 } from './v1-scheme.ts';
import { verifyV2Block } from './v2-scheme.ts';
import { verifyV3Block } from './v3-scheme.ts';
import { archiveProblem, locateSections } from './zip-sections.ts';

export interface VerifyOptions {
  /** Newest platform version that counts; without it all to come. */
  maxSdkVersion?: number;
  /** From the manifest; where it is 30 or more, JAR signing alone is not enough. */
  targetSdkVersion?: number | null;
  /** From the manifest; where it is 2 or more, JAR signing alone is not enough. */
  targetSandboxVersion?: number | null;
}

/** Scheme numbers as stripping protection names them. */
const schemeNumber = { v1: 1, v2: 2, v3: 3, 'v3.1': 31 } as const;

interface CheckedScheme {
  result: SchemeResult;
  isChecked: boolean;
}

/** State of one verification, from the newest scheme to the oldest, which know of each other. */
class Verification {
  readonly archive: ZipArchive;
  readonly minSdkVersion: number;
  readonly maxSdkVersion: number;
  readonly issues = new Issues();
  readonly sections: ApkSections;
  readonly schemes = new Map<SchemeVerdict['scheme'], CheckedScheme>();
  readonly found = new Set<number>();

  constructor(archive: ZipArchive, minSdkVersion: number, maxSdkVersion: number) {
    this.archive = archive;
    this.minSdkVersion = minSdkVersion;
    this.maxSdkVersion = maxSdkVersion;
    this.sections = locateSections(archive);
    checkArchive(archive, this.issues);
  }

  /** Schemes that the platform versions in question know, of those that stripping protection names. */
  get supported(): Set<number> {
    const numbers: number[] = [];
    if (this.maxSdkVersion >= apiLevel.nougat) numbers.push(schemeNumber.v2);
    if (this.maxSdkVersion >= apiLevel.pie) numbers.push(schemeNumber.v3);
    return new Set(numbers);
  }

  result(scheme: SchemeVerdict['scheme']): SchemeResult | null {
    return this.schemes.get(scheme)?.result ?? null;
  }

  /** Whether the scheme was checked and nothing is wrong with it. */
  isVerified(scheme: SchemeVerdict['scheme']): boolean {
    const checked = this.schemes.get(scheme);
    return checked?.isChecked === true && !checked.result.issues.hasErrors && checked.result.signers.length > 0;
  }

  verifyBlocks(): void {
    const { maxSdkVersion } = this;
    const v31 = this.#block(blockId.v31, maxSdkVersion >= apiLevel.tiramisu, 'v3.1', (block) =>
      verifyV3Block(block, this.#scope('v3.1', apiLevel.tiramisu, null)),
    );
    const rotation = v31 === null ? 0 : Math.min(...v31.signers.map((signer) => signer.minSdkVersion ?? 0));
    this.#block(blockId.v3, maxSdkVersion >= apiLevel.pie, 'v3', (block) =>
      verifyV3Block(
        block,
        this.#scope('v3', apiLevel.pie, rotation > 0 && Number.isFinite(rotation) ? rotation : null),
      ),
    );
    if (v31 !== null && !this.found.has(schemeNumber.v3)) {
      this.issues.error('v31-block-found-without-v3-block', 'There is a v3.1 block without the v3 block it belongs to');
    }
    const isV2Looked = maxSdkVersion >= apiLevel.nougat && (this.minSdkVersion < apiLevel.pie || this.found.size === 0);
    this.#block(blockId.v2, isV2Looked, 'v2', (block) => {
      const minSdkVersion = Math.max(this.minSdkVersion, apiLevel.nougat);
      return verifyV2Block(block, { minSdkVersion, maxSdkVersion, supported: this.supported, found: this.found });
    });
    this.#compareContents();
  }

  #scope(scheme: 'v3' | 'v3.1', since: number, rotationMinSdkVersion: number | null) {
    const minSdkVersion = Math.max(this.minSdkVersion, since);
    return { scheme, minSdkVersion, maxSdkVersion: this.maxSdkVersion, rotationMinSdkVersion };
  }

  /** @returns the result of a scheme that is there and is looked at */
  #block(
    id: number,
    isLookedAt: boolean,
    scheme: 'v2' | 'v3' | 'v3.1',
    verify: (block: Uint8Array) => SchemeResult,
  ): SchemeResult | null {
    const block = blockValue(this.sections, id);
    if (block === null) return null;
    if (!isLookedAt) {
      const result = new SchemeResult(scheme);
      result.signers = claimedSigners(block, scheme !== 'v2');
      this.schemes.set(scheme, { result, isChecked: false });
      return null;
    }
    const result = verify(block);
    this.schemes.set(scheme, { result, isChecked: true });
    this.found.add(schemeNumber[scheme]);
    return result;
  }

  /** Digests the APK once for every scheme whose signatures hold, and compares. */
  #compareContents(): void {
    const results = [...this.schemes.values()].flatMap(({ result, isChecked }) =>
      isChecked && !result.issues.hasErrors ? [result] : [],
    );
    const kinds = new Set(results.flatMap((result) => [...result.digestsToVerify()]));
    if (kinds.size === 0) return;
    const actual = computeContentDigests(this.sections, kinds);
    for (const result of results) this.#compareDigests(result, actual);
  }

  #compareDigests(result: SchemeResult, actual: ReadonlyMap<ContentDigestKind, Uint8Array>): void {
    const { scheme, signers, issues } = result;
    const prefix = scheme === 'v2' ? 'v2-sig' : 'v3-sig';
    const relevant = result.digestsToVerify();
    if (relevant.has('verity-sha256') && !isVerityAligned(this.sections)) {
      issues.error(`${prefix}-verity-not-aligned`, 'The signing block is not aligned to pages, as fs-verity needs it');
    }
    for (const signer of signers) {
      for (const { kind, value } of signer.contentDigests) {
        if (kind === null || !relevant.has(kind) || Buffer.compare(actual.get(kind)!, value) === 0) continue;
        const message = `Signer ${signer.index + 1}: the APK's contents do not have the ${kind} digest that was signed`;
        issues.error(`${prefix}-apk-digest-did-not-verify`, message);
      }
    }
  }

  verifyJarSigning(): void {
    if (this.minSdkVersion < apiLevel.nougat || this.found.size === 0) {
      const result = verifyV1(this.archive, {
        minSdkVersion: this.minSdkVersion,
        maxSdkVersion: this.maxSdkVersion,
        supported: this.supported,
        found: this.found,
      });
      this.schemes.set('v1', { result, isChecked: true });
      return;
    }
    if (findSignatureBlocks(this.archive).length === 0) return;
    const result = new SchemeResult('v1');
    result.signers = claimedV1Signers(this.archive);
    this.schemes.set('v1', { result, isChecked: false });
  }

  compareSchemes(): void {
    const v1 = this.isVerified('v1') ? mainCertificates(this.result('v1')) : null;
    const v2 = this.isVerified('v2') ? mainCertificates(this.result('v2')) : null;
    if (v1 !== null && v2 !== null) {
      if (!areContained(v1, v2)) this.issues.error('v2-sig-missing', 'A signer of v1 is none of v2');
      if (!areContained(v2, v1)) this.issues.error('jar-sig-missing', 'A signer of v2 is none of v1');
    }
    const past = v1 ?? v2;
    if (past !== null && this.isVerified('v3')) this.#comparePast(past);
  }

  /** The older schemes' signer must be v3's own, or the oldest one of its lineage. */
  #comparePast(past: readonly Certificate[]): void {
    if (past.length !== 1) {
      this.issues.error('v3-sig-multiple-past-signers', 'Older schemes have several signers, v3 can have only one');
    }
    const [old] = past;
    const v3 = mainCertificates(this.result('v3'));
    const lineage = this.lineage();
    if (lineage.length === 0 && v3.length !== 1) {
      this.issues.error('v3-sig-multiple-signers', 'v3 has several signers and no proof that one became the other');
    }
    const expected = lineage.length === 0 ? v3[0] : lineage[0]!.certificate;
    if (old === undefined || expected?.equals(old) !== true) {
      this.issues.error('v3-sig-past-signers-mismatch', "The older schemes' signer is not the one that v3 began with");
    }
  }

  /** Verifies the stamp, if the APK claims one, over the digests of every scheme that was checked. */
  sourceStamp(): SignatureReport['source_stamp'] {
    const entry = this.archive.get(stampEntryName);
    if (entry === undefined) return null;
    const digests = new Map<number, SchemeDigests>();
    for (const scheme of ['v3.1', 'v3', 'v2'] as const) {
      const checked = this.schemes.get(scheme);
      if (checked?.isChecked !== true) continue;
      const values = checked.result.signers
        .flatMap(({ contentDigests }) => contentDigests)
        .flatMap(({ kind, value }): [ContentDigestKind, Uint8Array][] => (kind === null ? [] : [[kind, value]]));
      digests.set(schemeNumber[scheme], new Map(values));
    }
    const manifest = this.archive.get(manifestName);
    if (this.schemes.get('v1')?.isChecked === true && manifest !== undefined) {
      const bytes = attempt(
        () => this.archive.read(manifest),
        () => undefined,
      );
      digests.set(
        schemeNumber.v1,
        new Map(bytes === null ? [] : [['manifest-sha256', hash('sha256', bytes, 'buffer')]]),
      );
    }
    const certificateDigest = attempt(
      () => this.archive.read(entry, maxStampEntryLength),
      () => undefined,
    );
    const block = blockValue(this.sections, blockId.sourceStampV2);
    return verifySourceStamp(block, certificateDigest ?? new Uint8Array(0), digests);
  }

  /** Android 7 and 8 know neither v3 nor v3.1; apksig does not hold that against an APK, and so it is a warning. */
  warnOfUnknownSchemes(): void {
    const isKnownToAll = this.minSdkVersion >= apiLevel.pie || this.result('v2') !== null || this.found.size === 0;
    const newest = this.result('v3') ?? this.result('v3.1');
    if (isKnownToAll || newest === null || this.maxSdkVersion < apiLevel.pie) return;
    newest.issues.warning(
      'v3-sig-alone-before-pie',
      `Without v2, API levels ${Math.max(this.minSdkVersion, apiLevel.nougat)} to ${apiLevel.pie - 1} see no signature that they know`,
    );
  }

  lineage() {
    const rotated = this.result('v3.1')?.lineage ?? [];
    return rotated.length > 0 ? rotated : (this.result('v3')?.lineage ?? []);
  }

  checkRequirements({ targetSdkVersion, targetSandboxVersion }: VerifyOptions): void {
    const sandbox = targetSandboxVersion ?? 1;
    if (sandbox > 1 && this.maxSdkVersion >= apiLevel.oreo && this.found.size === 0) {
      this.issues.error(
        'no-sig-for-target-sandbox-version',
        `An app for sandbox version ${sandbox} must be signed with scheme v2 or newer`,
      );
    }
    const target = targetSdkVersion ?? 1;
    if (target < apiLevel.r || this.maxSdkVersion < target) return;
    if (!this.isVerified('v2') && !this.isVerified('v3') && !this.isVerified('v3.1')) {
      this.issues.error(
        'min-sig-scheme-for-target-sdk-not-met',
        `An app for API level ${target} must be signed with scheme v2 or newer`,
      );
    }
  }

  get isVerifiedInAll(): boolean {
    const checked = [...this.schemes.values()].filter(({ isChecked }) => isChecked);
    return !this.issues.hasErrors && checked.length > 0 && checked.every(({ result }) => !result.issues.hasErrors);
  }

  /** Chains of the signers that the newest platform version goes by; where nothing verifies, of those that claim to be. */
  decidingSigners(): Certificate[][] {
    const order = ['v3.1', 'v3', 'v2', 'v1'] as const;
    const scheme =
      order.find((each) => this.isVerified(each)) ?? order.find((each) => (this.result(each)?.signers.length ?? 0) > 0);
    const signers = scheme === undefined ? [] : (this.result(scheme)?.signers ?? []);
    if (scheme === 'v1' || scheme === 'v2') return signers.map(({ certificates }) => certificates);
    const newest = [...signers].sort((a, b) => (b.maxSdkVersion ?? 0) - (a.maxSdkVersion ?? 0))[0];
    return newest === undefined ? [] : [newest.certificates];
  }
}

/** Android reads the manifest before it verifies anything, and takes no entry that is not what the directory says. */
function checkArchive(archive: ZipArchive, issues: Issues): void {
  const problem = archiveProblem(archive);
  if (problem !== null) issues.error('malformed-apk', `The archive is not one that Android takes: ${problem}`);
  const entry = archive.get('AndroidManifest.xml');
  if (entry === undefined) {
    issues.error('malformed-apk', 'There is no AndroidManifest.xml');
    return;
  }
  attempt(
    () => new SignedEntries(archive).checkLocalHeader(entry),
    (error) => issues.error('malformed-apk', error.message),
  );
}

const mainCertificates = (result: SchemeResult | null): Certificate[] =>
  (result?.signers ?? []).flatMap(({ certificates }) => certificates.slice(0, 1));

const areContained = (some: readonly Certificate[], all: readonly Certificate[]): boolean =>
  some.every((certificate) => all.some((each) => each.equals(certificate)));

const maxStampEntryLength = 1024;

const absent = (scheme: SchemeVerdict['scheme']): SchemeVerdict => ({
  scheme,
  present: false,
  verified: null,
  errors: [],
  warnings: [],
  signers: [],
});

/**
 * Verifies all signatures of an APK for the platform versions from `minSdkVersion` on, by the rules of Android's own
 * verifier; error and warning codes are the names of apksig's issues.
 * Specification: https://source.android.com/docs/security/features/apksigning
 * @param minSdkVersion the app's; null where it names none, which means 1
 */
export function verifySignatures(
  archive: ZipArchive,
  minSdkVersion: number | null,
  options: VerifyOptions = {},
): SignatureReport {
  const min = minSdkVersion ?? 1;
  const verification = new Verification(archive, min, Math.max(min, options.maxSdkVersion ?? newestApiLevel));
  verification.verifyBlocks();
  verification.verifyJarSigning();
  verification.compareSchemes();
  verification.checkRequirements(options);
  verification.warnOfUnknownSchemes();
  const verdicts = (['v1', 'v2', 'v3', 'v3.1'] as const).map((scheme) => {
    const checked = verification.schemes.get(scheme);
    return checked === undefined ? absent(scheme) : checked.result.verdict(checked.isChecked);
  });
  const [v1, v2] = verdicts as [SchemeVerdict, SchemeVerdict];
  v1.present = findSignatureBlocks(archive).length > 0;
  const { blockProblem } = verification.sections;
  if (blockProblem !== null) {
    // Android overlooks such a block without a word; somebody broke it, or wants tools to see what Android does not.
    const message = `The APK Signing Block is not one that Android sees: ${blockProblem}`;
    v2.warnings.push({ code: 'malformed-signing-block', message });
  }
  return {
    verified: verification.isVerifiedInAll,
    min_sdk_version: min,
    schemes: [...verdicts, absent('v4')],
    signers: verification.decidingSigners().map((chain) => chain.map((certificate) => certificate.record())),
    lineage: verification.lineage().map(({ certificate, flags }) => ({
      certificate: certificate.record(),
      flags: capabilityNames(flags),
    })),
    signing_block: describeBlock(verification.sections),
    source_stamp: verification.sourceStamp(),
    errors: verification.issues.errors,
  };
}

/**
 * Who signed the APK, by the newest scheme that it carries, without verifying anything or reading any contents.
 * @returns null where no signer's certificate can be read
 */
export function readSigner(archive: ZipArchive): { certificate: Certificate; scheme: SchemeVerdict['scheme'] } | null {
  const sections = locateSections(archive);
  for (const scheme of ['v3.1', 'v3', 'v2'] as const) {
    const block = blockValue(sections, blockId[scheme === 'v3.1' ? 'v31' : scheme]);
    const signers = block === null ? [] : claimedSigners(block, scheme !== 'v2');
    const newest = signers.sort((a, b) => (b.maxSdkVersion ?? 0) - (a.maxSdkVersion ?? 0))[0];
    if (newest?.certificates[0] !== undefined) return { certificate: newest.certificates[0], scheme };
  }
  const certificate = claimedV1Signers(archive)[0]?.certificates[0];
  return certificate === undefined ? null : { certificate, scheme: 'v1' };
}

/** Name of the first JAR signature block, `META-INF/CERT.RSA`, one with a signature file before others; '' without any. */
export function signatureName(archive: ZipArchive): string {
  const names = findSignatureBlocks(archive).map(({ name }) => name);
  const complete = names.find((name) => archive.get(name.replace(/\.[^.]*$/, '.SF')) !== undefined);
  return complete ?? names[0] ?? '';
}
