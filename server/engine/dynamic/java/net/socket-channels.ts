// java.nio.channels over the network: channels of sockets and datagrams, and selectors of those that are ready. Knows no
// protocols above bytes.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { bufferOf, fillBuffer, skipBuffer } from '../nio/buffers.ts';
import { newList } from '../util/iteration.ts';
import { flag, instance, type Reference, required } from '../values.ts';
import { virtualNetwork } from '../virtual-network.ts';
import { closeSocket, connectSocket, endpoint, socketState, socketType } from './sockets.ts';

const C = 'Ljava/nio/channels/';
const BYTES = 'Ljava/nio/ByteBuffer;';
const ADDRESS = 'Ljava/net/SocketAddress;';
const O = 'Ljava/lang/Object;';
const SELECTABLE = `${C}SelectableChannel;`;
const SOCKET = `${C}SocketChannel;`;
const DATAGRAM = `${C}DatagramChannel;`;
const SELECTOR = `${C}Selector;`;
const KEY = `${C}SelectionKey;`;

/** What a key waits for and is ready for, by the bits of SelectionKey. */
const ready = { read: 1, write: 4, connect: 8 };
/** Milliseconds after which a server that has sent nothing counts as silent for good. */
const longestSilence = 60_000;
const maxKeys = 1_000;

interface ChannelState {
  /** The java.net.Socket of the connection; for datagrams the remote address. */
  readonly socket: HeapObject;
  isBlocking: boolean;
  /** `connect` was called, `finishConnect` not yet. */
  isPending: boolean;
  isClosed: boolean;
  target: Reference;
}

const channel = (self: HeapObject): ChannelState => self.native as ChannelState;

const newChannel = (machine: Machine, type: string): HeapObject =>
  instance(machine, type, {
    socket: machine.allocate(socketType),
    isBlocking: true,
    isPending: false,
    isClosed: false,
    target: null,
  } satisfies ChannelState);

/** @throws JavaThrow ConnectException, UnknownHostException */
function connect(machine: Machine, self: HeapObject, address: Reference): number {
  const state = channel(self);
  const { host, port } = endpoint(machine, address);
  connectSocket(machine, state.socket, host, port);
  state.isPending = !state.isBlocking;
  return flag(state.isBlocking);
}

const finishConnect: NativeMethod = (_machine, self) => {
  channel(self).isPending = false;
  return 1;
};

/** @throws JavaThrow NotYetConnectedException, ClosedChannelException */
function connectionOf(machine: Machine, self: HeapObject) {
  const { socket, isClosed } = channel(self);
  if (isClosed) throw machine.exception(`${C}ClosedChannelException;`);
  const { connection } = socketState(socket);
  if (connection === null) throw machine.exception(`${C}NotYetConnectedException;`);
  return connection;
}

const read: NativeMethod = (machine, self, buffer: Reference) => {
  const connection = connectionOf(machine, self);
  const take = (): number => {
    const piece = connection.receive(machine, bufferOf(machine, buffer).data.length);
    if (piece === null) return -1;
    fillBuffer(machine, buffer, piece);
    // Nothing arrives: the simulated server only answers requests.
    return piece.data.length === 0 && channel(self).isBlocking ? -1 : piece.data.length;
  };
  if (!channel(self).isBlocking || !connection.isWaiting()) return take();
  return machine.blockThen(() => !connection.isWaiting(), longestSilence, take);
};

const write: NativeMethod = (machine, self, buffer: Reference) => {
  const { data, taint } = bufferOf(machine, buffer);
  machine.charge(data.length);
  connectionOf(machine, self).send(machine, data.slice(), machine.union(taint, machine.controlTaint));
  skipBuffer(machine, buffer, data.length);
  return data.length;
};

