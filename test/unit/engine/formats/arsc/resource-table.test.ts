// How resource tables are read: encodings of entries, the choice between configurations, references, broken tables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { localeName } from '../../../../../server/engine/formats/arsc/resource-config.ts';
import { parseResourceTable } from '../../../../../server/engine/formats/arsc/resource-table.ts';
import { FormatError } from '../../../../../server/engine/formats/byte-reader.ts';
import {
  buildTable,
  type EntryEncoding,
  type PackageSpec,
  reference,
  type TableOptions,
} from '../../../../fixtures/arsc-builder.ts';
import { chunk, u8, u16, u32 } from '../../../../fixtures/chunk-writer.ts';

function read(packages: PackageSpec[], options: TableOptions = {}) {
  const findings = new Findings();
  const table = parseResourceTable(buildTable(packages, options), findings);
  return { table, codes: () => findings.list().map((finding) => finding.code) };
}

const strings = (values: PackageSpec['types'][0]['values'], entries = ['app_name', 'other', 'third']): PackageSpec => ({
  types: [
    { name: 'attr', entries: [], values: [] },
    { name: 'string', entries, values },
  ],
});

for (const encoding of ['plain', 'sparse', 'offset16', 'compact'] as EntryEncoding[]) {
  test(`${encoding} entries are found by their id, and gaps are gaps`, () => {
    const { table, codes } = read([strings([{ values: { 0: 'One', 2: 33 }, encoding }])]);
    assert.equal(table.resolveString(0x7f020000), 'One');
    assert.equal(table.resolve(0x7f020002)?.data, 33);
    assert.equal(table.resolve(0x7f020001), null);
    assert.equal(table.nameOf(0x7f020000), 'string/app_name');
    assert.equal(table.nameOf(0x7f020001), null);
    assert.equal(table.nameOf(0x7f990001), null);
    assert.deepEqual([...table.ids()], [0x7f020000, 0x7f020002]);
    assert.deepEqual(codes(), []);
  });
}

test('a locale is served by its own value, else by its language, else by the default', () => {
  const { table } = read([
    strings([
      { values: { 0: 'default' } },
      { config: { locale: 'pt' }, values: { 0: 'pt' } },
      { config: { locale: 'pt-BR' }, values: { 0: 'pt-BR' } },
      { config: { locale: 'fil' }, values: { 0: 'fil' } },
    ]),
  ]);
  const at = (language: string, region = '') => table.resolveString(0x7f020000, { language, region });
  assert.deepEqual(
    [at(''), at('pt'), at('pt', 'BR'), at('pt', 'AO'), at('fil'), at('de')],
    ['default', 'pt', 'pt-BR', 'pt', 'fil', 'default'],
  );
  assert.deepEqual(
    table.entries(0x7f020000).map(({ config }) => localeName(config)),
    ['', 'pt', 'pt-BR', 'fil'],
  );
});

test('a density is served by the nearest larger value, and any density wins', () => {
  const values = [120, 160, 320, 640].map((density) => ({ config: { density }, values: { 0: `d${density}` } }));
  const { table } = read([strings(values)]);
  const at = (density: number) => table.resolveString(0x7f020000, { density });
  assert.deepEqual([at(120), at(160), at(240), at(480), at(640)], ['d120', 'd160', 'd320', 'd640', 'd640']);
  const any = read([strings([...values, { config: { density: 0xfffe, sdkVersion: 26 }, values: { 0: 'any' } }])]);
  assert.equal(any.table.resolveString(0x7f020000, { density: 320 }), 'any');
  assert.equal(any.table.resolveString(0x7f020000, { density: 320, sdkVersion: 25 }), 'd320');
});

test('configurations of every size that Android has had are read', () => {
  for (const size of [28, 32, 36, 38, 48, 52, 56, 64]) {
    const { table } = read([strings([{ config: { locale: 'de', size }, values: { 0: 'Hallo' } }])]);
    assert.equal(table.resolveString(0x7f020000, { language: 'de' }), 'Hallo', `size ${size}`);
  }
});

