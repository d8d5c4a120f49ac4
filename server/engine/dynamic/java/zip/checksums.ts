// java.util.zip's checksums. Knows no archive.
import { crc32 } from 'node:zlib';
import type { HeapObject, JavaArray, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass } from '../../machine/model.ts';
import { arrayTaint, bytesOf, checkRange, required } from '../values.ts';

const Z = 'Ljava/util/zip/';

interface Sum {
  value: number;
  taint: Taint;
}

function adler32(bytes: Uint8Array, start: number): number {
  let a = start & 0xffff;
  let b = start >>> 16;
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return ((b << 16) | a) >>> 0;
}

function checksum(run: (bytes: Uint8Array, value: number) => number, initial: number): ModelClass {
  const begin = (_machine: Machine, self: HeapObject): undefined => {
    self.native = { value: initial, taint: 0 } satisfies Sum;
  };
  const add = (machine: Machine, self: HeapObject, array: JavaArray, offset: number, length: number): undefined => {
    checkRange(machine, offset, length, required(machine, array).elements.length);
    const sum = self.native as Sum;
    sum.value = run(bytesOf(array).subarray(offset, offset + length), sum.value);
    sum.taint = machine.union(sum.taint, arrayTaint(machine, array, offset, offset + length));
  };
  return {
    implements: [`${Z}Checksum;`],
    methods: {
      '<init>()V': begin,
      'reset()V': begin,
      'update(I)V': (_machine, self, byte: number) => {
        const sum = self.native as Sum;
        sum.value = run(Uint8Array.of(byte), sum.value);
      },
      'update([B)V': (machine, self, array: JavaArray) =>
        add(machine, self, array, 0, required(machine, array).elements.length),
      'update(![BII)V': add,
      'getValue()J': (machine, self) => {
        machine.setResultTaint((self.native as Sum).taint);
        return BigInt((self.native as Sum).value);
      },
    },
  };
}

export const checksumModels: Record<string, ModelClass> = {
  [`${Z}Checksum;`]: { isInterface: true },
  [`${Z}CRC32;`]: checksum((bytes, value) => crc32(bytes, value), 0),
  [`${Z}Adler32;`]: checksum(adler32, 1),
};
