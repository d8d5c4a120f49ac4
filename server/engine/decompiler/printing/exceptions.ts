// What javac would say about the checked exceptions of a method's body. Knows no text.

import { platformThrowers, platformThrows } from '../../code/types/class-relations.ts';
import { isReference, throwable } from '../../code/values/operands.ts';
import { systemValue } from '../../formats/dex/annotations.ts';
import { parts } from '../expressions/effects.ts';
import type { Call, Expression, Statement } from '../expressions/tree.ts';
import { caughtTypes, eachList, ownExpressions } from '../structure/walk.ts';
import { ExpressionTypes } from './expression-types.ts';
import type { Program, SourceClass } from './program.ts';

const accPrivate = 0x2;
const accStatic = 0x8;
const exception = 'Ljava/lang/Exception;';

export class CheckedExceptions {
  readonly #program: Program;
  readonly #types: ExpressionTypes;
  readonly #declared = new Map<string, readonly string[]>();
  /** Names of the methods that a class has or inherits of which some declare exceptions. */
  readonly #throwers = new Map<string, ReadonlySet<string>>();

  constructor(program: Program) {
    this.#program = program;
    this.#types = new ExpressionTypes(program);
  }

  /** What source says that a method of the app throws. */
  declaredBy(owner: string, name: string, descriptor: string): readonly string[] {
    if (!this.#throwersOf(owner).has(name)) return [];
    const key = `${owner}->${name}${descriptor}`;
    let known = this.#declared.get(key);
    if (known === undefined) {
      // Classes that extend each other in a circle come back here.
      this.#declared.set(key, []);
      known = this.#find(owner, name, descriptor);
      if (this.#declared.size > 20_000) this.#declared.clear();
      this.#declared.set(key, known);
    }
    return known;
  }

  #throwersOf(owner: string): ReadonlySet<string> {
    const known = this.#throwers.get(owner);
    if (known !== undefined) return known;
    const names = new Set<string>();
    for (const type of this.#program.relations.above(owner)) {
      const place = this.#program.classOf(type);
      if (place === null) for (const name of platformThrowers(type)) names.add(name);
      for (const [method, own] of place?.annotations.ofMethods ?? []) {
        if (systemValue(place!.dex, own, 'Throws') !== null) names.add(place!.dex.methodName(method));
      }
    }
    if (this.#throwers.size > 2_000) this.#throwers.clear();
    this.#throwers.set(owner, names);
    return names;
  }

  #find(owner: string, name: string, descriptor: string): readonly string[] {
    const found = this.#program.findMethod(owner, name, descriptor);
    if (found === null) {
      for (const type of this.#program.relations.above(owner)) {
        const thrown = platformThrows(type, name, parametersOf(descriptor));
        if (thrown !== null) return thrown;
        if (name === '<init>') break;
      }
      return [];
    }
    const { dex, annotations } = found.place;
    const own = annotations.ofMethods.get(found.method.methodIndex) ?? [];
    const value = systemValue(dex, own, 'Throws');
    if (value?.kind !== 'array') return [];
    const signature = systemValue(dex, own, 'Signature');
    const text =
      signature?.kind === 'array'
        ? signature.values.map((part) => (part.kind === 'string' ? dex.string(part.index) : '')).join('')
        : '';
    // What throws a type variable throws what its caller says.
    if (text.includes('^T')) return [];
    const thrown = value.values.flatMap((type) => (type.kind === 'type' ? [dex.type(type.index)] : []));
    const isInherited = (found.method.accessFlags & (accPrivate | accStatic)) === 0 && !name.startsWith('<');
    return isInherited ? this.#allowed(thrown, found.place.type, name, descriptor) : thrown;
  }

  /** Of what a method declares the part that all methods which it overrides let it: those may throw what type variables say. */
  #allowed(thrown: readonly string[], owner: string, name: string, descriptor: string): readonly string[] {
    const { relations } = this.#program;
    let allowed = thrown.filter((type) => this.isChecked(type));
    for (const above of relations.above(owner)) {
      if (allowed.length === 0) break;
      const place = above === owner ? null : this.#program.classOf(above);
      const overridden = place === null ? undefined : inheritedMethod(place, name, parametersOf(descriptor).join(''));
      if (overridden === undefined) continue;
      const said = this.declaredBy(above, name, overridden);
      allowed = allowed.filter((type) => said.some((each) => relations.isAssignable(type, each)));
    }
    return thrown.filter((type) => allowed.includes(type) || !this.isChecked(type));
  }

