// java.lang.reflect.Method, Constructor and Field: the objects, and what calling and reading through them does.
// Knows no class loader and no proxy.
import { boxedPrimitive, widen } from '../conversion.ts';
import { type HeapObject, type JavaArray, JavaString, type Taint, type Value } from '../heap.ts';
import { type Field, flags, javaName, type LinkedClass, Method } from '../linked-class.ts';
import type { Machine, ModelClass, Models, NativeMethods } from '../model.ts';
import { areNestmates } from '../resolution.ts';
import { type Runtime, runtimeOf } from '../runtime.ts';
import { annotationMethods, systemValue } from './annotations.ts';
import { genericsOf } from './generic-types.ts';
import { modifierText } from './modifiers.ts';

type Reference = HeapObject | null;

/** State of a Method, Constructor or Field object. */
export interface MemberState<T> {
  readonly member: T;
  isAccessible: boolean;
}

export const methodClass = 'Ljava/lang/reflect/Method;';
export const constructorClass = 'Ljava/lang/reflect/Constructor;';
export const fieldClass = 'Ljava/lang/reflect/Field;';

export function memberObject(machine: Machine, member: Method | Field): HeapObject {
  const descriptor = !(member instanceof Method) ? fieldClass : member.isConstructor ? constructorClass : methodClass;
  const object = machine.allocate(descriptor);
  object.native = { member, isAccessible: false } satisfies MemberState<Method | Field>;
  return object;
}

const methodState = (object: HeapObject) => object.native as MemberState<Method>;
const fieldState = (object: HeapObject) => object.native as MemberState<Field>;

export function classArray(machine: Machine, vm: Runtime, descriptors: readonly string[]): JavaArray {
  return machine.objectArray(
    'Ljava/lang/Class;',
    descriptors.map((descriptor) => vm.classObject(vm.linker.get(descriptor))),
  );
}

/** A primitive in its box, for the side that only knows objects. */
export function boxed(vm: Runtime, descriptor: string, value: Value, taint: Taint): Value {
  if (descriptor === 'V') return null;
  if (descriptor.length > 1) return value;
  return vm.box(descriptor, value as number | bigint, taint);
}

/** What an argument or a field of this type takes from an object. @throws JavaThrow IllegalArgumentException */
function unboxed(vm: Runtime, descriptor: string, value: Reference, what: string): Value {
  if (descriptor.length > 1) {
    const cls = vm.linker.find(descriptor);
    if (value !== null && cls !== null && !vm.isInstanceOf(value, cls)) {
      throw vm.exception(
        'Ljava/lang/IllegalArgumentException;',
        `${what} has type ${javaName(descriptor)}, got ${value.cls.name}`,
      );
    }
    return value;
  }
  const primitive = value === null ? null : boxedPrimitive(value);
  const number =
    value === null || primitive === null ? null : widen(value.native as number | bigint, primitive, descriptor);
  if (number === null) {
    throw vm.exception(
      'Ljava/lang/IllegalArgumentException;',
      `${what} has type ${javaName(descriptor)}, got ${value === null ? 'null' : value.cls.name}`,
    );
  }
  return number;
}

/** @throws JavaThrow IllegalAccessException where the caller may not touch a private member */
function checkAccess(vm: Runtime, state: MemberState<Method | Field>): void {
  const { member, isAccessible } = state;
  if (isAccessible || (member.accessFlags & flags.private) === 0) return;
  const caller = vm.trace()[0]?.method.owner;
  if (caller === undefined || caller === member.owner || areNestmates(caller, member.owner)) return;
  throw vm.exception(
    'Ljava/lang/IllegalAccessException;',
    `Class ${caller.name} cannot access private member ${member.name} of class ${member.owner.name}`,
  );
}

/** Arguments for a method from an `Object[]`, with the taint of what was in boxes. @throws JavaThrow IllegalArgumentException */
function argumentsOf(vm: Runtime, method: Method, array: JavaArray | null): { values: Value[]; taints: Taint[] } {
  const given = (array?.elements ?? []) as Reference[];
  const { parameters } = method;
  if (given.length !== parameters.length) {
    throw vm.exception(
      'Ljava/lang/IllegalArgumentException;',
      `Wrong number of arguments; expected ${parameters.length}, got ${given.length}`,
    );
  }
  const values = parameters.map((type, index) =>
    unboxed(vm, type, given[index]!, `method ${method.label} argument ${index + 1}`),
  );
  const taints = parameters.map((type, index) => {
    const beside = array?.elementTaints?.[index] ?? 0;
    const object = given[index] ?? null;
    return type.length === 1 && object !== null ? vm.taints.union(beside, object.taint) : beside;
  });
  return { values, taints };
}

