// Recognises records: classes whose components the dex file names, and whose fields and constructor are just what Java makes of them.
// Knows no text.

import { BadCode } from '../../code/method-body.ts';
import { systemValue } from '../../formats/dex/annotations.ts';
import { allMethods, type EncodedMethod } from '../../formats/dex/class-data.ts';
import { codeAt } from '../../formats/dex/code-item.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { instructionAt } from '../../formats/dex/instruction.ts';
import { callSiteAt, methodHandleAt } from '../../formats/dex/method-handle.ts';
import type { Call, Expression, Local, Statement } from '../expressions/tree.ts';
import { Unsayable } from '../limits.ts';
import type { MethodSource } from '../method.ts';
import type { Program, SourceClass } from '../printing/program.ts';
import { eachList } from '../structure/walk.ts';
import { callsConstructor, isConstructorCall } from './constructors.ts';

const accPublic = 0x1;
const accStatic = 0x8;
const accFinal = 0x10;
const accVarargs = 0x80;
const record = 'Ljava/lang/Record;';
const givenMethods = new Set(['toString()Ljava/lang/String;', 'hashCode()I', 'equals(Ljava/lang/Object;)Z']);

export interface Component {
  readonly name: string;
  readonly type: string;
}

export interface RecordShape {
  readonly components: readonly Component[];
  /** The last one takes any number of values. */
  readonly isVarargs: boolean;
  /** Index of the constructor that takes the components. */
  readonly canonical: number;
  /** Indexes of the methods that Java makes itself. */
  readonly leftOut: ReadonlySet<number>;
}

export class Records {
  readonly #program: Program;
  readonly #known = new Map<string, RecordShape | null>();

  constructor(program: Program) {
    this.#program = program;
  }

  /** What source says of a class that it writes as a record; null for any other one. */
  of(type: string): RecordShape | null {
    if (this.#program.relations.factsOf(type)?.superclass !== record) return null;
    let known = this.#known.get(type);
    if (known === undefined) {
      const place = this.#program.classOf(type);
      known = place === null ? null : this.#shapeOf(place);
      this.#known.set(type, known);
    }
    return known;
  }

  #shapeOf(place: SourceClass): RecordShape | null {
    const { dex, data, classIndex } = place;
    const components = this.#components(place);
    if (components === null || (dex.classDef(classIndex).accessFlags & accFinal) === 0) return null;
    const makers = data.directMethods.filter(({ methodIndex }) => dex.methodName(methodIndex) === '<init>');
    const whole = `(${components.map(({ type }) => type).join('')})V`;
    const canonical = makers.find(({ methodIndex }) => dex.methodDescriptor(methodIndex) === whole);
    if (canonical === undefined) return null;
    const leftOut = new Set<number>();
    for (const maker of makers) {
      const source = this.#source(place, maker);
      if (source === null) return null;
      const isCanonical = maker === canonical;
      if (!(isCanonical ? keepsAll(source, place.type, components) : callsOwn(source, place.type))) return null;
      if (isCanonical && keepsOnly(source)) leftOut.add(maker.methodIndex);
    }
    if (!leftOut.has(canonical.methodIndex) && this.#throws(place, canonical)) return null;
    for (const component of components) {
      const method = data.virtualMethods.find(
        ({ methodIndex }) =>
          dex.methodName(methodIndex) === component.name && dex.methodDescriptor(methodIndex) === `()${component.type}`,
      );
      if (method === undefined || (method.accessFlags & (accPublic | accStatic)) !== accPublic) return null;
      if (this.#throws(place, method)) return null;
      const source = this.#source(place, method);
      if (source !== null && isGetter(source, place.type, component)) leftOut.add(method.methodIndex);
    }
    for (const method of allMethods(data)) if (isGiven(place, method, components)) leftOut.add(method.methodIndex);
    const isVarargs = (canonical.accessFlags & accVarargs) !== 0 && components.at(-1)?.type.startsWith('[') === true;
    return { components, isVarargs, canonical: canonical.methodIndex, leftOut };
  }

  /** The components that the dex file names; null where the fields are others, or source has other names for them. */
  #components({ dex, type, data, annotations }: SourceClass): Component[] | null {
    const names = systemValue(dex, annotations.ofClass, 'Record', 'componentNames');
    const types = systemValue(dex, annotations.ofClass, 'Record', 'componentTypes');
    if (names?.kind !== 'array' || types?.kind !== 'array' || names.values.length !== types.values.length) return null;
    const components = names.values.flatMap((name, index): Component[] => {
      const of = types.values[index]!;
      return name.kind === 'string' && of.kind === 'type'
        ? [{ name: dex.string(name.index), type: dex.type(of.index) }]
        : [];
    });
    if (components.length !== names.values.length || data.instanceFields.length !== components.length) return null;
    const program = this.#program;
    const fields = new Set(
      data.instanceFields
        .filter(({ accessFlags }) => (accessFlags & accFinal) !== 0)
        .map(({ fieldIndex }) => `${dex.fieldName(fieldIndex)}:${dex.fieldType(fieldIndex)}`),
    );
    const isSaid = (component: Component) =>
      fields.has(`${component.name}:${component.type}`) &&
      program.fieldName(type, component.name, component.type) === component.name &&
      program.methodName(type, component.name, `()${component.type}`) === component.name &&
      !program.isTypeName(component.name);
    const isWhole = new Set(components.map(({ name }) => name)).size === components.length;
    return isWhole && components.every(isSaid) ? components : null;
  }

  #throws({ dex, annotations }: SourceClass, { methodIndex }: EncodedMethod): boolean {
    return systemValue(dex, annotations.ofMethods.get(methodIndex) ?? [], 'Throws') !== null;
  }

