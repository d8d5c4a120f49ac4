// Writes constants.
import { isReference } from '../../code/values/operands.ts';
import type { ExpressionPrinter } from './expressions.ts';
import { charLiteral } from './identifiers.ts';
import { binding } from './precedence.ts';

/** Writes the constant of a register as one of a type: its bits where that is `float`, null where it is a class. */
export function writeNumber(
  to: ExpressionPrinter,
  value: number,
  wanted: string,
  level: number,
  isExact: boolean,
): void {
  if (isReference(wanted)) {
    if (value !== 0) to.unresolved++;
    writeNull(to, wanted, level, isExact);
    return;
  }
  switch (wanted) {
    case 'Z':
      to.writer.text(value === 0 ? 'false' : 'true');
      return;
    case 'C':
      to.writer.text(charLiteral(value & 0xffff));
      return;
    case 'F':
      writeFloat(to, value, level);
      return;
    case 'J':
    case 'D':
      to.unresolved++;
      writeWide(to, BigInt(value), wanted, level);
      return;
    case 'B':
    case 'S': {
      const bits = wanted === 'B' ? 24 : 16;
      const narrow = (value << bits) >> bits;
      if (isExact) {
        to.cast(wanted, level, () => writeInt(to, narrow, binding.unary));
        return;
      }
      writeInt(to, narrow, level);
      return;
    }
    default:
      writeInt(to, value, level);
      return;
  }
}

function writeInt(to: ExpressionPrinter, value: number, level: number): void {
  const text = value >= 0x7f010000 && value < 0x7fff0000 ? `0x${value.toString(16)}` : String(value);
  writeSigned(to, text, level);
}

function writeSigned(to: ExpressionPrinter, text: string, level: number): void {
  if (text.startsWith('-')) to.wrapped(level, binding.unary, () => to.writer.text(text));
  else to.writer.text(text);
}

function writeFloat(to: ExpressionPrinter, bits: number, level: number): void {
  const value = new Float32Array(Int32Array.of(bits).buffer)[0]!;
  if (Number.isNaN(value) && bits !== 0x7fc00000) {
    to.names.write(to.writer, 'Ljava/lang/Float;');
    to.writer.text(`.intBitsToFloat(${bits})`);
    return;
  }
  if (!Number.isFinite(value)) {
    writeNonFinite(to, value, 'Float');
    return;
  }
  for (let digits = 1; digits < 10; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value || digits === 9) {
      writeSigned(to, `${decimal(text, value)}f`, level);
      return;
    }
  }
}

function writeNonFinite(to: ExpressionPrinter, value: number, owner: 'Float' | 'Double'): void {
  const name = Number.isNaN(value) ? 'NaN' : value > 0 ? 'POSITIVE_INFINITY' : 'NEGATIVE_INFINITY';
  to.names.write(to.writer, `Ljava/lang/${owner};`);
  to.writer.text(`.${name}`);
}

/** Writes the constant of two registers as `long` or `double`. */
export function writeWide(to: ExpressionPrinter, value: bigint, wanted: string, level: number): void {
  if (wanted !== 'D') {
    if (wanted !== 'J') to.unresolved++;
    writeSigned(to, `${value}L`, level);
    return;
  }
  const number = new Float64Array(BigInt64Array.of(value).buffer)[0]!;
  if (Number.isNaN(number) && value !== 0x7ff8000000000000n) {
    to.names.write(to.writer, 'Ljava/lang/Double;');
    to.writer.text(`.longBitsToDouble(${value}L)`);
    return;
  }
  if (!Number.isFinite(number)) {
    writeNonFinite(to, number, 'Double');
    return;
  }
  writeSigned(to, `${decimal(number, number)}d`.replace(/(\.\d+)d$/, '$1'), level);
}

/** Writes null, with its type where Java has to know one. */
export function writeNull(to: ExpressionPrinter, wanted: string, level: number, isExact: boolean): void {
  if (isExact) to.cast(wanted, level, () => to.writer.text('null'));
  else to.writer.text('null');
}

function decimal(shortest: number, exact: number): string {
  const text = Object.is(exact, -0) ? '-0.0' : String(shortest).replace('e+', 'E').replace('e', 'E');
  if (text.includes('.') || text.includes('E')) return text;
  return `${text}.0`;
}
