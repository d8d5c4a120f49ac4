// What an app has to be told so that one of its branches goes the other way. Knows no machine's state but what was noted.
import type { MethodBody } from '../../code/method-body.ts';
import { payloadAt } from '../../formats/dex/instruction.ts';
import { stringHash } from '../java/lang/number-text.ts';
import type { Comparison, Letter } from './comparisons.ts';
import { type Crossing, toldFor } from './inversion.ts';
import type { Plain, ToldPlace } from './told-values.ts';

/** A branch as it went once, and what it went by. */
export interface Decision {
  /** What it compares: one or two, the second one 0 where it compares with zero. */
  readonly operands: readonly [Operand, Operand];
  /** Of a comparison of two numbers just before it (`cmp-long` …) what it compared; null without one. */
  readonly compared: readonly [Operand, Operand] | null;
  readonly comparison: Comparison | null;
  /** The letter of what was told that the app took last; null without one. */
  readonly letter: Letter | null;
}

/** A value with the places that it comes from, and what each told then. */
export interface Operand {
  readonly value: Plain | undefined;
  readonly told: readonly (readonly [place: ToldPlace, told: Plain])[];
}

export interface WantedValue {
  readonly place: ToldPlace;
  readonly value: Plain;
}

type Relation = 'eq' | 'ne' | 'lt' | 'ge' | 'gt' | 'le';
const relations: readonly Relation[] = ['eq', 'ne', 'lt', 'ge', 'gt', 'le'];
const negated: Readonly<Record<Relation, Relation>> = { eq: 'ne', ne: 'eq', lt: 'ge', ge: 'lt', gt: 'le', le: 'gt' };
const turned: Readonly<Record<Relation, Relation>> = { eq: 'eq', ne: 'ne', lt: 'gt', ge: 'le', gt: 'lt', le: 'ge' };
const ifEq = 0x32;
const ifEqz = 0x38;
const ifLez = 0x3d;
/** A text where any will do. */
const anyText = 'value';
const maxWanted = 8;
/** Lengths of texts that are made up. */
const maxLength = 10_000;

/**
 * @param position of the branch in the method's body
 * @param to position of the instruction that it is to go on to
 * @param literals texts in the code of the method
 */
export function wantedValues(
  decision: Decision,
  body: MethodBody,
  position: number,
  to: number,
  literals: ReadonlySet<string>,
  crossings: readonly Crossing[] = [],
): WantedValue[] {
  const { opcode } = body.instructions[position]!;
  if (opcode.isSwitch) return ofSwitch(decision, body, position, to, literals).slice(0, maxWanted);
  if (opcode.value < ifEq || opcode.value > ifLez) return [];
  const wanted = wantedRelation(body, position, to);
  const found =
    decision.comparison !== null
      ? ofTexts(decision.comparison, wanted, decision.operands[0], crossings)
      : decision.compared !== null
        ? ofNumbers(decision.compared, wanted, decision.letter)
        : ofNumbers(decision.operands, wanted, decision.letter);
  return found.slice(0, maxWanted);
}

/** Which constants make a branch go on to an instruction; null where it compares with something else. */
export function wantedConstants(
  body: MethodBody,
  position: number,
  to: number,
): ((constant: number) => boolean) | null {
  const { opcode } = body.instructions[position]!;
  if (opcode.isSwitch) {
    const keys = new Set(switchKeys(body, position, to));
    return (constant) => keys.has(constant);
  }
  if (opcode.value < ifEqz || opcode.value > ifLez) return null;
  const wanted = wantedRelation(body, position, to);
  return (constant) => holds(wanted, constant);
}

/** In which relation the operands of an `if` stand, or the one to zero, where it goes on to an instruction. */
function wantedRelation({ instructions }: MethodBody, position: number, to: number): Relation {
  const { opcode, targets } = instructions[position]!;
  const relation = relations[opcode.value - (opcode.value < ifEqz ? ifEq : ifEqz)]!;
  return targets.includes(to) ? relation : negated[relation];
}

/** The relation that an `if` goes by; null for other instructions. */
export const branchRelation = (opcode: number): Relation | null =>
  opcode < ifEq || opcode > ifLez ? null : relations[opcode - (opcode < ifEqz ? ifEq : ifEqz)]!;

/** Whether an `if` asks whether two values are alike. */
export const isAlikeOrNot = (opcode: number): boolean => opcode === ifEq || opcode === ifEq + 1;

/** Whether two values stand in a relation; null where nobody can tell. */
export function holdsBetween(relation: Relation, left: Plain | undefined, right: Plain | undefined): boolean | null {
  if (typeof left === 'number' && typeof right === 'number') return holds(relation, left - right);
  return null;
}

function holds(relation: Relation, constant: number): boolean {
  switch (relation) {
    case 'eq':
      return constant === 0;
    case 'ne':
      return constant !== 0;
    case 'lt':
      return constant < 0;
    case 'ge':
      return constant >= 0;
    case 'gt':
      return constant > 0;
    case 'le':
      return constant <= 0;
  }
}

/** The keys of a switch that lead to an instruction; where it is the one for all others, a key that is none. */
function switchKeys(body: MethodBody, position: number, to: number): number[] {
  const { at, target, following } = body.instructions[position]!;
  const table = payloadAt(body.code.units, target);
  if (table === null || table.kind === 'array-data') return [];
  const keys = table.kind === 'packed-switch' ? table.targets.map((_, index) => table.firstKey + index) : table.keys;
  const wanted = keys.filter((_, index) => body.positions[at + table.targets[index]!] === to);
  return wanted.length > 0 || to !== following ? wanted : [Math.max(...keys) + 1];
}

