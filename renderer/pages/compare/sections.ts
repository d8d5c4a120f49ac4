// The parts of a comparison: what of each report is put side by side. Knows reports, not how differences are shown.
import type { ApkDetail } from '../../../server/contract/catalogue/apk.ts';
import type {
  AndroguardReport,
  ArchiveEntryRecord,
  CertificateRecord,
  ComponentRecord,
} from '../../../server/contract/engine/reports.ts';
import { findingText } from '../../../server/contract/findings/finding-catalogue.ts';
import type { Match } from '../../../server/contract/rules/match.ts';
import { codeAddress, fileAddress } from '../../components/place/place-address.ts';
import { formatCount } from '../../components/text/counted.ts';
import { formatDay, formatSize } from '../../components/text/format.ts';
import { functionalitiesTexts } from '../apk/abilities/texts.ts';
import { componentsTexts } from '../apk/components/texts.ts';
import { indicatorsTexts } from '../apk/indicators/texts.ts';
import { permissionsTexts } from '../apk/permissions/texts.ts';
import { signatureTexts, signatureVerdict } from '../apk/signature/texts.ts';
import { androidVersion, severitiesTexts } from '../apk/summary/texts.ts';
import { type Difference, differencesOf, type Entry, sortedDifferencesOf, withMoved } from './differences.ts';
import { compareTexts as words } from './texts.ts';
export type SectionName = keyof typeof words.sections;

export const sectionGroups: readonly { group: keyof typeof words.groups; sections: readonly SectionName[] }[] = [
  { group: 'declared', sections: ['app', 'permissions', 'components', 'signer', 'manifest'] },
  {
    group: 'content',
    sections: [
      'files',
      'resources',
      'native',
      'classes',
      'methods',
      'code',
      'abilities',
      'libraries',
      'addresses',
      'strings',
    ],
  },
  { group: 'judged', sections: ['findings', 'matches', 'detections'] },
];
export const sectionNames: readonly SectionName[] = sectionGroups.flatMap(({ sections }) => sections);

/** One side. */
export interface Side {
  apk: ApkDetail;
  report: AndroguardReport;
}
type Entries = (side: Side) => Entry[];

/** Facts by name; those that a side does not state are left out. */
const facts = (lines: readonly (readonly [string, string | number | null])[]): Entry[] =>
  lines.flatMap(([name, text]) => (text === null || text === '' ? [] : [{ name, text: String(text) }]));

const sdk = (level: number | null) => (level === null ? null : `${level} (${androidVersion(level)})`);

const appEntries: Entries = ({ apk, report }) => [
  ...facts([
    [words.facts.app, apk.app],
    [words.facts.package, apk.package_name],
    [words.facts.version, apk.version],
    [words.facts.versionCode, apk.version_code],
    [words.facts.size, `${formatSize(apk.size)} (${formatCount(apk.size)} B)`],
    [words.facts.min, sdk(report.min_sdk_version)],
    [words.facts.target, sdk(report.target_sdk_version)],
    [words.facts.max, sdk(report.max_sdk_version)],
    [words.facts.main, report.main_activity],
    [words.facts.abis, [...new Set(report.native_libraries.map(({ abi }) => abi))].sort().join(', ')],
    [words.facts.frameworks, report.cordova],
  ]),
  ...Object.entries(report.application).map(([name, text]) => ({ name: words.facts.application(name), text })),
  ...report.features.map(({ name, required }) => ({
    name: words.facts.feature(name),
    text: required ? words.required : words.optional,
  })),
  ...report.libraries.map((name) => ({ name: words.facts.library(name), text: words.asked })),
  ...Object.entries(report.api_key).map(([name, text]) => ({ name: words.facts.key(name), text })),
];

const permissionEntries: Entries = ({ apk, report }) =>
  report.permission_details.map(({ name, protection_level, max_sdk_version }) => ({
    name,
    text: [
      permissionsTexts.levels[protection_level],
      max_sdk_version === null ? '' : permissionsTexts.maxSdk(max_sdk_version),
    ]
      .filter(Boolean)
      .join(', '),
    address: `/apks/${apk.sha256}/permissions`,
  }));

