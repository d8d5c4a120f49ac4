// The terms by which searches find the reports of an APK. Knows no syntax of searches.
import {
  androguardTermFields,
  maxTermLength,
  maxTermsOfApk,
  type ReportTerms,
} from '../contract/engine/report-terms.ts';
import type { AndroguardReport, CuckooReport } from '../contract/engine/reports.ts';

/** Reports of older engines lack what came since. */
interface Reports {
  androguard: Partial<AndroguardReport> | null;
  cuckoo: Partial<CuckooReport> | null;
}

/** Packages whose methods are of the platform, or of a service of it, in the notation of references to code. */
const platformCall =
  /^invoke\S* (?:.*, )?L((?:android|com\/google\/android\/gms|dalvik|java|javax|org\/apache\/http)\/[\w/$]+);->([\w$<>]+)\(/;
const isIpv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** Two colons at least: one stands before a port. */
const isIpv6 = /^[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*$/;

class Terms {
  readonly #known = new Set<string>();
  readonly list: ReportTerms['terms'] = [];

  add(field: string, text: unknown): void {
    if (typeof text !== 'string' || text === '' || this.list.length >= maxTermsOfApk) return;
    const term = { field, text: text.slice(0, maxTermLength) };
    const key = `${field} ${term.text}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.list.push(term);
  }

  /** A host as a domain or an address, whichever it is; without port, in lower case. */
  addHost(text: unknown): void {
    if (typeof text !== 'string') return;
    const host = text.toLowerCase().replace(/^\[(.*)\](?::\d+)?$/, '$1');
    const name = isIpv6.test(host) ? host : host.replace(/:\d+$/, '').replace(/\.$/, '');
    this.add(isIpv6.test(name) || isIpv4.test(name) ? 'ip' : 'domain', name);
  }
}

function addNetwork(terms: Terms, network: Partial<CuckooReport['network']>): void {
  const records = (list: unknown) => (Array.isArray(list) ? (list as Record<string, unknown>[]) : []);
  // Addresses that a look-up was answered with stand for their domains: the simulated phone invents them.
  const answers = new Set(records(network.domains).map(({ ip }) => ip));
  const addPeer = (host: unknown) => {
    if (!answers.has(host)) terms.addHost(host);
  };
  for (const host of network.hosts ?? []) {
    terms.add('network.hosts', host);
    addPeer(host);
  }
  for (const { uri, host } of records(network.http)) {
    terms.add('network.http', uri ?? host);
    terms.addHost(host);
  }
  for (const { request } of records(network.dns)) {
    terms.add('network.dns', request);
    terms.addHost(request);
  }
  for (const { domain, ip } of records(network.domains)) {
    terms.add('network.domains', domain);
    terms.add('network.domains', ip);
    terms.addHost(domain);
  }
  for (const { dst } of [...records(network.tcp), ...records(network.udp)]) addPeer(dst);
}

/** Methods of the platform that the functionalities are known by, as `api:` names them. */
function notableCalls({ functionalities }: Partial<AndroguardReport>): Set<string> {
  const names = new Set<string>();
  for (const uses of Object.values(functionalities ?? {}))
    for (const { code } of uses) {
      const [, owner, method] = platformCall.exec(code) ?? [];
      if (owner !== undefined) names.add(`${owner.replaceAll('/', '.')}.${method}`);
    }
  return names;
}

/** @param names of the app's code; null where they are not read */
export function reportTerms({ androguard, cuckoo }: Reports, names: string | null): ReportTerms {
  const terms = new Terms();
  if (androguard !== null) {
    // What many APKs have in common, before what an app can make thousands of.
    for (const { name } of androguard.trackers ?? []) terms.add('tracker', name);
    for (const { name } of androguard.known_libraries ?? []) terms.add('library', name);
    for (const name of notableCalls(androguard)) terms.add('api', name);
    terms.add('signer', androguard.certificate?.subjectDN);
    for (const [field, keys] of Object.entries(androguardTermFields))
      for (const key of keys) for (const text of androguard[key] ?? []) terms.add(field, text);
    for (const { value } of androguard.indicators?.domains ?? []) terms.addHost(value);
    for (const { value } of androguard.indicators?.ips ?? []) terms.addHost(value);
  }
  if (cuckoo?.network !== undefined) addNetwork(terms, cuckoo.network);
  return {
    terms: terms.list,
    names,
    minSdk: androguard?.min_sdk_version ?? null,
    targetSdk: androguard?.target_sdk_version ?? null,
  };
}
