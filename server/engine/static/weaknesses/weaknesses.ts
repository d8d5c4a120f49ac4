// Weaknesses in an app's own code: collects the calls and classes that rules judge, and reports what they find.
import type { Severity } from '../../../contract/findings/finding.ts';
import type { FindingCode } from '../../../contract/findings/finding-catalogue.ts';
import type { AppPackage } from '../../app/app-package.ts';
import { type IntentFilter, isLauncher } from '../../app/manifest/components.ts';
import type { Manifest } from '../../app/manifest/manifest.ts';
import type { AppClasses } from '../../code/app-classes.ts';
import { type AppMethod, AppMethods } from '../../code/app-methods.ts';
import { Origins } from '../../code/origins.ts';
import type { Findings } from '../../findings.ts';
import { classData } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { EncodedValueReader } from '../../formats/dex/encoded-value.ts';
import type { CallRule } from './call-rule.ts';
import { type AppFacts, CallSite, textOf } from './call-site.ts';
import { judgeClass } from './class-rules.ts';
import { isCredential, isCredentialName, isPassword } from './secrets.ts';

/** A call that rules want to judge: in which method, and where in its code units. */
export interface JudgedCall {
  readonly dex: Dex;
  readonly methodIndex: number;
  readonly at: number;
  readonly rules: readonly CallRule[];
}

/** Levels of callers through which values are followed: captures of a lambda pass three. Values from further up stay unknown. */
const callerPasses = 3;

interface Found {
  readonly code: FindingCode;
  readonly where: string;
  readonly evidence: string;
  readonly severity: Severity | undefined;
}

/** What the survey of the code leaves to be judged. */
export interface Judged {
  /** Outside known libraries. */
  readonly judgedCalls: readonly JudgedCall[];
  /** Types of each dex that name a method which class rules judge. */
  readonly judgedClasses: ReadonlyMap<Dex, ReadonlySet<number>>;
}

export function reportWeaknesses(
  classes: AppClasses,
  judged: Judged,
  { manifest, resources }: Pick<AppPackage, 'manifest' | 'resources'>,
  findings: Findings,
): void {
  const app = new AppMethods(classes, (id) => resources?.resolveString(id) ?? null);
  new Weaknesses(app, manifest, findings).report(judged);
}

class Weaknesses {
  readonly #app: AppMethods;
  readonly #facts: AppFacts;
  readonly #findings: Findings;
  /** Evidence by code and method: one method shows a weakness once. */
  readonly #found = new Map<string, Found>();

  constructor(app: AppMethods, manifest: Manifest | null, findings: Findings) {
    this.#app = app;
    this.#findings = findings;
    this.#facts = factsOf(manifest);
  }

