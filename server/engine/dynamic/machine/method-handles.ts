// java.lang.invoke as the code uses it: constants of method handles, `invoke-polymorphic`, call sites of `invoke-custom`.
// Knows no models but the classes that stand for these objects.
//
// https://source.android.com/docs/core/runtime/dalvik-bytecode
import type { EncodedValue } from '../../formats/dex/encoded-value.ts';
import { callSiteAt, methodHandleAt } from '../../formats/dex/method-handle.ts';
import type { CallSite } from './call-site.ts';
import { convertValue } from './conversion.ts';
import type { HeapObject, Value } from './heap.ts';
import { flags, LinkedClass, Method, signatureTypes } from './linked-class.ts';
import type { NativeMethod } from './model.ts';
import type { PreparedMethod } from './prepared-method.ts';
import type { Runtime } from './runtime.ts';

/** State of a `java.lang.invoke.MethodHandle`. */
export interface HandleState {
  /** `(ILjava/lang/String;)V`, a receiver as first parameter. */
  readonly type: string;
  /** Calls it with arguments of exactly its type; the last thing a model does. */
  readonly call: (args: readonly Value[]) => Value | undefined;
  /** What it stands for, where it is a method's. */
  readonly method: Method | null;
}

const methodHandle = 'Ljava/lang/invoke/MethodHandle;';

export function handleOf(vm: Runtime, state: HandleState): HeapObject {
  const object = vm.newObject(vm.linker.get(methodHandle));
  object.native = state;
  return object;
}

export function handleState(vm: Runtime, object: Value): HandleState {
  const state = object !== null && typeof object === 'object' ? (object.native as HandleState | undefined) : undefined;
  if (state?.call === undefined) throw vm.exception('Ljava/lang/NullPointerException;', 'no method handle');
  return state;
}

/** A handle for a method: with virtual dispatch where `isVirtual`, making an object first for a constructor. */
export function methodHandleFor(vm: Runtime, method: Method, isVirtual: boolean): HandleState {
  const parameters = method.parameters.join('');
  if (method.isConstructor) {
    const { owner } = method;
    return {
      type: `(${parameters})${owner.descriptor}`,
      method,
      call: (args) => {
        vm.initialise(owner);
        const object = vm.newObject(owner);
        return vm.callThen(method, [object, ...args], null, () => object, undefined);
      },
    };
  }
  if (method.isStatic) {
    return {
      type: `(${parameters})${method.returns}`,
      method,
      call: (args) => {
        vm.initialise(method.owner);
        return vm.callThen(method, args, null, undefined, undefined);
      },
    };
  }
  return {
    type: `(${method.owner.descriptor}${parameters})${method.returns}`,
    method,
    call: (args) => {
      const receiver = args[0] as HeapObject | null;
      if (receiver === null) throw vm.exception('Ljava/lang/NullPointerException;', `${method.label} on null`);
      const target = isVirtual ? vm.virtualTarget(receiver.cls as LinkedClass, method, method.signature) : method;
      return vm.callThen(target, args, null, undefined, undefined);
    },
  };
}

/** The object of a `const-method-handle`. @throws JavaThrow */
export function linkHandle(vm: Runtime, prepared: PreparedMethod, index: number): HeapObject {
  return handleOf(vm, handleAt(vm, prepared, index));
}

function handleAt(vm: Runtime, prepared: PreparedMethod, index: number): HandleState {
  const { dex } = prepared;
  const handle = methodHandleAt(dex, index);
  if (handle === null) throw vm.exception('Ljava/lang/BootstrapMethodError;', `no method handle ${index}`);
  if (handle.target === 'field') {
    const cls = vm.linker.get(dex.fieldClass(handle.index));
    const field = cls.findField(dex.fieldName(handle.index), dex.fieldType(handle.index));
    if (field === null) throw vm.exception('Ljava/lang/NoSuchFieldError;', dex.field(handle.index));
    const receiver = handle.type.startsWith('static') ? '' : cls.descriptor;
    const isGet = handle.type.endsWith('get');
    return {
      type: isGet ? `(${receiver})${field.descriptor}` : `(${receiver}${field.descriptor})V`,
      method: null,
      call: (args) => {
        if (receiver === '') vm.initialise(field.owner);
        const values = receiver === '' ? field.owner.statics : (args[0] as HeapObject).fields;
        if (isGet) return values[field.slot]!;
        values[field.slot] = args[receiver === '' ? 0 : 1]!;
      },
    };
  }
  const cls = vm.linker.get(dex.methodClass(handle.index));
  const signature = dex.methodName(handle.index) + dex.methodDescriptor(handle.index);
  const method =
    cls.findMethod(signature) ??
    (cls.isInterface ? vm.linker.get('Ljava/lang/Object;').findMethod(signature) : null) ??
    (cls.isApp ? null : vm.madeUpMethod(cls, signature, handle.type === 'invoke-static'));
  if (method === null) throw vm.exception('Ljava/lang/NoSuchMethodError;', dex.method(handle.index));
  return methodHandleFor(vm, method, handle.type === 'invoke-instance' || handle.type === 'invoke-interface');
}

