// Writes expressions as Java, each with the casts that make it what its place wants. Knows no statements.
import { isIntegral } from '../../code/types/variable-types.ts';
import { isReference, object } from '../../code/values/operands.ts';
import type { Call, Expression, LinkedLambda } from '../expressions/tree.ts';
import { boxing, isBox } from '../language/boxing.ts';
import { concatenation, type Piece, string } from '../language/concatenation.ts';
import { negated } from '../structure/structure.ts';
import { isAround } from './captured-fields.ts';
import { charLiteral, stringLiteral } from './identifiers.ts';
import { type Given, isChosen, isPolymorphic, rivals } from './overloads.ts';
import type { Program } from './program.ts';
import type { SuperCalls } from './super-calls.ts';
import type { TypeNames } from './type-names.ts';
import { gatheredValues } from './variable-arity.ts';
import type { Writer } from './writer.ts';

/** How tightly operators bind, loosest first. */
const binding = {
  any: 0,
  choice: 2,
  '||': 3,
  '&&': 4,
  '|': 5,
  '^': 6,
  '&': 7,
  '==': 8,
  '<': 9,
  '<<': 10,
  '+': 11,
  '*': 12,
  unary: 13,
  postfix: 15,
} as const;

const levels: Readonly<Record<string, number>> = {
  '|': binding['|'],
  '^': binding['^'],
  '&': binding['&'],
  '==': binding['=='],
  '!=': binding['=='],
  '<': binding['<'],
  '>': binding['<'],
  '<=': binding['<'],
  '>=': binding['<'],
  '<<': binding['<<'],
  '>>': binding['<<'],
  '>>>': binding['<<'],
  '+': binding['+'],
  '-': binding['+'],
  '*': binding['*'],
  '/': binding['*'],
  '%': binding['*'],
};
/** Inner classes of the platform that apps make or extend: each has an object of the class around it. */
const innerClasses: ReadonlySet<string> = new Set([
  'Landroid/inputmethodservice/AbstractInputMethodService$AbstractInputMethodImpl;',
  'Landroid/inputmethodservice/AbstractInputMethodService$AbstractInputMethodSessionImpl;',
  'Landroid/inputmethodservice/InputMethodService$InputMethodImpl;',
  'Landroid/inputmethodservice/InputMethodService$InputMethodSessionImpl;',
  'Landroid/service/wallpaper/WallpaperService$Engine;',
  'Ljava/util/concurrent/locks/AbstractQueuedLongSynchronizer$ConditionObject;',
  'Ljava/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject;',
]);
const widening: Readonly<Record<string, string>> = { B: 'SI', S: 'I', C: 'I' };
const widerTypes: Readonly<Record<string, string>> = { I: 'JFD', J: 'FD', F: 'D' };

export interface ExpressionPlace {
  readonly program: Program;
  readonly names: TypeNames;
  readonly writer: Writer;
  /** Descriptor of the class. */
  readonly owner: string;
  /** It stands where the class is initialised: fields that are declared further down are named with their class there. */
  readonly isInitialiser: boolean;
  readonly superCalls: SuperCalls;
  /** Writes an object whose class source writes where it is made. */
  readonly writeObject: (made: Call | LinkedLambda) => void;
}

export class ExpressionPrinter {
  readonly #program: Program;
  readonly #names: TypeNames;
  readonly #writer: Writer;
  readonly #owner: string;
  readonly #isInitialiser: boolean;
  readonly #superCalls: SuperCalls;
  readonly #writeObject: (made: Call | LinkedLambda) => void;
  /** Values whose type no rule could make fit. */
  unresolved = 0;

  constructor({ program, names, writer, owner, isInitialiser, superCalls, writeObject }: ExpressionPlace) {
    this.#superCalls = superCalls;
    this.#writeObject = writeObject;
    this.#program = program;
    this.#names = names;
    this.#writer = writer;
    this.#owner = owner;
    this.#isInitialiser = isInitialiser;
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
        return this.#isUpcast(expression) ? this.typeOf(expression.operand) : expression.type;
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
  #isUpcast({ type, operand, isMeant }: Expression & { kind: 'cast' }): boolean {
    if (isMeant || operand.kind === 'number' || operand.kind === 'lambda' || this.isLambda(operand)) return false;
    const have = this.typeOf(operand);
    return isReference(have) && this.#program.relations.isAssignable(have, type);
  }

