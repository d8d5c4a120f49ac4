// java.lang.Class, and java.lang.reflect.Array. Members are `members.ts`'s business, finding classes by name the loaders'.
import { boxedPrimitive, widen } from '../conversion.ts';
import { type HeapObject, JavaArray, type Value } from '../heap.ts';
import { flags, type LinkedClass, type Method } from '../linked-class.ts';
import type { Machine, ModelClass, Models } from '../model.ts';
import { runtimeOf } from '../runtime.ts';
import { annotationMethods, systemValue } from './annotations.ts';
import { loaderOf, loadThrough } from './class-loader.ts';
import { genericsOf } from './generic-types.ts';
import { boxed, constructorClass, fieldClass, memberObject, methodClass, requiredText, typeText } from './members.ts';

type Reference = HeapObject | null;

const classOf = (self: HeapObject) => self.native as LinkedClass;
const flag = (value: boolean): number => (value ? 1 : 0);

/** Parameter descriptors from a `Class[]`, as they stand in a signature. */
function parameterDescriptors(machine: Machine, types: JavaArray | null): string {
  return ((types?.elements ?? []) as Reference[])
    .map((type) => {
      if (type === null) throw machine.exception('Ljava/lang/NullPointerException;', 'a null parameter type');
      return classOf(type).descriptor;
    })
    .join('');
}

function typeList(types: JavaArray | null): string {
  return ((types?.elements ?? []) as HeapObject[]).map((type) => classOf(type).name).join(', ');
}

const isPublic = (member: { readonly accessFlags: number }) => (member.accessFlags & flags.public) !== 0;
const isOrdinary = (method: Method) => !method.name.startsWith('<');

/** Own methods that reflection shows; bridges after what they lead to. */
function ownMethods(cls: LinkedClass): Method[] {
  return [...cls.methods.values()].filter(isOrdinary);
}

/** A method by name and parameters, whatever it returns: of several the one that is no bridge. */
function ownMethod(cls: LinkedClass, start: string): Method | null {
  let found: Method | null = null;
  for (const [signature, method] of cls.methods) {
    if (!signature.startsWith(start)) continue;
    if (found === null || (found.accessFlags & flags.bridge) !== 0) found = method;
  }
  return found;
}

function publicMethod(machine: Machine, cls: LinkedClass, start: string): Method | null {
  for (let type: LinkedClass | null = cls; type !== null; type = type.superclass) {
    const found = ownMethod(type, start);
    if (found !== null && isPublic(found)) return found;
  }
  for (const type of cls.supertypes) {
    const found = type.isInterface ? ownMethod(type, start) : null;
    if (found !== null && isPublic(found)) return found;
  }
  return cls.isInterface || cls.isArray ? ownMethod(machine.classOf('Ljava/lang/Object;') as LinkedClass, start) : null;
}

function noMethod(machine: Machine, cls: LinkedClass, name: string, types: JavaArray | null) {
  return machine.exception('Ljava/lang/NoSuchMethodException;', `${cls.name}.${name} [${typeList(types)}]`);
}

function getMethod(machine: Machine, self: HeapObject, name: Reference, types: JavaArray | null, isDeclared: boolean) {
  const cls = classOf(self);
  const text = requiredText(machine, name, 'name == null');
  const start = `${text}(${parameterDescriptors(machine, types)})`;
  const found = isDeclared ? ownMethod(cls, start) : publicMethod(machine, cls, start);
  if (found === null || !isOrdinary(found)) {
    if (!cls.isApp) machine.unmodelled(`${cls.descriptor}->${start} by reflection`);
    throw noMethod(machine, cls, text, types);
  }
  return memberObject(machine, found);
}

function getMethods(machine: Machine, cls: LinkedClass, isDeclared: boolean): JavaArray {
  const methods = new Map<string, Method>();
  const add = (type: LinkedClass) => {
    for (const method of ownMethods(type)) {
      if ((isDeclared || isPublic(method)) && !methods.has(method.signature)) methods.set(method.signature, method);
    }
  };
  if (isDeclared) {
    add(cls);
  } else {
    for (let type: LinkedClass | null = cls; type !== null; type = type.superclass) add(type);
    for (const type of cls.supertypes) if (type.isInterface) add(type);
  }
  return machine.objectArray(
    methodClass,
    [...methods.values()].map((method) => memberObject(machine, method)),
  );
}

function constructors(cls: LinkedClass, isDeclared: boolean): Method[] {
  return [...cls.methods.values()].filter((method) => method.isConstructor && (isDeclared || isPublic(method)));
}

