// java.lang.invoke as an API: looking handles up, method types, call sites. Calls through handles are `method-handles.ts`'s.
import { type HeapObject, JavaArray, type Value } from '../heap.ts';
import type { Field } from '../linked-class.ts';
import { type LinkedClass, type Method, signatureTypes } from '../linked-class.ts';
import { callConverted, type HandleState, handleOf, handleState, methodHandleFor } from '../method-handles.ts';
import type { Machine, ModelClass, Models } from '../model.ts';
import { runtimeOf } from '../runtime.ts';
import type { MemberState } from './members.ts';
import { classArray, requiredText } from './members.ts';

type Reference = HeapObject | null;

const lookupClass = 'Ljava/lang/invoke/MethodHandles$Lookup;';
const handleClass = 'Ljava/lang/invoke/MethodHandle;';
const typeClass = 'Ljava/lang/invoke/MethodType;';
const classOf = (object: Reference) => object?.native as LinkedClass;
const prototypeOf = (type: HeapObject) => type.native as string;

function found(machine: Machine, cls: Reference, signature: string, isStatic: boolean): Method {
  const method = classOf(cls)?.findMethod(signature) ?? null;
  if (method === null) {
    throw machine.exception('Ljava/lang/NoSuchMethodException;', `no such method: ${classOf(cls)?.name}.${signature}`);
  }
  if (method.isStatic !== isStatic) {
    throw machine.exception('Ljava/lang/IllegalAccessException;', `${method.label} is ${isStatic ? 'not ' : ''}static`);
  }
  return method;
}

function lookUp(
  machine: Machine,
  cls: Reference,
  name: Reference,
  type: HeapObject,
  isStatic: boolean,
  isVirtual: boolean,
) {
  const vm = runtimeOf(machine);
  const method = found(machine, cls, requiredText(machine, name, 'name == null') + prototypeOf(type), isStatic);
  return handleOf(vm, methodHandleFor(vm, method, isVirtual));
}

function fieldHandle(machine: Machine, field: Field, isGet: boolean): HeapObject {
  const vm = runtimeOf(machine);
  const receiver = field.isStatic ? '' : field.owner.descriptor;
  return handleOf(vm, {
    type: isGet ? `(${receiver})${field.descriptor}` : `(${receiver}${field.descriptor})V`,
    method: null,
    call: (args) => {
      if (field.isStatic) vm.initialise(field.owner);
      const values = field.isStatic ? field.owner.statics : (args[0] as HeapObject).fields;
      if (isGet) return values[field.slot]!;
      values[field.slot] = args[field.isStatic ? 0 : 1]!;
    },
  });
}

function findField(machine: Machine, cls: Reference, name: Reference, type: Reference, isGet: boolean): HeapObject {
  const text = requiredText(machine, name, 'name == null');
  const field = classOf(cls).findField(text, classOf(type).descriptor);
  if (field === null) throw machine.exception('Ljava/lang/NoSuchFieldException;', `no such field: ${text}`);
  return fieldHandle(machine, field, isGet);
}

const memberOf = <T>(object: HeapObject) => (object.native as MemberState<T>).member;

