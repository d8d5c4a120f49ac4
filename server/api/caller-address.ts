// Who asks: the address of the person behind the proxies that the owner has named, and whether it is TLS that they
// speak. Everything that counts, limits or notes callers asks here. Knows no route.
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { addressOfHop, isLoopback, plainAddress } from '../services/sharing/network-address.ts';

interface Origin {
  address: string;
  isSecured: boolean;
}

/** The trusted proxies; `includes` takes an address in its plain form. */
export interface BelievedProxies {
  includes(address: string): boolean;
}

const nobody: BelievedProxies = { includes: () => false };
const origins = new WeakMap<IncomingMessage, Origin>();

const listOf = (header: string | string[] | undefined): string[] =>
  header === undefined ? [] : String(header).split(',');

/**
 * Each proxy appends the address that asked it (`X-Forwarded-For: client, proxy, proxy`), so the list is read from its
 * end for as long as a trusted proxy wrote the entry: anything before that may be made up.
 */
function read({ socket, headers }: IncomingMessage, proxies: BelievedProxies): Origin {
  const told = listOf(headers['x-forwarded-for']);
  const direct = plainAddress(socket.remoteAddress ?? '');
  let address = direct;
  let hops = 0;
  while (proxies.includes(address)) {
    const next = addressOfHop(told.at(-1 - hops) ?? '');
    if (next === null) break;
    address = next;
    hops += 1;
  }
  const isEncrypted = (socket as TLSSocket).encrypted === true;
  const schemes = listOf(headers['x-forwarded-proto']);
  // Either each proxy has added its scheme, or only the one next to the client.
  const scheme = (proxies.includes(direct) ? schemes.at(-Math.max(1, hops)) : undefined) ?? schemes[0];
  // For a caller on this machine it only decides how the links in its own answer begin.
  const isHeeded = scheme !== undefined && (proxies.includes(direct) || (isLoopback(direct) && !isEncrypted));
  return { address, isSecured: isHeeded ? scheme.trim().toLowerCase() === 'https' : isEncrypted };
}

/** Finds out who asks, once for each request; before anything else looks at it. */
export function noteOrigin(request: IncomingMessage, proxies: BelievedProxies): void {
  if (!origins.has(request)) origins.set(request, read(request, proxies));
}

/** Of the person who asks, in its plain form. Where nothing was noted, that of the other end of the connection. */
export const callerAddress = (request: IncomingMessage): string =>
  (origins.get(request) ?? read(request, nobody)).address;

/** Whether the client speaks TLS, with the server or with a proxy that ends it and says so. */
export const isSecured = (request: IncomingMessage): boolean =>
  (origins.get(request) ?? read(request, nobody)).isSecured;
