// Writes the fields of a class, with the initial values that its static initialiser gives them. Knows no methods.
import { BadCode } from '../../code/method-body.ts';
import { plainType } from '../../code/types/generic-types.ts';
import { isReference } from '../../code/values/operands.ts';
import { allMethods, type EncodedField } from '../../formats/dex/class-data.ts';
import type { EncodedValue } from '../../formats/dex/encoded-value.ts';
import { accessFlagWords } from '../../formats/dex/smali.ts';
import type { Expression, Local } from '../expressions/tree.ts';
import { inOrder } from '../language/field-values.ts';
import { fieldKey, ownStatic, type StaticValues, staticValues, writtenIn } from '../language/static-fields.ts';
import { Unsayable } from '../limits.ts';
import { type MethodSource, methodSource } from '../method.ts';
import { replaceParts } from '../structure/replacement.ts';
import { constantOf } from './annotations.ts';
import { writeItems } from './arrays.ts';
import { acc, type ClassScope } from './class-scope.ts';
import { commentText } from './identifiers.ts';
import { initialHolder } from './initialisers.ts';

/** The fields of a class, with the values that can stand at them. */
export function writeFields(scope: ClassScope): void {
  const values = scope.encodedValues();
  for (const [index, field] of scope.place.data.staticFields.entries()) writeField(scope, field, values[index]);
  // Components stand in the head.
  const { dex, data } = scope.place;
  const keyOf = ({ fieldIndex }: EncodedField) =>
    fieldKey({ name: dex.fieldName(fieldIndex), type: dex.fieldType(fieldIndex) });
  const fields = scope.record === null ? data.instanceFields : [];
  for (const field of inOrder(fields, keyOf, scope.constructors?.values.keys() ?? []))
    if (!scope.captured.has(keyOf(field))) writeField(scope, field, undefined);
}

function writeField(
  scope: ClassScope,
  { fieldIndex, accessFlags }: EncodedField,
  encoded: EncodedValue | undefined,
): void {
  const { writer, names, program } = scope.file;
  const { dex, annotations } = scope.place;
  const type = dex.fieldType(fieldIndex);
  const original = dex.fieldName(fieldIndex);
  if (scope.isEnum && ((accessFlags & acc.enum) !== 0 || program.isValuesField(scope.type, original, type))) return;
  const name = program.fieldName(scope.type, original, type);
  writer.line();
  scope.annotations.write(annotations.ofFields.get(fieldIndex) ?? [], () => writer.line());
  if (name !== original) writer.text(`/* renamed from: ${commentText(original)} */ `);
  const key = fieldKey({ name: original, type });
  const isStatic = (accessFlags & acc.static) !== 0;
  const made = isStatic ? undefined : scope.constructors?.values.get(key);
  const computed = isStatic ? scope.initial?.values.get(key) : made;
  const isFinal = (accessFlags & acc.final) !== 0 && isStatic && computed !== undefined && !isConstantValue(computed);
  const words = accessFlagWords(accessFlags & 0xff & ~(isFinal ? 0 : acc.final), 'field');
  if (words.length > 0) writer.text(`${words.join(' ')} `);
  const generic = program.signatures.ofField(scope.place, { fieldIndex, accessFlags });
  if (generic === null) names.write(writer, type);
  else names.writeGeneric(writer, generic);
  writer.text(' ').symbol(name, dex.field(fieldIndex), true);
  const isGiven = encoded !== undefined && (scope.isInterface || !isInitial(encoded));
  const value = computed ?? (isGiven ? (constantOf(dex, encoded)?.constant ?? null) : null);
  if (value !== null) {
    writer.text(' = ');
    const write = () => {
      const printer = scope.expressions(isStatic);
      const typed = printer.typing.as(value, generic ?? plainType(type));
      if (typed.kind === 'array' && typed.type === type && generic === null) writeItems(printer, typed);
      else printer.assignedValue(typed, type);
    };
    if (computed === undefined) write();
    else if (made !== undefined) scope.inConstructor(scope.constructors!.method, made.at, write);
    else scope.inInitialiser(value.at, write);
  } else if (scope.isInterface) writer.text(` = ${isReference(type) ? 'null' : type === 'Z' ? 'false' : '0'}`);
  writer.text(';');
}

/** Whether a field has a value before anything gives it one. */
const isInitial = (value: EncodedValue): boolean =>
  value.kind === 'null' || ('value' in value && Number(value.value) === 0 && !Object.is(value.value, -0));

/** Takes out of the static initialiser what can stand at the fields. */
export function readInitialiser(scope: ClassScope): void {
  const { dex, data } = scope.place;
  const method = allMethods(data).find(({ methodIndex }) => dex.methodName(methodIndex) === '<clinit>');
  if (method === undefined || method.codeOffset === 0) return;
  let source: MethodSource;
  try {
    source = methodSource(scope.file, dex, scope.type, method);
  } catch (error) {
    if (!(error instanceof BadCode || error instanceof Unsayable)) throw error;
    return;
  }
  const values = scope.encodedValues();
  const isSet = (index: number) => values[index] !== undefined && !isInitial(values[index]);
  const declared: string[] = [];
  // Java gives these their values in the order of the text, Android before it runs any code.
  let given = -1;
  for (const [index, { fieldIndex, accessFlags }] of data.staticFields.entries()) {
    if (!isSet(index)) declared.push(fieldKey({ name: dex.fieldName(fieldIndex), type: dex.fieldType(fieldIndex) }));
    else if ((accessFlags & acc.final) === 0) given = declared.length;
  }
  const { exceptions } = scope.file;
  const isAllowed = (value: Expression) => exceptions.leaving([{ kind: 'do', expression: value }]).size === 0;
  const found = staticValues(scope.type, source.statements, declared.slice(Math.max(0, given)), isAllowed);
  const isWhole = found.rest.length === 0;
  scope.initial = scope.isInterface && !isWhole ? { source, ...heldApart(scope, source) } : { source, ...found };
}

/** An interface has no place for code: a class in it does what its initialiser does, and the fields take their values there. */
function heldApart(scope: ClassScope, { statements }: MethodSource): StaticValues {
  const { program } = scope.file;
  const values = new Map<string, Expression>();
  const written = writtenIn(statements, scope.type);
  const rest = statements.map((statement) =>
    replaceParts(statement, (part) => {
      const field = ownStatic(part, scope.type);
      if (field === null || !written.has(fieldKey(field))) return undefined;
      const name = `${initialHolder}.${program.fieldName(scope.type, field.name, field.type)}`;
      const local: Local = { id: -1, type: field.type, hint: null, role: 'parameter', isConstant: false, name };
      const held: Expression = { kind: 'local', local, at: part.at };
      values.set(fieldKey(field), held);
      return held;
    }),
  );
  return { values, rest };
}

/** Whether javac takes a value for one that it may copy to where the field is read, without starting the class. */
const isConstantValue = ({ kind }: Expression): boolean =>
  kind !== 'call' && kind !== 'array' && kind !== 'new-array' && kind !== 'class';
