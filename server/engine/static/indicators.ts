// Finds URLs, hosts, IP addresses and e-mail addresses in text, and keeps where each stands. Knows no file format.
import type { AndroguardReport } from '../../contract/engine/reports.ts';
import { resourceFile } from '../app/resource-file.ts';
import type { Findings } from '../findings.ts';

type Indicators = AndroguardReport['indicators'];
export type IndicatorKind = keyof Indicators;

/** Values of each kind that are listed; an app with more holds a list of hosts, which its strings show. */
const maxPerKind = 3000;
const maxPlaces = 10;
/** Names of files and methods are shorter; an archive may call its files by 64 kB each. */
const maxPlaceLength = 400;
/** Letters of all places together; past this each value keeps only its first place. */
const maxPlaceText = 8 * 1024 * 1024;
const maxUrlLength = 2048;
const maxSchemeLength = 16;
/** RFC 1035 and RFC 5321. */
const maxHostLength = 253;
const maxLabelLength = 63;
const maxLocalPartLength = 64;

/** Schemes that name a peer on a network. */
const schemes: ReadonlySet<string> = new Set(
  'http https ftp ftps sftp ws wss rtsp rtsps rtmp rtmps tcp udp ssl tls mqtt mqtts ssh telnet smb ldap ldaps socks socks4 socks5 irc ircs xmpp stun turn magnet hxxp hxxps'.split(
    ' ',
  ),
);

let topLevelDomains: ReadonlySet<string> | null = null;

export const isTopLevelDomain = (label: string): boolean => {
  topLevelDomains ??= new Set(resourceFile<{ domains: string }>('top-level-domains.json').domains.split(' '));
  return topLevelDomains.has(label.toLowerCase());
};

/** First labels of package and property names; a host may begin with one of the second group where it ends in a common domain. */
const packageRoots: ReadonlySet<string> = new Set(
  'com org net edu gov android androidx java javax jdk sun dalvik libcore kotlin kotlinx junit scala groovy dagger google res layout drawable this self window document persist ro debug sys os user line file path http https'.split(
    ' ',
  ),
);
const countryRoots: ReadonlySet<string> = new Set(
  'io app dev cn de fr uk ru jp kr eu us me tv co in it nl pl br biz info mobi at be ch se ca'.split(' '),
);
/** Top-level domains accepted in a name of two labels; with many others it is a file or a member in code. */
const commonDomains: ReadonlySet<string> = new Set(
  'com net org edu gov mil int info biz ru su cn de uk fr nl eu br jp kr tw hk vn ua kz ir tr cz hu ro se fi dk ca au nz za mx ar cl io co xyz onion pw tk ga cf gq'.split(
    ' ',
  ),
);
/** Endings of files and members that are also top-level domains; not accepted even in longer names. */
const codeEndings: ReadonlySet<string> = new Set(
  'so md sh pl py rs ps id name zip mov java js ts jar map data date day get ec country android app dev host link call media video audio photo photos camera phone email mail bar box channel click computer direct download events fail fit foo game games group help how info ing int lat life limited lock loop management menu mobile movie music network new news next now off on one open page parts party play plus post press print pro properties property read red report reviews room run safe save science search security select services show sky social stream style support systems tab talk target team tech theater tips tool tools total town training tube vet view viewer vision vote watch web win work works world yes zero zone con drive exposed express fire fly global guide hot ink like domains cat codes frames cards color loader'.split(
    ' ',
  ),
);
const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

/** Whether a name has the form of a host under a real top-level domain. */
function isHostName(name: string): boolean {
  if (name.length > maxHostLength) return false;
  const labels = name.split('.');
  const last = labels.at(-1)!;
  return (
    labels.length >= 2 &&
    isTopLevelDomain(last) &&
    labels.every((part) => part.length <= maxLabelLength && (label.test(part) || /^[a-z0-9_-]+$/i.test(part)))
  );
}

/** Whether a name that stands alone in code is a host, rather than a package, a property, or a file. */
function isBareHost(name: string): boolean {
  if (name !== name.toLowerCase() || !isHostName(name)) return false;
  const labels = name.split('.');
  const first = labels[0]!;
  const last = labels.at(-1)!;
  if (packageRoots.has(first) || labels.some((part) => !label.test(part))) return false;
  if (countryRoots.has(first) && last !== 'com' && last !== 'net' && last !== 'org') return false;
  if (labels.length === 2) return first.length > 1 && commonDomains.has(last);
  if (first === 'www') return true;
  return !codeEndings.has(last);
}

