// Writes the constants of an enum. Knows no other members.
import { BadCode } from '../../code/method-body.ts';
import { allMethods, type EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Call, Expression, Local } from '../expressions/tree.ts';
import { type EnumConstant, type EnumShape, enumShape, givenParameters, mentions } from '../language/enums.ts';
import { Unsayable } from '../limits.ts';
import { type MethodSource, methodSource } from '../method.ts';
import { replaceIn, valuesFor } from '../structure/replacement.ts';
import { writeArguments } from './arguments.ts';
import { acc, type ClassScope } from './class-scope.ts';
import { commentText } from './identifiers.ts';

/** What the code of a constant's own class does when it is made. */
export type ConstantBody = Pick<MethodSource, 'locals' | 'statements'>;
type WriteBody = (type: string, made: ConstantBody) => void;

/**
 * The constants of an enum, with the bodies that some have.
 * @param writeBody writes the class of such a one, given what its code does in the constant
 */
export function writeConstants(scope: ClassScope, writeBody: WriteBody): void {
  const { writer, program, counts } = scope.file;
  const { dex, data } = scope.place;
  const before = { ...counts };
  const initialiser = allMethods(data).find(({ methodIndex }) => dex.methodName(methodIndex) === '<clinit>');
  writer.line();
  const mark = writer.mark();
  try {
    if (initialiser !== undefined) scope.shape = shapeOf(scope, initialiser);
    for (const [index, constant] of (scope.shape?.constants ?? []).entries()) {
      if (index > 0) writer.text(',').line();
      writeConstant(scope, constant, index, writeBody);
    }
    writer.text(';');
  } catch (error) {
    if (!(error instanceof BadCode || error instanceof Unsayable)) throw error;
    scope.shape = null;
    writer.rewind(mark);
    Object.assign(counts, before);
    for (const body of program.innerOf(scope.type).filter((each) => program.isConstantBody(each))) {
      const { length } = allMethods(program.classOf(body)!.data);
      counts.methods += length;
      counts.lost += length;
    }
    const names = data.staticFields
      .filter(({ accessFlags }) => (accessFlags & acc.enum) !== 0)
      .map(({ fieldIndex }) => program.fieldName(scope.type, dex.fieldName(fieldIndex), dex.fieldType(fieldIndex)));
    writer.text(`${names.join(', ')};`);
    const isPlain = allMethods(data).some(
      ({ methodIndex }) =>
        dex.methodName(methodIndex) === '<init>' &&
        dex.protoParameters(dex.methodProtoIndex(methodIndex)).length === givenParameters,
    );
    if (!isPlain) writer.line().text(`${program.simpleName(scope.type)}() {}`);
  }
}

function shapeOf(scope: ClassScope, method: EncodedMethod): EnumShape {
  const { program } = scope.file;
  const source = methodSource(scope.file, scope.place.dex, scope.type, method);
  scope.nameAll(source.locals, source.statements);
  return enumShape(scope.type, source.statements, ({ owner, name, type }) => program.isValuesField(owner, name, type));
}

function writeConstant(
  scope: ClassScope,
  { field, call, body }: EnumConstant,
  index: number,
  writeBody: WriteBody,
): void {
  const { writer, program } = scope.file;
  const name = program.fieldName(scope.type, field, scope.type);
  writer.symbol(name, `${scope.type}->${field}:${scope.type}`, true);
  const [given, ordinal] = call.values;
  if (given?.kind === 'string' && given.value !== name)
    writer.text(` /* its name() is ${commentText(given.value)} in the code */`);
  else if (name !== field) writer.text(` /* renamed from: ${commentText(field)} */`);
  if (ordinal?.kind === 'number' && ordinal.value !== index)
    writer.text(` /* its ordinal() is ${ordinal.value} in the code */`);
  const made = body === null ? null : madeBy(scope, call);
  const passed = made?.passed ?? call;
  scope.inInitialiser(call.at, () => {
    if (passed.values.length === givenParameters) return;
    const printer = scope.expressions(true);
    writeArguments(printer, printer.typing.calls.passed({ ...passed, owner: scope.type }, null), givenParameters);
  });
  if (body !== null && made !== null) writeBody(body, made);
}

/** What the constructor of a constant's own class passes to that of the enum, and what it does then. */
function madeBy(scope: ClassScope, call: Call): ConstantBody & { passed: Call } {
  const { program } = scope.file;
  const found = program.findMethod(call.owner, '<init>', `(${call.parameters.join('')})V`);
  if (found === null) throw new Unsayable('an enum whose constants have no constructor');
  const source = methodSource(scope.file, found.place.dex, call.owner, found.method);
  const [first, ...statements] = source.statements;
  if (first?.kind !== 'do' || first.expression.kind !== 'call' || first.expression.how !== 'constructor')
    throw new Unsayable('an enum whose constants do things before they are made');
  const [self, ...parameters] = source.parameters;
  if (parameters.some((parameter) => mentions(statements, parameter)))
    throw new Unsayable('an enum whose constants keep what they are given');
  self!.name = 'this';
  const values = new Map<Local, Expression>(parameters.map((parameter, index) => [parameter, call.values[index]!]));
  const passed = replaceIn(first.expression, valuesFor(values)) as Call;
  return { passed, locals: source.locals, statements };
}
