// Writes statements as Java. Knows no classes.
import type { GenericType } from '../../code/types/generic-signatures.ts';
import { isGeneric, plainType } from '../../code/types/generic-types.ts';
import { isReference, object, throwable } from '../../code/values/operands.ts';
import type { Catch, Expression, Label, Local, Statement } from '../expressions/tree.ts';
import { addedText, concatenation, type Piece, string } from '../language/concatenation.ts';
import { type Change, changedField, changedLocal, countedLoop } from '../language/counting.ts';
import { type EachLoop, eachLoop } from '../language/for-each.ts';
import { patternBehind, patternIf } from '../language/type-patterns.ts';
import type { WorkLimit } from '../limits.ts';
import { caughtTypes } from '../structure/walk.ts';
import { writeItems } from './arrays.ts';
import type { CheckedExceptions } from './exceptions.ts';
import { type ExpressionPlace, ExpressionPrinter } from './expressions.ts';
import { commentText, stringLiteral } from './identifiers.ts';
import { writeAdded } from './operators.ts';

const iterable = 'Ljava/lang/Iterable;';

export interface BodyPlace extends ExpressionPlace {
  readonly work: WorkLimit;
  readonly exceptions: CheckedExceptions;
  /** Descriptor of what the method returns. */
  readonly returns: string;
  /** The same as it is declared, where that says more. */
  readonly generic: GenericType | null;
  /** What its head says that it throws. */
  readonly thrown: readonly string[];
  /** How many bodies of lambdas are around. */
  readonly depth: number;
  /** Notes that the file needs the method that throws what javac would not let it. */
  readonly sneak: () => string;
}

export class StatementPrinter {
  readonly expressions: ExpressionPrinter;
  readonly #place: BodyPlace;
  /** Loops and switches around, innermost last. */
  readonly #around: { label: Label; isLoop: boolean }[] = [];
  /** What is caught around. */
  readonly #caught: string[];

  constructor(place: BodyPlace) {
    this.#place = place;
    this.expressions = new ExpressionPrinter(place);
    this.#caught = [...place.thrown];
  }

  list(statements: readonly Statement[]): void {
    this.#place.work.spend(statements.length);
    for (let index = 0; index < statements.length; index++) {
      const statement = statements[index]!;
      this.#place.writer.line();
      const each = eachLoop(statements, index);
      if (each !== null && this.#each(each)) {
        index += each.length - 1;
        continue;
      }
      const counted = countedLoop(statements, index);
      if (counted !== null && statement.kind === 'set') {
        this.#for(statement, counted);
        index++;
        continue;
      }
      const pattern = patternBehind(statements, index);
      if (pattern !== null && this.#mayDeclare(pattern.test)) {
        this.expressions.declared.set(pattern.test, pattern.declaration);
        index++;
      }
      this.#statement(statement);
    }
  }

