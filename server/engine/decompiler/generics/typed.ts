// What typing of values and typing of calls share: an expression with its type, where it stands, the casts that are written.
// Looks at no expression.
import type { GenericType } from '../../code/types/generic-signatures.ts';
import { plainType, type Values, type Variables } from '../../code/types/generic-types.ts';
import { object } from '../../code/values/operands.ts';
import type { Expression } from '../expressions/tree.ts';
import type { ExpressionTypes } from '../printing/expression-types.ts';
import type { Program } from '../printing/program.ts';

/** An expression with what javac takes it for. */
export interface Typed {
  readonly value: Expression;
  /** Null where javac may know more than is known here. */
  readonly type: GenericType | null;
  /** Javac knows it for one of some type below that one, which has no name. */
  readonly isBound?: boolean;
  /** The same without a cast that generic types make needless where just its class is wanted. */
  readonly bare?: { readonly value: Expression; readonly type: GenericType; readonly isBound?: boolean };
}

export interface TypingPlace {
  readonly program: Program;
  readonly types: ExpressionTypes;
  /** Descriptor of the class whose code it is. */
  readonly owner: string;
  /** Type variables in sight. */
  readonly variables: Variables;
  /** A test stands in another place of the tree now. */
  readonly moved: (from: Expression, to: Expression) => void;
}

export const plainObject = plainType(object);

/** Whether a type is one that a wildcard stands for. */
export const isOpen = (type: GenericType, values: Values): boolean =>
  type.kind === 'array'
    ? isOpen(type.element, values)
    : type.kind === 'variable' && (values.get(type.name)?.kind ?? 'exact') !== 'exact';

/** A cast that is written, to a class or a generic type of it. */
export const cast = (operand: Expression, type: string, generic?: GenericType): Expression =>
  operand.kind === 'cast' && operand.isMeant && operand.type === type && generic === undefined
    ? operand
    : {
        ...{ kind: 'cast', type, operand, isMeant: true, at: operand.at },
        ...(generic === undefined ? {} : { generic }),
      };
