// Names of the object identifiers that certificates and signatures use. Knows no encoding.

/**
 * Short names of a distinguished name's attributes, as OpenSSL prints them.
 * Sources: RFC 4519, RFC 5280 appendix A, RFC 2985, https://docs.openssl.org/3.0/man1/openssl-req/
 */
export const attributeNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'street',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.13': 'description',
  '2.5.4.15': 'businessCategory',
  '2.5.4.16': 'postalAddress',
  '2.5.4.17': 'postalCode',
  '2.5.4.18': 'postOfficeBox',
  '2.5.4.20': 'telephoneNumber',
  '2.5.4.41': 'name',
  '2.5.4.42': 'GN',
  '2.5.4.43': 'initials',
  '2.5.4.44': 'generationQualifier',
  '2.5.4.45': 'x500UniqueIdentifier',
  '2.5.4.46': 'dnQualifier',
  '2.5.4.65': 'pseudonym',
  '2.5.4.72': 'role',
  '2.5.4.97': 'organizationIdentifier',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.3': 'mail',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
  '1.2.840.113549.1.9.2': 'unstructuredName',
  '1.2.840.113549.1.9.7': 'challengePassword',
  '1.2.840.113549.1.9.8': 'unstructuredAddress',
  '1.3.6.1.4.1.311.60.2.1.1': 'jurisdictionL',
  '1.3.6.1.4.1.311.60.2.1.2': 'jurisdictionST',
  '1.3.6.1.4.1.311.60.2.1.3': 'jurisdictionC',
};

/** Names of the algorithms that sign certificates, in the notation of the Java Cryptography Architecture. */
export const certificateSignatureNames: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.2': 'MD2withRSA',
  '1.2.840.113549.1.1.4': 'MD5withRSA',
  '1.2.840.113549.1.1.5': 'SHA1withRSA',
  '1.3.14.3.2.29': 'SHA1withRSA',
  '1.2.840.113549.1.1.10': 'RSASSA-PSS',
  '1.2.840.113549.1.1.11': 'SHA256withRSA',
  '1.2.840.113549.1.1.12': 'SHA384withRSA',
  '1.2.840.113549.1.1.13': 'SHA512withRSA',
  '1.2.840.113549.1.1.14': 'SHA224withRSA',
  '1.2.840.10040.4.3': 'SHA1withDSA',
  '2.16.840.1.101.3.4.3.1': 'SHA224withDSA',
  '2.16.840.1.101.3.4.3.2': 'SHA256withDSA',
  '2.16.840.1.101.3.4.3.3': 'SHA384withDSA',
  '2.16.840.1.101.3.4.3.4': 'SHA512withDSA',
  '1.2.840.10045.4.1': 'SHA1withECDSA',
  '1.2.840.10045.4.3.1': 'SHA224withECDSA',
  '1.2.840.10045.4.3.2': 'SHA256withECDSA',
  '1.2.840.10045.4.3.3': 'SHA384withECDSA',
  '1.2.840.10045.4.3.4': 'SHA512withECDSA',
  '1.3.101.112': 'Ed25519',
  '1.3.101.113': 'Ed448',
};

export const keyAlgorithmOids = {
  rsa: '1.2.840.113549.1.1.1',
  rsaPss: '1.2.840.113549.1.1.10',
  dsa: '1.2.840.10040.4.1',
  ec: '1.2.840.10045.2.1',
} as const;

/** Curves by the names of SEC 2, https://www.secg.org/sec2-v2.pdf, and RFC 5639. */
export const curveNames: Readonly<Record<string, string>> = {
  '1.2.840.10045.3.1.1': 'secp192r1',
  '1.2.840.10045.3.1.7': 'secp256r1',
  '1.3.132.0.10': 'secp256k1',
  '1.3.132.0.33': 'secp224r1',
  '1.3.132.0.34': 'secp384r1',
  '1.3.132.0.35': 'secp521r1',
  '1.3.36.3.3.2.8.1.1.7': 'brainpoolP256r1',
  '1.3.36.3.3.2.8.1.1.11': 'brainpoolP384r1',
  '1.3.36.3.3.2.8.1.1.13': 'brainpoolP512r1',
};

export const extensionOids = {
  keyUsage: '2.5.29.15',
} as const;

/** Certificate extensions whose `critical` mark a verifier can honour, RFC 5280 section 4.2. */
export const knownExtensions: ReadonlySet<string> = new Set([
  '2.5.29.9', // subject directory attributes
  '2.5.29.14', // subject key identifier
  '2.5.29.15', // key usage
  '2.5.29.16', // private key usage period
  '2.5.29.17', // subject alternative name
  '2.5.29.18', // issuer alternative name
  '2.5.29.19', // basic constraints
  '2.5.29.30', // name constraints
  '2.5.29.31', // CRL distribution points
  '2.5.29.32', // certificate policies
  '2.5.29.33', // policy mappings
  '2.5.29.35', // authority key identifier
  '2.5.29.36', // policy constraints
  '2.5.29.37', // extended key usage
  '2.5.29.46', // freshest CRL
  '2.5.29.54', // inhibit any policy
  '1.3.6.1.5.5.7.1.1', // authority information access
  '1.3.6.1.5.5.7.1.11', // subject information access
  '2.16.840.1.113730.1.1', // Netscape certificate type
]);
