// Methods that override each other, or that one class takes for the same: all of them have one name. Knows no text.
import { type ClassData, classData, type EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { Program } from '../printing/program.ts';

const accPrivate = 0x2;
const accStatic = 0x8;
/** Methods of one family that are looked for: what more override each other no app has. */
const maxFamily = 20_000;
/** Of Java's own classes that say nothing of what is called by name. */
const silent = new Set(['Ljava/lang/Object;', 'Ljava/lang/Record;']);
/** What every class has from Object. */
const ofObject =
  /^(?:equals\(Ljava\/lang\/Object;\)Z|hashCode\(\)I|toString\(\)Ljava\/lang\/String;|clone\(\)L|finalize\(\)V)/;
/** What Java's and Android's classes and interfaces have their heirs do, by the names in use. */
const callbacks =
  /^(?:on[A-Z]\w*|doInBackground|doWork|doFilter|run|call|compare|compareTo|apply|accept|test|close|iterator|next|hasNext|invoke|handleMessage|intercept|getItem|getItemId|getCount|getView|getAcceptedIssuers|createFromParcel|newArray|describeContents|writeToParcel|uncaughtException|check(?:Client|Server)Trusted|verify|asBinder|shouldOverrideUrlLoading|surface[A-Z]\w*)$/;
const collections = /^(?:get|set|put|add|addAll|remove|size|clear|contains|isEmpty|entrySet|keySet|values)$/;

interface Method {
  readonly type: string;
  readonly method: EncodedMethod;
  /** `m(I)V` */
  readonly key: string;
}

export class MethodFamilies {
  readonly #program: Program;
  /** Methods of the app's classes by class and `m(I)V`, as far as they are asked for. */
  readonly #declared = new Map<string, Map<string, EncodedMethod>>();
  readonly #below = new Map<string, string[]>();
  /** `La/B;->m(I)V` that code names of classes that the app does not define. */
  readonly #outside = new Set<string>();
  /** Classes that were looked at, each as often as it was. */
  work = 0;

  /** @param wanted which methods are asked for, whatever they return: `m(I)` */
  constructor(program: Program, dexes: readonly Dex[], wanted: (key: string) => boolean) {
    this.#program = program;
    const { relations } = program;
    for (const type of relations.appTypes) {
      const { dex, classIndex } = relations.placeOf(type)!;
      const facts = relations.factsOf(type)!;
      for (const above of [facts.superclass, ...facts.interfaces]) {
        if (above === null || relations.placeOf(above) === null) continue;
        const list = this.#below.get(above);
        if (list === undefined) this.#below.set(above, [type]);
        else list.push(type);
      }
      this.#declare(type, dex, classData(dex, classIndex), wanted);
    }
    for (const dex of dexes) {
      for (let index = 0; index < dex.methodCount; index++) {
        if (relations.placeOf(dex.methodClass(index)) !== null) continue;
        if (wanted(withoutResult(dex.methodName(index) + dex.methodDescriptor(index))))
          this.#outside.add(dex.method(index));
      }
    }
  }

  #declare(type: string, dex: Dex, { directMethods, virtualMethods }: ClassData, wanted: (key: string) => boolean) {
    for (const method of [...directMethods, ...virtualMethods]) {
      const key = dex.methodName(method.methodIndex) + dex.methodDescriptor(method.methodIndex);
      if (!wanted(withoutResult(key))) continue;
      let known = this.#declared.get(type);
      if (known === undefined) {
        known = new Map();
        this.#declared.set(type, known);
      }
      known.set(key, method);
    }
  }

  #methodOf(type: string, key: string): Method | null {
    const method = this.#declared.get(type)?.get(key);
    return method === undefined ? null : { type, method, key };
  }

  /** Whether a class itself has a method. */
  has(type: string, key: string): boolean {
    return this.#declared.get(type)?.has(key) === true;
  }

  /**
   * The methods that have one name with a method of the app, itself first.
   * @returns `outside` a class that the app does not define and that may call it by its name; null for none
   */
  of(type: string, key: string): { members: string[]; outside: string | null } {
    const first = this.#methodOf(type, key);
    if (first === null) return { members: [], outside: null };
    const members = new Set<string>();
    const waiting = [first];
    /** Classes whose methods of a key are known, each with all below it. */
    const looked = new Set<string>();
    let outside: string | null = null;
    for (let next = waiting.pop(); next !== undefined && members.size < maxFamily; next = waiting.pop()) {
      const { type: owner, key: named } = next;
      const symbol = `${owner}->${named}`;
      if (members.has(symbol)) continue;
      members.add(symbol);
      waiting.push(...this.#bridged(next));
      if (!isInherited(next.method)) continue;
      const missing = (above: string) => this.#declared.get(above)?.has(named) !== true;
      outside ??=
        this.#program.relations.above(owner).find((each) => missing(each) && this.#isFromOutside(each, named)) ?? null;
      const heirs = [owner];
      for (let heir = heirs.pop(); heir !== undefined && looked.size < maxFamily; heir = heirs.pop()) {
        if (looked.has(`${heir} ${named}`)) continue;
        looked.add(`${heir} ${named}`);
        heirs.push(...(this.#below.get(heir) ?? []));
        for (const above of this.#program.relations.above(heir)) {
          this.work++;
          const found = this.#methodOf(above, named);
          if (found !== null && isInherited(found.method)) waiting.push(found);
        }
      }
    }
    return { members: [...members], outside };
  }

  #isFromOutside(type: string, key: string): boolean {
    if (this.#program.relations.placeOf(type) !== null) return false;
    if (ofObject.test(key)) return type === 'Ljava/lang/Object;';
    if (silent.has(type)) return false;
    const name = key.slice(0, key.indexOf('('));
    if (this.#outside.has(`${type}->${key}`) || callbacks.test(name)) return true;
    return type.startsWith('Ljava/util/') && collections.test(name);
  }

  /** A class that the app does not define, above one of its own, that may have such a method; null for none. */
  outsideOf(type: string, key: string): string | null {
    return this.#program.relations.above(type).find((above) => this.#isFromOutside(above, key)) ?? null;
  }

  /** A class with all below it. */
  heirs(type: string): Set<string> {
    const heirs = new Set([type]);
    for (const each of heirs) {
      if (heirs.size > maxFamily) break;
      for (const heir of this.#below.get(each) ?? []) heirs.add(heir);
    }
    return heirs;
  }

  /** Methods of the same class that javac makes for it, or that it is made for: they answer with another type. */
  #bridged({ type, key }: Method): Method[] {
    const parameters = withoutResult(key);
    const place = this.#program.classOf(type)!;
    const same = [...(this.#declared.get(type) ?? [])].filter(([other]) => other.startsWith(parameters));
    if (same.length < 2) return [];
    return same.flatMap(([other, method]) => {
      const meant = this.#program.leftOutFor(place, method);
      if (meant === null) return [];
      const { dex } = place;
      const meantKey = dex.methodName(meant.methodIndex) + dex.methodDescriptor(meant.methodIndex);
      const partner = other === key ? meantKey : meantKey === key ? other : null;
      return partner === null ? [] : (this.#methodOf(type, partner) ?? []);
    });
  }
}

const isInherited = ({ accessFlags }: EncodedMethod): boolean => (accessFlags & (accPrivate | accStatic)) === 0;

/** `m(I)` of `m(I)V`. */
export const withoutResult = (key: string): string => key.slice(0, key.indexOf(')') + 1);
