// A call that a rule judges, with what its arguments may be. Knows no rule.
import type { AppMethod, AppMethods } from '../../code/app-methods.ts';
import { type Call, type Definitions, parameterBase } from '../../code/definitions.ts';
import { isFluent, type Origin, type Origins } from '../../code/origins.ts';
import { classData } from '../../formats/dex/class-data.ts';

/** What rules may know of the app beside its code. */
export interface AppFacts {
  readonly minSdkVersion: number;
  readonly targetSdkVersion: number;
  /** Class descriptors of components, and of those that other apps reach without a permission. */
  readonly components: ReadonlySet<string>;
  readonly exported: ReadonlySet<string>;
  /** Of the exported ones, those that are content providers. */
  readonly providers: ReadonlySet<string>;
  /** Of those that the launcher shows. */
  readonly launchers: ReadonlySet<string>;
  /** Of the exported ones, receivers of broadcasts that the system alone may send. */
  readonly systemReceivers: ReadonlySet<string>;
  readonly packageName: string;
}

export class CallSite {
  readonly method: AppMethod;
  readonly call: Call;
  readonly facts: AppFacts;
  readonly #app: AppMethods;
  readonly #origins: Origins;

  constructor(app: AppMethods, origins: Origins, facts: AppFacts, method: AppMethod, call: Call) {
    this.#app = app;
    this.#origins = origins;
    this.facts = facts;
    this.method = method;
    this.call = call;
  }

  /** Number of arguments with the receiver. */
  get count(): number {
    return this.call.registers.length;
  }

  /** Where an argument comes from, the receiver being 0 unless the call is static. */
  origins(argument: number): readonly Origin[] {
    return this.#origins.ofArgument(this.method, this.call, argument);
  }

  /** Where an argument of the call that an origin names comes from, the receiver being 0. */
  argumentOf({ method, call }: Extract<Origin, { kind: 'call' }>, argument: number): readonly Origin[] {
    return this.#origins.ofArgument(method, call, argument);
  }

  /** The text of an argument that can be nothing but constants; null where it can be something else. */
  constant(argument: number): string | null {
    const origins = this.origins(argument);
    return origins.every(({ kind }) => kind === 'constant') ? textOf(origins) : null;
  }

  /** String constants that an argument may be, or is made of. */
  strings(argument: number): string[] {
    return this.origins(argument).flatMap((origin) =>
      origin.kind === 'constant' && origin.text.startsWith('"') ? [unquoted(origin.text)] : [],
    );
  }

  /** The numbers that an argument may be, null where it may be others. */
  numbers(argument: number): number[] | null {
    const numbers = this.origins(argument).map((origin) => (origin.kind === 'constant' ? origin.number : null));
    return numbers.every((number) => number !== null) ? numbers : null;
  }

  /** The text that a call was asked for, such as the name of an extra. */
  keyOf(origin: Extract<Origin, { kind: 'call' }>): string | null {
    const [key] = this.argumentOf(origin, 1);
    return key?.kind === 'constant' && key.text.startsWith('"') ? unquoted(key.text) : null;
  }

