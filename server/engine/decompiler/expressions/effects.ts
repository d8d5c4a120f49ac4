// What evaluating an expression may do, and which two may change places. Knows no statements.
import { type Call, type Expression, effect, type Local } from './tree.ts';

export interface Effects {
  readonly mask: number;
  /** Variables it reads that are written more than once. */
  readonly locals: readonly Local[];
  readonly depth: number;
}

const none: readonly Local[] = [];
/** Of the expressions that were asked about last: a weak map costs several times as much. */
const known = new Map<Expression, Effects>();
const maxKnown = 4_000;
/** Effects of expressions that have no parts and read no variable, by their mask. */
const withoutParts: readonly Effects[] = Array.from({ length: 8 }, (_, mask) => ({ mask, locals: none, depth: 1 }));

/** The parts of an expression in the order in which Java evaluates them. */
export function parts(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'negation':
    case 'conversion':
    case 'cast':
    case 'instanceof':
    case 'not':
    case 'truth':
      return [expression.operand];
    case 'arithmetic':
    case 'comparison':
    case 'relation':
    case 'junction':
      return [expression.left, expression.right];
    case 'field':
      return expression.object === null ? [] : [expression.object];
    case 'element':
      return [expression.array, expression.index];
    case 'length':
      return [expression.array];
    case 'new-array':
      return [expression.size];
    case 'array':
      return expression.items;
    case 'lambda':
      return expression.captured;
    case 'call': {
      const first = expression.object ?? expression.start;
      return first === undefined ? expression.values : [first, ...expression.values];
    }
    case 'choice':
      return [expression.condition, expression.yes, expression.no];
    default:
      return [];
  }
}

function ownMask(expression: Expression): number {
  switch (expression.kind) {
    case 'arithmetic': {
      const { operator, type, right } = expression;
      if ((operator !== '/' && operator !== '%') || type === 'F' || type === 'D') return 0;
      const isZero = right.kind === 'number' ? right.value === 0 : right.kind === 'wide' ? right.value === 0n : true;
      return isZero ? effect.throws : 0;
    }
    case 'cast':
    case 'length':
    case 'new-array':
      return effect.throws;
    case 'field':
      if (expression.object === null) {
        return expression.isOwn ? effect.reads : effect.reads | effect.throws | effect.acts;
      }
      return expression.object.kind === 'local' && expression.object.local.role === 'this'
        ? effect.reads
        : effect.reads | effect.throws;
    case 'element':
      return effect.reads | effect.throws;
    case 'call':
    case 'start':
      return effect.reads | effect.throws | effect.acts;
    default:
      return 0;
  }
}

export function effectsOf(expression: Expression): Effects {
  if (expression.kind === 'local') {
    const { local } = expression;
    return local.isConstant ? withoutParts[0]! : { mask: 0, locals: [local], depth: 1 };
  }
  const inner = parts(expression);
  if (inner.length === 0) return withoutParts[ownMask(expression)]!;
  let effects = known.get(expression);
  if (effects !== undefined) return effects;
  let mask = ownMask(expression);
  let depth = 0;
  let locals: readonly Local[] = none;
  for (const part of inner) {
    const found = effectsOf(part);
    mask |= found.mask;
    depth = Math.max(depth, found.depth);
    if (found.locals.length > 0)
      locals = locals.length === 0 ? found.locals : [...new Set([...locals, ...found.locals])];
  }
  effects = { mask, locals, depth: depth + 1 };
  if (known.size >= maxKnown) known.clear();
  known.set(expression, effects);
  return effects;
}

const builder = 'Ljava/lang/StringBuilder;';
/** Parameters of `append` that ask no object for its text. */
const plain: ReadonlySet<string> = new Set(['Ljava/lang/String;', 'Z', 'C', 'I', 'J', 'F', 'D']);

/** Whether a call makes a StringBuilder, or appends to one that is made there. */
export function isBuilding(call: Call): boolean {
  let at: Expression | null = call;
  while (at?.kind === 'call' && at.owner === builder && at.name === 'append') at = at.object;
  return at?.kind === 'call' && at.owner === builder && at.how === 'new';
}

/** What an expression may do that others see: nobody sees how a text grows in a StringBuilder that is made there. */
export function visibleMask(expression: Expression): number {
  if (expression.kind !== 'call' || !isBuilding(expression)) return effectsOf(expression).mask;
  let mask = 0;
  for (let at: Expression | null = expression; at?.kind === 'call'; at = at.object) {
    for (const value of at.values) mask |= effectsOf(value).mask;
    const isPlain = at.values.length === 0 || plain.has(at.parameters.join(''));
    if (!isPlain) mask |= effect.reads | effect.throws | effect.acts;
  }
  return mask;
}

/** Whether doing two things in the other order is the same to whoever watches. */
export function commute(a: number, b: number): boolean {
  const { reads, throws, acts } = effect;
  if ((a & acts) !== 0 && (b & (reads | throws | acts)) !== 0) return false;
  if ((b & acts) !== 0 && (a & (reads | throws)) !== 0) return false;
  return (a & throws) === 0 || (b & throws) === 0;
}