test('references are followed to their value, and circles end', () => {
  const { table, codes } = read([
    strings([{ values: { 0: reference(0x7f020001), 1: reference(0x00020002), 2: 'end' } }]),
  ]);
  assert.equal(table.resolveString(0x7f020000), 'end');
  assert.equal(table.resolveString({ type: 1, data: 0x7f020001 }), 'end');
  assert.equal(table.resolve({ type: 1, data: 0 }), null);
  const circle = read([strings([{ values: { 0: reference(0x7f020001), 1: reference(0x7f020000) } }])]);
  assert.equal(circle.table.resolve(0x7f020000), null);
  assert.deepEqual(circle.codes(), ['arsc-reference-cycle']);
  assert.deepEqual(codes(), []);
});

test('bags keep their parent and items', () => {
  const bag = {
    parent: 0x01030005,
    items: [
      { name: 0x01010001, type: 0x12, data: 1 },
      { name: 0x7f010000, type: 3, data: 0 },
    ],
  };
  const { table } = read([strings([{ values: { 0: bag, 1: 'first' } }])]);
  const entry = table.bestEntry(0x7f020000);
  assert.equal(entry?.value, null);
  assert.equal(entry?.bag?.parent, 0x01030005);
  assert.deepEqual(
    entry?.bag?.items.map(({ name, value }) => [name, value.text ?? value.data]),
    [
      [0x01010001, 1],
      [0x7f010000, 'first'],
    ],
  );
  assert.equal(table.resolve(0x7f020000), null);
});

test('two packages of one id share their types, and a split counts its types from its offset', () => {
  const { table } = read([
    strings([{ values: { 0: 'base' } }]),
    strings([{ config: { locale: 'de' }, values: { 0: 'deutsch', 1: 'neu' } }]),
  ]);
  assert.equal(table.resolveString(0x7f020000), 'base');
  assert.equal(table.resolveString(0x7f020000, { language: 'de' }), 'deutsch');
  const split = read([{ ...strings([{ values: { 0: 'split' } }]), typeIdOffset: 0x10 }]);
  assert.equal(split.table.resolveString(0x7f120000), 'split');
  assert.equal(split.table.nameOf(0x7f120000), 'string/app_name');
});

test('library, overlayable and alias chunks are known; an alias of the framework leads to its resource', () => {
  const alias = chunk(0x0206, u32(1), u32(0x01fe0001, 0x01020000));
  const extra = [
    chunk(0x0203, u32(1), Buffer.concat([u32(2), Buffer.alloc(256)])),
    chunk(0x0204, Buffer.alloc(1024), chunk(0x0205, u32(1, 1), u32(0x7f020000))),
    alias,
  ];
  const { table, codes } = read([{ ...strings([{ values: { 0: 'final' } }]), id: 1, extra }]);
  assert.equal(table.resolveString(0x01fe0001), 'final');
  assert.deepEqual(codes(), []);
});

test('an alias of an app is not followed, as newer versions of Android do not, with a finding', () => {
  const extra = [chunk(0x0206, u32(1), u32(0x7f020000, 0x7f020001))];
  const { table, codes } = read([{ ...strings([{ values: { 0: 'real', 1: 'decoy' } }]), extra }]);
  assert.equal(table.resolveString(0x7f020000), 'real');
  assert.deepEqual(codes(), ['arsc-staged-alias']);
});

test('a type without a specification, or with one that claims too much, is read with a finding', () => {
  const bytes = () => Buffer.from(buildTable([strings([{ values: { 0: 'whole' } }])]));
  const judged = (table: Buffer) => {
    const findings = new Findings();
    const text = parseResourceTable(table, findings).resolveString(0x7f020000);
    return [text, ...findings.list().map(({ code }) => code)];
  };
  assert.deepEqual(judged(bytes()), ['whole']);
  const specification = bytes().lastIndexOf(u16(0x0202, 16));
  const misnamed = bytes();
  misnamed.writeUInt8(9, specification + 8);
  assert.deepEqual(judged(misnamed), ['whole', 'arsc-type-unspecified']);
  const overlong = bytes();
  overlong.writeUInt32LE(1000, specification + 12);
  assert.deepEqual(judged(overlong), ['whole', 'arsc-entry-count']);
});