const lookupModel: ModelClass = {
  methods: {
    [`findVirtual(Ljava/lang/Class;Ljava/lang/String;!${typeClass})${handleClass}`]: (
      machine,
      _self,
      cls: Reference,
      name: Reference,
      type: HeapObject,
    ) => lookUp(machine, cls, name, type, false, true),
    [`findSpecial(Ljava/lang/Class;Ljava/lang/String;!${typeClass}Ljava/lang/Class;)${handleClass}`]: (
      machine,
      _self,
      cls: Reference,
      name: Reference,
      type: HeapObject,
    ) => lookUp(machine, cls, name, type, false, false),
    [`findStatic(Ljava/lang/Class;Ljava/lang/String;!${typeClass})${handleClass}`]: (
      machine,
      _self,
      cls: Reference,
      name: Reference,
      type: HeapObject,
    ) => lookUp(machine, cls, name, type, true, false),
    [`findConstructor(Ljava/lang/Class;!${typeClass})${handleClass}`]: (
      machine,
      _self,
      cls: Reference,
      type: HeapObject,
    ) => lookUp(machine, cls, machine.string('<init>'), type, false, false),
    [`findGetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)${handleClass}`]: (
      machine,
      _self,
      cls: Reference,
      name: Reference,
      type: Reference,
    ) => findField(machine, cls, name, type, true),
    [`findSetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)${handleClass}`]: (
      machine,
      _self,
      cls: Reference,
      name: Reference,
      type: Reference,
    ) => findField(machine, cls, name, type, false),
    [`findStaticGetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)${handleClass}`]: (
      machine,
      _self,
      cls: Reference,
      name: Reference,
      type: Reference,
    ) => findField(machine, cls, name, type, true),
    [`findStaticSetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)${handleClass}`]: (
      machine,
      _self,
      cls: Reference,
      name: Reference,
      type: Reference,
    ) => findField(machine, cls, name, type, false),
    [`unreflect(!Ljava/lang/reflect/Method;)${handleClass}`]: (machine, _self, method: HeapObject) =>
      handleOf(runtimeOf(machine), methodHandleFor(runtimeOf(machine), memberOf<Method>(method), true)),
    [`unreflectConstructor(!Ljava/lang/reflect/Constructor;)${handleClass}`]: (machine, _self, member: HeapObject) =>
      handleOf(runtimeOf(machine), methodHandleFor(runtimeOf(machine), memberOf<Method>(member), false)),
    [`unreflectGetter(!Ljava/lang/reflect/Field;)${handleClass}`]: (machine, _self, field: HeapObject) =>
      fieldHandle(machine, memberOf<Field>(field), true),
    [`unreflectSetter(!Ljava/lang/reflect/Field;)${handleClass}`]: (machine, _self, field: HeapObject) =>
      fieldHandle(machine, memberOf<Field>(field), false),
    [`in(Ljava/lang/Class;)${lookupClass}`]: (_machine, self) => self,
    'lookupClass()Ljava/lang/Class;': (machine) => machine.classObject(machine.classOf('Ljava/lang/Object;')),
  },
};

/** A handle with its first argument given. */
function bound(machine: Machine, self: HeapObject, value: Value): HeapObject {
  const vm = runtimeOf(machine);
  const state = handleState(vm, self);
  const { parameters, returns } = signatureTypes(state.type);
  return handleOf(vm, {
    type: `(${parameters.slice(1).join('')})${returns}`,
    method: null,
    call: (args) => state.call([value, ...args]),
  });
}

function withArguments(machine: Machine, self: HeapObject, args: readonly Value[]): Value | undefined {
  const vm = runtimeOf(machine);
  const state: HandleState = handleState(vm, self);
  return callConverted(vm, state, `(${'Ljava/lang/Object;'.repeat(args.length)})Ljava/lang/Object;`, args);
}

const handleModel: ModelClass = {
  isAbstract: true,
  methods: {
    'invokeWithArguments(![Ljava/lang/Object;)Ljava/lang/Object;': (machine, self, args: JavaArray) =>
      withArguments(machine, self, args.elements as Value[]),
    'invokeWithArguments(!Ljava/util/List;)Ljava/lang/Object;': (machine, self, list: HeapObject) => {
      const array = machine.call(list, 'toArray()[Ljava/lang/Object;');
      return withArguments(machine, self, array instanceof JavaArray ? (array.elements as Value[]) : []);
    },
    [`type()${typeClass}`]: (machine, self) =>
      runtimeOf(machine).methodType(handleState(runtimeOf(machine), self).type),
    [`bindTo(Ljava/lang/Object;)${handleClass}`]: bound,
    [`asType(${typeClass})${handleClass}`]: (machine, self, type: HeapObject) => {
      const vm = runtimeOf(machine);
      const state = handleState(vm, self);
      const prototype = prototypeOf(type);
      return handleOf(vm, {
        type: prototype,
        method: state.method,
        call: (args) => callConverted(vm, state, prototype, args),
      });
    },
  },
};

