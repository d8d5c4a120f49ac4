// Public keys as certificates and APK signers carry them (SubjectPublicKeyInfo). Knows no certificate.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { FormatError } from '../byte-reader.ts';
import {
  type Asn1Element,
  bitString,
  encodeAsn1,
  objectIdentifier,
  parseAsn1,
  universalTag,
  unsignedInteger,
} from './asn1.ts';
import { curveNames, keyAlgorithmOids } from './object-identifiers.ts';

export type KeyAlgorithm = 'RSA' | 'DSA' | 'EC' | 'unknown';

interface RsaNumbers {
  modulus: bigint;
  exponent: bigint;
}

interface DsaNumbers {
  p: bigint;
  q: bigint;
  g: bigint;
  y: bigint;
}

/** No platform takes keys of more than 16,384 bits; numbers past this would only cost time. */
const maxNumberLength = 4096;

const identifierOf = { integer: 0x02, bitString: 0x03, sequence: 0x30 } as const;
/** A key's number, positive whatever its first bit says. @throws FormatError where it is absurdly large */
function numberOf(element: Asn1Element): bigint {
  if (element.content.length > maxNumberLength) {
    throw new FormatError('public-key', element.start, 'A number of a public key is too large');
  }
  return unsignedInteger(element.expect(universalTag.integer, 'A number of a public key').content);
}

const bitLength = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

export class PublicKey {
  readonly algorithm: KeyAlgorithm;
  /** `RSA 2048`, `DSA 1024`, `EC secp256r1`; the dotted identifier of an algorithm that is none of these. */
  readonly description: string;
  /** The SubjectPublicKeyInfo as it was written. */
  readonly encoded: Uint8Array;
  /** The same, with an RSA modulus and exponent as the positive numbers that they are. */
  readonly canonical: Uint8Array;
  readonly rsa: RsaNumbers | null = null;
  readonly dsa: DsaNumbers | null = null;
  #handle: KeyObject | null | undefined;

  /** @throws FormatError where the element is no SubjectPublicKeyInfo or its key cannot be read */
  constructor(element: Asn1Element) {
    this.encoded = element.encoded;
    this.canonical = this.encoded;
    const [algorithm, key] = element.expect(universalTag.sequence, 'A public key').children();
    const [identifier, parameters] = algorithm?.expect(universalTag.sequence, 'A key algorithm').children() ?? [];
    if (algorithm === undefined || identifier === undefined || key === undefined) {
      throw new FormatError('public-key', element.start, 'A public key lacks its algorithm or its bits');
    }
    const bits = bitString(key.expect(universalTag.bitString, "A public key's value"));
    const oid = objectIdentifier(identifier);
    if (oid === keyAlgorithmOids.rsa || oid === keyAlgorithmOids.rsaPss) {
      const [modulus, exponent] = parseAsn1(bits).expect(universalTag.sequence, 'An RSA key').children();
      if (modulus === undefined || exponent === undefined) {
        throw new FormatError('public-key', element.start, 'An RSA key lacks modulus or exponent');
      }
      // Some encoders forget the leading zero, which makes a modulus negative; Android reads it as positive.
      this.rsa = { modulus: numberOf(modulus), exponent: numberOf(exponent) };
      this.algorithm = 'RSA';
      this.description = `RSA ${bitLength(this.rsa.modulus)}`;
      if ((modulus.content[0]! & 0x80) !== 0 || (exponent.content[0]! & 0x80) !== 0) {
        const positive = (integer: Asn1Element) =>
          encodeAsn1(identifierOf.integer, Buffer.from((integer.content[0]! & 0x80) !== 0 ? [0] : []), integer.content);
        const numbers = encodeAsn1(identifierOf.sequence, positive(modulus), positive(exponent));
        const value = encodeAsn1(identifierOf.bitString, Buffer.from([0]), numbers);
        this.canonical = encodeAsn1(identifierOf.sequence, algorithm.encoded, value);
      }
    } else if (oid === keyAlgorithmOids.dsa) {
      this.algorithm = 'DSA';
      const [p, q, g] = parameters?.isUniversal(universalTag.sequence) ? parameters.children() : [];
      if (p === undefined || q === undefined || g === undefined) {
        throw new FormatError('public-key', element.start, 'A DSA key lacks its parameters');
      }
      this.dsa = {
        p: numberOf(p),
        q: numberOf(q),
        g: numberOf(g),
        y: numberOf(parseAsn1(bits)),
      };
      this.description = `DSA ${bitLength(this.dsa.p)}`;
    } else if (oid === keyAlgorithmOids.ec) {
      this.algorithm = 'EC';
      const curve = parameters?.isUniversal(universalTag.objectIdentifier) ? objectIdentifier(parameters) : null;
      this.description = `EC ${curve === null ? 'explicit' : (curveNames[curve] ?? curve)}`;
    } else {
      this.algorithm = 'unknown';
      this.description = oid;
    }
  }

  /** The key for node:crypto, null where OpenSSL refuses it. */
  get handle(): KeyObject | null {
    if (this.#handle === undefined) {
      try {
        this.#handle = createPublicKey({ key: Buffer.from(this.canonical), format: 'der', type: 'spki' });
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        this.#handle = null;
      }
    }
    return this.#handle;
  }
}

/**
 * Reads a SubjectPublicKeyInfo.
 * Specification: RFC 5280 section 4.1.2.7, RFC 3279 section 2.3
 * @throws FormatError where it cannot be read
 */
export function parsePublicKey(encoded: Uint8Array): PublicKey {
  return new PublicKey(parseAsn1(encoded));
}
