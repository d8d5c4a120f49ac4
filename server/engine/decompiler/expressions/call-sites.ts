// What `invoke-custom` does: lambdas, concatenation, and for any other bootstrap method what linking it means. Knows no registers.
//
// https://docs.oracle.com/javase/specs/jvms/se17/html/jvms-6.html#jvms-6.5.invokedynamic
import { BadCode } from '../../code/method-body.ts';
import { isReference, object } from '../../code/values/operands.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { EncodedValue } from '../../formats/dex/encoded-value.ts';
import { callSiteAt, type MethodHandle, methodHandleAt } from '../../formats/dex/method-handle.ts';
import { adapted } from './adapting.ts';
import type { Call, Expression, LinkedLambda } from './tree.ts';

const string = 'Ljava/lang/String;';
const builder = 'Ljava/lang/StringBuilder;';
const classType = 'Ljava/lang/Class;';
const methodType = 'Ljava/lang/invoke/MethodType;';
const methodHandle = 'Ljava/lang/invoke/MethodHandle;';
const methodHandles = 'Ljava/lang/invoke/MethodHandles;';
const lookup = 'Ljava/lang/invoke/MethodHandles$Lookup;';
const callSite = 'Ljava/lang/invoke/CallSite;';
/** The lookup, the name and the type, which every bootstrap method takes first. */
const givenFirst = 3;
/** Flags of `LambdaMetafactory.altMetafactory`: https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/lang/invoke/LambdaMetafactory.html */
const flagSerializable = 1;
const flagMarkers = 2;

interface Site {
  readonly dex: Dex;
  readonly at: number;
  readonly name: string;
  /** Index of the prototype. */
  readonly proto: number;
  readonly extra: readonly EncodedValue[];
  readonly values: readonly Expression[];
}

/**
 * @param values the arguments, in order, each of which may be written where it is first looked at
 * @returns the value, and whether source links it each time
 * @throws BadCode where no call site is there
 */
export function callSiteValue(
  dex: Dex,
  index: number,
  values: readonly Expression[],
  at: number,
): { readonly value: Expression; readonly isLinkedAnew: boolean } {
  const [bootstrap, name, type, ...extra] = callSiteAt(dex, index) ?? [];
  const handle = bootstrap?.kind === 'method-handle' ? methodHandleAt(dex, bootstrap.index) : null;
  if (handle?.target !== 'method' || name?.kind !== 'string' || type?.kind !== 'proto')
    throw new BadCode('a call site that nothing links');
  const site: Site = { dex, at, name: dex.string(name.index), proto: type.index, extra, values };
  const method = `${dex.methodClass(handle.index)}${dex.methodName(handle.index)}`;
  const known =
    method === 'Ljava/lang/invoke/LambdaMetafactory;metafactory' ||
    method === 'Ljava/lang/invoke/LambdaMetafactory;altMetafactory'
      ? lambdaOf(site, method.endsWith('altMetafactory'))
      : method.startsWith('Ljava/lang/invoke/StringConcatFactory;makeConcat')
        ? concatenated(site, method.endsWith('WithConstants'))
        : null;
  return known === null ? { value: linked(site, handle), isLinkedAnew: true } : { value: known, isLinkedAnew: false };
}

/** Whether a call site joins texts: whatever it takes may be worked out where it stands. */
export function isConcatenation(dex: Dex, index: number): boolean {
  const [bootstrap] = callSiteAt(dex, index) ?? [];
  const handle = bootstrap?.kind === 'method-handle' ? methodHandleAt(dex, bootstrap.index) : null;
  return handle?.target === 'method' && dex.methodClass(handle.index) === 'Ljava/lang/invoke/StringConcatFactory;';
}

const call = (at: number, how: Call['how'], owner: string, name: string, rest: Partial<Call>): Call => ({
  ...{ kind: 'call', at, how, owner, name, parameters: [], returns: 'V', object: null, values: [] },
  ...rest,
});