  #for(first: (Statement & { kind: 'set' }) | null, loop: Statement & { kind: 'loop' }): void {
    const { writer } = this.#place;
    const { label, condition, body } = loop;
    this.#label(label, true, body);
    this.#around.push({ label, isLoop: true });
    writer.text('for (');
    if (first !== null) this.#set(first);
    writer.text('; ');
    this.#assigned(condition!, 'Z');
    writer.text('; ');
    this.#set(body.at(-1) as Statement & { kind: 'set' });
    writer.text(') ');
    this.braced(body.slice(0, -1));
    this.#around.pop();
  }

  /** @returns false where what is iterated is no `Iterable` */
  #each({ loop, element, iterated, cast, body }: EachLoop): boolean {
    const { writer, names, program } = this.#place;
    const type = this.expressions.types.typeOf(iterated);
    if (cast !== undefined && !program.relations.isAssignable(type, iterable)) return false;
    const { typing } = this.expressions;
    const { value, type: generic } = typing.typed(iterated);
    const given = cast === undefined ? null : typing.elementOf(generic);
    this.#label(loop.label, true, body);
    this.#around.push({ label: loop.label, isLoop: true });
    writer.text('for (');
    const isKnown = given !== null && typing.erasureOf(given) === element.type;
    if (isKnown && typing.isSayable(given, element.type)) element.generic = given;
    this.#declared(element);
    writer.text(' ').local(element).text(' : ');
    if (typeof cast === 'string' && !isKnown) {
      // Types of elements are not known to be what the code casts them to: the loop casts each of them.
      writer.text('(');
      names.write(writer, iterable);
      writer.text('<');
      names.write(writer, cast);
      writer.text('>) ');
      if (generic === null || isGeneric(generic) || this.#isGeneric(iterated)) {
        writer.text('(');
        names.write(writer, iterable);
        writer.text(') ');
      }
    }
    const wanted = cast === undefined ? `[${element.type}` : type;
    const of = cast === undefined || isKnown || generic !== null ? value : typing.raw(value);
    writer.addressed(iterated.at, () => this.expressions.operand(of, wanted));
    writer.text(') ');
    this.braced(body);
    this.#around.pop();
    return true;
  }

  /** Whether Java may know more of what a call returns than its class: methods of raw types return raw types. */
  #isGeneric(value: Expression): boolean {
    if (value.kind !== 'call' || this.#place.program.classOf(value.owner) !== null) return false;
    if (value.object === null || !value.owner.startsWith('Ljava/util/')) return true;
    return this.#isGeneric(value.object);
  }

  /** A list in braces. */
  braced(statements: readonly Statement[]): void {
    const { writer } = this.#place;
    writer.text('{');
    writer.indented(() => this.list(statements));
    writer.line().text('}');
  }

  /** A value that Java boxes or unboxes for its place, and the code it shows. @param generic the place's type, where it says more */
  #assigned(expression: Expression, type: string, generic: GenericType | null = null): void {
    const value = this.expressions.typing.as(expression, generic ?? plainType(type));
    this.#place.writer.addressed(expression.at, () => this.expressions.assignedValue(value, type));
  }

  /** An expression, and the code it shows. */
  #value(expression: Expression, type: string): void {
    const value = this.expressions.typing.as(expression, null);
    this.#place.writer.addressed(expression.at, () => this.expressions.write(value, type));
  }

  #statement(statement: Statement): void {
    const { writer } = this.#place;
    switch (statement.kind) {
      case 'do':
        this.#effect(statement.expression);
        return;
      case 'set':
        this.#set(statement);
        writer.text(';');
        return;
      case 'store':
        writer.addressed(statement.at, () => {
          const { target: named, value } = this.expressions.typing.stored(statement.target, statement.value);
          const target = this.expressions.types.assigned(named, value);
          const type = this.expressions.types.typeOf(target);
          this.expressions.write(target, type);
          const change = changedField(statement);
          if (change !== null) this.#change(change, type);
          else {
            writer.text(' = ');
            this.expressions.assignedValue(value, type);
          }
          writer.text(';');
        });
        return;
      case 'declare':
        this.#declared(statement.local);
        writer
          .text(' ')
          .local(statement.local)
          .text(` = ${initial(statement.local.type)};`);
        return;
      case 'return':
        writer.text('return');
        if (statement.value !== null) {
          writer.text(' ');
          this.#assigned(statement.value, this.#place.returns, this.#place.generic);
        }
        writer.text(';');
        return;
      case 'throw':
        this.#throw(statement.value);
        return;
      case 'comment':
        writer.text(`// ${commentText(statement.text)}`);
        return;
      case 'monitor':
        writer.text(`/* monitor-${statement.isEnter ? 'enter' : 'exit'}: not as Java nests it */ `);
        writer.text('java.util.Objects.requireNonNull(');
        this.expressions.write(this.expressions.typing.as(statement.lock, null), 'Ljava/lang/Object;', 0, true);
        writer.text(');');
        return;
      case 'jump':
        this.#jump(statement);
        return;
      default:
        this.#compound(statement);
    }
  }

  /** Whether a statement can be the whole body of a lambda without braces. */
  isExpression(statement: Statement): boolean {
    if (statement.kind === 'return') return statement.value !== null;
    if (statement.kind !== 'do' || statement.expression.kind !== 'call') return false;
    const { how, owner } = statement.expression;
    if (how === 'new' && this.#place.program.local.of(owner)?.kind === 'lambda') return false;
    return concatenation(statement.expression) === null;
  }

  /** Writes such a statement as an expression. */
  asExpression(statement: Statement): void {
    if (statement.kind === 'return') this.#assigned(statement.value!, this.#place.returns, this.#place.generic);
    else if (statement.kind === 'do')
      this.#value(statement.expression, this.expressions.types.typeOf(statement.expression));
  }

  #effect(expression: Expression): void {
    const { writer } = this.#place;
    if (expression.kind === 'call' || expression.kind === 'cast') {
      const call = expression.kind === 'cast' ? expression.operand : expression;
      if (call.kind === 'call' && concatenation(call) === null && !this.expressions.types.isLambda(call)) {
        this.#value(call, this.expressions.types.typeOf(call));
        writer.text(';');
        return;
      }
    }
    // Java has no statement of a value alone.
    writer.text('java.util.Objects.hash(');
    this.#value(
      expression,
      this.expressions.types.isLambda(expression) ? object : this.expressions.types.typeOf(expression),
    );
    writer.text(');');
  }

  /** Without the semicolon. */
  #set(statement: Statement & { kind: 'set' }): void {
    const { writer, program, owner } = this.#place;
    const { local, value, isDeclaration } = statement;
    if (isDeclaration) {
      if (program.local.isNameless(local.type, owner)) writer.text('var');
      else this.#declared(local, value);
      writer.text(' ');
    }
    writer.local(local);
    const change = isDeclaration ? null : changedLocal(statement);
    const added = isDeclaration ? null : addedText(value, (part) => part.kind === 'local' && part.local === local);
    if (added !== null) this.#added(value, added);
    else if (change !== null) writer.addressed(value.at, () => this.#change(change, local.type));
    else {
      writer.text(' = ');
      const isPlain =
        isDeclaration && value.kind === 'array' && value.type === local.type && local.generic === undefined;
      const typed = isPlain ? this.expressions.typing.as(value, null) : value;
      if (isPlain && typed.kind === 'array') writer.addressed(value.at, () => writeItems(this.expressions, typed));
      else this.#assigned(value, local.type, local.generic ?? null);
    }
  }

  #added(value: Expression, pieces: readonly Piece[]): void {
    const typed = pieces.map((piece) => ({ ...piece, value: this.expressions.typing.told(piece.value, piece.type) }));
    this.#place.writer.addressed(value.at, () => writeAdded(this.expressions, typed));
  }

  /** The type of a variable that is declared: what debug information says, else what is known of its first value. */
  #declared(local: Local, value?: Expression): void {
    const { writer, names } = this.#place;
    const { typing } = this.expressions;
    if (local.generic === undefined) {
      const said = local.said === undefined ? null : typing.said(local.said, local.type);
      const known = said ?? (value === undefined ? null : typing.typed(value).type);
      if (typing.isSayable(known, local.type)) local.generic = known;
    }
    if (local.generic === undefined) names.write(writer, local.type);
    else names.writeGeneric(writer, local.generic);
  }

  #change({ operator, by }: Change, type: string): void {
    const { writer } = this.#place;
    if (by === null) writer.text(operator + operator);
    else {
      writer.text(` ${operator}= `);
      const isInt = /[<>]/.test(operator) || /^[BSC]$/.test(type);
      this.expressions.write(this.expressions.typing.as(by, null), isInt ? 'I' : type);
    }
  }

  #throw(value: Expression): void {
    const { writer, program } = this.#place;
    const type = value.kind === 'number' ? 'Ljava/lang/NullPointerException;' : this.expressions.types.typeOf(value);
    const isLetGo =
      program.relations.isUnchecked(type) === true ||
      this.#caught.some((caught) => program.relations.isAssignable(type, caught));
    writer.text('throw ');
    if (isLetGo) this.#value(value, type);
    else {
      writer.text(`${this.#place.sneak()}(`);
      this.#value(value, throwable);
      writer.text(')');
    }
    writer.text(';');
  }

  #jump({ way, label }: Statement & { kind: 'jump' }): void {
    const { writer } = this.#place;
    const innermost = this.#around.findLast(({ isLoop }) => way === 'break' || isLoop);
    writer.text(innermost?.label === label ? `${way};` : `${way} ${this.#labelName(label)};`);
  }

  #labelName(label: Label): string {
    const inner = 'inner'.repeat(this.#place.depth);
    return label < 0 ? `${inner}switch${-1 - label}` : `${inner}label${label}`;
  }

  #label(label: Label, isLoop: boolean, statements: readonly Statement[]): void {
    if (needsLabel(statements, label, isLoop)) this.#place.writer.text(`${this.#labelName(label)}: `);
  }

  #compound(statement: Statement): void {
    const { writer } = this.#place;
    switch (statement.kind) {
      case 'if':
        this.#if(statement);
        return;
      case 'block':
        writer.text(`${this.#labelName(statement.label)}: `);
        this.braced(statement.body);
        return;
      case 'loop':
        this.#loop(statement);
        return;
      case 'switch':
        this.#switch(statement);
        return;
      case 'try':
        this.#try(statement);
        return;
      case 'synchronized':
        writer.text('synchronized (');
        this.#value(statement.lock, 'Ljava/lang/Object;');
        writer.text(') ');
        this.braced(statement.body);
        return;
    }
  }

  #if(statement: Statement & { kind: 'if' }): void {
    const { writer } = this.#place;
    const pattern = patternIf(statement, (test) => this.#mayDeclare(test));
    for (const { test, declaration } of pattern?.patterns ?? []) this.expressions.declared.set(test, declaration);
    const { condition, yes } = pattern ?? statement;
    writer.text('if (');
    this.#assigned(condition, 'Z');
    writer.text(') ');
    this.braced(yes);
    if (statement.no.length === 0) return;
    writer.text(' else ');
    const [only] = statement.no;
    if (statement.no.length === 1 && only?.kind === 'if') this.#if(only);
    else this.braced(statement.no);
  }

  /** Whether a test may declare a variable: not where Java knows already that all but null is of the class. */
  #mayDeclare({ type, operand }: Expression & { kind: 'instanceof' }): boolean {
    const { program } = this.#place;
    return this.expressions.types.typeOf(operand) !== program.local.typeOf(type);
  }

  #loop(statement: Statement & { kind: 'loop' }): void {
    const { writer } = this.#place;
    const { label, form, condition, body } = statement;
    if (form === 'for') {
      this.#for(null, statement);
      return;
    }
    this.#label(label, true, body);
    this.#around.push({ label, isLoop: true });
    if (form === 'do') writer.text('do ');
    else {
      writer.text('while (');
      if (condition === null) writer.text('true');
      else this.#assigned(condition, 'Z');
      writer.text(') ');
    }
    this.braced(body);
    this.#around.pop();
    if (form !== 'do') return;
    writer.text(' while (');
    this.#assigned(condition!, 'Z');
    writer.text(');');
  }

  #switch({ value, cases, label, over }: Statement & { kind: 'switch' }): void {
    const { writer, program } = this.#place;
    this.#label(
      label,
      false,
      cases.flatMap(({ body }) => body),
    );
    this.#around.push({ label, isLoop: false });
    writer.text('switch (');
    // Where all texts lead to one place, what is asked still has to be there.
    const isText =
      cases.some(({ keys }) => keys.some((key) => typeof key === 'string')) ||
      (value.kind !== 'number' && this.expressions.types.typeOf(value) === string);
    // Java wants to know the enum also of null.
    if (over !== undefined && value.kind === 'number') this.expressions.write(value, over, 0, true);
    else this.#value(value, over ?? (isText ? string : 'I'));
    writer.text(') {');
    writer.indented(() => {
      for (const { keys, isDefault, body } of cases) {
        for (const key of keys) {
          writer.line().text('case ');
          if (typeof key === 'number') writer.text(String(key));
          else if (over === undefined) writer.text(stringLiteral(key));
          else writer.symbol(program.fieldName(over, key, over), `${over}->${key}:${over}`);
          writer.text(':');
        }
        if (isDefault) writer.line().text('default:');
        // What one case declares, the next ones would see.
        if (!body.some(declares)) writer.indented(() => this.list(body));
        else {
          writer.text(' ');
          this.braced(body);
        }
      }
    });
    writer.line().text('}');
    this.#around.pop();
  }

  #try(statement: Statement & { kind: 'try' }): void {
    const { resources, body, catches, last } = statement;
    const { writer, exceptions, names } = this.#place;
    const shown = this.#reachable(catches);
    writer.text('try ');
    for (const [index, { opened }] of (resources ?? []).entries()) {
      writer.text(index === 0 ? '(' : '; ');
      this.#set(opened);
    }
    if (resources !== undefined) writer.text(') ');
    writer.text('{');
    const leaving = exceptions.leavingTried(statement);
    writer.indented(() => {
      for (const type of shown.flatMap((each) => (each.type === null ? [] : caughtTypes(each)))) {
        if (exceptions.isAlwaysCaught(type) || this.#isThrown(type, leaving)) continue;
        writer.line().text('if (false) throw (');
        names.write(writer, type);
        writer.text(') null;');
      }
      const before = this.#caught.length;
      this.#caught.push(...shown.flatMap(caughtTypes));
      this.list(body);
      this.#caught.length = before;
    });
    writer.line().text('}');
    for (const each of shown) {
      writer.text(' catch (');
      for (const [index, type] of caughtTypes(each).entries()) {
        if (index > 0) writer.text(' | ');
        names.write(writer, type);
      }
      writer.text(' ');
      if (each.local === null) writer.text('ignored');
      else writer.local(each.local);
      writer.text(') ');
      this.braced(each.body);
    }
    if (last === undefined) return;
    writer.text(' finally ');
    this.braced(last);
  }

  /** Handlers behind one that takes all of theirs are never asked. */
  #reachable(catches: readonly Catch[]): Catch[] {
    const { relations } = this.#place.program;
    const out: Catch[] = [];
    for (const each of catches) {
      const taken = out.flatMap(caughtTypes);
      const asked = caughtTypes(each).filter((type) => !taken.some((other) => relations.isAssignable(type, other)));
      if (asked.length > 1) out.push({ ...each, type: asked[0]!, besides: asked.slice(1) });
      else if (asked.length === 1) out.push({ ...each, type: each.type === null ? null : asked[0]!, besides: [] });
    }
    return out;
  }

  #isThrown(type: string, leaving: ReadonlySet<string>): boolean {
    const { relations } = this.#place.program;
    for (const thrown of leaving) {
      if (relations.isAssignable(thrown, type) || relations.isAssignable(type, thrown)) return true;
    }
    return false;
  }
}

