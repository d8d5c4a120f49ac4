// Models of the phone itself: Build, system properties, networks, sensors, battery, running apps. Knows no component.
import { enumModel } from '../../java/lang/enum.ts';
import { stringArray } from '../../java/values.ts';
import type { HeapObject, Value } from '../../machine/heap.ts';
import { ProcessExit } from '../../machine/limits.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { phone } from '../../world/device.ts';
import { propertyOf, worldOf } from '../../world/world.ts';
import { appOf } from '../components/app.ts';
import { newComponentName } from '../components/component-name.ts';
import { fileObject } from '../components/context.ts';
import { handOver } from '../components/delivery.ts';
import {
  always,
  callIfThere,
  each,
  flag,
  listOf,
  no,
  noLong,
  none,
  nothing,
  plain,
  type Reference,
  yes,
} from '../model-parts.ts';
import { recentApps } from './app-usage.ts';
import { singleton } from './system-services.ts';

const S = 'Ljava/lang/String;';
const ownProcess = 14_233;

const buildConstants = {
  ...Object.fromEntries(Object.entries(phone.build).map(([name, value]) => [`${name}:${S}`, value])),
  [`SERIAL:${S}`]: (machine: Machine) =>
    machine.string(phone.serial, machine.source('TAINT_DEVICE_SN', 'Build.SERIAL')),
  'TIME:J': 1_560_160_011_000n,
  [`SUPPORTED_ABIS:[${S}`]: (machine: Machine) => stringArray(machine, ['arm64-v8a', 'armeabi-v7a', 'armeabi']),
  [`SUPPORTED_64_BIT_ABIS:[${S}`]: (machine: Machine) => stringArray(machine, ['arm64-v8a']),
  [`SUPPORTED_32_BIT_ABIS:[${S}`]: (machine: Machine) => stringArray(machine, ['armeabi-v7a', 'armeabi']),
};

const property: NativeMethod = (machine, name: Reference, otherwise: Reference = null) => {
  const value = propertyOf(plain(machine, name));
  const taint = /serial/.test(plain(machine, name)) ? machine.source('TAINT_DEVICE_SN', 'SystemProperties.get') : 0;
  return value === '' ? (otherwise ?? machine.string('')) : machine.string(value, taint);
};

// Networks.

const networkState = 'Landroid/net/NetworkInfo$State;';
const detailedState = 'Landroid/net/NetworkInfo$DetailedState;';

const networkMethods: NativeMethods = {
  ...each(yes, 'isConnected()Z', 'isConnectedOrConnecting()Z', 'isAvailable()Z'),
  'isRoaming()Z': no,
  'isFailover()Z': no,
  'getType()I': always(1),
  'getSubtype()I': no,
  [`getTypeName()${S}`]: always('WIFI'),
  [`getSubtypeName()${S}`]: always(''),
  [`getExtraInfo()${S}`]: none,
  [`getReason()${S}`]: none,
  [`getState()${networkState}`]: (machine) => machine.getStatic(networkState, 'CONNECTED'),
  [`getDetailedState()${detailedState}`]: (machine) => machine.getStatic(detailedState, 'CONNECTED'),
};

const newNetworkInfo: NativeMethod = (machine) => machine.allocate('Landroid/net/NetworkInfo;');

const networkCallback: NativeMethod = (machine, _me: HeapObject, ...args: Value[]) => {
  for (const arg of args) {
    if (arg === null || typeof arg !== 'object') continue;
    const object = arg as HeapObject;
    if (object.cls.descriptor === 'Landroid/app/PendingIntent;') handOver(machine, object, 'network');
    if (!machine.isInstance(object, 'Landroid/net/ConnectivityManager$NetworkCallback;')) continue;
    const app = appOf(machine);
    app.listen(`network#${app.numberOf(object)}`, {
      kind: 'network',
      fire: () =>
        callIfThere(machine, object, 'onAvailable(Landroid/net/Network;)V', machine.allocate('Landroid/net/Network;')),
    });
  }
};

