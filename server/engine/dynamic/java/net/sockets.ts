// Sockets, addresses, datagrams and interfaces of the simulated internet. Knows no protocols above bytes.
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import type { ByteInput } from '../io/byte-input.ts';
import { nativeOutput } from '../io/byte-output.ts';
import { iteratorOn } from '../util/iteration.ts';
import { ListState } from '../util/list-state.ts';
import {
  arrayTaint,
  bytesOf,
  instance,
  made,
  objectTaint,
  optionalText,
  type Reference,
  required,
  setElementTaint,
  textOf,
} from '../values.ts';
import { type VirtualConnection, virtualNetwork } from '../virtual-network.ts';

const N = 'Ljava/net/';
const S = 'Ljava/lang/String;';
const ADDRESS = `${N}InetAddress;`;
export const socketType = `${N}Socket;`;

interface Place {
  readonly host: string | null;
  readonly address: string;
}

const place = (self: HeapObject): Place => self.native as Place;

function addressObject(machine: Machine, host: string | null, address: string, taint = 0): HeapObject {
  const descriptor = address.includes(':') ? `${N}Inet6Address;` : `${N}Inet4Address;`;
  return instance(machine, descriptor, { host, address } satisfies Place, taint);
}

function resolve(machine: Machine, name: Reference): HeapObject[] {
  const host = optionalText(name) ?? 'localhost';
  const taint = objectTaint(machine, name);
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(host)) return [addressObject(machine, null, host, taint)];
  if (host === 'localhost' || host === '') return [addressObject(machine, 'localhost', '127.0.0.1')];
  const found = virtualNetwork(machine).resolve(machine, host, taint);
  if (found.length === 0) {
    throw machine.exception(
      `${N}UnknownHostException;`,
      `Unable to resolve host "${host}": No address associated with hostname`,
    );
  }
  return found.map((address) => addressObject(machine, host, address, taint));
}

const octets = (address: string): Uint8Array => Uint8Array.from(address.split('.'), Number);

const addressMethods: NativeMethods = {
  [`getHostName()${S}`]: (machine, self) => machine.string(place(self).host ?? place(self).address, self.taint),
  [`getCanonicalHostName()${S}`]: (machine, self) =>
    machine.string(place(self).host ?? place(self).address, self.taint),
  [`getHostAddress()${S}`]: (machine, self) => machine.string(place(self).address, self.taint),
  'getAddress()[B': (machine, self) => machine.byteArray(octets(place(self).address), self.taint),
  'isLoopbackAddress()Z': (_machine, self) => /^127\.|^::1$/.test(place(self).address),
  'isSiteLocalAddress()Z': (_machine, self) => /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(place(self).address),
  'isLinkLocalAddress()Z': (_machine, self) => place(self).address.startsWith('169.254.'),
  'isAnyLocalAddress()Z': (_machine, self) => place(self).address === '0.0.0.0',
  'isMulticastAddress()Z': (_machine, self) => /^2(2[4-9]|3\d)\./.test(place(self).address),
  'isReachable(I)Z': (machine, self) => virtualNetwork(machine).resolve(machine, place(self).address).length > 0,
  'equals(Ljava/lang/Object;)Z': (_machine, self, other: Reference) =>
    other?.cls === self.cls && place(other).address === place(self).address,
  'hashCode()I': (_machine, self) => octets(place(self).address).reduce((hash, byte) => (hash << 8) | byte, 0),
  [`toString()${S}`]: (machine, self) => machine.string(`${place(self).host ?? ''}/${place(self).address}`, self.taint),
};

/** The `native` of a Socket. */
interface SocketState {
  connection: VirtualConnection | null;
  host: string;
  port: number;
  /** Under TLS: the app's trust managers, an array or null. */
  trustManagers: unknown;
  hasShakenHands: boolean;
  isClosed: boolean;
  timeout: number;
  input: HeapObject | null;
  output: HeapObject | null;
}

export function socketState(self: HeapObject): SocketState {
  self.native ??= {
    connection: null,
    host: '',
    port: 0,
    trustManagers: null,
    hasShakenHands: false,
    isClosed: false,
    timeout: 0,
    input: null,
    output: null,
  } satisfies SocketState;
  return self.native as SocketState;
}

