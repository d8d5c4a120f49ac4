// What a session is listed as, so that its owner knows it again. Knows no session.
import { plainAddress } from '../sharing/network-address.ts';

const systems: readonly [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];
const programs: readonly [RegExp, string][] = [
  [/Electron\//, 'Desktop app'],
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

/** What a session is listed as: `Firefox on Linux, 192.168.1.7`. @param client the User-Agent header */
export function describeClient(client: string, address: string): string {
  const known = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(client))?.[1];
  const program =
    known(programs) ??
    (client
      .split('/')[0]!
      .replace(/[^\w .-]/g, '')
      .slice(0, 40) ||
      'Unknown client');
  const system = known(systems);
  return `${program}${system === undefined ? '' : ` on ${system}`}, ${plainAddress(address)}`;
}
