// Writes the methods of a class. Knows no fields.

import { BadCode } from '../../code/method-body.ts';
import { isGeneric, noVariables, type Variables } from '../../code/types/generic-types.ts';
import { object } from '../../code/values/operands.ts';
import { systemValue } from '../../formats/dex/annotations.ts';
import { allMethods, type EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Local, Statement } from '../expressions/tree.ts';
import { withParameters } from '../generics/member-signatures.ts';
import { coroutineNote } from '../kotlin/said-names.ts';
import {
  callsConstructor,
  isConstructorCall,
  type SplitConstructor,
  splitConstructor,
} from '../language/constructors.ts';
import { givenParameters, isGiven, withoutGiven } from '../language/enums.ts';
import { isInheritedBridge } from '../language/inherited-bridges.ts';
import { type InnerClass, isKeeping } from '../language/inner-classes.ts';
import { isOverriding } from '../language/overriding.ts';
import type { RecordShape } from '../language/records.ts';
import { TooLate, Unsayable } from '../limits.ts';
import { type MethodSource, methodSource } from '../method.ts';
import { replaceParts, valuesFor } from '../structure/replacement.ts';
import { writeBody } from './bodies.ts';
import { withCaptured } from './captured-fields.ts';
import { acc, type ClassScope } from './class-scope.ts';
import { writeSplitBody } from './constructor-bodies.ts';
import { isPlainSuper } from './constructors.ts';
import { commentText } from './identifiers.ts';
import { initialiser, writeHolderHead } from './initialisers.ts';
import { writeLost } from './lost-methods.ts';

import { plainParameters, writeSignature } from './signatures.ts';

/** A method with its head; nothing for what Java makes itself. */
export function writeMethod(scope: ClassScope, method: EncodedMethod): void {
  const { dex } = scope.place;
  const { counts, program } = scope.file;
  counts.methods++;
  if (program.leftOutFor(scope.place, method) !== null || (scope.isEnum && isGiven(scope.place, method))) return;
  if (isInheritedBridge(program, scope.place, method)) return;
  if (program.local.isBody(scope.place, method) || program.local.isAccessor(scope.place, method)) return;
  if (scope.record?.leftOut.has(method.methodIndex) === true) return;
  if (scope.constructors?.isImplied === true && scope.constructors.method.methodIndex === method.methodIndex) return;
  const name = dex.methodName(method.methodIndex);
  if (name === '<clinit>' && (scope.initial ?? scope.shape)?.rest.length === 0) return;
  writeNamedMethod(scope, method, name);
}

/** The bodies of lambdas that no text makes: nobody comes to where they are made, or that is lost. */
export function writeLeftBodies(scope: ClassScope): void {
  const { program, inPlace } = scope.file;
  for (const method of allMethods(scope.place.data)) {
    const lambda = program.local.lambdaAround(scope.place, method);
    if (lambda === null || inPlace.includes(lambda)) continue;
    writeNamedMethod(scope, method, scope.place.dex.methodName(method.methodIndex));
  }
}

function writeNamedMethod(scope: ClassScope, method: EncodedMethod, name: string): void {
  const { dex } = scope.place;
  const { counts, program, writer } = scope.file;
  writer.text('\n').line();
  const note = coroutineNote(program, scope.place, method);
  if (note !== null) writer.text(`// ${commentText(note)}`).line();
  const variables = variablesIn(scope, method);
  const mark = writer.mark();
  const inPlace = scope.file.inPlace.length;
  scope.annotations.write(scope.place.annotations.ofMethods.get(method.methodIndex) ?? [], () => writer.line());
  if (method.codeOffset === 0) {
    writer.inMethod(dex.method(method.methodIndex), () =>
      scope.withVariables(variables, () => writeAbstract(scope, method, name)),
    );
    return;
  }
  try {
    writer.inMethod(dex.method(method.methodIndex), () =>
      scope.withVariables(variables, () => writeWithBody(scope, method, name)),
    );
  } catch (error) {
    if (!(error instanceof BadCode || error instanceof Unsayable)) throw error;
    writer.rewind(mark);
    scope.file.inPlace.length = inPlace;
    counts.lost++;
    if (error instanceof TooLate) counts.late++;
    writeLost(scope, method, name, error);
  }
}

/** The type variables in sight of a method's code. */
function variablesIn(scope: ClassScope, method: EncodedMethod): Variables {
  const { program } = scope.file;
  const parameters = program.signatures.ofMethod(scope.place, method)?.parameters ?? [];
  const isStatic = (method.accessFlags & acc.static) !== 0 && (method.accessFlags & acc.synthetic) === 0;
  return withParameters(isStatic ? noVariables : scope.variables, parameters);
}

function writeAbstract(scope: ClassScope, method: EncodedMethod, name: string): void {
  const { dex, annotations } = scope.place;
  writeSignature(scope, method, name, plainParameters(scope, method));
  const defaults = systemValue(dex, annotations.ofClass, 'AnnotationDefault');
  const given =
    defaults?.kind === 'annotation'
      ? defaults.annotation.elements.find(({ nameIndex }) => dex.string(nameIndex) === name)
      : undefined;
  if (given !== undefined && (scope.flags & acc.annotation) !== 0) scope.annotations.writeDefault(given.value);
  scope.file.writer.text(';');
}

