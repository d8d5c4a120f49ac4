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
import { judgeClass, judgedMethods } from './class-rules.ts';
import { isCredential, isCredentialName } from './secrets.ts';

/** A call that rules want to judge: in which method, and where in its code units. */
export interface JudgedCall {
  readonly dex: Dex;
  readonly methodIndex: number;
  readonly at: number;
  readonly rules: readonly CallRule[];
}

/** Callers are looked for in one pass over all code each time: values that came further stay unknown. */
const callerPasses = 1;

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
      const isJudged = isOneOf(dex, judgedMethods);
      for (const classIndex of this.#ownClasses(dex, dex.methodCount, (method) =>
        isJudged(dex.methodNameIndex(method)) ? dex.methodClass(method) : null,
      )) {
        for (const { code, method, evidence } of judgeClass(this.#app, origins, this.#facts, { dex, classIndex })) {
          this.#add(code, method, evidence);
        }
      }
      for (const classIndex of this.#ownClasses(dex, dex.fieldCount, (field) =>
        dex.fieldType(field) === 'Ljava/lang/String;' && isCredentialName(dex.fieldName(field))
          ? dex.fieldClass(field)
          : null,
      )) {
        this.#judgeConstants(dex, classIndex);
      }
    }
  }

  /** The app's own classes among those of some members. @param ownerOf the class of a member that is of interest */
  #ownClasses(dex: Dex, members: number, ownerOf: (member: number) => string | null): Set<number> {
    const found = new Set<number>();
    for (let member = 0; member < members; member++) {
      const owner = ownerOf(member);
      if (owner === null || isKnownLibrary(owner, this.#packageName)) continue;
      const classIndex = dex.classByDescriptor(owner);
      if (classIndex >= 0) found.add(classIndex);
    }
    return found;
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
    this.#found.set(known, { code, where: key, evidence, severity });
  }
}

/** Whether the name with an index is one of these; each is read once, and only where its length is that of one of them. */
function isOneOf(dex: Dex, names: ReadonlySet<string>): (nameIndex: number) => boolean {
  const lengths = new Set(Array.from(names, ({ length }) => length));
  const known = new Int8Array(dex.stringCount);
  return (nameIndex) => {
    if (known[nameIndex] === 0) {
      const range = dex.stringRange(nameIndex);
      const isRead = range !== null && lengths.has(range.end - range.start);
      known[nameIndex] = isRead && names.has(dex.bytes.toString('latin1', range.start, range.end)) ? 1 : -1;
    }
    return known[nameIndex] === 1;
  };
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
