// A class as the machine runs it: members by slot and by signature, what it is an instance of, its state of initialisation.
// Knows no dex file's tables and no instructions.
import type { Dex } from '../../formats/dex/dex.ts';
import type { ClassInfo, FieldInfo, MethodInfo } from './class-info.ts';
import type { HeapObject, Taint, Value } from './heap.ts';
import type { ModelClass, StaticMethod } from './model.ts';

/** https://source.android.com/docs/core/runtime/dex-format#access-flags */
export const flags = {
  public: 0x1,
  private: 0x2,
  protected: 0x4,
  static: 0x8,
  final: 0x10,
  synchronized: 0x20,
  bridge: 0x40,
  varargs: 0x80,
  native: 0x100,
  interface: 0x200,
  abstract: 0x400,
  synthetic: 0x1000,
  annotation: 0x2000,
  enum: 0x4000,
  constructor: 0x10000,
  declaredSynchronized: 0x20000,
} as const;

export class Field implements FieldInfo {
  readonly owner: LinkedClass;
  readonly name: string;
  readonly descriptor: string;
  readonly accessFlags: number;
  readonly slot: number;
  /** Index into the dex file's field table, -1 for fields of models. */
  readonly dexIndex: number;

  constructor(from: Omit<Field, 'isStatic'>) {
    this.owner = from.owner;
    this.name = from.name;
    this.descriptor = from.descriptor;
    this.accessFlags = from.accessFlags;
    this.slot = from.slot;
    this.dexIndex = from.dexIndex;
  }

  get isStatic(): boolean {
    return (this.accessFlags & flags.static) !== 0;
  }
}

const noArguments: readonly number[] = [];

export class Method implements MethodInfo {
  readonly owner: LinkedClass;
  readonly name: string;
  readonly parameters: readonly string[];
  readonly returns: string;
  readonly signature: string;
  readonly accessFlags: number;
  readonly native: StaticMethod | null;
  readonly isPure: boolean;
  /** Indexes of the model's arguments that may not be null, the receiver being 0 of an instance method; see `StaticMethods`. */
  readonly required: readonly number[];
  /** No model knows it: a typed default answers. */
  readonly isMadeUp: boolean;
  readonly isStatic: boolean;
  /** Where its code item stands, 0 where there is none. */
  readonly codeOffset: number;
  /** Index into the dex file's method table, -1 for methods of models. */
  readonly dexIndex: number;
  /** What `preparation.ts` made of it. */
  code: unknown = null;
  /** Whether somebody wants to know of calls of it; null until it is called. */
  isWatched: boolean | null = null;

  constructor(
    owner: LinkedClass,
    name: string,
    signature: string,
    accessFlags: number,
    from: {
      native?: StaticMethod;
      isPure?: boolean;
      required?: readonly number[];
      isMadeUp?: boolean;
      codeOffset?: number;
      dexIndex?: number;
    },
  ) {
    const { parameters, returns } = signatureTypes(signature);
    this.owner = owner;
    this.name = name;
    this.parameters = parameters;
    this.returns = returns;
    this.signature = signature;
    this.accessFlags = accessFlags;
    this.native = from.native ?? null;
    this.isPure = from.isPure ?? false;
    this.required = from.required ?? noArguments;
    this.isMadeUp = from.isMadeUp ?? false;
    this.codeOffset = from.codeOffset ?? 0;
    this.dexIndex = from.dexIndex ?? -1;
    this.isStatic = (accessFlags & flags.static) !== 0;
  }

  get isAbstract(): boolean {
    return (this.accessFlags & flags.abstract) !== 0;
  }

  get isConstructor(): boolean {
    return this.name === '<init>';
  }

  /** `com.example.A.name`, as stack traces and paths say it. */
  get label(): string {
    return `${this.owner.name}.${this.name}`;
  }
}

const signatureCache = new Map<string, { parameters: readonly string[]; returns: string }>();
/** Signatures repeat; a hostile file can hold very many that do not. */
const maxSignatures = 20_000;

