// Which method of a class is which function of Kotlin's, with the names of its parameters. Knows no code.
import { allMethods, type EncodedMethod } from '../../formats/dex/class-data.ts';
import type { SourceClass } from '../printing/program.ts';
import type { KotlinClass, KotlinFunction } from './metadata.ts';

export interface KotlinMethod {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly isSuspend: boolean;
}

/** By the index of the method what Kotlin calls it. What is not told apart is left out. */
export function methodNames(kotlin: KotlinClass | null, place: SourceClass): ReadonlyMap<number, KotlinMethod> {
  const found = new Map<number, KotlinMethod>();
  if (kotlin === null) return found;
  const methods = allMethods(place.data);
  for (const said of kotlin.functions) {
    const meant = methodFor(said, place, methods);
    if (meant !== null) found.set(meant.methodIndex, said);
  }
  for (const { name, getter, setter } of kotlin.properties) {
    const word = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const isNamedSo = /^is[^a-z]/.test(name);
    for (const [signature, own, parameters] of [
      [getter, isNamedSo ? name : `get${word}`, []],
      [setter, `set${isNamedSo ? name.slice(2) : word}`, ['value']],
    ] as const) {
      if (signature === null) continue;
      const said = { name: own, signature, parameters, isSuspend: false };
      const meant = methodFor(said, place, methods);
      if (meant !== null) found.set(meant.methodIndex, said);
    }
  }
  return found;
}

function methodFor(
  { name, signature, parameters, isSuspend }: KotlinFunction,
  { dex }: SourceClass,
  methods: readonly EncodedMethod[],
): EncodedMethod | null {
  const count = parameters.length + (isSuspend ? 1 : 0);
  const meant = methods.filter(({ methodIndex }) => {
    if (dex.methodName(methodIndex) !== (signature.name ?? name)) return false;
    if (signature.descriptor !== null) return dex.methodDescriptor(methodIndex) === signature.descriptor;
    return dex.protoParameters(dex.methodProtoIndex(methodIndex)).length === count;
  });
  return meant.length === 1 ? meant[0]! : null;
}
