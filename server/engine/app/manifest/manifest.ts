// The record of an app's manifest, as Android reads it from binary XML and the resource table. Knows no archive and no
// report.
import type { Findings } from '../../findings.ts';
import type { ResourceTable } from '../../formats/arsc/resource-table.ts';
import { isElement, type XmlDocument, type XmlElement } from '../../formats/axml/document.ts';
import { FormatError } from '../../formats/byte-reader.ts';
import { readAppNames } from './app-name.ts';
import { type Component, qualifiedName, readComponents } from './components.ts';
import { AttributeReader, childElements, maxNameLength } from './element-attributes.ts';
import { mainActivitiesOf } from './main-activity.ts';
import { type MetaData, readMetaData } from './meta-data.ts';
import {
  type DefinedPermission,
  type ImpliedPermission,
  impliedPermissions,
  readDefinedPermissions,
  readRequestedName,
  readUsedPermissions,
  type UsedPermission,
} from './permissions.ts';

const where = 'AndroidManifest.xml';

/** Attributes of `application`; null where the manifest does not say. */
export interface Application {
  /** Fully qualified class name of the application object. */
  name: string | null;
  label: string | null;
  debuggable: boolean;
  allowBackup: boolean | null;
  fullBackupContent: string | null;
  dataExtractionRules: string | null;
  backupAgent: string | null;
  usesCleartextTraffic: boolean | null;
  /** `@xml/network_security_config` */
  networkSecurityConfig: string | null;
  testOnly: boolean;
  hasCode: boolean;
  enabled: boolean;
  persistent: boolean;
  process: string | null;
  permission: string | null;
  taskAffinity: string | null;
  theme: string | null;
  extractNativeLibs: boolean | null;
  largeHeap: boolean;
  requestLegacyExternalStorage: boolean | null;
  requestRawExternalStorageAccess: boolean | null;
  appComponentFactory: string | null;
  manageSpaceActivity: string | null;
  isGame: boolean;
  /** Every attribute as text, by name. */
  attributes: Record<string, string>;
}

/** Resource ids of the pictures of the app; 0 where there is none, a path where the manifest names a file. */
export interface IconReferences {
  icon: number | string | null;
  roundIcon: number | string | null;
  banner: number | string | null;
  logo: number | string | null;
  /** Icon of the main activity, where it has its own. */
  activityIcon: number | string | null;
}

export interface UsedFeature {
  name: string;
  required: boolean;
  version: number | null;
}

export interface VersionedLibrary {
  name: string;
  version: number | null;
}

export interface UsedLibrary {
  name: string;
  required: boolean;
  /** `native` for uses-native-library, `static` for uses-static-library. */
  kind: 'java' | 'native' | 'static' | 'sdk' | 'package';
}

/** A package that does nothing but change the resources of another one. */
export interface Overlay {
  targetPackage: string;
  /** Name of the `overlayable` group, null where the whole package is meant. */
  targetName: string | null;
  priority: number;
  /** Whether it holds without anybody having switched it on, which only system apps may ask for. */
  isStatic: boolean;
}

