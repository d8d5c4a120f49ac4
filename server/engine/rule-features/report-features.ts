// What of an app's reports a rule can ask by the modules, leaving out what many apps have. Knows no code.
import { androguardTermFields } from '../../contract/engine/report-terms.ts';
import type { AndroguardReport, CuckooReport } from '../../contract/engine/reports.ts';
import {
  maxFeatures,
  maxReportValue,
  type ReportMember,
  type RuleFeatures,
} from '../../contract/engine/rule-features.ts';
import { isKnownLibrary } from '../app/known-libraries.ts';

type Feature = RuleFeatures['report'][number];

/** What the platform, its shops and its services declare. */
const ofPlatform = /^(?:android|androidx|com\.android|com\.google|com\.sec|com\.samsung|com\.huawei|com\.htc)\./;
const hostName = /^(?=.{4,200}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
/** Hosts that tell of no author: of the platform, of standards, of examples. */
const anybodysHost =
  /(?:^|\.)(?:android\.com|google\.com|googleapis\.com|gstatic\.com|w3\.org|apache\.org|jetbrains\.com|github\.com|example\.(?:com|org|net))$/;
/** Keys that everybody has. */
const sharedSigner = /CN=Android(?: Debug)?(?:,|\/|$)/i;

const isTellingHost = (host: string): boolean => hostName.test(host) && !anybodysHost.test(host);

/** Names of hosts in URLs. */
function hostsOf(urls: readonly string[]): string[] {
  const hosts = urls.map((url) => /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@\s]*@)?([^/:?#\s]+)/i.exec(url)?.[1]?.toLowerCase());
  return hosts.filter((host) => host !== undefined && isTellingHost(host)) as string[];
}

/** @param cuckoo null where no run was reported */
export function reportFeatures(androguard: AndroguardReport | null, cuckoo: CuckooReport | null): Feature[] {
  const features = new Map<string, Feature>();
  const add = (member: ReportMember, values: readonly unknown[]) => {
    for (const value of values) {
      if (typeof value !== 'string' || value === '' || value.length > maxReportValue) continue;
      if (features.size < maxFeatures.report) features.set(`${member} ${value}`, { member, value });
    }
  };
  if (androguard !== null) {
    const { certificate, package_name: packageName } = androguard;
    if (certificate !== null && !sharedSigner.test(certificate.subjectDN)) add('certificate.sha1', [certificate.sha1]);
    add('package_name', [packageName]);
    add('domain', hostsOf(androguard.urls ?? []));
    for (const [member, lists] of Object.entries(androguardTermFields)) {
      if (member === 'url') continue;
      // A report of before may lack a list.
      const values = lists.flatMap((list) => androguard[list] ?? []);
      const isOwn = (name: string) =>
        !ofPlatform.test(name) && !isKnownLibrary(`L${name.replaceAll('.', '/')};`, packageName);
      add(member as ReportMember, values.filter(isOwn));
    }
    add('app_name', [androguard.app_name]);
  }
  const lookups = cuckoo?.network?.domains?.map(({ domain }) => domain) ?? [];
  add(
    'dns_lookup',
    lookups.filter((domain) => typeof domain === 'string' && isTellingHost(domain)),
  );
  return [...features.values()];
}
