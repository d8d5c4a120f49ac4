// Models of what Android has beside Java's own TLS, as libraries for the network ask for it. Knows no connection.
import { referencesOf } from '../../java/values.ts';
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Models, NativeMethod } from '../../machine/model.ts';
import { each, listOf, no, nothing, type Reference, yes } from '../model-parts.ts';
import { singleton } from './system-services.ts';

const policyType = 'Landroid/security/NetworkSecurityPolicy;';
const certificateType = 'Ljava/security/cert/X509Certificate;';
const factoryType = 'Landroid/net/SSLCertificateSocketFactory;';
const socketFactoryType = 'Ljavax/net/ssl/SSLSocketFactory;';
const cacheType = 'Landroid/net/SSLSessionCache;';
const S = 'Ljava/lang/String;';

const newFactory: NativeMethod = (machine) => machine.allocate(factoryType);

export const networkSecurityModels: Models = {
  [policyType]: {
    staticMethods: { [`getInstance()${policyType}`]: (machine) => singleton(machine, policyType) },
    methods: {
      // Cleartext traffic is always permitted, so that the report shows it.
      ...each(yes, 'isCleartextTrafficPermitted()Z', `isCleartextTrafficPermitted(${S})Z`),
      [`isCertificateTransparencyVerificationRequired(${S})Z`]: no,
    },
  },
  'Landroid/net/http/X509TrustManagerExtensions;': {
    methods: {
      '<init>(Ljavax/net/ssl/X509TrustManager;)V': nothing,
      [`checkServerTrusted(![${certificateType}${S}${S})Ljava/util/List;`]: (machine, _me, chain: JavaArray) =>
        listOf(machine, referencesOf(chain) as HeapObject[]),
      [`isUserAddedCertificate(${certificateType})Z`]: no,
      [`isSameTrustConfiguration(${S}${S})Z`]: yes,
    },
  },
  [cacheType]: { methods: { '<init>(Landroid/content/Context;)V': nothing } },
  [factoryType]: {
    extends: 'Ljavax/net/ssl/SSLSocketFactoryImpl;',
    methods: {
      // The factory hands on to its sockets whom the app lets trust servers.
      '<init>(I)V': nothing,
      'setTrustManagers([Ljavax/net/ssl/TrustManager;)V': (_machine, me, managers: Reference) => {
        me.native = managers;
      },
      'setHostname(Ljava/net/Socket;Ljava/lang/String;)V': nothing,
      'setUseSessionTickets(Ljava/net/Socket;Z)V': nothing,
    },
    staticMethods: {
      ...each(
        newFactory,
        'getDefault(I)Ljavax/net/SocketFactory;',
        `getDefault(I${cacheType})${socketFactoryType}`,
        `getInsecure(I${cacheType})${socketFactoryType}`,
      ),
    },
  },
  'Landroid/net/ssl/SSLSockets;': {
    staticMethods: {
      'isSupportedSocket(Ljavax/net/ssl/SSLSocket;)Z': yes,
      'setUseSessionTickets(Ljavax/net/ssl/SSLSocket;Z)V': nothing,
    },
  },
};
