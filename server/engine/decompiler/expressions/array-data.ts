// What `fill-array-data` does, as a call that Java has for it. Knows no registers.
import { BadCode } from '../../code/method-body.ts';
import { object } from '../../code/values/operands.ts';
import type { ArrayData } from '../../formats/dex/instruction.ts';
import type { Call, Expression } from './tree.ts';

/** A call that writes elements to the beginning of an array. @throws BadCode where they are cut off */
export function arrayFill(type: string, payload: ArrayData, array: Expression, at: number): Call {
  const { data, elements, elementWidth } = payload;
  if (elements * elementWidth > data.length) throw new BadCode('an array whose data is cut off');
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const items = Array.from({ length: elements }, (_, place): Expression => {
    const offset = place * elementWidth;
    if (elementWidth === 8) return { kind: 'wide', value: view.getBigInt64(offset, true), at };
    const signed =
      elementWidth === 1
        ? view.getInt8(offset)
        : elementWidth === 2
          ? view.getInt16(offset, true)
          : view.getInt32(offset, true);
    return { kind: 'number', value: type === '[C' ? signed & 0xffff : signed, at };
  });
  const zero: Expression = { kind: 'number', value: 0, at };
  const length: Expression = { kind: 'number', value: elements, at };
  return {
    kind: 'call',
    how: 'static',
    owner: 'Ljava/lang/System;',
    name: 'arraycopy',
    parameters: [object, 'I', object, 'I', 'I'],
    returns: 'V',
    object: null,
    values: [{ kind: 'array', type, items, at }, zero, array, zero, length],
    at,
  };
}