test('values at misaligned offsets are no values, as on Android, and are a finding', () => {
  const bytes = () => Buffer.from(buildTable([strings([{ values: { 0: 'whole' } }])]));
  const type = bytes().lastIndexOf(u16(0x0201));
  const headerSize = bytes().readUInt16LE(type + 2);
  const judged = (at: number, step: number) => {
    const table = bytes();
    table.writeUInt32LE(table.readUInt32LE(at) + step, at);
    const findings = new Findings();
    parseResourceTable(table, findings).resolveString(0x7f020000);
    return findings.list().map(({ code }) => code);
  };
  assert.deepEqual(judged(type + headerSize, 2), ['arsc-entry-offset']);
  assert.deepEqual(judged(type + 16, 2).slice(0, 1), ['arsc-entries-start']);
  assert.deepEqual(judged(type + 16, -4).slice(0, 1), ['arsc-entries-start']);
});

test('strings are found with the resources that hold them, plain or in an array, whatever the encoding', () => {
  for (const encoding of ['plain', 'sparse', 'offset16', 'compact'] as EntryEncoding[]) {
    const { table } = read([
      strings([
        { values: { 0: 'a.example', 1: 'other' }, encoding },
        { config: { locale: 'de' }, values: { 2: 'a.example' }, encoding },
      ]),
    ]);
    assert.deepEqual(
      table.namedStrings((text) => text.includes('.')),
      [{ text: 'a.example', names: ['@string/app_name', '@string/third'] }],
    );
  }
  const items = [{ name: 0x02000000, type: 3, data: 0 }];
  const { table } = read([strings([{ values: { 0: 'a.example', 1: { parent: 0, items } } }])]);
  assert.deepEqual(
    table.namedStrings(() => true),
    [{ text: 'a.example', names: ['@string/app_name', '@string/other'] }],
  );
});

test('framework resources are named without a framework', () => {
  const { table } = read([strings([])]);
  assert.equal(table.nameOf(0x01010003), 'android:attr/name');
  assert.equal(table.nameOf(0x01030005), 'android:style/Theme');
  assert.equal(table.nameOf(0x01ff1234), null);
});

test('chunks before the table, a wrong type, size and package count are reported and passed over', () => {
  const spec = [strings([{ values: { 0: 'x' } }])];
  const junk = chunk(0x0999, u32(1), Buffer.alloc(20));
  for (const [options, code] of [
    [{ before: junk }, 'arsc-unknown-chunk'],
    [{ fileSize: (size: number) => size + 1000 }, 'arsc-header'],
    [{ headerType: 9 }, 'arsc-unknown-chunk'],
    [{ packageCount: 9 }, 'arsc-package-count'],
    [{ pool: { stringCount: 0x7fffffff } }, 'string-pool-count'],
  ] as [TableOptions, string][]) {
    const { table, codes } = read(spec, options);
    assert.equal(table.resolveString(0x7f020000), 'x', code);
    assert.deepEqual(codes(), [code]);
  }
});

test('bytes too short for a table header, or for the header of a last chunk, are refused or passed over', () => {
  const refused = [
    Buffer.concat([u16(9, 8), u32(0), u32(0)]),
    Buffer.concat([u16(9, 8), u32(8), u16(2, 12), u32(0)]),
    Buffer.concat([u16(9, 8), u32(0), u32(0), u8(1)]),
  ];
  for (const bytes of refused) {
    assert.throws(() => parseResourceTable(bytes, new Findings()), { name: 'FormatError', code: 'arsc-no-table' });
  }
  for (const type of [0x0203, 0x0206]) {
    const extra = [chunk(type, Buffer.alloc(0), Buffer.alloc(0))];
    const { table, codes } = read([{ ...strings([{ values: { 0: 'kept' } }]), extra }]);
    assert.equal(table.resolveString(0x7f020000), 'kept');
    assert.deepEqual(codes(), ['arsc-chunk-header']);
  }
});