/** Sends a datagram; replies are not delivered. */
function send(machine: Machine, buffer: Reference, address: Reference): number {
  const { data, taint } = bufferOf(machine, buffer);
  const { host, port } = endpoint(machine, address);
  machine.charge(data.length);
  virtualNetwork(machine).datagram(machine, host, port, data.slice(), machine.union(taint, machine.controlTaint));
  skipBuffer(machine, buffer, data.length);
  return data.length;
}

const selectable: NativeMethods = {
  [`configureBlocking(Z)${SELECTABLE}`]: (_machine, self, isBlocking: number) => {
    channel(self).isBlocking = isBlocking !== 0;
    return self;
  },
  'isBlocking()Z': (_machine, self) => channel(self).isBlocking,
  'isOpen()Z': (_machine, self) => !channel(self).isClosed,
  'close()V': (machine, self) => {
    channel(self).isClosed = true;
    closeSocket(machine, channel(self).socket);
  },
  [`register(!${SELECTOR}I)${KEY}`]: (machine, self, selector: HeapObject, interest: number) =>
    register(machine, self, selector, interest, null),
  [`register(!${SELECTOR}I${O})${KEY}`]: (
    machine,
    self,
    selector: HeapObject,
    interest: number,
    attachment: Reference,
  ) => register(machine, self, selector, interest, attachment),
};

// Selectors.

interface KeyState {
  readonly channel: HeapObject;
  readonly selector: HeapObject;
  interest: number;
  attachment: Reference;
}

const key = (self: HeapObject): KeyState => self.native as KeyState;

interface SelectorState {
  readonly keys: Set<HeapObject>;
  /** `selectedKeys()`: the app removes the keys that it has handled. */
  readonly selected: HeapObject;
}

const selectorState = (self: HeapObject): SelectorState => self.native as SelectorState;

function register(
  machine: Machine,
  self: HeapObject,
  selector: HeapObject,
  interest: number,
  attachment: Reference,
): HeapObject {
  const made = instance(machine, KEY, { channel: self, selector, interest, attachment } satisfies KeyState);
  const { keys } = selectorState(selector);
  if (keys.size < maxKeys) keys.add(made);
  return made;
}

/** The operations a channel is ready for: reading once its server has sent something or closed. */
function readiness(self: HeapObject): number {
  const { channel: of, interest } = key(self);
  const { socket, isPending, isClosed } = channel(of);
  const { connection } = socketState(socket);
  if (isClosed || connection === null) return 0;
  const now = isPending ? ready.connect : ready.write | (connection.isWaiting() ? 0 : ready.read);
  return now & interest;
}

const addSelected = `add(${O})Z`;

function select(machine: Machine, self: HeapObject, timeout: number): Value | undefined {
  const { keys, selected } = selectorState(self);
  const isAny = (): boolean => [...keys].some((each) => readiness(each) !== 0);
  const collect = (): number => {
    const chosen = [...keys].filter((each) => readiness(each) !== 0);
    return chosen.filter((each) => machine.call(selected, addSelected, each) !== 0).length;
  };
  if (isAny() || timeout === 0) return collect();
  return machine.blockThen(isAny, Math.min(timeout, longestSilence), collect);
}

const isReady =
  (bit: number): NativeMethod =>
  (_machine, self) =>
    (readiness(self) & bit) !== 0;

const keyMethods: NativeMethods = {
  'isReadable()Z': isReady(ready.read),
  'isWritable()Z': isReady(ready.write),
  'isConnectable()Z': isReady(ready.connect),
  'isAcceptable()Z': () => 0,
  'isValid()Z': (_machine, self) => selectorState(key(self).selector).keys.has(self),
  'readyOps()I': (_machine, self) => readiness(self),
  'interestOps()I': (_machine, self) => key(self).interest,
  [`interestOps(I)${KEY}`]: (_machine, self, interest: number) => {
    key(self).interest = interest;
    return self;
  },
  [`channel()${SELECTABLE}`]: (_machine, self) => key(self).channel,
  [`selector()${SELECTOR}`]: (_machine, self) => key(self).selector,
  [`attachment()${O}`]: (_machine, self) => key(self).attachment,
  [`attach(${O})${O}`]: (_machine, self, attachment: Reference) => {
    const before = key(self).attachment;
    key(self).attachment = attachment;
    return before;
  },
  'cancel()V': (_machine, self) => selectorState(key(self).selector).keys.delete(self),
};

