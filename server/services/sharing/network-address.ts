// Addresses of the other ends of connections, in one form each. Knows nothing of requests.
import { isIP, isIPv6, SocketAddress } from 'node:net';

/** One form of each address: IPv4 as such where it is mapped into IPv6 (RFC 4291 section 2.5.5.2), no zone, no long zeros. */
export function plainAddress(address: string): string {
  const unzoned = address.replace(/%.*$/, '');
  const short = isIPv6(unzoned) ? new SocketAddress({ address: unzoned, family: 'ipv6' }).address : unzoned;
  return short.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Whether it is this machine's own loopback. */
export const isLoopback = (address: string): boolean => /^127\.|^::1$/.test(plainAddress(address));

/** What callers are counted by: whoever has one IPv6 address has 2^64 of them (RFC 4291 section 2.5.1). */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = (text: string | undefined) => (text === undefined || text === '' ? [] : text.split(':'));
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups(head).length - groups(tail).length);
  const whole = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)];
  return `${whole.slice(0, 4).join(':')}::/64`;
}

/** The address of a hop as proxies write it, with or without a port; null where it is none. */
export function addressOfHop(text: string): string | null {
  const [, bracketed, plain] = /^(?:\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?|([0-9A-Fa-f:.]+))$/.exec(text.trim()) ?? [];
  const named = bracketed ?? (plain?.includes('.') ? plain.replace(/(?<=^[^:]+):\d{1,5}$/, '') : plain) ?? '';
  return isIP(named) === 0 ? null : plainAddress(named);
}
