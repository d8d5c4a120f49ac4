// The certificate that a server of the simulated internet shows, in DER. Knows no machine.

/** The public key of every server, as a SubjectPublicKeyInfo; no private key belongs to it. */
const publicKey = Buffer.from(
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEp7zuD6I/Tjymco2eoAs3jRJ8ai8wC5Twu8MjAPKGbCJa61hFd3WmUtzbfC34j6XM1i/SCJ2qdzKXihAQSB2z7A==',
  'base64',
);

/** Tags of ASN.1, X.690 8.14. */
const tags = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, utf8: 0x0c, time: 0x17, sequence: 0x30, set: 0x31 };

function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => element(tags.sequence, ...parts);
const oid = (hex: string): Buffer => element(tags.oid, Buffer.from(hex, 'hex'));
const named = (commonName: string): Buffer =>
  sequence(element(tags.set, sequence(oid('550403'), element(tags.utf8, Buffer.from(commonName)))));
const moment = (text: string): Buffer => element(tags.time, Buffer.from(text));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));

/** Bytes of a common name; of a longer host it is the end. RFC 5280, appendix A.1, `ub-common-name`. */
const maxCommonName = 64;
/** Of a name in the domain name system. */
const maxHost = 253;

/**
 * An X.509 certificate in DER, valid from 2020 to 2049, with an invalid signature.
 * https://www.rfc-editor.org/rfc/rfc5280#section-4.1
 * @param host a name, or an IPv4 address in dots
 */
export function serverCertificate(host: string): Uint8Array {
  const name = host.slice(0, maxHost);
  const isAddress = /^\d{1,3}(\.\d{1,3}){3}$/.test(name);
  const alternative = isAddress
    ? element(0x87, Uint8Array.from(name.split('.'), Number))
    : element(0x82, Buffer.from(name));
  const names = sequence(oid('551d11'), element(tags.octets, sequence(alternative)));
  const signed = sequence(
    element(0xa0, element(tags.integer, Uint8Array.of(2))),
    element(tags.integer, Uint8Array.of(1)),
    ecdsaWithSha256,
    named('Public Server CA'),
    sequence(moment('200101000000Z'), moment('491231235959Z')),
    named(name.slice(-maxCommonName)),
    publicKey,
    element(0xa3, sequence(names)),
  );
  const one = element(tags.integer, Uint8Array.of(1));
  return sequence(signed, ecdsaWithSha256, element(tags.bits, Uint8Array.of(0), sequence(one, one)));
}
