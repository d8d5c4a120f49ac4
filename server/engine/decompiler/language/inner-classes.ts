// Which classes are inner ones of Java: each object of theirs belongs to one of the class around. Knows no text.

import { BadCode } from '../../code/method-body.ts';
import { object } from '../../code/values/operands.ts';
import { systemValue } from '../../formats/dex/annotations.ts';
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { parts } from '../expressions/effects.ts';
import type { Call, Expression, Local, Statement } from '../expressions/tree.ts';
import { Unsayable } from '../limits.ts';
import type { MethodSource } from '../method.ts';
import type { Program, SourceClass } from '../printing/program.ts';
import { callsConstructor, isConstructorCall } from './constructors.ts';
import { type Callers, InnerProof } from './inner-proofs.ts';
import { checkedBy } from './outer-checks.ts';
import { fieldKey } from './static-fields.ts';

const accStatic = 0x8;
const accFinal = 0x10;
const accSynthetic = 0x1000;
/** Classes in one file that are looked at. */
const maxInFile = 400;
/** Rounds in which what one of them takes for granted may turn out wrong for another. */
const maxRounds = 8;

/** A class whose objects keep one of the class around from before any code of a superclass runs, and which is never null. */
export interface InnerClass {
  readonly type: string;
  /** The class around. */
  readonly outer: string;
  /** The field that holds it, by name and type. */
  readonly key: string;
  /** The constructors' parameters, as descriptors have them: the object around is the first. */
  readonly constructors: readonly string[];
}

/** Whether a field may hold the object around, by its type, and not what a class within a method captures. */
export const mayHoldOuter = (program: Program, dex: Dex, fieldIndex: number): boolean =>
  dex.fieldType(fieldIndex) === program.outerOf(dex.fieldClass(fieldIndex)) &&
  !dex.fieldName(fieldIndex).startsWith('val$');

export class InnerClasses {
  readonly #program: Program;
  readonly #callers: Callers;
  /** By the class of a file those in it. */
  readonly #known = new Map<string, ReadonlyMap<string, InnerClass>>();

  constructor(program: Program, callers: Callers) {
    this.#program = program;
    this.#callers = callers;
  }