interface Listener {
  /** -1: on none yet. */
  port: number;
  isClosed: boolean;
}

const listener = (self: HeapObject): Listener => {
  self.native ??= { port: -1, isClosed: false } satisfies Listener;
  return self.native as Listener;
};

/** Where the app leaves the choice to the system. */
const anyPort = 40_000;

function listenOn(machine: Machine, self: HeapObject, port: number): undefined {
  listener(self).port = port || anyPort;
  virtualNetwork(machine).listens(machine, listener(self).port);
}

/** Whoever connects next; nobody for ten minutes, once there is nobody more. */
function accept(machine: Machine, self: HeapObject) {
  const state = listener(self);
  if (state.isClosed) throw socketException(machine, 'Socket is closed');
  const connection = virtualNetwork(machine).accept(machine, state.port);
  if (connection !== null) {
    const socket = machine.allocate(socketType);
    Object.assign(socketState(socket), { connection, host: connection.remoteAddress, port: connection.remotePort });
    return socket;
  }
  return machine.blockThen(
    () => state.isClosed,
    600_000,
    () => {
      if (state.isClosed) throw socketException(machine, 'Socket closed');
      throw machine.exception(`${N}SocketTimeoutException;`, 'Accept timed out');
    },
  );
}

const isUnderTls = (self: HeapObject): boolean => self.cls.descriptor.includes('SSL');

export function connectSocket(machine: Machine, self: HeapObject, host: string, port: number): undefined {
  const state = socketState(self);
  if (!/^[\d.]+$/.test(host) && host !== 'localhost') resolve(machine, machine.string(host));
  state.connection = virtualNetwork(machine).connect(machine, host, port);
  if (isUnderTls(self)) state.connection?.startTls();
  state.host = host;
  state.port = port;
  if (state.connection === null) {
    throw machine.exception(
      `${N}ConnectException;`,
      `failed to connect to ${host} (port ${port}): connect failed: ECONNREFUSED (Connection refused)`,
    );
  }
}

const socketException = (machine: Machine, message: string) => machine.exception(`${N}SocketException;`, message);

function connected(machine: Machine, self: HeapObject): VirtualConnection {
  const state = socketState(self);
  if (state.isClosed) throw socketException(machine, 'Socket is closed');
  if (state.connection === null) throw socketException(machine, 'Socket is not connected');
  return state.connection;
}

export function socketInput(machine: Machine, self: HeapObject): HeapObject {
  const connection = connected(machine, self);
  const state = socketState(self);
  const input: ByteInput = {
    read: (m, length) => {
      if (state.isClosed) throw socketException(m, 'Socket closed');
      const piece = connection.receive(m, length);
      if (piece === null || piece.data.length > 0) return piece;
      // Nothing arrives: the simulated server only answers requests.
      if (state.timeout > 0) throw m.exception(`${N}SocketTimeoutException;`, 'Read timed out');
      return null;
    },
    available: () => 0,
    isWaiting: () => !state.isClosed && connection.isWaiting(),
    close: (m) => closeSocket(m, self),
  };
  state.input ??= instance(machine, 'Ljava/io/NativeInputStream;', input);
  return state.input;
}

export function socketOutput(machine: Machine, self: HeapObject): HeapObject {
  const connection = connected(machine, self);
  const state = socketState(self);
  state.output ??= nativeOutput(machine, {
    write: (data, taint, m) => {
      if (state.isClosed) throw socketException(m, 'Socket closed');
      connection.send(m, data, taint);
    },
    close: (m) => closeSocket(m, self),
  });
  return state.output;
}

export function closeSocket(machine: Machine, self: HeapObject): undefined {
  const state = socketState(self);
  if (!state.isClosed) state.connection?.close(machine);
  state.isClosed = true;
}

export const addressHost = (address: HeapObject): string => place(address).host ?? place(address).address;

interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly address: HeapObject | null;
}

export const endpoint = (machine: Machine, value: Reference): Endpoint => required(machine, value).native as Endpoint;

const nothing = (): undefined => undefined;

