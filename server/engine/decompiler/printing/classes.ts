// Writes a class as Java, with those that stand in it. Knows no control flow.
import { object } from '../../code/values/operands.ts';
import { allMethods } from '../../formats/dex/class-data.ts';
import type { RecordShape } from '../language/records.ts';
import { writeBody } from './bodies.ts';
import { acc, ClassScope, type FilePlace } from './class-scope.ts';
import { readConstructors } from './constructors.ts';
import { type ConstantBody, writeConstants } from './enum-constants.ts';
import { readInitialiser, writeFields } from './fields.ts';
import { commentText } from './identifiers.ts';
import { initialiser } from './initialisers.ts';
import { writeLeftBodies, writeMethod } from './methods.ts';
import { binaryName } from './program.ts';
import { writeSuperCalls } from './super-calls.ts';

/** Writes a class with its modifiers and all in it. */
export function writeClass(file: FilePlace, type: string, after?: () => void): void {
  const scope = new ClassScope(file, type);
  const { writer, program } = file;
  scope.constructors = readConstructors(scope);
  if (program.outerOf(type) === null) file.names.inHead(() => writeHead(scope));
  else writeHead(scope);
  writer.text(' ');
  const { constructors } = scope;
  // Here begins what Java makes, too.
  if (constructors?.isImplied !== true) writer.text('{');
  else {
    const symbol = scope.place.dex.method(constructors.method.methodIndex);
    scope.inConstructor(constructors.method, 0, () => writer.symbol('{', symbol, true));
  }
  writer.indented(() => {
    if (scope.isEnum) writeConstants(scope, (body, made) => writeConstantBody(file, body, made));
    else readInitialiser(scope);
    writeFields(scope);
    for (const method of allMethods(scope.place.data)) writeMethod(scope, method);
    writeSuperCalls(scope);
    writeInner(
      file,
      program.innerOf(type).filter((inner) => !program.isConstantBody(inner)),
    );
    if (program.outerOf(type) === null) writeHelpers(file, type);
    writeLeftBodies(scope);
    after?.();
  });
  writer.line().text('}');
}

/** Whether a class is one that source needs only where its text names it: enums' numbers, what tells constructors from others. */
const isHelper = ({ program }: FilePlace, type: string): boolean =>
  program.outerOf(type) === program.topOf(type) && (program.enumMaps.isHolder(type) || program.local.isMarker(type));

/** What compilers made to help, where the text names it. */
function writeHelpers(file: FilePlace, top: string): void {
  const { program, writer, names, counts } = file;
  for (const type of program.innerOf(top)) {
    if (!isHelper(file, type)) continue;
    if (names.isNamed(type)) {
      writer.text('\n').line();
      writeClass(file, type);
    } else counts.methods += allMethods(program.classOf(type)!.data).length;
  }
}

function writeInner(file: FilePlace, types: readonly string[]): void {
  for (const type of types) {
    if (isHelper(file, type) || file.inPlace.includes(type)) continue;
    file.writer.text('\n').line();
    writeClass(file, type);
  }
}

/** The body of an enum's constant, which has no head and no constructor. @param made what its code does in one */
function writeConstantBody(file: FilePlace, type: string, { locals, statements }: ConstantBody): void {
  const scope = new ClassScope(file, type);
  const { writer, counts } = file;
  const { dex, data } = scope.place;
  writer.text(' {');
  writer.indented(() => {
    writeFields(scope);
    if (statements.length > 0) {
      scope.nameAll(locals, statements);
      writer.text('\n').line();
      const printer = scope.statements('V', []);
      writeBody(scope, printer, initialiser(statements), []);
      counts.unresolved += printer.expressions.unresolved;
    }
    for (const method of allMethods(data)) {
      if (dex.methodName(method.methodIndex) === '<init>') counts.methods++;
      else writeMethod(scope, method);
    }
    writeSuperCalls(scope);
    writeInner(file, file.program.innerOf(type));
  });
  writer.line().text('}');
}

function writeHead(scope: ClassScope): void {
  const { writer, program, names } = scope.file;
  const facts = program.relations.factsOf(scope.type)!;
  const original = binaryName(scope.type);
  const name = program.simpleName(scope.type);
  if (!original.endsWith(name) || program.given.classes.has(scope.type))
    writer.text(`/* renamed from: ${commentText(scope.type.slice(1, -1).replaceAll('/', '.'))} */`).line();
  scope.annotations.write(scope.place.annotations.ofClass, () => writer.line());
  const words: string[] = [];
  const isNested = program.outerOf(scope.type) !== null;
  if ((scope.flags & acc.public) !== 0) words.push('public');
  if (isNested && scope.inner === null) words.push('static');
  if (scope.isEnum) words.push('enum');
  else if (!scope.isInterface && (scope.flags & acc.abstract) !== 0) words.push('abstract');
  else if (!scope.isInterface && (scope.flags & acc.final) !== 0 && scope.record === null) words.push('final');
  const permitted = program.sealed.permittedBy(scope.type);
  const isClosed = scope.isEnum || scope.record !== null || (!scope.isInterface && (scope.flags & acc.final) !== 0);
  if (permitted !== null) words.push('sealed');
  else if (!isClosed && program.sealed.isPermitted(scope.type)) words.push('non-sealed');
  if (scope.isInterface) words.push((scope.flags & acc.annotation) !== 0 ? '@interface' : 'interface');
  else if (!scope.isEnum) words.push(scope.record === null ? 'class' : 'record');
  writer.text(`${words.join(' ')} `).symbol(name, scope.type, true);
  const own = program.heads.parametersOf(scope.type);
  names.writeParameters(
    writer,
    program.types.saidParameters(own, program.heads.variablesOf(scope.type), scope.type)?.parameters ?? own,
  );
  if (scope.record !== null) writeComponents(scope, scope.record);
  if (facts.superclass !== null && !impliedSupers.has(facts.superclass) && !scope.isEnum) {
    writer.text(' extends ');
    names.writeAbove(writer, facts.superclass, scope.type);
  }
  const given = (scope.flags & acc.annotation) !== 0 ? 'Ljava/lang/annotation/Annotation;' : comparable;
  const isGiven = scope.isEnum || given !== comparable;
  const interfaces = [...new Set(facts.interfaces)].filter((each) => !isGiven || each !== given);
  for (const [index, each] of interfaces.entries()) {
    writer.text(index > 0 ? ', ' : scope.isInterface ? ' extends ' : ' implements ');
    names.writeAbove(writer, each, scope.type);
  }
  for (const [index, each] of (permitted ?? []).entries()) {
    writer.text(index > 0 ? ', ' : ' permits ');
    names.write(writer, each);
  }
}

function writeComponents({ type, file }: ClassScope, { components, isVarargs }: RecordShape): void {
  const { writer, names } = file;
  writer.text('(');
  for (const [index, component] of components.entries()) {
    if (index > 0) writer.text(', ');
    const isOpen = isVarargs && index === components.length - 1;
    names.write(writer, isOpen ? component.type.slice(1) : component.type);
    writer.text(isOpen ? '... ' : ' ').symbol(component.name, `${type}->${component.name}:${component.type}`, true);
  }
  writer.text(')');
}

/** What enums implement implicitly. */
const comparable = 'Ljava/lang/Comparable;';

/** What a class extends implicitly; Java forbids to name Record. */
const impliedSupers = new Set([object, 'Ljava/lang/Record;']);
