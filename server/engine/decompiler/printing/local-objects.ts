// Writes objects whose classes source writes where they are made: lambdas and anonymous classes. Knows no other classes.
import { allMethods } from '../../formats/dex/class-data.ts';
import type { Call, Expression, LinkedLambda, Local, Statement } from '../expressions/tree.ts';
import { isConstructorCall } from '../language/constructors.ts';
import { type LambdaSource, lambdaSource } from '../language/lambda-bodies.ts';
import { linkedSource } from '../language/linked-lambdas.ts';
import type { LocalClass } from '../language/local-classes.ts';
import { fieldKey } from '../language/static-fields.ts';
import { replaceIn, replaceParts, valuesFor } from '../structure/replacement.ts';
import { writeArguments } from './arguments.ts';
import { writeBody } from './bodies.ts';
import { capturedIn, withCaptured } from './captured-fields.ts';
import { ClassScope } from './class-scope.ts';
import { writeFields } from './fields.ts';
import { initialiser } from './initialisers.ts';
import { writeMethod } from './methods.ts';
import { writeSuperCalls } from './super-calls.ts';

type Lambda = LocalClass & { kind: 'lambda' };

/**
 * @param made a lambda that a call site links, or the call that makes an object of a class of `LocalClasses`
 * @param isInitialiser whether it stands where the class is initialised
 */
export function writeLocal(scope: ClassScope, made: Call | LinkedLambda, isInitialiser: boolean): void {
  const { program, inPlace } = scope.file;
  if (made.kind === 'lambda') {
    writeLinked(scope, made, isInitialiser);
    return;
  }
  const shape = program.local.of(made.owner)!;
  inPlace.push(shape.type);
  if (shape.kind === 'lambda') writeLambda(scope, shape, made, isInitialiser);
  else writeAnonymous(scope, shape, made);
}

/** @throws Unsayable where what it captures is no variable */
function writeLinked(scope: ClassScope, lambda: LinkedLambda, isInitialiser: boolean): void {
  const { type, name, asked } = lambda;
  const source = linkedSource(lambda, scope.file.writer.method);
  const descriptor = `(${asked.parameters.join('')})${asked.returns}`;
  const thrown = scope.file.exceptions.declaredBy(type, name, descriptor);
  writeBodyOf(scope, source, { returns: asked.returns, thrown, isInitialiser });
}

function writeLambda(scope: ClassScope, shape: Lambda, call: Call, isInitialiser: boolean): void {
  const { program, counts, exceptions } = scope.file;
  const place = program.classOf(shape.type)!;
  counts.methods += allMethods(place.data).length;
  const source = lambdaSource(program.local, place, shape, (statements) => {
    const values = capturedBy(shape, call);
    return statements.map((statement) => replaceParts(statement, capturedIn(shape.type, values)));
  });
  const { dex } = place;
  const name = dex.methodName(shape.method.methodIndex);
  const descriptor = dex.methodDescriptor(shape.method.methodIndex);
  const thrown = exceptions.declaredBy(shape.above, name, descriptor);
  const returns = dex.protoReturnType(dex.methodProtoIndex(shape.method.methodIndex));
  const statements = withCaptured(source.statements, scope);
  writeBodyOf(scope, { ...source, statements }, { returns, thrown, isInitialiser });
  if (source.isDispatched) counts.dispatched++;
}

interface Answer {
  readonly returns: string;
  readonly thrown: readonly string[];
  readonly isInitialiser: boolean;
}