/** The four numbers of a dotted address, null where it is none. */
function addressOf(text: string): number[] | null {
  if (text.length < 7 || text.length > 15) return null;
  const parts = text.split('.');
  if (parts.length !== 4) return null;
  const numbers: number[] = [];
  for (const part of parts) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return null;
    numbers.push(Number(part));
  }
  return numbers;
}

/** Whether four numbers that stand alone are rather a version, an object identifier or a mask than an address. */
function isUnlikelyAddress([first, second, third, fourth]: number[]): boolean {
  if (first === 0 || first! >= 224) return true;
  const isRepeated = first === second && second === third && third === fourth;
  const isKnownResolver = (first === 8 && second === 8) || (first === 1 && second === 0 && third === 0) || isRepeated;
  return !isKnownResolver && first! < 20 && first !== 10 && second! < 32 && third! < 64 && fourth! < 64;
}

export class IndicatorCollector {
  readonly #values: Record<IndicatorKind, Map<string, Set<string>>> = {
    urls: new Map(),
    domains: new Map(),
    ips: new Map(),
    emails: new Map(),
  };
  readonly #findings: Findings;
  readonly #cut = new Set<IndicatorKind>();
  #placeText = 0;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  #add(kind: IndicatorKind, value: string, where: readonly string[]): void {
    const values = this.#values[kind];
    let places = values.get(value);
    if (places === undefined) {
      if (values.size >= maxPerKind) {
        if (!this.#cut.has(kind)) {
          this.#findings.add('report-cut', `indicators ${kind}`, `more than ${maxPerKind} values`);
        }
        this.#cut.add(kind);
        return;
      }
      places = new Set();
      values.set(value, places);
    }
    for (const place of where) {
      if (places.size >= maxPlaces || (places.size > 0 && this.#placeText > maxPlaceText)) return;
      const shown = place.length > maxPlaceLength ? `${place.slice(0, maxPlaceLength)}…` : place;
      if (!places.has(shown)) this.#placeText += shown.length;
      places.add(shown);
    }
  }

  #addHost(host: string, where: readonly string[]): void {
    const name = host.endsWith('.') ? host.slice(0, -1) : host;
    if (addressOf(name) !== null) this.#add('ips', name, where);
    else if (name.startsWith('[') && /^\[[0-9a-f:.]{2,45}\]$/i.test(name)) this.#add('ips', name.slice(1, -1), where);
    else if (isHostName(name)) this.#add('domains', name.toLowerCase(), where);
  }

  /** Everything that a string constant holds: URLs anywhere in it, and the string itself where it is a host or address. */
  addConstant(text: string, where: readonly string[]): void {
    if (text.includes('://')) this.#addUrls(text, where);
    else if (text.includes('@')) this.#addEmails(text, where);
    else this.#addBare(text, where);
    if (text.includes('://') && text.includes('@')) this.#addEmails(text, where);
  }

  /** URLs and e-mail addresses of a document, in which names alone mean nothing. */
  addDocument(text: string, where: readonly string[]): void {
    if (text.includes('://')) this.#addUrls(text, where);
    if (text.includes('@')) this.#addEmails(text, where);
  }

  /** URLs in bytes of any kind, which must be ASCII themselves. */
  addBytes(bytes: Buffer, where: readonly string[]): void {
    let from = 0;
    for (let at = bytes.indexOf('://'); at >= 0; at = bytes.indexOf('://', from)) {
      let end = at + 3;
      const limit = Math.min(bytes.length, at + maxUrlLength);
      while (end < limit && bytes[end]! > 0x20 && bytes[end]! < 0x7f) end++;
      const start = Math.max(from, at - maxSchemeLength);
      this.#addUrls(bytes.toString('latin1', start, end), where);
      // Every URL of this run of text was found in it: reading on behind it keeps the time linear.
      from = end;
    }
  }

  #addUrls(text: string, where: readonly string[]): void {
    let from = 0;
    for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', Math.max(from, at + 3))) {
      let start = at;
      while (start > from && at - start < maxSchemeLength && /[a-z0-9+.-]/i.test(text[start - 1]!)) start--;
      const scheme = schemeOf(text.slice(start, at));
      if (scheme === null) continue;
      let end = at + 3;
      const limit = Math.min(text.length, at + maxUrlLength);
      while (end < limit && !isUrlEnd(text.charCodeAt(end))) end++;
      const rest = trimUrl(text.slice(at + 3, end));
      from = at + 3 + rest.length;
      if (rest === '') continue;
      const url = `${text.slice(at - scheme.length, at)}://${rest}`;
      this.#add('urls', url, where);
      if (isNamespace(url)) continue;
      const authority = /^[^/?#\\]*/.exec(rest)![0];
      const host = authority.slice(authority.lastIndexOf('@') + 1);
      this.#addHost(host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.split(':', 1)[0]!, where);
    }
  }

  #addEmails(text: string, where: readonly string[]): void {
    for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
      let start = at;
      while (start > 0 && at - start < maxLocalPartLength && /[a-z0-9._%+-]/i.test(text[start - 1]!)) start--;
      let end = at + 1;
      while (end < text.length && end - at <= maxHostLength && /[a-z0-9.-]/i.test(text[end]!)) end++;
      const local = text.slice(start, at).replace(/^[.-]+/, '');
      const host = text.slice(at + 1, end).replace(/[.-]+$/, '');
      if (local === '' || !/[a-z0-9]/i.test(local) || !isHostName(host) || host.includes('_')) continue;
      // A user in a URL is no mailbox.
      if (/:\/\/[^/?#\s]*$/.test(text.slice(Math.max(0, start - maxLocalPartLength), at))) continue;
      this.#add('emails', `${local}@${host}`, where);
    }
  }

  /** `host`, `host:port`, `host/path` and the same with an address. */
  #addBare(text: string, where: readonly string[]): void {
    const match = /^([a-z0-9.-]+)(:\d{1,5})?(\/[^\s]*)?$/i.exec(text.slice(0, maxUrlLength));
    if (match === null) return;
    const [, host, port, path] = match;
    const address = addressOf(host!);
    if (address !== null) {
      if (port !== undefined || (path !== undefined && !/^\/\d{1,2}$/.test(path)) || !isUnlikelyAddress(address)) {
        this.#add('ips', host!, where);
      }
    } else if (isBareHost(host!)) {
      this.#add('domains', host!, where);
    }
  }

  /** Every URL in the order of discovery, names of XML namespaces among them. */
  urls(): string[] {
    return [...this.#values.urls.keys()];
  }

  /** In the order of discovery; without names of XML namespaces, which lead nowhere. */
  list(): Indicators {
    const listOf = (kind: IndicatorKind) =>
      [...this.#values[kind]].map(([value, where]) => ({ value, where: [...where] }));
    return {
      urls: listOf('urls').filter(({ value }) => !isNamespace(value)),
      domains: listOf('domains'),
      ips: listOf('ips'),
      emails: listOf('emails'),
    };
  }
}

/** Names of XML namespaces, vocabularies and parser features: written as URLs, never opened. */
const namespaces =
  /^https?:\/\/(?:schemas\.(?:android\.com|microsoft\.com|xmlsoap\.org|openxmlformats\.org)\/|www\.w3\.org\/(?:\d{4}\/|XML\/|ns\/|TR\/)|ns\.adobe\.com\/|xmlpull\.org\/v1\/|xml\.org\/sax\/|(?:java|javax)\.xml|xml\.apache\.org\/|apache\.org\/xml\/|purl\.org\/)/i;

const isNamespace = (url: string): boolean => namespaces.test(url);

/** The scheme at the end of a run of letters: `xhttp` and `jdbc.http` still end in one. */
function schemeOf(run: string): string | null {
  const lower = run.toLowerCase();
  if (schemes.has(lower)) return lower;
  const tail = /[a-z0-9]+$/.exec(lower)?.[0] ?? '';
  if (schemes.has(tail)) return tail;
  if (tail.endsWith('https')) return 'https';
  return tail.endsWith('http') ? 'http' : null;
}

/** Blanks, control characters, quotes, angle brackets, and what else no URL has unescaped. */
function isUrlEnd(code: number): boolean {
  return (
    code <= 0x20 ||
    code === 0x22 ||
    code === 0x27 ||
    code === 0x3c ||
    code === 0x3e ||
    code === 0x5c ||
    code === 0x5e ||
    code === 0x60 ||
    (code >= 0x7f && code <= 0xa0) ||
    code === 0xfffd ||
    code === 0x201d ||
    code === 0x3000
  );
}

/** Without the punctuation of the sentence around it. */
function trimUrl(url: string): string {
  let end = url.length;
  while (end > 0) {
    const last = url[end - 1]!;
    const opening = { ')': '(', ']': '[', '}': '{' }[last];
    if (opening !== undefined ? url.slice(0, end).includes(opening) : !'.,;:!*|'.includes(last)) break;
    end--;
  }
  return url.slice(0, end);
}
