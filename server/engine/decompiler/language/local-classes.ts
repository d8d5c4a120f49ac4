// Which classes source writes where it makes their objects: anonymous classes, and what compilers make of lambdas. Knows no text.
import { BadCode } from '../../code/method-body.ts';
import { object } from '../../code/values/operands.ts';
import { allMethods, type EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { parts } from '../expressions/effects.ts';
import type { Call, Expression, Local, Statement } from '../expressions/tree.ts';
import { bridgeOf, functionBase, functionOf, lambdaBase } from '../kotlin/lambda-classes.ts';
import { Unsayable, WorkLimit } from '../limits.ts';
import { type MethodSource, methodSource, type SourcePlace } from '../method.ts';
import type { Program, SourceClass } from '../printing/program.ts';
import { eachList, ownExpressions } from '../structure/walk.ts';
import { isAccessorName } from './accessor-names.ts';
import { isAccessorConstructor } from './accessors.ts';
import { type Caller, type ClassUses, instanceField, Uses } from './class-uses.ts';
import { isConstructorCall } from './constructors.ts';
import { mayBeEnumMap } from './enum-switches.ts';
import { mentions } from './enums.ts';
import { mayHoldOuter } from './inner-classes.ts';
import { takesOuter } from './inner-proofs.ts';
import { soleCall } from './lambda-bodies.ts';
import { isLambdaName } from './lambda-names.ts';
import { givesNothing } from './marked-constructors.ts';
import { looksAround } from './nameless-objects.ts';
import { fieldKey } from './static-fields.ts';

const accPrivate = 0x2;
const accStatic = 0x8;
const accSynchronized = 0x20020;
const accSynthetic = 0x1000;
/** Classes in each other whose makers make each other, at most. */
const maxNesting = 12;

/** Fields of the platform's classes that those below them inherit by names that variables have. */
const inheritedNames = new Set(
  (
    'action actual areFieldsSet arg1 arg2 bottom buf buffer count data desiredAssertionStatus dirty fd fields flags handler height ' +
    'in isTimeSet key left len length lock locale mark markpos marklimit modCount name next obj out packageName pos processName ' +
    'pushBack replyTo right sendingUid size source src started status target text time top type val value values what when width x y z'
  ).split(' '),
);

interface Shape {
  readonly type: string;
  /** What source calls it: the class or interface above. */
  readonly above: string;
  readonly dex: Dex;
  readonly maker: EncodedMethod;
  /** Fields that hold what was captured, by the place of the constructor's parameter. */
  readonly captured: ReadonlyMap<string, number>;
  /** Arguments that are captured: source names a variable that nobody writes again. */
  readonly fixed: ReadonlySet<number>;
}

/** What a constructor keeps, where it does nothing else before it calls that of the class above. */
type Made = Pick<Shape, 'captured' | 'fixed'> & {
  readonly call: Call;
  /** What it does besides. */
  readonly rest: readonly Statement[];
};

export type LocalClass =
  | (Shape & {
      readonly kind: 'lambda';
      readonly method: EncodedMethod;
      /** Kotlin's method that the interface's leads to, with what was written; null where there is none. */
      readonly body: EncodedMethod | null;
    })
  | (Shape & {
      readonly kind: 'anonymous';
      /** Classes written within it reach what it has. */
      readonly isReached: boolean;
    });

/** The body of a lambda that a compiler has put into a method: what calls it but lambdas, there is none. */
export interface LambdaBody {
  readonly place: SourceClass;
  readonly method: EncodedMethod;
}

export class LocalClasses {
  readonly #program: Program;
  readonly #dexes: readonly Dex[];
  readonly #known = new Map<string, LocalClass | null>();
  readonly #bodies = new Map<string, string | null>();
  readonly #fieldNames = new Map<string, Set<string>>();
  #uses: Uses | null = null;
  #areLambdasAsked: boolean | undefined;
  readonly #nothing = new Map<string, boolean>();
  #depth = 0;

  constructor(program: Program, dexes: readonly Dex[]) {
    this.#program = program;
    this.#dexes = dexes;
  }

  /** How source says an object of a class where it is made; null where the class has a name there. */
  of(type: string): LocalClass | null {
    if (!this.#program.localCandidates.has(type)) return null;
    let known = this.#known.get(type);
    if (known === undefined) {
      if (this.#depth > maxNesting) return null;
      // A class whose maker makes it stays what it is.
      this.#known.set(type, null);
      this.#depth++;
      known = this.#find(type);
      this.#depth--;
      this.#known.set(type, known);
    }
    return known;
  }

  /** What source takes an object of a class for: a class that is written where it is made has no name. */
  typeOf(type: string): string {
    const shape = this.#program.localCandidates.has(type) ? this.of(type) : null;
    return shape === null || (shape.kind === 'anonymous' && shape.isReached) ? type : shape.above;
  }

  /** What source calls a class. */
  namedAs(type: string): string {
    const { above } = this.of(type) ?? {};
    if (above !== undefined) return above;
    return this.#program.isConstantBody(type) ? this.#program.relations.factsOf(type)!.superclass! : type;
  }

  /** Whether a class in one without a name asks the object around for more than what that has captured. */
  needsAround(type: string, around: string): boolean {
    const shape = this.of(around);
    return shape === null || looksAround(this.#program, type, around, (key) => shape.captured.has(key));
  }

  #usesOf(): Uses {
    const program = this.#program;
    this.#uses ??= new Uses(
      this.#dexes,
      program.relations,
      new Set([...program.localCandidates, lambdaBase, functionBase]),
      (dex, methodIndex) => isCounted(dex, methodIndex) || takesOuter(program, dex, methodIndex),
      (dex, fieldIndex) => mayHoldOuter(program, dex, fieldIndex) || mayBeEnumMap(program, dex, fieldIndex),
    );
    return this.#uses;
  }

  #find(type: string): LocalClass | null {
    try {
      return this.#shapeOf(type);
    } catch (error) {
      if (error instanceof BadCode || error instanceof Unsayable) return null;
      throw error;
    }
  }

  #shapeOf(type: string): LocalClass | null {
    const program = this.#program;
    const place = program.classOf(type);
    const uses = this.#usesOf().ofClass(type);
    if (place === null || uses === null || uses.creators.length === 0) return null;
    const top = program.topOf(type);
    if (uses.creators.some((creator) => program.topOf(creator) !== top || this.#isWithin(creator, type))) return null;
    const above = this.#above(type);
    if (above === null || program.innerOf(type).some((inner) => this.of(inner) === null)) return null;
    if (uses.namers.size > 0 || [...uses.reachers].some((reacher) => !this.#isWrittenIn(reacher, type))) return null;
    if ([...uses.marked].some((maker) => !this.#isMarked(maker, type))) return null;
    const { dex, data } = place;
    const constructors = data.directMethods.filter(({ methodIndex }) => dex.methodName(methodIndex) === '<init>');
    const [maker] = constructors;
    if (constructors.length !== 1 || maker === undefined || maker.codeOffset === 0) return null;
    const made = this.#made(place, maker);
    if (made === null || [...made.captured.keys()].some((key) => uses.written.has(key))) return null;
    const shape = { type, above, dex, maker, captured: made.captured, fixed: made.fixed };
    const kotlin = functionOf(program.relations, type);
    if (kotlin === null && !program.isLambdaClass(type)) return this.#anonymous(shape, place, uses);
    // Its constructor does nothing that the place where it is made would not say.
    if (made.rest.some(({ kind }) => kind !== 'return')) return null;
    if (kotlin === null) return this.#lambda(shape, place);
    const [arity] = made.call.values;
    const isCounted = arity?.kind === 'number' && arity.value === kotlin.arity && made.call.owner === lambdaBase;
    return isCounted && uses.creators.length === 1 && !this.#asksLambdas() ? this.#lambda(shape, place) : null;
  }

  /** Whether a class is written within another one that has no name, and keeps an object of that only as what it captures. */
  #isWrittenIn(type: string, outer: string): boolean {
    const shape = type !== outer && this.#isWithin(type, outer) ? this.of(type) : null;
    if (shape === null) return false;
    const { dex, data } = this.#program.classOf(type)!;
    return data.instanceFields.every(
      ({ fieldIndex }) => dex.fieldType(fieldIndex) !== outer || shape.captured.has(fieldKey(fieldOf(dex, fieldIndex))),
    );
  }

  /** Whether a type is that of a class without a name, for code in this class: source names an object of it by a variable. */
  isNameless(type: string, owner: string): boolean {
    return (
      this.#program.localCandidates.has(type) && this.#isWithin(owner, type) && this.of(type)?.kind === 'anonymous'
    );
  }

  /** Whether a constructor that takes an object of a class is one that source says nothing of. @param maker class and descriptor */
  #isMarked(maker: string, type: string): boolean {
    const owner = maker.slice(0, maker.indexOf('->'));
    if (this.#isWrittenIn(owner, type)) return true;
    const found = this.#program.findMethod(owner, '<init>', maker.slice(maker.indexOf('(')));
    return found !== null && found.place.type === owner && this.isAccessor(found.place, found.method);
  }

  #isWithin(type: string, outer: string): boolean {
    for (let at: string | null = type; at !== null; at = this.#program.outerOf(at)) if (at === outer) return true;
    return false;
  }

  /** The one class or interface that it extends or implements. */
  #above(type: string): string | null {
    const { relations } = this.#program;
    const { superclass, interfaces, isInterface } = relations.factsOf(type)!;
    if (isInterface || superclass === null || relations.isAssignable(type, 'Ljava/lang/Throwable;')) return null;
    const kotlin = functionOf(relations, type);
    if (kotlin !== null) return kotlin.type;
    const [above, ...besides] = superclass === object ? interfaces : [superclass, ...interfaces];
    // Source names one class or interface alone: what a compiler names besides has to be above it.
    if (besides.some((each) => !relations.isAssignable(above!, each))) return null;
    const facts = relations.factsOf(superclass);
    if (facts?.isFinal === true || this.#program.isEnumClass(superclass) || superclass === 'Ljava/lang/Record;')
      return null;
    return above ?? superclass;
  }

  /** What the constructor keeps, where it does nothing else before it calls that of the class above. */
  #made(place: SourceClass, maker: EncodedMethod): Made | null {
    const source = this.source(place, maker);
    const at = source.statements.findIndex(isConstructorCall);
    const call = at < 0 ? null : ((source.statements[at] as Statement & { kind: 'do' }).expression as Call);
    if (call === null || call.owner === place.type) return null;
    // An inner class of the platform is made with the object around it.
    if (call.parameters[0] === call.owner.replace(/\$[^$]*$/, ';')) return null;
    const parameters = source.parameters.slice(1);
    const captured = new Map<string, number>();
    const isPlain = call.owner === object;
    const rest: Statement[] = [];
    for (const [index, statement] of source.statements.entries()) {
      if (index === at) continue;
      const kept = index < at || isPlain ? keptBy(statement, place.type, parameters) : null;
      if (kept !== null && !captured.has(kept.key)) captured.set(kept.key, kept.parameter);
      else if (index < at) return null;
      else rest.push(statement);
    }
    const passed = passedOn(call, parameters);
    if (passed === null) return null;
    const kept = new Set(captured.values());
    const fixed = new Set(
      parameters.flatMap((parameter, index) =>
        !parameter.isConstant || kept.has(index) || !passed.has(parameter) || mentions(rest, parameter) ? [index] : [],
      ),
    );
    return parameters.some(({ isConstant }) => !isConstant) ? null : { captured, fixed, call, rest };
  }

  /** Whether code that is not Kotlin's own may ask a lambda of Kotlin's for what Java's has not. */
  #asksLambdas(): boolean {
    this.#areLambdasAsked ??= [lambdaBase, functionBase].some((type) =>
      [...this.#usesOf().ofClass(type)!.namers].some(
        (namer) =>
          !namer.startsWith('Lkotlin/') &&
          (namer === '' || this.#program.relations.factsOf(namer)?.superclass !== lambdaBase),
      ),
    );
    return this.#areLambdasAsked;
  }

  #lambda(shape: Shape, place: SourceClass): LocalClass | null {
    const { dex, data, type } = place;
    const { relations } = this.#program;
    const methods = data.virtualMethods.filter((method) => this.#isAbstract(shape.above, dex, method));
    const [method] = methods;
    const [body = null, ...more] = data.virtualMethods.filter((other) => other !== method);
    const others = data.directMethods.filter(({ methodIndex }) => dex.methodName(methodIndex) !== '<init>');
    const isOwnInstance = data.staticFields.every(
      ({ fieldIndex }) => dex.fieldName(fieldIndex) === instanceField && dex.fieldType(fieldIndex) === type,
    );
    const hasOthers = others.some(({ methodIndex }) => dex.methodName(methodIndex) !== '<clinit>');
    if (methods.length !== 1 || method === undefined || more.length > 0 || hasOthers || !isOwnInstance) return null;
    if (
      others.length > 0 !== data.staticFields.length > 0 ||
      !relations.factsOf(type)!.interfaces.includes(shape.above)
    )
      return null;
    if (data.instanceFields.length !== shape.captured.size) return null;
    let { statements } = this.source(place, method);
    if (body !== null) {
      const called = bridgeOf(statements, type)?.call;
      const isBody =
        called?.parameters.join('') === dex.protoParameters(dex.methodProtoIndex(body.methodIndex)).join('') &&
        called.name === dex.methodName(body.methodIndex) &&
        called.returns === dex.protoReturnType(dex.methodProtoIndex(body.methodIndex)) &&
        (body.accessFlags & accSynchronized) === 0;
      if (!isBody || body.codeOffset === 0) return null;
      ({ statements } = this.source(place, body));
    }
    return looksAtCaptured(statements, type, shape.captured) ? { ...shape, kind: 'lambda', method, body } : null;
  }

  /** Whether an interface asks for a method, as far as it is the app's. */
  #isAbstract(above: string, dex: Dex, { methodIndex, codeOffset }: EncodedMethod): boolean {
    if (codeOffset === 0) return false;
    const found = this.#program.findMethod(above, dex.methodName(methodIndex), dex.methodDescriptor(methodIndex));
    if (found !== null) return found.method.codeOffset === 0;
    return this.#program.relations.above(above).some((type) => type !== object && this.#program.classOf(type) === null);
  }

  #anonymous(shape: Shape, place: SourceClass, { creators, reachers, marked }: ClassUses): LocalClass | null {
    const { dex, data } = place;
    const isOpen = (method: EncodedMethod) =>
      (method.accessFlags & accStatic) !== 0 && !this.isBody(place, method) && !this.isAccessor(place, method);
    // Static fields have the values that the dex file gives them: no code of the class does.
    if (allMethods(data).some(isOpen) || creators.length !== 1) return null;
    const isReached = reachers.size > 0 || marked.size > 0;
    // A field that anything else is in hides nothing: it is named with its object.
    const names = data.instanceFields.map(({ fieldIndex }) => fieldKey(fieldOf(dex, fieldIndex)));
    return [...shape.captured.keys()].every((key) => names.includes(key))
      ? { ...shape, kind: 'anonymous', isReached }
      : null;
  }

  /** Whether the method of a lambda takes or gives what may be of any class: its interface may be generic. */
  isAskedForObjects(type: string): boolean {
    const shape = this.of(type);
    return shape?.kind === 'lambda' && shape.dex.methodDescriptor(shape.method.methodIndex).includes(object);
  }

  /** Arguments of a constructor that source can only name as variables; null for those of a class that has a name. */
  fixedArguments(type: string): ReadonlySet<number> | null {
    return this.of(type)?.fixed ?? null;
  }

  /** The method with the body of a lambda, where a call of it is the only one. */
  bodyOf(call: Call): LambdaBody | null {
    if (!isLambdaName(call.name) || (call.how !== 'static' && call.object === null)) return null;
    const descriptor = `(${call.parameters.join('')})${call.returns}`;
    const found = this.#program.findMethod(call.owner, call.name, descriptor);
    return found?.place.type === call.owner && this.isBody(found.place, found.method) ? found : null;
  }

  /** Whether a method is written within the lambda whose body it is, and nowhere else. */
  isBody(place: SourceClass, method: EncodedMethod): boolean {
    return this.lambdaAround(place, method) !== null;
  }

  /** The class of the lambda that a method is written within, and nowhere else; null where it is a method of its own. */
  lambdaAround({ dex, type }: SourceClass, { methodIndex, codeOffset, accessFlags }: EncodedMethod): string | null {
    const name = dex.methodName(methodIndex);
    if (!isLambdaName(name) || codeOffset === 0 || (accessFlags & accSynchronized) !== 0) return null;
    const [caller, ...others] = this.#usesOf().callers(dex.method(methodIndex));
    if (caller === undefined || others.length > 0) return null;
    if (
      (accessFlags & (accStatic | accPrivate)) === 0 &&
      !this.#usesOf().isOnlyOne(name + dex.methodDescriptor(methodIndex))
    )
      return null;
    const calling = this.#program.classOf(caller.owner);
    if (calling === null || calling.dex !== caller.dex || (caller.owner === type && caller.methodIndex === methodIndex))
      return null;
    const method = allMethods(calling.data).find((each) => each.methodIndex === caller.methodIndex);
    if (method === undefined || this.#bodyKey(calling, method) !== dex.method(methodIndex)) return null;
    const shape = this.of(caller.owner);
    if (shape !== null)
      return shape.kind === 'lambda' && shape.method.methodIndex === caller.methodIndex ? caller.owner : null;
    return caller.owner === type ? this.#aroundNear(calling, method) : null;
  }

  /** The code that calls a method of those that are counted, or names a field that holds an object around. */
  callers(member: string): readonly Caller[] {
    return this.#usesOf().callers(member);
  }

  /** Whether all calls of a constructor give nothing for its last parameter. @param maker class and descriptor */
  givesNothing(maker: string): boolean {
    let known = this.#nothing.get(maker);
    if (known === undefined) {
      known = this.callers(maker).every((caller) => givesNothing(this.#program, caller, maker));
      this.#nothing.set(maker, known);
    }
    return known;
  }

  /** Whether a class is an empty one that no other file names: compilers tell constructors for others by the type of a parameter. */
  isMarker(type: string): boolean {
    const program = this.#program;
    const uses = program.localCandidates.has(type) ? this.#usesOf().ofClass(type) : null;
    if (uses === null || uses.creators.length > 0 || program.innerOf(type).length > 0) return false;
    const namers = [
      ...uses.namers,
      ...uses.reachers,
      ...[...uses.marked].map((maker) => maker.slice(0, maker.indexOf('->'))),
    ];
    const { data, dex, classIndex } = program.classOf(type)!;
    const { accessFlags } = dex.classDef(classIndex);
    const { superclass, interfaces } = program.relations.factsOf(type)!;
    const count = allMethods(data).length + data.instanceFields.length + data.staticFields.length;
    const top = program.topOf(type);
    return (
      (accessFlags & accSynthetic) !== 0 &&
      superclass === object &&
      interfaces.length + count === 0 &&
      namers.every((namer) => namer !== '' && program.topOf(namer) === top)
    );
  }

  /** Whether a method is an accessor that source says nothing of. */
  isAccessor(place: SourceClass, method: EncodedMethod): boolean {
    if ((method.accessFlags & accSynthetic) === 0 || !isCounted(place.dex, method.methodIndex)) return false;
    const callers = this.#usesOf().callers(place.dex.method(method.methodIndex));
    const owners = callers.map(({ owner }) => owner);
    return this.#program.accessors.isLeftOut(place, method, owners);
  }

  /** The lambda around the method that calls a body. */
  #aroundNear(place: SourceClass, method: EncodedMethod): string | null {
    if (this.#depth > maxNesting) return null;
    this.#depth++;
    try {
      return this.lambdaAround(place, method);
    } finally {
      this.#depth--;
    }
  }

  /** The method that a lambda, or a method that only leads on, has its body in. */
  #bodyKey(place: SourceClass, method: EncodedMethod): string | null {
    const key = place.dex.method(method.methodIndex);
    let known = this.#bodies.get(key);
    if (known === undefined) {
      known = null;
      try {
        const { statements } = this.source(place, method);
        const call = statements.length === 1 ? soleCall(statements[0]) : null;
        if (call !== null) known = `${call.owner}->${call.name}(${call.parameters.join('')})${call.returns}`;
      } catch (error) {
        if (!(error instanceof BadCode || error instanceof Unsayable)) throw error;
      }
      this.#bodies.set(key, known);
    }
    return known;
  }

  /**
   * Whether a name is that of a field in a class without a name, or above one, that stands in the same file as a class that captures
   * a variable: what a lambda captures may be captured by any class within it.
   */
  hasField(captor: string, name: string): boolean {
    const top = this.#program.topOf(captor);
    let names = this.#fieldNames.get(top);
    if (names === undefined) {
      names = new Set();
      const within = [top];
      for (let type = within.pop(); type !== undefined; type = within.pop()) {
        within.push(...this.#program.innerOf(type));
        if (this.of(type)?.kind !== 'anonymous') continue;
        for (const field of this.#fieldsOf(type)) names.add(field);
      }
      this.#fieldNames.set(top, names);
    }
    return names.has(name);
  }

  #fieldsOf(type: string): string[] {
    const program = this.#program;
    return program.relations.above(type).flatMap((above) => {
      const place = program.classOf(above);
      if (place === null) return above === object ? [] : [...inheritedNames];
      const { staticFields, instanceFields } = place.data;
      return [...staticFields, ...instanceFields].map(({ fieldIndex }) =>
        program.fieldName(above, place.dex.fieldName(fieldIndex), place.dex.fieldType(fieldIndex)),
      );
    });
  }

  #place(): SourcePlace {
    return { program: this.#program, work: new WorkLimit() };
  }

  /** The source of a class's method. */
  source({ dex, type }: SourceClass, method: EncodedMethod): MethodSource {
    return methodSource(this.#place(), dex, type, method);
  }
}

/** Whether the calls of a method are looked for. */
const isCounted = (dex: Dex, methodIndex: number): boolean => {
  const name = dex.methodName(methodIndex);
  if (name !== '<init>') return isLambdaName(name) || isAccessorName(name);
  return isAccessorConstructor(dex, methodIndex);
};

const fieldOf = (dex: Dex, index: number) => ({ name: dex.fieldName(index), type: dex.fieldType(index) });

const isThis = (expression: Expression | null): boolean =>
  expression?.kind === 'local' && expression.local.role === 'this';

/** The parameter that a statement keeps in a field of the object. */
function keptBy(
  statement: Statement,
  type: string,
  parameters: readonly Local[],
): { key: string; parameter: number } | null {
  if (statement.kind !== 'store' || statement.target.kind !== 'field' || statement.value.kind !== 'local') return null;
  const { target, value } = statement;
  const parameter = parameters.indexOf(value.local);
  if (target.owner !== type || !isThis(target.object) || parameter < 0 || value.local.type !== target.type) return null;
  return { key: fieldKey(target), parameter };
}

/** The parameters that the call of another constructor passes on in their order, beside what is always the same; null for more. */
function passedOn(call: Call, parameters: readonly Local[]): ReadonlySet<Local> | null {
  const passed = new Set<Local>();
  let last = -1;
  for (const value of call.values) {
    if (value.kind === 'number' || value.kind === 'wide' || value.kind === 'string' || value.kind === 'class') continue;
    const place = value.kind === 'local' ? parameters.indexOf(value.local) : -1;
    if (place <= last) return null;
    last = place;
    passed.add(parameters[place]!);
  }
  return passed;
}

/** Whether statements look at an object for what it has captured and for nothing else. */
function looksAtCaptured(
  statements: readonly Statement[],
  type: string,
  captured: ReadonlyMap<string, number>,
): boolean {
  const isFine = (expression: Expression): boolean => {
    if (expression.kind === 'field' && expression.owner === type)
      return isThis(expression.object) && captured.has(fieldKey(expression));
    return !isThis(expression) && parts(expression).every(isFine);
  };
  return statements.every(
    (statement) =>
      !(statement.kind === 'store' && statement.target.kind === 'field' && statement.target.owner === type) &&
      ownExpressions(statement).every(isFine) &&
      eachList(statement).every((list) => looksAtCaptured(list, type, captured)),
  );
}