export interface Manifest {
  packageName: string;
  /** The split's own name, null for a base APK. */
  splitName: string | null;
  isFeatureSplit: boolean;
  configForSplit: string | null;
  versionName: string;
  /** `android:versionCode` as a signed decimal, `''` where it is absent. */
  versionCode: string;
  versionCodeMajor: number | null;
  sharedUserId: string | null;
  installLocation: number | null;
  minSdkVersion: number | null;
  targetSdkVersion: number | null;
  maxSdkVersion: number | null;
  compileSdkVersion: number | null;
  /** What each `uses-sdk` element demands, a level or a preview's code name: where one is not met Android refuses the app. */
  minSdkDemands: (number | string)[];
  /** The letter or name of a preview platform, where target names one. */
  targetSdkCodename: string | null;
  /** What Android takes: target, else min, else 1; a preview's code name is newer than any number. */
  effectiveTargetSdkVersion: number;
  /** Label in the default locale, the main activity's where the application has none, else `''`. */
  appName: string;
  /** Labels by locale, `''` for the default one. */
  appNames: Record<string, string>;
  application: Application;
  icons: IconReferences;
  components: Component[];
  /** Fully qualified names of the enabled activities and aliases that a launcher shows, activities first. */
  mainActivities: string[];
  /** The first of them, `''` where there is none. */
  mainActivity: string;
  metaData: MetaData[];
  /** `property` elements of the application. */
  properties: MetaData[];
  usesPermissions: UsedPermission[];
  impliedPermissions: ImpliedPermission[];
  definedPermissions: DefinedPermission[];
  permissionGroups: string[];
  permissionTrees: string[];
  usesFeatures: UsedFeature[];
  glEsVersion: number | null;
  usesLibraries: UsedLibrary[];
  /** Libraries that this package provides: shared ones, and one of a version of its own. */
  libraries: string[];
  staticLibrary: VersionedLibrary | null;
  sdkLibrary: VersionedLibrary | null;
  usesConfigurations: Record<string, string>[];
  supportsScreens: Record<string, string> | null;
  compatibleScreens: Record<string, string>[];
  supportsGlTextures: string[];
  queries: { packages: string[]; actions: string[]; providers: string[] };
  instrumentations: {
    name: string;
    targetPackage: string | null;
    targetProcesses: string | null;
    functionalTest: boolean;
  }[];
  /** What an overlay changes, null for other apps. */
  overlay: Overlay | null;
  /** Whether the app does not run without further APKs. */
  isSplitRequired: boolean;
  protectedBroadcasts: string[];
  originalPackages: string[];
  /** Uses the feature of watches. */
  isWearable: boolean;
  /** Does without a touch screen, as a television app must. */
  isAndroidTv: boolean;
  /** Uses the feature of television's home screen. */
  isLeanback: boolean;
  /** Whether a component answers the TV launcher. */
  hasLeanbackLauncher: boolean;
}

/**
 * Reads the manifest's record.
 * @param table the APK's resource table, null where it has none; references then read as `@7f010001`
 * @throws FormatError with code `manifest-no-root` where the document's root is not `manifest`
 * @see https://developer.android.com/guide/topics/manifest/manifest-intro
 */