const socketMethods: NativeMethods = {
  '<init>()V': (_machine, self) => {
    socketState(self);
  },
  [`<init>(${N}Proxy;)V`]: (_machine, self) => {
    socketState(self);
  },
  [`<init>(${S}I)V`]: (machine, self, host: Reference, port: number) =>
    connectSocket(machine, self, optionalText(host) ?? 'localhost', port),
  [`<init>(!${ADDRESS}I)V`]: (machine, self, address: HeapObject, port: number) =>
    connectSocket(machine, self, addressHost(required(machine, address)), port),
  [`connect(${N}SocketAddress;)V`]: (machine, self, value: Reference) =>
    connectSocket(machine, self, endpoint(machine, value).host, endpoint(machine, value).port),
  [`connect(${N}SocketAddress;I)V`]: (machine, self, value: Reference) =>
    connectSocket(machine, self, endpoint(machine, value).host, endpoint(machine, value).port),
  'getInputStream()Ljava/io/InputStream;': socketInput,
  'getOutputStream()Ljava/io/OutputStream;': socketOutput,
  'close()V': closeSocket,
  'shutdownInput()V': nothing,
  'shutdownOutput()V': nothing,
  'isConnected()Z': (_machine, self) => socketState(self).connection !== null,
  'isClosed()Z': (_machine, self) => socketState(self).isClosed,
  'isBound()Z': (_machine, self) => socketState(self).connection !== null,
  'isInputShutdown()Z': () => 0,
  'isOutputShutdown()Z': () => 0,
  'setSoTimeout(I)V': (_machine, self, timeout: number) => {
    socketState(self).timeout = timeout;
  },
  'getSoTimeout()I': (_machine, self) => socketState(self).timeout,
  'setTcpNoDelay(Z)V': nothing,
  'setKeepAlive(Z)V': nothing,
  'setReuseAddress(Z)V': nothing,
  'setSoLinger(ZI)V': nothing,
  'setSendBufferSize(I)V': nothing,
  'setReceiveBufferSize(I)V': nothing,
  'setTrafficClass(I)V': nothing,
  'getPort()I': (_machine, self) => socketState(self).port,
  'getLocalPort()I': (_machine, self) => socketState(self).connection?.localPort ?? -1,
  [`getInetAddress()${ADDRESS}`]: (machine, self) => {
    const { connection, host } = socketState(self);
    return connection === null ? null : addressObject(machine, host, connection.remoteAddress);
  },
  [`getLocalAddress()${ADDRESS}`]: (machine) =>
    addressObject(machine, null, virtualNetwork(machine).interfaces.at(-1)?.address ?? '127.0.0.1'),
};

/** A UDP packet with the address of its peer, as far as it is known. */
interface Packet {
  buffer: JavaArray;
  offset: number;
  length: number;
  address: HeapObject | null;
  port: number;
}

const packet = (self: HeapObject): Packet => self.native as Packet;
const beginPacket = (
  self: HeapObject,
  buffer: JavaArray,
  offset: number,
  length: number,
  address: HeapObject | null,
  port: number,
): undefined => {
  self.native = { buffer, offset, length, address, port } satisfies Packet;
};

const packetMethods: NativeMethods = {
  '<init>(![BI)V': (_machine, self, buffer: JavaArray, length: number) =>
    beginPacket(self, buffer, 0, length, null, -1),
  '<init>([BII)V': (_machine, self, buffer, offset: number, length: number) =>
    beginPacket(self, buffer, offset, length, null, -1),
  [`<init>([BI${ADDRESS}I)V`]: (_machine, self, buffer, length: number, address, port: number) =>
    beginPacket(self, buffer, 0, length, address, port),
  [`<init>([BII${ADDRESS}I)V`]: (_machine, self, buffer, offset: number, length: number, address, port: number) =>
    beginPacket(self, buffer, offset, length, address, port),
  [`<init>([BI${N}SocketAddress;)V`]: (machine, self, buffer, length: number, value: Reference) =>
    beginPacket(self, buffer, 0, length, endpoint(machine, value).address, endpoint(machine, value).port),
  'getData()[B': (_machine, self) => packet(self).buffer,
  'getLength()I': (_machine, self) => packet(self).length,
  'getOffset()I': (_machine, self) => packet(self).offset,
  'getPort()I': (_machine, self) => packet(self).port,
  [`getAddress()${ADDRESS}`]: (_machine, self) => packet(self).address,
  [`setAddress(!${ADDRESS})V`]: (_machine, self, address: HeapObject) => {
    packet(self).address = address;
  },
  'setPort(I)V': (_machine, self, port: number) => {
    packet(self).port = port;
  },
  'setData(![B)V': (_machine, self, buffer: JavaArray) => {
    Object.assign(packet(self), { buffer, offset: 0, length: buffer.elements.length });
  },
  'setLength(I)V': (_machine, self, length: number) => {
    packet(self).length = length;
  },
};

