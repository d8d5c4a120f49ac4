// The static analysis of one APK: opens it once, runs each stage for itself, and hands the parts to the reports.
import { corruptions } from '../../contract/catalogue/damage.ts';
import type { StaticResult } from '../../contract/engine/analysis-results.ts';
import type { SignatureReport } from '../../contract/engine/reports.ts';
import { findingCatalogue } from '../../contract/findings/finding-catalogue.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import { type AppPackage, attempt, openPackage } from '../app/app-package.ts';
import type { Manifest } from '../app/manifest/manifest.ts';
import { ownCode } from '../app/own-code.ts';
import { reportPackageKind } from '../app/package-kind.ts';
import { Findings, morePlaces } from '../findings.ts';
import { apiLevelOfCodename } from '../formats/apk-signature/platform-versions.ts';
import { readSigner, signatureName, verifySignatures } from '../formats/apk-signature/verify.ts';
import { printXml } from '../formats/axml/xml-text.ts';
import type { Dex } from '../formats/dex/dex.ts';
import type { ZipArchive } from '../formats/zip/archive.ts';
import { CodeSketcher } from '../similarity/code-sketch.ts';
import { OwnStringCollector } from '../similarity/own-strings.ts';
import { ssdeep } from '../similarity/ssdeep.ts';
import { androguardReport, unreadSignature } from './androguard-report.ts';
import { codeNames } from './code-names.ts';
import { appClasses, type CodeOrigins, codeOrigins, knownMethods } from './code-origins.ts';
import type { CodeRule } from './code-rules.ts';
import { type Contents, type DexFiles, type EntryVisit, readContents, readDexFiles } from './contents.ts';
import { cuckooReport, reportStrings } from './cuckoo-report.ts';
import { type CodeSurvey, surveyCode } from './dex-survey.ts';
import { digestFile } from './file-digests.ts';
import { fingerprintOf } from './fingerprint.ts';
import { identityOf } from './identity.ts';
import { IndicatorCollector } from './indicators.ts';
import { reportLayout } from './installation.ts';
import { reportManifest } from './manifest-findings.ts';
import { reportReferenced } from './referenced-files.ts';
import { reportSignature } from './signature-findings.ts';
import { isCredential, mayHoldSecret, secretOf } from './weaknesses/secrets.ts';
import { reportTapjacking } from './weaknesses/tapjacking.ts';
import { reportWeaknesses } from './weaknesses/weaknesses.ts';

export interface StaticOptions {
  /** As the file was called when it came in. */
  fileName: string;
  /** Told of each stage and how much of it is done, 0 to 1. */
  progress?: (stage: string, done: number) => void;
  /** Sees what is unpacked. */
  visit?: EntryVisit | undefined;
}

/**
 * Analyses an APK. A part that is broken is missing from the report, with a finding `analysis-incomplete`.
 * @throws FormatError `not-a-zip`, `zip-limit` or `no-manifest` where the file is no Android app
 */
export function analyzeStatic(source: ByteSource, options: StaticOptions): StaticResult {
  return new StaticAnalysis(source, options, null).run();
}

/**
 * Analyses code that is no app, with what such a report has: neither manifest nor signature.
 * @param archive holds it where an app would
 */
export function analyzeCode(source: ByteSource, archive: ZipArchive, options: StaticOptions): StaticResult {
  return new StaticAnalysis(source, options, archive).run();
}

const emptySurvey: CodeSurvey = {
  functionalities: {},
  rules: [],
  permissionUses: [],
  judgedCalls: [],
  judgedClasses: new Map(),
  counts: { dexes: 0, classes: 0, methods: 0, instructions: 0, nativeMethods: 0 },
  addresses: [],
  secrets: [],
  guardsTouches: false,
  loadedStrings: new Set(),
  isLoadedCut: false,
};
const emptyContents: Contents = {
  ...{
    files: [],
    libraries: [],
    nativeFunctions: [],
    bundles: { records: [], strings: [] },
    cordova: null,
    openPasswordScreens: [],
  },
  carriesCode: false,
  entriesRead: null,
};
const noDexFiles: DexFiles = new Map();
const noOrigins: CodeOrigins = { trackers: [], libraries: [], packers: [] };