test('a value that is said to begin within its own header is read from behind it, with a finding', () => {
  const bytes = Buffer.from(buildTable([strings([{ values: { 0: 'whole' } }])]));
  const plain = bytes.indexOf(Buffer.concat([u16(8, 0), u32(0), u16(8), u8(0, 3)]));
  bytes.writeUInt16LE(0, plain);
  const findings = new Findings();
  assert.equal(parseResourceTable(bytes, findings).resolveString(0x7f020000), 'whole');
  assert.deepEqual(
    findings.list().map(({ code }) => code),
    ['arsc-entry-size'],
  );
});

test('a type with thousands of configurations is looked through up to a bound, with a finding', () => {
  const empty = chunk(
    0x0201,
    Buffer.concat([u8(2, 0), u16(0), u32(0, 84), u32(64), Buffer.alloc(60)]),
    Buffer.alloc(0),
  );
  const whole = chunk(
    0x0201,
    Buffer.concat([u8(2, 0), u16(0), u32(1, 88), u32(64), Buffer.alloc(60)]),
    Buffer.concat([u32(0), u16(8, 0), u32(0), u16(8), u8(0, 0x10), u32(7)]),
  );
  const crowd = (bytes: Buffer) => Buffer.alloc(5000 * bytes.length, bytes);
  const { table, codes } = read([{ ...strings([{ values: { 0: 'first' } }]), extra: [crowd(empty), crowd(whole)] }]);
  const started = process.cpuUsage();
  assert.equal(table.resolveString(0x7f020000), 'first');
  for (let index = 0; index < 20_000; index++) table.resolve(0x7f020000 + (index & 1));
  const { user, system } = process.cpuUsage(started);
  assert.ok(user + system < 40_000_000, `${user + system} microseconds`);
  assert.deepEqual(codes(), ['arsc-look-up-limit']);
});

test('a sparse chunk that also claims short offsets is searched within its bytes', () => {
  const header = Buffer.concat([u8(2, 3), u16(0), u32(60, 84), u32(64), Buffer.alloc(60)]);
  const extra = [chunk(0x0201, header, Buffer.alloc(128))];
  const { table, codes } = read([{ ...strings([{ values: { 0: 'kept' } }]), extra }]);
  for (let index = 0; index < 100; index++) table.entries(0x7f020000 + index);
  assert.equal(table.resolveString(0x7f020000), 'kept');
  assert.ok(codes().includes('arsc-entry-count'));
});

test('every prefix and every table with one byte changed is read or refused in bounded time', () => {
  const bytes = buildTable([
    strings([
      { values: { 0: 'One', 1: reference(0x7f020000) } },
      { config: { locale: 'de' }, values: { 0: 'Eins' }, encoding: 'sparse' },
    ]),
  ]);
  const started = process.cpuUsage();
  const attempt = (changed: Uint8Array) => {
    try {
      const table = parseResourceTable(changed, new Findings());
      for (const id of [0x7f020000, 0x7f020001, 0x7f010000]) {
        table.resolve(id);
        table.nameOf(id);
        table.entries(id);
      }
      for (const text of table.strings()) assert.equal(typeof text, 'string');
    } catch (error) {
      assert.ok(error instanceof FormatError, String(error));
    }
  };
  for (let length = 0; length < bytes.length; length++) attempt(bytes.subarray(0, length));
  for (let at = 0; at < bytes.length; at++) {
    for (const value of [0, 0x7f, 0xff]) {
      const changed = Uint8Array.from(bytes);
      changed[at] = value;
      attempt(changed);
    }
  }
  const { user, system } = process.cpuUsage(started);
  assert.ok(user + system < 8_000_000);
});