/** What of a component decides who can reach it, and by what. */
function componentText(component: ComponentRecord): string {
  const components = componentsTexts;
  const named = (label: string, value: string | null) => (value === null ? '' : `${label} ${value}`);
  return [
    component.exported ? components.exported : components.internal,
    component.enabled ? '' : components.disabled,
    named(components.permission, component.permission),
    named(components.read, component.read_permission),
    named(components.write, component.write_permission),
    named(components.process, component.process),
    named(components.target, component.target_activity),
    component.authorities.join(', '),
    ...component.intent_filters.map(({ actions, categories, data }) =>
      [...actions, ...categories, ...data.map((one) => Object.values(one).join(' '))].join(' '),
    ),
  ]
    .filter(Boolean)
    .join(' · ');
}

const componentEntries: Entries = ({ apk, report }) =>
  report.components.map((component) => ({
    name: `${component.name} (${componentsTexts.kind[component.kind]})`,
    text: componentText(component),
    address: codeAddress(apk.sha256, `L${component.name.replaceAll('.', '/')};`),
  }));

/** The certificate that decides over updates: of the first signer on the newest platform. */
export const certificateOf = ({ certificate, signature }: AndroguardReport): CertificateRecord | null =>
  signature.signers[0]?.[0] ?? certificate;

const signerEntries: Entries = ({ report: { signature, certificate } }) => {
  const { signer, sections } = words;
  const own = signature.signers.flatMap((chain) => chain.slice(0, 1));
  const certificates = own.length > 0 || certificate === null ? own : [certificate];
  return [
    { name: signer.verdict, text: signatureVerdict(signature) },
    ...signature.schemes
      .filter(({ present }) => present)
      .map(({ scheme, verified }) => ({
        name: signer.scheme(scheme),
        text: verified === null ? signatureTexts.unchecked : verified ? signatureTexts.verifies : signatureTexts.fails,
      })),
    ...certificates.flatMap((one, index) =>
      facts([
        [signer.of(signer.certificate, index + 1, certificates.length), one.sha256],
        [signer.of(signatureTexts.subject, index + 1, certificates.length), one.subjectDN],
        [signer.of(signatureTexts.issuer, index + 1, certificates.length), one.issuerDN],
        [
          signer.of(signatureTexts.valid, index + 1, certificates.length),
          `${formatDay(one.not_before)} – ${formatDay(one.not_after)}`,
        ],
        [signer.of(signatureTexts.key, index + 1, certificates.length), one.public_key],
        [signer.of(signatureTexts.keySha256, index + 1, certificates.length), one.public_key_sha256],
        [signer.of(signatureTexts.serial, index + 1, certificates.length), one.serial],
      ]),
    ),
    ...facts([[signer.lineage, signature.lineage.length === 0 ? null : signature.lineage.length]]),
    ...facts([[sections.signer, certificates.length === 0 ? signatureTexts.noCertificate : null]]),
  ];
};

const codeEntries: Entries = ({ report: { code, dexes } }) => [
  ...(['dexes', 'classes', 'methods', 'instructions'] as const).map((name) => ({
    name: words.code[name],
    text: formatCount(code[name]),
  })),
  ...Object.entries(dexes).map(([name, { sha256 }]) => ({ name: words.code.bytes(name), text: sha256 })),
];

const abilityEntries: Entries = ({ apk, report }) =>
  Object.entries(report.functionalities).flatMap(([name, uses]) =>
    uses === undefined || uses.length === 0
      ? []
      : [
          {
            name: functionalitiesTexts[name] ?? name,
            text: words.counts.places(uses.length),
            address: `/apks/${apk.sha256}/abilities?name=${encodeURIComponent(name)}`,
          },
        ],
  );

const libraryEntries: Entries = ({ apk, report }) =>
  [...report.trackers, ...report.known_libraries].map(({ name, prefix, classes }) => ({
    name: prefix === '' ? name : `${name} (${prefix})`,
    text: words.counts.classes(classes),
    address: `/apks/${apk.sha256}/libraries`,
  }));

const addressEntries: Entries = ({ apk, report: { indicators } }) =>
  (['urls', 'domains', 'ips', 'emails'] as const).flatMap((kind) =>
    indicators[kind].map(({ value, where }) => ({
      name: value,
      // The offset changes with every build: only whether it is there counts.
      value: kind,
      text: `${indicatorsTexts.kinds[kind]}, ${words.counts.places(where.length)}`,
      address: `/apks/${apk.sha256}/indicators?kind=${kind}`,
    })),
  );

