// Indicators of APKs: what of each others can look for. Knows no format in which they are written.
import type { IndicatorKind } from '../../contract/catalogue/indicator-export.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { NamedTerm } from '../../store/repositories/indicator-repository.ts';
import type { Store } from '../../store/store.ts';
import { techniqueTable } from '../techniques.ts';

export interface Indicator {
  kind: IndicatorKind;
  value: string;
  /** A run spoke to it; else it only stands in the app. */
  isContacted: boolean;
}

export interface Technique {
  /** `T1417.001` */
  id: string;
  name: string;
  tactics: readonly string[];
}

export interface IndicatorsOfApk {
  apk: ApkRecord;
  /** As people call it, else as the family by its code is called; empty where neither is. */
  family: string;
  indicators: Indicator[];
  techniques: Technique[];
}

const isIpv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}$/;
const isIpv6 = /^[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*$/;
/** Names that the internet resolves: at least two labels. */
const isDomain = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const scheme = /^(?:https?|wss?|ftps?):\/\/\S+$/i;

function hostIndicator(text: string, isContacted: boolean): Indicator | null {
  const host = text.toLowerCase();
  if (isIpv4.test(host) || isIpv6.test(host)) return { kind: 'ip', value: host, isContacted };
  return isDomain.test(host) ? { kind: 'domain', value: host, isContacted } : null;
}

function indicatorOf({ field, text }: NamedTerm): Indicator | null {
  switch (field) {
    case 'domain':
    case 'ip':
      return hostIndicator(text, false);
    case 'network.hosts':
    case 'network.dns':
    case 'network.domains':
      return hostIndicator(text, true);
    case 'url':
    case 'network.http':
      return scheme.test(text) && URL.canParse(text)
        ? { kind: 'url', value: text, isContacted: field === 'network.http' }
        : null;
    case 'technique':
      return null;
  }
}

/** Each once: what a run spoke to usually stands in the app as well. */
function distinct(indicators: readonly Indicator[]): Indicator[] {
  const all = new Map<string, Indicator>();
  for (const indicator of indicators) {
    const key = `${indicator.kind} ${indicator.value}`;
    const known = all.get(key);
    if (known === undefined || indicator.isContacted) all.set(key, indicator);
  }
  return [...all.values()];
}

function techniqueOf({ field, text }: NamedTerm): Technique[] {
  const known = field === 'technique' ? techniqueTable().techniques[text] : undefined;
  return known === undefined ? [] : [{ id: text, ...known }];
}

/** Reads what is known of APKs, in the order given. */
export async function indicatorsOf(store: Store, apks: readonly ApkRecord[]): Promise<IndicatorsOfApk[]> {
  const named = Map.groupBy(await store.indicators.named(apks.map(({ id }) => id)), ({ apkId }) => apkId);
  const signers = await store.signers.findByIds(apks.flatMap(({ signerId }) => signerId ?? []));
  return apks.map((apk) => {
    const terms = named.get(apk.id) ?? [];
    const signer = apk.signerId === null ? undefined : signers.get(apk.signerId);
    const still = (kind: IndicatorKind, value: string): Indicator[] =>
      value === '' ? [] : [{ kind, value, isContacted: false }];
    return {
      apk,
      family: apk.family || (apk.codeFamilyName ?? ''),
      indicators: [
        ...still('sha256', apk.sha256),
        ...still('sha1', apk.sha1),
        ...still('md5', apk.md5),
        ...still('package', apk.packageName),
        ...still('certificate', signer?.sha256 ?? ''),
        ...distinct(terms.map(indicatorOf).filter((indicator) => indicator !== null)),
      ],
      techniques: terms.flatMap(techniqueOf),
    };
  });
}

/** A host or an address as people write it so that no program opens it: `hxxps://a[.]b/c`, `1[.]2[.]3[.]4`. */
export function defanged({ kind, value }: Indicator): string {
  switch (kind) {
    case 'url': {
      const [head = '', rest = ''] = value.split(/(?<=:\/\/)/, 2);
      const [host = ''] = rest.split(/[/?#]/, 1);
      const path = value.slice(head.length + host.length);
      return `${head.replace(/^http/i, 'hxxp').replace(/^ftp/i, 'fxp').replace('://', '[://]')}${brackets(host)}${path}`;
    }
    case 'domain':
    case 'ip':
      return brackets(value);
    default:
      return value;
  }
}

const brackets = (host: string): string => host.replace(/[.:]/g, '[$&]');
