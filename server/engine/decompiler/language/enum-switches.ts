// Recognises a `switch` over an enum in what compilers make of it: one over the numbers that an array in a class of their own gives
// to the constants, by their ordinals. Knows no text.
import { BadCode } from '../../code/method-body.ts';
import { variablesOf } from '../../code/values/variables.ts';
import { allMethods } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { Case, Expression, Local, Statement } from '../expressions/tree.ts';
import { Unsayable } from '../limits.ts';
import { methodFlow } from '../method-flow.ts';
import type { Program, SourceClass } from '../printing/program.ts';
import { eachList } from '../structure/walk.ts';
import type { Caller } from './class-uses.ts';
import { fieldKey } from './static-fields.ts';

const accEnum = 0x4000;
const accSynthetic = 0x1000;
const sget = 0x62;
const aget = 0x44;
const anEnum = 'Ljava/lang/Enum;';

type Switch = Statement & { readonly kind: 'switch' };
type Field = Expression & { readonly kind: 'field' };

/** The numbers that stand for constants of an enum. */
export interface EnumMap {
  readonly type: string;
  readonly constants: ReadonlyMap<number, string>;
}

/** Whether a field may be such an array: one of a class that a compiler made, or so called by javac or Kotlin's. */
export function mayBeEnumMap(program: Program, dex: Dex, fieldIndex: number): boolean {
  if (dex.fieldType(fieldIndex) !== '[I') return false;
  if (/^\$(?:SwitchMap|EnumSwitchMapping)\$/.test(dex.fieldName(fieldIndex))) return true;
  const place = program.relations.placeOf(dex.fieldClass(fieldIndex));
  return place !== null && (place.dex.classDef(place.classIndex).accessFlags & accSynthetic) !== 0;
}

export class EnumMaps {
  readonly #program: Program;
  readonly #callers: (member: string) => readonly Caller[];
  readonly #known = new Map<string, ReadonlyMap<string, EnumMap>>();

  /** @param callers the code that names a field */
  constructor(program: Program, callers: (member: string) => readonly Caller[]) {
    this.#program = program;
    this.#callers = callers;
  }