class StaticAnalysis {
  readonly #source: ByteSource;
  readonly #options: StaticOptions;
  /** Holds code that is no app; null: it is one. */
  readonly #bare: ZipArchive | null;
  readonly #findings = new Findings();
  readonly #timings: Record<string, number> = {};
  readonly #started = Date.now();

  constructor(source: ByteSource, options: StaticOptions, bare: ZipArchive | null) {
    this.#source = source;
    this.#options = options;
    this.#bare = bare;
  }

  run(): StaticResult {
    const findings = this.#findings;
    const indicators = new IndicatorCollector(findings);
    const app = this.#timed('open', () => this.#app());
    const { manifest, archive } = app;
    const { tlsh, ...digests } = this.#timed('digests', () => digestFile(this.#source));
    const dexFiles = this.#stage('dexes', noDexFiles, () => readDexFiles(archive, findings));
    const signature =
      this.#stage('signature', null, () => (this.#bare === null ? verified(app, minSdkVersionOf(manifest)) : null)) ??
      unreadSignature(minSdkVersionOf(manifest) ?? 1, 'not read');
    const readFiles = [...dexFiles.values()].filter((file) => file !== null);
    const dexes = readFiles.flatMap(({ parts }) => parts);
    const classes = appClasses(dexes, manifest?.packageName ?? '');
    const sketcher = new CodeSketcher(knownMethods(), ownCode(manifest));
    const ownStrings = new OwnStringCollector();
    const survey = this.#stage('code', emptySurvey, () => surveyCode(classes, findings, { sketcher, ownStrings }));
    // Addresses of the app's own code come first: thousands in other files must not crowd them out of the list.
    const texts = this.#stage('indicators', [], () => collect(app, survey, indicators));
    const contents = this.#stage('contents', emptyContents, () =>
      readContents(archive, dexFiles, indicators, findings, {
        progress: (done) => this.#progress('contents', done),
        visit: this.#options.visit,
      }),
    );
    const fuzzyHashes = this.#timed(
      'similarity',
      () => new Map(readFiles.map(({ name, bytes }) => [name, ssdeep(bytes)])),
    );
    const origins = this.#stage('origins', noOrigins, () => this.#origins(app, dexes));
    const names = this.#stage('names', '', () => codeNames(classes));
    const sketch = survey === emptySurvey ? null : this.#stage('sketch', null, () => sketcher.sketch());
    this.#stage('findings', null, () => this.#report(app, signature, survey, origins));
    this.#stage('weaknesses', null, () => {
      reportWeaknesses(classes, survey, app, findings);
      reportSecrets(texts, survey, findings);
      reportTapjacking(contents.openPasswordScreens, survey.guardsTouches, findings);
    });
    const text = this.#stage('manifest', null, () =>
      app.document === null ? null : printXml(app.document, app.resources),
    );
    const strings = this.#timed('strings', () =>
      reportStrings(survey.loadedStrings, app.resources?.strings() ?? [], contents),
    );
    if (strings.isCut || survey.isLoadedCut) {
      findings.add('report-cut', 'strings', `${strings.strings.length} strings are listed, there are more`);
    }
    const identity = this.#timed('identity', () => this.#identity(app, signature));
    const fingerprint = this.#stage('fingerprint', null, () =>
      fingerprintOf({
        contents,
        dexFiles: readFiles,
        digest: { tlsh, ssdeep: digests.ssdeep },
        ssdeep: fuzzyHashes,
        icon: identity.icon,
      }),
    );
    const parts = {
      manifest,
      signature,
      contents,
      dexFiles: readFiles,
      fuzzyHashes,
      survey,
      origins,
      indicators,
      findings,
    };
    const androguard = androguardReport({ ...parts, signatureName: signatureName(archive) });
    const cuckoo = cuckooReport({
      fileName: this.#options.fileName,
      size: this.#source.size,
      digests,
      hasSigningBlock: signature.signing_block.length > 0,
      findings: androguard.findings,
      strings: strings.strings,
      started: this.#started,
      ended: Date.now(),
    });
    const { files, carriesCode, entriesRead } = contents;
    return {
      ...{ identity, androguard, cuckoo, manifest: text, files, carriesCode, entriesRead, names },
      ...{ sketch, fingerprint, ownStrings: ownStrings.strings(), timings: this.#timings },
    };
  }

  #app(): AppPackage {
    if (this.#bare === null) return openPackage(this.#source, this.#findings);
    return { archive: this.#bare, document: null, manifest: null, resources: null };
  }

  #progress(stage: string, done: number): void {
    this.#options.progress?.(stage, done);
  }

  #timed<T>(stage: string, run: () => T): T {
    this.#progress(stage, 0);
    const start = performance.now();
    const result = run();
    this.#timings[stage] = Math.round((performance.now() - start) * 100) / 100;
    return result;
  }

  #stage<T, Fallback>(stage: string, fallback: Fallback, run: () => T): T | Fallback {
    return this.#timed(stage, () => attempt(this.#findings, stage, fallback, run));
  }

  #origins({ archive, manifest }: AppPackage, dexes: readonly Dex[]): CodeOrigins {
    const application = [manifest?.application.name, manifest?.application.appComponentFactory].filter(
      (name): name is string => typeof name === 'string',
    );
    return codeOrigins(
      manifest?.packageName ?? '',
      descriptorsOf(dexes),
      application,
      archive.entries.map(({ name }) => name),
    );
  }

  #report(app: AppPackage, signature: SignatureReport, survey: CodeSurvey, origins: CodeOrigins): void {
    const findings = this.#findings;
    if (this.#bare === null) reportPackageKind(app.archive, app.manifest, findings);
    if (app.manifest !== null) {
      reportManifest(app.manifest, findings);
      reportLayout(app.archive, app.manifest, findings);
    }
    reportReferenced(app, findings);
    if (this.#bare === null) reportSignature(signature, acceptedFrom(app, signature), findings, this.#started);
    for (const { name, kind, where, evidence } of origins.packers) {
      findings.add(`packer-${kind === 'obfuscator' ? 'protector' : kind}`, where, `${name}: ${evidence}`);
    }
    for (const { rule, count, ownCount, places } of survey.rules) {
      if (!mayDo(rule, app.manifest)) continue;
      // What only libraries do is ordinary, unless it is grave: anybody may use a library's package name.
      const isOrdinary = ownCount === 0 && findingCatalogue[rule.code].severity === 'low';
      const severity = isOrdinary ? 'info' : undefined;
      for (const { where, code } of places) findings.add(rule.code, where, code, severity);
      const more = count - places.length;
      if (more > 0) findings.add(rule.code, '', morePlaces(more), severity);
    }
    if (survey.counts.nativeMethods > 0) {
      findings.add('code-native-methods', 'code', `${survey.counts.nativeMethods} methods are native`);
    }
  }

  #identity(app: AppPackage, signature: SignatureReport) {
    const signer = attempt(this.#findings, 'signature', null, () => readSigner(app.archive));
    const identity = identityOf(app, signer?.certificate ?? null, new Findings());
    if (signer !== null && !signature.verified) identity.corruptions.push(corruptions.signature);
    return identity;
  }
}

