// Generic types as reflection shows them: what dx and d8 keep of `Signature` attributes, as objects of java.lang.reflect.Type.
// Knows no member's object.
//
// https://docs.oracle.com/javase/specs/jvms/se17/html/jvms-4.html#jvms-4.7.9.1
import type { HeapObject } from '../heap.ts';
import { type Field, javaName, LinkedClass, type Method } from '../linked-class.ts';
import type { Machine, Models, NativeMethod } from '../model.ts';
import { systemValue } from './annotations.ts';

/** Types within types; a hostile signature must not fill the stack. */
const maxDepth = 40;
const maxLength = 20_000;
const root = 'Ljava/lang/Object;';
const typeInterface = 'Ljava/lang/reflect/Type;';

/** What a signature says of a class or a method; a field's has its type alone. */
export interface Generics {
  readonly parameters: readonly HeapObject[];
  /** Of a class its superclass and interfaces, of a method its parameters. */
  readonly types: readonly HeapObject[];
  readonly result: HeapObject | null;
}

interface ParameterizedState {
  readonly raw: HeapObject;
  readonly owner: HeapObject | null;
  readonly types: readonly HeapObject[];
}
interface WildcardState {
  readonly upper: readonly HeapObject[];
  readonly lower: readonly HeapObject[];
}
interface VariableState {
  readonly name: string;
  readonly bounds: readonly HeapObject[];
  readonly declaration: HeapObject;
}

/**
 * The generic types at a class, method or field; null where it has none, or none that can be read.
 * @param declaration its object, which type variables name
 */
export function genericsOf(
  machine: Machine,
  at: LinkedClass | Method | Field,
  declaration: HeapObject,
): Generics | null {
  const { dex } = at instanceof LinkedClass ? at : at.owner;
  const value = systemValue(at, 'Ldalvik/annotation/Signature;', 'value');
  if (dex === null || value?.kind !== 'array') return null;
  const text = value.values.map((each) => (each.kind === 'string' ? dex.string(each.index) : '')).join('');
  if (text.length > maxLength) return null;
  try {
    return new SignatureReader(machine, text, declaration).all();
  } catch (error) {
    if (error instanceof SignatureFault) return null;
    throw error;
  }
}

class SignatureFault extends Error {}

class SignatureReader {
  readonly #machine: Machine;
  readonly #text: string;
  readonly #declaration: HeapObject;
  #at = 0;
  #depth = 0;

  constructor(machine: Machine, text: string, declaration: HeapObject) {
    this.#machine = machine;
    this.#text = text;
    this.#declaration = declaration;
  }