  isChecked(type: string): boolean {
    return this.#program.relations.isUnchecked(type) !== true;
  }

  /** Whether javac may let a type be caught without a word about where it comes from. */
  isAlwaysCaught(type: string): boolean {
    return type === throwable || type === exception || !this.isChecked(type);
  }

  /** Checked exceptions that leave some statements as calls declare it; those of `throw` are written so that none does. */
  leaving(statements: readonly Statement[]): Set<string> {
    const found = new Set<string>();
    for (const statement of statements) this.#leavingOne(statement, found);
    return found;
  }

  /** Those that the handlers of a `try` are asked about. */
  leavingTried(statement: Statement & { kind: 'try' }): Set<string> {
    const found = this.leaving(statement.body);
    for (const expression of ownExpressions(statement)) this.#thrownBy(expression, found);
    return found;
  }

  #leavingOne(statement: Statement, into: Set<string>): void {
    if (statement.kind !== 'try') {
      for (const expression of ownExpressions(statement)) this.#thrownBy(expression, into);
      for (const list of eachList(statement)) for (const inner of list) this.#leavingOne(inner, into);
      return;
    }
    for (const type of this.leavingTried(statement)) {
      const isCaught = statement.catches.some(
        (each) =>
          each.type === null || caughtTypes(each).some((caught) => this.#program.relations.isAssignable(type, caught)),
      );
      if (!isCaught) into.add(type);
    }
    const behind = [...statement.catches.map(({ body }) => body), statement.last ?? []];
    for (const list of behind) for (const inner of list) this.#leavingOne(inner, into);
  }

  #thrownBy(expression: Expression, into: Set<string>): void {
    if (expression.kind === 'call') {
      for (const type of this.ofCall(expression)) if (this.isChecked(type)) into.add(type);
    }
    for (const part of parts(expression)) this.#thrownBy(part, into);
  }

  /** What a call throws by the method that Java finds in the class that its object has in source. */
  ofCall({ owner, name, parameters, returns, how, object: of }: Call): readonly string[] {
    const descriptor = `(${parameters.join('')})${how === 'new' ? 'V' : returns}`;
    const thrown = this.declaredBy(owner, name, descriptor);
    if (thrown.length === 0 || of === null || how === 'super') return thrown;
    const have = this.#types.typeOf(of);
    const { relations } = this.#program;
    if (have === owner || !isReference(have) || !relations.isAssignable(have, owner)) return thrown;
    const found = this.#program.findMethod(have, name, descriptor);
    const meant = found === null ? null : this.#program.leftOutFor(found.place, found.method);
    return this.declaredBy(
      have,
      name,
      meant === null ? descriptor : found!.place.dex.methodDescriptor(meant.methodIndex),
    );
  }
}

/** The descriptor of a class's own method that subclasses may override. */
function inheritedMethod({ dex, data }: SourceClass, name: string, parameters: string): string | undefined {
  return data.virtualMethods
    .filter(({ methodIndex, accessFlags }) => (accessFlags & accStatic) === 0 && dex.methodName(methodIndex) === name)
    .map(({ methodIndex }) => dex.methodDescriptor(methodIndex))
    .find((descriptor) => descriptor.startsWith(`(${parameters})`));
}

function parametersOf(descriptor: string): string[] {
  return descriptor.slice(1, descriptor.lastIndexOf(')')).match(/\[*(?:L[^;]+;|.)/g) ?? [];
}
