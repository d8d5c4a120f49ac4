// A method made ready to run: one flat stream of instructions, a pool of what they refer to, handlers. Knows no interpreter.
//
// The stream holds an operation and its operands one after the other. Operations keep the value that Dalvik gives them
// where they do the same; its many widths of one operation are one here, and values it leaves unused, or that have
// become so, stand for what only the machine knows (`machineOperations`). An operation that has not run yet stands as
// its complement (`~operation`): the first run counts it for the coverage and puts the operation itself in its place.
import type { Dex } from '../../formats/dex/dex.ts';
import type { Method } from './linked-class.ts';

/** Operations of the machine's own. Operands in brackets; registers count from the frame's first. */
export const machineOperations = {
  /** [to, pool] a number of any kind, null, or a resolved class. */
  constPool: 0x13,
  /** [to, string index], resolved on first run to `string`. */
  constString: 0x14,
  /** [to, pool] */
  string: 0x15,
  /** [register, pool: class] */
  checkCast: 0x3e,
  /** [to, register, pool: class] */
  instanceOf: 0x3f,
  /** [to, pool: class] */
  newInstance: 0x40,
  /** [to, length, pool: class] */
  newArray: 0x41,
  /** [pool: class, count, registers…] */
  filledNewArray: 0x42,
  /** [to, object, slot] */
  instanceGet: 0x43,
  /** [pool: call site, count, registers…] */
  invoke: 0x53,
  /** [to, from] 0 as null. */
  toReference: 0x54,
  /** [to, from] bits of an int as a float. */
  toFloat: 0x55,
  /** [to, from] bits of a long as a double. */
  toDouble: 0x56,
  /** The code ended without a return. */
  end: 0x57,
  /** An opcode that no device runs. */
  unused: 0x58,
  /** The end of what a branch on a tainted value decides; the operation itself stands in `breaks`. */
  regionEnd: 0x5a,
  /** [to, object, pool: value] of a field that no model has. */
  defaultGet: 0x5b,
  /** [from, object, …] to a field that no model has. */
  forgetPut: 0x5c,
  /** [from, object, slot] */
  instancePut: 0x73,
  /** [to, pool: field] */
  staticGet: 0x79,
  /** [from, pool: field] */
  staticPut: 0x7a,
} as const;

export interface PreparedTry {
  /** In the stream; `end` is past the last. */
  readonly start: number;
  readonly end: number;
  /** Null catches everything. */
  readonly handlers: readonly { readonly type: string | null; readonly at: number }[];
}

/** The first exception that an instruction threw, or let through from a call. */
export interface Thrown {
  /** `java.io.IOException` */
  readonly exception: string;
  /** The modelled method that threw it; null where the app or an instruction of it did. */
  readonly model: Method | null;
}

/** Places of one method whose exceptions are remembered. */
const maxThrown = 256;
/** [to, from]: what stands before an instruction whose operands it makes ready. */
const conversionLength = 3;
const conversions: ReadonlySet<number> = new Set([
  machineOperations.toReference,
  machineOperations.toFloat,
  machineOperations.toDouble,
]);

export class PreparedMethod {
  readonly method: Method;
  readonly dex: Dex;
  readonly stream: Int32Array;
  readonly pool: unknown[];
  /** Of a frame, with those that conversions need. */
  readonly registers: number;
  /** Where arguments start, and how many registers they take. */
  readonly argumentBase: number;
  readonly argumentRegisters: number;
  readonly tries: readonly PreparedTry[];
  /** Start of each instruction in the stream, ascending, and its address in code units. */
  readonly starts: Int32Array;
  readonly addresses: Int32Array;
  readonly isSynchronized: boolean;
  /** Instructions that have run at least once. */
  executed = 0;
  /** Operations that a `regionEnd` stands before, by place in the stream. */
  breaks: Map<number, number> | null = null;
  /** By the position of the instruction; null while nothing was thrown. */
  #thrown: Map<number, Thrown> | null = null;
  /** Regions of branches, by the branch's place; owned by control taint. */
  regions: Map<number, unknown> | null = null;

  constructor(from: {
    method: Method;
    dex: Dex;
    stream: Int32Array;
    pool: unknown[];
    registers: number;
    argumentBase: number;
    argumentRegisters: number;
    tries: readonly PreparedTry[];
    starts: Int32Array;
    addresses: Int32Array;
    isSynchronized: boolean;
  }) {
    this.method = from.method;
    this.dex = from.dex;
    this.stream = from.stream;
    this.pool = from.pool;
    this.registers = from.registers;
    this.argumentBase = from.argumentBase;
    this.argumentRegisters = from.argumentRegisters;
    this.tries = from.tries;
    this.starts = from.starts;
    this.addresses = from.addresses;
    this.isSynchronized = from.isSynchronized;
  }

  /** Position among the method's instructions of what stands at a place in the stream. */
  positionAt(at: number): number {
    const { starts } = this;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Address in code units of the instruction that `at` lies in. */
  addressAt(at: number): number {
    return this.addresses[this.positionAt(at)] ?? 0;
  }

  /** Whether the instruction at an address has run. */
  hasRun(address: number): boolean {
    const position = this.#positionOf(address);
    return position >= 0 && this.operationAt(this.operationOf(position)) >= 0;
  }

  /** Place of an instruction's own operation, behind what makes its operands ready. */
  operationOf(position: number): number {
    let at = this.starts[position]!;
    while (conversions.has(this.operationAt(at))) at += conversionLength;
    return at;
  }

  /** The operation at a place, whatever stands before it. */
  operationAt(at: number): number {
    return this.breaks?.get(at) ?? this.stream[at]!;
  }

  /** Remembers what an instruction threw. @param at a place in the stream that the instruction holds */
  noteThrown(at: number, thrown: Thrown): void {
    this.#thrown ??= new Map();
    const position = this.positionAt(at);
    if (this.#thrown.size < maxThrown && !this.#thrown.has(position)) this.#thrown.set(position, thrown);
  }

  /** The first exception that left the instruction at an address; null where none did. */
  thrownAt(address: number): Thrown | null {
    return this.#thrown?.get(this.#positionOf(address)) ?? null;
  }

  /** Position of the instruction that begins at an address, -1 where none does. */
  #positionOf(address: number): number {
    let low = 0;
    let high = this.addresses.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.addresses[middle]!;
      if (found === address) return middle;
      if (found < address) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Place in the stream of the instruction at an address, -1 where none begins there. */
  placeOf(address: number): number {
    return this.starts[this.#positionOf(address)] ?? -1;
  }

  /** Place of the one behind it; undefined behind the last. */
  placeAfter(address: number): number | undefined {
    return this.starts[this.#positionOf(address) + 1];
  }

  /** Puts another operation in an instruction's place. */
  patch(at: number, operation: number): void {
    if (this.breaks?.has(at)) this.breaks.set(at, operation);
    else this.stream[at] = operation;
  }
}
