// APKs and their indicators as one MISP event. Knows no store.
// https://datatracker.ietf.org/doc/draft-dulaunoy-misp-core-format/
import type { IndicatorKind } from '../../contract/catalogue/indicator-export.ts';
import type { Verdict } from '../../contract/catalogue/verdict.ts';
import type { IndicatorsOfApk } from './indicators.ts';
import { uuidOf } from './stix-objects.ts';

/** Type and category of an attribute (sections 2.4.2.3 and 2.4.2.4). */
const attributeKinds: Readonly<Record<IndicatorKind, { type: string; category: string }>> = {
  sha256: { type: 'sha256', category: 'Payload delivery' },
  sha1: { type: 'sha1', category: 'Payload delivery' },
  md5: { type: 'md5', category: 'Payload delivery' },
  package: { type: 'mobile-application-id', category: 'Payload delivery' },
  certificate: { type: 'x509-fingerprint-sha256', category: 'Payload delivery' },
  url: { type: 'url', category: 'Network activity' },
  domain: { type: 'domain', category: 'Network activity' },
  ip: { type: 'ip-dst', category: 'Network activity' },
};
/** What tells one app from all others. */
const isOfFile = (kind: IndicatorKind): boolean => kind === 'sha256' || kind === 'sha1' || kind === 'md5';
const isHarmful = (verdict: Verdict): boolean => verdict === 'malicious' || verdict === 'suspicious';
/** `threat_level_id`: high, medium, low, undefined. */
const threatLevel = (verdicts: ReadonlySet<Verdict>): string =>
  verdicts.has('malicious') ? '1' : verdicts.has('suspicious') ? '2' : '4';

const seconds = (made: Date): string => String(Math.floor(made.getTime() / 1000));

/** Nobody detects by it: it stands in many apps, or the app was not judged harmful. */
function attributesOf({ apk, family, indicators }: IndicatorsOfApk, made: Date) {
  const comment = [apk.app, apk.packageName, family].filter((text) => text !== '').join(', ');
  return indicators.map(({ kind, value, isContacted }) => ({
    uuid: uuidOf(`misp ${apk.sha256} ${kind} ${value}`),
    ...attributeKinds[kind],
    value: kind === 'certificate' ? value.toLowerCase() : value,
    to_ids: isHarmful(apk.verdict) && (isOfFile(kind) || isContacted),
    comment: isOfFile(kind) ? comment : `${isContacted ? 'spoken to by' : 'in'} ${comment || apk.sha256}`,
    ...{ disable_correlation: false, distribution: '5', timestamp: seconds(made) },
  }));
}

/** @param title what the event is of */
export function mispEvent(apks: readonly IndicatorsOfApk[], title: string, made: Date): string {
  const techniques = new Map(apks.flatMap((each) => each.techniques.map(({ id, name }) => [id, name] as const)));
  const families = new Set(apks.flatMap(({ family }) => (family === '' ? [] : [family])));
  const tags = [
    ...[...families].map((name) => `apk-workstation:family="${name.replaceAll('"', "'")}"`),
    ...[...techniques].map(([id, name]) => `misp-galaxy:mitre-attack-pattern="${name} - ${id}"`),
  ];
  const event = {
    uuid: uuidOf(`misp event ${apks.map(({ apk }) => apk.sha256).join()}`),
    info: title,
    date: made.toISOString().slice(0, 10),
    timestamp: seconds(made),
    /** The organisation alone that takes it in. */
    distribution: '0',
    threat_level_id: threatLevel(new Set(apks.map(({ apk }) => apk.verdict))),
    /** Complete. */
    analysis: '2',
    published: false,
    Orgc: { name: 'APK Workstation', uuid: uuidOf('misp organisation') },
    Tag: tags.map((name) => ({ name })),
    Attribute: apks.flatMap((each) => attributesOf(each, made)),
  };
  return `${JSON.stringify({ Event: event })}\n`;
}
