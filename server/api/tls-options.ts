// What the shared server speaks to clients with TLS. Knows no socket and no route.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { SecureContextOptions, TLSSocket } from 'node:tls';

/** Certificate chain and private key, PEM. */
export interface TlsIdentity {
  chain: string;
  key: string;
}

/**
 * Ciphers with forward secrecy that authenticate what they encrypt (RFC 9325 section 4.2), nothing with CBC: those of
 * TLS 1.3, then those of TLS 1.2 for an ECDSA key, which is what the workstation's certificates have. Every system that
 * has had updates in the last ten years knows one of them.
 */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
].join(':');

export const tlsOptions = ({ chain, key }: TlsIdentity): SecureContextOptions => ({
  cert: chain,
  key,
  minVersion: 'TLSv1.2',
  ciphers,
  honorCipherOrder: true,
});

/**
 * Thirty days: whoever goes back to plain HTTP or makes a new authority waits no longer for browsers that remember. A
 * host's ports all count for browsers, its subdomains not.
 */
const strictTransport = 'max-age=2592000';

/**
 * The header by which a browser asks for this host with TLS alone from now on (RFC 6797), undefined where it would be
 * overlooked or do harm: without TLS, for addresses, which are no hosts to it, and for `localhost`, where other servers
 * speak plain HTTP, this workstation's own port among them.
 */
export function strictTransportOf(request: IncomingMessage): string | undefined {
  if ((request.socket as Partial<TLSSocket>).encrypted !== true) return undefined;
  const name = (request.headers.host ?? '').replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
  const isOwnLoop = name === 'localhost' || name.endsWith('.localhost');
  return name === '' || name.startsWith('[') || isIP(name) !== 0 || isOwnLoop ? undefined : strictTransport;
}