function synthetic(
  owner: LinkedClass,
  name: string,
  prototype: string,
  isStatic: boolean,
  native: NativeMethod,
): Method {
  const access = flags.public | flags.synthetic | (isStatic ? flags.static : 0);
  return new Method(owner, name, `${name}${prototype}`, access, { native });
}

/** What an `invoke-polymorphic` calls: arguments and result of the types that stand at the call. */
export function linkPolymorphic(vm: Runtime, prepared: PreparedMethod, site: CallSite): Method {
  const { dex } = prepared;
  const prototype = dex.protoDescriptor(site.prototype);
  const name = dex.methodName(site.index);
  const owner = vm.linker.get(dex.methodClass(site.index));
  if (owner.descriptor !== methodHandle) return vm.madeUpMethod(owner, name + prototype, false);
  return synthetic(owner, name, prototype, false, (_machine, object: Value, ...args: Value[]) => {
    const state = handleState(vm, object);
    if (name === 'invokeExact' && state.type !== prototype) {
      throw vm.exception(
        'Ljava/lang/invoke/WrongMethodTypeException;',
        `expected ${state.type} but found ${prototype}`,
      );
    }
    return callConverted(vm, state, prototype, args);
  });
}

/** Calls a handle as though it had another type: boxes, unboxes and widens. */
export function callConverted(
  vm: Runtime,
  state: HandleState,
  prototype: string,
  args: readonly Value[],
): Value | undefined {
  const from = signatureTypes(prototype);
  const to = signatureTypes(state.type);
  if (from.parameters.length !== to.parameters.length) {
    throw vm.exception('Ljava/lang/invoke/WrongMethodTypeException;', `expected ${state.type} but found ${prototype}`);
  }
  const values = args.map((value, index) => convertValue(vm, value, from.parameters[index]!, to.parameters[index]!));
  if (from.returns === to.returns) return state.call(values);
  return chain(
    vm,
    () => state.call(values),
    (result) => (from.returns === 'V' ? null : convertValue(vm, result, to.returns, from.returns)),
  );
}

/** Calls `then` with the result of a call, once that has returned. */
function chain(vm: Runtime, call: () => Value | undefined, then: (result: Value) => Value): Value | undefined {
  const step = synthetic(vm.linker.get(methodHandle), 'step', '()Ljava/lang/Object;', true, () => call());
  return vm.callThen(step, [], null, then, undefined);
}

/** What an `invoke-custom` calls, as its bootstrap method says. @throws JavaThrow BootstrapMethodError */
export function linkCustom(vm: Runtime, prepared: PreparedMethod, index: number): Method {
  const { dex, method } = prepared;
  const [bootstrap, name, type, ...extra] = callSiteAt(dex, index) ?? [];
  if (bootstrap?.kind !== 'method-handle' || name?.kind !== 'string' || type?.kind !== 'proto') {
    throw vm.exception('Ljava/lang/BootstrapMethodError;', `call site ${index} of ${dex.where}`);
  }
  const prototype = dex.protoDescriptor(type.index);
  const called = dex.string(name.index);
  const handle = methodHandleAt(dex, bootstrap.index);
  const target = handle?.target === 'method' ? dex.method(handle.index) : '';
  if (target.startsWith('Ljava/lang/invoke/LambdaMetafactory;->')) {
    return linkLambda(vm, prepared, called, prototype, extra);
  }
  if (target.startsWith('Ljava/lang/invoke/StringConcatFactory;->')) {
    return linkConcatenation(vm, prepared, prototype, target.includes('WithConstants'), extra);
  }
  const lookup = vm.newObject(vm.linker.get('Ljava/lang/invoke/MethodHandles$Lookup;'));
  const state = handleAt(vm, prepared, bootstrap.index);
  const args: Value[] = [
    lookup,
    vm.literal(called),
    vm.methodType(prototype),
    ...extra.map((value) => encoded(vm, prepared, value)),
  ];
  const parameters = signatureTypes(state.type).parameters;
  const given = args.map((value, position) =>
    convertValue(vm, value, 'Ljava/lang/Object;', parameters[position] ?? 'Ljava/lang/Object;'),
  );
  const step = synthetic(method.owner, 'bootstrap', '()Ljava/lang/invoke/CallSite;', true, () => state.call(given));
  const callSite = vm.invoke(step, []) as HeapObject | null;
  return synthetic(method.owner, called, prototype, true, (_machine, ...values: Value[]) =>
    callConverted(vm, handleState(vm, (callSite?.native ?? null) as Value), prototype, values),
  );
}

