// java.nio.ByteBuffer over a Java byte array, with its elements' taints. Knows no channels.
import type { HeapObject, JavaArray, Taint, Value } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import {
  arrayTaint,
  bytesOf,
  checkRange,
  copyElementTaints,
  illegalArgument,
  instance,
  type Reference,
  required,
  setElementTaint,
} from '../values.ts';

interface BufferState {
  array: JavaArray;
  offset: number;
  capacity: number;
  position: number;
  limit: number;
  mark: number;
  isLittle: boolean;
  isReadOnly: boolean;
}

const BYTES = 'Ljava/nio/ByteBuffer;';
const BUFFER = 'Ljava/nio/Buffer;';
const ORDER = 'Ljava/nio/ByteOrder;';

const of = (self: HeapObject): BufferState => self.native as BufferState;

export function bufferOn(machine: Machine, array: JavaArray, offset = 0, length = array.elements.length): HeapObject {
  const state: BufferState = {
    array,
    offset: 0,
    capacity: array.elements.length,
    position: offset,
    limit: offset + length,
    mark: -1,
    isLittle: false,
    isReadOnly: false,
  };
  return instance(machine, BYTES, state);
}

/** What remains in a buffer, not consumed. */
export function bufferOf(machine: Machine, buffer: Reference): { data: Uint8Array; taint: Taint } {
  const s = of(required(machine, buffer));
  const from = s.offset + s.position;
  const to = s.offset + s.limit;
  return { data: bytesOf(s.array).subarray(from, to), taint: arrayTaint(machine, s.array, from, to) };
}

/** Puts a piece into what remains of a buffer, which has room for it. */
export function fillBuffer(machine: Machine, buffer: Reference, piece: { data: Uint8Array; taint: Taint }): void {
  const s = of(required(machine, buffer));
  const from = s.offset + s.position;
  bytesOf(s.array).set(piece.data, from);
  setElementTaint(s.array, from, from + piece.data.length, piece.taint);
  s.position += piece.data.length;
}

/** Advances a buffer's position by so many bytes. */
export function skipBuffer(machine: Machine, buffer: Reference, length: number): void {
  of(required(machine, buffer)).position += length;
}

/** Offset of the next `width` bytes, or of those at an index. @throws JavaThrow BufferUnderflowException and the like */
function place(machine: Machine, s: BufferState, width: number, index: number | null, isPut: boolean): number {
  if (isPut && s.isReadOnly) throw machine.exception('Ljava/nio/ReadOnlyBufferException;');
  if (index !== null) {
    if (index < 0 || index + width > s.limit)
      throw machine.exception('Ljava/lang/IndexOutOfBoundsException;', `index=${index}`);
    return s.offset + index;
  }
  if (s.position + width > s.limit)
    throw machine.exception(`Ljava/nio/Buffer${isPut ? 'Overflow' : 'Underflow'}Exception;`);
  const at = s.offset + s.position;
  s.position += width;
  return at;
}

const viewOf = (s: BufferState): DataView => {
  const bytes = bytesOf(s.array);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
};

interface Kind {
  readonly name: string;
  readonly type: string;
  readonly width: number;
  readonly get: (view: DataView, at: number, isLittle: boolean) => number | bigint;
  readonly put: (view: DataView, at: number, value: never, isLittle: boolean) => void;
}

const KINDS: readonly Kind[] = [
  { name: '', type: 'B', width: 1, get: (v, at) => v.getInt8(at), put: (v, at, value: number) => v.setInt8(at, value) },
  {
    name: 'Short',
    type: 'S',
    width: 2,
    get: (v, at, le) => v.getInt16(at, le),
    put: (v, at, value: number, le) => v.setInt16(at, value, le),
  },
  {
    name: 'Char',
    type: 'C',
    width: 2,
    get: (v, at, le) => v.getUint16(at, le),
    put: (v, at, value: number, le) => v.setUint16(at, value, le),
  },
  {
    name: 'Int',
    type: 'I',
    width: 4,
    get: (v, at, le) => v.getInt32(at, le),
    put: (v, at, value: number, le) => v.setInt32(at, value, le),
  },
  {
    name: 'Long',
    type: 'J',
    width: 8,
    get: (v, at, le) => v.getBigInt64(at, le),
    put: (v, at, value: bigint, le) => v.setBigInt64(at, value, le),
  },
  {
    name: 'Float',
    type: 'F',
    width: 4,
    get: (v, at, le) => v.getFloat32(at, le),
    put: (v, at, value: number, le) => v.setFloat32(at, value, le),
  },
  {
    name: 'Double',
    type: 'D',
    width: 8,
    get: (v, at, le) => v.getFloat64(at, le),
    put: (v, at, value: number, le) => v.setFloat64(at, value, le),
  },
];

