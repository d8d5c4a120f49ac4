// The methods that an app's dex files define, found by name, and who calls them. Knows no values.
import { classData } from '../formats/dex/class-data.ts';
import { codeAt } from '../formats/dex/code-item.ts';
import { scanCode } from '../formats/dex/code-scan.ts';
import type { Dex } from '../formats/dex/dex.ts';
import type { ClassPlace } from './class-hierarchy.ts';
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

export interface AppMethodsOptions {
  /** The text of a string resource by its id; null where there is none. */
  resourceText?: (id: number) => string | null;
  /** Whether callers are looked for in a class. */
  isOwn?: (descriptor: string) => boolean;
}

export class AppMethods {
  readonly dexes: readonly Dex[];
  readonly resourceText: (id: number) => string | null;
  readonly #isOwn: (descriptor: string) => boolean;
  readonly #classes = new Map<string, ReadonlyMap<string, AppMethod>>();
  readonly #definitions = new Map<AppMethod, Definitions | null>();
  readonly #callers = new Map<string, Caller[]>();
  readonly #own = new Map<Dex, Uint8Array>();
  #unitsLeft = maxUnits;

  constructor(dexes: readonly Dex[], { resourceText = () => null, isOwn = () => true }: AppMethodsOptions = {}) {
    this.dexes = dexes;
    this.resourceText = resourceText;
    this.#isOwn = isOwn;
  }

  /** Where the app defines a class; null where it does not. */
  placeOf(descriptor: string): ClassPlace | null {
    for (const dex of this.dexes) {
      const classIndex = dex.classByDescriptor(descriptor);
      if (classIndex >= 0) return { dex, classIndex };
    }
    return null;
  }

  /** The methods with code that a class defines, by name and descriptor: `m(I)V`. */
  methodsOf(owner: string): ReadonlyMap<string, AppMethod> {
    let methods = this.#classes.get(owner);
    if (methods === undefined) {
      const place = this.#classes.size < maxClasses ? this.placeOf(owner) : null;
      methods = place === null ? new Map() : methodsAt(place, owner);
      this.#classes.set(owner, methods);
    }
    return methods;
  }

  find(owner: string, name: string, descriptor: string): AppMethod | null {
    return this.methodsOf(owner).get(name + descriptor) ?? null;
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

  #ownClasses(dex: Dex): Uint8Array {
    let own = this.#own.get(dex);
    if (own === undefined) {
      own = Uint8Array.from({ length: dex.classCount }, (_, at) => (this.#isOwn(dex.className(at)) ? 1 : 0));
      this.#own.set(dex, own);
    }
    return own;
  }

  /** Looks for the callers of methods, in one pass over the code of all classes that are looked at. */
  findCallers(keys: ReadonlySet<string>): void {
    for (const key of keys) this.#callers.set(key, []);
    const owners = new Set(Array.from(keys, (key) => key.slice(0, key.indexOf('->'))));
    for (const dex of this.dexes) {
      const methods = new Uint8Array(dex.methodCount);
      const names = new Map<number, string>();
      let type = -1;
      let isWanted = false;
      for (let index = 0; index < methods.length; index++) {
        // Methods are in the order of their classes.
        const owner = dex.methodClassIndex(index);
        if (owner !== type) {
          type = owner;
          isWanted = owners.has(dex.type(type));
        }
        if (!isWanted) continue;
        const key = dex.method(index);
        if (!keys.has(key)) continue;
        methods[index] = 1;
        names.set(index, key);
      }
      if (names.size === 0) continue;
      scanCode(dex, { classes: this.#ownClasses(dex), methods }, (_, methodIndex, __, at, ___, index) => {
        const callers = this.#callers.get(names.get(index)!)!;
        if (callers.length >= maxCallers) return;
        const method = this.find(
          dex.methodClass(methodIndex),
          dex.methodName(methodIndex),
          dex.methodDescriptor(methodIndex),
        );
        if (method !== null) callers.push({ method, at });
      });
    }
  }
}

function methodsAt(place: ClassPlace, owner: string): ReadonlyMap<string, AppMethod> {
  const { dex, classIndex } = place;
  const { directMethods, virtualMethods } = classData(dex, classIndex);
  const methods = new Map<string, AppMethod>();
  for (const { methodIndex, accessFlags, codeOffset } of [...directMethods, ...virtualMethods]) {
    if (codeOffset === 0) continue;
    const name = dex.methodName(methodIndex);
    const descriptor = dex.methodDescriptor(methodIndex);
    methods.set(name + descriptor, {
      key: dex.method(methodIndex),
      owner,
      name,
      descriptor,
      isStatic: (accessFlags & accStatic) !== 0,
      place,
      methodIndex,
      codeOffset,
    });
  }
  return methods;
}