function encoded(vm: Runtime, prepared: PreparedMethod, value: EncodedValue): Value {
  const { dex } = prepared;
  switch (value.kind) {
    case 'string':
      return vm.literal(dex.string(value.index));
    case 'type':
      return vm.classObject(vm.linker.get(dex.type(value.index)));
    case 'proto':
      return vm.methodType(dex.protoDescriptor(value.index));
    case 'method-handle':
      return linkHandle(vm, prepared, value.index);
    case 'byte':
    case 'short':
    case 'char':
    case 'int':
      return vm.box('I', value.value);
    case 'long':
      return vm.box('J', value.value);
    case 'float':
      return vm.box('F', value.value);
    case 'double':
      return vm.box('D', value.value);
    case 'boolean':
      return vm.box('Z', value.value ? 1 : 0);
    default:
      return null;
  }
}

let lambdaCount = 0;

/**
 * A class for each lambda: its one method calls the implementation with what was captured before its own arguments.
 * https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/lang/invoke/LambdaMetafactory.html
 */
function linkLambda(
  vm: Runtime,
  prepared: PreparedMethod,
  name: string,
  prototype: string,
  extra: readonly EncodedValue[],
): Method {
  const { dex, method } = prepared;
  const [erased, implementation, instantiated] = extra;
  if (erased?.kind !== 'proto' || implementation?.kind !== 'method-handle' || instantiated?.kind !== 'proto') {
    throw vm.exception('Ljava/lang/BootstrapMethodError;', `the lambda of ${name}`);
  }
  const state = handleAt(vm, prepared, implementation.index);
  const captured = signatureTypes(prototype);
  const erasedType = dex.protoDescriptor(erased.index);
  const cls = new LinkedClass({
    descriptor: `${method.owner.descriptor.slice(0, -1)}$$Lambda$${++lambdaCount};`,
    superclass: vm.linker.get('Ljava/lang/Object;'),
    interfaces: [vm.linker.get(captured.returns)],
    accessFlags: flags.final | flags.synthetic,
    isApp: true,
  });
  cls.status = 'initialised';
  const own = signatureTypes(erasedType);
  const call = synthetic(cls, name, erasedType, false, (_machine, self, ...args: Value[]) => {
    const type = `(${captured.parameters.join('')}${own.parameters.join('')})${own.returns}`;
    return callConverted(vm, state, type, [...(self.native as Value[]), ...args]);
  });
  cls.methods.set(call.signature, call);
  return synthetic(method.owner, name, prototype, true, (_machine, ...values: Value[]) => {
    const object = vm.newObject(cls);
    object.native = values;
    return object;
  });
}

/** The recipe's place for an argument, and for a constant. */
const argumentTag = '\u0001';
const constantTag = '\u0002';

/** https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/lang/invoke/StringConcatFactory.html */
function linkConcatenation(
  vm: Runtime,
  prepared: PreparedMethod,
  prototype: string,
  hasRecipe: boolean,
  extra: readonly EncodedValue[],
): Method {
  const { parameters } = signatureTypes(prototype);
  const [first, ...constants] = extra;
  const recipe =
    hasRecipe && first?.kind === 'string' ? prepared.dex.string(first.index) : argumentTag.repeat(parameters.length);
  const native: NativeMethod = (machine, ...args: Value[]) => {
    let argument = 0;
    let constant = 0;
    let text = '';
    for (const character of recipe.split(/([\u0001\u0002])/)) {
      if (character === argumentTag) {
        const value = args[argument]!;
        text += machine.toText(convertValue(vm, value, parameters[argument]!, 'Ljava/lang/Object;') as HeapObject).text;
        argument++;
      } else if (character === constantTag) {
        text += machine.toText(encoded(vm, prepared, constants[constant++] ?? { kind: 'null' }) as HeapObject).text;
      } else {
        text += character;
      }
    }
    return machine.string(text);
  };
  const access = flags.public | flags.static | flags.synthetic;
  return new Method(prepared.method.owner, 'concat', `concat${prototype}`, access, { native, isPure: true });
}