  report({ judgedCalls, judgedClasses }: Judged): void {
    let left = judgedCalls;
    for (let pass = 0; left.length > 0; pass++) {
      const origins = new Origins(this.#app);
      left = left.filter((call) => {
        origins.isOpen = false;
        this.#judge(call, origins);
        return origins.isOpen;
      });
      if (pass === callerPasses) break;
      this.#app.findCallers(origins.wantedCallers);
    }
    const origins = new Origins(this.#app);
    this.#judgeClasses(origins, judgedClasses);
    this.#judgeAnswers(origins);
    for (const { code, where, evidence, severity } of this.#found.values()) {
      this.#findings.add(code, where, evidence, severity);
    }
  }

  #judge({ dex, methodIndex, at, rules }: JudgedCall, origins: Origins): void {
    const [owner, name] = [dex.methodClass(methodIndex), dex.methodName(methodIndex)];
    const judging = rules.filter((rule) => rule.in?.({ owner, name, facts: this.#facts }) !== false);
    if (judging.length === 0) return;
    const method = this.#app.find(owner, name, dex.methodDescriptor(methodIndex));
    const definitions = method === null ? null : this.#app.definitionsOf(method);
    const call = definitions?.calls.get(definitions.body.positions[at] ?? -1);
    if (method === null || call === undefined) return;
    const site = new CallSite(this.#app, origins, this.#facts, method, call);
    for (const rule of judging) {
      const judged = rule.judge(site);
      if (judged === null) continue;
      const { evidence, severity } = typeof judged === 'string' ? { evidence: judged } : judged;
      this.#add(rule.code, method, `${call.owner}->${call.name}: ${evidence}`, severity);
    }
  }

  #judgeClasses(origins: Origins, judged: Judged['judgedClasses']): void {
    const { classes } = this.#app;
    for (const dex of classes.dexes) {
      for (const classIndex of this.#ownClasses(dex, judged.get(dex) ?? [])) {
        for (const { code, method, evidence } of judgeClass(this.#app, origins, this.#facts, { dex, classIndex })) {
          this.#add(code, method, evidence);
        }
      }
      const text = textTypeOf(dex);
      const holding = new Set<number>();
      for (let field = 0; field < dex.fieldCount; field++) {
        if (dex.fieldTypeIndex(field) === text && this.#mayHoldCredential(dex, field))
          holding.add(dex.fieldClassIndex(field));
      }
      for (const classIndex of this.#ownClasses(dex, holding)) {
        this.#judgeConstants(dex, classIndex);
        this.#judgeConstructors(dex, classIndex);
      }
    }
  }

  #mayHoldCredential(dex: Dex, field: number): boolean {
    return this.#app.classes.isOwn(dex, dex.fieldClassIndex(field)) && isCredentialName(dex.fieldName(field));
  }

  /** Those of some types that are classes of the app's own, among the definitions. */
  #ownClasses(dex: Dex, types: Iterable<number>): number[] {
    const { classes } = this.#app;
    return [...types].flatMap((type) => {
      const place = classes.isOwn(dex, type) ? classes.placeOf(dex.type(type)) : null;
      return place?.dex === dex ? [place.classIndex] : [];
    });
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

  /** The same for fields that constructors assign, as Kotlin's properties are. */
  #judgeConstructors(dex: Dex, classIndex: number): void {
    for (const method of this.#app.methodsOf(dex.className(classIndex)).values()) {
      const definitions = method.name.endsWith('init>') ? this.#app.definitionsOf(method) : null;
      definitions?.body.instructions.forEach(({ opcode: { value }, registers, index }, position) => {
        // iput-object and sput-object
        if ((value !== 0x5b && value !== 0x69) || !isCredentialName(dex.fieldName(index))) return;
        for (const definition of definitions.reaching(position, registers[0]!)) {
          const { opcode, index: text } = definitions.body.instructions[definition] ?? {};
          // const-string
          const constant = opcode?.value === 0x1a || opcode?.value === 0x1b ? dex.stringOrNull(text!) : null;
          if (constant !== null && isCredential(dex.fieldName(index), constant))
            this.#add('weakness-secret', { key: dex.field(index) }, constant, 'medium');
        }
      });
    }
  }

  /** Passwords and keys in constants that methods with such names return: `getApiKey()`. */
  #judgeAnswers(origins: Origins): void {
    for (const dex of this.#app.classes.dexes) {
      const text = textTypeOf(dex);
      for (let index = 0; index < dex.methodCount; index++) {
        if (isGetter(dex, index, text)) this.#judgeAnswer(origins, dex, index);
      }
    }
  }

  #judgeAnswer(origins: Origins, dex: Dex, index: number): void {
    const name = dex.methodName(index);
    if (!this.#app.classes.isOwn(dex, dex.methodClassIndex(index)) || !isCredentialName(name)) return;
    const method = this.#app.methodsOf(dex.methodClass(index)).get(`${name}()Ljava/lang/String;`);
    const definitions = method === undefined ? null : this.#app.definitionsOf(method);
    if (method === undefined || definitions === null) return;
    const answers = definitions.body.instructions.flatMap(({ opcode, registers }, position) =>
      opcode.isReturn && registers.length > 0 ? origins.ofRegister(method, position, registers[0]!) : [],
    );
    const text = answers.every(({ kind }) => kind === 'constant') ? textOf(answers) : '';
    const isText = /^"[^"]*"$/.test(text);
    if (isText && isPassword(text.slice(1, -1))) this.#add('weakness-secret', method, `answers ${text}`, 'medium');
  }

  #add(code: FindingCode, { key }: Pick<AppMethod, 'key'>, evidence: string, severity?: Severity): void {
    const known = `${code} ${key}`;
    if (this.#found.has(known)) return;
    this.#found.set(known, { code, where: key, evidence, severity });
  }
}

/** Whether a method takes nothing and answers a type. */
function isGetter(dex: Dex, method: number, type: number): boolean {
  const at = dex.methodProtoIndex(method) * 3;
  return dex.protoIds[at + 1] === type && dex.protoIds[at + 2] === 0;
}

/** The index of `String` among the types, -1 where the file does not name it. */
function textTypeOf(dex: Dex): number {
  const text = 'Ljava/lang/String;';
  // Types are sorted by their names, but in files that Android refuses.
  let low = 0;
  let high = dex.typeCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (dex.type(middle) < text) low = middle + 1;
    else high = middle;
  }
  return low < dex.typeCount && dex.type(low) === text ? low : -1;
}

/** Events that other apps cannot broadcast, though they can send their receivers an intent. */
const isOfSystem = ({ actions }: IntentFilter): boolean =>
  actions.length > 0 &&
  actions.every((action) =>
    /^android\.(?:intent\.action\.(?:BOOT_COMPLETED|LOCKED_BOOT_COMPLETED|MY_PACKAGE_REPLACED|PACKAGE_(?:ADDED|REMOVED|REPLACED)|NEW_OUTGOING_CALL|PHONE_STATE|ACTION_(?:POWER_(?:DIS)?CONNECTED|SHUTDOWN))|net\.conn\.CONNECTIVITY_CHANGE|provider\.Telephony\.SMS_RECEIVED)$/.test(
      action,
    ),
  );

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
    systemReceivers: descriptors(
      components.filter((each) => each.kind === 'receiver' && isOpen(each) && each.intentFilters.some(isOfSystem)),
    ),
    packageName: manifest?.packageName ?? '',
  };
}
