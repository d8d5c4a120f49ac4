// X.509 certificates as APKs carry them, read tolerantly. Knows nothing of APKs; checks no signature and no date.
import { hash } from 'node:crypto';
import type { CertificateRecord } from '../../../contract/engine/reports.ts';
import { FormatError } from '../byte-reader.ts';
import { type Asn1Element, bitString, objectIdentifier, parseAsn1, signedInteger, universalTag } from './asn1.ts';
import { type DistinguishedName, parseName } from './distinguished-name.ts';
import { certificateSignatureNames, extensionOids, knownExtensions } from './object-identifiers.ts';
import { PublicKey } from './public-key.ts';
import { parseTime, timeText } from './time.ts';

const sha1 = (bytes: Uint8Array): string => hash('sha1', bytes, 'hex').toUpperCase();
const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex').toUpperCase();

/** RFC 5280 allows 20 octets; a number of megabytes would only bloat the report. */
const maxSerialLength = 256;

interface KeyUsage {
  digitalSignature: boolean;
  nonRepudiation: boolean;
}

export class Certificate {
  /** The bytes as the APK carries them, DER or not: Android compares and hashes these. */
  readonly encoded: Uint8Array;
  /** May be negative or zero, whatever RFC 5280 says. */
  readonly serialNumber: bigint;
  /** Content octets of the serial number, for matching a PKCS #7 signer. */
  readonly serialContent: Uint8Array;
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly signatureAlgorithm: string;
  /** null where the key cannot be read. */
  readonly publicKey: PublicKey | null;
  readonly keyUsage: KeyUsage | null = null;
  /** Whether an extension is marked critical that a verifier need not know. */
  readonly hasUnknownCriticalExtension: boolean = false;
  /**
   * What Android's parser, which takes no broken structure, would refuse the certificate for; null where all is well.
   * Everything that could be read is there all the same.
   */
  readonly deviation: string | null;
  #record: CertificateRecord | undefined;

  /** @throws FormatError where the parts of a certificate are not there */
  constructor(encoded: Uint8Array) {
    this.encoded = encoded;
    const whole = parseAsn1(encoded).expect(universalTag.sequence, 'A certificate');
    const [body, algorithm, signature] = whole.children();
    const parts = body?.expect(universalTag.sequence, "A certificate's body").children() ?? [];
    if (parts[0]?.isContext(0)) parts.shift();
    const [serial, innerAlgorithm, issuer, validity, subject, key, ...rest] = parts;
    if (
      serial === undefined ||
      innerAlgorithm === undefined ||
      issuer === undefined ||
      validity === undefined ||
      subject === undefined ||
      key === undefined
    ) {
      throw new FormatError('certificate', whole.start, 'A certificate lacks some of its parts');
    }
    this.serialContent = serial.expect(universalTag.integer, 'A serial number').content;
    this.serialNumber = signedInteger(this.serialContent.subarray(0, maxSerialLength));
    this.issuer = parseName(issuer.expect(universalTag.sequence, 'An issuer'));
    this.subject = parseName(subject.expect(universalTag.sequence, 'A subject'));
    const [notBefore, notAfter] = validity.expect(universalTag.sequence, 'A validity').children();
    this.notBefore = notBefore === undefined ? '' : timeText(notBefore);
    this.notAfter = notAfter === undefined ? '' : timeText(notAfter);
    this.signatureAlgorithm = algorithmName(algorithm);
    this.publicKey = readKey(key);
    const extensions = readExtensions(rest.find((part) => part.isContext(3)));
    this.keyUsage = extensions.keyUsage;
    this.hasUnknownCriticalExtension = extensions.hasUnknownCritical;
    const hasTimes = [notBefore, notAfter].every((time) => time !== undefined && parseTime(time) !== null);
    const deviations: [boolean, string][] = [
      [!this.issuer.isWhole || !this.subject.isWhole, 'a name is malformed'],
      [!hasTimes, 'a time is malformed'],
      [this.publicKey === null, 'the public key is malformed'],
      [!extensions.isWhole, 'an extension is malformed'],
      [this.signatureAlgorithm === '' || algorithmName(innerAlgorithm) === '', 'the signature algorithm is malformed'],
      [signature?.isUniversal(universalTag.bitString) !== true, 'the signature is missing'],
    ];
    this.deviation = deviations.find(([isSo]) => isSo)?.[1] ?? null;
  }