  /** What source says of a class that it writes as an inner one; null for any other one. */
  of(type: string): InnerClass | null {
    if (this.#program.outerOf(type) === null) return null;
    const top = this.#program.topOf(type);
    let known = this.#known.get(top);
    if (known === undefined) {
      // What is asked while this is found out is no more than that the classes are nested ones.
      this.#known.set(top, new Map());
      known = this.#find(top);
      this.#known.set(top, known);
    }
    return known.get(type) ?? null;
  }

  #find(top: string): ReadonlyMap<string, InnerClass> {
    const found = new Map<string, InnerClass>();
    const within = [top];
    for (const type of within) {
      if (within.length > maxInFile) return new Map();
      within.push(...this.#program.innerOf(type));
      const shape = this.#shapeOf(type);
      if (shape !== null) found.set(type, shape);
    }
    // All are taken for inner classes until one is not, which may make others none.
    for (let round = 0; found.size > 0; round++) {
      if (round === maxRounds) return new Map();
      const proof = new InnerProof(this.#program, this.#callers, found);
      const refuted = [...found.values()].filter((shape) => !proof.holds(shape));
      if (refuted.length === 0) return found;
      for (const { type } of refuted) found.delete(type);
    }
    return found;
  }

  #shapeOf(type: string): InnerClass | null {
    const program = this.#program;
    const outer = program.outerOf(type);
    const place = program.classOf(type);
    if (outer === null || place === null || !this.#mayBe(place, outer)) return null;
    const { dex, data } = place;
    const makers = data.directMethods.filter(({ methodIndex }) => dex.methodName(methodIndex) === '<init>');
    if (makers.length === 0) return null;
    const held = accFinal | accSynthetic;
    const keys = data.instanceFields
      .filter(({ fieldIndex, accessFlags }) => (accessFlags & held) === held && mayHoldOuter(program, dex, fieldIndex))
      .map(({ fieldIndex }) => fieldKey({ name: dex.fieldName(fieldIndex), type: outer }))
      .filter((key) => makers.every((maker) => this.#keeps(place, maker, outer, key)));
    const [key] = keys;
    if (keys.length !== 1 || key === undefined) return null;
    return { type, outer, key, constructors: makers.map(({ methodIndex }) => dex.methodDescriptor(methodIndex)) };
  }

  #mayBe({ dex, type, classIndex, annotations }: SourceClass, outer: string): boolean {
    const program = this.#program;
    const facts = program.relations.factsOf(type);
    const around = program.relations.factsOf(outer);
    if (facts === null || facts.isInterface || around === null || around.isInterface) return false;
    if (program.isEnumClass(type) || facts.superclass === 'Ljava/lang/Record;' || program.isConstantBody(type))
      return false;
    // Source has no name for an object of a class that has none itself.
    if (program.isLambdaClass(type) || program.isConstantBody(outer) || program.local.of(outer) !== null) return false;
    const flags = systemValue(dex, annotations.ofClass, 'InnerClass', 'accessFlags');
    const isStatic = flags?.kind === 'int' && (Number(flags.value) & accStatic) !== 0;
    return !isStatic && (dex.classDef(classIndex).accessFlags & accStatic) === 0;
  }

  #keeps(place: SourceClass, maker: EncodedMethod, outer: string, key: string): boolean {
    if (maker.codeOffset === 0) return false;
    if (place.dex.protoParameters(place.dex.methodProtoIndex(maker.methodIndex))[0] !== outer) return false;
    try {
      return keepsOuter(this.#program.local.source(place, maker), place.type, key);
    } catch (error) {
      if (error instanceof BadCode || error instanceof Unsayable) return false;
      throw error;
    }
  }
}

const isThis = (of: Expression | null): boolean => of?.kind === 'local' && of.local.role === 'this';

/** Whether a statement keeps a parameter in a field of the object. */
export const isKeeping = (statement: Statement, type: string, key: string): boolean =>
  statement.kind === 'store' &&
  statement.target.kind === 'field' &&
  statement.target.owner === type &&
  isThis(statement.target.object) &&
  fieldKey(statement.target) === key;

/**
 * Whether a constructor keeps its first parameter in a field before it calls that of the superclass, or passes it on to another one
 * of its class, and does nothing before that but to keep other things.
 */
function keepsOuter({ parameters, statements }: MethodSource, type: string, key: string): boolean {
  const given = parameters[1];
  if (given === undefined || !given.isConstant) return false;
  const at = statements.findIndex(isConstructorCall);
  const statement = statements[at];
  if (statement?.kind !== 'do' || callsConstructor(statements.slice(at + 1))) return false;
  const call = statement.expression as Call;
  const kept = statements.flatMap((each, index) => (isKeeping(each, type, key) ? [index] : []));
  if (call.owner === type) return at === 0 && kept.length === 0 && isLocal(call.values[0], given);
  const [place] = kept;
  if (kept.length !== 1 || place === undefined) return false;
  const store = statements[place] as Statement & { kind: 'store' };
  // Object's does nothing: it may run before.
  const first = call.owner === object ? Math.max(at, place) : at;
  if (!isLocal(store.value, given) || place > first) return false;
  return statements.slice(0, first).every((each, index) => index === at || isPlainKeeping(each, type, parameters));
}

const isLocal = (value: Expression | undefined, local: Local): boolean =>
  value?.kind === 'local' && value.local === local;

/** Whether a statement only keeps a parameter or a constant in a field of the object, or asks whether another object is there. */
function isPlainKeeping(statement: Statement, type: string, parameters: readonly Local[]): boolean {
  const checked = checkedBy(statement);
  if (checked !== null) return checked !== parameters[1];
  if (statement.kind !== 'store' || statement.target.kind !== 'field') return false;
  const { target, value } = statement;
  const isSteady = value.kind === 'local' ? parameters.includes(value.local) : parts(value).length === 0;
  return target.owner === type && isThis(target.object) && isSteady && value.kind !== 'field';
}