function wrapped(vm: Runtime, throwable: HeapObject): never {
  throw vm.exception('Ljava/lang/reflect/InvocationTargetException;', undefined, throwable);
}

function invoke(machine: Machine, self: HeapObject, receiver: Reference, array: JavaArray | null): Value | undefined {
  const vm = runtimeOf(machine);
  const state = methodState(self);
  let { member } = state;
  checkAccess(vm, state);
  if (member.isStatic) {
    vm.initialise(member.owner);
  } else {
    if (receiver === null) throw machine.exception('Ljava/lang/NullPointerException;', 'null receiver');
    if (!vm.isInstanceOf(receiver, member.owner)) {
      throw machine.exception(
        'Ljava/lang/IllegalArgumentException;',
        `Expected receiver of type ${member.owner.name}, but got ${receiver.cls.name}`,
      );
    }
    member = vm.virtualTarget(receiver.cls as LinkedClass, member, member.signature);
  }
  const { values, taints } = argumentsOf(vm, member, array);
  const args = member.isStatic ? values : [receiver, ...values];
  return vm.callThen(
    member,
    args,
    member.isStatic ? taints : [0, ...taints],
    (value) => boxed(vm, member.returns, value, vm.thread.returnedTaint),
    (throwable) => wrapped(vm, throwable),
  );
}

function newInstance(machine: Machine, self: HeapObject, array: JavaArray | null): Value | undefined {
  const vm = runtimeOf(machine);
  const state = methodState(self);
  checkAccess(vm, state);
  const { member } = state;
  const { owner } = member;
  if ((owner.accessFlags & flags.abstract) !== 0) {
    throw machine.exception('Ljava/lang/InstantiationException;', `Can't instantiate abstract class ${owner.name}`);
  }
  vm.initialise(owner);
  const { values, taints } = argumentsOf(vm, member, array);
  const object = vm.newObject(owner);
  return vm.callThen(
    member,
    [object, ...values],
    [0, ...taints],
    () => object,
    (throwable) => wrapped(vm, throwable),
  );
}

/** Where a field's values stand. @throws JavaThrow NullPointerException, IllegalArgumentException */
function holder(vm: Runtime, field: Field, object: Reference): { values: Value[]; taint: Taint } {
  if (field.isStatic) {
    vm.initialise(field.owner);
    return { values: field.owner.statics, taint: field.owner.staticTaints?.[field.slot] ?? 0 };
  }
  if (object === null) throw vm.exception('Ljava/lang/NullPointerException;', `field ${field.name} of null`);
  if (!vm.isInstanceOf(object, field.owner)) {
    throw vm.exception(
      'Ljava/lang/IllegalArgumentException;',
      `Expected receiver of type ${field.owner.name}, but got ${object.cls.name}`,
    );
  }
  return { values: object.fields, taint: object.fieldTaints?.[field.slot] ?? 0 };
}

function read(machine: Machine, self: HeapObject, object: Reference): { field: Field; value: Value; taint: Taint } {
  const vm = runtimeOf(machine);
  const state = fieldState(self);
  checkAccess(vm, state);
  const { values, taint } = holder(vm, state.member, object);
  return { field: state.member, value: values[state.member.slot]!, taint };
}

function write(machine: Machine, self: HeapObject, object: Reference, value: Value, taint: Taint): undefined {
  const vm = runtimeOf(machine);
  const state = fieldState(self);
  const field = state.member;
  checkAccess(vm, state);
  if (!state.isAccessible && (field.accessFlags & flags.final) !== 0) {
    throw machine.exception('Ljava/lang/IllegalAccessException;', `Cannot set final field ${field.name}`);
  }
  holder(vm, field, object).values[field.slot] = value;
  if (field.isStatic) vm.setStaticTaint(field, taint);
  else if (object !== null) vm.setFieldTaint(object, field.slot, taint);
}

const primitiveWords: Readonly<Record<string, string>> = {
  Z: 'Boolean',
  B: 'Byte',
  S: 'Short',
  C: 'Char',
  I: 'Int',
  J: 'Long',
  F: 'Float',
  D: 'Double',
};

/** `getInt(Object)I`, `setInt(Object, I)V` and their likes. */
function primitiveAccessors(): NativeMethods {
  const methods: Record<string, NativeMethods[string]> = {};
  for (const [primitive, word] of Object.entries(primitiveWords)) {
    methods[`get${word}(Ljava/lang/Object;)${primitive}`] = (machine, self, object: Reference) => {
      const { field, value, taint } = read(machine, self, object);
      const number =
        field.descriptor.length === 1 ? widen(value as number | bigint, field.descriptor, primitive) : null;
      if (number === null) throw machine.exception('Ljava/lang/IllegalArgumentException;', `not a ${word} field`);
      machine.setResultTaint(taint);
      return number;
    };
    methods[`set${word}(Ljava/lang/Object;${primitive})V`] = (
      machine,
      self,
      object: Reference,
      value: number | bigint,
    ) => {
      const number = widen(value, primitive, fieldState(self).member.descriptor);
      if (number === null) throw machine.exception('Ljava/lang/IllegalArgumentException;', `not a ${word} field`);
      return write(machine, self, object, number, machine.argumentTaint(2));
    };
  }
  return methods;
}