  /**
   * Whether the method looks at what a call answered, or at a part of it, before it goes on: by a method of such a name, or
   * one of the app that says yes or no.
   */
  isChecked({ call: asked, method }: Extract<Origin, { kind: 'call' }>, pattern: RegExp): boolean {
    if (method !== this.method) return false;
    const isIt = (origin: Origin): boolean =>
      origin.kind === 'call' && origin.method === method && origin.call.position === asked.position;
    for (const call of this.#app.definitionsOf(this.method)?.calls.values() ?? []) {
      const name = `${call.owner}->${call.name}`;
      const isOwn = call.descriptor.endsWith(')Z') && this.#app.find(call.owner, call.name, call.descriptor) !== null;
      if (!isOwn && !pattern.test(name)) continue;
      if (call.registers.some((_, argument) => this.#origins.ofArgument(this.method, call, argument).some(isIt)))
        return true;
    }
    return false;
  }

  /** The descriptor of an argument's type, the receiver being 0. */
  typeOf(argument: number): string {
    return this.call.types[argument] ?? '';
  }

  /** Calls of other methods on what an argument holds, or with it, in this method: `Lcom/a/B;->m`. */
  otherCallsOn(argument: number): { name: string; call: Call; argument: number }[] {
    const definitions = this.#app.definitionsOf(this.method);
    const register = this.call.registers[argument];
    if (definitions === null || register === undefined) return [];
    const left = [...definitions.reaching(this.call.position, register)];
    const seen = new Set(left);
    const uses: { name: string; call: Call; argument: number }[] = [];
    for (let definition = left.pop(); definition !== undefined; definition = left.pop()) {
      // What a fluent method answers is the object itself; it may be what came in, too.
      const maker = definitions.calls.get(definition);
      const own = maker !== undefined && isFluent(maker) ? definitions.reaching(definition, maker.registers[0]!) : [];
      const found = [...definitions.usesOf(definition)];
      const answers = found.flatMap(({ call, argument: at }) => (at === 0 && isFluent(call) ? [call.position] : []));
      for (const next of [...own, ...answers]) {
        if (seen.has(next)) continue;
        seen.add(next);
        left.push(next);
      }
      uses.push(
        ...found.map(({ call, argument: at }) => ({ name: `${call.owner}->${call.name}`, call, argument: at })),
      );
    }
    return uses.filter(({ call }) => call.position !== this.call.position);
  }

  /** Calls with what this one answers. */
  callsOnResult(): { name: string; call: Call; argument: number }[] {
    const definitions = this.#app.definitionsOf(this.method);
    if (definitions === null) return [];
    return [...definitions.usesOf(this.call.position)].map(({ call, argument }) => ({
      name: `${call.owner}->${call.name}`,
      call,
      argument,
    }));
  }

  /** The class descriptor of a component's name, which may begin with a dot in place of the package. */
  descriptorOf(name: string): string {
    const full = name.startsWith('.') ? `${this.facts.packageName}${name}` : name;
    return `L${full.replaceAll('.', '/')};`;
  }

  /** A field of one of the app's classes, superclasses left out, whose name passes; null where there is none. */
  fieldOf(type: string, isWanted: (name: string) => boolean): string | null {
    const place = this.#app.classes.placeOf(type);
    if (place === null) return null;
    const { dex, classIndex } = place;
    const field = classData(dex, classIndex).instanceFields.find(({ fieldIndex }) =>
      isWanted(dex.fieldName(fieldIndex)),
    );
    return field === undefined ? null : dex.field(field.fieldIndex);
  }

  /** Whether the method is of a component that other apps reach, or of a class inside it such as a listener. */
  isInExported(): boolean {
    return isExported(this.facts, this.method.owner);
  }

  /** Whether a method calls a method, or reads a field, of such a name: `Lcom/a/B;->m`. */
  isBeside(pattern: RegExp, method = this.method): boolean {
    const names = this.#app.definitionsOf(method)?.names ?? [];
    return [...names].some((name) => pattern.test(name));
  }

  /** Whether the method asks anything beside the presence of its parameters. */
  get isConditional(): boolean {
    const definitions = this.#app.definitionsOf(this.method);
    return definitions === null || isConditional(definitions);
  }

  /** The same site for another call of the same method. */
  at(call: Call): CallSite {
    return new CallSite(this.#app, this.#origins, this.facts, this.method, call);
  }
}

/** Whether a method asks anything beside the presence of its parameters. */
export const isConditional = (definitions: Definitions): boolean =>
  definitions.body.instructions.some(
    ({ opcode, registers }, position) =>
      opcode.canBranch &&
      opcode.canContinue &&
      !(registers.length === 1 && definitions.reaching(position, registers[0]!).every((each) => each >= parameterBase)),
  );

/** Whether a class is a component that other apps reach, or stands inside one. */
export const isExported = ({ components, exported }: AppFacts, owner: string): boolean =>
  exported.has(components.has(owner) ? owner : owner.replace(/\$.*/, ';'));

/** The distinct texts of constants, as evidence shows them. */
export const textOf = (origins: readonly Origin[]): string =>
  [...new Set(origins.flatMap((origin) => (origin.kind === 'constant' ? [origin.text] : [])))].slice(0, 4).join(' ');

function unquoted(text: string): string {
  try {
    return JSON.parse(text);
  } catch {
    // A long text that was cut.
    return text.slice(1);
  }
}