export function readManifest(document: XmlDocument, table: ResourceTable | null, findings: Findings): Manifest {
  const root = document.root;
  if (root === null || root.name !== 'manifest') {
    throw new FormatError('manifest-no-root', 0, `the root element is <${root?.name ?? ''}>, not <manifest>`);
  }
  const read = new AttributeReader(document, table);
  if (!document.hasResourceIds) findings.add('manifest-without-ids', where, 'no resource map, names are taken');
  const packageName = readPackageName(root, read, findings);
  const applicationElement = applicationOf(root, findings);
  const sdk = readSdkVersions(root, read, findings);
  const effectiveTargetSdkVersion = effectiveTargetOf(sdk);
  const { components, elements } = readComponents(
    applicationElement,
    packageName,
    effectiveTargetSdkVersion,
    read,
    findings,
  );
  const mainActivities = mainActivitiesOf(components);
  const mainElement = elements[components.findIndex((each) => each.name === mainActivities[0])] ?? null;
  const usesPermissions = readUsedPermissions(root, read, findings);
  const usesFeatures = readFeatures(root, read, findings);
  const appNames = readAppNames(applicationElement, mainElement, read, table);
  const own = (element: XmlElement, name: string) => {
    const text = read.text(element, name);
    return text === null || text === '' ? null : qualifiedName(packageName, text);
  };
  const features = new Set(usesFeatures.map((feature) => feature.name));
  const manifest: Manifest = {
    packageName,
    ...readPackage(root, read),
    minSdkVersion: sdk.min,
    targetSdkVersion: sdk.target,
    maxSdkVersion: sdk.max,
    compileSdkVersion: read.integer(root, 'compileSdkVersion'),
    minSdkDemands: sdk.minDemands,
    targetSdkCodename: sdk.targetCodename,
    effectiveTargetSdkVersion,
    appName: appNames[''] ?? '',
    appNames,
    application: readApplication(applicationElement, own, read),
    icons: readIcons(applicationElement, mainElement, read),
    components,
    mainActivities,
    mainActivity: mainActivities[0] ?? '',
    metaData: readMetaData(applicationElement, 'meta-data', read),
    properties: readMetaData(applicationElement, 'property', read),
    usesPermissions,
    impliedPermissions: impliedPermissions(usesPermissions, effectiveTargetSdkVersion),
    definedPermissions: readDefinedPermissions(root, read),
    permissionGroups: namesOf(root, 'permission-group', read),
    permissionTrees: namesOf(root, 'permission-tree', read),
    usesFeatures,
    usesLibraries: readLibraries(applicationElement, read, findings),
    libraries: namesOf(applicationElement, 'library', read),
    staticLibrary: readLibrary(applicationElement, 'static-library', 'version', read),
    sdkLibrary: readLibrary(applicationElement, 'sdk-library', 'versionMajor', read),
    ...readDeviceDemands(root, read),
    queries: readQueries(root, read),
    instrumentations: childElements(root, 'instrumentation').map((element) => ({
      name: own(element, 'name') ?? '',
      targetPackage: read.text(element, 'targetPackage'),
      targetProcesses: read.text(element, 'targetProcesses'),
      functionalTest: read.boolean(element, 'functionalTest') ?? false,
    })),
    overlay: readOverlay(root, read),
    protectedBroadcasts: namesOf(root, 'protected-broadcast', read),
    originalPackages: namesOf(root, 'original-package', read),
    isWearable: features.has('android.hardware.type.watch'),
    isAndroidTv: usesFeatures.some((feature) => feature.name === 'android.hardware.touchscreen' && !feature.required),
    isLeanback: features.has('android.software.leanback'),
    hasLeanbackLauncher: components.some((component) =>
      component.intentFilters.some((filter) => filter.categories.includes('android.intent.category.LEANBACK_LAUNCHER')),
    ),
  };
  if (read.isCut) findings.add('manifest-text-limit', where, 'texts of many megabytes; long ones are cut');
  return manifest;
}

function readPackageName(root: XmlElement, read: AttributeReader, findings: Findings): string {
  // Every name that begins with a dot repeats it; Android refuses a longer one.
  const packageName = (read.plain(root, 'package') ?? '').slice(0, maxNameLength);
  if (packageName === '') findings.add('manifest-without-package', where, 'no package name');
  else if (!isPackageName(packageName)) {
    findings.add('manifest-package-name', where, JSON.stringify(packageName));
  }
  return packageName;
}

/** The first `application` element, an empty one where there is none: Android reads that one and warns of others. */
function applicationOf(root: XmlElement, findings: Findings): XmlElement {
  const applications = childElements(root, 'application');
  if (applications.length > 1) {
    findings.add('manifest-second-application', where, `${applications.length} application elements`);
  }
  const none = { namespace: null, name: 'application', attributes: [], children: [], line: 0, namespaces: [] };
  return applications[0] ?? none;
}

/** Which version and which part of the app the package is. */
function readPackage(root: XmlElement, read: AttributeReader) {
  const versionCode = read.integer(root, 'versionCode');
  return {
    splitName: read.plain(root, 'split') || null,
    isFeatureSplit: read.boolean(root, 'isFeatureSplit') ?? false,
    configForSplit: read.plain(root, 'configForSplit') || null,
    isSplitRequired: read.boolean(root, 'isSplitRequired') === true || read.text(root, 'requiredSplitTypes') !== null,
    versionName: read.text(root, 'versionName') ?? '',
    versionCode: versionCode === null ? (read.text(root, 'versionCode') ?? '') : String(versionCode),
    versionCodeMajor: read.integer(root, 'versionCodeMajor'),
    sharedUserId: read.text(root, 'sharedUserId'),
    installLocation: read.integer(root, 'installLocation'),
  };
}