  /** What the elements of a static field stand for; null where it is no such array, or anybody could write to it. */
  of({ owner, name, type }: Field): EnumMap | null {
    return type === '[I' ? (this.#ofClass(owner).get(fieldKey({ name, type })) ?? null) : null;
  }

  /** Whether a class holds nothing but such arrays, for the classes of its own file: source has no need of it. */
  isHolder(type: string): boolean {
    const place = this.#program.classOf(type);
    if (place === null || this.#program.outerOf(type) === null || this.#program.innerOf(type).length > 0) return false;
    const { data } = place;
    const count = data.staticFields.length;
    if (count === 0 || data.instanceFields.length > 0 || allMethods(data).length !== 1) return false;
    const maps = this.#ofClass(type);
    const top = this.#program.topOf(type);
    const isOwn = (key: string) =>
      this.#callers(`${type}->${key}`).every(({ owner }) => this.#program.topOf(owner) === top);
    return maps.size === count && [...maps.keys()].every(isOwn);
  }

  #ofClass(type: string): ReadonlyMap<string, EnumMap> {
    let known = this.#known.get(type);
    if (known === undefined) {
      this.#known.set(type, new Map());
      known = this.#find(type);
      this.#known.set(type, known);
    }
    return known;
  }

  #find(type: string): ReadonlyMap<string, EnumMap> {
    const place = this.#program.classOf(type);
    if (place === null) return new Map();
    const { dex, data } = place;
    const isMap = data.staticFields.some(({ fieldIndex }) => mayBeEnumMap(this.#program, dex, fieldIndex));
    const maker = isMap && data.directMethods.find(({ methodIndex }) => dex.methodName(methodIndex) === '<clinit>');
    if (!maker || maker.codeOffset === 0) return new Map();
    try {
      const found = mapsIn(type, this.#program.local.source(place, maker).statements, (field) =>
        this.#isConstant(field),
      );
      return new Map([...found].filter(([key]) => this.#isOnlyRead(place, key, maker.methodIndex)));
    } catch (error) {
      if (error instanceof BadCode || error instanceof Unsayable) return new Map();
      throw error;
    }
  }

  #isConstant({ owner, name, type }: Field): boolean {
    const program = this.#program;
    if (owner !== type) return false;
    const place = program.classOf(owner);
    if (place === null) return program.relations.factsOf(owner)?.superclass === anEnum;
    const { dex, data } = place;
    return (
      program.isEnumClass(owner) &&
      data.staticFields.some(
        ({ fieldIndex, accessFlags }) => (accessFlags & accEnum) !== 0 && dex.fieldName(fieldIndex) === name,
      )
    );
  }

  /** Whether all code but the class's own initialiser only reads elements of an array. */
  #isOnlyRead({ dex, type }: SourceClass, key: string, maker: number): boolean {
    const field = `${type}->${key}`;
    const callers = new Map(
      this.#callers(field)
        .filter((caller) => caller.owner !== type || caller.methodIndex !== maker || caller.dex !== dex)
        .map((caller) => [`${caller.owner} ${caller.methodIndex}`, caller]),
    );
    return [...callers.values()].every((caller) => this.#reads(caller, field));
  }

  #reads({ dex, owner, methodIndex }: Caller, field: string): boolean {
    const place = this.#program.classOf(owner);
    const method = place === null ? undefined : allMethods(place.data).find((each) => each.methodIndex === methodIndex);
    if (place?.dex !== dex || method === undefined) return false;
    const { flow } = methodFlow(dex, owner, method);
    const { read, written } = variablesOf(flow);
    const { instructions } = flow.body;
    return instructions.every(({ opcode, index }, position) => {
      if (opcode.index !== 'field' || dex.field(index) !== field || flow.operands[position] === undefined) return true;
      const web = written[position];
      if (opcode.value !== sget || web === undefined) return false;
      return web.readers.every(
        (at) => instructions[at]!.opcode.value === aget && read[at]![0] === web && read[at]![1] !== web,
      );
    });
  }
}

/** The arrays that a static initialiser makes, by name and type of the field; none where it does anything else. */
function mapsIn(
  type: string,
  statements: readonly Statement[],
  isConstant: (field: Field) => boolean,
): ReadonlyMap<string, EnumMap> {
  const byField = new Map<string, { type: string; constants: Map<number, string> }>();
  const byLocal = new Map<Local, { type: string; constants: Map<number, string> }>();
  const none = new Map<string, EnumMap>();
  const held = (array: Expression) =>
    array.kind === 'local'
      ? byLocal.get(array.local)
      : array.kind === 'field' && array.object === null && array.owner === type
        ? byField.get(fieldKey(array))
        : undefined;
  const take = (statement: Statement): boolean => {
    switch (statement.kind) {
      case 'return':
        return statement.value === null;
      case 'declare':
        return true;
      case 'try':
        return (
          statement.body.length === 1 &&
          statement.body.every((each) => each.kind === 'store' && each.target.kind === 'element' && take(each)) &&
          statement.catches.every((each) => each.type === 'Ljava/lang/NoSuchFieldError;' && each.body.length === 0)
        );
      case 'set': {
        const over = countedBy(statement.value);
        if (over === null || !statement.local.isConstant) return false;
        byLocal.set(statement.local, { type: over, constants: new Map() });
        return true;
      }
      case 'store': {
        const { target, value } = statement;
        if (target.kind === 'field' && target.object === null && target.owner === type) {
          const over = countedBy(value);
          const made = over === null ? held(value) : { type: over, constants: new Map<number, string>() };
          if (made === undefined || byField.has(fieldKey(target))) return false;
          byField.set(fieldKey(target), made);
          return true;
        }
        return target.kind === 'element' && numbers(held(target.array), target.index, value, isConstant);
      }
      default:
        return false;
    }
  };
  return statements.every(take) ? byField : none;
}

/** The enum after the number of whose constants an array is sized; null for any other value. */
function countedBy(value: Expression): string | null {
  if (value.kind !== 'new-array' || value.type !== '[I' || value.size.kind !== 'length') return null;
  const { array } = value.size;
  if (array.kind !== 'call' || array.how !== 'static' || array.name !== 'values' || array.values.length > 0)
    return null;
  return array.returns === `[${array.owner}` ? array.owner : null;
}

/** Notes the number that an array gives to a constant. */
function numbers(
  map: { type: string; constants: Map<number, string> } | undefined,
  index: Expression,
  value: Expression,
  isConstant: (field: Field) => boolean,
): boolean {
  if (map === undefined || value.kind !== 'number' || value.value === 0 || !isOrdinal(index)) return false;
  const { object: constant, owner } = index;
  if (constant?.kind !== 'field' || constant.object !== null || constant.owner !== map.type || owner !== map.type)
    return false;
  const isKnown = map.constants.has(value.value) || [...map.constants.values()].includes(constant.name);
  if (isKnown || !isConstant(constant)) return false;
  map.constants.set(value.value, constant.name);
  return true;
}

const isOrdinal = (value: Expression): value is Expression & { kind: 'call' } =>
  value.kind === 'call' && value.how === 'virtual' && value.name === 'ordinal' && value.values.length === 0;

/** Changes the lists in place. */
export function foldEnumSwitches(list: Statement[], maps: EnumMaps): void {
  for (let index = 0; index < list.length; index++) {
    const statement = list[index]!;
    for (const inner of eachList(statement)) foldEnumSwitches(inner, maps);
    if (statement.kind === 'switch') list[index] = overConstants(statement, maps) ?? statement;
  }
}

function overConstants(statement: Switch, maps: EnumMaps): Switch | null {
  const { value } = statement;
  if (value.kind !== 'element' || value.array.kind !== 'field' || value.array.object !== null) return null;
  const { index, array } = value;
  const map = isOrdinal(index) ? maps.of(array) : null;
  if (map === null || !isOrdinal(index) || index.owner !== map.type || index.object === null) return null;
  const cases: Case[] = [];
  for (const { keys, isDefault, body } of statement.cases) {
    // Every constant without a number has 0.
    if (keys.includes(0)) return null;
    const named = keys.flatMap((key) => map.constants.get(Number(key)) ?? []);
    if (named.length === 0 && !isDefault) return null;
    cases.push({ keys: named, isDefault, body });
  }
  return { ...statement, value: index.object, cases, over: map.type };
}
