// Calls that Java makes by itself where a value of a primitive type and an object of its class meet. Knows no text.
import type { Expression } from '../expressions/tree.ts';

const primitives: Readonly<Record<string, string>> = {
  'Ljava/lang/Boolean;': 'Z',
  'Ljava/lang/Byte;': 'B',
  'Ljava/lang/Character;': 'C',
  'Ljava/lang/Double;': 'D',
  'Ljava/lang/Float;': 'F',
  'Ljava/lang/Integer;': 'I',
  'Ljava/lang/Long;': 'J',
  'Ljava/lang/Short;': 'S',
};
const getters: Readonly<Record<string, string>> = {
  Z: 'booleanValue',
  B: 'byteValue',
  C: 'charValue',
  D: 'doubleValue',
  F: 'floatValue',
  I: 'intValue',
  J: 'longValue',
  S: 'shortValue',
};

export const isBox = (type: string): boolean => primitives[type] !== undefined;

/**
 * What a call boxes or unboxes; null where it does neither.
 * https://docs.oracle.com/javase/specs/jls/se17/html/jls-5.html#jls-5.1.7
 */
export function boxing(
  expression: Expression,
  typeOf: (value: Expression) => string,
): { value: Expression; from: string; to: string } | null {
  if (expression.kind === 'truth') return boxing(expression.operand, typeOf);
  if (expression.kind !== 'call') return null;
  const { how, owner, name, parameters, returns, values, object } = expression;
  const primitive = primitives[owner];
  if (primitive === undefined) return null;
  if (how === 'static' && name === 'valueOf' && returns === owner && parameters.length === 1) {
    return parameters[0] === primitive ? { value: values[0]!, from: primitive, to: owner } : null;
  }
  if (object === null || name !== getters[primitive] || returns !== primitive) return null;
  // Java types a choice and null by themselves.
  if (object.kind === 'choice' || object.kind === 'number') return null;
  return typeOf(object) === owner ? { value: object, from: owner, to: primitive } : null;
}