const datagramMethods: NativeMethods = {
  '<init>()V': made(() => ({ answers: [], isClosed: false })),
  '<init>(I)V': made(() => ({ answers: [], isClosed: false })),
  [`send(!${N}DatagramPacket;)V`]: (machine, self, sent: HeapObject) => {
    const { buffer, offset, length, address, port } = packet(sent);
    const data = bytesOf(buffer).slice(offset, offset + length);
    const host = address === null ? '0.0.0.0' : addressHost(address);
    const answer = virtualNetwork(machine).datagram(
      machine,
      host,
      port,
      data,
      arrayTaint(machine, buffer, offset, offset + length),
    );
    if (answer !== null) (self.native as { answers: Uint8Array[] }).answers.push(answer);
  },
  [`receive(${N}DatagramPacket;)V`]: (machine, self, into: HeapObject) => {
    const answer = (self.native as { answers: Uint8Array[] }).answers.shift();
    if (answer === undefined) throw machine.exception(`${N}SocketTimeoutException;`, 'Poll timed out');
    const state = packet(into);
    const data = answer.subarray(0, state.length);
    bytesOf(state.buffer).set(data, state.offset);
    setElementTaint(state.buffer, state.offset, state.offset + data.length, 0);
    state.length = data.length;
  },
  'close()V': nothing,
  'isClosed()Z': () => 0,
  'setSoTimeout(I)V': nothing,
  'setBroadcast(Z)V': nothing,
  'setReuseAddress(Z)V': nothing,
  'getLocalPort()I': () => 40_123,
};

const beginEndpoint = (self: HeapObject, host: string, port: number, address: HeapObject | null): undefined => {
  self.native = { host, port, address } satisfies Endpoint;
};

