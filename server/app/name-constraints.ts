// Name constraints of an authority's certificate: which names it can vouch for at all. Knows no key and no file.
import { BlockList, isIP } from 'node:net';
import { isTopLevelDomain } from '../engine/static/indicators.ts';

/** RFC 5280 section 4.2.1.10. */
export const nameConstraintsId = '2.5.29.30';

/** Networks that nobody owns on the internet: RFC 1918, 6598, 1122, 3927; RFC 4193, 4291. */
const privateNetworks = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

function networksOf(list: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const network of list) {
    const [address = '', prefix] = network.split('/');
    networks.addSubnet(address, Number(prefix), familyOf(address));
  }
  return networks;
}

const privateOnes = networksOf(privateNetworks);

/**
 * An address that the internet knows is permitted by itself; of IPv6 its network, within which a machine changes its
 * address every day (RFC 8981).
 */
const networkOf = (address: string) => (isIP(address) === 6 ? `${address}/64` : `${address}/32`);

/**
 * What an authority may vouch for that is made for these names: they themselves and what ends with them, private
 * networks, and the addresses among them. A name without a dot that is a top-level domain is left out: its owner would
 * be the internet's.
 */
function permittedFor(names: readonly string[]): { domains: string[]; networks: string[] } {
  const all = names.map((name) => name.toLowerCase());
  const domains = all.filter((name) => isIP(name) === 0 && !isTopLevelDomain(name));
  const networks = all.filter((name) => isIP(name) !== 0 && !privateOnes.check(name, familyOf(name))).map(networkOf);
  return { domains: [...new Set(['localhost', ...domains])], networks: [...privateNetworks, ...new Set(networks)] };
}

const sequence = 0x30;
/** Context-specific tags: `permittedSubtrees`, and among general names `dNSName` and `iPAddress`. */
const permittedTag = 0xa0;
const domainTag = 0x82;
const networkTag = 0x87;

function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined) => (text ? text.split(':') : []);
  const [first, last] = [groups(head), groups(tail)];
  const all = [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
  return Buffer.concat(all.map((group) => Buffer.from(group.padStart(4, '0'), 'hex')));
}

/** Address and mask, each bit after the prefix zero in both. */
function networkBytes(network: string): Buffer {
  const [name = '', prefix] = network.split('/');
  const address = bytesOf(name);
  const mask = Buffer.from(
    address.map((_, index) => 0xff & ~(0xff >> Math.min(8, Math.max(0, Number(prefix) - 8 * index)))),
  );
  return Buffer.concat([address.map((byte, index) => byte & mask[index]!), mask]);
}

/** The extension's value. */
export function encodeConstraints(names: readonly string[]): Uint8Array<ArrayBuffer> {
  const { domains, networks } = permittedFor(names);
  const subtrees = [
    ...domains.map((domain) => der(domainTag, Buffer.from(domain))),
    ...networks.map((network) => der(networkTag, networkBytes(network))),
  ];
  const encoded = der(sequence, der(permittedTag, ...subtrees.map((name) => der(sequence, name))));
  return new Uint8Array(encoded);
}

function elements(bytes: Buffer): { tag: number; content: Buffer }[] {
  const found: { tag: number; content: Buffer }[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const first = bytes[at + 1]!;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const start = at + 2 + lengthBytes;
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
    found.push({ tag: bytes[at]!, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return found;
}

/** Whether a certificate below one with these constraints may say a name, as `encodeConstraints` wrote them. */
export function isPermitted(constraints: Uint8Array, name: string): boolean {
  const [whole] = elements(Buffer.from(constraints));
  const [permitted] = elements(whole!.content);
  const names = elements(permitted!.content).map(({ content }) => elements(content)[0]!);
  if (isIP(name) !== 0) {
    const address = bytesOf(name);
    return names.some(
      ({ tag, content }) =>
        tag === networkTag &&
        content.length === 2 * address.length &&
        address.every((byte, index) => (byte & content[address.length + index]!) === content[index]),
    );
  }
  const wanted = `.${name.toLowerCase()}`;
  return names.some(({ tag, content }) => tag === domainTag && wanted.endsWith(`.${content.toString()}`));
}
