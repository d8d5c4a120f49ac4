// Writes operators. Knows no calls.
import { isReference, object } from '../../code/values/operands.ts';
import { effectsOf } from '../expressions/effects.ts';
import { type Expression, effect } from '../expressions/tree.ts';
import { boxing } from '../language/boxing.ts';
import { type Piece, string } from '../language/concatenation.ts';
import { Unsayable } from '../limits.ts';
import { negated } from '../structure/structure.ts';
import { writePromoted, writeUnboxed } from './conversions.ts';
import type { ExpressionPrinter } from './expressions.ts';
import { isPolymorphic } from './overloads.ts';
import { binding, levels } from './precedence.ts';

/** Writes an operator of numbers, or of truths where both sides are such. */
export function writeArithmetic(
  to: ExpressionPrinter,
  { operator, type, left, right }: Expression & { kind: 'arithmetic' },
  level: number,
): void {
  const own = levels[operator]!;
  const isShift = own === binding['<<'];
  const isBoolean =
    type === 'I' &&
    '&|^'.includes(operator) &&
    to.types.typeOf(left) === 'Z' &&
    left.kind !== 'number' &&
    to.types.typeOf(right) === 'Z' &&
    right.kind !== 'number';
  const write = () =>
    to.wrapped(level, own, () => {
      if (isShift) writeUnboxed(to, left, type, own);
      else writePromoted(to, left, right, type, own);
      to.writer.text(` ${operator} `);
      if (isShift) writeUnboxed(to, right, 'I', own + 1);
      // How far a letter is from another one.
      else if (
        operator === '-' &&
        right.kind === 'number' &&
        to.types.typeOf(left) === 'C' &&
        isLetterOrDigit(right.value)
      )
        to.write(right, 'C', own + 1);
      // A mask that clears some bits.
      else if (operator === '&' && right.kind === 'number' && right.value < -1) to.writer.text(`~${~right.value}`);
      else writePromoted(to, right, left, type, own + 1, true);
    });
  if (!isBoolean) {
    write();
    return;
  }
  to.writer.text('(');
  to.wrapped(binding['||'], own, () => {
    to.write(left, 'Z', own);
    to.writer.text(` ${operator} `);
    to.write(right, 'Z', own + 1);
  });
  to.writer.text(' ? 1 : 0)');
}

/** Writes a comparison that gives a truth; objects are compared as such. */
export function writeRelation(
  to: ExpressionPrinter,
  { operator, type, left, right }: Expression & { kind: 'relation' },
  level: number,
): void {
  const own = levels[operator]!;
  to.wrapped(level, own, () => {
    if (!isReference(type)) {
      const isBoxed = (side: Expression) => boxing(side, (value) => to.types.typeOf(value)) !== null;
      const letter = (side: Expression, other: Expression) =>
        side.kind === 'number' && to.types.typeOf(other) === 'C' && isLetter(side.value);
      if (letter(left, right) || letter(right, left)) {
        to.write(left, 'C', own);
        to.writer.text(` ${operator} `);
        to.write(right, 'C', own + 1);
        return;
      }
      // Two objects would be told apart as such.
      const isKept = own === binding['=='] && isBoxed(left) && isBoxed(right);
      if (isKept) to.write(left, type, own);
      else writePromoted(to, left, right, type, own);
      to.writer.text(` ${operator} `);
      if (isKept) to.write(right, type, own + 1);
      else writePromoted(to, right, left, type, own + 1, true);
      return;
    }
    const [a, b] = [left, right].map((side) => (side.kind === 'number' ? null : to.types.typeOf(side))) as [
      string | null,
      string | null,
    ];
    const isNear = a === null || b === null || (to.types.mayBe(left, b) && to.types.mayBe(right, a));
    writeCompared(to, left, isNear ? null : object, own);
    to.writer.text(` ${operator} `);
    writeCompared(to, right, null, own + 1);
  });
}

function writeCompared(to: ExpressionPrinter, side: Expression, as: string | null, level: number): void {
  if (side.kind === 'number' || !isReference(to.types.typeOf(side))) to.writer.text('null');
  else if (as === null) to.plain(side, level);
  else to.write(side, as, level, true);
}

/** Writes what `cmp` gives: -1, 0 or 1. */
export function writeComparison(
  to: ExpressionPrinter,
  { type, unordered, left, right }: Expression & { kind: 'comparison' },
): void {
  const writer = to.writer;
  if (type === 'J') {
    to.names.write(writer, 'Ljava/lang/Long;');
    writer.text('.compare(');
    to.write(left, 'J');
    writer.text(', ');
    to.write(right, 'J');
    writer.text(')');
    return;
  }
  // Both are written twice.
  if ([left, right].some((side) => (effectsOf(side).mask & effect.acts) !== 0))
    throw new Unsayable('a comparison of floating point numbers that are worked out once');
  const relation = (operator: string) => {
    to.write(left, type, binding['<']);
    writer.text(` ${operator} `);
    to.write(right, type, binding['<<']);
  };
  writer.text('(');
  relation(unordered < 0 ? '>' : '<');
  writer.text(unordered < 0 ? ' ? 1 : ' : ' ? -1 : ');
  relation('==');
  writer.text(unordered < 0 ? ' ? 0 : -1)' : ' ? 0 : 1)');
}