function methodType(machine: Machine, returns: Reference, parameters: readonly Reference[]): HeapObject {
  const types = parameters.map((type) => classOf(type).descriptor).join('');
  return runtimeOf(machine).methodType(`(${types})${classOf(returns).descriptor}`);
}

const typeModel: ModelClass = {
  methods: {
    'returnType()Ljava/lang/Class;': (machine, self) =>
      machine.classObject(machine.classOf(signatureTypes(prototypeOf(self)).returns)),
    'parameterCount()I': (_machine, self) => signatureTypes(prototypeOf(self)).parameters.length,
    'parameterType(I)Ljava/lang/Class;': (machine, self, index: number) => {
      const type = signatureTypes(prototypeOf(self)).parameters[index];
      if (type === undefined) throw machine.exception('Ljava/lang/IndexOutOfBoundsException;', String(index));
      return machine.classObject(machine.classOf(type));
    },
    'parameterArray()[Ljava/lang/Class;': (machine, self) =>
      classArray(machine, runtimeOf(machine), signatureTypes(prototypeOf(self)).parameters),
    'toMethodDescriptorString()Ljava/lang/String;': (machine, self) => machine.string(prototypeOf(self)),
    'equals(Ljava/lang/Object;)Z': (_machine, self, other: Reference) =>
      other !== null && other.cls === self.cls && other.native === self.native ? 1 : 0,
    'hashCode()I': (machine, self) => machine.hashCode(machine.string(prototypeOf(self))),
  },
  staticMethods: {
    [`methodType(!Ljava/lang/Class;)${typeClass}`]: (machine, returns: Reference) => methodType(machine, returns, []),
    [`methodType(!Ljava/lang/Class;!Ljava/lang/Class;)${typeClass}`]: (machine, returns: Reference, first: Reference) =>
      methodType(machine, returns, [first]),
    [`methodType(Ljava/lang/Class;![Ljava/lang/Class;)${typeClass}`]: (
      machine,
      returns: Reference,
      parameters: JavaArray,
    ) => methodType(machine, returns, parameters.elements as Reference[]),
    [`methodType(Ljava/lang/Class;Ljava/lang/Class;![Ljava/lang/Class;)${typeClass}`]: (
      machine,
      returns: Reference,
      first: Reference,
      more: JavaArray,
    ) => methodType(machine, returns, [first, ...(more.elements as Reference[])]),
  },
};

/** A call site's `native` is its target. */
const callSiteModel: ModelClass = {
  isAbstract: true,
  methods: {
    [`getTarget()${handleClass}`]: (_machine, self) => self.native as Reference,
    [`setTarget(${handleClass})V`]: (_machine, self, target: Reference) => {
      self.native = target;
    },
    [`dynamicInvoker()${handleClass}`]: (_machine, self) => self.native as Reference,
  },
};
const concreteCallSite: ModelClass = {
  extends: 'Ljava/lang/invoke/CallSite;',
  methods: {
    [`<init>(${handleClass})V`]: (_machine, self, target: Reference) => {
      self.native = target;
    },
  },
};

export const invokeModels: Models = {
  [handleClass]: handleModel,
  [typeClass]: typeModel,
  [lookupClass]: lookupModel,
  'Ljava/lang/invoke/MethodHandles;': {
    staticMethods: {
      [`lookup()${lookupClass}`]: (machine) => machine.allocate(lookupClass),
      [`publicLookup()${lookupClass}`]: (machine) => machine.allocate(lookupClass),
    },
  },
  'Ljava/lang/invoke/CallSite;': callSiteModel,
  'Ljava/lang/invoke/ConstantCallSite;': concreteCallSite,
  'Ljava/lang/invoke/MutableCallSite;': concreteCallSite,
  'Ljava/lang/invoke/VolatileCallSite;': concreteCallSite,
};
