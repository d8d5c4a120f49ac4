// What the signatures in annotations say. Knows no classes but the one that has them.
import { type MethodSignature, methodSignature, type TypeParameter } from '../../code/types/generic-signatures.ts';
import { object } from '../../code/values/operands.ts';
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

/**
 * Type parameters as source declares them. Of several bounds code has the first one and casts to the others where it uses them: values
 * that are not known to be all of them could not be given to source that has them all.
 */
export const firstBounds = (parameters: readonly TypeParameter[]): readonly TypeParameter[] =>
  parameters.map(({ name, bounds }) => {
    const [first] = bounds;
    const isOpen = first?.kind === 'class' && first.descriptor === object;
    return { name, bounds: isOpen ? bounds.slice(0, 2) : bounds.slice(0, 1) };
  });

/** What a method's signature says; null where it has none that is one. */
export function saidOfMethod(
  { dex, annotations }: SourceClass,
  { methodIndex }: EncodedMethod,
): MethodSignature | null {
  const text = signatureText(dex, annotations.ofMethods.get(methodIndex) ?? []);
  const signature = text === null ? null : methodSignature(text);
  return signature === null ? null : { ...signature, parameters: firstBounds(signature.parameters) };
}
