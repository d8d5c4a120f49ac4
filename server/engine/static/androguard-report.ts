// Assembles the report in androguard's keys from what the readers and surveys found. Reads no bytes itself.
import type {
  AndroguardReport,
  ComponentRecord,
  PermissionDetail,
  SignatureReport,
} from '../../contract/engine/reports.ts';
import type { Component, ComponentKind } from '../app/manifest/components.ts';
import type { Manifest } from '../app/manifest/manifest.ts';
import type { MetaData } from '../app/manifest/meta-data.ts';
import { permissionDetail } from '../app/permissions.ts';
import type { Findings } from '../findings.ts';
import type { CodeOrigins } from './code-origins.ts';
import type { Contents, DexFile } from './contents.ts';
import type { CodeSurvey } from './dex-survey.ts';
import type { IndicatorCollector } from './indicators.ts';

/** Everything the report is made of; null where a part could not be read. */
export interface ReportParts {
  readonly manifest: Manifest | null;
  readonly signature: SignatureReport;
  readonly signatureName: string;
  readonly contents: Contents;
  readonly dexFiles: readonly DexFile[];
  /** Fuzzy hash by dex name. */
  readonly fuzzyHashes: ReadonlyMap<string, string>;
  readonly survey: CodeSurvey;
  readonly origins: CodeOrigins;
  readonly indicators: IndicatorCollector;
  readonly findings: Findings;
}

/** The signature report of an app whose signatures could not be looked at. */
export const unreadSignature = (minSdkVersion: number, message: string): SignatureReport => ({
  verified: false,
  min_sdk_version: minSdkVersion,
  schemes: [],
  signers: [],
  lineage: [],
  signing_block: [],
  source_stamp: null,
  errors: [{ code: 'unreadable', message }],
});

/** The report; `findings` are listed in it as they stand. */
export function androguardReport(parts: ReportParts): AndroguardReport {
  const { manifest, signature, contents, survey, origins } = parts;
  const indicators = parts.indicators.list();
  const components = manifest?.components ?? [];
  const namesOf = (...kinds: ComponentKind[]) =>
    components.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
  const { nativeMethods: _, ...code } = survey.counts;
  return {
    app_name: manifest?.appName ?? '',
    package_name: manifest?.packageName ?? '',
    displayed_version: manifest?.versionName ?? '',
    version_code: manifest?.versionCode ?? '',
    main_activity: manifest?.mainActivity ?? '',
    signature_name: parts.signatureName,
    min_sdk_version: manifest?.minSdkVersion ?? null,
    target_sdk_version: manifest?.targetSdkVersion ?? null,
    max_sdk_version: manifest?.maxSdkVersion ?? null,
    activities: namesOf('activity'),
    services: namesOf('service'),
    receivers: namesOf('receiver'),
    providers: namesOf('provider'),
    filters: filtersOf(components),
    permissions: manifest?.usesPermissions.map(({ name }) => name) ?? [],
    new_permissions: distinct(manifest?.definedPermissions.map(({ name }) => name) ?? []),
    urls: parts.indicators.urls(),
    libraries: manifest?.usesLibraries.filter(({ kind }) => kind === 'java').map(({ name }) => name) ?? [],
    certificate: signature.signers[0]?.[0] ?? null,
    dexes: Object.fromEntries(
      parts.dexFiles.map(({ name, sha256 }) => [
        name.replace(/\.dex$/, ''),
        { sha256, ssdeep: parts.fuzzyHashes.get(name) ?? '' },
      ]),
    ),
    api_key: manifest === null ? {} : apiKeys(manifest),
    cordova: contents.cordova,
    wearable: manifest?.isWearable ?? false,
    androidtv: manifest?.isAndroidTv ?? false,
    functionalities: survey.functionalities,

    app_names: manifest?.appNames ?? {},
    application: manifest?.application.attributes ?? {},
    features: manifest?.usesFeatures.map(({ name, required }) => ({ name, required })) ?? [],
    components: components.map(componentRecord),
    permission_details: manifest === null ? [] : permissionDetails(manifest),
    permissions_in_use: survey.permissionUses
      .filter(({ permission }) => manifest?.usesPermissions.some(({ name }) => name === permission) === true)
      .map(({ permission, count, place: { where, code } }) => ({ name: permission, count, where, code })),
    implied_permissions: (manifest?.impliedPermissions ?? []).map(({ name, maxSdkVersion, reason }) => ({
      name,
      max_sdk_version: maxSdkVersion,
      reason,
    })),
    indicators,
    signature,
    trackers: origins.trackers,
    known_libraries: origins.libraries,
    native_libraries: contents.libraries,
    bundles: contents.bundles.records,
    code,
    findings: parts.findings.list(),
  };
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)];

/** Actions and categories of every intent filter, in the order of the manifest. */
function filtersOf(components: readonly Component[]): string[] {
  const filters = components.flatMap(({ intentFilters }) => intentFilters);
  return distinct(filters.flatMap(({ actions, categories }) => [...actions, ...categories]));
}

const metaDataText = ({ value, resource }: MetaData): string => value ?? (resource === null ? '' : `@${resource}`);

/** Keys have `::` for dots, as in androguard's reports, whose database took no dots. */
function apiKeys({ metaData, components }: Manifest): Record<string, string> {
  const all = [...metaData, ...components.flatMap((component) => component.metaData)];
  const keys = new Map<string, string>();
  for (const each of all) {
    const key = each.name.replaceAll('.', '::');
    if (!keys.has(key)) keys.set(key, metaDataText(each));
  }
  return Object.fromEntries(keys);
}

function componentRecord(component: Component): ComponentRecord {
  return {
    kind: component.kind,
    name: component.name,
    exported: component.exported,
    exported_attribute: component.exportedAttribute,
    enabled: component.enabled,
    permission: component.permission,
    read_permission: component.readPermission,
    write_permission: component.writePermission,
    process: component.process,
    authorities: component.authorities,
    target_activity: component.targetActivity,
    intent_filters: component.intentFilters.map(({ actions, categories, data, priority, autoVerify }) => ({
      actions,
      categories,
      data,
      priority,
      auto_verify: autoVerify,
    })),
    meta_data: Object.fromEntries(component.metaData.map((each) => [each.name, metaDataText(each)])),
  };
}

function permissionDetails({ usesPermissions, definedPermissions }: Manifest): PermissionDetail[] {
  const own = new Map(definedPermissions.map((permission) => [permission.name, permission]));
  return usesPermissions.map(({ name, maxSdkVersion }) => permissionDetail(name, maxSdkVersion, own.get(name) ?? null));
}
