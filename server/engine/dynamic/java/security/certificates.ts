// java.security.cert: certificates, their names and the factory that reads them. `native` is node's certificate. Knows no chains.
import { X509Certificate } from 'node:crypto';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { readAll } from '../io/byte-input.ts';
import { dateObject } from '../util/calendar.ts';
import { newList } from '../util/iteration.ts';
import { instance, made, textOf } from '../values.ts';
import { asymmetricKey, instances } from './keys.ts';

const CERT = 'Ljava/security/cert/';
const PRINCIPAL = 'Ljava/security/Principal;';
const X500 = 'Ljavax/security/auth/x500/X500Principal;';
const FACTORY = `${CERT}CertificateFactory;`;
const S = 'Ljava/lang/String;';

/** The class of the certificates that servers show and packages are signed with. */
export const x509Type = `${CERT}X509Certificate;`;

/** @throws Error where the bytes are no certificate */
export const certificateObject = (machine: Machine, der: Uint8Array, taint = 0): HeapObject =>
  instance(machine, x509Type, new X509Certificate(der), taint);

const certificate = (self: HeapObject): X509Certificate => self.native as X509Certificate;

const principal =
  (part: 'subject' | 'issuer'): NativeMethod =>
  (machine, self) =>
    instance(machine, X500, certificate(self)[part]);

const dated =
  (part: 'validFrom' | 'validTo'): NativeMethod =>
  (machine, self) =>
    dateObject(machine, Date.parse(certificate(self)[part]));

const principalName: NativeMethod = (machine, self) =>
  machine.string((self.native as string).split('\n').reverse().join(','));

/** Numbers of kinds of names, RFC 5280 4.2.1.6. */
const kindsOfNames: readonly (readonly [prefix: string, kind: number])[] = [
  ['DNS:', 2],
  ['IP Address:', 7],
];

/** A collection of lists of a name's kind and the name; null where there are no names. */
function alternativeNames(machine: Machine, self: HeapObject): HeapObject | null {
  const names = certificate(self).subjectAltName;
  if (names === undefined) return null;
  const pairs = names.split(', ').flatMap((name) => {
    const found = kindsOfNames.find(([prefix]) => name.startsWith(prefix));
    if (found === undefined) return [];
    const [prefix, kind] = found;
    return [newList(machine, [machine.box('I', kind), machine.string(name.slice(prefix.length))])];
  });
  return newList(machine, pairs);
}

const x509Methods: NativeMethods = {
  '<init>()V': () => undefined,
  'getEncoded()[B': (machine, self) => machine.byteArray(certificate(self).raw),
  'getPublicKey()Ljava/security/PublicKey;': (machine, self) => asymmetricKey(machine, certificate(self).publicKey, 0),
  [`getSubjectDN()${PRINCIPAL}`]: principal('subject'),
  [`getIssuerDN()${PRINCIPAL}`]: principal('issuer'),
  [`getSubjectX500Principal()${X500}`]: principal('subject'),
  [`getIssuerX500Principal()${X500}`]: principal('issuer'),
  'getSubjectAlternativeNames()Ljava/util/Collection;': alternativeNames,
  'getSerialNumber()Ljava/math/BigInteger;': (machine, self) =>
    instance(machine, 'Ljava/math/BigInteger;', BigInt(`0x${certificate(self).serialNumber}`)),
  'getNotBefore()Ljava/util/Date;': dated('validFrom'),
  'getNotAfter()Ljava/util/Date;': dated('validTo'),
  [`getType()${S}`]: (machine) => machine.string('X.509'),
  'checkValidity()V': () => undefined,
  'verify(Ljava/security/PublicKey;)V': () => undefined,
};

export const certificateModels: Record<string, ModelClass> = {
  [`${CERT}Certificate;`]: { isAbstract: true, methods: { [`<init>(${S})V`]: () => undefined } },
  [x509Type]: { extends: `${CERT}Certificate;`, methods: x509Methods },
  [PRINCIPAL]: { isInterface: true },
  [X500]: {
    implements: [PRINCIPAL],
    methods: {
      [`<init>(!${S})V`]: made((machine, name: HeapObject) => textOf(machine, name).split(/,\s*/).reverse().join('\n')),
      [`getName()${S}`]: principalName,
      [`getName(${S})${S}`]: principalName,
      [`toString()${S}`]: principalName,
    },
  },
  [FACTORY]: {
    methods: {
      [`generateCertificate(Ljava/io/InputStream;)${CERT}Certificate;`]: (machine, _self, source: HeapObject) => {
        const { data, taint } = readAll(machine, source);
        try {
          return certificateObject(machine, data, taint);
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          throw machine.exception(`${CERT}CertificateException;`, error.message);
        }
      },
    },
    staticMethods: instances(FACTORY, (machine) => machine.allocate(FACTORY)),
  },
};
