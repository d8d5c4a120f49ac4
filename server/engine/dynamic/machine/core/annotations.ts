// Annotations as reflection shows them: objects of the annotation's interface that answer with the values in the file.
// Knows no particular annotation.
import { type Annotation, annotationsAt, type ClassAnnotations } from '../../../formats/dex/annotations.ts';
import type { Dex } from '../../../formats/dex/dex.ts';
import type { EncodedValue } from '../../../formats/dex/encoded-value.ts';
import type { HeapObject, Value } from '../heap.ts';
import { type Field, flags, LinkedClass, Method, signatureTypes } from '../linked-class.ts';
import type { Machine, NativeMethods } from '../model.ts';
import { type Runtime, runtimeOf } from '../runtime.ts';

const directories = new WeakMap<LinkedClass, ClassAnnotations>();

function annotationsOf(cls: LinkedClass): ClassAnnotations | null {
  if (cls.dex === null || cls.classDefIndex < 0) return null;
  let known = directories.get(cls);
  if (known === undefined) {
    known = annotationsAt(cls.dex, cls.dex.classDef(cls.classDefIndex).annotationsOffset);
    directories.set(cls, known);
  }
  return known;
}

/** Annotations that stand at a class, method or field itself. */
function annotationsOn(element: LinkedClass | Method | Field): readonly Annotation[] {
  const cls = element instanceof LinkedClass ? element : element.owner;
  const all = annotationsOf(cls);
  if (all === null) return [];
  if (element instanceof LinkedClass) return all.ofClass;
  const list = element instanceof Method ? all.ofMethods : all.ofFields;
  return list.get(element.dexIndex) ?? [];
}

/** The value of a system annotation's element, such as `InnerClass`'s `name`. */
export function systemValue(
  at: LinkedClass | Method | Field,
  annotation: string,
  element: string,
): EncodedValue | null {
  const { dex } = at instanceof LinkedClass ? at : at.owner;
  if (dex === null) return null;
  const found = annotationsOn(at).find(({ typeIndex }) => dex.type(typeIndex) === annotation);
  return found?.elements.find(({ nameIndex }) => dex.string(nameIndex) === element)?.value ?? null;
}

/** A value of an annotation as an element of type `descriptor` gives it. */
function contentOf(machine: Machine, dex: Dex, value: EncodedValue, descriptor: string): Value {
  const vm = runtimeOf(machine);
  switch (value.kind) {
    case 'byte':
    case 'short':
    case 'char':
    case 'int':
    case 'float':
    case 'double':
    case 'long':
      return value.value;
    case 'boolean':
      return value.value ? 1 : 0;
    case 'string':
      return vm.literal(dex.string(value.index));
    case 'type': {
      const cls = vm.linker.find(dex.type(value.index));
      return cls === null ? null : vm.classObject(cls);
    }
    case 'enum':
      return machine.getStatic(dex.fieldClass(value.index), dex.fieldName(value.index));
    case 'annotation':
      return annotationObject(machine, dex, value.annotation);
    case 'array': {
      const component = descriptor.startsWith('[') ? descriptor.slice(1) : 'Ljava/lang/Object;';
      const array = vm.arrayOf(component, value.values.length);
      for (const [index, element] of value.values.entries()) {
        (array.elements as Value[])[index] = contentOf(machine, dex, element, component);
      }
      return array;
    }
    default:
      return null;
  }
}

function annotationObject(
  machine: Machine,
  dex: Dex,
  annotation: Pick<Annotation, 'typeIndex' | 'elements'>,
): HeapObject | null {
  const vm = runtimeOf(machine);
  const type = vm.linker.find(dex.type(annotation.typeIndex));
  if (type === null) return null;
  const cls = annotationClass(vm, machine, type);
  const object = vm.newObject(cls);
  const values = new Map(annotation.elements.map(({ nameIndex, value }) => [dex.string(nameIndex), { dex, value }]));
  object.native = values;
  return object;
}

const classes = new WeakMap<LinkedClass, LinkedClass>();

/** A class that implements an annotation's interface. */
function annotationClass(vm: Runtime, machine: Machine, type: LinkedClass): LinkedClass {
  const known = classes.get(type);
  if (known !== undefined) return known;
  const cls = new LinkedClass({
    descriptor: `${type.descriptor.slice(0, -1)}$$Instance;`,
    superclass: vm.linker.get('Ljava/lang/Object;'),
    interfaces: [type],
    accessFlags: flags.final | flags.synthetic,
  });
  cls.status = 'initialised';
  const defaults = defaultsOf(type);
  for (const { name, signature } of type.methods.values()) {
    const { returns, parameters } = signatureTypes(signature);
    if (parameters.length > 0) continue;
    const native = (_machine: Machine, self: HeapObject) => {
      const given = (self.native as Map<string, { dex: Dex; value: EncodedValue }>).get(name) ?? defaults.get(name);
      return given === undefined ? vm.typedDefault(returns) : contentOf(machine, given.dex, given.value, returns);
    };
    cls.methods.set(signature, new Method(cls, name, signature, flags.public, { native }));
  }
  const typeSignature = 'annotationType()Ljava/lang/Class;';
  cls.methods.set(
    typeSignature,
    new Method(cls, 'annotationType', typeSignature, flags.public, { native: () => vm.classObject(type) }),
  );
  classes.set(type, cls);
  return cls;
}

/** Values that the annotation's own declaration gives. */
function defaultsOf(type: LinkedClass): Map<string, { dex: Dex; value: EncodedValue }> {
  const { dex } = type;
  const value = systemValue(type, 'Ldalvik/annotation/AnnotationDefault;', 'value');
  if (dex === null || value?.kind !== 'annotation') return new Map();
  return new Map(
    value.annotation.elements.map((element) => [dex.string(element.nameIndex), { dex, value: element.value }]),
  );
}

function elementOf(self: HeapObject): LinkedClass | Method | Field {
  if (self.native instanceof LinkedClass) return self.native;
  return (self.native as { member: Method | Field }).member;
}

/** Objects for all annotations that are kept at run time, those of superclasses left out. */
function visible(machine: Machine, self: HeapObject): HeapObject[] {
  const element = elementOf(self);
  const dex = element instanceof LinkedClass ? element.dex : element.owner.dex;
  if (dex === null) return [];
  return annotationsOn(element)
    .filter(({ visibility }) => visibility === 'runtime')
    .map((annotation) => annotationObject(machine, dex, annotation))
    .filter((object) => object !== null);
}

function find(machine: Machine, self: HeapObject, type: HeapObject | null): HeapObject | null {
  if (type === null) throw machine.exception('Ljava/lang/NullPointerException;');
  return visible(machine, self).find((object) => object.cls.interfaces[0] === type.native) ?? null;
}

const all = (machine: Machine, self: HeapObject) =>
  machine.objectArray('Ljava/lang/annotation/Annotation;', visible(machine, self));

/** What Class, Method, Constructor and Field share. */
export const annotationMethods: NativeMethods = {
  'getAnnotation(Ljava/lang/Class;)Ljava/lang/annotation/Annotation;': find,
  'getDeclaredAnnotation(Ljava/lang/Class;)Ljava/lang/annotation/Annotation;': find,
  'isAnnotationPresent(Ljava/lang/Class;)Z': (machine, self, type: HeapObject | null) =>
    find(machine, self, type) === null ? 0 : 1,
  'getAnnotations()[Ljava/lang/annotation/Annotation;': all,
  'getDeclaredAnnotations()[Ljava/lang/annotation/Annotation;': all,
};