/** What the app asks of a device's screen, keys and graphics. */
function readDeviceDemands(root: XmlElement, read: AttributeReader) {
  return {
    glEsVersion: childElements(root, 'uses-feature')
      .map((element) => read.integer(element, 'glEsVersion'))
      .reduce((highest, each) => (each !== null && each > (highest ?? 0) ? each : highest), null),
    usesConfigurations: childElements(root, 'uses-configuration').map((element) => read.all(element)),
    supportsScreens: childElements(root, 'supports-screens').map((element) => read.all(element))[0] ?? null,
    compatibleScreens: childElements(root, 'compatible-screens')
      .flatMap((element) => childElements(element, 'screen'))
      .map((element) => read.all(element)),
    supportsGlTextures: namesOf(root, 'supports-gl-texture', read),
  };
}

function namesOf(parent: XmlElement, tag: string, read: AttributeReader): string[] {
  return childElements(parent, tag)
    .map((element) => read.text(element, 'name'))
    .filter((name): name is string => name !== null && name !== '');
}

interface SdkVersions {
  min: number | null;
  target: number | null;
  max: number | null;
  minDemands: (number | string)[];
  targetCodename: string | null;
}

/** Letters of a package name that Android takes at most, and the form that it demands; the framework alone has no dot. */
const maxPackageName = 223;
const packageNameForm = /^(?:[a-z]\w*)?(?:\.(?:[a-z]\w*)?)+$/i;

const isPackageName = (name: string): boolean =>
  name === 'android' || (name.length <= maxPackageName && packageNameForm.test(name));

/** `Build.VERSION_CODES.CUR_DEVELOPMENT` */
const previewPlatform = 10_000;

function effectiveTargetOf({ min, target, minDemands, targetCodename }: SdkVersions): number {
  if (target !== null) return target;
  if (targetCodename !== null) return previewPlatform;
  return min ?? (typeof minDemands.at(-1) === 'string' ? previewPlatform : 1);
}

/** Of several `uses-sdk` elements the last one decides alone: Android begins each with its defaults. */
function readSdkVersions(root: XmlElement, read: AttributeReader, findings: Findings): SdkVersions {
  const elements = childElements(root, 'uses-sdk');
  if (elements.length > 1) {
    findings.add('manifest-second-uses-sdk', where, `${elements.length} uses-sdk elements`);
  }
  const minDemands = elements.map(
    (element) => read.integer(element, 'minSdkVersion') ?? read.text(element, 'minSdkVersion') ?? 1,
  );
  const element = elements.at(-1);
  if (element === undefined) return { min: null, target: null, max: null, minDemands, targetCodename: null };
  const target = read.integer(element, 'targetSdkVersion');
  return {
    min: read.integer(element, 'minSdkVersion'),
    target,
    max: read.integer(element, 'maxSdkVersion'),
    minDemands,
    targetCodename: target === null ? read.text(element, 'targetSdkVersion') : null,
  };
}

const readIcons = (application: XmlElement, main: XmlElement | null, read: AttributeReader): IconReferences => ({
  icon: iconReference(application, 'icon', read),
  roundIcon: iconReference(application, 'roundIcon', read),
  banner: iconReference(application, 'banner', read),
  logo: iconReference(application, 'logo', read),
  activityIcon: main === null ? null : iconReference(main, 'icon', read),
});

function iconReference(element: XmlElement, name: string, read: AttributeReader): number | string | null {
  return read.reference(element, name) ?? (read.text(element, name) || null);
}