  organization(): string | null {
    return this.#subjectAttribute('O');
  }

  commonName(): string | null {
    return this.#subjectAttribute('CN');
  }

  #subjectAttribute(name: string): string | null {
    const value = this.subject.attributes.find((attribute) => attribute.name === name)?.value.trim();
    return value === undefined || value === '' ? null : value;
  }

  /** Whether both are the same bytes. */
  equals(other: Certificate): boolean {
    return Buffer.compare(this.encoded, other.encoded) === 0;
  }

  /** The certificate in the reports' wire names. */
  record(): CertificateRecord {
    this.#record ??= {
      sha1: sha1(this.encoded),
      sha256: sha256(this.encoded),
      serial: this.serialNumber.toString(16).toUpperCase(),
      subjectDN: this.subject.text,
      issuerDN: this.issuer.text,
      not_before: this.notBefore,
      not_after: this.notAfter,
      signature_algorithm: this.signatureAlgorithm,
      public_key: this.publicKey?.description ?? 'unreadable',
      public_key_sha256: this.publicKey === null ? '' : sha256(this.publicKey.canonical),
    };
    return this.#record;
  }
}

/** `SHA256withRSA`, or the identifier of an unknown algorithm; empty where there is none. */
function algorithmName(element: Asn1Element | undefined): string {
  try {
    const identifier = element?.expect(universalTag.sequence, 'An algorithm').children()[0];
    const oid = identifier === undefined ? '' : objectIdentifier(identifier);
    return certificateSignatureNames[oid] ?? oid;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return '';
  }
}

function readKey(element: Asn1Element): PublicKey | null {
  try {
    return new PublicKey(element);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return null;
  }
}

interface Extensions {
  keyUsage: KeyUsage | null;
  hasUnknownCritical: boolean;
  /** Whether all of them could be read; those before a break are kept. */
  isWhole: boolean;
}

function readExtensions(element: Asn1Element | undefined): Extensions {
  const result: Extensions = { keyUsage: null, hasUnknownCritical: false, isWhole: true };
  if (element === undefined) return result;
  try {
    const [list] = element.children();
    for (const extension of list?.expect(universalTag.sequence, 'Extensions').children() ?? []) {
      const [identifier, ...rest] = extension.expect(universalTag.sequence, 'An extension').children();
      const value = rest.pop()?.expect(universalTag.octetString, "An extension's value");
      if (identifier === undefined || value === undefined) {
        throw new FormatError('certificate', extension.start, 'An extension lacks its type or value');
      }
      const oid = objectIdentifier(identifier);
      const isCritical = rest[0]?.isUniversal(universalTag.boolean) === true && rest[0].content[0] !== 0;
      if (isCritical && !knownExtensions.has(oid)) result.hasUnknownCritical = true;
      if (oid === extensionOids.keyUsage) {
        const bits = bitString(parseAsn1(value.content).expect(universalTag.bitString, 'A key usage'))[0] ?? 0;
        result.keyUsage = { digitalSignature: (bits & 0x80) !== 0, nonRepudiation: (bits & 0x40) !== 0 };
      }
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    result.isWhole = false;
  }
  return result;
}

/**
 * Reads a certificate. Times, names, serial numbers and extensions that break the rules are kept as they are; bytes after
 * the certificate stay part of `encoded`, as they do on Android.
 * Specification: RFC 5280 section 4.1, https://www.rfc-editor.org/rfc/rfc5280#section-4.1
 * @throws FormatError where the bytes are no certificate at all
 */
export function parseCertificate(der: Uint8Array): Certificate {
  return new Certificate(der);
}

/**
 * Reads a certificate that verification may rely on.
 * @throws FormatError where it breaks rules that Android's parser insists on
 */
export function parseSoundCertificate(der: Uint8Array): Certificate {
  const certificate = new Certificate(der);
  if (certificate.deviation !== null)
    throw new FormatError('certificate', 0, `In a certificate, ${certificate.deviation}`);
  return certificate;
}
