// Recognises what javac makes of `+` between strings: a StringBuilder that nothing else uses. Knows no text.
import { effectsOf } from '../expressions/effects.ts';
import { type Call, type Expression, effect } from '../expressions/tree.ts';

const builder = 'Ljava/lang/StringBuilder;';
export const string = 'Ljava/lang/String;';
const object = 'Ljava/lang/Object;';
/** What `append` takes and writes as `+` does. */
const appended: ReadonlySet<string> = new Set([string, object, 'Z', 'C', 'I', 'J', 'F', 'D']);

export interface Piece {
  readonly value: Expression;
  /** What it is appended as. */
  readonly type: string;
}

/**
 * The operands of a concatenation, in order; null for any other call. The text of an object is asked for as it is appended: nothing
 * that could change it may be evaluated after it.
 */
export function concatenation(call: Call): Piece[] | null {
  if (call.name !== 'toString' || call.owner !== builder || call.values.length > 0) return null;
  const pieces: Piece[] = [];
  let isFollowedByAct = false;
  let at = call.object;
  for (; at?.kind === 'call' && at.name === 'append' && at.owner === builder; at = at.object) {
    const [value] = at.values;
    const [type = ''] = at.parameters;
    if (value === undefined || !appended.has(type) || at.values.length > 1) return null;
    if (type === object && isFollowedByAct) return null;
    const asked = type === string && !isFollowedByAct ? askedForText(value) : null;
    pieces.unshift(asked === null ? { value, type } : { value: asked, type: object });
    isFollowedByAct ||= (effectsOf(value).mask & effect.acts) !== 0;
  }
  if (at?.kind !== 'call' || at.how !== 'new' || at.owner !== builder) return null;
  const [first] = at.values;
  if (first !== undefined) {
    // Of null it would make no text, but throw.
    if (first.kind !== 'string' || at.parameters[0] !== string) return null;
    pieces.unshift({ value: first, type: string });
  }
  // Of constants alone javac makes one string for all who say the same.
  return pieces.every(({ value }) => isConstant(value)) ? null : pieces;
}

/** What a value joins to a text that stands first in it, where `+=` means the same; null for any other value. */
export function addedText(value: Expression, isText: (part: Expression) => boolean): readonly Piece[] | null {
  const pieces = value.kind === 'call' ? concatenation(value) : null;
  const [first, second, ...others] = pieces ?? [];
  if (first?.type !== string || second === undefined || !isText(first.value)) return null;
  // All that is added is joined before.
  return others.length === 0 || second.type === string ? [second, ...others] : null;
}

/** The object whose text `String.valueOf` asks for, as compilers do before they join all; null for any other value. */
function askedForText(value: Expression): Expression | null {
  if (value.kind !== 'call' || value.how !== 'static' || value.owner !== string || value.name !== 'valueOf')
    return null;
  const [asked] = value.values;
  return value.parameters[0] === object && asked !== undefined && asked.kind !== 'number' ? asked : null;
}

const isConstant = ({ kind }: Expression): boolean => kind === 'string' || kind === 'number' || kind === 'wide';