export const socketChannelModels: Record<string, ModelClass> = {
  [SELECTABLE]: { isAbstract: true, implements: [`${C}Channel;`], methods: selectable },
  [SOCKET]: {
    extends: SELECTABLE,
    implements: [`${C}ByteChannel;`],
    staticMethods: {
      [`open()${SOCKET}`]: (machine) => newChannel(machine, SOCKET),
      [`open(${ADDRESS})${SOCKET}`]: (machine, address: Reference) => {
        const made = newChannel(machine, SOCKET);
        connect(machine, made, address);
        return made;
      },
    },
    methods: {
      [`connect(${ADDRESS})Z`]: connect,
      'finishConnect()Z': finishConnect,
      'isConnectionPending()Z': (_machine, self) => channel(self).isPending,
      'isConnected()Z': (_machine, self) =>
        !channel(self).isPending && socketState(channel(self).socket).connection !== null,
      [`socket()${socketType}`]: (_machine, self) => channel(self).socket,
      [`read(${BYTES})I`]: read,
      [`write(${BYTES})I`]: write,
      [`shutdownInput()${SOCKET}`]: (_machine, self) => self,
      [`shutdownOutput()${SOCKET}`]: (_machine, self) => self,
    },
  },
  [DATAGRAM]: {
    extends: SELECTABLE,
    implements: [`${C}ByteChannel;`],
    staticMethods: { [`open()${DATAGRAM}`]: (machine) => newChannel(machine, DATAGRAM) },
    methods: {
      [`connect(${ADDRESS})${DATAGRAM}`]: (_machine, self, address: Reference) => {
        channel(self).target = address;
        return self;
      },
      [`send(${BYTES}${ADDRESS})I`]: (machine, _self, buffer: Reference, address: Reference) =>
        send(machine, buffer, address),
      [`write(${BYTES})I`]: (machine, self, buffer: Reference) =>
        send(machine, buffer, required(machine, channel(self).target)),
      [`read(${BYTES})I`]: () => 0,
      [`receive(${BYTES})${ADDRESS}`]: () => null,
      [`bind(${ADDRESS})${DATAGRAM}`]: (_machine, self) => self,
    },
  },
  [SELECTOR]: {
    implements: ['Ljava/io/Closeable;'],
    staticMethods: {
      [`open()${SELECTOR}`]: (machine) =>
        instance(machine, SELECTOR, {
          keys: new Set(),
          selected: machine.construct('Ljava/util/HashSet;', '<init>()V'),
        } satisfies SelectorState),
    },
    methods: {
      'select()I': (machine, self) => select(machine, self, longestSilence),
      'select(J)I': (machine, self, timeout: bigint) =>
        select(machine, self, timeout === 0n ? longestSilence : Number(timeout)),
      'selectNow()I': (machine, self) => select(machine, self, 0),
      'selectedKeys()Ljava/util/Set;': (_machine, self) => selectorState(self).selected,
      'keys()Ljava/util/Set;': (machine, self) =>
        machine.construct(
          'Ljava/util/HashSet;',
          '<init>(Ljava/util/Collection;)V',
          newList(machine, [...selectorState(self).keys]),
        ),
      [`wakeup()${SELECTOR}`]: (_machine, self) => self,
      'isOpen()Z': () => 1,
      'close()V': (_machine, self) => selectorState(self).keys.clear(),
    },
  },
  [KEY]: {
    methods: keyMethods,
    constants: {
      'OP_READ:I': ready.read,
      'OP_WRITE:I': ready.write,
      'OP_CONNECT:I': ready.connect,
      'OP_ACCEPT:I': 16,
    },
  },
};
