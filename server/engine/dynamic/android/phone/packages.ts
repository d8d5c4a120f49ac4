// Models of PackageManager: what is installed, and what of it takes an intent. Knows no installer.
import { bytesOf, made, stringArray } from '../../java/values.ts';
import type { HeapObject, JavaArray, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { worldOf } from '../../world/world.ts';
import { appOf, type Component, type ReachedKind } from '../components/app.ts';
import { newBundle } from '../components/bundle.ts';
import { componentOf } from '../components/component-name.ts';
import { intentOf, newIntent, shapeOf } from '../components/intent-state.ts';
import { holdsPermission } from '../control/permissions.ts';
import { fontsAuthority } from '../data/content.ts';
import { always, each, flag, listOf, no, none, nothing, plain, type Reference, yes } from '../model-parts.ts';
import { type InstalledPackage, installedPackage, notFound, signerOf, takersOf } from './installed-packages.ts';
import { singleton } from './system-services.ts';

const S = 'Ljava/lang/String;';

function applicationInfo(machine: Machine, app: InstalledPackage): HeapObject {
  const info = machine.allocate('Landroid/content/pm/ApplicationInfo;');
  const { plan, dataFolder } = appOf(machine);
  const values: Record<string, Value> = {
    packageName: machine.string(app.packageName),
    processName: machine.string(app.packageName),
    name: app.isOwn && plan.manifest.application.name !== null ? machine.string(plan.manifest.application.name) : null,
    className:
      app.isOwn && plan.manifest.application.name !== null ? machine.string(plan.manifest.application.name) : null,
    sourceDir: machine.string(app.isOwn ? plan.path : `/data/app/${app.packageName}-1/base.apk`),
    publicSourceDir: machine.string(app.isOwn ? plan.path : `/data/app/${app.packageName}-1/base.apk`),
    dataDir: machine.string(app.isOwn ? dataFolder : `/data/data/${app.packageName}`),
    nativeLibraryDir: machine.string(`${plan.path.replace(/\/[^/]*$/, '')}/lib/arm64`),
    flags: (app.isSystem ? 1 : 0) | (app.isOwn && plan.manifest.application.debuggable ? 2 : 0) | 4,
    targetSdkVersion: app.isOwn ? plan.manifest.effectiveTargetSdkVersion : 28,
    uid: app.isOwn ? 10_217 : 10_100,
    enabled: 1,
    metaData: metaData(machine, app.isOwn ? plan.manifest.metaData : []),
  };
  for (const [name, value] of Object.entries(values)) machine.setField(info, name, value);
  info.native = app;
  return info;
}

function metaData(machine: Machine, entries: readonly { name: string; value: string | null }[]): HeapObject {
  return newBundle(
    machine,
    new Map(entries.map(({ name, value }) => [name, { ...typedMetaData(machine, value), taint: 0 }] as const)),
  );
}

/** Numbers and truths are compiled as such. */
function typedMetaData(machine: Machine, value: string | null): { kind: string; value: Value } {
  if (value === 'true' || value === 'false') return { kind: 'Z', value: flag(value === 'true') };
  if (value !== null && /^-?\d{1,10}$/.test(value) && (Number(value) | 0) === Number(value))
    return { kind: 'I', value: Number(value) };
  return { kind: 'L', value: value === null ? null : machine.string(value) };
}

const flagsType = 'Landroid/content/pm/PackageManager$PackageInfoFlags;';
const signingType = 'Landroid/content/pm/SigningInfo;';
const sourceType = 'Landroid/content/pm/InstallSourceInfo;';

function packageInfo(machine: Machine, name: string, flags: number): HeapObject {
  const app = installedPackage(machine, name);
  const { manifest } = appOf(machine).plan;
  const info = machine.allocate('Landroid/content/pm/PackageInfo;');
  const signature = machine.allocate('Landroid/content/pm/Signature;');
  signature.native = signerOf(machine, app);
  const values: Record<string, Value> = {
    packageName: machine.string(app.packageName),
    versionName: machine.string(app.version),
    versionCode: app.versionCode,
    firstInstallTime: BigInt(Math.trunc(machine.clock.wall - 3 * 86_400_000)),
    lastUpdateTime: BigInt(Math.trunc(machine.clock.wall - 3 * 86_400_000)),
    applicationInfo: applicationInfo(machine, app),
  };
  const signers = machine.objectArray('Landroid/content/pm/Signature;', [signature]);
  if ((flags & 0x40) !== 0) values.signatures = signers;
  if ((flags & 0x8000000) !== 0) {
    const signing = machine.allocate(signingType);
    signing.native = signers;
    values.signingInfo = signing;
  }
  if ((flags & 0x1000) !== 0 && app.isOwn)
    values.requestedPermissions = stringArray(
      machine,
      manifest.usesPermissions.map((each) => each.name),
    );
  for (const [field, value] of Object.entries(values)) machine.setField(info, field, value);
  return info;
}

const own = (machine: Machine): InstalledPackage => installedPackage(machine, appOf(machine).packageName);
const allApps = (machine: Machine): InstalledPackage[] => [
  ...worldOf(machine).installed.map((each) => installedPackage(machine, each.packageName)),
  own(machine),
];

/** The list of installed apps is itself data that spyware collects. */
function listed(machine: Machine, api: string, make: (app: InstalledPackage) => HeapObject): HeapObject {
  const taint = machine.source('TAINT_PACKAGE', `PackageManager.${api}`);
  return listOf(
    machine,
    allApps(machine).map((app) => {
      const info = make(app);
      info.taint = taint;
      for (const name of ['packageName', 'processName', 'sourceDir']) {
        const value = info.cls.instanceFields.some((field) => field.name === name)
          ? (machine.getField(info, name) as Reference)
          : null;
        if (value !== null) machine.setField(info, name, machine.string(plain(machine, value), taint));
      }
      return info;
    }),
  );
}

const infoTypes: Readonly<Partial<Record<Component['kind'], string>>> = {
  service: 'Landroid/content/pm/ServiceInfo;',
  provider: 'Landroid/content/pm/ProviderInfo;',
};

/** What the package manager tells of a component. */
function itemInfo(machine: Machine, component: Part, app = own(machine)): HeapObject {
  const info = machine.allocate(infoTypes[component.kind] ?? 'Landroid/content/pm/ActivityInfo;');
  const values: Record<string, Value> = {
    name: machine.string(component.name),
    packageName: machine.string(app.packageName),
    processName: machine.string(app.packageName),
    applicationInfo: applicationInfo(machine, app),
    exported: flag(component.exported),
    metaData: metaData(machine, component.metaData),
  };
  for (const [field, value] of Object.entries(values)) machine.setField(info, field, value);
  return info;
}

const kindFields: Readonly<Partial<Record<Component['kind'], string>>> = {
  service: 'serviceInfo',
  provider: 'providerInfo',
};

function resolveInfo(machine: Machine, component: Part, app = own(machine)): HeapObject {
  const info = machine.allocate('Landroid/content/pm/ResolveInfo;');
  machine.setField(info, kindFields[component.kind] ?? 'activityInfo', itemInfo(machine, component, app));
  return info;
}

/** Of Play services. */
const fontsProvider: Part = {
  kind: 'provider',
  name: 'com.google.android.gms.fonts.provider.FontsProvider',
  exported: true,
  metaData: [],
};

/** The app's own provider of an authority, and the one of fonts; other apps' providers are not listed. */
const contentProvider: NativeMethod = (machine, _me, authority: Reference) => {
  const wanted = plain(machine, authority);
  const component = appOf(machine).components.find(({ authorities }) => authorities.includes(wanted));
  if (component === undefined && wanted !== fontsAuthority) return null;
  const info =
    component === undefined
      ? itemInfo(machine, fontsProvider, installedPackage(machine, 'com.google.android.gms'))
      : itemInfo(machine, component);
  machine.setField(info, 'authority', authority);
  return info;
};

const contentOf = (signature: HeapObject): Uint8Array => signature.native as Uint8Array;

type Part = Pick<Component, 'kind' | 'name' | 'exported' | 'metaData'>;

const resolving =
  (kind: ReachedKind, isList: boolean): NativeMethod =>
  (machine, _me, intent: HeapObject) => {
    const app = appOf(machine);
    const shape = shapeOf(machine, intentOf(intent));
    const found = Array.from(app.reached(shape, kind), ({ component }) => resolveInfo(machine, component));
    if (kind === 'activity' && shape.className === null) {
      for (const packageName of takersOf(shape)) {
        const part: Part = { kind: 'activity', name: `${packageName}.Main`, exported: true, metaData: [] };
        found.push(resolveInfo(machine, part, installedPackage(machine, packageName)));
      }
    }
    return isList ? listOf(machine, found) : (found[0] ?? null);
  };

const componentInfo: NativeMethod = (machine, _me, name: HeapObject) => {
  const { className } = componentOf(name);
  const component = appOf(machine).components.find((each) => each.name === className);
  if (component === undefined) throw notFound(machine, className);
  return itemInfo(machine, component);
};

const permission: NativeMethod = (machine, _me, name: Reference) =>
  holdsPermission(machine, plain(machine, name)) ? 0 : -1;

const managerMethods: NativeMethods = {
  [`getPackageInfo(${S}I)Landroid/content/pm/PackageInfo;`]: (machine, _me, name: Reference, flags: number) =>
    packageInfo(machine, plain(machine, name), flags),
  [`getApplicationInfo(${S}I)Landroid/content/pm/ApplicationInfo;`]: (machine, _me, name: Reference) =>
    applicationInfo(machine, installedPackage(machine, plain(machine, name))),
  [`getPackageInfo(${S}!${flagsType})Landroid/content/pm/PackageInfo;`]: (
    machine,
    _me,
    name: Reference,
    flags: HeapObject,
  ) => packageInfo(machine, plain(machine, name), flags.native as number),
  'getInstalledPackages(I)Ljava/util/List;': (machine, _me, flags: number) =>
    listed(machine, 'getInstalledPackages', (app) => packageInfo(machine, app.packageName, flags)),
  [`getInstalledPackages(!${flagsType})Ljava/util/List;`]: (machine, _me, flags: HeapObject) =>
    listed(machine, 'getInstalledPackages', (app) => packageInfo(machine, app.packageName, flags.native as number)),
  ...each(
    (machine) => listed(machine, 'getInstalledApplications', (app) => applicationInfo(machine, app)),
    'getInstalledApplications(I)Ljava/util/List;',
    'getInstalledApplications(Landroid/content/pm/PackageManager$ApplicationInfoFlags;)Ljava/util/List;',
  ),
  [`getInstallSourceInfo(${S})${sourceType}`]: (machine) => singleton(machine, sourceType),
  'getApplicationLabel(!Landroid/content/pm/ApplicationInfo;)Ljava/lang/CharSequence;': (
    machine,
    _me,
    info: HeapObject,
  ) => machine.string((info.native as InstalledPackage | undefined)?.label ?? '', info.taint),
  'getActivityInfo(!Landroid/content/ComponentName;I)Landroid/content/pm/ActivityInfo;': componentInfo,
  'getServiceInfo(!Landroid/content/ComponentName;I)Landroid/content/pm/ServiceInfo;': componentInfo,
  'getReceiverInfo(!Landroid/content/ComponentName;I)Landroid/content/pm/ActivityInfo;': componentInfo,
  'getProviderInfo(!Landroid/content/ComponentName;I)Landroid/content/pm/ProviderInfo;': componentInfo,
  [`resolveContentProvider(${S}I)Landroid/content/pm/ProviderInfo;`]: contentProvider,
  'resolveActivity(!Landroid/content/Intent;I)Landroid/content/pm/ResolveInfo;': resolving('activity', false),
  'resolveService(!Landroid/content/Intent;I)Landroid/content/pm/ResolveInfo;': resolving('service', false),
  'queryIntentActivities(!Landroid/content/Intent;I)Ljava/util/List;': resolving('activity', true),
  'queryIntentServices(!Landroid/content/Intent;I)Ljava/util/List;': resolving('service', true),
  'queryBroadcastReceivers(!Landroid/content/Intent;I)Ljava/util/List;': resolving('receiver', true),
  'getPackageInstaller()Landroid/content/pm/PackageInstaller;': (machine) =>
    singleton(machine, 'Landroid/content/pm/PackageInstaller;'),
  [`getLaunchIntentForPackage(${S})Landroid/content/Intent;`]: (machine, _me, name: Reference) => {
    const packageName = plain(machine, name);
    if (
      packageName !== appOf(machine).packageName &&
      !worldOf(machine).installed.some((each) => each.packageName === packageName)
    )
      return null;
    const className =
      packageName === appOf(machine).packageName ? appOf(machine).plan.manifest.mainActivity : `${packageName}.Main`;
    return newIntent(machine, {
      action: machine.string('android.intent.action.MAIN'),
      component: { packageName, className, taint: 0 },
    });
  },
  [`checkPermission(${S}${S})I`]: permission,
  'setComponentEnabledSetting(!Landroid/content/ComponentName;II)V': (
    machine,
    _me,
    name: HeapObject,
    state: number,
  ) => {
    const { className } = componentOf(name);
    appOf(machine).enabledSettings.set(className, state);
    const { mainActivity } = appOf(machine).plan.manifest;
    recorderOf(machine).event(
      'component',
      state === 2
        ? `disabled ${className}${className === mainActivity ? ', which hides the icon' : ''}`
        : `enabled ${className}`,
    );
  },
  'getComponentEnabledSetting(!Landroid/content/ComponentName;)I': (machine, _me, name: HeapObject) =>
    appOf(machine).enabledSettings.get(componentOf(name).className) ?? 0,
  [`setApplicationEnabledSetting(${S}II)V`]: nothing,
  [`getInstallerPackageName(${S})${S}`]: always('com.android.vending'),
  [`hasSystemFeature(${S})Z`]: yes,
  'isSafeMode()Z': no,
  'canRequestPackageInstalls()Z': yes,
  [`getNameForUid(I)${S}`]: (machine) => machine.string(appOf(machine).packageName),
  [`getPackagesForUid(I)[${S}`]: (machine) => stringArray(machine, [appOf(machine).packageName]),
  [`getPackageUid(${S}I)I`]: always(10_217),
  [`getPackageArchiveInfo(${S}I)Landroid/content/pm/PackageInfo;`]: none,
  [`getResourcesForApplication(${S})Landroid/content/res/Resources;`]: (machine) =>
    singleton(machine, 'Landroid/content/res/Resources;'),
  ...each(
    (machine) => machine.allocate('Landroid/graphics/drawable/BitmapDrawable;'),
    `getApplicationIcon(${S})Landroid/graphics/drawable/Drawable;`,
    'getApplicationIcon(Landroid/content/pm/ApplicationInfo;)Landroid/graphics/drawable/Drawable;',
    'getDefaultActivityIcon()Landroid/graphics/drawable/Drawable;',
  ),
};

const infoFields = [
  'packageName:Ljava/lang/String;',
  'name:Ljava/lang/String;',
  'metaData:Landroid/os/Bundle;',
  'labelRes:I',
  'icon:I',
  'enabled:Z',
];
const componentFields = [
  ...infoFields,
  'applicationInfo:Landroid/content/pm/ApplicationInfo;',
  'processName:Ljava/lang/String;',
  'exported:Z',
  'permission:Ljava/lang/String;',
  'targetActivity:Ljava/lang/String;',
];

export const packageModels: Models = {
  'Landroid/content/pm/PackageManager;': { isAbstract: true, methods: managerMethods },
  [flagsType]: {
    staticMethods: {
      [`of(J)${flagsType}`]: (machine, value: bigint) => {
        const flags = machine.allocate(flagsType);
        flags.native = Number(BigInt.asIntN(32, value));
        return flags;
      },
    },
  },
  [signingType]: {
    methods: {
      ...each(
        (_machine, me) => me.native as HeapObject,
        'getApkContentsSigners()[Landroid/content/pm/Signature;',
        'getSigningCertificateHistory()[Landroid/content/pm/Signature;',
      ),
      'hasMultipleSigners()Z': no,
    },
  },
  [sourceType]: {
    methods: each(always('com.android.vending'), `getInstallingPackageName()${S}`, `getInitiatingPackageName()${S}`),
  },
  'Landroid/content/pm/PackageManagerImpl;': { extends: 'Landroid/content/pm/PackageManager;' },
  'Landroid/content/pm/PackageManager$NameNotFoundException;': { extends: 'Ljava/lang/Exception;' },
  'Landroid/content/pm/PackageInfo;': {
    fields: [
      `signingInfo:${signingType}`,
      'packageName:Ljava/lang/String;',
      'versionName:Ljava/lang/String;',
      'versionCode:I',
      'firstInstallTime:J',
      'lastUpdateTime:J',
      'applicationInfo:Landroid/content/pm/ApplicationInfo;',
      'signatures:[Landroid/content/pm/Signature;',
      'requestedPermissions:[Ljava/lang/String;',
      'activities:[Landroid/content/pm/ActivityInfo;',
      'services:[Landroid/content/pm/ServiceInfo;',
      'receivers:[Landroid/content/pm/ActivityInfo;',
      'providers:[Landroid/content/pm/ProviderInfo;',
      'sharedUserId:Ljava/lang/String;',
      'gids:[I',
    ],
    methods: {
      'getLongVersionCode()J': (machine, me) => BigInt(machine.getField(me, 'versionCode') as number),
      'toString()Ljava/lang/String;': (machine, me) =>
        machine.string(`PackageInfo{${plain(machine, machine.getField(me, 'packageName') as Reference)}}`, me.taint),
    },
  },
  'Landroid/content/pm/ApplicationInfo;': {
    extends: 'Landroid/content/pm/PackageItemInfo;',
    fields: [
      'processName:Ljava/lang/String;',
      'className:Ljava/lang/String;',
      'sourceDir:Ljava/lang/String;',
      'publicSourceDir:Ljava/lang/String;',
      'dataDir:Ljava/lang/String;',
      'nativeLibraryDir:Ljava/lang/String;',
      'flags:I',
      'targetSdkVersion:I',
      'minSdkVersion:I',
      'uid:I',
      'enabled:Z',
      'splitSourceDirs:[Ljava/lang/String;',
      'theme:I',
      'taskAffinity:Ljava/lang/String;',
    ],
    methods: {
      'loadLabel(Landroid/content/pm/PackageManager;)Ljava/lang/CharSequence;': (machine, me) =>
        machine.string((me.native as InstalledPackage | undefined)?.label ?? '', me.taint),
    },
  },
  'Landroid/content/pm/PackageItemInfo;': {
    fields: [
      'packageName:Ljava/lang/String;',
      'name:Ljava/lang/String;',
      'metaData:Landroid/os/Bundle;',
      'labelRes:I',
      'icon:I',
    ],
  },
  'Landroid/content/pm/ActivityInfo;': {
    fields: [
      ...componentFields,
      'configChanges:I',
      'launchMode:I',
      'parentActivityName:Ljava/lang/String;',
      'screenOrientation:I',
      'taskAffinity:Ljava/lang/String;',
      'theme:I',
    ],
  },
  'Landroid/content/pm/ServiceInfo;': { fields: componentFields },
  'Landroid/content/pm/ProviderInfo;': { fields: [...componentFields, 'authority:Ljava/lang/String;'] },
  'Landroid/content/pm/ResolveInfo;': {
    fields: [
      'activityInfo:Landroid/content/pm/ActivityInfo;',
      'serviceInfo:Landroid/content/pm/ServiceInfo;',
      'providerInfo:Landroid/content/pm/ProviderInfo;',
      'resolvePackageName:Ljava/lang/String;',
      'filter:Landroid/content/IntentFilter;',
      'priority:I',
      'isDefault:Z',
    ],
    methods: {
      'loadLabel(Landroid/content/pm/PackageManager;)Ljava/lang/CharSequence;': (machine) =>
        machine.string(own(machine).label),
    },
  },
  'Landroid/content/pm/Signature;': {
    methods: {
      [`<init>(${S})V`]: made((machine, text: Reference) => Buffer.from(plain(machine, text), 'hex')),
      '<init>(![B)V': made((_machine, bytes: JavaArray) => Buffer.from(bytesOf(bytes))),
      'equals(Ljava/lang/Object;)Z': (_machine, me, other: Reference) =>
        other !== null && other.cls === me.cls && Buffer.compare(contentOf(me), contentOf(other)) === 0,
      'toByteArray()[B': (machine, me) => machine.byteArray(contentOf(me)),
      'toCharsString()Ljava/lang/String;': (machine, me) => machine.string(Buffer.from(contentOf(me)).toString('hex')),
      'hashCode()I': (_machine, me) => contentOf(me).reduce((hash, byte) => (31 * hash + ((byte << 24) >> 24)) | 0, 1),
    },
  },
};