  /** A value without the casts that only say what Java knows. */
  #uncast(value: Expression): Expression {
    return value.kind === 'cast' && this.#isUpcast(value) ? this.#uncast(value.operand) : value;
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
    return this.#isArrayOf(type, family) ? type.slice(1) : family;
  }

  #isArrayOf(type: string, family: string): boolean {
    if (!type.startsWith('[')) return false;
    const element = type.slice(1);
    if (family === object) return isReference(element);
    if (family === 'I') return element === 'I' || element === 'F';
    if (family === 'J') return element === 'J' || element === 'D';
    return element === family || (family === 'B' && element === 'Z');
  }

  /**
   * Writes an expression as a value of a type.
   * @param level how tightly what stands around binds
   * @param isExact the type itself is wanted, not one that Java would take for it
   */
  write(expression: Expression, wanted: string, level: number = binding.any, isExact = false): void {
    if (expression.kind === 'number') {
      this.#number(expression.value, wanted, level, isExact);
      return;
    }
    if (expression.kind === 'wide') {
      this.#wide(expression.value, wanted, level);
      return;
    }
    const lambda = this.#lambda(expression);
    if (lambda !== null && !isExact && level === binding.any && wanted === this.typeOf(lambda)) {
      this.#writer.addressed(lambda.at, () => this.#writeObject(lambda));
      return;
    }
    const have = this.typeOf(expression);
    if (have === wanted) {
      this.#plain(expression, level);
      return;
    }
    if (isReference(wanted)) {
      this.#reference(expression, have, wanted, level, isExact);
      return;
    }
    if (isReference(have)) {
      // A variable that only ever holds null stands for 0.
      this.#writer.text(wanted === 'Z' ? 'false' : '0');
      return;
    }
    if (wanted === 'Z') {
      if (!isIntegral(have)) this.unresolved++;
      this.#wrapped(level, binding['=='], () => {
        this.#plain(expression, binding['<']);
        this.#writer.text(' != 0');
      });
      return;
    }
    if (have === 'Z') {
      this.#truthAsNumber(expression, wanted, level);
      return;
    }
    this.#numeric(expression, have, wanted, level, isExact);
  }

  /** Writes a value that is assigned, given or returned as a type, where Java boxes and unboxes by itself. */
  assignedValue(expression: Expression, wanted: string): void {
    const narrow = widened(expression);
    if (narrow !== null && wanted === narrow.to) {
      this.#writer.addressed(expression.at, () => this.assignedValue(narrow.operand, narrow.from));
      return;
    }
    const converted = boxing(expression, (value) => this.typeOf(value));
    const isTaken =
      converted !== null &&
      (converted.to === wanted || (isReference(wanted) && this.#program.relations.isAssignable(converted.to, wanted)));
    if (isTaken)
      this.#writer.addressed(expression.at, () => this.write(converted.value, converted.from, binding.any, true));
    else this.write(expression, wanted);
  }

  /** Writes an operand of an operator that unboxes it. */
  #unboxed(expression: Expression, type: string, level: number): void {
    const converted = boxing(expression, (value) => this.typeOf(value));
    if (converted?.to !== type) this.write(expression, type, level);
    else this.#writer.addressed(expression.at, () => this.write(converted.value, converted.from, level, true));
  }

  /**
   * Writes one of two operands, which Java widens to the type of the other one where that is written with it.
   * https://docs.oracle.com/javase/specs/jls/se17/html/jls-5.html#jls-5.6
   */
  #promoted(operand: Expression, other: Expression, type: string, level: number, isSecond = false): void {
    const narrow = widened(operand);
    const isWide = other.kind === 'wide' || this.typeOf(other) === type;
    const isWidened = narrow !== null && narrow.to === type && isWide && (isSecond || widened(other) === null);
    if (isWidened) this.#writer.addressed(operand.at, () => this.write(narrow.operand, narrow.from, level));
    else this.#unboxed(operand, type, level);
  }

  /** Writes an expression behind a cast. */
  operand(expression: Expression, wanted: string): void {
    this.write(expression, wanted, binding.unary);
  }

  #numeric(expression: Expression, have: string, wanted: string, level: number, isExact: boolean): void {
    if (isIntegral(have) && isIntegral(wanted)) {
      if (!isExact && widening[have]?.includes(wanted)) {
        this.#plain(expression, level);
        return;
      }
      this.#cast(wanted, level, () => this.#plain(expression, binding.unary));
      return;
    }
    const bits: Record<string, string> = {
      FI: 'Float.floatToRawIntBits',
      IF: 'Float.intBitsToFloat',
      DJ: 'Double.doubleToRawLongBits',
      JD: 'Double.longBitsToDouble',
    };
    const [from, to] = [isIntegral(have) ? 'I' : have, isIntegral(wanted) ? 'I' : wanted];
    const method = bits[from + to];
    if (method === undefined) {
      this.unresolved++;
      this.#cast(wanted, level, () => this.#plain(expression, binding.unary));
      return;
    }
    const [owner, name] = method.split('.') as [string, string];
    const write = () => {
      this.#names.write(this.#writer, `Ljava/lang/${owner};`);
      this.#writer.text(`.${name}(`);
      this.#plain(expression, binding.any);
      this.#writer.text(')');
    };
    if (wanted.length === 1 && isIntegral(wanted) && wanted !== 'I') this.#cast(wanted, level, write);
    else write();
  }

  #reference(expression: Expression, have: string, wanted: string, level: number, isExact: boolean): void {
    if (!isReference(have)) {
      this.#null(wanted, level, isExact);
      return;
    }
    const { relations } = this.#program;
    if (relations.isAssignable(have, wanted)) {
      if (!isExact) {
        this.#plain(expression, level);
        return;
      }
      this.#cast(wanted, level, () => this.#plain(expression, binding.unary));
      return;
    }
    this.#cast(wanted, level, () => {
      // Types that javac knows to have nothing in common need the way over Object.
      if (!relations.isAssignable(wanted, have) && have !== object) this.#writer.text('(Object) ');
      this.#plain(expression, binding.unary);
    });
  }

  #null(wanted: string, level: number, isExact: boolean): void {
    if (isExact) this.#cast(wanted, level, () => this.#writer.text('null'));
    else this.#writer.text('null');
  }

  #cast(type: string, level: number, write: () => void): void {
    this.#wrapped(level, binding.unary, () => {
      this.#writer.text('(');
      this.#names.write(this.#writer, type);
      this.#writer.text(') ');
      write();
    });
  }

  #wrapped(level: number, own: number, write: () => void): void {
    if (own >= level) {
      write();
      return;
    }
    this.#writer.text('(');
    write();
    this.#writer.text(')');
  }

  #truthAsNumber(expression: Expression, wanted: string, level: number): void {
    const choice = () => {
      this.#writer.text('(');
      this.#plain(expression, binding['||']);
      this.#writer.text(' ? 1 : 0)');
    };
    if (wanted === 'I') {
      choice();
      return;
    }
    if (wanted === 'F') this.unresolved++;
    this.#cast(wanted, level, choice);
  }

  #number(value: number, wanted: string, level: number, isExact: boolean): void {
    if (isReference(wanted)) {
      if (value !== 0) this.unresolved++;
      this.#null(wanted, level, isExact);
      return;
    }
    switch (wanted) {
      case 'Z':
        this.#writer.text(value === 0 ? 'false' : 'true');
        return;
      case 'C':
        this.#writer.text(charLiteral(value & 0xffff));
        return;
      case 'F':
        this.#float(value, level);
        return;
      case 'J':
      case 'D':
        this.unresolved++;
        this.#wide(BigInt(value), wanted, level);
        return;
      case 'B':
      case 'S': {
        const bits = wanted === 'B' ? 24 : 16;
        const narrow = (value << bits) >> bits;
        if (isExact) {
          this.#cast(wanted, level, () => this.#int(narrow, binding.unary));
          return;
        }
        this.#int(narrow, level);
        return;
      }
      default:
        this.#int(value, level);
        return;
    }
  }

  #int(value: number, level: number): void {
    const text = value >= 0x7f010000 && value < 0x7fff0000 ? `0x${value.toString(16)}` : String(value);
    this.#signed(text, level);
  }

  #signed(text: string, level: number): void {
    if (text.startsWith('-')) this.#wrapped(level, binding.unary, () => this.#writer.text(text));
    else this.#writer.text(text);
  }

  #float(bits: number, level: number): void {
    const value = new Float32Array(Int32Array.of(bits).buffer)[0]!;
    if (Number.isNaN(value) && bits !== 0x7fc00000) {
      this.#names.write(this.#writer, 'Ljava/lang/Float;');
      this.#writer.text(`.intBitsToFloat(${bits})`);
      return;
    }
    if (!Number.isFinite(value)) {
      this.#special(value, 'Float');
      return;
    }
    for (let digits = 1; digits < 10; digits++) {
      const text = Number(value.toPrecision(digits));
      if (Math.fround(text) === value || digits === 9) {
        this.#signed(`${decimal(text, value)}f`, level);
        return;
      }
    }
  }

  #special(value: number, owner: 'Float' | 'Double'): void {
    const name = Number.isNaN(value) ? 'NaN' : value > 0 ? 'POSITIVE_INFINITY' : 'NEGATIVE_INFINITY';
    this.#names.write(this.#writer, `Ljava/lang/${owner};`);
    this.#writer.text(`.${name}`);
  }

  #wide(value: bigint, wanted: string, level: number): void {
    if (wanted !== 'D') {
      if (wanted !== 'J') this.unresolved++;
      this.#signed(`${value}L`, level);
      return;
    }
    const number = new Float64Array(BigInt64Array.of(value).buffer)[0]!;
    if (Number.isNaN(number) && value !== 0x7ff8000000000000n) {
      this.#names.write(this.#writer, 'Ljava/lang/Double;');
      this.#writer.text(`.longBitsToDouble(${value}L)`);
      return;
    }
    if (!Number.isFinite(number)) {
      this.#special(number, 'Double');
      return;
    }
    this.#signed(`${decimal(number, number)}d`.replace(/(\.\d+)d$/, '$1'), level);
  }

  #plain(expression: Expression, level: number): void {
    const writer = this.#writer;
    switch (expression.kind) {
      case 'number':
      case 'wide':
        this.write(expression, expression.kind === 'number' ? 'I' : 'J', level);
        return;
      case 'string':
        writer.addressed(expression.at, () => writer.text(stringLiteral(expression.value)));
        return;
      case 'class':
        this.#names.write(writer, expression.type);
        writer.text('.class');
        return;
      case 'local':
        writer.local(expression.local);
        return;
      case 'negation':
        this.#wrapped(level, binding.unary, () => {
          writer.text(expression.operator);
          this.write(expression.operand, expression.type, binding.postfix);
        });
        return;
      case 'arithmetic':
        this.#arithmetic(expression, level);
        return;
      case 'comparison':
        this.#comparison(expression);
        return;
      case 'conversion':
        this.#cast(expression.to, level, () => this.write(expression.operand, expression.from, binding.unary));
        return;
      case 'cast':
        if (this.#isUpcast(expression)) this.#plain(expression.operand, level);
        else this.#checkCast(expression, level);
        return;
      case 'instanceof':
        this.#instanceOf(expression, level);
        return;
      case 'choice':
        this.#wrapped(level, binding.choice, () => {
          this.write(expression.condition, 'Z', binding['||']);
          writer.text(' ? ');
          this.#chosen(expression.yes, expression.type, level);
          writer.text(' : ');
          this.#chosen(expression.no, expression.type, level);
        });
        return;
      default:
        this.#access(expression, level);
        return;
    }
  }

  /** One side of a choice. Java would unbox numbers of two classes, and type a choice within an expression by itself. */
  #chosen(side: Expression, type: string, level: number): void {
    const isExact = level > binding.any || !isReference(type) || isBox(this.typeOf(side));
    this.write(side, type, binding['||'], isExact);
  }

  #access(expression: Expression, level: number): void {
    const writer = this.#writer;
    switch (expression.kind) {
      case 'field':
        writer.addressed(expression.at, () => this.#field(expression));
        return;
      case 'element': {
        const { array, index, family } = expression;
        const type = this.typeOf(array);
        // `new char[1][0]` would be an array of arrays.
        const isNew = array.kind === 'new-array';
        if (isNew) writer.text('(');
        if (this.#isArrayOf(type, family)) this.write(array, type, binding.postfix);
        else this.write(array, `[${family}`, binding.postfix, true);
        if (isNew) writer.text(')');
        writer.text('[');
        this.write(index, 'I');
        writer.text(']');
        return;
      }
      case 'length':
        this.#length(expression.array);
        return;
      case 'new-array':
        this.#newArray(expression.type, expression.size);
        return;
      case 'array':
        writer.text('new ');
        this.#names.write(writer, expression.type);
        this.items(expression);
        return;
      case 'call':
        writer.addressed(expression.at, () => this.#call(expression, level));
        return;
      case 'lambda':
        this.#wrapped(level, binding.unary, () => {
          writer.text('(');
          for (const [index, type] of [expression.type, ...expression.markers].entries()) {
            if (index > 0) writer.text(' & ');
            this.#names.write(writer, type);
          }
          writer.text(') ');
          writer.addressed(expression.at, () => this.#writeObject(expression));
        });
        return;
      case 'relation':
        this.#relation(expression, level);
        return;
      case 'not':
        this.#not(expression.operand, level);
        return;
      case 'truth':
        // At any level it may be an argument, by which Java chooses a method.
        if (level > binding.any) this.#unboxed(expression.operand, 'Z', level);
        else this.write(expression.operand, 'Z', level);
        return;
      case 'junction': {
        const own = binding[expression.operator];
        this.#wrapped(level, own, () => {
          this.write(expression.left, 'Z', own);
          writer.text(` ${expression.operator} `);
          // It does not matter which two are joined first.
          this.write(expression.right, 'Z', isJunctionOf(expression.right, expression.operator) ? own : own + 1);
        });
        return;
      }
    }
  }

  #not(operand: Expression, level: number): void {
    let inner = operand;
    while (inner.kind === 'truth' && this.typeOf(inner.operand) === 'Z') inner = inner.operand;
    const turned = negated(inner);
    if (turned.kind !== 'not') {
      this.write(turned, 'Z', level);
      return;
    }
    this.#wrapped(level, binding.unary, () => {
      this.#writer.text('!');
      this.write(inner, 'Z', binding.postfix);
    });
  }

  /** What is joined to a text that is changed. */
  added(pieces: readonly Piece[]): void {
    this.#writer.text(' += ');
    const [first] = pieces as [Piece];
    if (pieces.length > 1) this.#concatenation(pieces, binding.any);
    else this.write(first.value, first.type, binding.any, !isReference(first.type));
  }

  #concatenation(pieces: readonly Piece[], level: number): void {
    const isText = pieces.slice(0, 2).some(({ type }) => type === string);
    this.#wrapped(level, binding['+'], () => {
      if (!isText) this.#writer.text('"" + ');
      for (const [index, { value, type }] of pieces.entries()) {
        if (index > 0) this.#writer.text(' + ');
        this.write(value, type, binding['+'] + 1, !isReference(type));
      }
    });
  }

  /** The elements of an array in braces. */
  items({ type, items }: Expression & { kind: 'array' }): void {
    this.#writer.text('{');
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#writer.text(', ');
      if (item.kind === 'array' && item.type === type.slice(1)) this.#writer.addressed(item.at, () => this.items(item));
      else this.assignedValue(item, type.slice(1));
    }
    this.#writer.text('}');
  }

  #arithmetic({ operator, type, left, right }: Expression & { kind: 'arithmetic' }, level: number): void {
    const own = levels[operator]!;
    const isShift = own === binding['<<'];
    const isBoolean =
      type === 'I' &&
      '&|^'.includes(operator) &&
      this.typeOf(left) === 'Z' &&
      left.kind !== 'number' &&
      this.typeOf(right) === 'Z' &&
      right.kind !== 'number';
    const write = () =>
      this.#wrapped(level, own, () => {
        if (isShift) this.#unboxed(left, type, own);
        else this.#promoted(left, right, type, own);
        this.#writer.text(` ${operator} `);
        if (isShift) this.#unboxed(right, 'I', own + 1);
        // How far a letter is from another one.
        else if (
          operator === '-' &&
          right.kind === 'number' &&
          this.typeOf(left) === 'C' &&
          isLetterOrDigit(right.value)
        )
          this.write(right, 'C', own + 1);
        // A mask that clears some bits.
        else if (operator === '&' && right.kind === 'number' && right.value < -1) this.#writer.text(`~${~right.value}`);
        else this.#promoted(right, left, type, own + 1, true);
      });
    if (!isBoolean) {
      write();
      return;
    }
    this.#writer.text('(');
    this.#wrapped(binding['||'], own, () => {
      this.write(left, 'Z', own);
      this.#writer.text(` ${operator} `);
      this.write(right, 'Z', own + 1);
    });
    this.#writer.text(' ? 1 : 0)');
  }

  #comparison({ type, unordered, left, right }: Expression & { kind: 'comparison' }): void {
    const writer = this.#writer;
    if (type === 'J') {
      this.#names.write(writer, 'Ljava/lang/Long;');
      writer.text('.compare(');
      this.write(left, 'J');
      writer.text(', ');
      this.write(right, 'J');
      writer.text(')');
      return;
    }
    const relation = (operator: string) => {
      this.write(left, type, binding['<']);
      writer.text(` ${operator} `);
      this.write(right, type, binding['<<']);
    };
    writer.text('(');
    relation(unordered < 0 ? '>' : '<');
    writer.text(unordered < 0 ? ' ? 1 : ' : ' ? -1 : ');
    relation('==');
    writer.text(unordered < 0 ? ' ? 0 : -1)' : ' ? 0 : 1)');
  }

  #checkCast({ type, operand }: Expression & { kind: 'cast' }, level: number): void {
    const have = this.typeOf(operand);
    const { relations } = this.#program;
    if (have === type && this.isLambda(operand)) {
      this.#plain(operand, level);
      return;
    }
    this.#cast(type, level, () => {
      if (operand.kind === 'number') return this.#writer.text('null');
      const isNear = relations.isAssignable(have, type) || relations.isAssignable(type, have);
      const isCalledAs = operand.kind === 'call' && isPolymorphic(operand.owner, operand.name);
      if (!isNear && !isCalledAs && isReference(have)) this.#writer.text('(Object) ');
      this.#plain(operand, binding.unary);
    });
  }

  #instanceOf({ type, operand }: Expression & { kind: 'instanceof' }, level: number): void {
    const have = this.typeOf(operand);
    this.#wrapped(level, binding['<'], () => {
      if (operand.kind === 'number') this.#writer.text('(Object) null');
      else if (have === object || this.#program.relations.isAssignable(type, have)) this.#plain(operand, binding['<<']);
      else {
        this.#writer.text('(Object) ');
        this.#plain(operand, binding.unary);
      }
      this.#writer.text(' instanceof ');
      this.#names.write(this.#writer, type);
    });
  }

  #relation({ operator, type, left, right }: Expression & { kind: 'relation' }, level: number): void {
    const own = levels[operator]!;
    this.#wrapped(level, own, () => {
      if (!isReference(type)) {
        const isBoxed = (side: Expression) => boxing(side, (value) => this.typeOf(value)) !== null;
        const letter = (side: Expression, other: Expression) =>
          side.kind === 'number' && this.typeOf(other) === 'C' && isLetter(side.value);
        if (letter(left, right) || letter(right, left)) {
          this.write(left, 'C', own);
          this.#writer.text(` ${operator} `);
          this.write(right, 'C', own + 1);
          return;
        }
        // Two objects would be told apart as such.
        const isKept = own === binding['=='] && isBoxed(left) && isBoxed(right);
        if (isKept) this.write(left, type, own);
        else this.#promoted(left, right, type, own);
        this.#writer.text(` ${operator} `);
        if (isKept) this.write(right, type, own + 1);
        else this.#promoted(right, left, type, own + 1, true);
        return;
      }
      const [a, b] = [left, right].map((side) => (side.kind === 'number' ? null : this.typeOf(side))) as [
        string | null,
        string | null,
      ];
      const { relations } = this.#program;
      const isNear = a === null || b === null || relations.isAssignable(a, b) || relations.isAssignable(b, a);
      this.#compared(left, isNear ? null : object, own);
      this.#writer.text(` ${operator} `);
      this.#compared(right, null, own + 1);
    });
  }

  #compared(side: Expression, as: string | null, level: number): void {
    if (side.kind === 'number' || !isReference(this.typeOf(side))) this.#writer.text('null');
    else if (as === null) this.#plain(side, level);
    else this.write(side, as, level, true);
  }

  #length(array: Expression): void {
    const type = this.typeOf(array);
    if (type.startsWith('[')) {
      this.write(array, type, binding.postfix);
      this.#writer.text('.length');
      return;
    }
    // An array whose elements are not read.
    this.#writer.text('java.lang.reflect.Array.getLength(');
    this.write(array, object);
    this.#writer.text(')');
  }

  #newArray(type: string, size: Expression): void {
    const element = type.replace(/^\[+/, '');
    this.#writer.text('new ');
    this.#names.write(this.#writer, element);
    this.#writer.text('[');
    this.write(size, 'I');
    this.#writer.text(`]${'[]'.repeat(type.length - element.length - 1)}`);
  }

  isLambda(expression: Expression): boolean {
    return this.#lambda(expression) !== null;
  }

  /** What makes an object that source says as a lambda: its class may keep the only one in a field. */
  #lambda(expression: Expression): Call | null {
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

  #field(field: Expression & { kind: 'field' }): void {
    const { owner, name, type, object: of } = field;
    const symbol = `${owner}->${name}:${type}`;
    const lambda = of === null ? this.#lambda(field) : null;
    if (lambda !== null) {
      this.#call(lambda, binding.postfix);
      return;
    }
    if (of === null && this.#program.isValuesField(owner, name, type)) {
      this.#names.write(this.#writer, owner);
      this.#writer.text('.values()');
      return;
    }
    const holder = this.#program.fieldOwner(owner, name, type);
    if (of !== null) this.#receiver(of, holder, this.#isHidden(of, holder, name));
    else if (!this.#isOwn(holder)) this.#names.write(this.#writer, holder);
    if (of !== null || !this.#isOwn(holder)) this.#writer.text('.');
    this.#writer.symbol(this.#program.fieldName(owner, name, type), symbol);
  }

  /** Whether members of a class have no need of its name. */
  #isOwn(owner: string): boolean {
    return owner === this.#owner && !this.#isInitialiser;
  }

  /** Whether a class below the field's own has another of this name, or does not inherit it. */
  #isHidden(of: Expression, owner: string, name: string): boolean {
    if (this.typeOf(of) !== owner && this.#program.isPrivateField(owner, name)) return true;
    for (let at: string | null = this.typeOf(of); at !== null && at !== owner; ) {
      const known = this.#program.classOf(at);
      if (known === null) return false;
      const { dex, data } = known;
      if ([...data.instanceFields, ...data.staticFields].some(({ fieldIndex }) => dex.fieldName(fieldIndex) === name))
        return true;
      at = this.#program.relations.factsOf(at)?.superclass ?? null;
    }
    return false;
  }

  #receiver(of: Expression, owner: string, isExact: boolean): void {
    if (of.kind === 'number') this.#cast(owner, binding.postfix, () => this.#writer.text('null'));
    else this.write(of, owner, binding.postfix, isExact);
  }

  #relationOwner(call: Call): string {
    return this.#program.relations.factsOf(call.owner)?.isInterface ? call.owner : '';
  }

  #call(call: Call, level: number): void {
    const { how, owner, name, parameters, values, object: of } = call;
    const writer = this.#writer;
    const symbol = `${owner}->${name}(${parameters.join('')})${how === 'new' ? 'V' : call.returns}`;
    const pieces = concatenation(call);
    if (pieces !== null) {
      this.#concatenation(pieces, level);
      return;
    }
    if ((how === 'new' || how === 'constructor') && innerClasses.has(owner) && values.length > 0) {
      this.#wrapped(level, binding.postfix, () => {
        this.#receiver(values[0]!, owner.replace(/\$[^$]*$/, ';'), false);
        writer.text('.').symbol(how === 'new' ? 'new' : 'super', symbol);
        if (how === 'new') writer.text(` ${owner.slice(owner.lastIndexOf('$') + 1, -1)}`);
        this.arguments(call, 1);
      });
      return;
    }
    const shape = how === 'new' ? this.#program.local.of(owner) : null;
    const inner = shape === null && (how === 'new' || how === 'constructor') ? this.#program.inner.of(owner) : null;
    if (inner !== null) {
      this.#wrapped(level, binding.postfix, () => this.#ofInner(call, inner.outer, symbol));
      return;
    }
    if (shape?.kind === 'lambda') {
      this.#cast(shape.above, level, () => this.#writeObject(call));
      return;
    }
    if (shape !== null) {
      this.#wrapped(level, binding.postfix, () => this.#writeObject(call));
      return;
    }
    if (how === 'new') {
      this.#wrapped(level, binding.postfix, () => {
        writer.symbol('new', symbol).text(' ');
        this.#names.write(writer, owner);
        this.arguments(call);
      });
      return;
    }
    if (how === 'constructor') {
      if (values.length === 0 && owner === object) {
        writer.text('super()');
        return;
      }
      writer.symbol(owner === this.#owner ? 'this' : 'super', symbol);
      this.arguments(call);
      return;
    }
    if (this.#isPlainCall(call)) {
      this.#named(call, symbol);
      return;
    }
    if (how === 'static') this.#names.write(writer, owner);
    else if (how === 'super' && !isThis(of!)) {
      this.#superCalls.add(this.#owner, call);
      this.#receiver(of!, this.#owner, true);
      writer
        .text('.')
        .symbol(`super$${this.#program.methodName(owner, name, symbol.slice(symbol.indexOf('(')))}`, symbol);
      this.arguments(call);
      return;
    } else if (how === 'super') {
      const from = this.#relationOwner(call);
      if (from !== '') {
        this.#names.write(writer, from);
        writer.text('.');
      }
      writer.text('super');
    } else if (this.#isEnumCompare(call)) {
      this.#cast('Ljava/lang/Enum;', binding.postfix, () => this.#plain(of!, binding.unary));
    } else this.#receiver(of!, owner.startsWith('[') ? this.typeOf(of!) : owner, this.#isExactReceiver(call));
    writer.text('.');
    this.#named(call, symbol);
  }

  /** Makes an object of an inner class, or calls a constructor of one, for the object around that is its first argument. */
  #ofInner(call: Call, outer: string, symbol: string): void {
    const { how, owner, values } = call;
    const writer = this.#writer;
    const isImplied = owner === this.#owner && how === 'constructor' ? true : this.#isImplied(values[0]!, outer, how);
    if (!isImplied) {
      this.#receiver(values[0]!, outer, this.typeOf(values[0]!) !== outer);
      writer.text('.');
    }
    if (how === 'constructor') writer.symbol(owner === this.#owner ? 'this' : 'super', symbol);
    else {
      writer.symbol('new', symbol).text(' ');
      if (isImplied) this.#names.write(writer, owner);
      else writer.symbol(this.#program.simpleName(owner), owner);
    }
    this.arguments(call, 1);
  }

  /** Whether the object around is the one that Java takes by itself: the innermost of a class that has the inner one as a member. */
  #isImplied(value: Expression, outer: string, how: Call['how']): boolean {
    if (value.kind !== 'local' || value.local.type !== outer) return false;
    if (value.local.role === 'this') return how === 'new' && this.#owner === outer;
    if (!isAround(value.local)) return false;
    const { relations } = this.#program;
    let at = how === 'new' ? this.#owner : this.#program.outerOf(this.#owner);
    while (at !== null && at !== outer && !relations.isAssignable(at, outer)) at = this.#program.outerOf(at);
    return at === outer;
  }

  #named(call: Call, symbol: string): void {
    const { owner, name, parameters, returns } = call;
    this.#writer.symbol(this.#program.methodName(owner, name, `(${parameters.join('')})${returns}`), symbol);
    this.arguments(call);
  }

  /** Whether a method is found by its name alone: it is the class's own, or called of `this`. `yield` by itself is a statement. */
  #isPlainCall(call: Call): boolean {
    const { how, owner, name, object: of } = call;
    if (how === 'super' || name === 'yield') return false;
    if (of === null) return this.#isOwn(owner);
    return isThis(of) && !this.#isEnumCompare(call) && !this.#isExactReceiver(call) && this.#isTakenFor(of, owner);
  }

  #isTakenFor(of: Expression, owner: string): boolean {
    return this.#program.relations.isAssignable(this.typeOf(of), owner);
  }

  /** Java takes the parameter for one of the enum's own class. */
  #isEnumCompare({ name, parameters, object: of }: Call): boolean {
    return (
      name === 'compareTo' &&
      (parameters[0] === 'Ljava/lang/Enum;' || parameters[0] === object) &&
      this.#program.relations.isAssignable(this.typeOf(of!), 'Ljava/lang/Enum;')
    );
  }

  /** Private methods are not found through a class below. */
  #isExactReceiver({ how, owner, object: of }: Call): boolean {
    const have = this.typeOf(of!);
    if (have === owner) return false;
    return how === 'direct';
  }

  /** The values of a call in parentheses, so that no other method of the name can be meant. */
  arguments(call: Call, from = 0): void {
    const { owner, name, parameters, values, how, object: of } = call;
    const called = how === 'new' || how === 'constructor' ? '<init>' : name;
    // Java looks in the class that the receiver has in the source.
    const receiver = of === null || !isReference(this.typeOf(of)) ? owner : this.typeOf(of);
    const mode = this.#argumentMode(call, called, receiver);
    const spread = gatheredValues(this.#program, call, receiver, (value) => this.typeOf(value));
    this.#writer.text('(');
    const count = spread === null ? values.length : values.length - 1;
    for (let index = from; index < count; index++) {
      if (index > from) this.#writer.text(', ');
      const [value, type] = [values[index]!, parameters[index]!];
      const isExact = mode === 'cast' || !this.#isTaken(value, type) || this.#isInferred(owner, of, value);
      if (mode === 'cast' && type === object && this.#isGiven(value))
        this.#cast(type, binding.any, () => this.#plain(value, binding.unary));
      else if (mode === 'alone' && !isExact) this.assignedValue(value, type);
      else this.write(value, type, binding.any, isExact);
    }
    for (const [index, item] of (spread ?? []).entries()) {
      if (index + count > from) this.#writer.text(', ');
      const element = parameters.at(-1)!.slice(1);
      if (this.#isTaken(item, element)) this.assignedValue(item, element);
      else this.write(item, element, binding.any, true);
    }
    this.#writer.text(')');
  }

  /** How Java is made to choose the called method: it is the only one, it is chosen for the values as they are, or by casts. */
  #argumentMode({ owner, parameters, values }: Call, called: string, receiver: string): 'alone' | 'chosen' | 'cast' {
    let isAlone = true;
    for (const type of owner === receiver ? [owner] : [owner, receiver]) {
      const others = rivals(this.#program, called, type, parameters);
      if (others === null) return 'cast';
      if (others.size === 0) continue;
      isAlone = false;
      const given = values.map((value, index) => this.#given(value, parameters[index]!));
      if (!isChosen(this.#program, parameters, others, given)) return 'cast';
    }
    return isAlone ? 'alone' : 'chosen';
  }

  /** Whether Java may know more of an object than that it is one: from a generic method of the platform. */
  #isGiven(value: Expression): boolean {
    const call = this.#uncast(value);
    return (
      call.kind === 'call' &&
      call.how === 'static' &&
      call.returns === object &&
      this.#program.classOf(call.owner) === null
    );
  }

  /** What Java takes a value for that is written as one of a type, with a cast where it must have one. */
  #given(value: Expression, wanted: string): Given {
    const typed = (type: string): Given => ({ type, kind: 'typed' });
    if (value.kind === 'number') return isReference(wanted) ? { type: wanted, kind: 'null' } : typed(wanted);
    if (value.kind === 'wide') return typed(wanted);
    if (value.kind === 'cast' && this.#isUpcast(value)) return this.#given(this.#uncast(value), wanted);
    const have = this.typeOf(value);
    if (!isReference(wanted)) return typed(widening[have]?.includes(wanted) ? have : wanted);
    if (!isReference(have)) return { type: wanted, kind: 'null' };
    if (this.isLambda(value) && have === wanted) return { type: have, kind: 'lambda' };
    if (!this.#program.relations.isAssignable(have, wanted)) return typed(wanted);
    const isCall = value.kind === 'call' && value.how !== 'new';
    const isOpen = isCall || value.kind === 'choice' || value.kind === 'field' || value.kind === 'element';
    return { type: have, kind: isOpen ? 'open' : 'typed' };
  }

  /** Whether Java may know more of what a lambda takes and gives than its interface says: from a generic method of the platform. */
  #isInferred(owner: string, of: Expression | null, value: Expression): boolean {
    if (this.#program.classOf(owner) !== null || !this.isLambda(value)) return false;
    if (!this.#program.local.isAskedForObjects((value as Call).owner)) return false;
    for (let at = of; at !== null; ) {
      if (at.kind === 'local' || at.kind === 'cast') return false;
      if (at.kind !== 'call') return at.kind !== 'field' || this.#program.classOf(at.owner) === null;
      if (at.how === 'new' || this.#program.classOf(at.owner) !== null) return false;
      if (!at.owner.startsWith('Ljava/util/')) return true;
      at = at.object;
    }
    return true;
  }

  /** Whether Java takes a constant for a parameter: it narrows none for a call. */
  #isTaken(value: Expression, type: string): boolean {
    return value.kind !== 'number' || (type !== 'B' && type !== 'S');
  }
}

/** Where a value is widened to another type. https://docs.oracle.com/javase/specs/jls/se17/html/jls-5.html#jls-5.1.2 */
const widened = (value: Expression): (Expression & { kind: 'conversion' }) | null =>
  value.kind === 'conversion' && widerTypes[value.from]?.includes(value.to) ? value : null;

/** The value that a call of a generic method gives back as what it is. */
function handedBack({ how, owner, name, parameters, values }: Call): Expression | null {
  if (how !== 'static' || owner !== 'Ljava/util/Objects;' || name !== 'requireNonNull') return null;
  const isSaid = parameters.length === 1 || (parameters[1] === string && values[1]!.kind !== 'number');
  return isSaid && values[0]!.kind !== 'choice' ? values[0]! : null;
}

/** Whether a number is that of a character which is seen. */
const isLetter = (value: number): boolean => (value >= 0x20 && value < 0x7f) || value === 0x0a;

const isLetterOrDigit = (value: number): boolean => /^[\dA-Za-z]$/.test(String.fromCharCode(value));

const isJunctionOf = (expression: Expression, operator: '&&' | '||'): boolean =>
  (expression.kind === 'junction' && expression.operator === operator) ||
  (expression.kind === 'truth' && isJunctionOf(expression.operand, operator));

const isThis = (of: Expression): boolean => of.kind === 'local' && of.local.role === 'this';

function decimal(shortest: number, exact: number): string {
  const text = Object.is(exact, -0) ? '-0.0' : String(shortest).replace('e+', 'E').replace('e', 'E');
  if (text.includes('.') || text.includes('E')) return text;
  return `${text}.0`;
}
