// Models of Context, ContextWrapper, Application. Knows no activity and no view.
import { textOf } from '../../java/values.ts';
import type { HeapObject, JavaString, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { virtualFiles } from '../../machine/virtual-files.ts';
import { recorderOf } from '../../report/recorder.ts';
import { holdsPermission } from '../control/permissions.ts';
import { preferencesOf } from '../data/preferences.ts';
import { each, flag, no, none, nothing, plain, type Reference, sideState, yes } from '../model-parts.ts';
import { singleton, systemService, systemServiceByClass, systemServiceName } from '../phone/system-services.ts';
import { contextThemeWrapperMethods, themedContextMethods } from '../resources/theme.ts';
import { inflaterFor } from '../views/inflater.ts';
import { newBaseContext, packageLoader } from './activity-thread.ts';
import { appOf } from './app.ts';
import {
  bindService,
  registerReceiver,
  sendBroadcast,
  sendPending,
  startActivity,
  startService,
  stopServiceByIntent,
  unbindService,
  unregisterReceiver,
} from './delivery.ts';

interface ContextState {
  base: Reference;
}

const contextOf = (machine: Machine, context: HeapObject): ContextState =>
  sideState<ContextState>(machine, 'context', context, () => ({ base: null }));

export const fileObject = (machine: Machine, path: string): HeapObject =>
  machine.construct('Ljava/io/File;', '<init>(Ljava/lang/String;)V', machine.string(path));

/** A folder of the app, made where it is missing. */
const folder =
  (name: (machine: Machine) => string): NativeMethod =>
  (machine) => {
    const path = name(machine);
    virtualFiles(machine).addDirectory(path);
    return fileObject(machine, path);
  };

const own = (suffix: string) => folder((machine) => `${appOf(machine).dataFolder}/${suffix}`);
const external = (machine: Machine): string => `/storage/emulated/0/Android/data/${appOf(machine).packageName}`;

const isOutside = 'PackageManager.PERMISSION';

function checkPermission(machine: Machine, name: Reference): number {
  const permission = plain(machine, name);
  recorderOf(machine).permission(permission);
  return holdsPermission(machine, permission) ? 0 : -1;
}

const starting =
  (sink: string): NativeMethod =>
  (machine, me, intent: HeapObject) => {
    startActivity(machine, required(machine, intent), me, -1, sink);
  };

function required(machine: Machine, value: Reference): HeapObject {
  if (value === null) throw machine.exception('Ljava/lang/NullPointerException;');
  return value;
}

const broadcasting =
  (sink: string, isOrdered = false, isSticky = false): NativeMethod =>
  (machine, _me, intent: HeapObject) => {
    sendBroadcast(machine, required(machine, intent), { sink: `Context.${sink}`, isOrdered, isSticky });
  };

const ordered: NativeMethod = (
  machine,
  _me,
  intent: HeapObject,
  _permission: Reference,
  finalReceiver: Reference,
  _handler: Reference,
  code: number,
  data: Reference,
) => {
  const sink = 'Context.sendOrderedBroadcast';
  sendBroadcast(machine, required(machine, intent), { sink, isOrdered: true, finalReceiver, code, data });
};

const contextMethods: NativeMethods = {
  '<init>()V': nothing,
  '<init>(Landroid/content/Context;)V': (machine, me, base: Reference) => {
    contextOf(machine, me).base = base;
    machine.setField(me, 'mBase', base);
  },
  'attachBaseContext(Landroid/content/Context;)V': (machine, me, base: Reference) => {
    contextOf(machine, me).base = base;
    machine.setField(me, 'mBase', base);
  },
  'getBaseContext()Landroid/content/Context;': (machine, me) => contextOf(machine, me).base,
  'getApplicationContext()Landroid/content/Context;': (machine, me) => appOf(machine).application ?? me,
  'getPackageName()Ljava/lang/String;': (machine) => machine.string(appOf(machine).packageName),
  'getOpPackageName()Ljava/lang/String;': (machine) => machine.string(appOf(machine).packageName),
  'getAttributionTag()Ljava/lang/String;': none,
  'getPackageCodePath()Ljava/lang/String;': (machine) => machine.string(appOf(machine).plan.path),
  'getPackageResourcePath()Ljava/lang/String;': (machine) => machine.string(appOf(machine).plan.path),
  'getPackageManager()Landroid/content/pm/PackageManager;': (machine) =>
    singleton(machine, 'Landroid/content/pm/PackageManagerImpl;'),
  'getContentResolver()Landroid/content/ContentResolver;': (machine) =>
    singleton(machine, 'Landroid/content/ContentResolverImpl;'),
  'getResources()Landroid/content/res/Resources;': (machine) => singleton(machine, 'Landroid/content/res/Resources;'),
  'getAssets()Landroid/content/res/AssetManager;': (machine) =>
    singleton(machine, 'Landroid/content/res/AssetManager;'),
  'getMainExecutor()Ljava/util/concurrent/Executor;': (machine) => singleton(machine, 'Landroid/os/MainExecutor;'),
  'getMainLooper()Landroid/os/Looper;': (machine) =>
    machine.callStatic('Landroid/os/Looper;', 'getMainLooper()Landroid/os/Looper;'),
  'getClassLoader()Ljava/lang/ClassLoader;': (machine) => packageLoader(machine),
  'getApplicationInfo()Landroid/content/pm/ApplicationInfo;': (machine) =>
    machine.call(
      singleton(machine, 'Landroid/content/pm/PackageManagerImpl;'),
      'getApplicationInfo(Ljava/lang/String;I)Landroid/content/pm/ApplicationInfo;',
      machine.string(appOf(machine).packageName),
      128,
    ),
  'getSystemService(Ljava/lang/String;)Ljava/lang/Object;': (machine, me, name: Reference) =>
    plain(machine, name) === 'layout_inflater'
      ? inflaterFor(machine, me)
      : systemService(machine, plain(machine, name)),
  'getSystemService(!Ljava/lang/Class;)Ljava/lang/Object;': (machine, me, cls: HeapObject) => {
    const { descriptor } = machine.classFrom(cls);
    return descriptor === 'Landroid/view/LayoutInflater;'
      ? inflaterFor(machine, me)
      : systemServiceByClass(machine, descriptor);
  },
  'getSystemServiceName(!Ljava/lang/Class;)Ljava/lang/String;': (machine, _me, cls: HeapObject) => {
    const name = systemServiceName(machine.classFrom(cls).descriptor);
    return name === null ? null : machine.string(name);
  },
  'getString(I)Ljava/lang/String;': (machine, _me, id: number) =>
    machine.call(singleton(machine, 'Landroid/content/res/Resources;'), 'getString(I)Ljava/lang/String;', id),
  'getString(I[Ljava/lang/Object;)Ljava/lang/String;': (machine, _me, id: number, values: Value) =>
    machine.call(
      singleton(machine, 'Landroid/content/res/Resources;'),
      'getString(I[Ljava/lang/Object;)Ljava/lang/String;',
      id,
      values,
    ),
  'getText(I)Ljava/lang/CharSequence;': (machine, _me, id: number) =>
    machine.call(singleton(machine, 'Landroid/content/res/Resources;'), 'getString(I)Ljava/lang/String;', id),
  'getColor(I)I': (machine, _me, id: number) =>
    machine.call(singleton(machine, 'Landroid/content/res/Resources;'), 'getColor(I)I', id),
  'getDrawable(I)Landroid/graphics/drawable/Drawable;': (machine, _me, id: number) =>
    machine.call(
      singleton(machine, 'Landroid/content/res/Resources;'),
      'getDrawable(I)Landroid/graphics/drawable/Drawable;',
      id,
    ),
  'getColorStateList(I)Landroid/content/res/ColorStateList;': (machine) =>
    machine.allocate('Landroid/content/res/ColorStateList;'),
  ...themedContextMethods,
  // Components and broadcasts.
  'startActivity(!Landroid/content/Intent;)V': starting('Context.startActivity'),
  'startActivity(!Landroid/content/Intent;Landroid/os/Bundle;)V': starting('Context.startActivity'),
  'startActivities(![Landroid/content/Intent;)V': (machine, me, intents: HeapObject) => {
    for (const intent of (intents as unknown as { elements: Reference[] }).elements) {
      if (intent !== null) startActivity(machine, intent, me, -1, 'Context.startActivities');
    }
  },
  'startIntentSender(Landroid/content/IntentSender;Landroid/content/Intent;III)V': (
    machine,
    _me,
    sender: Reference,
    fill: Reference,
  ) => sendPending(machine, sender, fill),
  'startIntentSender(Landroid/content/IntentSender;Landroid/content/Intent;IIILandroid/os/Bundle;)V': (
    machine,
    _me,
    sender: Reference,
    fill: Reference,
  ) => sendPending(machine, sender, fill),
  ...each(
    (machine, _me, intent: HeapObject) => startService(machine, required(machine, intent)),
    'startService(Landroid/content/Intent;)Landroid/content/ComponentName;',
    'startForegroundService(Landroid/content/Intent;)Landroid/content/ComponentName;',
  ),
  'stopService(Landroid/content/Intent;)Z': (machine, _me, intent: HeapObject) =>
    stopServiceByIntent(machine, required(machine, intent)),
  'bindService(Landroid/content/Intent;Landroid/content/ServiceConnection;I)Z': (
    machine,
    _me,
    intent: HeapObject,
    connection: Reference,
  ) => flag(bindService(machine, required(machine, intent), connection)),
  'unbindService(Landroid/content/ServiceConnection;)V': (machine, _me, connection: Reference) => {
    if (connection !== null) unbindService(machine, connection);
  },
  'sendBroadcast(Landroid/content/Intent;)V': broadcasting('sendBroadcast'),
  'sendBroadcast(Landroid/content/Intent;Ljava/lang/String;)V': broadcasting('sendBroadcast'),
  'sendBroadcastAsUser(Landroid/content/Intent;Landroid/os/UserHandle;)V': broadcasting('sendBroadcastAsUser'),
  'sendStickyBroadcast(Landroid/content/Intent;)V': broadcasting('sendStickyBroadcast', false, true),
  'sendOrderedBroadcast(Landroid/content/Intent;Ljava/lang/String;)V': broadcasting('sendOrderedBroadcast', true),
  'sendOrderedBroadcast(Landroid/content/Intent;Ljava/lang/String;Landroid/content/BroadcastReceiver;Landroid/os/Handler;ILjava/lang/String;Landroid/os/Bundle;)V':
    ordered,
  'sendStickyOrderedBroadcast(Landroid/content/Intent;Landroid/content/BroadcastReceiver;Landroid/os/Handler;ILjava/lang/String;Landroid/os/Bundle;)V':
    (machine, me, intent: HeapObject, ...rest: Value[]) => ordered(machine, me, intent, null, ...rest),
  'removeStickyBroadcast(!Landroid/content/Intent;)V': (machine, _me, intent: HeapObject) => {
    const action = machine.call(intent, 'getAction()Ljava/lang/String;') as Reference;
    appOf(machine).stickyIntents.delete(plain(machine, action));
  },
  ...each(
    (machine, _me, receiver: Reference, filter: Reference, permission: Value = null) =>
      registerReceiver(machine, receiver, filter, typeof permission === 'object' ? (permission as Reference) : null),
    'registerReceiver(Landroid/content/BroadcastReceiver;Landroid/content/IntentFilter;)Landroid/content/Intent;',
    'registerReceiver(Landroid/content/BroadcastReceiver;Landroid/content/IntentFilter;I)Landroid/content/Intent;',
    'registerReceiver(Landroid/content/BroadcastReceiver;Landroid/content/IntentFilter;Ljava/lang/String;Landroid/os/Handler;)Landroid/content/Intent;',
    'registerReceiver(Landroid/content/BroadcastReceiver;Landroid/content/IntentFilter;Ljava/lang/String;Landroid/os/Handler;I)Landroid/content/Intent;',
  ),
  'unregisterReceiver(Landroid/content/BroadcastReceiver;)V': (machine, _me, receiver: Reference) =>
    unregisterReceiver(machine, receiver),
  'registerComponentCallbacks(Landroid/content/ComponentCallbacks;)V': (machine, _me, callbacks: Reference) => {
    const { componentCallbacks } = appOf(machine);
    if (callbacks !== null && !componentCallbacks.includes(callbacks)) componentCallbacks.push(callbacks);
  },
  'unregisterComponentCallbacks(Landroid/content/ComponentCallbacks;)V': (machine, _me, callbacks: Reference) => {
    const { componentCallbacks } = appOf(machine);
    const at = callbacks === null ? -1 : componentCallbacks.indexOf(callbacks);
    if (at >= 0) componentCallbacks.splice(at, 1);
  },
  // Files.
  'getFilesDir()Ljava/io/File;': own('files'),
  'getNoBackupFilesDir()Ljava/io/File;': own('no_backup'),
  'getCacheDir()Ljava/io/File;': own('cache'),
  'getCodeCacheDir()Ljava/io/File;': own('code_cache'),
  'getDataDir()Ljava/io/File;': folder((machine) => appOf(machine).dataFolder),
  'getObbDir()Ljava/io/File;': folder((machine) => `/storage/emulated/0/Android/obb/${appOf(machine).packageName}`),
  'getExternalCacheDir()Ljava/io/File;': folder((machine) => `${external(machine)}/cache`),
  'getExternalFilesDir(Ljava/lang/String;)Ljava/io/File;': (machine, _me, type: Reference) => {
    const path = `${external(machine)}/files${type === null ? '' : `/${plain(machine, type)}`}`;
    virtualFiles(machine).addDirectory(path);
    return fileObject(machine, path);
  },
  'getExternalFilesDirs(Ljava/lang/String;)[Ljava/io/File;': (machine) =>
    machine.objectArray('Ljava/io/File;', [fileObject(machine, `${external(machine)}/files`)]),
  'getExternalCacheDirs()[Ljava/io/File;': (machine) =>
    machine.objectArray('Ljava/io/File;', [fileObject(machine, `${external(machine)}/cache`)]),
  'getDir(Ljava/lang/String;I)Ljava/io/File;': (machine, _me, name: Reference) => {
    const path = `${appOf(machine).dataFolder}/app_${textOf(machine, name)}`;
    virtualFiles(machine).addDirectory(path);
    return fileObject(machine, path);
  },
  'getFileStreamPath(Ljava/lang/String;)Ljava/io/File;': (machine, _me, name: Reference) =>
    fileObject(machine, `${appOf(machine).dataFolder}/files/${textOf(machine, name)}`),
  'getDatabasePath(Ljava/lang/String;)Ljava/io/File;': (machine, _me, name: Reference) => {
    const path = textOf(machine, name);
    return fileObject(machine, path.startsWith('/') ? path : `${appOf(machine).dataFolder}/databases/${path}`);
  },
  'openFileInput(Ljava/lang/String;)Ljava/io/FileInputStream;': (machine, _me, name: Reference) =>
    machine.construct(
      'Ljava/io/FileInputStream;',
      '<init>(Ljava/lang/String;)V',
      machine.string(`${appOf(machine).dataFolder}/files/${textOf(machine, name)}`),
    ),
  'openFileOutput(Ljava/lang/String;I)Ljava/io/FileOutputStream;': (machine, _me, name: Reference, mode: number) => {
    virtualFiles(machine).addDirectory(`${appOf(machine).dataFolder}/files`);
    return machine.construct(
      'Ljava/io/FileOutputStream;',
      '<init>(Ljava/lang/String;Z)V',
      machine.string(`${appOf(machine).dataFolder}/files/${textOf(machine, name)}`),
      flag((mode & 0x8000) !== 0),
    );
  },
  'deleteFile(Ljava/lang/String;)Z': (machine, _me, name: Reference) =>
    virtualFiles(machine).delete(machine, `${appOf(machine).dataFolder}/files/${textOf(machine, name)}`),
  'fileList()[Ljava/lang/String;': (machine) =>
    machine.objectArray(
      'Ljava/lang/String;',
      (virtualFiles(machine).list(`${appOf(machine).dataFolder}/files`) ?? []).map((name) => machine.string(name)),
    ),
  'getSharedPreferences(Ljava/lang/String;I)Landroid/content/SharedPreferences;': (
    machine,
    _me,
    name: Reference,
    mode: number,
  ) => preferencesOf(machine, plain(machine, name), mode),
  'deleteSharedPreferences(Ljava/lang/String;)Z': yes,
  'openOrCreateDatabase(Ljava/lang/String;ILandroid/database/sqlite/SQLiteDatabase$CursorFactory;)Landroid/database/sqlite/SQLiteDatabase;':
    (machine, _me, name: Reference) => openDatabase(machine, name as JavaString),
  'openOrCreateDatabase(Ljava/lang/String;ILandroid/database/sqlite/SQLiteDatabase$CursorFactory;Landroid/database/DatabaseErrorHandler;)Landroid/database/sqlite/SQLiteDatabase;':
    (machine, _me, name: Reference) => openDatabase(machine, name as JavaString),
  'deleteDatabase(Ljava/lang/String;)Z': yes,
  'databaseList()[Ljava/lang/String;': (machine) => machine.objectArray('Ljava/lang/String;', []),
  // Permissions.
  ...each(
    (machine, _me, name: Reference) => checkPermission(machine, name),
    'checkSelfPermission(Ljava/lang/String;)I',
    'checkCallingOrSelfPermission(Ljava/lang/String;)I',
    'checkCallingPermission(Ljava/lang/String;)I',
    'checkPermission(Ljava/lang/String;II)I',
  ),
  ...each(
    (machine, _me, name: Reference) => {
      if (checkPermission(machine, name) !== 0) {
        throw machine.exception('Ljava/lang/SecurityException;', `${plain(machine, name)} ${isOutside}`);
      }
    },
    'enforceCallingOrSelfPermission(Ljava/lang/String;Ljava/lang/String;)V',
    'enforceCallingPermission(Ljava/lang/String;Ljava/lang/String;)V',
  ),
  'checkUriPermission(Landroid/net/Uri;III)I': no,
  ...each(
    nothing,
    'grantUriPermission(Ljava/lang/String;Landroid/net/Uri;I)V',
    'revokeUriPermission(Landroid/net/Uri;I)V',
    'setWallpaper(Landroid/graphics/Bitmap;)V',
    'sendBroadcastWithMultiplePermissions(Landroid/content/Intent;[Ljava/lang/String;)V',
  ),
  'isRestricted()Z': no,
  'isDeviceProtectedStorage()Z': no,
  ...each(
    (_machine, me) => me,
    'createPackageContext(Ljava/lang/String;I)Landroid/content/Context;',
    'createDeviceProtectedStorageContext()Landroid/content/Context;',
    'createAttributionContext(Ljava/lang/String;)Landroid/content/Context;',
  ),
  // A context of its own class: wrappers take their resources from it.
  ...each(
    (machine) => newBaseContext(machine),
    'createConfigurationContext(Landroid/content/res/Configuration;)Landroid/content/Context;',
    'createDisplayContext(Landroid/view/Display;)Landroid/content/Context;',
  ),
};

const openDatabase = (machine: Machine, name: JavaString): Value =>
  machine.callStatic(
    'Landroid/database/sqlite/SQLiteDatabase;',
    'openOrCreateDatabase(Ljava/lang/String;Landroid/database/sqlite/SQLiteDatabase$CursorFactory;)Landroid/database/sqlite/SQLiteDatabase;',
    name,
    null,
  );

const lifecycleCallbacks = 'Landroid/app/Application$ActivityLifecycleCallbacks;';

const applicationMethods: NativeMethods = {
  ...each(
    nothing,
    '<init>()V',
    'onCreate()V',
    'onTerminate()V',
    'onLowMemory()V',
    'onTrimMemory(I)V',
    'onConfigurationChanged(Landroid/content/res/Configuration;)V',
  ),
  [`registerActivityLifecycleCallbacks(${lifecycleCallbacks})V`]: (machine, _me, callbacks: Reference) => {
    if (callbacks !== null) appOf(machine).lifecycleCallbacks.push(callbacks);
  },
  [`unregisterActivityLifecycleCallbacks(${lifecycleCallbacks})V`]: (machine, _me, callbacks: Reference) => {
    const list = appOf(machine).lifecycleCallbacks;
    const at = callbacks === null ? -1 : list.indexOf(callbacks);
    if (at >= 0) list.splice(at, 1);
  },
};

export const contextModels: Models = {
  'Landroid/content/Context;': {
    methods: contextMethods,
    constants: Object.fromEntries(
      Object.entries({
        ACTIVITY_SERVICE: 'activity',
        ALARM_SERVICE: 'alarm',
        CONNECTIVITY_SERVICE: 'connectivity',
        LOCATION_SERVICE: 'location',
        TELEPHONY_SERVICE: 'phone',
        WIFI_SERVICE: 'wifi',
      }).map(([name, value]) => [`${name}:Ljava/lang/String;`, value]),
    ),
  },
  'Landroid/content/ContextWrapper;': { extends: 'Landroid/content/Context;' },
  'Landroid/view/ContextThemeWrapper;': {
    extends: 'Landroid/content/ContextWrapper;',
    methods: {
      '<init>(Landroid/content/Context;I)V': (machine, me, base: Reference, style: number) => {
        contextMethods['<init>(Landroid/content/Context;)V']!(machine, me, base);
        contextMethods['setTheme(I)V']!(machine, me, style);
      },
      '<init>(Landroid/content/Context;Landroid/content/res/Resources$Theme;)V': (machine, me, base: Reference) =>
        contextMethods['<init>(Landroid/content/Context;)V']!(machine, me, base),
      'applyOverrideConfiguration(Landroid/content/res/Configuration;)V': nothing,
      ...contextThemeWrapperMethods,
    },
  },
  'Landroid/app/Application;': {
    extends: 'Landroid/content/ContextWrapper;',
    implements: ['Landroid/content/ComponentCallbacks2;'],
    methods: applicationMethods,
    staticMethods: {
      'getProcessName()Ljava/lang/String;': (machine) => machine.string(appOf(machine).packageName),
    },
  },
  'Landroid/content/ComponentCallbacks;': {
    isInterface: true,
    abstractMethods: ['onConfigurationChanged(Landroid/content/res/Configuration;)V', 'onLowMemory()V'],
  },
  'Landroid/content/ComponentCallbacks2;': {
    isInterface: true,
    implements: ['Landroid/content/ComponentCallbacks;'],
    abstractMethods: ['onTrimMemory(I)V'],
  },
  [lifecycleCallbacks]: { isInterface: true },
  'Landroid/app/AppGlobals;': {
    staticMethods: {
      'getInitialApplication()Landroid/app/Application;': (machine) => appOf(machine).application,
    },
  },
  'Landroid/content/ServiceConnection;': {
    isInterface: true,
    abstractMethods: [
      'onServiceConnected(Landroid/content/ComponentName;Landroid/os/IBinder;)V',
      'onServiceDisconnected(Landroid/content/ComponentName;)V',
    ],
  },
  'Landroid/content/IntentSender;': {
    methods: {
      'sendIntent(Landroid/content/Context;ILandroid/content/Intent;Landroid/content/IntentSender$OnFinished;Landroid/os/Handler;)V':
        (machine, me, _context: Reference, _code: number, fill: Reference) => sendPending(machine, me, fill),
    },
  },
};