function accessors(): NativeMethods {
  const methods: Record<string, NativeMethods[string]> = {};
  for (const { name, type, width, get, put } of KINDS) {
    const read = (machine: Machine, self: HeapObject, index: number | null): Value => {
      const s = of(self);
      const at = place(machine, s, width, index, false);
      machine.setResultTaint(arrayTaint(machine, s.array, at, at + width));
      return get(viewOf(s), at, s.isLittle);
    };
    const write = (
      machine: Machine,
      self: HeapObject,
      index: number | null,
      value: Value,
      argument: number,
    ): HeapObject => {
      const s = of(self);
      const at = place(machine, s, width, index, true);
      put(viewOf(s), at, value as never, s.isLittle);
      setElementTaint(s.array, at, at + width, machine.argumentTaint(argument));
      return self;
    };
    methods[`get${name}()${type}`] = (machine, self) => read(machine, self, null);
    methods[`get${name}(I)${type}`] = read;
    methods[`put${name}(${type})${BYTES}`] = (machine, self, value: Value) => write(machine, self, null, value, 1);
    methods[`put${name}(I${type})${BYTES}`] = (machine, self, index: number, value: Value) =>
      write(machine, self, index, value, 2);
  }
  return methods;
}

function getBytes(machine: Machine, self: HeapObject, target: JavaArray, offset: number, length: number): HeapObject {
  checkRange(machine, offset, length, required(machine, target).elements.length);
  const s = of(self);
  const at = place(machine, s, length, null, false);
  bytesOf(target).set(bytesOf(s.array).subarray(at, at + length), offset);
  copyElementTaints(machine, s.array, at, target, offset, length);
  return self;
}

function putBytes(machine: Machine, self: HeapObject, source: JavaArray, offset: number, length: number): HeapObject {
  checkRange(machine, offset, length, required(machine, source).elements.length);
  const s = of(self);
  const at = place(machine, s, length, null, true);
  bytesOf(s.array).set(bytesOf(source).slice(offset, offset + length), at);
  copyElementTaints(machine, source, offset, s.array, at, length);
  return self;
}

function slice(machine: Machine, self: HeapObject, changes: Partial<BufferState>): HeapObject {
  return instance(machine, BYTES, { ...of(self), ...changes });
}

const cursorMethods: NativeMethods = {
  'position()I': (_machine, self) => of(self).position,
  'limit()I': (_machine, self) => of(self).limit,
  'capacity()I': (_machine, self) => of(self).capacity,
  'remaining()I': (_machine, self) => of(self).limit - of(self).position,
  'hasRemaining()Z': (_machine, self) => of(self).position < of(self).limit,
  'hasArray()Z': () => 1,
  'isDirect()Z': () => 0,
  'isReadOnly()Z': (_machine, self) => of(self).isReadOnly,
  'arrayOffset()I': (_machine, self) => of(self).offset,
  'array()[B': (_machine, self) => of(self).array,
  'array()Ljava/lang/Object;': (_machine, self) => of(self).array,
};

/** Methods that return the buffer, under both classes' names. */
function chained(): NativeMethods {
  const methods: Record<string, NativeMethods[string]> = {};
  const change: Record<string, (machine: Machine, s: BufferState, value: number) => void> = {
    'flip()': (_m, s) => Object.assign(s, { limit: s.position, position: 0, mark: -1 }),
    'clear()': (_m, s) => Object.assign(s, { limit: s.capacity, position: 0, mark: -1 }),
    'rewind()': (_m, s) => Object.assign(s, { position: 0, mark: -1 }),
    'mark()': (_m, s) => Object.assign(s, { mark: s.position }),
    'reset()': (_m, s) => Object.assign(s, { position: Math.max(0, s.mark) }),
    'position(I)': (machine, s, value) => {
      if (value < 0 || value > s.limit) throw illegalArgument(machine, `newPosition > limit: (${value} > ${s.limit})`);
      s.position = value;
    },
    'limit(I)': (machine, s, value) => {
      if (value < 0 || value > s.capacity)
        throw illegalArgument(machine, `newLimit > capacity: (${value} > ${s.capacity})`);
      s.limit = value;
      s.position = Math.min(s.position, value);
    },
  };
  for (const [signature, run] of Object.entries(change)) {
    for (const returns of [BYTES, BUFFER]) {
      methods[signature + returns] = (machine, self, value: number) => {
        run(machine, of(self), value);
        return self;
      };
    }
  }
  return methods;
}

