// Models of the networks that the phone is on: connectivity, Wi-Fi, Bluetooth. Knows no connection.
import { enumModel } from '../../java/lang/enum.ts';
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { phone } from '../../world/device.ts';
import { appOf } from '../components/app.ts';
import { handOver } from '../components/delivery.ts';
import { always, callIfThere, each, listOf, no, none, nothing, yes } from '../model-parts.ts';
import { singleton } from './system-services.ts';

const S = 'Ljava/lang/String;';

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

const network = 'Landroid/net/Network;';
/** What a callback hears: the network comes, is lost for a moment, and comes again. Types stand for new objects. */
const networkLife: readonly (readonly [signature: string, ...rest: (string | number)[]])[] = [
  [`onAvailable(${network})V`],
  [`onCapabilitiesChanged(${network}Landroid/net/NetworkCapabilities;)V`, 'Landroid/net/NetworkCapabilities;'],
  [`onLinkPropertiesChanged(${network}Landroid/net/LinkProperties;)V`, 'Landroid/net/LinkProperties;'],
  [`onBlockedStatusChanged(${network}Z)V`, 0],
  [`onLosing(${network}I)V`, 30],
  [`onLost(${network})V`],
  [`onAvailable(${network})V`],
];

const networkCallback: NativeMethod = (machine, _me, ...args: Value[]) => {
  for (const arg of args) {
    if (arg === null || typeof arg !== 'object') continue;
    const object = arg as HeapObject;
    if (object.cls.descriptor === 'Landroid/app/PendingIntent;') handOver(machine, object, 'network');
    if (!machine.isInstance(object, 'Landroid/net/ConnectivityManager$NetworkCallback;')) continue;
    const app = appOf(machine);
    app.listen(`network#${app.numberOf(object)}`, {
      kind: 'network',
      fire: () => {
        const of = machine.allocate(network);
        for (const [signature, ...rest] of networkLife)
          callIfThere(
            machine,
            object,
            signature,
            of,
            ...rest.map((each) => (typeof each === 'number' ? each : machine.allocate(each))),
          );
      },
    });
  }
};

const wifiText =
  (pick: () => string): NativeMethod =>
  (machine) =>
    machine.string(pick());

const ipAsInt = (): number => phone.wifi.ip.split('.').reduceRight((all, part) => (all << 8) | Number(part), 0);

export const connectivityModels: Models = {
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
      'unregisterNetworkCallback(!Landroid/net/ConnectivityManager$NetworkCallback;)V': (
        machine,
        _me,
        callback: HeapObject,
      ) => appOf(machine).unlisten(`network#${appOf(machine).numberOf(callback)}`),
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
      'hasTransport(I)Z': (_machine, _me, transport: number) => transport === 1,
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
};