function getConstructor(machine: Machine, self: HeapObject, types: JavaArray | null, isDeclared: boolean) {
  const cls = classOf(self);
  const found = cls.methods.get(`<init>(${parameterDescriptors(machine, types)})V`);
  if (found === undefined || (!isDeclared && !isPublic(found))) throw noMethod(machine, cls, '<init>', types);
  return memberObject(machine, found);
}

function getField(machine: Machine, self: HeapObject, name: Reference, isDeclared: boolean) {
  const cls = classOf(self);
  const text = requiredText(machine, name, 'name == null');
  const own = [...cls.staticFields, ...cls.declaredInstanceFields].find((field) => field.name === text);
  const found = isDeclared ? (own ?? null) : cls.findField(text, null);
  if (found === null || (!isDeclared && !isPublic(found))) {
    if (!cls.isApp) machine.unmodelled(`${cls.descriptor}->${text} by reflection`);
    throw machine.exception('Ljava/lang/NoSuchFieldException;', `No field ${text} in class ${cls.descriptor}`);
  }
  return memberObject(machine, found);
}

function getFields(machine: Machine, cls: LinkedClass, isDeclared: boolean): JavaArray {
  const own = (type: LinkedClass) => [...type.declaredInstanceFields, ...type.staticFields];
  const all = isDeclared ? own(cls) : [...cls.supertypes].flatMap(own).filter(isPublic);
  return machine.objectArray(
    fieldClass,
    all.map((field) => memberObject(machine, field)),
  );
}

/** @throws JavaThrow InstantiationException, and whatever the constructor throws, as it is */
function newInstance(machine: Machine, self: HeapObject): Value | undefined {
  const vm = runtimeOf(machine);
  const cls = classOf(self);
  const initialiser = cls.methods.get('<init>()V');
  const isAbstract = (cls.accessFlags & (flags.abstract | flags.interface)) !== 0;
  if (isAbstract || (initialiser === undefined && !cls.isUnmodelled)) {
    throw machine.exception('Ljava/lang/InstantiationException;', `${cls.name} has no zero argument constructor`);
  }
  vm.initialise(cls);
  const object = vm.newObject(cls);
  return initialiser === undefined ? object : vm.callThen(initialiser, [object], null, () => object, undefined);
}

/** The name without package and outer class, as source code has it. */
function simpleName(cls: LinkedClass): string {
  if (cls.component !== null) return `${simpleName(cls.component)}[]`;
  const inner = systemValue(cls, 'Ldalvik/annotation/InnerClass;', 'name');
  if (inner?.kind === 'null') return '';
  if (inner?.kind === 'string') return cls.dex!.string(inner.index);
  const name = cls.name.slice(cls.name.lastIndexOf('.') + 1);
  return cls.isApp ? name : name.slice(name.lastIndexOf('$') + 1);
}

function enclosing(machine: Machine, cls: LinkedClass): Reference {
  const value =
    systemValue(cls, 'Ldalvik/annotation/EnclosingClass;', 'value') ??
    systemValue(cls, 'Ldalvik/annotation/EnclosingMethod;', 'value');
  if (value?.kind === 'type') return machine.classObject(machine.classOf(cls.dex!.type(value.index)));
  if (value?.kind === 'method') return machine.classObject(machine.classOf(cls.dex!.methodClass(value.index)));
  const at = cls.descriptor.lastIndexOf('$');
  if (cls.isApp || at < 0) return null;
  return machine.classObject(machine.classOf(`${cls.descriptor.slice(0, at)};`));
}

/** The method or constructor that a local or anonymous class stands in. */
function enclosingMember(machine: Machine, cls: LinkedClass, isConstructor: boolean): Reference {
  const value = systemValue(cls, 'Ldalvik/annotation/EnclosingMethod;', 'value');
  if (value?.kind !== 'method') return null;
  const dex = cls.dex!;
  const owner = runtimeOf(machine).linker.find(dex.methodClass(value.index));
  const method = owner?.methods.get(dex.methodName(value.index) + dex.methodDescriptor(value.index));
  return method?.isConstructor === isConstructor ? memberObject(machine, method) : null;
}

function packageName(cls: LinkedClass): string {
  return cls.isArray || cls.isPrimitive ? '' : cls.name.slice(0, Math.max(0, cls.name.lastIndexOf('.')));
}

