// The methods of a class by name. Knows nothing of the classes above it.
import { allMethods, type ClassData, type EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';

const known = new WeakMap<ClassData, ReadonlyMap<string, readonly EncodedMethod[]>>();
const none: readonly EncodedMethod[] = [];

/** The methods that a class declares under a name, direct ones first: whole libraries have thousands in one class. */
export function methodsCalled({ dex, data }: { dex: Dex; data: ClassData }, name: string): readonly EncodedMethod[] {
  let methods = known.get(data);
  if (methods === undefined) {
    methods = Map.groupBy(allMethods(data), ({ methodIndex }) => dex.methodName(methodIndex));
    known.set(data, methods);
  }
  return methods.get(name) ?? none;
}