export const socketModels: Record<string, ModelClass> = {
  [ADDRESS]: {
    methods: addressMethods,
    staticMethods: {
      [`getByName(${S})${ADDRESS}`]: (machine, name: Reference) => resolve(machine, name)[0]!,
      [`getAllByName(${S})[${ADDRESS}`]: (machine, name: Reference) =>
        machine.objectArray(ADDRESS, resolve(machine, name)),
      [`getByAddress(![B)${ADDRESS}`]: (machine, bytes: JavaArray) =>
        addressObject(machine, null, bytesOf(bytes).join('.')),
      [`getByAddress(${S}![B)${ADDRESS}`]: (machine, name: Reference, bytes: JavaArray) =>
        addressObject(machine, optionalText(name), bytesOf(bytes).join('.')),
      [`getLocalHost()${ADDRESS}`]: (machine) => addressObject(machine, virtualNetwork(machine).hostName, '127.0.0.1'),
      [`getLoopbackAddress()${ADDRESS}`]: (machine) => addressObject(machine, 'localhost', '127.0.0.1'),
    },
  },
  [`${N}Inet4Address;`]: { extends: ADDRESS },
  [`${N}Inet6Address;`]: { extends: ADDRESS },
  [`${N}SocketAddress;`]: { isAbstract: true, methods: { '<init>()V': nothing } },
  [`${N}InetSocketAddress;`]: {
    extends: `${N}SocketAddress;`,
    methods: {
      [`<init>(${S}I)V`]: (_machine, self, host: Reference, port: number) =>
        beginEndpoint(self, optionalText(host) ?? '', port, null),
      [`<init>(${ADDRESS}I)V`]: (_machine, self, address: HeapObject | null, port: number) =>
        beginEndpoint(self, address === null ? '0.0.0.0' : addressHost(address), port, address),
      '<init>(I)V': (_machine, self, port: number) => beginEndpoint(self, '0.0.0.0', port, null),
      'getPort()I': (machine, self) => endpoint(machine, self).port,
      [`getHostName()${S}`]: (machine, self) => machine.string(endpoint(machine, self).host),
      [`getHostString()${S}`]: (machine, self) => machine.string(endpoint(machine, self).host),
      [`getAddress()${ADDRESS}`]: (machine, self) => {
        const { address, host } = endpoint(machine, self);
        return address ?? addressObject(machine, host, virtualNetwork(machine).resolve(machine, host)[0] ?? '0.0.0.0');
      },
      'isUnresolved()Z': (machine, self) =>
        endpoint(machine, self).address === null &&
        virtualNetwork(machine).resolve(machine, endpoint(machine, self).host).length === 0,
      [`toString()${S}`]: (machine, self) =>
        machine.string(`${endpoint(machine, self).host}:${endpoint(machine, self).port}`),
    },
    staticMethods: {
      [`createUnresolved(${S}I)${N}InetSocketAddress;`]: (machine, host: Reference, port: number) =>
        instance(machine, `${N}InetSocketAddress;`, {
          host: textOf(machine, host),
          port,
          address: null,
        } satisfies Endpoint),
    },
  },
  [socketType]: { implements: ['Ljava/io/Closeable;'], methods: socketMethods },
  [`${N}ServerSocket;`]: {
    implements: ['Ljava/io/Closeable;'],
    methods: {
      '<init>()V': nothing,
      ...Object.fromEntries(
        ['I', 'II', `II${ADDRESS}`].map((parameters) => [
          `<init>(${parameters})V`,
          (machine: Machine, self: HeapObject, port: number) => listenOn(machine, self, port),
        ]),
      ),
      [`accept()${socketType}`]: accept,
      'close()V': (_machine, self) => {
        listener(self).isClosed = true;
      },
      'getLocalPort()I': (_machine, self) => listener(self).port,
      'isClosed()Z': (_machine, self) => Number(listener(self).isClosed),
      'isBound()Z': (_machine, self) => Number(listener(self).port > 0),
      'setReuseAddress(Z)V': nothing,
      'setSoTimeout(I)V': nothing,
      [`bind(${N}SocketAddress;)V`]: (machine, self, address: HeapObject | null) =>
        listenOn(machine, self, address === null ? 0 : endpoint(machine, address).port),
    },
  },
  [`${N}DatagramPacket;`]: { methods: packetMethods },
  [`${N}DatagramSocket;`]: { implements: ['Ljava/io/Closeable;'], methods: datagramMethods },
  [`${N}MulticastSocket;`]: {
    extends: `${N}DatagramSocket;`,
    methods: {
      ...datagramMethods,
      ...Object.fromEntries(
        [`joinGroup(${ADDRESS})V`, `leaveGroup(${ADDRESS})V`, 'setTimeToLive(I)V', 'setLoopbackMode(Z)V'].map(
          (signature) => [signature, nothing],
        ),
      ),
    },
  },
  [`${N}NetworkInterface;`]: {
    staticMethods: {
      'getNetworkInterfaces()Ljava/util/Enumeration;': (machine) => {
        const all = virtualNetwork(machine).interfaces.map((entry) =>
          instance(machine, `${N}NetworkInterface;`, entry),
        );
        return iteratorOn(machine, new ListState(all).cursor(machine));
      },
      [`getByName(${S})${N}NetworkInterface;`]: (machine, name: Reference) => {
        const found = virtualNetwork(machine).interfaces.find((entry) => entry.name === optionalText(name));
        return found === undefined ? null : instance(machine, `${N}NetworkInterface;`, found);
      },
    },
    methods: {
      [`getName()${S}`]: (machine, self) => machine.string((self.native as { name: string }).name),
      [`getDisplayName()${S}`]: (machine, self) => machine.string((self.native as { name: string }).name),
      'getInetAddresses()Ljava/util/Enumeration;': (machine, self) => {
        const address = addressObject(machine, null, (self.native as { address: string }).address);
        return iteratorOn(machine, new ListState([address]).cursor(machine));
      },
      'getHardwareAddress()[B': (machine, self) => {
        const { mac } = self.native as { mac: string };
        return mac === ''
          ? null
          : machine.byteArray(Uint8Array.from(mac.split(':'), (part) => Number.parseInt(part, 16)));
      },
      'isUp()Z': () => 1,
      'isLoopback()Z': (_machine, self) => (self.native as { name: string }).name === 'lo',
      'isVirtual()Z': () => 0,
      'isPointToPoint()Z': () => 0,
    },
  },
};
