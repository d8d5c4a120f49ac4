// A certificate authority of this machine's own, and the certificates it signs for the shared server. Knows no server.
import 'reflect-metadata';
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';
import { writeDurableFile } from '../vault/durable-file.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const day = 86_400_000;
const authorityDays = 3650;
/** Clients of Apple's platforms take no server certificate that lasts longer than 825 days, browsers none over 398. */
const serverDays = 397;
/** A server's certificate is made anew when it has this long to go. */
const renewalDays = 30;
/** Clocks of a laboratory's machines differ. */
const backdating = day;

export interface ServerCertificate {
  /** PEM: the server's certificate, then the authority's. */
  chain: string;
  /** PEM, PKCS #8. */
  key: string;
  /** SHA-256 of the server's certificate: upper-case hex with colons. */
  fingerprint: string;
  /** Milliseconds since 1970 UTC. */
  expires: number;
}

interface Issuer {
  certificate: x509.X509Certificate;
  privateKey: CryptoKey;
}

/**
 * The authority's files lie in `keys/` of the data folder: `authority.crt` and `authority.key`, `server.crt` and
 * `server.key`. Whoever trusts `authority.crt` trusts every certificate signed with its key, so the authority can sign
 * for this machine's names alone: name constraints (RFC 5280 section 4.2.1.10) would say so to clients, but too few
 * read them for addresses; the key never leaves the folder instead.
 */
export class LocalAuthority {
  readonly #folder: string;
  readonly #now: () => number;
  #asked: Promise<unknown> = Promise.resolve();

  /** @param folder `keys/` of the data folder */
  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** The authority's certificate as PEM, made on first use. */
  async certificate(): Promise<string> {
    return (await this.#authority()).certificate.toString('pem');
  }

  /** SHA-256 of the authority's certificate: upper-case hex with colons. */
  async fingerprint(): Promise<string> {
    return fingerprintOf(await this.certificate());
  }

  /**
   * A certificate for these names and addresses: the stored one where it says just these and lasts, else a new one.
   * @param names host names and IP addresses, the first one the subject's
   */
  async serverCertificate(names: readonly string[]): Promise<ServerCertificate> {
    const stored = await this.#storedServerCertificate(names);
    if (stored !== null) return stored;
    const { certificate: issuer, privateKey: signingKey } = await this.#authority();
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const now = this.#now();
    const certificate = await x509.X509CertificateGenerator.create({
      subject: [{ CN: [names[0]!.slice(0, 64)] }, { O: ['APK Workstation'] }],
      issuer: issuer.subject,
      notBefore: new Date(now - backdating),
      notAfter: new Date(now + serverDays * day),
      signingKey,
      publicKey: keys.publicKey,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
        ),
        await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    const key = await pemOfKey(keys.privateKey);
    this.#write('server.key', key);
    this.#write('server.crt', certificate.toString('pem'));
    return described(certificate.toString('pem'), issuer.toString('pem'), key);
  }

  async #storedServerCertificate(names: readonly string[]): Promise<ServerCertificate | null> {
    if (!existsSync(this.#path('server.crt')) || !existsSync(this.#path('server.key'))) return null;
    const authority = await this.certificate();
    const text = readFileSync(this.#path('server.crt'), 'utf8');
    const key = readFileSync(this.#path('server.key'), 'utf8');
    if (!isReadable(text, key)) return null;
    const certificate = new X509Certificate(text);
    const listed = (certificate.subjectAltName ?? '')
      .split(', ')
      .map((name) => name.replace(/^(?:DNS|IP Address):/, ''));
    const isSame = listed.length === names.length && names.every((name) => listed.some((one) => isSameName(one, name)));
    const lasts = certificate.validToDate.getTime() - this.#now() > renewalDays * day;
    const isOurs = certificate.verify(new X509Certificate(authority).publicKey);
    return isSame && lasts && isOurs ? described(text, authority, key) : null;
  }

  /** One after the other: two first requests at a time would make two authorities. */
  #authority(): Promise<Issuer> {
    const asked = this.#asked.then(
      () => this.#storedOrNewAuthority(),
      () => this.#storedOrNewAuthority(),
    );
    this.#asked = asked;
    return asked;
  }

  async #storedOrNewAuthority(): Promise<Issuer> {
    if (existsSync(this.#path('authority.crt')) && existsSync(this.#path('authority.key'))) {
      const certificate = new x509.X509Certificate(readFileSync(this.#path('authority.crt'), 'utf8'));
      if (certificate.notAfter.getTime() - this.#now() > serverDays * day) {
        const der = createPrivateKey(readFileSync(this.#path('authority.key'))).export({
          type: 'pkcs8',
          format: 'der',
        });
        return { certificate, privateKey: await crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']) };
      }
    }
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const now = this.#now();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: [
        // The key's own mark tells the authorities of several machines apart in a list of trusted ones.
        { CN: [`APK Workstation authority ${await keyMark(keys.publicKey)}`] },
        { O: ['APK Workstation'] },
      ],
      notBefore: new Date(now - backdating),
      notAfter: new Date(now + authorityDays * day),
      signingAlgorithm: algorithm,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    this.#write('authority.key', await pemOfKey(keys.privateKey));
    this.#write('authority.crt', certificate.toString('pem'));
    return { certificate, privateKey: keys.privateKey };
  }

  #path = (name: string): string => join(this.#folder, name);

  #write(name: string, text: string): void {
    writeDurableFile(this.#path(name), Buffer.from(text));
  }
}

const fingerprintOf = (pem: string): string => new X509Certificate(pem).fingerprint256;

/** A file that was cut off or edited is made anew, as one that is missing. */
function isReadable(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function described(certificate: string, authority: string, key: string): ServerCertificate {
  return {
    chain: `${certificate.trimEnd()}\n${authority.trimEnd()}\n`,
    key,
    fingerprint: fingerprintOf(certificate),
    expires: new X509Certificate(certificate).validToDate.getTime(),
  };
}

/** IPv6 addresses are written in several ways; Node prints them in full, in upper case. */
function isSameName(listed: string, name: string): boolean {
  if (isIP(name) !== 6) return listed.toLowerCase() === name.toLowerCase();
  return isIP(listed) === 6 && new URL(`http://[${listed}]`).hostname === new URL(`http://[${name}]`).hostname;
}

async function pemOfKey(key: CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({
    type: 'pkcs8',
    format: 'pem',
  }) as string;
}

async function keyMark(key: CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('spki', key));
  return createHash('sha256').update(der).digest('hex').slice(0, 8);
}
