// Writes expressions as Java, each with the casts that make it what its place wants. Knows no statements.

import type { GenericType } from '../../code/types/generic-signatures.ts';
import type { Variables } from '../../code/types/generic-types.ts';
import { isIntegral } from '../../code/types/variable-types.ts';
import { isReference } from '../../code/values/operands.ts';
import { tested } from '../expressions/comparisons.ts';
import type { Call, Expression, LinkedLambda, Statement } from '../expressions/tree.ts';
import { Typing } from '../generics/typing.ts';
import { boxing, isBox } from '../language/boxing.ts';
import { writeElement, writeItems, writeLength, writeNewArray } from './arrays.ts';
import { writeCall } from './calls.ts';
import { widened, writeAsReference, writeConverted, writeTruthAsNumber, writeUnboxed } from './conversions.ts';
import { ExpressionTypes } from './expression-types.ts';
import { writeField } from './field-accesses.ts';
import { stringLiteral } from './identifiers.ts';
import { writeNumber, writeWide } from './literals.ts';
import {
  writeArithmetic,
  writeCheckCast,
  writeComparison,
  writeInstanceOf,
  writeJunction,
  writeNegated,
  writeRelation,
} from './operators.ts';
import { binding } from './precedence.ts';
import type { Program } from './program.ts';
import type { SuperCalls } from './super-calls.ts';
import type { TypeNames } from './type-names.ts';
import type { Writer } from './writer.ts';

export interface ExpressionPlace {
  readonly program: Program;
  readonly names: TypeNames;
  readonly writer: Writer;
  /** Descriptor of the class. */
  readonly owner: string;
  /** It stands where the class is initialised: fields that are declared further down are named with their class there. */
  readonly isInitialiser: boolean;
  /** Type variables in sight. */
  readonly variables: Variables;
  readonly superCalls: SuperCalls;
  /** Writes an object whose class source writes where it is made. */
  readonly writeObject: (made: Call | LinkedLambda) => void;
}

export class ExpressionPrinter {
  readonly program: Program;
  readonly names: TypeNames;
  readonly writer: Writer;
  readonly owner: string;
  readonly isInitialiser: boolean;
  readonly superCalls: SuperCalls;
  readonly writeObject: (made: Call | LinkedLambda) => void;
  readonly types: ExpressionTypes;
  readonly typing: Typing;
  /** Values whose type no rule could make fit. */
  unresolved = 0;
  /** Variables that tests declare. */
  readonly declared = new Map<Expression, Statement & { kind: 'set' }>();

  constructor({ program, names, writer, owner, isInitialiser, superCalls, writeObject, variables }: ExpressionPlace) {
    this.superCalls = superCalls;
    this.writeObject = writeObject;
    this.program = program;
    this.names = names;
    this.writer = writer;
    this.owner = owner;
    this.isInitialiser = isInitialiser;
    this.types = new ExpressionTypes(program);
    const moved = (from: Expression, to: Expression) => {
      const declaration = this.declared.get(from);
      if (declaration !== undefined) this.declared.set(to, declaration);
    };
    this.typing = new Typing({ program, types: this.types, owner, variables, moved });
  }

  /**
   * Writes an expression as a value of a type.
   * @param level how tightly what stands around binds
   * @param isExact the type itself is wanted, not one that Java would take for it
   */
  write(expression: Expression, wanted: string, level: number = binding.any, isExact = false): void {
    if (expression.kind === 'number') {
      writeNumber(this, expression.value, wanted, level, isExact);
      return;
    }
    if (expression.kind === 'wide') {
      writeWide(this, expression.value, wanted, level);
      return;
    }
    const lambda = this.types.lambda(expression);
    const isAsked = lambda !== null && !isExact && level === binding.any;
    if (isAsked && this.program.local.typeOf(wanted) === this.types.typeOf(lambda)) {
      this.writer.addressed(lambda.at, () => this.writeObject(lambda));
      return;
    }
    const have = this.types.typeOf(expression);
    if (have === wanted) {
      this.plain(expression, level);
      return;
    }
    if (isReference(wanted)) {
      writeAsReference(this, expression, have, wanted, level, isExact);
      return;
    }
    if (isReference(have)) {
      // A variable that only ever holds null stands for 0.
      this.writer.text(wanted === 'Z' ? 'false' : '0');
      return;
    }
    if (wanted === 'Z') {
      if (!isIntegral(have)) this.unresolved++;
      this.wrapped(level, binding['=='], () => {
        this.plain(expression, binding['<']);
        this.writer.text(' != 0');
      });
      return;
    }
    if (have === 'Z') {
      writeTruthAsNumber(this, expression, wanted, level);
      return;
    }
    writeConverted(this, expression, have, wanted, level, isExact);
  }

