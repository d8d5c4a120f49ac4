// TLS as apps set it up: contexts, trust managers, sessions. Knows no sockets and no requests.
import { type HeapObject, JavaArray, JavaThrow } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { javaHooks } from '../hooks.ts';
import { certificateObject, x509Type } from '../security/certificates.ts';
import { instance, type Reference } from '../values.ts';
import { serverCertificate } from './server-certificate.ts';

const SSL = 'Ljavax/net/ssl/';
const S = 'Ljava/lang/String;';
const certificateType = 'Ljava/security/cert/Certificate;';
const verify = `verify(${S}${SSL}SSLSession;)Z`;

export const tlsCipherSuite = 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256';
export const tlsProtocols = ['TLSv1', 'TLSv1.1', 'TLSv1.2'];

/** Hosts of one run whose certificates are kept. */
const maxCertificates = 1_000;

/** The certificates that a server shows, as an array of a class. */
export function certificatesOf(machine: Machine, host: string, type = certificateType): HeapObject {
  const known = machine.state('java.server-certificates', () => new Map<string, HeapObject>());
  let certificate = known.get(host);
  if (certificate === undefined) {
    certificate = certificateObject(machine, serverCertificate(host));
    if (known.size < maxCertificates) known.set(host, certificate);
  }
  return machine.objectArray(type, [certificate]);
}

export const sessionWith = (machine: Machine, host: string): HeapObject =>
  instance(machine, `${SSL}SSLSessionImpl;`, host);

/** Asks the app's own trust managers about a server. @param managers those that the socket factory got; null: none */
export function askTrustManagers(machine: Machine, managers: unknown, host: string): void {
  const all = managers instanceof JavaArray ? (managers.elements as Reference[]) : [];
  for (const manager of all) {
    if (!manager?.cls.isApp) continue;
    const chain = certificatesOf(machine, host, x509Type);
    try {
      machine.call(manager, `checkServerTrusted([${x509Type}${S})V`, chain, machine.string('ECDHE_RSA'));
      javaHooks(machine).trusted(manager.cls.name, host);
    } catch (error) {
      // The simulated server has the expected name, but no trusted authority signed its certificate.
      if (!(error instanceof JavaThrow)) throw error;
    }
  }
}

/** @throws JavaThrow SSLPeerUnverifiedException where the app's HostnameVerifier refuses the host */
export function askHostnameVerifier(machine: Machine, verifier: HeapObject | null, host: string): void {
  if (!verifier?.cls.isApp) return;
  if (machine.call(verifier, verify, machine.string(host), sessionWith(machine, host)) === 0) {
    throw machine.exception(`${SSL}SSLPeerUnverifiedException;`, `Hostname ${host} not verified`);
  }
}

const nothing = (): undefined => undefined;

const peerOf = (self: HeapObject): string => self.native as string;
const peerCertificates: NativeMethod = (machine, self) => certificatesOf(machine, peerOf(self));

const sessionMethods: NativeMethods = {
  [`getProtocol()${S}`]: (machine) => machine.string(tlsProtocols.at(-1)!),
  [`getCipherSuite()${S}`]: (machine) => machine.string(tlsCipherSuite),
  [`getPeerHost()${S}`]: (machine, self) => machine.string(peerOf(self)),
  'getPeerPort()I': () => 443,
  'isValid()Z': () => 1,
  'getId()[B': (machine) => machine.byteArray(new Uint8Array(32)),
  'invalidate()V': nothing,
  [`getPeerCertificates()[${certificateType}`]: peerCertificates,
  [`getLocalCertificates()[${certificateType}`]: () => null,
};

