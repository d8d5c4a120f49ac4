// A certificate authority of this machine's own, and the certificates it signs for the shared server. Knows no server.
import 'reflect-metadata';
import { createHash, createPrivateKey, KeyObject, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';
import { type AuthorityState, networkAddresses, type ServerIdentity } from '../services/sharing/sharing.ts';
import { writeDurableFile } from '../vault/durable-file.ts';
import { type Authority, AuthorityFiles } from './authority-files.ts';
import { encodeConstraints, isPermitted, nameConstraintsId } from './name-constraints.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const day = 86_400_000;
const authorityDays = 730;
/** How long before its end an authority is followed by the next: teammates have this long to fetch that one. */
const overlapDays = 90;
/** Days. Browsers accept at most 398, Apple's platforms 825; it is renewed automatically, so a short life costs nothing. */
const serverDays = 90;
/** A server's certificate is made anew when it has this long to go. */
const renewalDays = 30;
/** Clocks of a laboratory's machines differ. */
const backdating = day;

const beginOf = ({ certificate }: Pick<Authority, 'certificate'>) => certificate.validFromDate.getTime();
const endOf = (certificate: X509Certificate) => certificate.validToDate.getTime();

/**
 * The authority lies in `keys/` of the data folder, the server's certificate in `server.crt` and `server.key` there.
 * Whoever trusts `authority.crt` trusts what is signed with its key, so the certificate itself says for which names that
 * can be: this machine's (name constraints, RFC 5280 section 4.2.1.10, critical), and for servers alone. A stolen key
 * vouches for no name of the internet, and for nothing after two years.
 *
 * Before it ends, an authority with a key of its own follows it. The former one signs a certificate for the new one's
 * key, which the server sends along until the former one's end: whoever trusts either of them is served.
 */
export class LocalAuthority {
  readonly #folder: string;
  readonly #files: AuthorityFiles;
  readonly #now: () => number;
  #last: Promise<unknown> = Promise.resolve();

  /** @param folder `keys/` of the data folder */
  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder;
    this.#files = new AuthorityFiles(folder);
    this.#now = now;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** The authority's certificate as PEM, made on first use for these names. */
  certificate = async (names: readonly string[] = []): Promise<string> => (await this.state(names)).certificate;

  /** SHA-256 of the authority's certificate: upper-case hex with colons. */
  fingerprint = async (names: readonly string[] = []): Promise<string> => (await this.state(names)).fingerprint;

  /** @param names what the workstation is reached by: host names and IP addresses */
  state(names: readonly string[]): Promise<AuthorityState> {
    return this.#alone(async () => {
      const authority = await this.#authority(names);
      const former = this.#formerInUse(authority);
      return {
        certificate: authority.certificate.toString(),
        fingerprint: authority.certificate.fingerprint256,
        begins: beginOf(authority),
        expires: endOf(authority.certificate),
        former:
          former === null
            ? null
            : { fingerprint: former.certificate.fingerprint256, expires: endOf(former.certificate) },
        isUnbounded: isUnbounded(authority),
        uncovered: names.filter((name) => !isCovered([authority, former], name)),
      };
    });
  }

  /** Makes another authority for these names: what the former one signed is no longer used, and its key is gone. */
  replace(names: readonly string[]): Promise<void> {
    return this.#alone(async () => {
      this.#files.replace(await this.#made(names, null), null);
    });
  }

  /**
   * A certificate for those of these names and addresses that the authority may vouch for: the stored one where it says
   * just these and lasts, else a new one.
   * @throws Error where the authority may vouch for none
   */
  serverCertificate(names: readonly string[]): Promise<ServerIdentity> {
    return this.#alone(async () => {
      const authority = await this.#authority(names);
      const former = this.#formerInUse(authority);
      const covered = names.filter((name) => isCovered([authority, former], name));
      if (covered.length === 0) {
        throw new Error('The authority vouches for no name or address that this machine has now. Make a new one.');
      }
      // The cross-signed certificate lets clients that trust only the former authority verify the new one.
      const above = former === null ? authority.certificate : authority.cross!;
      return this.#storedServerCertificate(covered, authority, above) ?? this.#signed(covered, authority, above);
    });
  }

  /** One after the other: two first requests at a time would make two authorities. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done;
    return done;
  }

  /** The authority before this one, while it lasts and what it signed for this one leads from it. */
  #formerInUse({ cross }: Authority): Authority | null {
    if (cross === null || endOf(cross) <= this.#now()) return null;
    const former = this.#files.former();
    return former !== null && cross.verify(former.certificate.publicKey) ? former : null;
  }

  async #authority(names: readonly string[]): Promise<Authority> {
    const now = this.#now();
    const held = this.#files.current();
    if (held === null) return this.#begin(names);
    // Where none was ever served with it, nobody can have come to trust it.
    const isUsed = existsSync(this.#path('server.crt'));
    if (!isUsed && (isUnbounded(held) || !coversAll(held, names))) return this.#begin(names);
    if (beginOf(held) > now) return this.#beforeItsTime(held);
    if (endOf(held.certificate) - now > overlapDays * day) return held;
    const next = await this.#made(names, endOf(held.certificate) > now && !isUnbounded(held) ? held : null);
    this.#files.replace(next, held);
    return next;
  }

  async #begin(names: readonly string[]): Promise<Authority> {
    const authority = await this.#made(names, null);
    this.#files.replace(authority, null);
    return authority;
  }

  /**
   * Either the clock was ahead when this authority was made, and the one before it still holds, or the clock is behind
   * now: then everybody else's is not, and what there is goes on serving them.
   */
  #beforeItsTime(held: Authority): Authority {
    const now = this.#now();
    const former = this.#files.former();
    if (former === null || beginOf(former) > now || endOf(former.certificate) <= now) return held;
    this.#files.replace(former, held);
    return former;
  }

  async #made(names: readonly string[], before: Authority | null): Promise<Authority> {
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    // Part of the key's hash tells the authorities of several machines apart in a list of trusted ones.
    const mark = createHash('sha256')
      .update(Buffer.from(await crypto.subtle.exportKey('spki', keys.publicKey)))
      .digest('hex')
      .slice(0, 8);
    const subject: x509.JsonName = [{ CN: [`APK Workstation authority ${mark}`] }, { O: ['APK Workstation'] }];
    const extensions = async (pathLength: number) => [
      new x509.BasicConstraintsExtension(true, pathLength, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.Extension(nameConstraintsId, true, constraintsFor(names)),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ];
    const notBefore = new Date(this.#now() - backdating);
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: subject,
      notBefore,
      notAfter: new Date(notBefore.getTime() + authorityDays * day),
      signingAlgorithm: algorithm,
      keys,
      // One below it: the authority that follows.
      extensions: await extensions(1),
    });
    const cross =
      before === null
        ? null
        : await x509.X509CertificateGenerator.create({
            subject,
            issuer: new x509.X509Certificate(before.certificate.raw).subject,
            notBefore,
            notAfter: before.certificate.validToDate,
            signingKey: await signingKey(before),
            publicKey: keys.publicKey,
            signingAlgorithm: algorithm,
            extensions: [...(await extensions(0)), await authorityKeyOf(before)],
          });
    return {
      key: KeyObject.from(keys.privateKey),
      certificate: new X509Certificate(Buffer.from(certificate.rawData)),
      cross: cross === null ? null : new X509Certificate(Buffer.from(cross.rawData)),
    };
  }

  async #signed(names: readonly string[], authority: Authority, above: X509Certificate): Promise<ServerIdentity> {
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const now = this.#now();
    // An address as common name would be checked against the constraints of host names.
    const common = names.find((name) => isIP(name) === 0)?.slice(0, 64) ?? 'APK Workstation';
    const certificate = await x509.X509CertificateGenerator.create({
      subject: [{ CN: [common] }, { O: ['APK Workstation'] }],
      issuer: new x509.X509Certificate(authority.certificate.raw).subject,
      notBefore: new Date(now - backdating),
      notAfter: new Date(Math.min(now + serverDays * day, endOf(authority.certificate))),
      signingKey: await signingKey(authority),
      publicKey: keys.publicKey,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
        ),
        await authorityKeyOf(authority),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }) as string;
    const text = certificate.toString('pem');
    writeDurableFile(this.#path('server.key'), Buffer.from(key));
    writeDurableFile(this.#path('server.crt'), Buffer.from(text));
    return described(new X509Certificate(text), above, key);
  }

  #storedServerCertificate(
    names: readonly string[],
    authority: Authority,
    above: X509Certificate,
  ): ServerIdentity | null {
    if (!existsSync(this.#path('server.crt')) || !existsSync(this.#path('server.key'))) return null;
    const key = readFileSync(this.#path('server.key'), 'utf8');
    const certificate = pairOf(readFileSync(this.#path('server.crt'), 'utf8'), key);
    if (certificate === null || !certificate.verify(authority.certificate.publicKey)) return null;
    const listed = (certificate.subjectAltName ?? '')
      .split(', ')
      .map((name) => name.replace(/^(?:DNS|IP Address):/, ''));
    const isSame = listed.length === names.length && names.every((name) => listed.some((one) => isSameName(one, name)));
    return isSame && this.#lasts(certificate, authority) ? described(certificate, above, key) : null;
  }

  /** While the clock is before the authority's time, the end of the server's certificate cannot be checked. */
  #lasts(certificate: X509Certificate, authority: Authority): boolean {
    const now = this.#now();
    if (now < beginOf(authority)) return true;
    return certificate.validFromDate.getTime() <= now && endOf(certificate) - now > renewalDays * day;
  }

  #path = (name: string): string => join(this.#folder, name);
}

/** Every address that the machine has now is its own, whichever of them it serves. */
const constraintsFor = (names: readonly string[]) =>
  encodeConstraints([...names, ...networkAddresses().map(({ address }) => address)]);

/** The extension's value; null in certificates of earlier versions. */
function constraintsOf({ certificate }: Authority): Uint8Array | null {
  const found = new x509.X509Certificate(certificate.raw).getExtension(nameConstraintsId);
  return found === null ? null : new Uint8Array(found.value);
}

/** Made by an earlier version: it lasts ten years and may vouch for every name there is. */
const isUnbounded = (authority: Authority): boolean => constraintsOf(authority) === null;

const isCovered = (authorities: readonly (Authority | null)[], name: string): boolean =>
  authorities.every((authority) => {
    const constraints = authority === null ? null : constraintsOf(authority);
    return constraints === null || isPermitted(constraints, name);
  });

/** Whether this authority already vouches for every one of these names that a new one would. */
const coversAll = (authority: Authority, names: readonly string[]): boolean => {
  const possible = constraintsFor(names);
  return names.every((name) => isCovered([authority], name) || !isPermitted(possible, name));
};

const signingKey = ({ key }: Authority): Promise<CryptoKey> =>
  crypto.subtle.importKey('pkcs8', key.export({ type: 'pkcs8', format: 'der' }), algorithm, false, ['sign']);

const authorityKeyOf = ({ certificate }: Authority) =>
  x509.AuthorityKeyIdentifierExtension.create(new x509.X509Certificate(certificate.raw).publicKey);

/** A truncated or edited file counts as missing, and is made again. */
function pairOf(certificate: string, key: string): X509Certificate | null {
  try {
    const read = new X509Certificate(certificate);
    return read.checkPrivateKey(createPrivateKey(key)) ? read : null;
  } catch {
    return null;
  }
}

const described = (certificate: X509Certificate, above: X509Certificate, key: string): ServerIdentity => ({
  chain: `${certificate.toString().trimEnd()}\n${above.toString().trimEnd()}\n`,
  key,
  fingerprint: certificate.fingerprint256,
  expires: endOf(certificate),
});

/** IPv6 addresses are written in several ways; Node prints them in full, in upper case. */
function isSameName(listed: string, name: string): boolean {
  if (isIP(name) !== 6) return listed.toLowerCase() === name.toLowerCase();
  return isIP(listed) === 6 && new URL(`http://[${listed}]`).hostname === new URL(`http://[${name}]`).hostname;
}