const declares = (statement: Statement): boolean =>
  statement.kind === 'declare' || (statement.kind === 'set' && statement.isDeclaration);

function initial(type: string): string {
  if (isReference(type)) return 'null';
  return type === 'Z' ? 'false' : '0';
}

/** Whether a jump names a loop or switch from within another one. */
function needsLabel(statements: readonly Statement[], label: Label, isLoop: boolean): boolean {
  const walk = (list: readonly Statement[], isBreakNear: boolean, isContinueNear: boolean): boolean =>
    list.some((statement) => {
      switch (statement.kind) {
        case 'jump':
          return statement.label === label && !(statement.way === 'break' ? isBreakNear : isContinueNear);
        case 'if':
          return walk(statement.yes, isBreakNear, isContinueNear) || walk(statement.no, isBreakNear, isContinueNear);
        case 'loop':
          return walk(statement.body, false, false);
        case 'switch':
          return statement.cases.some(({ body }) => walk(body, false, isContinueNear));
        case 'block':
        case 'synchronized':
          return walk(statement.body, isBreakNear, isContinueNear);
        case 'try':
          return (
            walk(statement.body, isBreakNear, isContinueNear) ||
            statement.catches.some(({ body }) => walk(body, isBreakNear, isContinueNear)) ||
            walk(statement.last ?? [], isBreakNear, isContinueNear)
          );
        default:
          return false;
      }
    });
  return walk(statements, true, isLoop);
}