const classModel: ModelClass = {
  implements: ['Ljava/lang/reflect/GenericDeclaration;', 'Ljava/lang/reflect/Type;', 'Ljava/io/Serializable;'],
  methods: {
    ...annotationMethods,
    'getName()Ljava/lang/String;': (machine, self) => machine.string(classOf(self).name),
    'getTypeName()Ljava/lang/String;': (machine, self) => machine.string(typeText(classOf(self).descriptor)),
    'getSimpleName()Ljava/lang/String;': (machine, self) => machine.string(simpleName(classOf(self))),
    'getCanonicalName()Ljava/lang/String;': (machine, self) =>
      simpleName(classOf(self)) === '' ? null : machine.string(typeText(classOf(self).descriptor).replaceAll('$', '.')),
    'getPackageName()Ljava/lang/String;': (machine, self) => machine.string(packageName(classOf(self))),
    'getPackage()Ljava/lang/Package;': (machine, self) => {
      const object = machine.allocate('Ljava/lang/Package;');
      object.native = packageName(classOf(self));
      return object;
    },
    'getSuperclass()Ljava/lang/Class;': (machine, self) => {
      const { superclass } = classOf(self);
      return superclass === null ? null : machine.classObject(superclass);
    },
    'getGenericSuperclass()Ljava/lang/reflect/Type;': (machine, self) => {
      const cls = classOf(self);
      if (cls.superclass === null || cls.isInterface) return null;
      return genericsOf(machine, cls, self)?.types[0] ?? machine.classObject(cls.superclass);
    },
    'getInterfaces()[Ljava/lang/Class;': (machine, self) =>
      machine.objectArray(
        'Ljava/lang/Class;',
        classOf(self).interfaces.map((type) => machine.classObject(type)),
      ),
    'getGenericInterfaces()[Ljava/lang/reflect/Type;': (machine, self) =>
      machine.objectArray(
        'Ljava/lang/reflect/Type;',
        genericsOf(machine, classOf(self), self)?.types.slice(1) ??
          classOf(self).interfaces.map((type) => machine.classObject(type)),
      ),
    'getTypeParameters()[Ljava/lang/reflect/TypeVariable;': (machine, self) =>
      machine.objectArray(
        'Ljava/lang/reflect/TypeVariable;',
        genericsOf(machine, classOf(self), self)?.parameters ?? [],
      ),
    'getComponentType()Ljava/lang/Class;': (machine, self) => {
      const { component } = classOf(self);
      return component === null ? null : machine.classObject(component);
    },
    'getModifiers()I': (_machine, self) => {
      const cls = classOf(self);
      const inner = systemValue(cls, 'Ldalvik/annotation/InnerClass;', 'accessFlags');
      return (inner?.kind === 'int' ? inner.value : cls.accessFlags) & 0xffff & ~flags.synchronized;
    },
    'isInterface()Z': (_machine, self) => classOf(self).isInterface,
    'isArray()Z': (_machine, self) => classOf(self).isArray,
    'isPrimitive()Z': (_machine, self) => classOf(self).isPrimitive,
    'isEnum()Z': (_machine, self) => classOf(self).superclass?.descriptor === 'Ljava/lang/Enum;',
    'isAnnotation()Z': (_machine, self) => (classOf(self).accessFlags & flags.annotation) !== 0,
    'isSynthetic()Z': (_machine, self) => (classOf(self).accessFlags & flags.synthetic) !== 0,
    'isAnonymousClass()Z': (_machine, self) => simpleName(classOf(self)) === '',
    'isLocalClass()Z': () => 0,
    'isMemberClass()Z': (machine, self) =>
      simpleName(classOf(self)) !== '' && enclosing(machine, classOf(self)) !== null,
    'getEnclosingMethod()Ljava/lang/reflect/Method;': (machine, self) => enclosingMember(machine, classOf(self), false),
    'getEnclosingConstructor()Ljava/lang/reflect/Constructor;': (machine, self) =>
      enclosingMember(machine, classOf(self), true),
    'getEnclosingClass()Ljava/lang/Class;': (machine, self) => enclosing(machine, classOf(self)),
    'getDeclaringClass()Ljava/lang/Class;': (machine, self) =>
      simpleName(classOf(self)) === '' ? null : enclosing(machine, classOf(self)),
    'isInstance(Ljava/lang/Object;)Z': (machine, self, object: Reference) =>
      object !== null && runtimeOf(machine).isInstanceOf(object, classOf(self)),
    'isAssignableFrom(Ljava/lang/Class;)Z': (machine, self, other: Reference) => {
      if (other === null) throw machine.exception('Ljava/lang/NullPointerException;');
      return flag(classOf(other).isSubclassOf(classOf(self)));
    },
    'cast(Ljava/lang/Object;)Ljava/lang/Object;': (machine, self, object: Reference) => {
      if (object === null || runtimeOf(machine).isInstanceOf(object, classOf(self))) return object;
      throw machine.exception(
        'Ljava/lang/ClassCastException;',
        `Cannot cast ${object.cls.name} to ${classOf(self).name}`,
      );
    },
    'asSubclass(!Ljava/lang/Class;)Ljava/lang/Class;': (machine, self, other: HeapObject) => {
      if (classOf(self).isSubclassOf(classOf(other))) return self;
      throw machine.exception('Ljava/lang/ClassCastException;', `${classOf(self).name} cannot be cast`);
    },
    'newInstance()Ljava/lang/Object;': newInstance,
    'getClassLoader()Ljava/lang/ClassLoader;': (machine, self) => loaderOf(machine, classOf(self)),
    'desiredAssertionStatus()Z': () => 0,
    'getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;': (
      machine,
      self,
      name: Reference,
      types: JavaArray | null,
    ) => getMethod(machine, self, name, types, false),
    'getDeclaredMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;': (
      machine,
      self,
      name: Reference,
      types: JavaArray | null,
    ) => getMethod(machine, self, name, types, true),
    'getMethods()[Ljava/lang/reflect/Method;': (machine, self) => getMethods(machine, classOf(self), false),
    'getDeclaredMethods()[Ljava/lang/reflect/Method;': (machine, self) => getMethods(machine, classOf(self), true),
    'getConstructor([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;': (machine, self, types: JavaArray | null) =>
      getConstructor(machine, self, types, false),
    'getDeclaredConstructor([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;': (
      machine,
      self,
      types: JavaArray | null,
    ) => getConstructor(machine, self, types, true),
    'getConstructors()[Ljava/lang/reflect/Constructor;': (machine, self) =>
      machine.objectArray(
        constructorClass,
        constructors(classOf(self), false).map((method) => memberObject(machine, method)),
      ),
    'getDeclaredConstructors()[Ljava/lang/reflect/Constructor;': (machine, self) =>
      machine.objectArray(
        constructorClass,
        constructors(classOf(self), true).map((method) => memberObject(machine, method)),
      ),
    'getField(Ljava/lang/String;)Ljava/lang/reflect/Field;': (machine, self, name: Reference) =>
      getField(machine, self, name, false),
    'getDeclaredField(Ljava/lang/String;)Ljava/lang/reflect/Field;': (machine, self, name: Reference) =>
      getField(machine, self, name, true),
    'getFields()[Ljava/lang/reflect/Field;': (machine, self) => getFields(machine, classOf(self), false),
    'getDeclaredFields()[Ljava/lang/reflect/Field;': (machine, self) => getFields(machine, classOf(self), true),
    'getEnumConstants()[Ljava/lang/Object;': (machine, self) => {
      const cls = classOf(self);
      const signature = `values()[${cls.descriptor}`;
      const values = cls.methods.has(signature) ? machine.callStatic(cls.descriptor, signature) : null;
      return values instanceof JavaArray ? values : null;
    },
    'hashCode()I': (machine, self) => machine.hashCode(machine.string(classOf(self).descriptor)),
    'toString()Ljava/lang/String;': (machine, self) => {
      const cls = classOf(self);
      const kind = cls.isInterface ? 'interface ' : cls.isPrimitive ? '' : 'class ';
      return machine.string(kind + cls.name);
    },
  },
  staticMethods: {
    'forName(Ljava/lang/String;)Ljava/lang/Class;': (machine, name: Reference) =>
      loadThrough(machine, null, requiredText(machine, name, 'name == null'), true),
    'forName(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;': (
      machine,
      name: Reference,
      isInitialised: number,
      loader: Reference,
    ) => loadThrough(machine, loader, requiredText(machine, name, 'name == null'), isInitialised !== 0),
  },
};

