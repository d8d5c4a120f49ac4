// Writes the heads of methods. Knows no bodies.
import { plainType } from '../../code/types/generic-types.ts';
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import { accessFlagWords } from '../../formats/dex/smali.ts';
import type { Local } from '../expressions/tree.ts';
import { saidParameters } from '../kotlin/said-names.ts';
import { acc, type ClassScope } from './class-scope.ts';
import { commentText, isIdentifier } from './identifiers.ts';

/** Parameters of a method whose code is not looked at. */
export function plainParameters(scope: ClassScope, method: EncodedMethod): Local[] {
  const { dex } = scope.place;
  const { given } = scope.file.program;
  const symbol = dex.method(method.methodIndex);
  const said = saidParameters(scope.place, method.methodIndex);
  const isUsable = (name: string) => isIdentifier(name) && said.indexOf(name) === said.lastIndexOf(name);
  const signature = scope.file.program.signatures.ofMethod(scope.place, method);
  return dex.protoParameters(dex.methodProtoIndex(method.methodIndex)).map((type, id) => ({
    ...(signature === null ? {} : { generic: signature.takes[id]! }),
    id,
    type,
    hint: null,
    role: 'parameter' as const,
    key: `p${id}`,
    isConstant: true,
    name: given.variable(symbol, `p${id}`) ?? said.slice(id, id + 1).find(isUsable) ?? `p${id}`,
  }));
}

/** Modifiers, type, name and parameters; nothing for a static initialiser but its word. */
export function writeSignature(
  scope: ClassScope,
  method: EncodedMethod,
  name: string,
  parameters: readonly Local[],
): void {
  const { writer, names, program, exceptions } = scope.file;
  const { dex } = scope.place;
  const { methodIndex } = method;
  if (name === '<clinit>') {
    writer.symbol('static', dex.method(methodIndex), true).text(' ');
    return;
  }
  let flags = method.accessFlags & ~(acc.synthetic | 0x40 | acc.varargs);
  if (scope.isEnum && name === '<init>') flags = 0;
  if (scope.record?.canonical === methodIndex) flags = scope.flags & acc.public;
  if (scope.isInterface && (flags & acc.abstract) !== 0) flags &= ~acc.abstract;
  // What made classes of lambdas calls their bodies from there.
  if ((method.accessFlags & acc.static) !== 0 || (method.accessFlags & acc.synthetic) !== 0) flags &= ~acc.private;
  const words = accessFlagWords(flags & 0xffff, 'method');
  if ((method.accessFlags & 0x20000) !== 0 && !words.includes('synchronized')) words.push('synchronized');
  if (scope.isInterface && (flags & (acc.static | acc.private)) === 0 && method.codeOffset !== 0) words.push('default');
  if (words.length > 0) writer.text(`${words.join(' ')} `);
  const said = program.signatures.ofMethod(scope.place, method);
  if (said !== null && said.parameters.length > 0) {
    names.writeParameters(writer, said.parameters);
    writer.text(' ');
  }
  if (name === '<init>') writer.symbol(program.simpleName(scope.type), dex.method(methodIndex), true);
  else {
    if (said !== null) names.writeGeneric(writer, said.gives);
    else names.write(writer, dex.protoReturnType(dex.methodProtoIndex(methodIndex)));
    const shown = program.methodName(scope.type, name, dex.methodDescriptor(methodIndex));
    writer.text(' ').symbol(shown, dex.method(methodIndex), true);
    if (shown !== name) writer.text(` /* renamed from: ${commentText(name)} */`);
  }
  writer.text('(');
  writeParameters(scope, method, parameters);
  writer.text(')');
  const thrown = exceptions.declaredBy(scope.type, name, dex.methodDescriptor(methodIndex));
  for (const [index, type] of thrown.entries()) {
    writer.text(index > 0 ? ', ' : ' throws ');
    names.write(writer, type);
  }
  if (method.codeOffset !== 0) writer.text(' ');
}

/** The parameters in a head. */
export function writeParameters(scope: ClassScope, method: EncodedMethod, parameters: readonly Local[]): void {
  const { writer, names } = scope.file;
  const annotations = scope.place.annotations.ofParameters.get(method.methodIndex) ?? [];
  // Of an enum's constructor and of inner classes the first ones are javac's own.
  const hidden = Math.max(0, annotations.length - parameters.length);
  for (const [index, parameter] of parameters.entries()) {
    if (index > 0) writer.text(', ');
    scope.annotations.write(annotations[index + hidden] ?? [], () => writer.text(' '));
    const isVarargs =
      (method.accessFlags & acc.varargs) !== 0 && index === parameters.length - 1 && parameter.type.startsWith('[');
    const type = parameter.generic ?? plainType(parameter.type);
    names.writeGeneric(writer, isVarargs && type.kind === 'array' ? type.element : type);
    if (isVarargs) writer.text('...');
    writer.text(' ').local(parameter);
  }
}