function readApplication(
  element: XmlElement,
  own: (element: XmlElement, name: string) => string | null,
  read: AttributeReader,
): Application {
  return {
    name: own(element, 'name'),
    label: read.text(element, 'label'),
    debuggable: read.boolean(element, 'debuggable') ?? false,
    allowBackup: read.boolean(element, 'allowBackup'),
    fullBackupContent: read.referenceText(element, 'fullBackupContent'),
    dataExtractionRules: read.referenceText(element, 'dataExtractionRules'),
    backupAgent: own(element, 'backupAgent'),
    usesCleartextTraffic: read.boolean(element, 'usesCleartextTraffic'),
    networkSecurityConfig: read.referenceText(element, 'networkSecurityConfig'),
    testOnly: read.boolean(element, 'testOnly') ?? false,
    hasCode: read.boolean(element, 'hasCode') ?? true,
    enabled: read.boolean(element, 'enabled') ?? true,
    persistent: read.boolean(element, 'persistent') ?? false,
    process: read.text(element, 'process'),
    permission: read.text(element, 'permission'),
    taskAffinity: read.text(element, 'taskAffinity'),
    theme: read.referenceText(element, 'theme'),
    extractNativeLibs: read.boolean(element, 'extractNativeLibs'),
    largeHeap: read.boolean(element, 'largeHeap') ?? false,
    requestLegacyExternalStorage: read.boolean(element, 'requestLegacyExternalStorage'),
    requestRawExternalStorageAccess: read.boolean(element, 'requestRawExternalStorageAccess'),
    appComponentFactory: own(element, 'appComponentFactory'),
    manageSpaceActivity: own(element, 'manageSpaceActivity'),
    isGame: read.boolean(element, 'isGame') ?? read.integer(element, 'appCategory') === 0,
    attributes: read.all(element),
  };
}

function readFeatures(root: XmlElement, read: AttributeReader, findings: Findings): UsedFeature[] {
  const features: UsedFeature[] = [];
  const add = (element: XmlElement) => {
    const name = readRequestedName(element, read, findings);
    if (name === null) return;
    features.push({
      name,
      required: read.boolean(element, 'required') ?? true,
      version: read.integer(element, 'version'),
    });
  };
  for (const element of childElements(root, 'uses-feature')) add(element);
  for (const group of childElements(root, 'feature-group')) childElements(group, 'uses-feature').forEach(add);
  return features;
}

const libraryTags = {
  'uses-library': 'java',
  'uses-native-library': 'native',
  'uses-static-library': 'static',
  'uses-sdk-library': 'sdk',
  'uses-package': 'package',
} as const;

function readLibraries(application: XmlElement, read: AttributeReader, findings: Findings): UsedLibrary[] {
  const libraries: UsedLibrary[] = [];
  for (const node of application.children) {
    if (!isElement(node) || !Object.hasOwn(libraryTags, node.name)) continue;
    const name = readRequestedName(node, read, findings);
    if (name === null) continue;
    const kind = libraryTags[node.name as keyof typeof libraryTags];
    libraries.push({ name, required: read.boolean(node, 'required') ?? true, kind });
  }
  return libraries;
}

function readLibrary(
  application: XmlElement,
  tag: string,
  versionAttribute: string,
  read: AttributeReader,
): VersionedLibrary | null {
  const [element] = childElements(application, tag);
  if (element === undefined) return null;
  return { name: read.text(element, 'name') ?? '', version: read.integer(element, versionAttribute) };
}

function readOverlay(root: XmlElement, read: AttributeReader): Overlay | null {
  const [element] = childElements(root, 'overlay');
  if (element === undefined) return null;
  return {
    targetPackage: read.text(element, 'targetPackage') ?? '',
    targetName: read.text(element, 'targetName'),
    priority: read.integer(element, 'priority') ?? 0,
    isStatic: read.boolean(element, 'isStatic') ?? false,
  };
}

function readQueries(root: XmlElement, read: AttributeReader): Manifest['queries'] {
  const elements = childElements(root, 'queries');
  const inside = (tag: string) => elements.flatMap((element) => childElements(element, tag));
  return {
    packages: elements.flatMap((element) => namesOf(element, 'package', read)),
    actions: inside('intent').flatMap((intent) => namesOf(intent, 'action', read)),
    providers: inside('provider').flatMap((provider) =>
      (read.text(provider, 'authorities') ?? '').split(';').filter((each) => each !== ''),
    ),
  };
}