function writeWithBody(scope: ClassScope, method: EncodedMethod, name: string): void {
  const { dex } = scope.place;
  const { program, exceptions, counts } = scope.file;
  const source =
    name === '<clinit>' && scope.initial !== null
      ? scope.initial.source
      : (scope.constructors?.sources.get(method.methodIndex) ?? methodSource(scope.file, dex, scope.type, method));
  const isStatic = (method.accessFlags & acc.static) !== 0;
  const isEnumConstructor = scope.isEnum && name === '<init>';
  const inner = name === '<init>' ? scope.inner : null;
  const given = isEnumConstructor ? givenParameters : inner === null ? 0 : 1;
  const parameters = source.parameters.slice((isStatic ? 0 : 1) + given);
  if (!isStatic) source.parameters[0]!.name = 'this';
  if (scope.record?.canonical === method.methodIndex) nameAsComponents(parameters, scope.record);
  scope.nameAll([...parameters, ...source.locals], source.statements);
  const signature = program.signatures.ofMethod(scope.place, method);
  for (const [index, parameter] of parameters.entries()) {
    const type = signature?.takes[given + index];
    if (type !== undefined && isGeneric(type)) parameter.generic = type;
  }
  const thrown = exceptions.declaredBy(scope.type, name, dex.methodDescriptor(method.methodIndex));
  let statements = inner === null ? source.statements : withoutOuter(scope, inner, source);
  statements = withCaptured(statements, scope);
  let split: SplitConstructor | null = null;
  if (name === '<init>') {
    if (scope.isEnum) statements = withoutGiven(statements, source.parameters.slice(1), scope.type);
    // What ends by throwing may call none; Object's, which Java calls then, does nothing.
    const isUnmade = program.relations.factsOf(scope.type)?.superclass === object && !callsConstructor(statements);
    if (!isUnmade && (!scope.isEnum || statements.some(isConstructorCall))) {
      split = splitConstructor(statements, parameters, source.temporary);
      if (split.before.length > 0)
        scope.nameAll([...parameters, ...source.locals, ...split.before.flatMap(declaredIn)], []);
      statements = joined(split);
      // Java calls it implicitly.
      if (isPlainSuper(statements[0], scope.type)) statements = statements.slice(1);
    }
  }
  if (name === '<clinit>') {
    if (scope.isEnum && scope.shape === null) throw new Unsayable('an enum that is not made as javac makes one');
    statements = initialiser([...(scope.shape?.rest ?? scope.initial?.rest ?? statements)]);
  }
  const isHeld = name === '<clinit>' && scope.isInterface;
  if (isHeld) writeHolderHead(scope);
  if (isOverriding(program, scope.place, method, statements)) scope.file.writer.text('@Override').line();
  writeSignature(scope, method, name, parameters);
  const returns = dex.protoReturnType(dex.methodProtoIndex(method.methodIndex));
  const gives = signature === null || !isGeneric(signature.gives) ? null : signature.gives;
  const printer = scope.statements(returns, thrown, name === '<clinit>', gives);
  // A class in the class has no type variables of it in sight.
  if (split !== null && split.before.length > 0)
    for (const local of [...parameters, ...source.locals]) delete local.generic;
  if (split !== null && split.before.length > 0) writeSplitBody(scope, { split, parameters, printer, method, thrown });
  else writeBody(scope, printer, statements, thrown);
  if (isHeld) scope.file.writer.text(' }');
  if (source.isDispatched) counts.dispatched++;
  counts.unresolved += printer.expressions.unresolved;
}

/** Java wants the parameters of a record's own constructor to be called as its components. */
function nameAsComponents(parameters: readonly Local[], { components }: RecordShape): void {
  for (const [place, { name }] of components.entries()) parameters[place]!.hint = name;
}

/** A constructor of an inner class as Java writes it: the outer object is passed and stored implicitly. */
function withoutOuter(scope: ClassScope, { type, outer, key }: InnerClass, source: MethodSource): Statement[] {
  const values = new Map([[source.parameters[1]!, scope.around(outer)]]);
  return source.statements
    .filter((statement) => !isKeeping(statement, type, key))
    .map((statement) => replaceParts(statement, valuesFor(values)));
}

const declaredIn = (statement: Statement): Local[] =>
  statement.kind === 'set' && statement.isDeclaration ? [statement.local] : [];

/** A constructor with nothing to run before, as Java writes it. */
function joined({ before, call, early, after }: SplitConstructor): Statement[] {
  if (call === null) return [...before];
  const text = 'the code sets these before it calls the other constructor';
  const note: Statement[] = early.length === 0 ? [] : [{ kind: 'comment', text }];
  return [call, ...note, ...early, ...after];
}