/** Values of a switch that lead to an instruction. */
function ofSwitch(
  { operands: [operand] }: Decision,
  body: MethodBody,
  position: number,
  to: number,
  literals: ReadonlySet<string>,
): WantedValue[] {
  const wanted = switchKeys(body, position, to);
  return operand.told.flatMap(([place, told]) =>
    wanted.flatMap((key) => {
      if (typeof told !== 'string' && told !== null) return numbers(place, told, operand.value, key);
      // A switch over texts is one over their hashes.
      return [...literals].filter((text) => stringHash(text) === key).map((value) => ({ place, value }));
    }),
  );
}

/** So that two texts compare otherwise. @param wanted relation of the result to zero */
function ofTexts(
  comparison: Comparison,
  wanted: Relation,
  result: Operand,
  crossings: readonly Crossing[],
): WantedValue[] {
  const { how, texts } = comparison;
  // What is compared with zero is the distance of two texts, or the place of one in the other, or whether they are alike.
  const isAlike = (/^compareTo/.test(how) ? ['eq', 'ge', 'le'] : ['ne', 'ge', 'gt']).includes(wanted);
  return result.told.flatMap(([place, told]) => {
    const values = isAlike ? alike(how, texts, told, crossings) : unlike(how, texts, told);
    return values.map((value) => ({ place, value }));
  });
}

function alike(how: string, [left, right]: Comparison['texts'], told: Plain, crossings: readonly Crossing[]): string[] {
  if (how === 'isEmpty') return [''];
  const text = told === null ? null : String(told);
  const isLeft = text === null ? left === null : left !== null && isMadeOf(left, text, right);
  const [seen, other] = isLeft ? [left, right] : [right, left];
  if (other === null) return [];
  return text === null || seen === null ? [other] : toldFor(text, seen, other, crossings);
}

/** Whether a text is likelier to come from what was told than the other one. */
const isMadeOf = (text: string, told: string, other: string | null): boolean =>
  text === told || other === null || (other !== told && !told.includes(other));

function unlike(how: string, [left, right]: Comparison['texts'], told: Plain): string[] {
  if (how === 'isEmpty') return [anyText];
  return [told === anyText || left === anyText || right === anyText ? `${anyText}s` : anyText];
}

/** So that two numbers, or a text and null, stand in a relation. */
function ofNumbers([left, right]: readonly [Operand, Operand], wanted: Relation, letter: Letter | null): WantedValue[] {
  const isReference = left.value === null || typeof left.value === 'string';
  if (isReference) return left.told.flatMap(([place, told]) => texts(place, told, left.value ?? null, wanted));
  return [
    ...left.told.flatMap(([place, told]) => numbers(place, told, left.value, fitting(wanted, right.value), letter)),
    ...right.told.flatMap(([place, told]) =>
      numbers(place, told, right.value, fitting(turned[wanted], left.value), letter),
    ),
  ];
}

/** So that a text is there, or is not. */
function texts(place: ToldPlace, told: Plain, seen: Plain, wanted: Relation): WantedValue[] {
  if (place.type.length === 1 || told !== seen) return [];
  return wanted === 'ne' ? [{ place, value: anyText }] : wanted === 'eq' ? [{ place, value: null }] : [];
}

/** A number that stands in a relation to another; undefined where there is none. */
function fitting(relation: Relation, other: Plain | undefined): number | bigint | undefined {
  if (typeof other !== 'number' && typeof other !== 'bigint') return undefined;
  const one = (typeof other === 'bigint' ? 1n : 1) as number;
  switch (relation) {
    case 'eq':
    case 'ge':
    case 'le':
      return other;
    case 'lt':
      return (other as number) - one;
    default:
      return (other as number) + one;
  }
}

/**
 * What a place has to tell so that what comes of it is `wanted`: a sum moves with its parts, the length of a text is that of
 * a longer one, and a number may be told as a text.
 */
function numbers(
  place: ToldPlace,
  told: Plain,
  seen: Plain | undefined,
  wanted: number | bigint | undefined,
  letter: Letter | null = null,
): WantedValue[] {
  if (wanted === undefined || (typeof seen !== 'number' && typeof seen !== 'bigint')) return [];
  const number = Number(wanted);
  if (place.type.length > 1) {
    const text = String(told ?? '');
    if (Number(seen) === text.length && number >= 0 && number <= maxLength)
      return [{ place, value: text.slice(0, number).padEnd(number, '1') }];
    if (String(seen) === text) return [{ place, value: String(wanted) }];
    // As many more as are missing: what the app reckons with a number moves with it.
    if (/^-?\d{1,15}$/.test(text)) return [{ place, value: String(Number(text) + number - Number(seen)) }];
    return ofLetter(text, Number(seen), number, letter).map((value) => ({ place, value }));
  }
  if (place.type === 'Z')
    return [{ place, value: Number(Number(told) === Number(seen) ? number !== 0 : number === 0) }];
  return [{ place, value: Number(told ?? 0) + number - Number(seen) }];
}

/** With another letter, of which the app made a number by crossing it with a key, or by adding something. */
function ofLetter(told: string, seen: number, wanted: number, letter: Letter | null): string[] {
  if (letter === null) return [];
  const code = letter.text.charCodeAt(letter.index);
  const codes = new Set([code ^ seen ^ wanted, code + wanted - seen].filter((each) => each > 0 && each <= 0xffff));
  const at = (letter.text === told ? 0 : told.indexOf(letter.text)) + letter.index;
  if (at < letter.index) return [];
  return [...codes].map((each) => told.slice(0, at) + String.fromCharCode(each) + told.slice(at + 1));
}