function parameterText(method: Method): string {
  return method.parameters.map(typeText).join(',');
}

/** `int[]`, `java.lang.String`: a type as source code names it. */
export function typeText(descriptor: string): string {
  return descriptor.startsWith('[') ? `${typeText(descriptor.slice(1))}[]` : javaName(descriptor);
}

function sameMember(_machine: Machine, self: HeapObject, other: Reference): number {
  if (other === null || other.cls !== self.cls) return 0;
  return methodState(self).member === methodState(other).member ? 1 : 0;
}

/** What Method, Constructor and Field have in common. */
const memberMethods: NativeMethods = {
  'getModifiers()I': (_machine, self) => methodState(self).member.accessFlags & 0xfff,
  'getDeclaringClass()Ljava/lang/Class;': (machine, self) => machine.classObject(methodState(self).member.owner),
  'isSynthetic()Z': (_machine, self) => ((methodState(self).member.accessFlags & flags.synthetic) !== 0 ? 1 : 0),
  'equals(Ljava/lang/Object;)Z': sameMember,
};

const accessible: ModelClass = {
  implements: ['Ljava/lang/reflect/AnnotatedElement;'],
  methods: {
    'setAccessible(Z)V': (_machine, self, isAccessible: number) => {
      methodState(self).isAccessible = isAccessible !== 0;
    },
    'trySetAccessible()Z': (_machine, self) => {
      methodState(self).isAccessible = true;
      return 1;
    },
    'isAccessible()Z': (_machine, self) => (methodState(self).isAccessible ? 1 : 0),
    'canAccess(Ljava/lang/Object;)Z': () => 1,
    ...annotationMethods,
  },
};

/** Descriptors of what a method declares to throw. */
function thrownBy(method: Method): string[] {
  const { dex } = method.owner;
  const value = systemValue(method, 'Ldalvik/annotation/Throws;', 'value');
  if (dex === null || value?.kind !== 'array') return [];
  return value.values.flatMap((each) => (each.kind === 'type' ? [dex.type(each.index)] : []));
}

const executableMethods: NativeMethods = {
  ...memberMethods,
  'getParameterTypes()[Ljava/lang/Class;': (machine, self) =>
    classArray(machine, runtimeOf(machine), methodState(self).member.parameters),
  'getGenericParameterTypes()[Ljava/lang/reflect/Type;': (machine, self) => {
    const { member } = methodState(self);
    const generics = genericsOf(machine, member, self);
    if (generics === null) return classArray(machine, runtimeOf(machine), member.parameters);
    return machine.objectArray('Ljava/lang/reflect/Type;', generics.types);
  },
  'getTypeParameters()[Ljava/lang/reflect/TypeVariable;': (machine, self) =>
    machine.objectArray(
      'Ljava/lang/reflect/TypeVariable;',
      genericsOf(machine, methodState(self).member, self)?.parameters ?? [],
    ),
  'getParameterCount()I': (_machine, self) => methodState(self).member.parameters.length,
  'getExceptionTypes()[Ljava/lang/Class;': (machine, self) =>
    classArray(machine, runtimeOf(machine), thrownBy(methodState(self).member)),
  'isVarArgs()Z': (_machine, self) => ((methodState(self).member.accessFlags & flags.varargs) !== 0 ? 1 : 0),
};

const methodModel: ModelClass = {
  extends: 'Ljava/lang/reflect/Executable;',
  methods: {
    ...executableMethods,
    'getName()Ljava/lang/String;': (machine, self) => machine.string(methodState(self).member.name),
    'getReturnType()Ljava/lang/Class;': (machine, self) =>
      machine.classObject(machine.classOf(methodState(self).member.returns)),
    'getGenericReturnType()Ljava/lang/reflect/Type;': (machine, self) =>
      genericsOf(machine, methodState(self).member, self)?.result ??
      machine.classObject(machine.classOf(methodState(self).member.returns)),
    'invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;': invoke,
    'isBridge()Z': (_machine, self) => ((methodState(self).member.accessFlags & flags.bridge) !== 0 ? 1 : 0),
    'isDefault()Z': (_machine, self) => {
      const { member } = methodState(self);
      return member.owner.isInterface && !member.isAbstract && !member.isStatic ? 1 : 0;
    },
    'hashCode()I': (machine, self) => {
      const { member } = methodState(self);
      return machine.hashCode(machine.string(member.owner.name)) ^ machine.hashCode(machine.string(member.name));
    },
    'toString()Ljava/lang/String;': (machine, self) => {
      const { member } = methodState(self);
      const words = modifierText(member.accessFlags & 0xd3f);
      return machine.string(
        `${words}${words === '' ? '' : ' '}${typeText(member.returns)} ${member.label}(${parameterText(member)})`,
      );
    },
  },
};

