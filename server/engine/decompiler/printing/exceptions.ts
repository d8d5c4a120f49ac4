// What javac would say about the checked exceptions of a method's body. Knows no text.
import { platformThrows } from '../../code/types/class-relations.ts';
import { throwable } from '../../code/values/operands.ts';
import { parts } from '../expressions/effects.ts';
import type { Call, Expression, Statement } from '../expressions/tree.ts';
import { eachList, ownExpressions } from '../structure/walk.ts';
import { type Program, systemValue } from './program.ts';

const exception = 'Ljava/lang/Exception;';

export class CheckedExceptions {
  readonly #program: Program;
  readonly #declared = new Map<string, readonly string[]>();

  constructor(program: Program) {
    this.#program = program;
  }

  /** What source says that a method of the app throws. */
  declaredBy(owner: string, name: string, descriptor: string): readonly string[] {
    const key = `${owner}->${name}${descriptor}`;
    let known = this.#declared.get(key);
    if (known === undefined) {
      known = this.#find(owner, name, descriptor);
      if (this.#declared.size > 20_000) this.#declared.clear();
      this.#declared.set(key, known);
    }
    return known;
  }

  #find(owner: string, name: string, descriptor: string): readonly string[] {
    const found = this.#program.findMethod(owner, name, descriptor);
    if (found === null) {
      for (const type of this.#program.relations.above(owner)) {
        const thrown = platformThrows(type, name, parametersOf(descriptor));
        if (thrown.length > 0) return thrown;
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
    return value.values.flatMap((type) => (type.kind === 'type' ? [dex.type(type.index)] : []));
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

  #leavingOne(statement: Statement, into: Set<string>): void {
    for (const expression of ownExpressions(statement)) this.#thrownBy(expression, into);
    if (statement.kind !== 'try') {
      for (const list of eachList(statement)) for (const inner of list) this.#leavingOne(inner, into);
      return;
    }
    for (const type of this.leaving(statement.body)) {
      const isCaught = statement.catches.some(
        (each) => each.type === null || this.#program.relations.isAssignable(type, each.type),
      );
      if (!isCaught) into.add(type);
    }
    for (const { body } of statement.catches) for (const inner of body) this.#leavingOne(inner, into);
  }

  #thrownBy(expression: Expression, into: Set<string>): void {
    if (expression.kind === 'call') {
      for (const type of this.ofCall(expression)) if (this.isChecked(type)) into.add(type);
    }
    for (const part of parts(expression)) this.#thrownBy(part, into);
  }

  ofCall({ owner, name, parameters, returns, how }: Call): readonly string[] {
    return this.declaredBy(owner, name, `(${parameters.join('')})${how === 'new' ? 'V' : returns}`);
  }
}

function parametersOf(descriptor: string): string[] {
  return descriptor.slice(1, descriptor.lastIndexOf(')')).match(/\[*(?:L[^;]+;|.)/g) ?? [];
}
