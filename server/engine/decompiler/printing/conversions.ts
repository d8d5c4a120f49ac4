// Writes values as ones of other types.
import { isIntegral } from '../../code/types/variable-types.ts';
import { isReference } from '../../code/values/operands.ts';
import type { Expression } from '../expressions/tree.ts';
import { boxing } from '../language/boxing.ts';
import type { ExpressionPrinter } from './expressions.ts';
import { writeNull } from './literals.ts';
import { binding } from './precedence.ts';

export const widening: Readonly<Record<string, string>> = { B: 'SI', S: 'I', C: 'I' };
const widerTypes: Readonly<Record<string, string>> = { I: 'JFD', J: 'FD', F: 'D' };

/** Writes a number as one of another type, by its bits where code uses them as such. */
export function writeConverted(
  to: ExpressionPrinter,
  expression: Expression,
  have: string,
  wanted: string,
  level: number,
  isExact: boolean,
): void {
  if (isIntegral(have) && isIntegral(wanted)) {
    if (!isExact && widening[have]?.includes(wanted)) {
      to.plain(expression, level);
      return;
    }
    to.cast(wanted, level, () => to.plain(expression, binding.unary));
    return;
  }
  const bits: Record<string, string> = {
    FI: 'Float.floatToRawIntBits',
    IF: 'Float.intBitsToFloat',
    DJ: 'Double.doubleToRawLongBits',
    JD: 'Double.longBitsToDouble',
  };
  const [given, asked] = [isIntegral(have) ? 'I' : have, isIntegral(wanted) ? 'I' : wanted];
  const method = bits[given + asked];
  if (method === undefined) {
    to.unresolved++;
    to.cast(wanted, level, () => to.plain(expression, binding.unary));
    return;
  }
  const [owner, name] = method.split('.') as [string, string];
  const write = () => {
    to.names.write(to.writer, `Ljava/lang/${owner};`);
    to.writer.text(`.${name}(`);
    to.plain(expression, binding.any);
    to.writer.text(')');
  };
  if (wanted.length === 1 && isIntegral(wanted) && wanted !== 'I') to.cast(wanted, level, write);
  else write();
}

/** Writes a truth as 0 or 1. */
export function writeTruthAsNumber(to: ExpressionPrinter, expression: Expression, wanted: string, level: number): void {
  const choice = () => {
    to.writer.text('(');
    to.plain(expression, binding['||']);
    to.writer.text(' ? 1 : 0)');
  };
  if (wanted === 'I') {
    choice();
    return;
  }
  if (wanted === 'F') to.unresolved++;
  to.cast(wanted, level, choice);
}

/** Writes an object as one of another type. */
export function writeAsReference(
  to: ExpressionPrinter,
  expression: Expression,
  have: string,
  wanted: string,
  level: number,
  isExact: boolean,
): void {
  if (!isReference(have)) {
    writeNull(to, wanted, level, isExact);
    return;
  }
  const { relations } = to.program;
  if (relations.isAssignable(have, wanted)) {
    if (!isExact) {
      to.plain(expression, level);
      return;
    }
    to.cast(wanted, level, () => to.plain(expression, binding.unary));
    return;
  }
  to.cast(wanted, level, () => {
    // Types that javac knows to have nothing in common need the way over Object.
    if (!to.types.mayBe(expression, wanted)) to.writer.text('(Object) ');
    to.plain(expression, binding.unary);
  });
}

/** Writes an operand of an operator that unboxes it. */
export function writeUnboxed(to: ExpressionPrinter, expression: Expression, type: string, level: number): void {
  const converted = boxing(expression, (value) => to.types.typeOf(value));
  if (converted?.to !== type) to.write(expression, type, level);
  else to.writer.addressed(expression.at, () => to.write(converted.value, converted.from, level, true));
}

/**
 * Writes one of two operands, which Java widens to the type of the other one where that is written with it.
 * https://docs.oracle.com/javase/specs/jls/se17/html/jls-5.html#jls-5.6
 */
export function writePromoted(
  to: ExpressionPrinter,
  operand: Expression,
  other: Expression,
  type: string,
  level: number,
  isSecond = false,
): void {
  const narrow = widened(operand);
  const isWide = other.kind === 'wide' || to.types.typeOf(other) === type;
  const isWidened = narrow !== null && narrow.to === type && isWide && (isSecond || widened(other) === null);
  if (isWidened) to.writer.addressed(operand.at, () => to.write(narrow.operand, narrow.from, level));
  else writeUnboxed(to, operand, type, level);
}

/** Where a value is widened to another type. https://docs.oracle.com/javase/specs/jls/se17/html/jls-5.html#jls-5.1.2 */
export const widened = (value: Expression): (Expression & { kind: 'conversion' }) | null =>
  value.kind === 'conversion' && widerTypes[value.from]?.includes(value.to) ? value : null;
