// What the static report of an APK says, as named entries that can be compared. Knows no bytes and no other APK.
import type { Facts } from '../../contract/engine/comparison.ts';
import type { AndroguardReport, ArchiveEntryRecord } from '../../contract/engine/reports.ts';
import type { Entry } from './differences.ts';

const stated = (facts: Record<string, string | number | boolean | null | undefined>): Facts =>
  Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string | number | boolean] => {
      const [, value] = fact;
      return value !== null && value !== undefined && value !== '';
    }),
  );

const valued = (name: string, value: string | number | boolean | null): Entry[] =>
  value === null || value === '' ? [] : [{ name, facts: { value } }];

export const appEntries = (report: AndroguardReport): Entry[] => [
  ...(
    [
      'app_name',
      'package_name',
      'displayed_version',
      'version_code',
      'main_activity',
      'min_sdk_version',
      'target_sdk_version',
      'max_sdk_version',
      'cordova',
    ] as const
  ).flatMap((name) => valued(name, report[name])),
  ...Object.entries(report.application).flatMap(([name, value]) => valued(`application ${name}`, value)),
  ...report.features.map(({ name, required }) => ({ name: `feature ${name}`, facts: { required } })),
  ...report.libraries.map((name) => ({ name: `library ${name}`, facts: {} })),
  ...Object.entries(report.api_key).flatMap(([name, value]) => valued(`meta-data ${name}`, value)),
];

export const permissionEntries = (report: AndroguardReport): Entry[] =>
  report.permission_details.map(({ name, protection_level, max_sdk_version }) => ({
    name,
    facts: stated({ protection_level, max_sdk_version }),
  }));

export const componentEntries = (report: AndroguardReport): Entry[] =>
  report.components.map((component) => ({
    name: component.name,
    facts: stated({
      kind: component.kind,
      exported: component.exported,
      enabled: component.enabled,
      permission: component.permission,
      read_permission: component.read_permission,
      write_permission: component.write_permission,
      process: component.process,
      authorities: component.authorities.join(' '),
      target_activity: component.target_activity,
      filters: component.intent_filters.map((filter) => JSON.stringify(filter)).join(' '),
    }),
  }));

export const certificateEntries = ({ signature, certificate }: AndroguardReport): Entry[] => {
  const own = signature.signers.flatMap((chain) => chain.slice(0, 1));
  const certificates = own.length > 0 || certificate === null ? own : [certificate];
  return [
    { name: 'signature verifies', facts: { value: signature.verified } },
    ...signature.schemes
      .filter(({ present }) => present)
      .map(({ scheme, verified }) => ({ name: `scheme ${scheme}`, facts: { verified: verified ?? 'not checked' } })),
    ...certificates.map((one, place) => ({
      name: `signer ${place + 1}`,
      facts: stated({
        sha256: one.sha256,
        subject: one.subjectDN,
        issuer: one.issuerDN,
        serial: one.serial,
        not_before: one.not_before,
        not_after: one.not_after,
        public_key: one.public_key,
      }),
    })),
    ...signature.lineage.map(({ certificate: { sha256 } }, place) => ({
      name: `lineage ${place + 1}`,
      facts: { sha256 },
    })),
  ];
};

/** Bytes below which files are equal by chance, such as version numbers: none of them counts as renamed. */
const smallestMoved = 64;

export const fileEntries = (files: readonly ArchiveEntryRecord[]): Entry[] =>
  files.map(({ name, size, sha256, crc32, type }) => ({
    name,
    facts: stated({ size, sha256, crc32: sha256 === null ? crc32 : null, type }),
    mark: size < smallestMoved ? null : `${sha256 ?? crc32} ${size}`,
  }));

/** Libraries, then what they take and offer, by symbol. */
export const nativeEntries = (report: AndroguardReport): Entry[] =>
  report.native_libraries.flatMap(({ path, machine, soname, needed, imports, exports, sha256, size }) => [
    { name: path, facts: stated({ size, sha256, machine, soname, needed: needed.join(' ') }) },
    ...imports.map((symbol) => ({ name: `${path} import ${symbol}`, facts: {} })),
    ...exports.map((symbol) => ({ name: `${path} export ${symbol}`, facts: {} })),
  ]);

export const codeEntries = ({ code, dexes }: AndroguardReport): Entry[] => [
  ...(['dexes', 'classes', 'methods', 'instructions'] as const).flatMap((name) => valued(name, code[name])),
  ...Object.entries(dexes).map(([name, { sha256 }]) => ({ name: `${name}.dex`, facts: { sha256 } })),
];

export const functionalityEntries = ({ functionalities }: AndroguardReport): Entry[] =>
  Object.entries(functionalities).flatMap(([name, uses = []]) =>
    uses.length === 0 ? [] : [{ name, facts: { places: uses.length } }],
  );

export const libraryEntries = ({ trackers, known_libraries }: AndroguardReport): Entry[] =>
  [...trackers, ...known_libraries].map(({ name, prefix, classes }) => ({ name, facts: stated({ prefix, classes }) }));

/** How often one is there, and where, changes with every build: only whether it is counts. */
export const indicatorEntries = ({ indicators }: AndroguardReport): Entry[] =>
  (['urls', 'domains', 'ips', 'emails'] as const).flatMap((kind) =>
    indicators[kind].map(({ value, where }) => ({ name: value, value: kind, facts: { kind, places: where.length } })),
  );

export const findingEntries = ({ findings }: AndroguardReport): Entry[] =>
  [...Map.groupBy(findings, ({ code }) => code)].map(([name, found]) => ({
    name,
    facts: { severity: found[0]!.severity, places: found.length },
  }));

export const stringEntries = (strings: readonly string[]): Entry[] =>
  [...new Set(strings)].map((name) => ({ name, facts: {} }));
