// Whether a call names a method of which there are several with as many parameters. Knows no expressions.
import { platformOverloads } from '../../code/types/class-relations.ts';
import type { Program } from './program.ts';

/** Whether Java compiles a call as one of the very types that its arguments have. https://docs.oracle.com/javase/specs/jls/se17/html/jls-15.html#jls-15.12.3 */
export const isPolymorphic = (type: string, name: string): boolean =>
  (type === 'Ljava/lang/invoke/MethodHandle;' && /^invoke(?:Exact)?$/.test(name)) ||
  (type === 'Ljava/lang/invoke/VarHandle;' && /^(?:get|set|compareAnd|weakCompareAnd)/.test(name));

/** Unless it is known that there is one method only, arguments are cast to just what the method takes. */
export function isOverloaded(program: Program, name: string, owner: string, parameters: readonly string[]): boolean {
  if (parameters.length === 0) return false;
  if (isPolymorphic(owner, name)) return true;
  for (const type of name === '<init>' ? [owner] : program.relations.above(owner)) {
    if (program.relations.placeOf(type) !== null) continue;
    const names = platformOverloads(type);
    if (names === null ? type !== 'Ljava/lang/Object;' : names.has(name)) return true;
  }
  const called = parameters.join('');
  return [...program.methodsNamed(owner, name, parameters.length).descriptors].some((other) => other !== called);
}
