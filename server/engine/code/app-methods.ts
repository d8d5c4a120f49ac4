// The methods that an app's dex files define, found by name, and who calls them. Knows no values.
import { classData } from '../formats/dex/class-data.ts';
import { codeAt } from '../formats/dex/code-item.ts';
import { scanCode } from '../formats/dex/code-scan.ts';
import type { Dex } from '../formats/dex/dex.ts';
import type { AppClasses } from './app-classes.ts';
import { type ClassPlace, superclassChain } from './class-hierarchy.ts';
import { Definitions } from './definitions.ts';
import { BadCode, methodBody } from './method-body.ts';

/** A method with code. */
export interface AppMethod {
  /** `Lcom/a/B;->m(I)V` */
  readonly key: string;
  readonly owner: string;
  readonly name: string;
  readonly descriptor: string;
  readonly isStatic: boolean;
  /** Neither private, static nor a constructor: what calls of a superclass or an interface reach. */
  readonly isVirtual: boolean;
  readonly place: ClassPlace;
  readonly methodIndex: number;
  readonly codeOffset: number;
}

/** A call of a method: by whom, and where, in code units. */
export interface Caller {
  readonly method: AppMethod;
  readonly at: number;
}

const accStatic = 0x8;
/** Callers of one method; of more the first ones stand for all. */
const maxCallers = 12;
/** Code units of the methods whose values are looked at: some seconds' work. */
const maxUnits = 1_000_000;
const maxMethodUnits = 65_536;
const maxClasses = 20_000;

/** Where the app's own code calls the methods of a dex file's list: by the callee the index of each caller and where in it. */
type DexCalls = ReadonlyMap<number, readonly number[]>;

export class AppMethods {
  readonly classes: AppClasses;
  /** The text of a string resource by its id; null where there is none. */
  readonly resourceText: (id: number) => string | null;
  readonly #classes = new Map<string, ReadonlyMap<string, AppMethod>>();
  readonly #definitions = new Map<AppMethod, Definitions | null>();
  readonly #callers = new Map<string, Caller[]>();
  #calls: ReadonlyMap<Dex, DexCalls> | null = null;
  #unitsLeft = maxUnits;

  constructor(classes: AppClasses, resourceText: (id: number) => string | null) {
    this.classes = classes;
    this.resourceText = resourceText;
  }

  /** The methods with code that a class defines, by name and descriptor: `m(I)V`. */
  methodsOf(owner: string): ReadonlyMap<string, AppMethod> {
    let methods = this.#classes.get(owner);
    if (methods === undefined) {
      const place = this.#classes.size < maxClasses ? this.classes.placeOf(owner) : null;
      methods = place === null ? new Map() : methodsAt(place, owner);
      this.#classes.set(owner, methods);
    }
    return methods;
  }

  /** The method that a call ends at, which a superclass of the app's may define. */
  find(owner: string, name: string, descriptor: string): AppMethod | null {
    const key = name + descriptor;
    const own = this.methodsOf(owner).get(key);
    if (own !== undefined || this.classes.placeOf(owner) === null) return own ?? null;
    for (const { name: above, place } of superclassChain(owner, (type) => this.classes.placeOf(type))) {
      const method = place === null ? undefined : this.methodsOf(above).get(key);
      if (method !== undefined) return method;
    }
    return null;
  }

  /** What its registers may hold; null where the code is not what Android would run, or too much of it was looked at. */
  definitionsOf(method: AppMethod): Definitions | null {
    let definitions = this.#definitions.get(method);
    if (definitions === undefined) {
      definitions = this.#define(method);
      this.#definitions.set(method, definitions);
    }
    return definitions;
  }

  #define({ place: { dex }, owner, isStatic, methodIndex, codeOffset }: AppMethod): Definitions | null {
    const code = codeAt(dex, codeOffset);
    if (code === null || code.units.length > Math.min(maxMethodUnits, this.#unitsLeft)) return null;
    this.#unitsLeft -= code.units.length;
    const parameters = dex.protoParameters(dex.methodProtoIndex(methodIndex));
    try {
      const body = methodBody(dex, code);
      return body.instructions.length === 0
        ? null
        : new Definitions(dex, body, isStatic ? parameters : [owner, ...parameters]);
    } catch (error) {
      if (error instanceof BadCode) return null;
      throw error;
    }
  }

  /** The calls of a method that `findCallers` found; null where nobody has looked for them. */
  callersOf(key: string): readonly Caller[] | null {
    return this.#callers.get(key) ?? null;
  }

  /** Looks for the callers of methods among the app's own code. */
  findCallers(keys: ReadonlySet<string>): void {
    if (keys.size === 0) return;
    for (const key of keys) this.#callers.set(key, []);
    const owners = new Set(Array.from(keys, (key) => key.slice(0, key.indexOf('->'))));
    this.#calls ??= new Map(this.classes.dexes.map((dex) => [dex, callsAmongOwn(this.classes, dex)]));
    for (const [dex, calls] of this.#calls) {
      for (const [callee, places] of calls) {
        const key = owners.has(dex.methodClass(callee)) ? dex.method(callee) : null;
        if (key === null || !keys.has(key)) continue;
        for (let at = 0; at < places.length; at += 2) this.#addCaller(key, dex, places[at]!, places[at + 1]!);
      }
    }
  }

  #addCaller(key: string, dex: Dex, methodIndex: number, at: number): void {
    const callers = this.#callers.get(key)!;
    if (callers.length >= maxCallers) return;
    const method = this.find(
      dex.methodClass(methodIndex),
      dex.methodName(methodIndex),
      dex.methodDescriptor(methodIndex),
    );
    if (method !== null) callers.push({ method, at });
  }
}

/** The calls in an app's own classes of methods of all classes that it defines; of one method's the first. */
function callsAmongOwn(classes: AppClasses, dex: Dex): DexCalls {
  const isOwn = (classIndex: number) => classes.isOwn(dex, dex.classDefs[classIndex * 8]!);
  const methods = new Uint8Array(dex.methodCount).fill(1);
  /** By method: 0 where no call of it was seen yet, 1 where its class is none of the app's, 2 where it is. */
  const defined = new Uint8Array(dex.methodCount);
  const calls = new Map<number, number[]>();
  scanCode(dex, { classes: isOwn, methods }, (_, methodIndex, __, at, ___, callee) => {
    if (defined[callee] === 0) defined[callee] = classes.placeOf(dex.methodClass(callee)) === null ? 1 : 2;
    if (defined[callee] === 1) return;
    const places = calls.get(callee);
    if (places === undefined) calls.set(callee, [methodIndex, at]);
    else if (places.length < 2 * maxCallers) places.push(methodIndex, at);
  });
  return calls;
}

function methodsAt(place: ClassPlace, owner: string): ReadonlyMap<string, AppMethod> {
  const { dex, classIndex } = place;
  const { directMethods, virtualMethods } = classData(dex, classIndex);
  const methods = new Map<string, AppMethod>();
  for (const [position, { methodIndex, accessFlags, codeOffset }] of [...directMethods, ...virtualMethods].entries()) {
    if (codeOffset === 0) continue;
    const name = dex.methodName(methodIndex);
    const descriptor = dex.methodDescriptor(methodIndex);
    methods.set(name + descriptor, {
      key: dex.method(methodIndex),
      owner,
      name,
      descriptor,
      isStatic: (accessFlags & accStatic) !== 0,
      isVirtual: position >= directMethods.length,
      place,
      methodIndex,
      codeOffset,
    });
  }
  return methods;
}
