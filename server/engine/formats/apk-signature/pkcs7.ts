// PKCS #7 SignedData as JAR signature blocks carry it. Knows nothing of JAR signing's own rules.
import { FormatError } from '../byte-reader.ts';
import { type Asn1Element, objectIdentifier, octetString, parseAsn1, universalTag } from '../x509/asn1.ts';
import { type Certificate, parseCertificate } from '../x509/certificate.ts';
import { type DistinguishedName, isSameName, parseName } from '../x509/distinguished-name.ts';

const signedDataOid = '1.2.840.113549.1.7.2';
/** Signature blocks hold a chain or two, and one signer; each signer costs a verification, with the slowest keys 12 ms. */
const maxCertificates = 100;
const maxSignerInfos = 8;

interface SignedAttribute {
  type: string;
  values: Asn1Element[];
}

export interface SignerInfo {
  /** Issuer and serial number tell whose certificate it is. Null for a key identifier, which Android does not know. */
  issuer: DistinguishedName | null;
  serialContent: Uint8Array | null;
  digestAlgorithm: string;
  signatureAlgorithm: string;
  /** The attributes as they were written, tag `[0]` and all; null where the signature is over the content itself. */
  signedAttributes: Uint8Array | null;
  signature: Uint8Array;
}

export interface SignedData {
  /** Object identifier of the content's type. */
  contentType: string;
  certificates: Certificate[];
  signerInfos: SignerInfo[];
}

const malformed = (element: Asn1Element, what: string) =>
  new FormatError('pkcs7', element.start, `${what} is malformed`);

function algorithmOf(element: Asn1Element | undefined, parent: Asn1Element): string {
  const identifier = element?.isUniversal(universalTag.sequence) ? element.children()[0] : undefined;
  if (identifier === undefined) throw malformed(parent, 'An algorithm identifier');
  return objectIdentifier(identifier);
}

function readSignerInfo(element: Asn1Element): SignerInfo {
  const fields = element.expect(universalTag.sequence, 'A signer').children();
  let next = 1;
  const identity = fields[next++];
  const digestAlgorithm = algorithmOf(fields[next++], element);
  let signedAttributes: Uint8Array | null = null;
  if (fields[next]?.isContext(0)) signedAttributes = fields[next++]!.encoded;
  const signatureAlgorithm = algorithmOf(fields[next++], element);
  const signature = fields[next];
  if (identity === undefined || !signature?.isUniversal(universalTag.octetString)) throw malformed(element, 'A signer');
  const signer = { digestAlgorithm, signatureAlgorithm, signedAttributes, signature: octetString(signature) };
  if (!identity.isUniversal(universalTag.sequence)) return { ...signer, issuer: null, serialContent: null };
  const [issuer, serial] = identity.children();
  if (issuer === undefined || !serial?.isUniversal(universalTag.integer)) throw malformed(identity, "A signer's name");
  return { ...signer, issuer: parseName(issuer), serialContent: serial.content };
}

/**
 * Reads a signature block.
 * Specification: RFC 5652 section 5.1, https://www.rfc-editor.org/rfc/rfc5652#section-5.1
 * @throws FormatError where it is no SignedData
 */
export function parseSignedData(bytes: Uint8Array): SignedData {
  const outer = parseAsn1(bytes).expect(universalTag.sequence, 'A signature block');
  const [type, wrapped] = outer.children();
  if (type === undefined || wrapped === undefined || !wrapped.isContext(0)) throw malformed(outer, 'A signature block');
  if (objectIdentifier(type) !== signedDataOid)
    throw new FormatError('pkcs7', type.start, 'The content is no SignedData');
  const body = wrapped.children()[0]?.expect(universalTag.sequence, 'SignedData');
  if (body === undefined) throw malformed(wrapped, 'SignedData');
  const fields = body.children();
  const content = fields[2]?.isUniversal(universalTag.sequence) ? fields[2].children()[0] : undefined;
  if (content === undefined) throw malformed(body, "SignedData's content");
  const certificateSet = fields.slice(3).find((field) => field.isContext(0));
  const signerSet = fields.slice(3).findLast((field) => field.isUniversal(universalTag.set));
  if (signerSet === undefined) throw malformed(body, 'The set of signers');
  return {
    contentType: objectIdentifier(content),
    certificates: (certificateSet?.children() ?? [])
      .slice(0, maxCertificates)
      .map((item) => parseCertificate(item.encoded)),
    signerInfos: signerSet.children().slice(0, maxSignerInfos).map(readSignerInfo),
  };
}

/** The certificate that a signer names, null where it is not among them. */
export function findCertificate(certificates: readonly Certificate[], signer: SignerInfo): Certificate | null {
  const { issuer, serialContent } = signer;
  if (issuer === null || serialContent === null) return null;
  return (
    certificates.find(
      (certificate) =>
        Buffer.compare(certificate.serialContent, serialContent) === 0 && isSameName(certificate.issuer, issuer),
    ) ?? null
  );
}

/**
 * Reads signed attributes.
 * @throws FormatError where one cannot be read or occurs twice
 */
export function parseSignedAttributes(encoded: Uint8Array): Map<string, SignedAttribute> {
  const attributes = new Map<string, SignedAttribute>();
  for (const element of parseAsn1(encoded).children()) {
    const [type, values] = element.expect(universalTag.sequence, 'A signed attribute').children();
    if (type === undefined || values === undefined) throw malformed(element, 'A signed attribute');
    const name = objectIdentifier(type);
    if (attributes.has(name))
      throw new FormatError('pkcs7', element.start, `The signed attribute ${name} occurs twice`);
    attributes.set(name, { type: name, values: values.children() });
  }
  return attributes;
}

/** The only value of a signed attribute, null where there is none. @throws FormatError where there are several */
export function singleValue(attributes: ReadonlyMap<string, SignedAttribute>, type: string): Asn1Element | null {
  const values = attributes.get(type)?.values ?? [];
  if (values.length > 1) throw new FormatError('pkcs7', 0, `The signed attribute ${type} has several values`);
  return values[0] ?? null;
}

/** The certificate and those that vouch for it by name, one after the other. */
export function certificateChain(certificates: readonly Certificate[], leaf: Certificate): Certificate[] {
  const unused = certificates.filter((certificate) => certificate !== leaf);
  const chain = [leaf];
  for (let last = leaf; !isSameName(last.subject, last.issuer); ) {
    const position = unused.findIndex((each) => isSameName(each.subject, last.issuer));
    if (position < 0) break;
    last = unused.splice(position, 1)[0]!;
    chain.push(last);
  }
  return chain;
}