const wifiText =
  (pick: () => string): NativeMethod =>
  (machine) =>
    machine.string(pick());

const ipAsInt = (): number => phone.wifi.ip.split('.').reduceRight((all, part) => (all << 8) | Number(part), 0);

// Sensors.

const sensorListener = 'Landroid/hardware/SensorEventListener;';

function newSensor(machine: Machine, index: number): HeapObject {
  const sensor = machine.allocate('Landroid/hardware/Sensor;');
  sensor.native = phone.sensors[index];
  return sensor;
}
const sensorOf = (sensor: HeapObject) => sensor.native as (typeof phone.sensors)[number];

const registerSensor: NativeMethod = (machine, _me: HeapObject, listener: HeapObject, sensor: Reference) => {
  if (sensor === null) return 0;
  const app = appOf(machine);
  app.listen(`sensor#${app.numberOf(listener)} ${sensorOf(sensor)?.type ?? 0}`, {
    kind: 'sensor',
    fire: () => {
      const event = machine.allocate('Landroid/hardware/SensorEvent;');
      const values = machine.array('F', 3);
      (values.elements as Float32Array).set([0.12, 9.74, 0.31]);
      if (sensorOf(sensor)?.type === 1) {
        const taint = machine.source('TAINT_ACCELEROMETER', 'SensorEventListener.onSensorChanged');
        values.elementTaints = [taint, taint, taint];
      }
      machine.setField(event, 'values', values);
      machine.setField(event, 'sensor', sensor);
      machine.setField(event, 'timestamp', BigInt(Math.trunc(machine.clock.elapsed)) * 1_000_000n);
      machine.call(listener, 'onSensorChanged(Landroid/hardware/SensorEvent;)V', event);
      callIfThere(machine, listener, 'onAccuracyChanged(Landroid/hardware/Sensor;I)V', sensor, 3);
    },
  });
  return 1;
};

// Running apps.

const runningProcess = (machine: Machine): HeapObject => {
  const info = machine.allocate('Landroid/app/ActivityManager$RunningAppProcessInfo;');
  machine.setField(info, 'processName', machine.string(appOf(machine).packageName));
  machine.setField(info, 'pid', 14_233);
  machine.setField(info, 'uid', 10_217);
  machine.setField(info, 'importance', 100);
  return info;
};

const activityManagerMethods: NativeMethods = {
  'getRunningAppProcesses()Ljava/util/List;': (machine) => listOf(machine, [runningProcess(machine)]),
  'getRunningTasks(I)Ljava/util/List;': (machine) => {
    const task = machine.allocate('Landroid/app/ActivityManager$RunningTaskInfo;');
    const { front, packageName } = appOf(machine);
    const other = recentApps(machine)[0]!;
    const name = newComponentName(machine, {
      packageName: front === null ? other : packageName,
      className: front === null ? `${other}.MainActivity` : front.component.name,
      taint: 0,
    });
    machine.setField(task, 'topActivity', name);
    machine.setField(task, 'baseActivity', name);
    return listOf(machine, [task]);
  },
  'getRunningServices(I)Ljava/util/List;': (machine) => listOf(machine, []),
  'getRecentTasks(II)Ljava/util/List;': (machine) => listOf(machine, []),
  'getMemoryInfo(Landroid/app/ActivityManager$MemoryInfo;)V': (machine, _me: HeapObject, info: HeapObject) => {
    machine.setField(info, 'totalMem', BigInt(worldOf(machine).device.totalMemory));
    machine.setField(info, 'availMem', 1_669_250_000n);
    machine.setField(info, 'threshold', 226_492_416n);
  },
  'getMemoryClass()I': always(256),
  'getLargeMemoryClass()I': always(512),
  'isLowRamDevice()Z': no,
  'moveTaskToFront(II)V': nothing,
  'getDeviceConfigurationInfo()Landroid/content/pm/ConfigurationInfo;': (machine) =>
    machine.allocate('Landroid/content/pm/ConfigurationInfo;'),
};