function verified({ archive, manifest, document }: AppPackage, minSdkVersion: number | null): SignatureReport {
  const sandbox = document?.root?.attributes.find(({ name }) => name === 'targetSandboxVersion');
  return verifySignatures(archive, minSdkVersion, {
    targetSdkVersion: manifest?.effectiveTargetSdkVersion ?? null,
    targetSandboxVersion: sandbox?.data ?? null,
  });
}

/** The first API levels that know scheme v2, v3 and v3.1. */
const schemeLevels = [24, 28, 33];

/** The API level from which on Android installs an app that older ones refuse; null where there is none. */
function acceptedFrom(
  app: AppPackage,
  { verified: isVerified, min_sdk_version, schemes }: SignatureReport,
): number | null {
  if (isVerified || !schemes.some(({ scheme, verified: holds }) => scheme !== 'v1' && holds === true)) return null;
  return schemeLevels.find((level) => level > min_sdk_version && verified(app, level).verified) ?? null;
}

/** Whether an app has a permission that what a rule finds takes; a split's are in its base's manifest. */
function mayDo({ permissions }: CodeRule, manifest: Manifest | null): boolean {
  if (permissions === undefined || manifest === null || manifest.splitName !== null) return true;
  return manifest.usesPermissions.some(({ name }) => permissions.includes(name.replace('android.permission.', '')));
}

