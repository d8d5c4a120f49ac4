// APKs and their indicators as a STIX 2.1 bundle: what was seen as observed data, what people judged as malware, what to look
// for as indicators, with how all of it belongs together. https://docs.oasis-open.org/cti/stix/v2.1/os/stix-v2.1-os.html
import type { Verdict } from '../../contract/catalogue/verdict.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { Indicator, IndicatorsOfApk, Technique } from './indicators.ts';
import { domainObject, observable, type Provenance, patternText, type StixObject, uuidOf } from './stix-objects.ts';

/** `indicator-type-ov` */
const indicatorTypes: Readonly<Record<Verdict, string>> = {
  malicious: 'malicious-activity',
  suspicious: 'anomalous-activity',
  clean: 'benign',
  unknown: 'unknown',
};
const isHarmful = (verdict: Verdict): boolean => verdict === 'malicious' || verdict === 'suspicious';

/** Milliseconds of UTC, as section 3.2 wants them. @param time microseconds since 1970 */
const stixTime = (time: number): string => new Date(time / 1000).toISOString();

function observableOf({ kind, value }: Indicator): StixObject | null {
  switch (kind) {
    case 'domain':
      return observable('domain-name', { value });
    case 'ip':
      return observable(value.includes(':') ? 'ipv6-addr' : 'ipv4-addr', { value });
    case 'url':
      return observable('url', { value });
    case 'certificate':
      return observable('x509-certificate', { hashes: { 'SHA-256': value.toLowerCase() } });
    default:
      return null;
  }
}

/** Its id is made of the first hash in the specification's order alone (section 2.9). */
const fileOf = ({ md5, sha1, sha256, size }: ApkRecord): StixObject => ({
  ...observable('file', { hashes: { MD5: md5 } }),
  hashes: { MD5: md5, 'SHA-1': sha1, 'SHA-256': sha256 },
  size,
  mime_type: 'application/vnd.android.package-archive',
});

class Bundle {
  readonly #objects = new Map<string, StixObject>();
  readonly #identity: StixObject;
  readonly #modified: string;

  constructor(made: Date) {
    this.#modified = made.toISOString();
    const always = '2026-01-01T00:00:00.000Z';
    const id = `identity--${uuidOf('identity APK Workstation')}`;
    this.#identity = {
      ...{ type: 'identity', spec_version: '2.1', id, created: always, modified: always },
      ...{ name: 'APK Workstation', identity_class: 'system' },
    };
    this.add(this.#identity);
  }

  add(object: StixObject): StixObject {
    const known = this.#objects.get(object.id);
    if (known !== undefined) return known;
    this.#objects.set(object.id, object);
    return object;
  }

  addApk({ apk, family, indicators, techniques }: IndicatorsOfApk): void {
    const created = stixTime(apk.createdAt);
    const source: Provenance = {
      ...{ createdBy: this.#identity.id, created },
      modified: this.#modified < created ? created : this.#modified,
    };
    const file = this.add(fileOf(apk));
    const seen = indicators.flatMap((indicator) => {
      const object = observableOf(indicator);
      return object === null ? [] : [{ indicator, object: this.add(object) }];
    });
    this.add(
      domainObject('observed-data', apk.sha256, source, {
        ...{ first_observed: created, last_observed: created, number_observed: 1 },
        object_refs: [file.id, ...new Set(seen.map(({ object }) => object.id))],
      }),
    );
    const pattern = `[file:hashes.'SHA-256' = ${patternText(apk.sha256)}]`;
    const byHash = this.#indicator(apk, source, `${apk.sha256} file`, apk.packageName || apk.sha256, pattern);
    const malware = isHarmful(apk.verdict) ? this.#malware(apk, family, source, file) : null;
    const subject = malware ?? byHash;
    if (malware !== null) this.#relate(source, byHash, 'indicates', malware);
    for (const technique of techniques) {
      this.#relate(source, subject, malware === null ? 'indicates' : 'uses', this.#technique(technique, source));
    }
    if (malware === null) return;
    for (const { indicator, object } of seen.filter(({ indicator }) => indicator.isContacted)) {
      this.#relate(source, malware, 'communicates-with', object);
      const pattern = `[${object.type}:value = ${patternText(indicator.value)}]`;
      const key = `${apk.sha256} ${object.id}`;
      this.#relate(source, this.#indicator(apk, source, key, indicator.value, pattern), 'indicates', malware);
    }
  }

  end(): string {
    const objects = [...this.#objects.values()];
    const id = `bundle--${uuidOf(`bundle ${objects.map((object) => object.id).join()}`)}`;
    return `${JSON.stringify({ type: 'bundle', id, objects })}\n`;
  }

  #indicator(apk: ApkRecord, source: Provenance, key: string, name: string, pattern: string): StixObject {
    const properties = { name, indicator_types: [indicatorTypes[apk.verdict]], pattern };
    const kind = { pattern_type: 'stix', valid_from: source.created };
    return this.add(domainObject('indicator', key, source, { ...properties, ...kind }));
  }

  #malware(apk: ApkRecord, family: string, source: Provenance, file: StixObject): StixObject {
    const malware = this.add(
      domainObject('malware', apk.sha256, source, {
        ...{ name: apk.app || apk.packageName || apk.sha256, is_family: false },
        ...{ malware_types: ['unknown'], sample_refs: [file.id] },
        ...(apk.note === '' ? {} : { description: apk.note }),
      }),
    );
    if (family !== '') {
      const whole = domainObject('malware', `family ${family.toLowerCase()}`, source, {
        ...{ name: family, is_family: true, malware_types: ['unknown'] },
      });
      this.#relate(source, malware, 'variant-of', this.add(whole));
    }
    return malware;
  }

  #technique({ id, name, tactics }: Technique, source: Provenance): StixObject {
    const url = `https://attack.mitre.org/techniques/${id.replace('.', '/')}/`;
    return this.add(
      domainObject('attack-pattern', id, source, {
        name,
        external_references: [{ source_name: 'mitre-attack', external_id: id, url }],
        kill_chain_phases: tactics.map((tactic) => ({
          kill_chain_name: 'mitre-mobile-attack',
          phase_name: tactic.toLowerCase().replaceAll(' ', '-'),
        })),
      }),
    );
  }

  #relate(source: Provenance, from: StixObject, kind: string, to: StixObject): void {
    const ends = { relationship_type: kind, source_ref: from.id, target_ref: to.id };
    this.add(domainObject('relationship', `${from.id} ${kind} ${to.id}`, source, ends));
  }
}

/** @param made when; objects that are exported again say by it that they are newer */
export function stixBundle(apks: readonly IndicatorsOfApk[], made: Date): string {
  const bundle = new Bundle(made);
  for (const apk of apks) bundle.addApk(apk);
  return bundle.end();
}
