// What Kotlin's metadata says of single methods, for printing: names of parameters, functions that suspend. Knows no text.
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import { codeAt } from '../../formats/dex/code-item.ts';
import { instructionAt } from '../../formats/dex/instruction.ts';
import type { Local } from '../expressions/tree.ts';
import type { Program, SourceClass } from '../printing/program.ts';
import { kotlinClass } from './metadata.ts';
import { type KotlinMethod, methodNames } from './method-names.ts';

const known = new WeakMap<SourceClass, ReadonlyMap<number, KotlinMethod>>();
const continuation = 'Lkotlin/coroutines/Continuation;';
/** What the compiler's classes for coroutines extend. */
const baseContinuation = 'Lkotlin/coroutines/jvm/internal/BaseContinuationImpl;';

/** The function that a method was; null where nothing is said of it. */
function saidOf(place: SourceClass, methodIndex: number): KotlinMethod | null {
  let methods = known.get(place);
  if (methods === undefined) {
    methods = methodNames(kotlinClass(place.dex, place.annotations.ofClass), place);
    known.set(place, methods);
  }
  return methods.get(methodIndex) ?? null;
}

/** Names of the parameters of a method, as far as they are said: of the last one where a function suspends, too. */
export function saidParameters(place: SourceClass, methodIndex: number): readonly string[] {
  const said = saidOf(place, methodIndex);
  if (said === null) return [];
  const types = place.dex.protoParameters(place.dex.methodProtoIndex(methodIndex));
  const isSuspended = said.isSuspend && types.at(-1) === continuation;
  const names = isSuspended ? [...said.parameters, '$completion'] : said.parameters;
  // Compilers put parameters of their own before those of source: which is which nobody can tell then.
  return names.length === types.length ? names : [];
}

/** Gives parameters that have no name from debug information those that are said. */
export function nameSaidParameters(place: SourceClass, methodIndex: number, parameters: readonly Local[]): void {
  for (const [index, name] of saidParameters(place, methodIndex).entries()) {
    const parameter = parameters[index];
    if (parameter !== undefined && name !== '') parameter.hint ??= name;
  }
}

/** What a method is of a coroutine, in words; null for nothing. */
export function coroutineNote(program: Program, place: SourceClass, method: EncodedMethod): string | null {
  const { dex, type } = place;
  const said = saidOf(place, method.methodIndex);
  if (said?.isSuspend === true) {
    const isMachine = readsLabel(program, place, method);
    return `suspend fun ${said.name}(${said.parameters.join(', ')})${isMachine ? ': state machine of a coroutine' : ''}`;
  }
  const isBody =
    dex.methodName(method.methodIndex) === 'invokeSuspend' && program.relations.isAssignable(type, baseContinuation);
  return isBody && readsLabel(program, place, method)
    ? 'state machine of a coroutine: label says where it goes on'
    : null;
}

/** Whether code asks a continuation where to go on. */
function readsLabel(program: Program, { dex }: SourceClass, { codeOffset }: EncodedMethod): boolean {
  const units = codeOffset === 0 ? undefined : codeAt(dex, codeOffset)?.units;
  if (units === undefined) return false;
  for (let at = 0; at < units.length; ) {
    const { opcode, index, length } = instructionAt(units, at);
    if (opcode.mnemonic === 'iget' && dex.fieldType(index) === 'I') {
      if (program.relations.isAssignable(dex.fieldClass(index), baseContinuation)) return true;
    }
    at += Math.max(1, length);
  }
  return false;
}
