// What expressions are in Java where they are written. Writes nothing.
import { isReference, object } from '../../code/values/operands.ts';
import type { Call, Expression } from '../expressions/tree.ts';
import { string } from '../language/concatenation.ts';
import type { Program } from './program.ts';

export class ExpressionTypes {
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
  }

  /** The descriptor of what an expression is in Java, written without a cast. */
  typeOf(expression: Expression): string {
    switch (expression.kind) {
      case 'number':
      case 'comparison':
      case 'length':
        return 'I';
      case 'wide':
        return 'J';
      case 'string':
        return 'Ljava/lang/String;';
      case 'class':
        return 'Ljava/lang/Class;';
      case 'local':
        return expression.local.role === 'this'
          ? expression.local.type
          : this.#program.local.typeOf(expression.local.type);
      case 'conversion':
        return expression.to;
      case 'instanceof':
      case 'relation':
      case 'not':
      case 'junction':
      case 'truth':
        return 'Z';
      case 'element':
        return this.#elementType(expression.array, expression.family);
      case 'cast':
        return this.isUpcast(expression) ? this.typeOf(expression.operand) : expression.type;
      case 'call': {
        if (expression.how === 'new') return this.#program.local.typeOf(expression.owner);
        const handed = handedBack(expression);
        const type = handed === null ? null : this.typeOf(handed);
        return type !== null && isReference(type) && !this.isLambda(handed!) ? type : expression.returns;
      }
      default:
        return expression.type;
    }
  }

  /** Whether a cast only says what Java knows: compilers of Kotlin leave such ones. */
  isUpcast({ type, operand, isMeant, isKnown }: Expression & { kind: 'cast' }): boolean {
    if (isMeant || isKnown || operand.kind === 'number' || operand.kind === 'lambda') return false;
    const have = this.typeOf(operand);
    if (this.isLambda(operand)) return have === type;
    return isReference(have) && this.#program.relations.isAssignable(have, type);
  }

  /** A value without the casts that only say what Java knows. */
  uncast(value: Expression): Expression {
    return value.kind === 'cast' && this.isUpcast(value) ? this.uncast(value.operand) : value;
  }

  /** Where a value is written: into an array of another type as into one of objects, whose store says whether it fits. */
  assigned(target: Expression, value: Expression): Expression {
    if (target.kind !== 'element' || target.family !== object || value.kind === 'number') return target;
    const have = this.typeOf(value);
    if (!isReference(have) || this.#program.relations.isAssignable(have, this.typeOf(target))) return target;
    return {
      ...target,
      array: { kind: 'cast', type: `[${object}`, operand: target.array, isMeant: true, at: target.at },
    };
  }

  #elementType(array: Expression, family: string): string {
    const type = this.typeOf(array);
    return this.isArrayOf(type, family) ? type.slice(1) : family;
  }

  /** Whether a type is one of arrays whose elements the code reads as ones of a family. */
  isArrayOf(type: string, family: string): boolean {
    if (!type.startsWith('[')) return false;
    const element = type.slice(1);
    if (family === object) return isReference(element);
    if (family === 'I') return element === 'I' || element === 'F';
    if (family === 'J') return element === 'J' || element === 'D';
    return element === family || (family === 'B' && element === 'Z');
  }

  /** Whether an expression makes an object that source says as a lambda. */
  isLambda(expression: Expression): boolean {
    return this.lambda(expression) !== null;
  }

  /** What makes an object that source says as a lambda: its class may keep the only one in a field. */
  lambda(expression: Expression): Call | null {
    if (expression.kind === 'call')
      return expression.how === 'new' && this.#program.local.of(expression.owner)?.kind === 'lambda'
        ? expression
        : null;
    if (expression.kind !== 'field' || expression.object !== null || expression.owner !== expression.type) return null;
    if (this.#program.local.of(expression.owner)?.kind !== 'lambda') return null;
    const { at, owner } = expression;
    const base = { kind: 'call', how: 'new', name: '<init>', parameters: [], object: null, values: [] } as const;
    return { ...base, owner, returns: owner, at };
  }

  /** Whether javac takes it for possible that a value is of a type: of what is just made of a class without a name it knows all types. */
  mayBe(value: Expression, type: string): boolean {
    const have = this.typeOf(value);
    const { relations } = this.#program;
    if (relations.isAssignable(have, type)) return true;
    return (have === object || relations.isAssignable(type, have)) && !this.isMadeNameless(value);
  }

  /** Whether an object is just made of a class without a name. A call may give its argument's type, where its own is inferred. */
  isMadeNameless(value: Expression): boolean {
    if (value.kind === 'cast')
      return (value.isKnown === true || this.isUpcast(value)) && this.isMadeNameless(value.operand);
    if (value.kind === 'choice') return this.isMadeNameless(value.yes) || this.isMadeNameless(value.no);
    if (value.kind !== 'call') return false;
    if (value.how === 'new') return this.#program.local.of(value.owner)?.kind === 'anonymous';
    return value.values.some((each) => this.isMadeNameless(each));
  }

  /** Whether an object is what members of a class can be called of. */
  isTakenFor(of: Expression, owner: string): boolean {
    return this.#program.relations.isAssignable(this.typeOf(of), owner);
  }
}

/** The value that a call of a generic method gives back as what it is. */
function handedBack({ how, owner, name, parameters, values }: Call): Expression | null {
  if (how !== 'static' || owner !== 'Ljava/util/Objects;' || name !== 'requireNonNull') return null;
  const isSaid = parameters.length === 1 || (parameters[1] === string && values[1]!.kind !== 'number');
  return isSaid && values[0]!.kind !== 'choice' ? values[0]! : null;
}