  all(): Generics {
    const parameters = this.#formals();
    const isMethod = this.#takes('(');
    const types: HeapObject[] = [];
    while (this.#at < this.#text.length && !this.#takes(')')) types.push(this.#type());
    return { parameters, types, result: isMethod ? this.#type() : null };
  }

  #takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  /** The text up to one of the characters, which stands next. */
  #until(characters: RegExp): string {
    const length = this.#text.slice(this.#at).search(characters);
    if (length <= 0) throw new SignatureFault();
    this.#at += length;
    return this.#text.slice(this.#at - length, this.#at);
  }

  #formals(): HeapObject[] {
    const formals: HeapObject[] = [];
    if (!this.#takes('<')) return formals;
    while (!this.#takes('>')) {
      const name = this.#until(/:/);
      const bounds: HeapObject[] = [];
      while (this.#takes(':')) if (this.#text[this.#at] !== ':') bounds.push(this.#type());
      formals.push(this.#variable(name, bounds));
    }
    return formals;
  }

  #type(): HeapObject {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new SignatureFault();
    const type = this.#typeWithin();
    this.#depth -= 1;
    return type;
  }

  #typeWithin(): HeapObject {
    if (this.#takes('[')) return this.#arrayOf(this.#type());
    if (this.#takes('L')) return this.#classType();
    if (this.#takes('T')) {
      const name = this.#until(/;/);
      this.#at += 1;
      return this.#variable(name, []);
    }
    const primitive = this.#text[this.#at++] ?? '';
    if (!/^[VZBCSIJFD]$/.test(primitive)) throw new SignatureFault();
    return this.#classNamed(primitive);
  }

  #classType(): HeapObject {
    let name = this.#until(/[<;.]/);
    let type = this.#parameterized(name, null);
    while (this.#takes('.')) {
      name += `$${this.#until(/[<;.]/)}`;
      type = this.#parameterized(name, type);
    }
    if (!this.#takes(';')) throw new SignatureFault();
    return type;
  }

  #parameterized(name: string, owner: HeapObject | null): HeapObject {
    const raw = this.#classNamed(`L${name};`);
    const types: HeapObject[] = [];
    if (this.#takes('<')) while (!this.#takes('>')) types.push(this.#argument());
    if (types.length === 0) return raw;
    return this.#made('Parameterized', { raw, owner, types } satisfies ParameterizedState);
  }

  #argument(): HeapObject {
    if (this.#takes('*')) return this.#wildcard([], []);
    if (this.#takes('+')) return this.#wildcard([this.#type()], []);
    if (this.#takes('-')) return this.#wildcard([], [this.#type()]);
    return this.#type();
  }

  #wildcard(upper: HeapObject[], lower: HeapObject[]): HeapObject {
    const all = upper.length === 0 ? [this.#classNamed(root)] : upper;
    return this.#made('Wildcard', { upper: all, lower } satisfies WildcardState);
  }

  #variable(name: string, known: HeapObject[]): HeapObject {
    const bounds = known.length === 0 ? [this.#classNamed(root)] : known;
    return this.#made('Variable', { name, bounds, declaration: this.#declaration } satisfies VariableState);
  }

  #arrayOf(component: HeapObject): HeapObject {
    const { native } = component;
    if (native instanceof LinkedClass) return this.#classNamed(`[${native.descriptor}`);
    return this.#made('Array', component);
  }

  #classNamed(descriptor: string): HeapObject {
    const machine = this.#machine;
    return machine.classObject(machine.classOf(descriptor));
  }

  #made(kind: keyof typeof implementations, native: unknown): HeapObject {
    const type = this.#machine.allocate(implementations[kind]);
    type.native = native;
    return type;
  }
}

const implementations = {
  Parameterized: 'Llibcore/reflect/ParameterizedTypeImpl;',
  Array: 'Llibcore/reflect/GenericArrayTypeImpl;',
  Wildcard: 'Llibcore/reflect/WildcardTypeImpl;',
  Variable: 'Llibcore/reflect/TypeVariableImpl;',
} as const;

/** A type as source code names it. */
function nameOf(machine: Machine, type: HeapObject): string {
  return type.native instanceof LinkedClass ? javaName(type.native.descriptor) : machine.toText(type).text;
}

const list = (machine: Machine, types: readonly HeapObject[]) => machine.objectArray(typeInterface, types);

/** Two types are equal where they read alike. */
const sameText: NativeMethod = (machine, me, other: HeapObject | null) =>
  other !== null && other.cls === me.cls && machine.toText(other).text === machine.toText(me).text ? 1 : 0;

/** A model of a kind of type, and its interface. */
function kindOf(
  name: string,
  implementation: string,
  text: (machine: Machine, state: never) => string,
  methods: Readonly<Record<string, (machine: Machine, state: never) => HeapObject | null>>,
): Models {
  const own = Object.entries(methods).map(([signature, method]): [string, NativeMethod] => [
    signature,
    (machine, me) => method(machine, me.native as never),
  ]);
  const toText: NativeMethod = (machine, me) => machine.string(text(machine, me.native as never));
  return {
    [`Ljava/lang/reflect/${name};`]: {
      isInterface: true,
      implements: [typeInterface],
      abstractMethods: Object.keys(methods),
    },
    [implementation]: {
      implements: [`Ljava/lang/reflect/${name};`],
      methods: {
        ...Object.fromEntries(own),
        'toString()Ljava/lang/String;': toText,
        'getTypeName()Ljava/lang/String;': toText,
        'equals(Ljava/lang/Object;)Z': sameText,
        'hashCode()I': (machine, me) => machine.hashCode(machine.toText(me)),
      },
    },
  };
}

const types = `()[${typeInterface}`;

export const genericTypeModels: Models = {
  ...kindOf(
    'ParameterizedType',
    implementations.Parameterized,
    (machine, { raw, types }: ParameterizedState) =>
      `${nameOf(machine, raw)}<${types.map((each) => nameOf(machine, each)).join(', ')}>`,
    {
      [`getActualTypeArguments${types}`]: (machine, state: ParameterizedState) => list(machine, state.types),
      [`getRawType()${typeInterface}`]: (_machine, { raw }: ParameterizedState) => raw,
      [`getOwnerType()${typeInterface}`]: (_machine, { owner }: ParameterizedState) => owner,
    },
  ),
  ...kindOf(
    'GenericArrayType',
    implementations.Array,
    (machine, component: HeapObject) => `${nameOf(machine, component)}[]`,
    { [`getGenericComponentType()${typeInterface}`]: (_machine, component: HeapObject) => component },
  ),
  ...kindOf(
    'WildcardType',
    implementations.Wildcard,
    (machine, { upper, lower }: WildcardState) => {
      if (lower.length > 0) return `? super ${nameOf(machine, lower[0]!)}`;
      const bound = nameOf(machine, upper[0]!);
      return bound === 'java.lang.Object' ? '?' : `? extends ${bound}`;
    },
    {
      [`getUpperBounds${types}`]: (machine, { upper }: WildcardState) => list(machine, upper),
      [`getLowerBounds${types}`]: (machine, { lower }: WildcardState) => list(machine, lower),
    },
  ),
  ...kindOf('TypeVariable', implementations.Variable, (_machine, { name }: VariableState) => name, {
    'getName()Ljava/lang/String;': (machine, { name }: VariableState) => machine.string(name),
    [`getBounds${types}`]: (machine, { bounds }: VariableState) => list(machine, bounds),
    'getGenericDeclaration()Ljava/lang/reflect/GenericDeclaration;': (_machine, { declaration }: VariableState) =>
      declaration,
  }),
};