const constructorModel: ModelClass = {
  extends: 'Ljava/lang/reflect/Executable;',
  methods: {
    ...executableMethods,
    'getName()Ljava/lang/String;': (machine, self) => machine.string(methodState(self).member.owner.name),
    'newInstance([Ljava/lang/Object;)Ljava/lang/Object;': newInstance,
    'hashCode()I': (machine, self) => machine.hashCode(machine.string(methodState(self).member.owner.name)),
    'toString()Ljava/lang/String;': (machine, self) => {
      const { member } = methodState(self);
      const words = modifierText(member.accessFlags & 0x7);
      return machine.string(`${words}${words === '' ? '' : ' '}${member.owner.name}(${parameterText(member)})`);
    },
  },
};

const fieldModel: ModelClass = {
  extends: 'Ljava/lang/reflect/AccessibleObject;',
  implements: ['Ljava/lang/reflect/Member;'],
  methods: {
    ...memberMethods,
    ...primitiveAccessors(),
    'getName()Ljava/lang/String;': (machine, self) => machine.string(fieldState(self).member.name),
    'getType()Ljava/lang/Class;': (machine, self) =>
      machine.classObject(machine.classOf(fieldState(self).member.descriptor)),
    'getGenericType()Ljava/lang/reflect/Type;': (machine, self) =>
      genericsOf(machine, fieldState(self).member, self)?.types[0] ??
      machine.classObject(machine.classOf(fieldState(self).member.descriptor)),
    'get(Ljava/lang/Object;)Ljava/lang/Object;': (machine, self, object: Reference) => {
      const { field, value, taint } = read(machine, self, object);
      return boxed(runtimeOf(machine), field.descriptor, value, taint);
    },
    'set(!Ljava/lang/Object;Ljava/lang/Object;)V': (machine, self, object: Reference, value: Reference) => {
      const { member } = fieldState(self);
      const number = unboxed(runtimeOf(machine), member.descriptor, value, `field ${member.name}`);
      const taint = member.descriptor.length === 1 ? machine.argumentTaint(2) : 0;
      return write(machine, self, object, number, taint);
    },
    'isEnumConstant()Z': (_machine, self) => ((fieldState(self).member.accessFlags & flags.enum) !== 0 ? 1 : 0),
    'hashCode()I': (machine, self) => {
      const { member } = fieldState(self);
      return machine.hashCode(machine.string(member.owner.name)) ^ machine.hashCode(machine.string(member.name));
    },
    'toString()Ljava/lang/String;': (machine, self) => {
      const { member } = fieldState(self);
      const words = modifierText(member.accessFlags & 0xdf);
      return machine.string(
        `${words}${words === '' ? '' : ' '}${typeText(member.descriptor)} ${member.owner.name}.${member.name}`,
      );
    },
  },
};

export const memberModels: Models = {
  'Ljava/lang/reflect/AnnotatedElement;': { isInterface: true },
  'Ljava/lang/reflect/GenericDeclaration;': { isInterface: true, implements: ['Ljava/lang/reflect/AnnotatedElement;'] },
  'Ljava/lang/reflect/Type;': { isInterface: true },
  'Ljava/lang/reflect/Member;': {
    isInterface: true,
    constants: { 'PUBLIC:I': 0, 'DECLARED:I': 1 },
    abstractMethods: [
      'getDeclaringClass()Ljava/lang/Class;',
      'getName()Ljava/lang/String;',
      'getModifiers()I',
      'isSynthetic()Z',
    ],
  },
  'Ljava/lang/reflect/AccessibleObject;': accessible,
  'Ljava/lang/reflect/Executable;': {
    extends: 'Ljava/lang/reflect/AccessibleObject;',
    implements: ['Ljava/lang/reflect/Member;'],
    isAbstract: true,
  },
  [methodClass]: methodModel,
  [constructorClass]: constructorModel,
  [fieldClass]: fieldModel,
};

/** The text of a string argument. @throws JavaThrow NullPointerException */
export function requiredText(machine: Machine, value: Reference, what: string): string {
  if (value instanceof JavaString) return value.text;
  throw machine.exception('Ljava/lang/NullPointerException;', what);
}
