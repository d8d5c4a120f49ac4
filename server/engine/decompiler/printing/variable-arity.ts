// Which calls leave it to Java to gather their last values in an array. Knows no text.
import { platformGathers } from '../../code/types/class-relations.ts';
import type { Call, Expression } from '../expressions/tree.ts';
import { isPolymorphic } from './overloads.ts';
import type { Program } from './program.ts';

const accVarargs = 0x80;
/** Methods of the platform that share their name with others, none of which takes the values too; and the least number of values. */
const amongOthers: ReadonlyMap<string, number> = new Map([
  ['Ljava/lang/String;->format(Ljava/lang/String;[Ljava/lang/Object;)', 1],
  ['Ljava/lang/String;->format(Ljava/util/Locale;Ljava/lang/String;[Ljava/lang/Object;)', 1],
  ['Ljava/io/PrintStream;->printf(Ljava/lang/String;[Ljava/lang/Object;)', 1],
  ['Landroid/content/Context;->getString(I[Ljava/lang/Object;)', 1],
  ['Landroid/content/res/Resources;->getString(I[Ljava/lang/Object;)', 1],
  ['Landroid/content/res/Resources;->getQuantityString(II[Ljava/lang/Object;)', 1],
  ['Landroid/text/TextUtils;->concat([Ljava/lang/CharSequence;)', 0],
]);

/**
 * The values that a call of a method of variable arity gives one by one; null where its array is written.
 * https://docs.oracle.com/javase/specs/jls/se17/html/jls-15.html#jls-15.12.2
 * @param receiver class in which Java looks for the method
 */
export function gatheredValues(
  program: Program,
  { owner, name, parameters, returns, how, values }: Call,
  receiver: string,
  typeOf: (value: Expression) => string,
): readonly Expression[] | null {
  const last = values.at(-1);
  if (last?.kind !== 'array' && last?.kind !== 'new-array') return null;
  if (last.kind === 'new-array' && (last.size.kind !== 'number' || last.size.value !== 0)) return null;
  const items = last.kind === 'array' ? last.items : [];
  // One array, or null, would be taken for the array itself.
  if (items.length === 1 && (items[0]!.kind === 'number' || typeOf(items[0]!).startsWith('['))) {
    if (!/^\[[ZBCSIJFD]$/.test(last.type)) return null;
  }
  const isMade = how === 'new' || how === 'constructor';
  const called = isMade ? '<init>' : name;
  const own = program.findMethod(owner, called, `(${parameters.join('')})${isMade ? 'V' : returns}`);
  const count = values.length - 1 + items.length;
  if (own !== null) {
    const isMeant = (own.method.accessFlags & accVarargs) !== 0 && last.type === parameters.at(-1);
    const isKnown = program.methodsNamed(receiver, called, count).isWhole;
    const said = program.signatures.ofMethod(own.place, own.method)?.takes.at(-1);
    // Java makes the array of what it infers.
    const isOpen = said?.kind === 'array' && said.element.kind === 'variable';
    const isSame = !isOpen || isInferred(last.type, items, typeOf);
    return isMeant && isKnown && isSame && !isShared(program, called, receiver, parameters, count) ? items : null;
  }
  if (isPolymorphic(owner, name)) return null;
  for (const type of isMade ? [owner] : program.relations.above(owner)) {
    const least = amongOthers.get(`${type}->${called}(${parameters.join('')})`);
    const kind = least === undefined ? platformGathers(type, called, parameters.join('')) : 'fixed';
    if (kind === null) continue;
    const isKept = kind === 'fixed' ? last.type === parameters.at(-1) : isInferred(last.type, items, typeOf);
    const isAlone = !isShared(program, called, receiver, parameters, count);
    return isKept && items.length >= (least ?? 0) && isAlone ? items : null;
  }
  return null;
}

/** Whether Java infers from values alone an array of the very type: the method may hand it on. */
function isInferred(type: string, items: readonly Expression[], typeOf: (value: Expression) => string): boolean {
  return items.length > 0 && items.every((item) => item.kind !== 'number' && typeOf(item) === type.slice(1));
}

/** Whether a method of the app of the same name might take the values instead. */
function isShared(
  program: Program,
  name: string,
  receiver: string,
  parameters: readonly string[],
  count: number,
): boolean {
  const own = parameters.join('');
  for (let taken = 0; taken <= Math.max(count + 1, parameters.length); taken++) {
    for (const other of program.methodsNamed(receiver, name, taken).descriptors) {
      if (other !== own && (taken === count || /\[(?:L[^;]+;|[A-Z])$/.test(other))) return true;
    }
  }
  return false;
}