// java.lang.reflect.Array.

function arrayOf(machine: Machine, object: Reference): JavaArray {
  if (object === null) throw machine.exception('Ljava/lang/NullPointerException;', 'array == null');
  if (object instanceof JavaArray) return object;
  throw machine.exception('Ljava/lang/IllegalArgumentException;', `Not an array: ${object.cls.name}`);
}

function element(machine: Machine, object: Reference, index: number): { value: Value; descriptor: string } {
  const array = arrayOf(machine, object);
  if (index < 0 || index >= array.elements.length) {
    throw machine.exception(
      'Ljava/lang/ArrayIndexOutOfBoundsException;',
      `length=${array.elements.length}; index=${index}`,
    );
  }
  machine.setResultTaint(machine.union(array.taint, array.elementTaints?.[index] ?? 0));
  return { value: array.elements[index] as Value, descriptor: array.cls.descriptor.slice(1) };
}

function setElement(machine: Machine, object: Reference, index: number, value: Value, from: string): undefined {
  const { descriptor } = element(machine, object, index);
  const array = object as JavaArray;
  let content = value;
  let taint = machine.argumentTaint(2);
  if (descriptor.length === 1) {
    const box = from === 'L' ? (value as Reference) : null;
    const primitive = box === null ? from : (boxedPrimitive(box) ?? 'L');
    const number = (box === null ? value : box.native) as number | bigint;
    content = widen(number, primitive, descriptor);
    if (content === null) throw machine.exception('Ljava/lang/IllegalArgumentException;', 'argument type mismatch');
  } else {
    taint = 0;
  }
  (array.elements as Value[])[index] = content;
  runtimeOf(machine).setElementTaint(array, index, taint);
}

