// Tables of dex files that Android's verifier refuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { openDex, openDexContainer } from '../../../../../server/engine/formats/dex/dex.ts';
import { checkTables } from '../../../../../server/engine/formats/dex/table-checks.ts';
import { buildDex, headerFields } from '../../../../fixtures/dex-builder.ts';

const { stringOffset, typeOffset, protoOffset, fieldOffset, methodOffset } = headerFields;

/** What is reported after `change` has been at the table whose offset stands in `field` of the header. */
function reported(field: number, change: (dex: Buffer, table: number) => void): string[] {
  const bytes = buildDex({
    classes: [
      {
        descriptor: 'LA;',
        superclass: 'Ljava/lang/Object;',
        fields: [
          { name: 'a', type: 'I', accessFlags: 0 },
          { name: 'b', type: 'I', accessFlags: 0 },
        ],
        methods: [
          { name: 'run', descriptor: '(I)V' },
          { name: 'stop', descriptor: '()V' },
        ],
      },
    ],
  }) as Buffer;
  change(bytes, bytes.readUInt32LE(field));
  const findings = new Findings();
  checkTables(openDex(bytes, findings, 'classes.dex'), { isAt: () => true });
  return findings.list().map(({ code, evidence }) => `${code}: ${evidence}`);
}

/** Exchanges the first two items of a table. */
const exchange = (size: number) => (dex: Buffer, table: number) => {
  const first = Buffer.from(dex.subarray(table, table + size));
  dex.copy(dex, table, table + size, table + 2 * size);
  first.copy(dex, table + size);
};

test('sound tables have nothing to report', () => {
  assert.deepEqual(
    reported(typeOffset, () => undefined),
    [],
  );
});

test('an index past the end of the table it points into is a finding', () => {
  const pastEnd = (table: string, number: number) => [
    `dex-index: ${table}: number ${number} points past the end of another table`,
  ];
  assert.deepEqual(
    reported(protoOffset, (dex, table) => dex.writeUInt32LE(9999, table + 12 + 4)),
    pastEnd('prototypes', 1),
  );
  assert.deepEqual(
    reported(fieldOffset, (dex, table) => dex.writeUInt32LE(0x10000, table + 8 + 4)),
    pastEnd('fields', 1),
  );
  assert.deepEqual(
    reported(methodOffset, (dex, table) => dex.writeUInt16LE(0xffff, table + 8 + 2)),
    pastEnd('methods', 1),
  );
  const [types] = reported(typeOffset, (dex, table) => dex.writeUInt32LE(9999, table));
  assert.deepEqual([types], pastEnd('types', 0));
});

test('items out of order are a finding, by the first one that is', () => {
  const unsorted = (table: string) => [`dex-order: ${table}: number 1 belongs before the one before it`];
  assert.deepEqual(reported(typeOffset, exchange(4)), unsorted('types'));
  assert.deepEqual(reported(fieldOffset, exchange(8)), unsorted('fields'));
  assert.deepEqual(reported(methodOffset, exchange(8)), unsorted('methods'));
  assert.deepEqual(reported(stringOffset, exchange(4)), unsorted('strings'));
  assert.deepEqual(reported(protoOffset, exchange(12)), unsorted('prototypes'));
});

test('strings are sorted by their letters, of which U+0000 is the least', () => {
  const judged = (...strings: string[]) => {
    const findings = new Findings();
    checkTables(openDex(buildDex({ strings }), findings, 'classes.dex'), { isAt: () => true });
    return findings.list().map(({ code }) => code);
  };
  assert.deepEqual(judged('', 'a', 'a\0', 'a\0b', 'a\u0001', 'aa', 'é', '\ud83d\ude00', '\uffee'), []);
});

test('twenty thousand strings that end alike cost no more than the letters that are there', () => {
  const numbers = Array.from({ length: 20_000 }, (_, index) => `${index}`);
  const dex = buildDex({ strings: [...numbers, 'a'.repeat(2_000_000)] });
  const table = dex.readUInt32LE(stringOffset);
  const end = dex.lastIndexOf('a') + 1;
  // Each is a letter longer than the one before it.
  for (let index = 0; index < numbers.length; index++) dex.writeUInt32LE(end - 1_900_000 - index, table + index * 4);
  const findings = new Findings();
  const start = process.cpuUsage();
  checkTables(openDex(dex, findings, 'classes.dex'), { isAt: () => true });
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 3_000_000, `${user + system} microseconds`);
  assert.deepEqual(findings.list(), []);
});

test('a hundred dex files of a container that compare the same long strings cost no more than one', () => {
  const [parts, headSize, tableSize, strings] = [100, 0x78, 16, 4];
  const letters = parts * (headSize + tableSize);
  const bytes = Buffer.alloc(letters + 10_000_000, 'a').fill(0, 0, letters);
  for (let part = 0; part < parts; part++) {
    const start = part * (headSize + tableSize);
    bytes.write('dex\n041\0', start, 'latin1');
    bytes.writeUInt32LE(headSize + tableSize, start + headerFields.fileSize);
    bytes.writeUInt32LE(headSize, start + headerFields.headerSize);
    bytes.writeUInt32LE(strings, start + headerFields.stringCount);
    bytes.writeUInt32LE(start + headSize, start + headerFields.stringOffset);
    bytes.writeUInt32LE(bytes.length, start + headSize - 8);
    bytes.writeUInt32LE(start, start + headSize - 4);
    for (let index = 0; index < strings; index++) {
      bytes.writeUInt32LE(letters + strings - index, start + headSize + index * 4);
    }
  }
  const findings = new Findings();
  const dexes = openDexContainer(bytes, findings, 'classes.dex');
  assert.equal(dexes.length, parts);
  const start = process.cpuUsage();
  for (const dex of dexes) checkTables(dex, { isAt: () => true });
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 3_000_000, `${user + system} microseconds`);
  assert.ok(!findings.has('dex-order'));
});
