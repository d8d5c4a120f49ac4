// Factories of sockets, and the sockets under TLS that they make. Knows no protocols above bytes.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { instance, type Reference, required, stringArray, textOf } from '../values.ts';
import { addressHost, connectSocket, socketInput, socketOutput, socketState, socketType } from './sockets.ts';
import { askTrustManagers, sessionWith, tlsCipherSuite, tlsProtocols } from './tls.ts';

const SSL = 'Ljavax/net/ssl/';
const S = 'Ljava/lang/String;';
const ADDRESS = 'Ljava/net/InetAddress;';
const FACTORY = 'Ljavax/net/SocketFactory;';
const tlsSocketType = `${SSL}SSLSocketImpl;`;

const nothing = (): undefined => undefined;

/** Creates a factory's socket, with the trust managers of the factory. */
function newSocket(machine: Machine, factory: HeapObject, isTls: boolean): HeapObject {
  const made = machine.allocate(isTls ? tlsSocketType : socketType);
  socketState(made).trustManagers = factory.native;
  return made;
}

const factoryMethods = (isTls: boolean): NativeMethods => {
  const connected = (machine: Machine, self: HeapObject, host: string, port: number): HeapObject => {
    const made = newSocket(machine, self, isTls);
    connectSocket(machine, made, host, port);
    return made;
  };
  return {
    [`createSocket()${socketType}`]: (machine, self) => newSocket(machine, self, isTls),
    [`createSocket(${S}I)${socketType}`]: (machine, self, host: Reference, port: number) =>
      connected(machine, self, textOf(machine, host), port),
    [`createSocket(!${ADDRESS}I)${socketType}`]: (machine, self, address: HeapObject, port: number) =>
      connected(machine, self, addressHost(address), port),
  };
};

/** Layers TLS over an open connection. */
const layered: NativeMethod = (machine, self, inner: Reference, host: Reference, port: number) => {
  const made = newSocket(machine, self, true);
  const { connection } = socketState(required(machine, inner));
  connection?.startTls();
  Object.assign(socketState(made), { connection, host: textOf(machine, host), port });
  return made;
};

function shakeHands(machine: Machine, self: HeapObject): undefined {
  const state = socketState(self);
  if (state.hasShakenHands || state.connection === null) return;
  state.hasShakenHands = true;
  askTrustManagers(machine, state.trustManagers, state.host);
}

/** A method of a socket under TLS that does not work before the handshake. */
const afterHandshake =
  <T>(method: (machine: Machine, self: HeapObject) => T) =>
  (machine: Machine, self: HeapObject): T => {
    shakeHands(machine, self);
    return method(machine, self);
  };

const protocols: NativeMethod = (machine) => stringArray(machine, tlsProtocols);
const cipherSuites: NativeMethod = (machine) => stringArray(machine, [tlsCipherSuite]);
const session = (machine: Machine, self: HeapObject): HeapObject => sessionWith(machine, socketState(self).host);

const tlsSocketMethods: NativeMethods = {
  '<init>()V': nothing,
  'startHandshake()V': shakeHands,
  'getInputStream()Ljava/io/InputStream;': afterHandshake(socketInput),
  'getOutputStream()Ljava/io/OutputStream;': afterHandshake(socketOutput),
  [`getSession()${SSL}SSLSession;`]: afterHandshake(session),
  [`getHandshakeSession()${SSL}SSLSession;`]: session,
  [`getEnabledProtocols()[${S}`]: protocols,
  [`getSupportedProtocols()[${S}`]: protocols,
  [`getEnabledCipherSuites()[${S}`]: cipherSuites,
  [`getSupportedCipherSuites()[${S}`]: cipherSuites,
  // ALPN has negotiated nothing: HTTP/1.1.
  [`getApplicationProtocol()${S}`]: (machine) => machine.string(''),
  [`getSSLParameters()${SSL}SSLParameters;`]: (machine) => instance(machine, `${SSL}SSLParameters;`, undefined),
  [`setSSLParameters(${SSL}SSLParameters;)V`]: nothing,
  [`setEnabledProtocols([${S})V`]: nothing,
  [`setEnabledCipherSuites([${S})V`]: nothing,
  'setUseClientMode(Z)V': nothing,
  'setEnableSessionCreation(Z)V': nothing,
  [`addHandshakeCompletedListener(${SSL}HandshakeCompletedListener;)V`]: nothing,
};

export const socketFactoryModels: Record<string, ModelClass> = {
  [FACTORY]: {
    isAbstract: true,
    methods: { '<init>()V': nothing, ...factoryMethods(false) },
    staticMethods: { [`getDefault()${FACTORY}`]: (machine) => machine.allocate(FACTORY) },
  },
  [`${SSL}SSLSocketFactory;`]: {
    isAbstract: true,
    extends: FACTORY,
    methods: {
      '<init>()V': nothing,
      ...factoryMethods(true),
      [`createSocket(${socketType}${S}IZ)${socketType}`]: layered,
      [`getDefaultCipherSuites()[${S}`]: cipherSuites,
      [`getSupportedCipherSuites()[${S}`]: cipherSuites,
    },
    staticMethods: { [`getDefault()${FACTORY}`]: (machine) => machine.allocate(`${SSL}SSLSocketFactoryImpl;`) },
  },
  [`${SSL}SSLSocketFactoryImpl;`]: { extends: `${SSL}SSLSocketFactory;` },
  [`${SSL}SSLSocket;`]: { isAbstract: true, extends: socketType, methods: tlsSocketMethods },
  [tlsSocketType]: { extends: `${SSL}SSLSocket;` },
};
