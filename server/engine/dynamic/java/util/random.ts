// java.util.Random's exact generator, SecureRandom's deterministic stand-in's source, ThreadLocalRandom. Knows no entropy: runs repeat.
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { bytesOf, illegalArgument, made, required } from '../values.ts';

const MULTIPLIER = 0x5deece66dn;
const MASK = (1n << 48n) - 1n;

/** https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Random.html */
export interface RandomState {
  seed: bigint;
  nextGaussian: number | null;
}

export function seededRandom(seed: bigint): RandomState {
  return { seed: (seed ^ MULTIPLIER) & MASK, nextGaussian: null };
}

export function nextBits(state: RandomState, bits: number): number {
  state.seed = (state.seed * MULTIPLIER + 0xbn) & MASK;
  return Number(BigInt.asIntN(32, state.seed >> BigInt(48 - bits)));
}

export function nextDouble(state: RandomState): number {
  return (nextBits(state, 26) * 2 ** 27 + nextBits(state, 27)) * 2 ** -53;
}

function nextLong(state: RandomState): bigint {
  const high = BigInt(nextBits(state, 32));
  return BigInt.asIntN(64, (high << 32n) + BigInt(nextBits(state, 32)));
}

export function nextBelow(state: RandomState, bound: number): number {
  let bits = nextBits(state, 31);
  const mask = bound - 1;
  if ((bound & mask) === 0) return Number((BigInt(bound) * BigInt(bits)) >> 31n);
  for (let value = bits % bound; bits - value + mask > 2147483647; value = bits % bound) bits = nextBits(state, 31);
  return bits % bound;
}

export function fillRandom(state: RandomState, bytes: Uint8Array): void {
  for (let index = 0; index < bytes.length; ) {
    for (let word = nextBits(state, 32), count = Math.min(bytes.length - index, 4); count > 0; count--, word >>= 8) {
      bytes[index++] = word;
    }
  }
}

function nextGaussian(state: RandomState): number {
  if (state.nextGaussian !== null) {
    const waiting = state.nextGaussian;
    state.nextGaussian = null;
    return waiting;
  }
  for (;;) {
    const a = 2 * nextDouble(state) - 1;
    const b = 2 * nextDouble(state) - 1;
    const square = a * a + b * b;
    if (square >= 1 || square === 0) continue;
    const factor = Math.sqrt((-2 * Math.log(square)) / square);
    state.nextGaussian = b * factor;
    return a * factor;
  }
}

/** A seed that differs from object to object and not from run to run. */
export function freshSeed(machine: Machine): bigint {
  const seeds = machine.state('java.random-seeds', () => seededRandom(20_260_101n));
  return nextLong(seeds);
}

function stateOf(machine: Machine, self: HeapObject): RandomState {
  self.native ??= seededRandom(freshSeed(machine));
  return self.native as RandomState;
}

function below(machine: Machine, self: HeapObject, bound: number): number {
  if (bound <= 0) throw illegalArgument(machine, 'bound must be positive');
  return nextBelow(stateOf(machine, self), bound);
}

export const randomMethods: NativeMethods = {
  '<init>()V': made((machine) => seededRandom(freshSeed(machine))),
  '<init>(J)V': made((_machine, seed: bigint) => seededRandom(seed)),
  'setSeed(J)V': (_machine, self, seed: bigint) => {
    self.native = seededRandom(seed);
  },
  'next(I)I': (machine, self, bits: number) => nextBits(stateOf(machine, self), bits),
  'nextInt()I': (machine, self) => nextBits(stateOf(machine, self), 32),
  'nextInt(I)I': below,
  'nextInt(II)I': (machine, self, from: number, to: number) => from + below(machine, self, to - from),
  'nextLong()J': (machine, self) => nextLong(stateOf(machine, self)),
  'nextLong(J)J': (machine, self, bound: bigint) =>
    BigInt.asUintN(63, nextLong(stateOf(machine, self))) % (bound > 0n ? bound : 1n),
  'nextLong(JJ)J': (machine, self, from: bigint, to: bigint) =>
    from + (BigInt.asUintN(63, nextLong(stateOf(machine, self))) % (to > from ? to - from : 1n)),
  'nextBoolean()Z': (machine, self) => nextBits(stateOf(machine, self), 1) !== 0,
  'nextFloat()F': (machine, self) => nextBits(stateOf(machine, self), 24) / 2 ** 24,
  'nextDouble()D': (machine, self) => nextDouble(stateOf(machine, self)),
  'nextDouble(DD)D': (machine, self, from: number, to: number) =>
    from + nextDouble(stateOf(machine, self)) * (to - from),
  'nextGaussian()D': (machine, self) => nextGaussian(stateOf(machine, self)),
  'nextBytes([B)V': (machine, self, bytes: JavaArray) =>
    fillRandom(stateOf(machine, self), bytesOf(required(machine, bytes))),
};

const current = (machine: Machine): HeapObject =>
  machine.state('java.thread-local-random', () =>
    machine.construct('Ljava/util/concurrent/ThreadLocalRandom;', '<init>()V'),
  );

export const randomModels: Record<string, ModelClass> = {
  'Ljava/util/Random;': { implements: ['Ljava/io/Serializable;'], methods: randomMethods },
  'Ljava/util/SplittableRandom;': { methods: randomMethods },
  'Ljava/util/concurrent/ThreadLocalRandom;': {
    extends: 'Ljava/util/Random;',
    staticMethods: { 'current()Ljava/util/concurrent/ThreadLocalRandom;': current },
  },
};