/** The parts of `name(parameters)return`; what cannot be read has no parameters and returns nothing. */
export function signatureTypes(signature: string): { parameters: readonly string[]; returns: string } {
  const open = signature.indexOf('(');
  const prototype = open < 0 ? '()V' : signature.slice(open);
  const known = signatureCache.get(prototype);
  if (known !== undefined) return known;
  const close = prototype.indexOf(')');
  const parameters = close < 0 ? [] : (prototype.slice(1, close).match(/\[*(?:[ZBSCIJFD]|L[^;]*;)/g) ?? []);
  const types = { parameters, returns: close < 0 ? 'V' : prototype.slice(close + 1) || 'V' };
  if (signatureCache.size < maxSignatures) signatureCache.set(prototype, types);
  return types;
}

/** The value a variable of this type starts with. */
export function defaultValue(descriptor: string): Value {
  switch (descriptor.charCodeAt(0)) {
    case 0x4a: // J
      return 0n;
    case 0x4c: // L
    case 0x5b: // [
      return null;
    default:
      return 0;
  }
}

export const primitiveNames: Readonly<Record<string, string>> = {
  Z: 'boolean',
  B: 'byte',
  S: 'short',
  C: 'char',
  I: 'int',
  J: 'long',
  F: 'float',
  D: 'double',
  V: 'void',
};

/** `Ljava/lang/Object;` to `java.lang.Object`; arrays as `[Ljava.lang.Object;`, primitives by their word. */
export function javaName(descriptor: string): string {
  if (descriptor.startsWith('[')) return descriptor.replaceAll('/', '.');
  if (descriptor.startsWith('L')) return descriptor.slice(1, -1).replaceAll('/', '.');
  return primitiveNames[descriptor] ?? descriptor;
}

/** The way back: `java.lang.Object`, `[I`, `[Ljava.lang.Object;` to a descriptor. */
export function descriptorOf(name: string): string {
  const path = name.replaceAll('.', '/');
  return path.startsWith('[') ? path : `L${path};`;
}

export type ClassStatus = 'linked' | 'initialising' | 'initialised' | 'failed';

export class LinkedClass implements ClassInfo {
  readonly descriptor: string;
  readonly name: string;
  readonly superclass: LinkedClass | null;
  readonly interfaces: readonly LinkedClass[];
  readonly accessFlags: number;
  readonly isApp: boolean;
  readonly isUnmodelled: boolean;
  readonly component: LinkedClass | null;
  readonly methods = new Map<string, Method>();
  readonly instanceFields: Field[] = [];
  readonly staticFields: Field[] = [];
  readonly statics: Value[] = [];
  /** By slot; null while no static field has any. */
  staticTaints: Taint[] | null = null;
  classObject: HeapObject | null = null;
  status: ClassStatus = 'linked';
  /** The thread that runs the initialiser. */
  initialiser: object | null = null;
  /** What the initialiser threw. */
  failure: HeapObject | null = null;
  /** Where the class came from. */
  readonly dex: Dex | null;
  readonly classDefIndex: number;
  readonly model: ModelClass | null;
  /** The class loader's object, null for the platform's. */
  loader: HeapObject | null = null;
  /** First values of the instance fields, by slot. */
  readonly template: Value[] = [];
  /** Virtual methods that calls have asked for. */
  readonly dispatch = new Map<string, Method | null>();
  #supertypes: Set<LinkedClass> | null = null;
  readonly #ownInstanceFields: number;

  constructor(from: {
    descriptor: string;
    superclass: LinkedClass | null;
    interfaces: readonly LinkedClass[];
    accessFlags: number;
    isApp?: boolean;
    isUnmodelled?: boolean;
    component?: LinkedClass | null;
    dex?: Dex | null;
    classDefIndex?: number;
    model?: ModelClass | null;
  }) {
    this.descriptor = from.descriptor;
    this.name = javaName(from.descriptor);
    this.superclass = from.superclass;
    this.interfaces = from.interfaces;
    this.accessFlags = from.accessFlags;
    this.isApp = from.isApp ?? false;
    this.isUnmodelled = from.isUnmodelled ?? false;
    this.component = from.component ?? null;
    this.dex = from.dex ?? null;
    this.classDefIndex = from.classDefIndex ?? -1;
    this.model = from.model ?? null;
    if (from.superclass !== null) {
      this.instanceFields.push(...from.superclass.instanceFields);
      this.template.push(...from.superclass.template);
    }
    this.#ownInstanceFields = this.instanceFields.length;
  }

  get isInterface(): boolean {
    return (this.accessFlags & flags.interface) !== 0;
  }

  get isArray(): boolean {
    return this.component !== null;
  }

  get isPrimitive(): boolean {
    return this.descriptor.length === 1;
  }

  get isReady(): boolean {
    return this.status === 'initialised';
  }

  /** Instance fields that this class itself declares. */
  get declaredInstanceFields(): readonly Field[] {
    return this.instanceFields.slice(this.#ownInstanceFields);
  }

  addField(name: string, descriptor: string, accessFlags: number, dexIndex = -1): Field {
    const isStatic = (accessFlags & flags.static) !== 0;
    const into = isStatic ? this.staticFields : this.instanceFields;
    const field = new Field({ owner: this, name, descriptor, accessFlags, slot: into.length, dexIndex });
    into.push(field);
    (isStatic ? this.statics : this.template).push(defaultValue(descriptor));
    return field;
  }

  /** This class and everything it extends or implements. */
  get supertypes(): ReadonlySet<LinkedClass> {
    if (this.#supertypes === null) {
      const all = new Set<LinkedClass>([this]);
      const add = (cls: LinkedClass) => {
        for (const type of cls.supertypes) all.add(type);
      };
      if (this.superclass !== null) add(this.superclass);
      for (const type of this.interfaces) add(type);
      this.#supertypes = all;
    }
    return this.#supertypes;
  }

  isSubclassOf(of: LinkedClass): boolean {
    if (this === of || this.supertypes.has(of)) return true;
    if (this.component !== null && of.component !== null) {
      return this.component.isPrimitive || of.component.isPrimitive
        ? this.component === of.component
        : this.component.isSubclassOf(of.component);
    }
    // Everything but a primitive is an object, interfaces as well.
    return of.descriptor === 'Ljava/lang/Object;' && !this.isPrimitive;
  }

  /** A field by name and type (any type where null): this class, its interfaces, its superclasses. */
  findField(name: string, descriptor: string | null): Field | null {
    for (let cls: LinkedClass | null = this; cls !== null; cls = cls.superclass) {
      const found =
        ownField(cls, name, descriptor) ??
        cls.interfaces.map((type) => type.findField(name, descriptor)).find((field) => field !== null);
      if (found) return found;
    }
    return null;
  }

  /** A method by signature as declared here or above, interfaces last. */
  findMethod(signature: string): Method | null {
    for (let cls: LinkedClass | null = this; cls !== null; cls = cls.superclass) {
      const found = cls.methods.get(signature);
      if (found !== undefined) return found;
    }
    return this.#interfaceMethod(signature);
  }

  /** What a virtual call on an instance of exactly this class runs; abstract where nothing implements it. */
  resolve(signature: string): Method | null {
    const known = this.dispatch.get(signature);
    if (known !== undefined) return known;
    const method = this.#resolve(signature);
    this.dispatch.set(signature, method);
    return method;
  }

  #resolve(signature: string): Method | null {
    let abstract: Method | null = null;
    for (let cls: LinkedClass | null = this; cls !== null; cls = cls.superclass) {
      const found = cls.methods.get(signature);
      if (found === undefined || found.isStatic) continue;
      if (!found.isAbstract) return found;
      abstract ??= found;
    }
    const fromInterface = this.#interfaceMethod(signature);
    return fromInterface !== null && !fromInterface.isAbstract ? fromInterface : (abstract ?? fromInterface);
  }

  /** The most specific method that an interface of this class gives. */
  #interfaceMethod(signature: string): Method | null {
    let best: Method | null = null;
    for (const type of this.supertypes) {
      if (!type.isInterface) continue;
      const found = type.methods.get(signature);
      if (found === undefined || found.isStatic) continue;
      if (best === null || (best.isAbstract && !found.isAbstract) || type.isSubclassOf(best.owner)) best = found;
    }
    return best;
  }
}

function ownField(cls: LinkedClass, name: string, descriptor: string | null): Field | undefined {
  const fits = (field: Field) =>
    field.owner === cls && field.name === name && (descriptor === null || field.descriptor === descriptor);
  return cls.staticFields.find(fits) ?? cls.instanceFields.findLast(fits);
}
