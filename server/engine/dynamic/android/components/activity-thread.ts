// The framework's own state of the process: ActivityThread, LoadedApk and their fields, which packed apps change by
// reflection to put their real class loader and Application in the stub's place. Knows no life cycles.
//
// Names: https://android.googlesource.com/platform/frameworks/base/+/refs/tags/android-11.0.0_r1/core/java/android/app/
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models } from '../../machine/model.ts';
import { descriptorOf, plain, type Reference } from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';
import { appOf } from './app.ts';

const threadClass = 'Landroid/app/ActivityThread;';
const packageClass = 'Landroid/app/LoadedApk;';
const applicationClass = 'Landroid/app/Application;';
const contextClass = 'Landroid/content/Context;';
const instrumentationClass = 'Landroid/app/Instrumentation;';
const loaderClass = 'Ljava/lang/ClassLoader;';
const objectClass = 'Ljava/lang/Object;';
const map = 'Landroid/util/ArrayMap;';
const attach = `attachBaseContext(${contextClass})V`;

function set(machine: Machine, object: HeapObject, fields: Readonly<Record<string, Value>>): HeapObject {
  for (const [name, value] of Object.entries(fields)) machine.setField(object, name, value);
  return object;
}

/** What the process knows of the installed package. */
function loadedPackage(machine: Machine): HeapObject {
  const known = appOf(machine).systemServices.get(packageClass);
  if (known !== undefined) return known;
  const loaded = singleton(machine, packageClass);
  const { packageName, plan, dataFolder } = appOf(machine);
  const manager = singleton(machine, 'Landroid/content/pm/PackageManagerImpl;');
  const info = 'getApplicationInfo(Ljava/lang/String;I)Landroid/content/pm/ApplicationInfo;';
  const folder = plan.path.replace(/\/[^/]*$/, '');
  return set(machine, loaded, {
    mPackageName: machine.string(packageName),
    mAppDir: machine.string(plan.path),
    mResDir: machine.string(plan.path),
    mDataDir: machine.string(dataFolder),
    mLibDir: machine.string(`${folder}/lib/arm64`),
    mApplicationInfo: machine.call(manager, info, machine.string(packageName), 0),
    mClassLoader: machine.callStatic(loaderClass, `getSystemClassLoader()${loaderClass}`),
  });
}

/** The loader that components come from: the app's own, or what it put in its place. */
export function packageLoader(machine: Machine): Value {
  return machine.getField(loadedPackage(machine), 'mClassLoader');
}

function arrayMap(machine: Machine, key: Reference, value: Reference): HeapObject {
  const object = machine.construct(map, '<init>()V');
  machine.call(object, `put(${objectClass}${objectClass})${objectClass}`, key, value);
  return object;
}

/** The process's main thread object, with the package and the Application it runs. */
function activityThread(machine: Machine): HeapObject {
  const known = appOf(machine).systemServices.get(threadClass);
  if (known !== undefined) return known;
  const thread = singleton(machine, threadClass);
  machine.setStatic(threadClass, 'sCurrentActivityThread', thread);
  const loaded = loadedPackage(machine);
  const name = machine.getField(loaded, 'mPackageName') as HeapObject;
  const info = machine.getField(loaded, 'mApplicationInfo');
  const bound = machine.allocate('Landroid/app/ActivityThread$AppBindData;');
  set(machine, bound, {
    info: loaded,
    appInfo: info,
    processName: name,
    providers: machine.construct('Ljava/util/ArrayList;', '<init>()V'),
  });
  const reference = machine.construct('Ljava/lang/ref/WeakReference;', `<init>(${objectClass})V`, loaded);
  machine.setField(loaded, 'mActivityThread', thread);
  return set(machine, thread, {
    mBoundApplication: bound,
    mAllApplications: machine.construct('Ljava/util/ArrayList;', '<init>()V'),
    mPackages: arrayMap(machine, name, reference),
    mResourcePackages: arrayMap(machine, name, reference),
    mProviderMap: machine.construct(map, '<init>()V'),
    mLocalProviders: machine.construct(map, '<init>()V'),
    mActivities: machine.construct(map, '<init>()V'),
    mInstrumentation: machine.allocate(instrumentationClass),
  });
}

/** A base context of the package. */
export function newBaseContext(machine: Machine): HeapObject {
  return set(machine, machine.allocate('Landroid/app/ContextImpl;'), {
    mPackageInfo: loadedPackage(machine),
    mMainThread: activityThread(machine),
  });
}

/** The Application that the process starts with, before its `onCreate`. */
export function bindApplication(machine: Machine, application: HeapObject): void {
  machine.setField(loadedPackage(machine), 'mApplication', application);
  const all = machine.getField(activityThread(machine), 'mAllApplications') as HeapObject;
  machine.call(all, `add(${objectClass})Z`, application);
  machine.setField(activityThread(machine), 'mInitialApplication', application);
}

/** The Application after the app may have put another in its place. */
export function boundApplication(machine: Machine): HeapObject | null {
  const initial = machine.getField(activityThread(machine), 'mInitialApplication') as Reference;
  return initial ?? (machine.getField(loadedPackage(machine), 'mApplication') as Reference);
}

function newApplication(machine: Machine, descriptor: string, context: Reference): HeapObject {
  const application = machine.construct(descriptor, '<init>()V');
  machine.call(application, attach, context);
  return application;
}

