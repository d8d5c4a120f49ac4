// Objects as another part of the app would send them, of which only the class is known. Knows no intent.
import { primitives } from '../../machine/conversion.ts';
import { type HeapObject, JavaThrow, type Value } from '../../machine/heap.ts';
import type { Machine, Models } from '../../machine/model.ts';
import { plausibleText } from '../../world/plausible-text.ts';
import { newUri } from '../data/uri.ts';
import { always, type Reference } from '../model-parts.ts';

/** Objects in fields of objects. */
const maxDepth = 3;
const abstractOrInterface = 0x400 | 0x200;
const enumFlag = 0x4000;
const usualText = 'ok';

/** Classes whose empty object is as good as any. */
const empty: Readonly<Record<string, string>> = {
  'Ljava/util/List;': 'Ljava/util/ArrayList;',
  'Ljava/util/ArrayList;': 'Ljava/util/ArrayList;',
  'Ljava/util/Collection;': 'Ljava/util/ArrayList;',
  'Ljava/util/LinkedList;': 'Ljava/util/LinkedList;',
  'Ljava/util/Set;': 'Ljava/util/LinkedHashSet;',
  'Ljava/util/HashSet;': 'Ljava/util/HashSet;',
  'Ljava/util/Map;': 'Ljava/util/LinkedHashMap;',
  'Ljava/util/HashMap;': 'Ljava/util/HashMap;',
  'Ljava/util/Date;': 'Ljava/util/Date;',
  'Landroid/os/Bundle;': 'Landroid/os/Bundle;',
  'Landroid/content/Intent;': 'Landroid/content/Intent;',
};

/** An object of a class with all that its fields ask for; null where none can be made. To be called while the app runs. */
export function plausibleObject(machine: Machine, descriptor: string, name = '', depth = 0): Reference {
  switch (descriptor) {
    case 'Ljava/lang/String;':
    case 'Ljava/lang/CharSequence;':
      return machine.string(plausibleText(name) ?? usualText);
    case 'Landroid/net/Uri;':
      return newUri(machine, 'http://cdn.example.com/files/update');
  }
  if (descriptor.startsWith('[')) return plausibleArray(machine, descriptor.slice(1), depth);
  const primitive = primitives[descriptor];
  if (primitive !== undefined) return machine.box(primitive, primitive === 'J' ? 1n : 1);
  const plain = empty[descriptor];
  if (plain !== undefined) return machine.construct(plain, '<init>()V');
  const cls = machine.findClass(descriptor);
  if (cls?.isApp !== true || depth > maxDepth) return null;
  if ((cls.accessFlags & enumFlag) !== 0) return firstConstant(machine, descriptor);
  if ((cls.accessFlags & abstractOrInterface) !== 0) return null;
  const object = unparcelled(machine, descriptor) ?? machine.allocate(descriptor);
  fill(machine, object, depth);
  return object;
}

function plausibleArray(machine: Machine, component: string, depth: number): HeapObject {
  const array = machine.array(component, 1);
  (array.elements as Value[])[0] =
    component.length > 1 ? plausibleObject(machine, component, '', depth + 1) : component === 'J' ? 1n : 1;
  return array;
}

function firstConstant(machine: Machine, descriptor: string): Reference {
  try {
    const constants = machine.callStatic(descriptor, `values()[${descriptor}`) as { elements?: Value[] } | null;
    return (constants?.elements?.[0] ?? null) as Reference;
  } catch (error) {
    if (error instanceof JavaThrow) return null;
    throw error;
  }
}

/** What the class itself makes of a parcel that has whatever it reads; null where it cannot. */
function unparcelled(machine: Machine, descriptor: string): Reference {
  const { staticFields } = machine.classOf(descriptor);
  if (!staticFields.some(({ name }) => name === 'CREATOR')) return null;
  try {
    const creator = machine.getStatic(descriptor, 'CREATOR') as Reference;
    const made = machine.call(
      creator,
      'createFromParcel(Landroid/os/Parcel;)Ljava/lang/Object;',
      machine.allocate(parcelType),
    );
    return made as Reference;
  } catch (error) {
    if (error instanceof JavaThrow) return null;
    throw error;
  }
}

/** Gives a value to each field that has none. */
function fill(machine: Machine, object: HeapObject, depth: number): void {
  for (const { owner, name, descriptor } of object.cls.instanceFields) {
    if (!owner.isApp || machine.getField(object, name)) continue;
    const value =
      descriptor.length > 1
        ? plausibleObject(machine, descriptor, name, depth + 1)
        : descriptor === 'J'
          ? 1n
          : descriptor === 'Z'
            ? 0
            : 1;
    if (value !== null) machine.setField(object, name, value);
  }
}

const parcelType = 'Landroid/os/PlausibleParcel;';

/** A parcel of which nobody knows what was written: whatever is read of numbers and texts is there. */
export const plausibleParcelModels: Models = {
  [parcelType]: {
    extends: 'Landroid/os/Parcel;',
    methods: {
      'readInt()I': always(1),
      'readLong()J': always(1n),
      'readFloat()F': always(1),
      'readDouble()D': always(1),
      'readByte()B': always(1),
      'readBoolean()Z': always(1),
      'readString()Ljava/lang/String;': always(usualText),
    },
  },
};
