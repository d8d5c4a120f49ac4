// Writes what is said of arrays.
import { object } from '../../code/values/operands.ts';
import type { Expression } from '../expressions/tree.ts';
import type { ExpressionPrinter } from './expressions.ts';
import { binding } from './precedence.ts';

/** Writes an element of an array. */
export function writeElement(to: ExpressionPrinter, { array, index, family }: Expression & { kind: 'element' }): void {
  const type = to.types.typeOf(array);
  // `new char[1][0]` would be an array of arrays.
  const isNew = array.kind === 'new-array';
  if (isNew) to.writer.text('(');
  if (to.types.isArrayOf(type, family)) to.write(array, type, binding.postfix);
  else to.write(array, `[${family}`, binding.postfix, true);
  if (isNew) to.writer.text(')');
  to.writer.text('[');
  to.write(index, 'I');
  to.writer.text(']');
}

/** Writes how many elements an array has. */
export function writeLength(to: ExpressionPrinter, array: Expression): void {
  const type = to.types.typeOf(array);
  if (type.startsWith('[')) {
    to.write(array, type, binding.postfix);
    to.writer.text('.length');
    return;
  }
  // An array whose elements are not read.
  to.writer.text('java.lang.reflect.Array.getLength(');
  to.write(array, object);
  to.writer.text(')');
}

/** Writes a new array of a size. */
export function writeNewArray(to: ExpressionPrinter, type: string, size: Expression): void {
  const element = type.replace(/^\[+/, '');
  to.writer.text('new ');
  to.names.write(to.writer, element);
  to.writer.text('[');
  to.write(size, 'I');
  to.writer.text(`]${'[]'.repeat(type.length - element.length - 1)}`);
}

/** The elements of an array in braces. */
export function writeItems(to: ExpressionPrinter, { type, items }: Expression & { kind: 'array' }): void {
  to.writer.text('{');
  for (const [index, item] of items.entries()) {
    if (index > 0) to.writer.text(', ');
    if (item.kind === 'array' && item.type === type.slice(1)) to.writer.addressed(item.at, () => writeItems(to, item));
    else to.assignedValue(item, type.slice(1));
  }
  to.writer.text('}');
}
