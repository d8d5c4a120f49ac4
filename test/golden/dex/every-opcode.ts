// A dex file with every opcode in use once, and payloads, for comparing instruction printers.
import { buildDex, type Pool } from '../../fixtures/dex-builder.ts';

const base = 'Lcom/example/Base;';

/** One method per instruction, since a printer may stop at what it does not know. */
function instructionSamples(): ((pool: Pool) => number[])[] {
  const samples: ((pool: Pool) => number[])[] = [];
  const plain = (...units: number[]) => samples.push(() => units);
  const range = (first: number, last: number, visit: (opcode: number) => void) => {
    for (let opcode = first; opcode <= last; opcode++) visit(opcode);
  };
  const string = (pool: Pool) => pool.string('text with "quotes" and \'apostrophes\'');
  const type = (pool: Pool) => pool.type('[Lcom/example/Base;');
  const field = (pool: Pool) => pool.field(base, 'field', 'Ljava/lang/String;');
  const method = (pool: Pool) => pool.method(base, 'call', '(ILjava/lang/String;[[J)Ljava/lang/Object;');
  plain(0x0000);
  for (const opcode of [0x01, 0x04, 0x07, 0x21, ...Array.from({ length: 21 }, (_, index) => 0x7b + index)]) plain(0x2100 | opcode);
  for (const opcode of [0x02, 0x05, 0x08]) plain(0x1200 | opcode, 0x1234);
  for (const opcode of [0x03, 0x06, 0x09]) plain(opcode, 0x0102, 0xfffe);
  range(0x0a, 0x0d, (opcode) => plain(0x0500 | opcode));
  plain(0x000e);
  range(0x0f, 0x11, (opcode) => plain(0x0600 | opcode));
  plain(0x7212);
  plain(0x8212);
  for (const value of [0x0001, 0x7fff, 0x8000, 0xffff]) {
    plain(0x0313, value);
    plain(0x0315, value);
    plain(0x0316, value);
    plain(0x0319, value);
    plain(0x0314, value, 0x8765);
    plain(0x0317, value, 0x4321);
    plain(0x0318, value, 0x1111, 0x2222, 0x8765);
  }
  samples.push((pool) => [0x041a, string(pool)]);
  samples.push((pool) => [0x041b, string(pool), 0]);
  for (const opcode of [0x1c, 0x1f, 0x22]) samples.push((pool) => [0x0500 | opcode, type(pool)]);
  for (const opcode of [0x1d, 0x1e, 0x27]) plain(0x0700 | opcode);
  for (const opcode of [0x20, 0x23]) samples.push((pool) => [0x4300 | opcode, type(pool)]);
  for (const opcode of [0x24, 0x6e, 0x6f, 0x70, 0x71, 0x72]) {
    const index = opcode === 0x24 ? type : method;
    for (let count = 0; count <= 5; count++) samples.push((pool) => [(count << 12) | 0x0500 | opcode, index(pool), 0x4321]);
  }
  for (const opcode of [0x25, 0x74, 0x75, 0x76, 0x77, 0x78]) {
    const index = opcode === 0x25 ? type : method;
    for (const count of [0, 1, 2, 6]) samples.push((pool) => [(count << 8) | opcode, index(pool), 0x0101]);
  }
  for (const distance of [1, 0x7f, 0x80, 0xff]) plain((distance << 8) | 0x28);
  for (const distance of [1, 0x7fff, 0x8000, 0xffff]) {
    plain(0x0029, distance);
    range(0x32, 0x37, (opcode) => plain(0x2100 | opcode, distance));
    range(0x38, 0x3d, (opcode) => plain(0x0900 | opcode, distance));
    plain(0x002a, distance, 0);
    plain(0x002a, distance, 0xffff);
    for (const opcode of [0x26, 0x2b, 0x2c]) plain(0x0800 | opcode, distance, 0);
  }
  for (const [first, last] of [[0x2d, 0x31], [0x44, 0x51], [0x90, 0xaf]] as const) {
    range(first, last, (opcode) => plain(0x0100 | opcode, 0xfe02));
  }
  range(0x52, 0x5f, (opcode) => samples.push((pool) => [0x2100 | opcode, field(pool)]));
  range(0x60, 0x6d, (opcode) => samples.push((pool) => [0x0300 | opcode, field(pool)]));
  range(0xb0, 0xcf, (opcode) => plain(0x2100 | opcode));
  range(0xd0, 0xd7, (opcode) => plain(0x2100 | opcode, opcode % 2 === 0 ? 0x7fff : 0x8000));
  range(0xd8, 0xe2, (opcode) => plain(0x2100 | opcode, opcode % 2 === 0 ? 0x7f03 : 0x8003));
  // Payloads: packed and sparse switch, bytes and longs.
  plain(0x0100, 3, 0xfffe, 0xffff, 4, 0, 5, 0, 6, 0);
  plain(0x0200, 2, 0xfff6, 0xffff, 0x1000, 0, 4, 0, 6, 0);
  plain(0x0300, 1, 3, 0, 0x0201, 0x0003);
  plain(0x0300, 8, 1, 0, 1, 2, 3, 0x8000);
  return samples;
}

/** Each sample as the only instruction of a method `m000`, `m001` … */
export function everyOpcodeDex(): Buffer {
  return buildDex({
    classes: [
      {
        descriptor: 'Lcom/example/Every;',
        superclass: 'Ljava/lang/Object;',
        methods: instructionSamples().map((units, index) => ({
          name: `m${String(index).padStart(3, '0')}`,
          descriptor: '()V',
          code: { registers: 16, units },
        })),
      },
    ],
  });
}