function lambdaOf({ dex, at, name, proto, extra, values }: Site, isAlternative: boolean): LinkedLambda | null {
  const [asked, body, instantiated, flags, ...more] = extra;
  const handle = body?.kind === 'method-handle' ? methodHandleAt(dex, body.index) : null;
  if (asked?.kind !== 'proto' || instantiated?.kind !== 'proto' || handle?.target !== 'method') return null;
  const bits = isAlternative && flags?.kind === 'int' ? flags.value : 0;
  const count = (bits & flagMarkers) !== 0 && more[0]?.kind === 'int' ? more[0].value : 0;
  const markers = more.slice(1, 1 + count).flatMap((each) => (each.kind === 'type' ? [dex.type(each.index)] : []));
  if ((bits & flagSerializable) !== 0) markers.push('Ljava/io/Serializable;');
  const target = targetOf(dex, handle);
  const taken = dex.protoParameters(asked.index);
  const wanted = dex.protoParameters(instantiated.index);
  const needed =
    target.how === 'static' || target.how === 'new' ? target.parameters.length : target.parameters.length + 1;
  if (taken.length !== wanted.length || values.length + taken.length !== needed) return null;
  return {
    ...{ kind: 'lambda', at, type: dex.protoReturnType(proto), markers, name, target, captured: values },
    asked: { parameters: taken, returns: dex.protoReturnType(asked.index) },
    instantiated: { parameters: wanted, returns: dex.protoReturnType(instantiated.index) },
  };
}

function targetOf(dex: Dex, { type, index }: MethodHandle): LinkedLambda['target'] {
  const owner = dex.methodClass(index);
  const proto = dex.methodProtoIndex(index);
  const hows = { 'invoke-static': 'static', 'invoke-constructor': 'new', 'invoke-direct': 'direct' } as const;
  const how = type === 'invoke-interface' ? 'interface' : (hows[type as keyof typeof hows] ?? 'virtual');
  return {
    ...{ how, owner, name: dex.methodName(index), parameters: dex.protoParameters(proto) },
    returns: how === 'new' ? owner : dex.protoReturnType(proto),
  };
}

/** The StringBuilder that `+` between strings stands for. */
function concatenated({ dex, at, proto, extra, values }: Site, hasRecipe: boolean): Expression | null {
  const parameters = dex.protoParameters(proto);
  const [recipe, ...constants] = extra;
  const text = recipe?.kind === 'string' ? dex.string(recipe.index) : null;
  if (hasRecipe && text === null) return null;
  const pieces: { value: Expression; type: string }[] = [];
  let place = 0;
  let taken = 0;
  const add = (value: string) => value !== '' && pieces.push({ value: { kind: 'string', value, at }, type: string });
  for (const part of hasRecipe ? text!.split(/([\u0001\u0002])/) : parameters.map(() => '\u0001')) {
    if (part === '\u0001') {
      const [value, type] = [values[place], parameters[place]];
      if (value === undefined || type === undefined) return null;
      pieces.push({ value, type: appended(type) });
      place++;
    } else if (part === '\u0002') {
      const constant = constants[taken++];
      if (constant?.kind !== 'string') return null;
      add(dex.string(constant.index));
    } else add(part);
  }
  if (place !== parameters.length) return null;
  const start = call(at, 'new', builder, '<init>', { returns: builder });
  const whole = pieces.reduce<Call>(
    (of, { value, type }) =>
      call(at, 'virtual', builder, 'append', { parameters: [type], returns: builder, object: of, values: [value] }),
    start,
  );
  return call(at, 'virtual', builder, 'toString', { returns: string, object: whole });
}

const appended = (type: string): string =>
  isReference(type) ? (type === string ? string : object) : type === 'B' || type === 'S' ? 'I' : type;

/** What linking means: the bootstrap method is called, and what its answer leads to. */
function linked(site: Site, handle: MethodHandle): Expression {
  const { dex, at, name, proto, extra, values } = site;
  if (handle.type !== 'invoke-static') throw new BadCode('a call site whose bootstrap method is not static');
  const parameters = dex.protoParameters(dex.methodProtoIndex(handle.index));
  const fixed = parameters.length - givenFirst;
  if (fixed < 0) throw new BadCode('a call site whose bootstrap method takes too little');
  const given = extra.map((value) => constantOf(site, value));
  const last = parameters.at(-1)!;
  const isGathered = last.startsWith('[') && !(given.length === fixed && given.at(-1)?.type === last);
  if (!isGathered && given.length !== fixed)
    throw new BadCode('a call site whose bootstrap method takes something else');
  const alone = isGathered ? given.slice(0, fixed - 1) : given;
  const rest = isGathered ? [arrayOf(last, given.slice(fixed - 1), at)] : [];
  const name_: Expression = { kind: 'string', value: name, at };
  const site_ = call(at, 'static', dex.methodClass(handle.index), dex.methodName(handle.index), {
    parameters,
    returns: dex.protoReturnType(dex.methodProtoIndex(handle.index)),
    values: [
      lookedUp(at),
      name_,
      typeOf(site, proto),
      ...alone.map(({ value, type }, place) => adapted(value, type, parameters[givenFirst + place]!)),
      ...rest,
    ],
  });
  const invoker = call(at, 'virtual', callSite, 'dynamicInvoker', { returns: methodHandle, object: site_ });
  const types = dex.protoParameters(proto);
  const answer = call(at, 'virtual', methodHandle, 'invokeWithArguments', {
    parameters: [`[${object}`],
    returns: object,
    object: invoker,
    values: [
      arrayOf(
        `[${object}`,
        values.map((value, place) => ({ value, type: types[place]! })),
        at,
      ),
    ],
  });
  const returns = dex.protoReturnType(proto);
  if (returns === 'V' || returns === object) return answer;
  return isReference(returns) ? { kind: 'cast', type: returns, operand: answer, at } : adapted(answer, object, returns);
}

