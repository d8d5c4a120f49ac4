// Weaknesses in an app's own code: collects the calls and classes that rules judge, and reports what they find.
import type { Severity } from '../../../contract/findings/finding.ts';
import type { FindingCode } from '../../../contract/findings/finding-catalogue.ts';
import type { AppPackage } from '../../app/app-package.ts';
import { isLauncher } from '../../app/manifest/components.ts';
import type { Manifest } from '../../app/manifest/manifest.ts';
import { type AppMethod, AppMethods } from '../../code/app-methods.ts';
import { Origins } from '../../code/origins.ts';
import type { Findings } from '../../findings.ts';
import { classData } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { EncodedValueReader } from '../../formats/dex/encoded-value.ts';
import { isKnownLibrary } from '../code-origins.ts';
import type { CallRule } from './call-rule.ts';
import { type AppFacts, CallSite } from './call-site.ts';
import { judgeClass } from './class-rules.ts';
import { isCredential } from './secrets.ts';

/** A call that rules want to judge: in which method, and where in its code units. */
export interface JudgedCall {
  readonly dex: Dex;
  readonly methodIndex: number;
  readonly at: number;
  readonly rules: readonly CallRule[];
}

/** Callers are looked for in one pass over all code each time: values that came further stay unknown. */
const callerPasses = 1;
/** Places of one weakness. */
const maxPlaces = 20;

interface Found {
  readonly code: FindingCode;
  readonly where: string;
  readonly evidence: string;
  readonly severity: Severity | undefined;
}

/** @param calls outside known libraries */
export function reportWeaknesses(
  dexes: readonly Dex[],
  calls: readonly JudgedCall[],
  { manifest, resources }: Pick<AppPackage, 'manifest' | 'resources'>,
  findings: Findings,
): void {
  const app = new AppMethods(dexes, (id) => resources?.resolveString(id) ?? null);
  new Weaknesses(app, manifest, findings).report(calls);
}

class Weaknesses {
  readonly #app: AppMethods;
  readonly #facts: AppFacts;
  readonly #packageName: string;
  readonly #findings: Findings;
  /** Evidence by code and method: one method shows a weakness once. */
  readonly #found = new Map<string, Found>();
  readonly #counts = new Map<FindingCode, number>();

  constructor(app: AppMethods, manifest: Manifest | null, findings: Findings) {
    this.#app = app;
    this.#findings = findings;
    this.#packageName = manifest?.packageName ?? '';
    this.#facts = factsOf(manifest);
  }

  report(calls: readonly JudgedCall[]): void {
    let left = calls.map((call) => ({ call, wanted: [] as string[] }));
    for (let pass = 0; left.length > 0; pass++) {
      const origins = new Origins(this.#app);
      for (const each of left) {
        origins.wantedCallers.clear();
        this.#judge(each.call, origins);
        each.wanted = [...origins.wantedCallers];
      }
      if (pass === callerPasses) break;
      left = left.filter(({ wanted }) => wanted.length > 0);
      this.#app.findCallers(new Set(left.flatMap(({ wanted }) => wanted)));
    }
    this.#judgeClasses(new Origins(this.#app));
    for (const { code, where, evidence, severity } of this.#found.values()) {
      this.#findings.add(code, where, evidence, severity);
    }
  }

  #judge({ dex, methodIndex, at, rules }: JudgedCall, origins: Origins): void {
    const method = this.#app.find(
      dex.methodClass(methodIndex),
      dex.methodName(methodIndex),
      dex.methodDescriptor(methodIndex),
    );
    const definitions = method === null ? null : this.#app.definitionsOf(method);
    const call = definitions?.calls.get(definitions.body.positions[at] ?? -1);
    if (method === null || call === undefined) return;
    const site = new CallSite(this.#app, origins, this.#facts, method, call);
    for (const rule of rules) {
      const judged = rule.judge(site);
      if (judged === null) continue;
      const { evidence, severity } = typeof judged === 'string' ? { evidence: judged } : judged;
      this.#add(rule.code, method, `${call.owner}->${call.name}: ${evidence}`, severity);
    }
  }

  #judgeClasses(origins: Origins): void {
    for (const dex of this.#app.dexes) {
      for (let classIndex = 0; classIndex < dex.classCount; classIndex++) {
        if (isKnownLibrary(dex.className(classIndex), this.#packageName)) continue;
        for (const { code, method, evidence } of judgeClass(this.#app, origins, this.#facts, { dex, classIndex })) {
          this.#add(code, method, evidence);
        }
        this.#judgeConstants(dex, classIndex);
      }
    }
  }

  /** Passwords and keys that a class holds in constants whose names say so. */
  #judgeConstants(dex: Dex, classIndex: number): void {
    const { staticValuesOffset } = dex.classDef(classIndex);
    if (staticValuesOffset === 0) return;
    const fields = classData(dex, classIndex).staticFields;
    new EncodedValueReader(dex).arrayAt(staticValuesOffset).forEach((value, at) => {
      const field = fields[at]?.fieldIndex;
      if (field === undefined || value.kind !== 'string') return;
      const text = dex.stringOrNull(value.index);
      if (text === null || !isCredential(dex.fieldName(field), text)) return;
      this.#add('weakness-secret', { key: dex.field(field) }, text, 'medium');
    });
  }

  #add(code: FindingCode, { key }: Pick<AppMethod, 'key'>, evidence: string, severity?: Severity): void {
    const known = `${code} ${key}`;
    if (this.#found.has(known)) return;
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= maxPlaces) this.#found.set(known, { code, where: key, evidence, severity });
  }
}

function factsOf(manifest: Manifest | null): AppFacts {
  const components = manifest?.components ?? [];
  const descriptors = (list: typeof components) => new Set(list.map(({ name }) => `L${name.replaceAll('.', '/')};`));
  const isOpen = ({ exported, enabled, permission, readPermission }: (typeof components)[number]) =>
    exported && enabled && permission === null && readPermission === null;
  return {
    minSdkVersion: manifest?.minSdkVersion ?? 1,
    targetSdkVersion: manifest?.effectiveTargetSdkVersion ?? 1,
    components: descriptors(components),
    exported: descriptors(components.filter(isOpen)),
    providers: descriptors(components.filter((each) => each.kind === 'provider' && isOpen(each))),
    launchers: descriptors(components.filter(isLauncher)),
    packageName: manifest?.packageName ?? '',
  };
}