export const tlsModels: Record<string, ModelClass> = {
  [`${SSL}SSLContext;`]: {
    staticMethods: {
      [`getInstance(${S})${SSL}SSLContext;`]: (machine) => machine.allocate(`${SSL}SSLContext;`),
      [`getInstance(${S}${S})${SSL}SSLContext;`]: (machine) => machine.allocate(`${SSL}SSLContext;`),
      [`getDefault()${SSL}SSLContext;`]: (machine) => machine.allocate(`${SSL}SSLContext;`),
      [`setDefault(${SSL}SSLContext;)V`]: nothing,
    },
    methods: {
      [`init([${SSL}KeyManager;[${SSL}TrustManager;Ljava/security/SecureRandom;)V`]: (
        _machine,
        self,
        _keys: Reference,
        managers: Reference,
      ) => {
        self.native = managers;
      },
      // The factory keeps the trust managers that `init` was given.
      [`getSocketFactory()${SSL}SSLSocketFactory;`]: (machine, self) =>
        instance(machine, `${SSL}SSLSocketFactoryImpl;`, self.native),
      [`getProtocol()${S}`]: (machine) => machine.string('TLS'),
    },
  },
  [`${SSL}TrustManager;`]: { isInterface: true },
  [`${SSL}KeyManager;`]: { isInterface: true },
  [`${SSL}X509TrustManager;`]: { isInterface: true, implements: [`${SSL}TrustManager;`] },
  [`${SSL}X509ExtendedTrustManager;`]: {
    isAbstract: true,
    implements: [`${SSL}X509TrustManager;`],
    methods: { '<init>()V': nothing },
  },
  [`${SSL}PlatformTrustManager;`]: {
    implements: [`${SSL}X509TrustManager;`],
    methods: {
      [`checkServerTrusted([${x509Type}${S})V`]: nothing,
      [`checkClientTrusted([${x509Type}${S})V`]: nothing,
      [`getAcceptedIssuers()[${x509Type}`]: (machine) => machine.objectArray(x509Type, []),
    },
  },
  [`${SSL}TrustManagerFactory;`]: {
    staticMethods: {
      [`getInstance(${S})${SSL}TrustManagerFactory;`]: (machine) => machine.allocate(`${SSL}TrustManagerFactory;`),
      [`getDefaultAlgorithm()${S}`]: (machine) => machine.string('PKIX'),
    },
    methods: {
      'init(Ljava/security/KeyStore;)V': nothing,
      [`getTrustManagers()[${SSL}TrustManager;`]: (machine) =>
        machine.objectArray(`${SSL}TrustManager;`, [machine.allocate(`${SSL}PlatformTrustManager;`)]),
    },
  },
  [`${SSL}KeyManagerFactory;`]: {
    staticMethods: {
      [`getInstance(${S})${SSL}KeyManagerFactory;`]: (machine) => machine.allocate(`${SSL}KeyManagerFactory;`),
      [`getDefaultAlgorithm()${S}`]: (machine) => machine.string('PKIX'),
    },
    methods: {
      'init(Ljava/security/KeyStore;[C)V': nothing,
      [`getKeyManagers()[${SSL}KeyManager;`]: (machine) => machine.objectArray(`${SSL}KeyManager;`, []),
    },
  },
  [`${SSL}HostnameVerifier;`]: { isInterface: true, abstractMethods: [verify] },
  [`${SSL}AcceptingVerifier;`]: { implements: [`${SSL}HostnameVerifier;`], methods: { [verify]: () => 1 } },
  [`${SSL}SSLSession;`]: { isInterface: true },
  [`${SSL}SSLSessionImpl;`]: { implements: [`${SSL}SSLSession;`], methods: sessionMethods },
  [`${SSL}SSLParameters;`]: {
    methods: {
      '<init>()V': nothing,
      [`setApplicationProtocols([${S})V`]: nothing,
      [`setEndpointIdentificationAlgorithm(${S})V`]: nothing,
      [`setProtocols([${S})V`]: nothing,
      [`setCipherSuites([${S})V`]: nothing,
      'setServerNames(Ljava/util/List;)V': nothing,
    },
  },
};