interface Typed {
  readonly value: Expression;
  readonly type: string;
}

const arrayOf = (type: string, items: readonly Typed[], at: number): Expression => {
  if (items.length === 0) return { kind: 'new-array', type, size: { kind: 'number', value: 0, at }, at };
  const element = type.slice(1);
  return { kind: 'array', type, items: items.map((item) => adapted(item.value, item.type, element)), at };
};

const lookedUp = (at: number): Call => call(at, 'static', methodHandles, 'lookup', { returns: lookup });

const classOf = (type: string, at: number): Expression => ({ kind: 'class', type, at });

/** The type of a method, by its prototype. @param from parameters that are left out */
function typeOf(
  { dex, at }: Pick<Site, 'dex' | 'at'>,
  proto: number,
  returns = dex.protoReturnType(proto),
): Expression {
  const classes = dex.protoParameters(proto).map((type) => ({ value: classOf(type, at), type: classType }));
  return call(at, 'static', methodType, 'methodType', {
    parameters: [classType, `[${classType}`],
    returns: methodType,
    values: [classOf(returns, at), arrayOf(`[${classType}`, classes, at)],
  });
}

function constantOf(site: Site, value: EncodedValue): Typed {
  const { dex, at } = site;
  switch (value.kind) {
    case 'string':
      return { value: { kind: 'string', value: dex.string(value.index), at }, type: string };
    case 'type':
      return { value: classOf(dex.type(value.index), at), type: classType };
    case 'int':
      return { value: { kind: 'number', value: value.value, at }, type: 'I' };
    case 'long':
      return { value: { kind: 'wide', value: value.value, at }, type: 'J' };
    case 'float': {
      const bits = new Int32Array(Float32Array.of(value.value).buffer)[0]!;
      return { value: { kind: 'number', value: bits, at }, type: 'F' };
    }
    case 'double': {
      const bits = new BigInt64Array(Float64Array.of(value.value).buffer)[0]!;
      return { value: { kind: 'wide', value: bits, at }, type: 'D' };
    }
    case 'proto':
      return { value: typeOf(site, value.index), type: methodType };
    case 'method-handle': {
      const handle = methodHandleAt(dex, value.index);
      if (handle !== null) return { value: foundHandle(site, handle), type: methodHandle };
    }
  }
  throw new BadCode(`a call site with a constant of the kind ${value.kind}`);
}

const finders = {
  ...{ 'static-put': 'findStaticSetter', 'static-get': 'findStaticGetter', 'instance-put': 'findSetter' },
  ...{ 'instance-get': 'findGetter', 'invoke-static': 'findStatic', 'invoke-instance': 'findVirtual' },
  ...{ 'invoke-constructor': 'findConstructor', 'invoke-direct': 'findSpecial', 'invoke-interface': 'findVirtual' },
} as const;

function foundHandle({ dex, at }: Site, { type, target, index }: MethodHandle): Expression {
  const owner = target === 'field' ? dex.fieldClass(index) : dex.methodClass(index);
  const name = target === 'field' ? dex.fieldName(index) : dex.methodName(index);
  const named: Typed = { value: { kind: 'string', value: name, at }, type: string };
  const proto = target === 'field' ? -1 : dex.methodProtoIndex(index);
  const shape: Typed =
    target === 'field'
      ? { value: classOf(dex.fieldType(index), at), type: classType }
      : { value: typeOf({ dex, at }, proto), type: methodType };
  const own: Typed = { value: classOf(owner, at), type: classType };
  const given = [
    own,
    ...(type === 'invoke-constructor' ? [] : [named]),
    shape,
    ...(type === 'invoke-direct' ? [own] : []),
  ];
  return call(at, 'virtual', lookup, finders[type], {
    parameters: given.map((each) => each.type),
    returns: methodHandle,
    object: lookedUp(at),
    values: given.map(({ value }) => value),
  });
}
