// Values of one type as another one, boxed and unboxed as method handles do it. Knows no code.
import { isIntegral } from '../../code/types/variable-types.ts';
import { isReference } from '../../code/values/operands.ts';
import type { Expression } from './tree.ts';

const boxes: Readonly<Record<string, readonly [string, string]>> = {
  Z: ['Ljava/lang/Boolean;', 'booleanValue'],
  B: ['Ljava/lang/Byte;', 'byteValue'],
  S: ['Ljava/lang/Short;', 'shortValue'],
  C: ['Ljava/lang/Character;', 'charValue'],
  I: ['Ljava/lang/Integer;', 'intValue'],
  J: ['Ljava/lang/Long;', 'longValue'],
  F: ['Ljava/lang/Float;', 'floatValue'],
  D: ['Ljava/lang/Double;', 'doubleValue'],
};

/** https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/lang/invoke/MethodHandle.html#asType(java.lang.invoke.MethodType) */
export function adapted(value: Expression, from: string, to: string): Expression {
  const { at } = value;
  if (from === to || (isReference(from) && isReference(to))) return value;
  const base = { kind: 'call', at } as const;
  if (isReference(to)) {
    const [owner] = boxes[from]!;
    return {
      ...base,
      how: 'static',
      owner,
      name: 'valueOf',
      parameters: [from],
      returns: owner,
      object: null,
      values: [value],
    };
  }
  if (!isReference(from))
    return isIntegral(from) && isIntegral(to)
      ? value
      : { kind: 'conversion', from: isIntegral(from) ? 'I' : from, to, operand: value, at };
  const [kind, [owner, name]] = Object.entries(boxes).find(([, [box]]) => box === from) ?? [to, boxes[to]!];
  const of: Expression = owner === from ? value : { kind: 'cast', type: owner, operand: value, at };
  return adapted(
    { ...base, how: 'virtual', owner, name, parameters: [], returns: kind, object: of, values: [] },
    kind,
    to,
  );
}