  /** Writes a value that is assigned, given or returned as a type, where Java boxes and unboxes by itself. */
  assignedValue(expression: Expression, wanted: string): void {
    const narrow = widened(expression);
    if (narrow !== null && wanted === narrow.to) {
      this.writer.addressed(expression.at, () => this.assignedValue(narrow.operand, narrow.from));
      return;
    }
    const converted = boxing(expression, (value) => this.types.typeOf(value));
    const isTaken =
      converted !== null &&
      (converted.to === wanted || (isReference(wanted) && this.program.relations.isAssignable(converted.to, wanted)));
    if (isTaken)
      this.writer.addressed(expression.at, () => this.write(converted.value, converted.from, binding.any, true));
    else this.write(expression, wanted);
  }

  /** Writes an expression behind a cast. */
  operand(expression: Expression, wanted: string): void {
    this.write(expression, wanted, binding.unary);
  }

  /** Writes a cast, and what it is of. */
  cast(type: string, level: number, write: () => void): void {
    this.wrapped(level, binding.unary, () => {
      this.writer.text('(');
      this.names.write(this.writer, type);
      this.writer.text(') ');
      write();
    });
  }

  /** Writes a cast to a generic type, and what it is of. */
  castTo(type: GenericType, level: number, write: () => void): void {
    this.wrapped(level, binding.unary, () => {
      this.writer.text('(');
      this.names.writeGeneric(this.writer, type);
      this.writer.text(') ');
      write();
    });
  }

  /** Writes in parentheses what binds more loosely than its place asks for. */
  wrapped(level: number, own: number, write: () => void): void {
    if (own >= level) {
      write();
      return;
    }
    this.writer.text('(');
    write();
    this.writer.text(')');
  }

  /** Writes the object that a member belongs to. */
  receiver(of: Expression, owner: string, isExact: boolean): void {
    if (of.kind === 'number') this.cast(owner, binding.postfix, () => this.writer.text('null'));
    else this.write(of, owner, binding.postfix, isExact);
  }

  /** Whether members of a class have no need of its name. */
  isOwn(owner: string): boolean {
    return owner === this.owner && (!this.isInitialiser || this.program.isConstantBody(owner));
  }

  /** Writes an expression as what it is. */
  plain(expression: Expression, level: number): void {
    const writer = this.writer;
    switch (expression.kind) {
      case 'number':
      case 'wide':
        this.write(expression, expression.kind === 'number' ? 'I' : 'J', level);
        return;
      case 'string':
        writer.addressed(expression.at, () => writer.text(stringLiteral(expression.value)));
        return;
      case 'class':
        this.names.write(writer, expression.type);
        writer.text('.class');
        return;
      case 'local':
        writer.local(expression.local);
        return;
      case 'negation':
        this.wrapped(level, binding.unary, () => {
          writer.text(expression.operator);
          this.write(expression.operand, expression.type, binding.postfix);
        });
        return;
      case 'arithmetic':
        writeArithmetic(this, expression, level);
        return;
      case 'comparison':
        writeComparison(this, expression);
        return;
      case 'conversion':
        this.cast(expression.to, level, () => this.write(expression.operand, expression.from, binding.unary));
        return;
      case 'cast':
        if (this.types.isUpcast(expression)) this.plain(expression.operand, level);
        else writeCheckCast(this, expression, level);
        return;
      case 'instanceof':
        writeInstanceOf(this, expression, level);
        return;
      case 'choice':
        this.wrapped(level, binding.choice, () => {
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
    const have = this.types.typeOf(side);
    const isExact = level > binding.any || !isReference(type) || isBox(have);
    // A choice in it is asked for the same.
    if (!isExact && side.kind === 'choice' && have === type) {
      this.writer.text('(');
      this.plain(side, binding.any);
      this.writer.text(')');
    } else this.write(side, type, binding['||'], isExact);
  }

  #access(expression: Expression, level: number): void {
    const writer = this.writer;
    switch (expression.kind) {
      case 'field':
        writer.addressed(expression.at, () => writeField(this, expression));
        return;
      case 'element':
        writeElement(this, expression);
        return;
      case 'length':
        writeLength(this, expression.array);
        return;
      case 'new-array':
        writeNewArray(this, expression.type, expression.size);
        return;
      case 'array':
        writer.text('new ');
        this.names.write(writer, expression.type);
        writeItems(this, expression);
        return;
      case 'call':
        writer.addressed(expression.at, () => writeCall(this, expression, level));
        return;
      case 'lambda':
        this.wrapped(level, binding.unary, () => {
          writer.text('(');
          for (const [index, type] of [expression.type, ...expression.markers].entries()) {
            if (index > 0) writer.text(' & ');
            this.names.write(writer, type);
          }
          writer.text(') ');
          writer.addressed(expression.at, () => this.writeObject(expression));
        });
        return;
      case 'relation':
        if (expression.left.kind === 'comparison' && expression.right.kind === 'number' && expression.right.value === 0)
          this.write(tested(expression.left, expression.operator), 'Z', level);
        else writeRelation(this, expression, level);
        return;
      case 'not':
        writeNegated(this, expression.operand, level);
        return;
      case 'truth':
        // At any level it may be an argument, by which Java chooses a method.
        if (level > binding.any) writeUnboxed(this, expression.operand, 'Z', level);
        else this.write(expression.operand, 'Z', level);
        return;
      case 'junction':
        writeJunction(this, expression, level);
        return;
    }
  }
}