/** The oldest platform that accepts the app, by all `uses-sdk` elements, with preview code names. */
function minSdkVersionOf(manifest: Manifest | null): number | null {
  let oldest: number | null = null;
  for (const demand of manifest?.minSdkDemands ?? []) {
    const level = typeof demand === 'number' ? demand : apiLevelOfCodename(demand);
    if (level !== null) oldest = Math.max(oldest ?? level, level);
  }
  return oldest;
}

function* descriptorsOf(dexes: readonly Dex[]): Generator<string> {
  for (const dex of dexes) for (let index = 0; index < dex.classCount; index++) yield dex.className(index);
}

/** A text that stands in the resources or the manifest, and the first places where. */
interface DeclaredText {
  readonly text: string;
  readonly where: readonly string[];
}

const mayHoldAddress = (text: string): boolean => text.includes('.') && !text.startsWith('res/');

/**
 * Collects addresses in constants, resources and the manifest; those of other files are found while they are read.
 * @returns the texts of resources and manifest that may hold a secret, which are read along
 */
function collect(
  { document, resources }: AppPackage,
  survey: CodeSurvey,
  indicators: IndicatorCollector,
): DeclaredText[] {
  for (const { text, where } of survey.addresses) indicators.addConstant(text, where);
  const secrets: DeclaredText[] = [];
  for (const { text, names } of resources?.namedStrings((text) => mayHoldAddress(text) || mayHoldSecret(text)) ?? []) {
    const where = names.length === 0 ? ['resources.arsc'] : names;
    if (mayHoldAddress(text)) indicators.addConstant(text, where);
    if (mayHoldSecret(text)) secrets.push({ text, where });
  }
  for (const text of document?.strings ?? []) {
    if (text.includes('://') && !text.startsWith('http://schemas.android.com/'))
      indicators.addConstant(text, ['AndroidManifest.xml']);
    if (mayHoldSecret(text)) secrets.push({ text, where: ['AndroidManifest.xml'] });
  }
  return secrets;
}

/** How the place of a text among the resources begins. */
const string = '@string/';

/** Secrets of services in constants, resources and the manifest, and texts that are named as a password or key. */
function reportSecrets(texts: readonly DeclaredText[], survey: CodeSurvey, findings: Findings): void {
  for (const { text, where } of [...survey.secrets, ...texts]) {
    const secret = secretOf(text);
    if (secret !== null) findings.add(secret.code, where[0]!, `${secret.name}: ${text}`, secret.severity);
  }
  for (const { text, where } of texts) {
    const name = where.find((each) => each.startsWith(string) && isCredential(each.slice(string.length), text));
    if (name !== undefined) findings.add('weakness-secret', name, text, 'medium');
  }
}