  #source(place: SourceClass, method: EncodedMethod): MethodSource | null {
    if (method.codeOffset === 0) return null;
    try {
      return this.#program.local.source(place, method);
    } catch (error) {
      if (error instanceof BadCode || error instanceof Unsayable) return null;
      throw error;
    }
  }
}

const isOwnField = (target: Expression, owner: string): target is Expression & { kind: 'field' } =>
  target.kind === 'field' &&
  target.owner === owner &&
  target.object?.kind === 'local' &&
  target.object.local.role === 'this';

/** Whether a constructor calls that of Record first, and then gives each component its value once, on all ways that end. */
function keepsAll({ statements }: MethodSource, owner: string, components: readonly Component[]): boolean {
  const [first, ...rest] = statements;
  if (first?.kind !== 'do' || !isConstructorCall(first) || callsConstructor(rest)) return false;
  if ((first.expression as Call).owner !== record) return false;
  const kept = rest.flatMap((statement) =>
    statement.kind === 'store' && isOwnField(statement.target, owner) ? [statement.target.name] : [],
  );
  const isOnce = kept.length === components.length && new Set(kept).size === kept.length;
  return isOnce && !rest.some((statement) => eachList(statement).some((list) => leavesOrKeeps(list, owner)));
}

/** Whether statements in others write a field of the object, or end the constructor before all have their values. */
const leavesOrKeeps = (list: readonly Statement[], owner: string): boolean =>
  list.some(
    (statement) =>
      statement.kind === 'return' ||
      (statement.kind === 'store' && isOwnField(statement.target, owner)) ||
      eachList(statement).some((inner) => leavesOrKeeps(inner, owner)),
  );

/** Whether each component has the value of the parameter in its place, and nothing else is done. */
function keepsOnly({ parameters, statements }: MethodSource): boolean {
  const given = new Map<Local, number>(parameters.map((local, place) => [local, place]));
  const list = statements.slice(1).filter(({ kind }) => kind !== 'return');
  const places = list.map((statement) => {
    if (statement.kind !== 'store' || statement.target.kind !== 'field' || statement.value.kind !== 'local') return '';
    const { target, value } = statement;
    const isConstant = value.local.isConstant && value.local.type === target.type;
    return isConstant ? `${given.get(value.local)} ${target.name}` : '';
  });
  return places.every((place) => place !== '') && new Set(places).size === parameters.length - 1;
}

/** Whether a constructor calls another one of its class first. */
function callsOwn({ statements }: MethodSource, owner: string): boolean {
  const [first] = statements;
  return first?.kind === 'do' && isConstructorCall(first) && (first.expression as Call).owner === owner;
}

function isGetter({ statements }: MethodSource, owner: string, { name, type }: Component): boolean {
  const [only] = statements;
  if (statements.length !== 1 || only?.kind !== 'return' || only.value === null) return false;
  return isOwnField(only.value, owner) && only.value.name === name && only.value.type === type;
}

/** Whether a method is one that Java makes of the components: a call site that `ObjectMethods` links with all of them. */
function isGiven({ dex, type }: SourceClass, method: EncodedMethod, components: readonly Component[]): boolean {
  const { methodIndex, codeOffset } = method;
  if (!givenMethods.has(dex.methodName(methodIndex) + dex.methodDescriptor(methodIndex))) return false;
  const units = codeAt(dex, codeOffset)?.units;
  if (units === undefined) return false;
  const [call, taken, end] = [0, 3, 4].map((at) => (at < units.length ? instructionAt(units, at) : null));
  if (call?.opcode.index !== 'call-site' || !taken?.opcode.mnemonic.startsWith('move-result')) return false;
  if (!end?.opcode.mnemonic.startsWith('return') || units.length !== 5 || end.registers[0] !== taken.registers[0])
    return false;
  const [bootstrap, name, , of, names, ...getters] = callSiteAt(dex, call.index) ?? [];
  const handle = bootstrap?.kind === 'method-handle' ? methodHandleAt(dex, bootstrap.index) : null;
  return (
    handle?.target === 'method' &&
    `${dex.methodClass(handle.index)}${dex.methodName(handle.index)}` ===
      'Ljava/lang/runtime/ObjectMethods;bootstrap' &&
    name?.kind === 'string' &&
    dex.string(name.index) === dex.methodName(methodIndex) &&
    of?.kind === 'type' &&
    dex.type(of.index) === type &&
    names?.kind === 'string' &&
    dex.string(names.index) === components.map((component) => component.name).join(';') &&
    getters.length === components.length &&
    getters.every(
      (getter, place) => getter.kind === 'method-handle' && reads(dex, getter.index, type, components[place]!),
    )
  );
}

function reads(dex: Dex, handle: number, owner: string, { name, type }: Component): boolean {
  const getter = methodHandleAt(dex, handle);
  return getter?.type === 'instance-get' && dex.field(getter.index) === `${owner}->${name}:${type}`;
}
