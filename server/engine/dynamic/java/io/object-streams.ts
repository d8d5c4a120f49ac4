// ObjectOutputStream and ObjectInputStream. What is written is kept beside the stream, as it was then; the stream has its number.
import { HeapObject, JavaArray, type Value } from '../../machine/heap.ts';
import { defaultValue } from '../../machine/linked-class.ts';
import type { Machine, ModelClass } from '../../machine/model.ts';
import { type Reference, required } from '../values.ts';
import { writeTo } from './byte-output.ts';
import { dataInputMethods, readExactly } from './input-streams.ts';
import { dataOutputMethods } from './output-streams.ts';

/** Before each object's number: STREAM_MAGIC and version of Java's own format, then a mark of ours. */
const mark = Uint8Array.of(0xac, 0xed, 0, 5, 0x7f);
const transientFlag = 0x80;
/** Objects copied for one call; what lies deeper is the same object. */
const maxCopied = 2_000;

const writtenObjects = (machine: Machine): Value[] => machine.state('java.written-objects', () => []);

/**
 * A copy of an app's object or of an array, with copies of those in it, without what is transient. What a model has the state of stays itself.
 */
function copyOf(machine: Machine, value: Value): Value {
  const copies = new Map<HeapObject, HeapObject>();
  const waiting: HeapObject[] = [];
  const copied = (from: Value): Value => {
    if (!(from instanceof HeapObject) || copies.size >= maxCopied) return from;
    const known = copies.get(from);
    if (known !== undefined) return known;
    if (!(from instanceof JavaArray) && (!from.cls.isApp || from.native !== undefined)) return from;
    machine.charge(64 + 8 * (from instanceof JavaArray ? from.elements.length : from.fields.length));
    const copy =
      from instanceof JavaArray
        ? new JavaArray(from.cls, from.elements.slice())
        : new HeapObject(from.cls, from.fields.slice());
    copy.taint = from.taint;
    copies.set(from, copy);
    waiting.push(from);
    return copy;
  };
  const whole = copied(value);
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    const to = copies.get(from)!;
    if (from instanceof JavaArray && to instanceof JavaArray) {
      to.elementTaints = from.elementTaints?.slice() ?? null;
      const { elements } = to;
      if (Array.isArray(elements))
        for (const [index, each] of elements.entries()) elements[index] = copied(each) as Reference;
      continue;
    }
    const isLeftOut = from.cls.instanceFields.map((field) => (field.accessFlags & transientFlag) !== 0);
    to.fieldTaints = from.fieldTaints?.map((taint, slot) => (isLeftOut[slot] === true ? 0 : taint)) ?? null;
    for (const { slot, descriptor } of from.cls.instanceFields)
      to.fields[slot] = isLeftOut[slot] === true ? defaultValue(descriptor) : copied(from.fields[slot]!);
  }
  return whole;
}

/** Lets the object's class write or read what it says itself, where it does. */
function byItself(machine: Machine, object: Value, name: 'writeObject' | 'readObject', stream: HeapObject): void {
  if (!(object instanceof HeapObject) || !object.cls.isApp) return;
  const type = name === 'writeObject' ? 'Ljava/io/ObjectOutputStream;' : 'Ljava/io/ObjectInputStream;';
  const method = object.cls.methods.get(`${name}(${type})V`);
  if (method !== undefined) machine.invoke(method, [object, stream]);
}

function writeObject(machine: Machine, self: HeapObject, value: Reference): undefined {
  if (value !== null && !machine.isInstance(value, 'Ljava/io/Serializable;') && !value.cls.descriptor.startsWith('[')) {
    throw machine.exception('Ljava/io/NotSerializableException;', value.cls.name);
  }
  const objects = writtenObjects(machine);
  const id = new Uint8Array(4);
  new DataView(id.buffer).setUint32(0, objects.length);
  const copy = copyOf(machine, value);
  objects.push(copy);
  writeTo(machine, self, Buffer.concat([mark, id]), machine.deepTaint(copy));
  byItself(machine, value, 'writeObject', self);
}

function readObject(machine: Machine, self: HeapObject): Value {
  const { data } = readExactly(machine, self, mark.length + 4);
  const value = writtenObjects(machine)[new DataView(data.buffer).getUint32(mark.length)];
  const isMarked = mark.every((byte, index) => data[index] === byte);
  if (!isMarked || value === undefined) throw machine.exception('Ljava/io/StreamCorruptedException;');
  const copy = copyOf(machine, value);
  byItself(machine, copy, 'readObject', self);
  return copy;
}

export const objectStreamModels: Record<string, ModelClass> = {
  'Ljava/io/ObjectOutput;': { isInterface: true, implements: ['Ljava/io/DataOutput;'] },
  'Ljava/io/ObjectInput;': { isInterface: true, implements: ['Ljava/io/DataInput;'] },
  'Ljava/io/ObjectOutputStream;': {
    extends: 'Ljava/io/FilterOutputStream;',
    implements: ['Ljava/io/ObjectOutput;'],
    methods: {
      ...dataOutputMethods,
      '<init>(Ljava/io/OutputStream;)V': (machine, self, out: Reference) =>
        machine.setField(self, 'out', required(machine, out)),
      'writeObject(Ljava/lang/Object;)V': writeObject,
      'writeUnshared(Ljava/lang/Object;)V': writeObject,
      'defaultWriteObject()V': () => undefined,
      'reset()V': () => undefined,
    },
  },
  'Ljava/io/ObjectInputStream;': {
    extends: 'Ljava/io/FilterInputStream;',
    implements: ['Ljava/io/ObjectInput;'],
    methods: {
      ...dataInputMethods,
      '<init>(Ljava/io/InputStream;)V': (machine, self, source: Reference) =>
        machine.setField(self, 'in', required(machine, source)),
      'readObject()Ljava/lang/Object;': readObject,
      'readUnshared()Ljava/lang/Object;': readObject,
      'defaultReadObject()V': () => undefined,
    },
  },
};
