// Models of networks that apps ask for and bind themselves to: subscriptions are bought over the mobile one. Knows no
// connection.
import type { HeapObject } from '../../machine/heap.ts';
import type { Models, NativeMethod } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { each, nothing, type Reference, self, stateOf } from '../model-parts.ts';

const networkType = 'Landroid/net/Network;';
const requestType = 'Landroid/net/NetworkRequest;';
const builderType = 'Landroid/net/NetworkRequest$Builder;';
const urlType = 'Ljava/net/URL;';
const connectionType = 'Ljava/net/URLConnection;';

const cellular = 0;

interface Request {
  isCellular: boolean;
}

const requestOf = (object: HeapObject): Request => stateOf<Request>(object, () => ({ isCellular: false }));

const bindTo: NativeMethod = (machine, ...args) => {
  const network = args.at(-1) as Reference;
  recorderOf(machine).event('network', network === null ? 'left its network' : 'bound itself to a network');
  return 1;
};

const tell =
  (word: string): NativeMethod =>
  (machine, _me, isOn: number) => {
    recorderOf(machine).event('network', `switched ${word} ${isOn === 0 ? 'off' : 'on'}`);
    return 1;
  };

const openConnection: NativeMethod = (machine, _me, url: HeapObject) =>
  machine.call(url, `openConnection()${connectionType}`);

export const networkModels: Models = {
  [networkType]: {
    methods: {
      [`openConnection(!${urlType})${connectionType}`]: openConnection,
      [`openConnection(!${urlType}Ljava/net/Proxy;)${connectionType}`]: openConnection,
      'getSocketFactory()Ljavax/net/SocketFactory;': (machine) =>
        machine.callStatic('Ljavax/net/SocketFactory;', 'getDefault()Ljavax/net/SocketFactory;'),
      'getAllByName(Ljava/lang/String;)[Ljava/net/InetAddress;': (machine, _me, name: Reference) =>
        machine.callStatic('Ljava/net/InetAddress;', 'getAllByName(Ljava/lang/String;)[Ljava/net/InetAddress;', name),
      'getByName(Ljava/lang/String;)Ljava/net/InetAddress;': (machine, _me, name: Reference) =>
        machine.callStatic('Ljava/net/InetAddress;', 'getByName(Ljava/lang/String;)Ljava/net/InetAddress;', name),
      'bindSocket(Ljava/net/Socket;)V': nothing,
      'getNetworkHandle()J': () => 432_902_426_637n,
    },
  },
  [requestType]: {},
  [builderType]: {
    methods: {
      '<init>()V': nothing,
      [`addTransportType(I)${builderType}`]: (_machine, me, transport: number) => {
        requestOf(me).isCellular ||= transport === cellular;
        return me;
      },
      ...each(
        self,
        `addCapability(I)${builderType}`,
        `removeCapability(I)${builderType}`,
        `removeTransportType(I)${builderType}`,
        `setNetworkSpecifier(Ljava/lang/String;)${builderType}`,
      ),
      [`build()${requestType}`]: (machine, me) => {
        if (requestOf(me).isCellular) recorderOf(machine).event('network', 'asked for the mobile network');
        return machine.allocate(requestType);
      },
    },
  },
  'Landroid/net/ConnectivityManager;': {
    methods: {
      [`bindProcessToNetwork(${networkType})Z`]: bindTo,
      'getMobileDataEnabled()Z': () => 1,
      'setMobileDataEnabled(Z)V': (machine, me, isOn: number) => tell('mobile data')(machine, me, isOn),
    },
    staticMethods: { [`setProcessDefaultNetwork(${networkType})Z`]: bindTo },
  },
  'Landroid/net/wifi/WifiManager;': { methods: { 'setWifiEnabled(Z)Z': tell('Wi-Fi') } },
};