const externalStorage: NativeMethod = (machine) => fileObject(machine, '/storage/emulated/0');
const uiMethods = {
  'isKeyguardLocked()Z': no,
  'isKeyguardSecure()Z': yes,
  'inKeyguardRestrictedInputMode()Z': no,
  'isDeviceLocked()Z': no,
  'isDeviceSecure()Z': yes,
};

export const deviceModels: Models = {
  'Landroid/os/Build;': {
    constants: buildConstants,
    staticMethods: {
      [`getSerial()${S}`]: (machine) =>
        machine.string(phone.serial, machine.source('TAINT_DEVICE_SN', 'Build.getSerial')),
      [`getRadioVersion()${S}`]: always(phone.build.RADIO!),
    },
  },
  'Landroid/os/Build$VERSION;': {
    constants: {
      'SDK_INT:I': phone.sdk,
      [`SDK:${S}`]: String(phone.sdk),
      [`RELEASE:${S}`]: phone.release,
      [`CODENAME:${S}`]: 'REL',
      [`INCREMENTAL:${S}`]: 'G950FXXU5DSFB',
      'PREVIEW_SDK_INT:I': 0,
      [`SECURITY_PATCH:${S}`]: '2019-06-01',
      [`BASE_OS:${S}`]: '',
    },
  },
  'Landroid/os/SystemProperties;': {
    staticMethods: {
      [`get(${S})${S}`]: property,
      [`get(${S}${S})${S}`]: property,
      [`getInt(${S}I)I`]: (machine, name: Reference, otherwise: number) =>
        Number(propertyOf(plain(machine, name))) || otherwise,
      [`getBoolean(${S}Z)Z`]: (machine, name: Reference, otherwise: number) =>
        propertyOf(plain(machine, name)) === '' ? otherwise : flag(propertyOf(plain(machine, name)) === '1'),
    },
  },
  'Landroid/os/Process;': {
    staticMethods: {
      'myPid()I': always(ownProcess),
      'myUid()I': always(10_217),
      'myTid()I': always(ownProcess),
      // Of other processes a phone lets an app end none.
      'killProcess(I)V': (_machine, process: number) => {
        if (process === ownProcess) throw new ProcessExit(9);
      },
      'sendSignal(II)V': (_machine, process: number, signal: number) => {
        if (process === ownProcess && (signal === 9 || signal === 15)) throw new ProcessExit(signal);
      },
      'setThreadPriority(I)V': nothing,
      'setThreadPriority(II)V': nothing,
      'getThreadPriority(I)I': no,
      'is64Bit()Z': yes,
      'getElapsedCpuTime()J': (machine) => BigInt(Math.trunc(machine.clock.elapsed)),
    },
  },
  'Ldalvik/system/VMRuntime;': {
    methods: {
      'is64Bit()Z': yes,
      [`vmLibrary()${S}`]: always('libart.so'),
      'getTargetSdkVersion()I': always(28),
      'setHiddenApiExemptions([Ljava/lang/String;)V': nothing,
      'setMinimumHeapSize(J)J': noLong,
      'setTargetHeapUtilization(F)F': always(0),
    },
    staticMethods: {
      'getRuntime()Ldalvik/system/VMRuntime;': (machine) => singleton(machine, 'Ldalvik/system/VMRuntime;'),
    },
  },
  'Landroid/os/Debug;': {
    staticMethods: {
      'isDebuggerConnected()Z': no,
      'waitingForDebugger()Z': no,
      'getNativeHeapSize()J': () => 33_554_432n,
      'getNativeHeapAllocatedSize()J': () => 21_201_392n,
      'threadCpuTimeNanos()J': (machine) => BigInt(Math.trunc(machine.clock.elapsed)) * 1_000_000n,
      'getPss()J': () => 80_123n,
    },
  },
  'Landroid/os/StrictMode;': {
    staticMethods: each(
      nothing,
      'setThreadPolicy(Landroid/os/StrictMode$ThreadPolicy;)V',
      'setVmPolicy(Landroid/os/StrictMode$VmPolicy;)V',
      'enableDefaults()V',
    ),
  },
  'Landroid/os/Environment;': {
    staticMethods: {
      'getExternalStorageDirectory()Ljava/io/File;': externalStorage,
      [`getExternalStoragePublicDirectory(${S})Ljava/io/File;`]: (machine, type: Reference) =>
        fileObject(machine, `/storage/emulated/0/${plain(machine, type)}`),
      [`getExternalStorageState()${S}`]: always('mounted'),
      [`getExternalStorageState(Ljava/io/File;)${S}`]: always('mounted'),
      'getDataDirectory()Ljava/io/File;': (machine) => fileObject(machine, '/data'),
      'getRootDirectory()Ljava/io/File;': (machine) => fileObject(machine, '/system'),
      'getDownloadCacheDirectory()Ljava/io/File;': (machine) => fileObject(machine, '/cache'),
      ...each(yes, 'isExternalStorageEmulated()Z', 'isExternalStorageManager()Z'),
      'isExternalStorageRemovable()Z': no,
    },
    constants: Object.fromEntries(
      Object.entries({
        DIRECTORY_DOWNLOADS: 'Download',
        DIRECTORY_DCIM: 'DCIM',
        DIRECTORY_PICTURES: 'Pictures',
        DIRECTORY_MUSIC: 'Music',
        DIRECTORY_MOVIES: 'Movies',
        DIRECTORY_DOCUMENTS: 'Documents',
        MEDIA_MOUNTED: 'mounted',
      }).map(([name, value]) => [`${name}:${S}`, value]),
    ),
  },
  'Landroid/os/StatFs;': {
    methods: {
      ...each(nothing, `<init>(${S})V`, `restat(${S})V`),
      'getBlockSize()I': always(phone.storage.blockSize),
      'getBlockSizeLong()J': always(BigInt(phone.storage.blockSize)),
      ...each(always(phone.storage.blocks), 'getBlockCount()I'),
      'getBlockCountLong()J': always(BigInt(phone.storage.blocks)),
      ...each(always(phone.storage.free), 'getAvailableBlocks()I', 'getFreeBlocks()I'),
      ...each(always(BigInt(phone.storage.free)), 'getAvailableBlocksLong()J', 'getFreeBlocksLong()J'),
      'getTotalBytes()J': always(BigInt(phone.storage.blocks * phone.storage.blockSize)),
      ...each(always(BigInt(phone.storage.free * phone.storage.blockSize)), 'getAvailableBytes()J', 'getFreeBytes()J'),
    },
  },
  'Landroid/net/ConnectivityManager;': {
    methods: {
      'getActiveNetworkInfo()Landroid/net/NetworkInfo;': newNetworkInfo,
      'getNetworkInfo(I)Landroid/net/NetworkInfo;': newNetworkInfo,
      'getNetworkInfo(Landroid/net/Network;)Landroid/net/NetworkInfo;': newNetworkInfo,
      'getAllNetworkInfo()[Landroid/net/NetworkInfo;': (machine) =>
        machine.objectArray('Landroid/net/NetworkInfo;', [machine.allocate('Landroid/net/NetworkInfo;')]),
      'getLinkProperties(Landroid/net/Network;)Landroid/net/LinkProperties;': (machine) =>
        machine.allocate('Landroid/net/LinkProperties;'),
      'getActiveNetwork()Landroid/net/Network;': (machine) => machine.allocate('Landroid/net/Network;'),
      'getAllNetworks()[Landroid/net/Network;': (machine) =>
        machine.objectArray('Landroid/net/Network;', [machine.allocate('Landroid/net/Network;')]),
      'getNetworkCapabilities(Landroid/net/Network;)Landroid/net/NetworkCapabilities;': (machine) =>
        machine.allocate('Landroid/net/NetworkCapabilities;'),
      'isActiveNetworkMetered()Z': no,
      ...each(
        networkCallback,
        'requestNetwork(Landroid/net/NetworkRequest;Landroid/app/PendingIntent;)V',
        'registerNetworkCallback(Landroid/net/NetworkRequest;Landroid/app/PendingIntent;)V',
        'requestNetwork(Landroid/net/NetworkRequest;Landroid/net/ConnectivityManager$NetworkCallback;)V',
        'registerNetworkCallback(Landroid/net/NetworkRequest;Landroid/net/ConnectivityManager$NetworkCallback;)V',
        'registerDefaultNetworkCallback(Landroid/net/ConnectivityManager$NetworkCallback;)V',
      ),
      'unregisterNetworkCallback(Landroid/net/ConnectivityManager$NetworkCallback;)V': (
        machine,
        _me: HeapObject,
        callback: HeapObject,
      ) => {
        appOf(machine).unlisten(`network#${appOf(machine).numberOf(callback)}`);
      },
    },
  },
  'Landroid/net/NetworkInfo;': { methods: networkMethods },
  [networkState]: enumModel(networkState, [
    'CONNECTING',
    'CONNECTED',
    'SUSPENDED',
    'DISCONNECTING',
    'DISCONNECTED',
    'UNKNOWN',
  ]),
  [detailedState]: enumModel(detailedState, [
    'IDLE',
    'SCANNING',
    'CONNECTING',
    'AUTHENTICATING',
    'OBTAINING_IPADDR',
    'CONNECTED',
    'SUSPENDED',
    'DISCONNECTING',
    'DISCONNECTED',
    'FAILED',
    'BLOCKED',
    'VERIFYING_POOR_LINK',
    'CAPTIVE_PORTAL_CHECK',
  ]),
  'Landroid/net/LinkProperties;': {
    methods: { 'getInterfaceName()Ljava/lang/String;': (machine) => machine.string('wlan0') },
  },
  'Landroid/net/NetworkCapabilities;': {
    methods: {
      'hasCapability(I)Z': yes,
      'hasTransport(I)Z': (_machine, _me: HeapObject, transport: number) => flag(transport === 1),
    },
  },
  'Landroid/net/ConnectivityManager$NetworkCallback;': {
    methods: each(
      nothing,
      '<init>()V',
      'onAvailable(Landroid/net/Network;)V',
      'onLost(Landroid/net/Network;)V',
      'onCapabilitiesChanged(Landroid/net/Network;Landroid/net/NetworkCapabilities;)V',
      'onUnavailable()V',
    ),
  },
  'Landroid/net/wifi/WifiManager;': {
    methods: {
      'getConnectionInfo()Landroid/net/wifi/WifiInfo;': (machine) => machine.allocate('Landroid/net/wifi/WifiInfo;'),
      'isWifiEnabled()Z': yes,
      'getWifiState()I': always(3),
      'getScanResults()Ljava/util/List;': (machine) => listOf(machine, []),
      'getConfiguredNetworks()Ljava/util/List;': (machine) => listOf(machine, []),
      'startScan()Z': yes,
      'getDhcpInfo()Landroid/net/DhcpInfo;': (machine) => machine.allocate('Landroid/net/DhcpInfo;'),
      [`createWifiLock(${S})Landroid/net/wifi/WifiManager$WifiLock;`]: (machine) =>
        machine.allocate('Landroid/net/wifi/WifiManager$WifiLock;'),
      [`createWifiLock(I${S})Landroid/net/wifi/WifiManager$WifiLock;`]: (machine) =>
        machine.allocate('Landroid/net/wifi/WifiManager$WifiLock;'),
    },
  },
  'Landroid/net/wifi/WifiManager$WifiLock;': {
    methods: { ...each(nothing, 'acquire()V', 'release()V', 'setReferenceCounted(Z)V'), 'isHeld()Z': yes },
  },
  'Landroid/net/wifi/WifiInfo;': {
    methods: {
      [`getMacAddress()${S}`]: (machine) =>
        machine.string(phone.wifi.mac, machine.source('TAINT_DEVICE_SN', 'WifiInfo.getMacAddress')),
      [`getSSID()${S}`]: wifiText(() => `"${phone.wifi.ssid}"`),
      [`getBSSID()${S}`]: wifiText(() => phone.wifi.bssid),
      'getIpAddress()I': always(ipAsInt()),
      'getRssi()I': always(-54),
      'getLinkSpeed()I': always(433),
      'getNetworkId()I': no,
      'getFrequency()I': always(5180),
    },
  },
  'Landroid/text/format/Formatter;': {
    staticMethods: {
      [`formatIpAddress(I)${S}`]: (machine, value: number) =>
        machine.string([0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff).join('.')),
      [`formatFileSize(Landroid/content/Context;J)${S}`]: (machine, _context: Reference, size: bigint) =>
        machine.string(`${(Number(size) / 1e6).toFixed(2)} MB`),
    },
  },
  'Landroid/bluetooth/BluetoothManager;': {
    methods: {
      'getAdapter()Landroid/bluetooth/BluetoothAdapter;': (machine) =>
        singleton(machine, 'Landroid/bluetooth/BluetoothAdapter;'),
    },
  },
  'Landroid/bluetooth/BluetoothAdapter;': {
    staticMethods: {
      'getDefaultAdapter()Landroid/bluetooth/BluetoothAdapter;': (machine) =>
        singleton(machine, 'Landroid/bluetooth/BluetoothAdapter;'),
    },
    methods: {
      'isEnabled()Z': yes,
      'enable()Z': yes,
      'disable()Z': yes,
      'getState()I': always(12),
      'startDiscovery()Z': yes,
      [`getName()${S}`]: always(phone.bluetooth.name),
      [`getAddress()${S}`]: (machine) =>
        machine.string(phone.bluetooth.mac, machine.source('TAINT_DEVICE_SN', 'BluetoothAdapter.getAddress')),
      'getBondedDevices()Ljava/util/Set;': (machine) => machine.construct('Ljava/util/HashSet;', '<init>()V'),
    },
  },
  'Landroid/hardware/SensorManager;': {
    methods: {
      'getDefaultSensor(I)Landroid/hardware/Sensor;': (machine, _me: HeapObject, type: number) => {
        const index = phone.sensors.findIndex((each) => each.type === type);
        return index < 0 ? null : newSensor(machine, index);
      },
      'getSensorList(I)Ljava/util/List;': (machine, _me: HeapObject, type: number) =>
        listOf(
          machine,
          phone.sensors.flatMap((each, index) =>
            type === -1 || each.type === type ? [newSensor(machine, index)] : [],
          ),
        ),
      ...each(
        registerSensor,
        `registerListener(${sensorListener}Landroid/hardware/Sensor;I)Z`,
        `registerListener(${sensorListener}Landroid/hardware/Sensor;II)Z`,
        `registerListener(${sensorListener}Landroid/hardware/Sensor;ILandroid/os/Handler;)Z`,
      ),
      [`unregisterListener(${sensorListener})V`]: (machine, _me: HeapObject, listener: Reference) => {
        if (listener !== null) appOf(machine).unlistenAll(`sensor#${appOf(machine).numberOf(listener)} `);
      },
      [`unregisterListener(${sensorListener}Landroid/hardware/Sensor;)V`]: (
        machine,
        _me: HeapObject,
        listener: Reference,
      ) => {
        if (listener !== null) appOf(machine).unlistenAll(`sensor#${appOf(machine).numberOf(listener)} `);
      },
    },
  },
  [sensorListener]: {
    isInterface: true,
    abstractMethods: [
      'onSensorChanged(Landroid/hardware/SensorEvent;)V',
      'onAccuracyChanged(Landroid/hardware/Sensor;I)V',
    ],
  },
  'Landroid/hardware/SensorEvent;': {
    fields: ['values:[F', 'sensor:Landroid/hardware/Sensor;', 'accuracy:I', 'timestamp:J'],
  },
  'Landroid/hardware/Sensor;': {
    methods: {
      [`getName()${S}`]: (machine, me: HeapObject) => machine.string(sensorOf(me).name),
      [`getVendor()${S}`]: (machine, me: HeapObject) => machine.string(sensorOf(me).vendor),
      'getType()I': (_machine, me: HeapObject) => sensorOf(me).type,
      'getVersion()I': always(2),
      'getMaximumRange()F': always(78),
      'getResolution()F': always(0),
      'getPower()F': always(0),
      [`toString()${S}`]: (machine, me: HeapObject) =>
        machine.string(
          `{Sensor name="${sensorOf(me).name}", vendor="${sensorOf(me).vendor}", version=2, type=${sensorOf(me).type}}`,
        ),
    },
  },
  'Landroid/os/BatteryManager;': {
    methods: { 'getIntProperty(I)I': always(67), 'isCharging()Z': no, 'getLongProperty(I)J': () => 0n },
  },
  'Landroid/app/ActivityManager;': {
    methods: activityManagerMethods,
    staticMethods: {
      'isUserAMonkey()Z': no,
      'isRunningInTestHarness()Z': no,
      'getMyMemoryState(Landroid/app/ActivityManager$RunningAppProcessInfo;)V': nothing,
    },
  },
  'Landroid/app/ActivityManager$MemoryInfo;': {
    fields: ['totalMem:J', 'availMem:J', 'threshold:J', 'lowMemory:Z'],
    methods: { '<init>()V': nothing },
  },
  'Landroid/app/ActivityManager$RunningAppProcessInfo;': {
    fields: ['processName:Ljava/lang/String;', 'pid:I', 'uid:I', 'importance:I', 'pkgList:[Ljava/lang/String;'],
    methods: { '<init>()V': nothing },
  },
  'Landroid/app/ActivityManager$RunningTaskInfo;': {
    fields: [
      'topActivity:Landroid/content/ComponentName;',
      'baseActivity:Landroid/content/ComponentName;',
      'id:I',
      'numActivities:I',
      'numRunning:I',
    ],
  },
  'Landroid/app/KeyguardManager;': {
    methods: {
      ...uiMethods,
      [`newKeyguardLock(${S})Landroid/app/KeyguardManager$KeyguardLock;`]: (machine) =>
        machine.allocate('Landroid/app/KeyguardManager$KeyguardLock;'),
    },
  },
  'Landroid/app/KeyguardManager$KeyguardLock;': { methods: each(nothing, 'disableKeyguard()V', 'reenableKeyguard()V') },
  'Landroid/os/Vibrator;': {
    methods: {
      ...each(nothing, 'vibrate(J)V', 'vibrate([JI)V', 'vibrate(Landroid/os/VibrationEffect;)V', 'cancel()V'),
      'hasVibrator()Z': yes,
    },
  },
  'Landroid/view/inputmethod/InputMethodManager;': {
    methods: {
      ...each(yes, 'hideSoftInputFromWindow(Landroid/os/IBinder;I)Z', 'showSoftInput(Landroid/view/View;I)Z'),
      'isActive()Z': no,
    },
  },
  'Landroid/webkit/MimeTypeMap;': {
    staticMethods: {
      'getSingleton()Landroid/webkit/MimeTypeMap;': (machine) => singleton(machine, 'Landroid/webkit/MimeTypeMap;'),
      [`getFileExtensionFromUrl(${S})${S}`]: (machine, url: Reference) =>
        machine.string(/\.(\w+)(?:[?#]|$)/.exec(plain(machine, url))?.[1] ?? ''),
    },
    methods: { [`getMimeTypeFromExtension(${S})${S}`]: none },
  },
  'Landroid/os/UserManager;': { methods: { 'isUserUnlocked()Z': yes, 'isSystemUser()Z': yes, 'isUserAGoat()Z': no } },
};