function allocate(machine: Machine, capacity: number): HeapObject {
  if (capacity < 0) throw illegalArgument(machine, `capacity < 0: (${capacity} < 0)`);
  return bufferOn(machine, machine.array('B', capacity));
}

const order = (isLittle: boolean) => (machine: Machine) => instance(machine, ORDER, isLittle);

export const bufferModels: Record<string, ModelClass> = {
  [BUFFER]: { isAbstract: true },
  [BYTES]: {
    extends: BUFFER,
    implements: ['Ljava/lang/Comparable;'],
    methods: {
      ...accessors(),
      ...cursorMethods,
      ...chained(),
      [`get(![B)${BYTES}`]: (machine, self, target: JavaArray) =>
        getBytes(machine, self, target, 0, required(machine, target).elements.length),
      [`get(![BII)${BYTES}`]: getBytes,
      [`put([B)${BYTES}`]: (machine, self, source: JavaArray) =>
        putBytes(machine, self, source, 0, required(machine, source).elements.length),
      [`put(![BII)${BYTES}`]: putBytes,
      [`put(${BYTES})${BYTES}`]: (machine, self, source: HeapObject) => {
        const from = of(required(machine, source));
        putBytes(machine, self, from.array, from.offset + from.position, from.limit - from.position);
        from.position = from.limit;
        return self;
      },
      [`compact()${BYTES}`]: (machine, self) => {
        const s = of(self);
        const rest = s.limit - s.position;
        bytesOf(s.array).copyWithin(s.offset, s.offset + s.position, s.offset + s.limit);
        copyElementTaints(machine, s.array, s.offset + s.position, s.array, s.offset, rest);
        Object.assign(s, { position: rest, limit: s.capacity, mark: -1 });
        return self;
      },
      [`slice()${BYTES}`]: (machine, self) => {
        const s = of(self);
        const length = s.limit - s.position;
        return slice(machine, self, {
          offset: s.offset + s.position,
          position: 0,
          limit: length,
          capacity: length,
          mark: -1,
          isLittle: false,
        });
      },
      [`duplicate()${BYTES}`]: (machine, self) => slice(machine, self, { isLittle: false }),
      [`asReadOnlyBuffer()${BYTES}`]: (machine, self) => slice(machine, self, { isReadOnly: true }),
      [`order(!${ORDER})${BYTES}`]: (_machine, self, value: HeapObject) => {
        of(self).isLittle = value.native === true;
        return self;
      },
      [`order()${ORDER}`]: (machine, self) =>
        machine.getStatic(ORDER, of(self).isLittle ? 'LITTLE_ENDIAN' : 'BIG_ENDIAN'),
      'equals(Ljava/lang/Object;)Z': (machine, self, other: Reference) =>
        other?.cls === self.cls && Buffer.compare(bufferOf(machine, self).data, bufferOf(machine, other).data) === 0,
      'toString()Ljava/lang/String;': (machine, self) => {
        const s = of(self);
        return machine.string(`java.nio.HeapByteBuffer[pos=${s.position} lim=${s.limit} cap=${s.capacity}]`);
      },
    },
    staticMethods: {
      [`allocate(I)${BYTES}`]: allocate,
      [`allocateDirect(I)${BYTES}`]: allocate,
      [`wrap(![B)${BYTES}`]: (machine, array: JavaArray) => bufferOn(machine, required(machine, array)),
      [`wrap([BII)${BYTES}`]: (machine, array: JavaArray, offset: number, length: number) =>
        bufferOn(machine, required(machine, array), offset, length),
    },
  },
  'Ljava/nio/MappedByteBuffer;': { extends: BYTES },
  [ORDER]: {
    staticMethods: { [`nativeOrder()${ORDER}`]: (machine) => machine.getStatic(ORDER, 'LITTLE_ENDIAN') },
    methods: {
      'toString()Ljava/lang/String;': (machine, self) =>
        machine.string(self.native === true ? 'LITTLE_ENDIAN' : 'BIG_ENDIAN'),
    },
    constants: { [`BIG_ENDIAN:${ORDER}`]: order(false), [`LITTLE_ENDIAN:${ORDER}`]: order(true) },
  },
};
