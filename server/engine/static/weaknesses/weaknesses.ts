// Weaknesses in an app's own code: collects the calls and classes that rules judge, and reports what they find.
import type { FindingCode } from '../../../contract/findings/finding-catalogue.ts';
import { isLauncher } from '../../app/manifest/components.ts';
import type { Manifest } from '../../app/manifest/manifest.ts';
import { type AppMethod, AppMethods } from '../../code/app-methods.ts';
import { Origins } from '../../code/origins.ts';
import type { Findings } from '../../findings.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { isKnownLibrary } from '../code-origins.ts';
import type { CallRule } from './call-rule.ts';
import { type AppFacts, CallSite } from './call-site.ts';
import { judgeClass } from './class-rules.ts';

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

/** @param calls outside known libraries */
export function reportWeaknesses(
  dexes: readonly Dex[],
  calls: readonly JudgedCall[],
  manifest: Manifest | null,
  findings: Findings,
): void {
  new Weaknesses(dexes, manifest, findings).report(calls);
}

class Weaknesses {
  readonly #app: AppMethods;
  readonly #facts: AppFacts;
  readonly #packageName: string;
  readonly #findings: Findings;
  /** Evidence by code and method: one method shows a weakness once. */
  readonly #found = new Map<string, { code: FindingCode; where: string; evidence: string }>();
  readonly #counts = new Map<FindingCode, number>();

  constructor(dexes: readonly Dex[], manifest: Manifest | null, findings: Findings) {
    this.#app = new AppMethods(dexes);
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
    for (const { code, where, evidence } of this.#found.values()) this.#findings.add(code, where, evidence);
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
      const evidence = rule.judge(site);
      if (evidence !== null) this.#add(rule.code, method, `${call.owner}->${call.name}: ${evidence}`);
    }
  }

  #judgeClasses(origins: Origins): void {
    for (const dex of this.#app.dexes) {
      for (let classIndex = 0; classIndex < dex.classCount; classIndex++) {
        if (isKnownLibrary(dex.className(classIndex), this.#packageName)) continue;
        for (const { code, method, evidence } of judgeClass(this.#app, origins, this.#facts, { dex, classIndex })) {
          this.#add(code, method, evidence);
        }
      }
    }
  }

  #add(code: FindingCode, { key }: AppMethod, evidence: string): void {
    const known = `${code} ${key}`;
    if (this.#found.has(known)) return;
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= maxPlaces) this.#found.set(known, { code, where: key, evidence });
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
    launchers: descriptors(components.filter(isLauncher)),
    packageName: manifest?.packageName ?? '',
  };
}
