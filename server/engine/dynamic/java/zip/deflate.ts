// java.util.zip's Inflater and Deflater, and the streams that pack and unpack with them. Knows no archive.
import { deflateRawSync, deflateSync, gunzipSync, gzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { HeapObject, JavaArray, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { bufferInput, lazyInput, readAll, store } from '../io/byte-input.ts';
import { writeTo } from '../io/byte-output.ts';
import {
  arrayTaint,
  bytesOf,
  checkRange,
  flag,
  instance,
  MAXIMUM_BUFFER_BYTES,
  type Reference,
  required,
} from '../values.ts';
import { BOUND, guarded } from './bounded-zlib.ts';

const Z = 'Ljava/util/zip/';

const unwrapped = (machine: Machine, data: Uint8Array, isRaw: boolean): Uint8Array =>
  guarded(machine, `${Z}DataFormatException;`, () => (isRaw ? inflateRawSync(data, BOUND) : inflateSync(data, BOUND)));

/** The `native` of Inflater and Deflater: what went in, and what is to come out. */
interface Engine {
  isRaw: boolean;
  level: number;
  input: Uint8Array[];
  taint: Taint;
  output: ReturnType<typeof bufferInput> | null;
  isFinishing: boolean;
  bytesIn: number;
  bytesOut: number;
  /** Whether the input so far is a truncated stream. */
  isHungry: boolean;
  /** Bytes decompressed only to find that input is missing; bounded. */
  tried: number;
}

const engine = (self: HeapObject): Engine => self.native as Engine;

function beginEngine(self: HeapObject, isRaw: boolean, level = -1): undefined {
  self.native = {
    isRaw,
    level,
    input: [],
    taint: 0,
    output: null,
    isFinishing: false,
    bytesIn: 0,
    bytesOut: 0,
    isHungry: false,
    tried: 0,
  } satisfies Engine;
}

function setInput(machine: Machine, self: HeapObject, array: JavaArray, offset: number, length: number): undefined {
  checkRange(machine, offset, length, required(machine, array).elements.length);
  const state = engine(self);
  state.input.push(bytesOf(array).slice(offset, offset + length));
  state.bytesIn += length;
  state.isHungry = false;
  state.taint = machine.union(state.taint, arrayTaint(machine, array, offset, offset + length));
}

/** Whether the packed data continues beyond the input so far; then more input is needed. */
function isCutOff(data: Uint8Array, state: Engine): boolean {
  if (state.tried > MAXIMUM_BUFFER_BYTES) return false;
  try {
    if (state.isRaw) inflateRawSync(data, BOUND);
    else inflateSync(data, BOUND);
    return false;
  } catch (error) {
    state.isHungry = error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';
    state.tried += data.length;
    return state.isHungry;
  }
}

function produce(
  machine: Machine,
  self: HeapObject,
  target: JavaArray,
  offset: number,
  length: number,
  isInflating: boolean,
): number {
  checkRange(machine, offset, length, required(machine, target).elements.length);
  const state = engine(self);
  if (state.output === null) {
    if (state.input.length === 0 && isInflating) return 0;
    if (state.isHungry) return 0;
    if (!isInflating && !state.isFinishing) return 0;
    const data = Buffer.concat(state.input);
    if (isInflating && isCutOff(data, state)) return 0;
    const level = state.level < 0 ? {} : { level: state.level };
    const result = isInflating
      ? unwrapped(machine, data, state.isRaw)
      : state.isRaw
        ? deflateRawSync(data, level)
        : deflateSync(data, level);
    machine.charge(result.length);
    state.output = bufferInput(result, state.taint);
  }
  const piece = state.output.read(machine, length);
  if (piece === null) return 0;
  state.bytesOut += piece.data.length;
  return store(target, offset, piece);
}

const isFinished = (self: HeapObject): number =>
  flag(engine(self).output !== null && engine(self).output!.available() === 0);

const engineMethods = (name: string, isInflating: boolean): NativeMethods => ({
  '<init>()V': (_machine, self) => beginEngine(self, false),
  '<init>(Z)V': (_machine, self, isRaw: number) => beginEngine(self, isRaw !== 0),
  '<init>(I)V': (_machine, self, level: number) => beginEngine(self, false, level),
  '<init>(IZ)V': (_machine, self, level: number, isRaw: number) => beginEngine(self, isRaw !== 0, level),
  'setInput([B)V': (machine, self, array: JavaArray) =>
    setInput(machine, self, array, 0, required(machine, array).elements.length),
  'setInput(![BII)V': setInput,
  [`${name}(![B)I`]: (machine, self, target: JavaArray) =>
    produce(machine, self, target, 0, required(machine, target).elements.length, isInflating),
  [`${name}(![BII)I`]: (machine, self, target: JavaArray, offset: number, length: number) =>
    produce(machine, self, target, offset, length, isInflating),
  'finish()V': (_machine, self) => {
    engine(self).isFinishing = true;
  },
  'finished()Z': (_machine, self) => isFinished(self),
  'needsInput()Z': (_machine, self) => engine(self).input.length === 0 || engine(self).isHungry,
  'needsDictionary()Z': () => 0,
  'setLevel(I)V': (_machine, self, level: number) => {
    engine(self).level = level;
  },
  'setStrategy(I)V': () => undefined,
  'reset()V': (_machine, self) => beginEngine(self, engine(self).isRaw, engine(self).level),
  'end()V': () => undefined,
  'getTotalIn()I': (_machine, self) => engine(self).bytesIn,
  'getTotalOut()I': (_machine, self) => engine(self).bytesOut,
  'getBytesRead()J': (_machine, self) => BigInt(engine(self).bytesIn),
  'getBytesWritten()J': (_machine, self) => BigInt(engine(self).bytesOut),
  'getRemaining()I': () => 0,
});

/** A stream of the result of `decode` on the whole content of another stream. */
function decoding(decode: (machine: Machine, data: Uint8Array, engineObject: Reference) => Uint8Array): NativeMethods {
  const begin = (
    machine: Machine,
    self: HeapObject,
    source: HeapObject,
    inflater: Reference | number = null,
  ): undefined => {
    required(machine, source);
    const input = lazyInput((m) => {
      const { data, taint } = readAll(m, source);
      return { data: decode(m, data, typeof inflater === 'number' ? null : inflater), taint };
    });
    machine.setField(
      self,
      'in',
      instance(machine, 'Ljava/io/NativeInputStream;', { ...input, close: (m: Machine) => m.call(source, 'close()V') }),
    );
  };
  return {
    '<init>(!Ljava/io/InputStream;)V': begin,
    '<init>(!Ljava/io/InputStream;I)V': begin,
    [`<init>(!Ljava/io/InputStream;${Z}Inflater;)V`]: begin,
    [`<init>(!Ljava/io/InputStream;${Z}Inflater;I)V`]: begin,
  };
}

/** A stream that compresses everything when it is finished. */
interface Encoding {
  parts: Uint8Array[];
  taint: Taint;
  isDone: boolean;
  engine: Reference;
}

function encoding(encode: (data: Uint8Array, engineObject: Reference) => Uint8Array): NativeMethods {
  const begin = (
    machine: Machine,
    self: HeapObject,
    out: HeapObject,
    deflater: Reference | number = null,
  ): undefined => {
    machine.setField(self, 'out', required(machine, out));
    self.native = {
      parts: [],
      taint: 0,
      isDone: false,
      engine: typeof deflater === 'number' ? null : deflater,
    } satisfies Encoding;
  };
  const finish = (machine: Machine, self: HeapObject): undefined => {
    const state = self.native as Encoding;
    if (state.isDone) return;
    state.isDone = true;
    writeTo(
      machine,
      machine.getField(self, 'out') as HeapObject,
      encode(Buffer.concat(state.parts), state.engine),
      state.taint,
    );
  };
  return {
    '<init>(!Ljava/io/OutputStream;)V': begin,
    '<init>(!Ljava/io/OutputStream;I)V': begin,
    '<init>(!Ljava/io/OutputStream;Z)V': begin,
    [`<init>(!Ljava/io/OutputStream;${Z}Deflater;)V`]: begin,
    'write(I)V': (machine, self, byte: number) => {
      const state = self.native as Encoding;
      state.parts.push(Uint8Array.of(byte));
      state.taint = machine.union(state.taint, machine.argumentTaint(1));
    },
    'write(![BII)V': (machine, self, array: JavaArray, offset: number, length: number) => {
      const state = self.native as Encoding;
      machine.charge(length);
      state.parts.push(bytesOf(array).slice(offset, offset + length));
      state.taint = machine.union(state.taint, arrayTaint(machine, array, offset, offset + length));
    },
    'flush()V': () => undefined,
    'finish()V': finish,
    'close()V': (machine, self) => {
      finish(machine, self);
      const out = machine.getField(self, 'out') as HeapObject;
      machine.call(out, 'flush()V');
      machine.call(out, 'close()V');
    },
  };
}

const rawOf = (object: Reference): boolean => object !== null && (object.native as Engine | undefined)?.isRaw === true;
const FILTER_IN = 'Ljava/io/FilterInputStream;';
const FILTER_OUT = 'Ljava/io/FilterOutputStream;';

export const deflateModels: Record<string, ModelClass> = {
  [`${Z}Inflater;`]: { methods: engineMethods('inflate', true) },
  [`${Z}Deflater;`]: {
    methods: engineMethods('deflate', false),
    constants: {
      'BEST_COMPRESSION:I': 9,
      'BEST_SPEED:I': 1,
      'DEFAULT_COMPRESSION:I': -1,
      'NO_COMPRESSION:I': 0,
      'DEFLATED:I': 8,
      'DEFAULT_STRATEGY:I': 0,
    },
  },
  [`${Z}InflaterInputStream;`]: {
    extends: FILTER_IN,
    methods: decoding((machine, data, inflater) =>
      guarded(machine, `${Z}ZipException;`, () =>
        rawOf(inflater) ? inflateRawSync(data, BOUND) : inflateSync(data, BOUND),
      ),
    ),
  },
  [`${Z}GZIPInputStream;`]: {
    extends: `${Z}InflaterInputStream;`,
    methods: decoding((machine, data) => guarded(machine, `${Z}ZipException;`, () => gunzipSync(data, BOUND))),
  },
  [`${Z}DeflaterOutputStream;`]: {
    extends: FILTER_OUT,
    methods: encoding((data, deflater) => (rawOf(deflater) ? deflateRawSync(data) : deflateSync(data))),
  },
  [`${Z}GZIPOutputStream;`]: { extends: `${Z}DeflaterOutputStream;`, methods: encoding((data) => gzipSync(data)) },
};
