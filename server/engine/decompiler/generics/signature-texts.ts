// What the signatures in annotations say. Knows no classes but the one that has them.
import { type MethodSignature, methodSignature } from '../../code/types/generic-signatures.ts';
import { type Annotation, systemValue } from '../../formats/dex/annotations.ts';
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { SourceClass } from '../printing/program.ts';

/** The text of a signature in annotations. */
export function signatureText(dex: Dex, annotations: readonly Annotation[]): string | null {
  const value = systemValue(dex, annotations, 'Signature');
  if (value?.kind !== 'array') return null;
  return value.values.map((part) => (part.kind === 'string' ? dex.string(part.index) : '')).join('');
}

/** What a method's signature says; null where it has none that is one. */
export function saidOfMethod(
  { dex, annotations }: SourceClass,
  { methodIndex }: EncodedMethod,
): MethodSignature | null {
  const text = signatureText(dex, annotations.ofMethods.get(methodIndex) ?? []);
  return text === null ? null : methodSignature(text);
}