/** The parameters of a lambda, and what it does. */
function writeBodyOf(scope: ClassScope, source: Omit<LambdaSource, 'isDispatched'>, answer: Answer): void {
  const { writer, program, counts, exceptions } = scope.file;
  const { returns, thrown, isInitialiser } = answer;
  const { statements } = source;
  const around = scope.visible;
  scope.nameAll([...source.parameters, ...source.locals], statements, around);
  scope.depth++;
  const printer = scope.statements(returns, thrown, isInitialiser);
  const [only] = statements;
  const isSafe = [...exceptions.leaving(statements)].every((type) =>
    thrown.some((declared) => program.relations.isAssignable(type, declared)),
  );
  writer.inMethod(source.method, () => {
    if (source.parameters.length !== 1) writer.text('(');
    for (const [index, parameter] of source.parameters.entries()) writer.text(index > 0 ? ', ' : '').local(parameter);
    writer.text(source.parameters.length === 1 ? ' -> ' : ') -> ');
    if (statements.length === 1 && isSafe && printer.isExpression(only!)) printer.asExpression(only!);
    else writeBody(scope, printer, statements, thrown);
  });
  counts.unresolved += printer.expressions.unresolved;
  scope.depth--;
  scope.visible = around;
}

function writeAnonymous(scope: ClassScope, shape: LocalClass, call: Call): void {
  const { writer, names, program, counts } = scope.file;
  const place = program.classOf(shape.type)!;
  const source = program.local.source(place, shape.maker);
  source.parameters[0]!.name = 'this';
  const values = capturedBy(shape, call, scope);
  const given = new Map<Local, Expression>(
    source.parameters.slice(1).map((parameter, index) => [parameter, outside(call.values[index]!, scope)]),
  );
  const at = source.statements.findIndex(isConstructorCall);
  const passed = (source.statements[at] as Statement & { kind: 'do' }).expression as Call;
  // Arguments are worked out in the method around.
  const asked = new Map(source.parameters.slice(1).map((parameter, index) => [parameter, call.values[index]!]));
  writer.symbol('new', `${shape.type}-><init>(${call.parameters.join('')})V`).text(' ');
  names.writeAbove(writer, shape.above, shape.type);
  const printer = scope.expressions();
  const above = program.heads.of(shape.type).above.find(({ descriptor }) => descriptor === shape.above) ?? null;
  writeArguments(printer, printer.typing.calls.passed(replaceIn(passed, valuesFor(asked)) as Call, above));
  const inner = new ClassScope(scope.file, shape.type, { captured: values, names: scope.visible, scope });
  const rest = source.statements
    .filter((statement, index) => index !== at && !keeps(statement, shape))
    .map((statement) => replaceParts(statement, valuesFor(given)));
  counts.methods++;
  writer.text(' {');
  writer.indented(() => {
    writeFields(inner);
    if (rest.length > 0) {
      inner.nameAll(source.locals, rest);
      const printer = inner.statements('V', []);
      writer.text('\n').line();
      const maker = place.dex.method(shape.maker.methodIndex);
      writer.inMethod(maker, () => writeBody(inner, printer, initialiser(withCaptured(rest, inner)), []));
      counts.unresolved += printer.expressions.unresolved;
    }
    for (const method of allMethods(place.data))
      if (method.methodIndex !== shape.maker.methodIndex) writeMethod(inner, method);
    writeSuperCalls(inner);
  });
  writer.line().text('}');
}

const keeps = (statement: Statement, { type, captured }: LocalClass): boolean =>
  statement.kind === 'store' &&
  statement.target.kind === 'field' &&
  statement.target.owner === type &&
  captured.has(fieldKey(statement.target));

/** What the fields hold, by name and type. @param scope around a class, for a lambda none: it has no `this` of its own */
function capturedBy(shape: LocalClass, call: Call, scope: ClassScope | null = null): Map<string, Expression> {
  const found = new Map<string, Expression>();
  for (const [key, place] of shape.captured) {
    const value = call.values[place]!;
    found.set(key, scope === null ? value : outside(value, scope));
  }
  return found;
}

/** A value as a class within names it. */
function outside(value: Expression, { file, type }: ClassScope): Expression {
  if (value.kind !== 'local' || value.local.role !== 'this') return value;
  return { ...value, local: { ...value.local, role: 'parameter', name: `${file.names.text(type)}.this` } };
}