/** Writes what is true where a condition is not. */
export function writeNegated(to: ExpressionPrinter, operand: Expression, level: number): void {
  let inner = operand;
  while (inner.kind === 'truth' && to.types.typeOf(inner.operand) === 'Z') inner = inner.operand;
  const turned = negated(inner);
  if (turned.kind !== 'not') {
    to.write(turned, 'Z', level);
    return;
  }
  to.wrapped(level, binding.unary, () => {
    to.writer.text('!');
    to.write(inner, 'Z', binding.postfix);
  });
}

/** Writes `&&` or `||`. */
export function writeJunction(to: ExpressionPrinter, junction: Expression & { kind: 'junction' }, level: number): void {
  const { operator, left, right } = junction;
  const own = binding[operator];
  to.wrapped(level, own, () => {
    to.write(left, 'Z', own);
    to.writer.text(` ${operator} `);
    // It does not matter which two are joined first.
    to.write(right, 'Z', isJunctionOf(right, operator) ? own : own + 1);
  });
}

/** What is joined to a text that is changed. */
export function writeAdded(to: ExpressionPrinter, pieces: readonly Piece[]): void {
  to.writer.text(' += ');
  const [first] = pieces as [Piece];
  if (pieces.length > 1) writeConcatenation(to, pieces, binding.any);
  else to.write(first.value, first.type, binding.any, !isReference(first.type));
}

/** Writes pieces of a text with `+`. */
export function writeConcatenation(to: ExpressionPrinter, pieces: readonly Piece[], level: number): void {
  // A piece alone is nothing joined: null stays null.
  const isText = pieces.length > 1 && pieces.slice(0, 2).some(({ type }) => type === string);
  to.wrapped(level, binding['+'], () => {
    if (!isText) to.writer.text('"" + ');
    for (const [index, { value, type }] of pieces.entries()) {
      if (index > 0) to.writer.text(' + ');
      to.write(value, type, binding['+'] + 1, !isReference(type));
    }
  });
}

/** Writes `instanceof`, by way of Object where javac would refuse the types. */
export function writeInstanceOf(to: ExpressionPrinter, test: Expression & { kind: 'instanceof' }, level: number): void {
  const { type, operand } = test;
  to.wrapped(level, binding['<'], () => {
    if (operand.kind === 'number') to.writer.text('(Object) null');
    else if (to.types.mayBe(operand, type)) to.plain(operand, binding['<<']);
    else {
      to.writer.text('(Object) ');
      to.plain(operand, binding.unary);
    }
    to.writer.text(' instanceof ');
    to.names.write(to.writer, type);
    const declaration = to.declared.get(test);
    if (declaration === undefined) return;
    to.writer.text(' ').addressed(declaration.value.at, () => to.writer.local(declaration.local));
  });
}

/** Writes a cast that the code makes. */
export function writeCheckCast(
  to: ExpressionPrinter,
  { type, operand, generic, isKnown }: Expression & { kind: 'cast' },
  level: number,
): void {
  if (isKnown) {
    to.plain(operand, level);
    return;
  }
  if (generic !== undefined) {
    to.castTo(generic, level, () => to.plain(operand, binding.unary));
    return;
  }
  const have = to.types.typeOf(operand);
  if (have === type && to.types.isLambda(operand)) {
    to.plain(operand, level);
    return;
  }
  to.cast(type, level, () => {
    if (operand.kind === 'number') return to.writer.text('null');
    const isCalledAs = operand.kind === 'call' && isPolymorphic(operand.owner, operand.name);
    if (!isCalledAs && isReference(have) && !to.types.mayBe(operand, type)) to.writer.text('(Object) ');
    to.plain(operand, binding.unary);
  });
}

/** Whether a number is that of a character which is seen. */
const isLetter = (value: number): boolean => (value >= 0x20 && value < 0x7f) || value === 0x0a;
const isLetterOrDigit = (value: number): boolean => /^[\dA-Za-z]$/.test(String.fromCharCode(value));
const isJunctionOf = (expression: Expression, operator: '&&' | '||'): boolean =>
  (expression.kind === 'junction' && expression.operator === operator) ||
  (expression.kind === 'truth' && isJunctionOf(expression.operand, operator));