/** Elements of all dimensions of one `newInstance` call. */
const maxElements = 1 << 24;

function multiArray(machine: Machine, component: string, lengths: readonly number[]): JavaArray {
  const total = lengths.reduce((product, length) => product * Math.max(1, length), 1);
  if (total > maxElements) throw machine.exception('Ljava/lang/OutOfMemoryError;', `an array of ${total} elements`);
  const make = (depth: number): JavaArray => {
    const array = machine.array('['.repeat(lengths.length - 1 - depth) + component, lengths[depth]!);
    if (depth + 1 < lengths.length) {
      const elements = array.elements as Reference[];
      for (let index = 0; index < elements.length; index++) elements[index] = make(depth + 1);
    }
    return array;
  };
  return make(0);
}

const words: readonly (readonly [string, string])[] = [
  ['Z', 'Boolean'],
  ['B', 'Byte'],
  ['S', 'Short'],
  ['C', 'Char'],
  ['I', 'Int'],
  ['J', 'Long'],
  ['F', 'Float'],
  ['D', 'Double'],
];

const arrayModel: ModelClass = {
  staticMethods: {
    'newInstance(!Ljava/lang/Class;I)Ljava/lang/Object;': (machine, type: HeapObject, length: number) =>
      machine.array(classOf(type).descriptor, length),
    'newInstance(!Ljava/lang/Class;![I)Ljava/lang/Object;': (machine, type: HeapObject, lengths: JavaArray) =>
      multiArray(machine, classOf(type).descriptor, [...(lengths.elements as Int32Array)]),
    'getLength(Ljava/lang/Object;)I': (machine, object: Reference) => arrayOf(machine, object).elements.length,
    'get(Ljava/lang/Object;I)Ljava/lang/Object;': (machine, object: Reference, index: number) => {
      const { value, descriptor } = element(machine, object, index);
      const array = object as JavaArray;
      return boxed(runtimeOf(machine), descriptor, value, array.elementTaints?.[index] ?? 0);
    },
    'set(Ljava/lang/Object;ILjava/lang/Object;)V': (machine, object: Reference, index: number, value: Reference) =>
      setElement(machine, object, index, value, 'L'),
    ...Object.fromEntries(
      words.flatMap(([primitive, word]) => [
        [
          `get${word}(Ljava/lang/Object;I)${primitive}`,
          (machine: Machine, object: Reference, index: number) => {
            const { value, descriptor } = element(machine, object, index);
            const number = descriptor.length === 1 ? widen(value as number | bigint, descriptor, primitive) : null;
            if (number === null)
              throw machine.exception('Ljava/lang/IllegalArgumentException;', 'argument type mismatch');
            return number;
          },
        ],
        [
          `set${word}(Ljava/lang/Object;I${primitive})V`,
          (machine: Machine, object: Reference, index: number, value: number | bigint) =>
            setElement(machine, object, index, value, primitive),
        ],
      ]),
    ),
  },
};

export const classModels: Models = {
  'Ljava/lang/Class;': classModel,
  'Ljava/lang/reflect/Array;': arrayModel,
  'Ljava/lang/Package;': {
    methods: {
      'getName()Ljava/lang/String;': (machine, self) => machine.string(self.native as string),
      'toString()Ljava/lang/String;': (machine, self) => machine.string(`package ${self.native as string}`),
    },
  },
};