/** `LoadedApk.makeApplication`: the one there is, or a new one of the class that the package's information names. */
function makeApplication(machine: Machine, me: HeapObject, _isDefault: number, instrumentation: Reference): HeapObject {
  const known = machine.getField(me, 'mApplication') as Reference;
  if (known !== null) return known;
  const info = machine.getField(me, 'mApplicationInfo') as Reference;
  const name = info === null ? null : (machine.getField(info, 'className') as Reference);
  const descriptor = name === null ? applicationClass : descriptorOf(plain(machine, name));
  const application = machine.construct(descriptor, '<init>()V');
  appOf(machine).application = application;
  const base = newBaseContext(machine);
  machine.setField(base, 'mOuterContext', application);
  machine.call(application, attach, base);
  machine.setField(me, 'mApplication', application);
  const all = machine.getField(activityThread(machine), 'mAllApplications') as HeapObject;
  machine.call(all, `add(${objectClass})Z`, application);
  if (instrumentation !== null) machine.call(application, 'onCreate()V');
  return application;
}

export const activityThreadModels: Models = {
  [threadClass]: {
    fields: [
      'mBoundApplication:Landroid/app/ActivityThread$AppBindData;',
      `mInitialApplication:${applicationClass}`,
      'mAllApplications:Ljava/util/ArrayList;',
      `mPackages:${map}`,
      `mResourcePackages:${map}`,
      `mProviderMap:${map}`,
      `mLocalProviders:${map}`,
      `mActivities:${map}`,
      `mInstrumentation:${instrumentationClass}`,
    ],
    constants: { [`sCurrentActivityThread:${threadClass}`]: null },
    staticMethods: {
      [`currentActivityThread()${threadClass}`]: activityThread,
      [`currentApplication()${applicationClass}`]: (machine) => appOf(machine).application,
      'currentPackageName()Ljava/lang/String;': (machine) => machine.string(appOf(machine).packageName),
      'currentProcessName()Ljava/lang/String;': (machine) => machine.string(appOf(machine).packageName),
    },
    methods: {
      [`getApplication()${applicationClass}`]: (machine) => appOf(machine).application,
      'getProcessName()Ljava/lang/String;': (machine) => machine.string(appOf(machine).packageName),
      'getSystemContext()Landroid/app/ContextImpl;': (machine) => singleton(machine, 'Landroid/app/ContextImpl;'),
      [`getInstrumentation()${instrumentationClass}`]: (machine, me) => machine.getField(me, 'mInstrumentation'),
    },
  },
  'Landroid/app/ActivityThread$AppBindData;': {
    fields: [
      `info:${packageClass}`,
      'appInfo:Landroid/content/pm/ApplicationInfo;',
      'processName:Ljava/lang/String;',
      'providers:Ljava/util/List;',
    ],
  },
  [packageClass]: {
    fields: [
      `mClassLoader:${loaderClass}`,
      `mBaseClassLoader:${loaderClass}`,
      `mApplication:${applicationClass}`,
      'mApplicationInfo:Landroid/content/pm/ApplicationInfo;',
      `mActivityThread:${threadClass}`,
      'mPackageName:Ljava/lang/String;',
      'mAppDir:Ljava/lang/String;',
      'mResDir:Ljava/lang/String;',
      'mDataDir:Ljava/lang/String;',
      'mLibDir:Ljava/lang/String;',
    ],
    methods: {
      [`makeApplication(Z${instrumentationClass})${applicationClass}`]: makeApplication,
      [`getClassLoader()${loaderClass}`]: (machine) => packageLoader(machine),
      'getPackageName()Ljava/lang/String;': (machine) => machine.string(appOf(machine).packageName),
      [`getApplication()${applicationClass}`]: (machine, me) => machine.getField(me, 'mApplication'),
      'getApplicationInfo()Landroid/content/pm/ApplicationInfo;': (machine, me) =>
        machine.getField(me, 'mApplicationInfo'),
    },
  },
  [instrumentationClass]: {
    methods: {
      '<init>()V': () => undefined,
      [`newApplication(${loaderClass}Ljava/lang/String;${contextClass})${applicationClass}`]: (
        machine,
        _me,
        _loader: Reference,
        name: Reference,
        context: Reference,
      ) => newApplication(machine, descriptorOf(plain(machine, name)), context),
      [`callApplicationOnCreate(!${applicationClass})V`]: (machine, _me, application: HeapObject) =>
        machine.call(application, 'onCreate()V'),
    },
    staticMethods: {
      [`newApplication(!Ljava/lang/Class;${contextClass})${applicationClass}`]: (
        machine,
        cls: HeapObject,
        context: Reference,
      ) => newApplication(machine, machine.classFrom(cls).descriptor, context),
    },
  },
  'Landroid/app/ContextImpl;': {
    extends: contextClass,
    fields: [`mPackageInfo:${packageClass}`, `mMainThread:${threadClass}`, `mOuterContext:${contextClass}`],
    methods: {
      [`setOuterContext(${contextClass})V`]: (machine, me, outer: Reference) =>
        machine.setField(me, 'mOuterContext', outer),
      [`getOuterContext()${contextClass}`]: (machine, me) => machine.getField(me, 'mOuterContext'),
    },
  },
  'Landroid/content/ContextWrapper;': { extends: contextClass, fields: [`mBase:${contextClass}`] },
  // What the package's Application is, once the app may have changed it.
  [applicationClass]: {
    extends: 'Landroid/content/ContextWrapper;',
    fields: [`mLoadedApk:${packageClass}`],
    methods: {
      [`attach(${contextClass})V`]: (machine, me, context: Reference) => {
        machine.setField(me, 'mLoadedApk', loadedPackage(machine));
        machine.call(me, attach, context);
      },
    },
  },
};