const findingEntries: Entries = ({ apk, report }) =>
  [...Map.groupBy(report.findings, ({ code }) => code)].map(([code, findings]) => ({
    name: findingText(code).title,
    text: `${severitiesTexts[findings[0]!.severity]} ×${formatCount(findings.length)}`,
    address: `/apks/${apk.sha256}/summary`,
  }));

const detectionEntries: Entries = ({ apk }) =>
  apk.detections.map(({ source, information }) => ({
    name: source,
    text: JSON.stringify(information),
    address: `/apks/${apk.sha256}/community`,
  }));

/** Parts that are made of the two static reports. */
const ofReports: Partial<Record<SectionName, (first: Side, second: Side) => Difference[]>> = {
  app: (first, second) => differencesOf(appEntries(first), appEntries(second)),
  permissions: (first, second) => sortedDifferencesOf(permissionEntries(first), permissionEntries(second)),
  components: (first, second) => sortedDifferencesOf(componentEntries(first), componentEntries(second)),
  signer: (first, second) => differencesOf(signerEntries(first), signerEntries(second)),
  code: (first, second) => differencesOf(codeEntries(first), codeEntries(second)),
  abilities: (first, second) => sortedDifferencesOf(abilityEntries(first), abilityEntries(second)),
  libraries: (first, second) => sortedDifferencesOf(libraryEntries(first), libraryEntries(second)),
  addresses: (first, second) => sortedDifferencesOf(addressEntries(first), addressEntries(second)),
  findings: (first, second) => sortedDifferencesOf(findingEntries(first), findingEntries(second)),
  detections: (first, second) => sortedDifferencesOf(detectionEntries(first), detectionEntries(second)),
};

export const reportDifferences = (first: Side, second: Side): Partial<Record<SectionName, Difference[]>> =>
  Object.fromEntries(Object.entries(ofReports).map(([name, compare]) => [name, compare(first, second)]));

/** The digits of a hash that tell two files of one APK apart. */
const shortHash = 16;

const contentOf = ({ sha256, crc32, size }: ArchiveEntryRecord) => `${sha256 ?? crc32} ${size}`;

const fileEntries = (sha256: string, files: readonly ArchiveEntryRecord[]): Entry[] =>
  files.map((file) => {
    const hash = file.sha256 ?? `CRC-32 ${file.crc32}`;
    return {
      name: file.name,
      value: contentOf(file),
      text: `${formatSize(file.size)} · ${file.sha256 === null ? hash : hash.slice(0, shortHash)}`,
      address: fileAddress(sha256, file.name),
    };
  });

/** Bytes below which files are equal by chance, such as version numbers: none of them counts as renamed. */
const smallestMoved = 64;

/** Files by their content: changed under the same name, or the same under another. */
export function fileDifferences(
  first: { sha256: string; files: readonly ArchiveEntryRecord[] },
  second: { sha256: string; files: readonly ArchiveEntryRecord[] },
): Difference[] {
  const all = sortedDifferencesOf(fileEntries(first.sha256, first.files), fileEntries(second.sha256, second.files));
  const sizes = new Map([...first.files, ...second.files].map((file) => [contentOf(file), file.size]));
  return withMoved(all, ({ value }) => (sizes.get(value ?? '') ?? 0) >= smallestMoved);
}

const matchEntries = (sha256: string, matches: readonly Match[]): Entry[] =>
  matches.map(({ ruleset, rules_matched }) => ({
    name: ruleset.name,
    text: [...new Set(rules_matched.map(({ name }) => name))].sort().join(', '),
    address: `/apks/${sha256}/matches`,
  }));

export const matchDifferences = (
  first: { sha256: string; matches: readonly Match[] },
  second: { sha256: string; matches: readonly Match[] },
): Difference[] =>
  sortedDifferencesOf(matchEntries(first.sha256, first.matches), matchEntries(second.sha256, second.matches));

/** Strings have no value to compare: each is there or not. */
export const stringDifferences = (first: readonly string[], second: readonly string[]): Difference[] => {
  const entries = (strings: readonly string[]) => [...new Set(strings)].map((name) => ({ name, text: '' }));
  return sortedDifferencesOf(entries(first), entries(second));
};
