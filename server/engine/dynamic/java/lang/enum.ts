// java.lang.Enum. Knows no particular enum but asks the app's for its values.
import type { ClassInfo } from '../../machine/class-info.ts';
import { type HeapObject, JavaArray, type JavaString } from '../../machine/heap.ts';
import { identityHash } from '../../machine/identity-hash.ts';
import type { Machine, ModelClass } from '../../machine/model.ts';
import { illegalArgument, instance, made, type Reference, referencesOf, required, textOf } from '../values.ts';

interface EnumState {
  readonly name: JavaString;
  readonly ordinal: number;
}

function stateOf(machine: Machine, self: Reference): EnumState {
  return required(machine, self).native as EnumState;
}

/** The class that declares the constants: a constant with a body has a class of its own below it. */
export function enumClass(cls: ClassInfo): ClassInfo {
  return cls.superclass !== null && cls.superclass.descriptor !== 'Ljava/lang/Enum;' ? cls.superclass : cls;
}

/** All constants of an enum class, of the app or a modelled one, in their order. */
export function enumConstants(machine: Machine, cls: ClassInfo): HeapObject[] {
  const values = machine.callStatic(cls.descriptor, `values()[${cls.descriptor}`);
  return values instanceof JavaArray ? (referencesOf(values) as HeapObject[]) : [];
}

export function enumOrdinal(object: HeapObject): number {
  return (object.native as EnumState | undefined)?.ordinal ?? 0;
}

export function enumName(object: HeapObject): string {
  return (object.native as EnumState | undefined)?.name.text ?? '';
}

/** A modelled enum: its constants as static fields, `values()` and `valueOf(String)`. */
export function enumModel(descriptor: string, names: readonly string[], more: ModelClass = {}): ModelClass {
  const constants: Record<string, (machine: Machine) => HeapObject> = {};
  for (const [ordinal, name] of names.entries()) {
    constants[`${name}:${descriptor}`] = (machine) =>
      instance(machine, descriptor, { name: machine.string(name), ordinal });
  }
  return {
    ...more,
    extends: 'Ljava/lang/Enum;',
    constants: { ...constants, ...more.constants },
    staticMethods: {
      ...more.staticMethods,
      [`values()[${descriptor}`]: (machine) =>
        machine.objectArray(
          descriptor,
          names.map((name) => machine.getStatic(descriptor, name) as HeapObject),
        ),
      [`valueOf(Ljava/lang/String;)${descriptor}`]: (machine, name: Reference) => {
        const text = textOf(machine, name);
        if (!names.includes(text)) throw illegalArgument(machine, `No enum constant ${descriptor}.${text}`);
        return machine.getStatic(descriptor, text);
      },
    },
  };
}

function compare(machine: Machine, self: Reference, other: Reference): number {
  return stateOf(machine, self).ordinal - stateOf(machine, other).ordinal;
}

export const enumModels: Record<string, ModelClass> = {
  'Ljava/lang/Enum;': {
    isAbstract: true,
    implements: ['Ljava/lang/Comparable;', 'Ljava/io/Serializable;'],
    methods: {
      '<init>(Ljava/lang/String;I)V': made(
        (_machine, name: JavaString, ordinal: number) => ({ name, ordinal }) satisfies EnumState,
      ),
      'name()Ljava/lang/String;': (machine, self) => stateOf(machine, self).name,
      'ordinal()I': (machine, self) => stateOf(machine, self).ordinal,
      'toString()Ljava/lang/String;': (machine, self) => stateOf(machine, self).name,
      'hashCode()I': identityHash,
      'equals(Ljava/lang/Object;)Z': (_machine, self, other: Reference) => self === other,
      'compareTo(Ljava/lang/Enum;)I': compare,
      'compareTo(Ljava/lang/Object;)I': compare,
      'getDeclaringClass()Ljava/lang/Class;': (machine, self) => machine.classObject(enumClass(self.cls)),
    },
    staticMethods: {
      'valueOf(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Enum;': (machine, cls: HeapObject, name: Reference) => {
        const text = textOf(machine, name);
        const info = machine.classFrom(required(machine, cls));
        const found = enumConstants(machine, info).find((constant) => enumName(constant) === text);
        if (found === undefined) throw illegalArgument(machine, `No enum constant ${info.name}.${text}`);
        return found;
      },
    },
  },
};
