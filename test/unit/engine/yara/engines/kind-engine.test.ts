import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EngineRules, SerializedRules } from '../../../../../server/engine/yara/engines/engine.ts';
import { labelOf } from '../../../../../server/engine/yara/engines/engine.ts';
import { withKinds } from '../../../../../server/engine/yara/engines/kind-engine.ts';
import { openNativeEngine } from '../../../../../server/engine/yara/engines/native-engine.ts';
import { divideByKind } from '../../../../../server/engine/yara/engines/rule-kinds.ts';
import { openWasmEngine } from '../../../../../server/engine/yara/engines/wasm-engine.ts';
import { rewriteRules, zeroGlobal } from '../../../../../server/engine/yara/rewriting/rewriting.ts';
import { ruleCollection } from '../../../../bench/rule-collection.ts';

const native = openNativeEngine();
const plain = native ?? openWasmEngine();
const globals = [zeroGlobal];

/** What the files begin with that a condition can be met by. */
function beginningsOf(condition: string): readonly string[] | null {
  const text = rewriteRules(`import "pe" import "elf" rule r { strings: $a = "a" condition: ${condition} }`).text.text;
  return divideByKind([{ namespace: 'n', text }], globals, 1).find(({ sources }) => sources.length > 0)!.beginnings;
}

describe('what a file has to begin with for a rule to match', () => {
  test('is what its condition asks of the first bytes, or of a module that reads one kind of file', () => {
    const windows = [
      'uint16(0) == 0x5a4d',
      '0x5A4D == uint16(0) and $a',
      '$a and (uint16be(0) == 0x4d5a and filesize < 1MB)',
      'uint32(0) == 0x00905a4d',
      'uint16(0) == 23117 and uint32(uint32(0x3c)) == 0x4550',
      'all of ($a) and pe.number_of_sections > 3',
      'pe.imports("a.dll") and any of them',
      'pe.imphash() == "0123"',
      // Undefined for other files, to YARA.
      'pe.imports("a.dll") == 0',
      'pe.machine == pe.MACHINE_I386',
      'pe.is_dll() or (uint16(0) == 0x5a4d and $a)',
      'pe.sections[0].name == ".text"',
      'uint8(pe.entry_point + 1) == 3',
      'all of (pe.is_pe, $a)',
    ];
    for (const condition of windows) assert.deepEqual(beginningsOf(condition), ['MZ'], condition);
    assert.deepEqual(beginningsOf('elf.type == 2 or uint32be(0) == 0x7f454c46'), ['\x7fE']);
    assert.deepEqual(beginningsOf('$a and (uint16(0) == 0x5a4d or uint32(0) == 0x464c457f)'), ['MZ', '\x7fE']);
  });

  test('is anything where the condition may hold for other files', () => {
    for (const condition of [
      '$a',
      'not uint16(0) == 0x5a4d',
      'uint16(0) != 0x5a4d',
      'uint16(0) == 0x5a4d or $a',
      'uint16(1) == 0x5a4d',
      'uint16(0) == 0x15a4d',
      '$a and not pe.is_pe',
      'pe.is_pe == 0',
      'pe.MACHINE_AMD64',
      'uint16(0) == pe.MACHINE_I386 and $a',
      'defined pe.machine or $a',
      'not defined pe.machine',
      'elf.import_md5() != "x"',
      'any of (pe.is_pe, $a)',
    ]) {
      assert.equal(beginningsOf(condition), null, condition);
    }
  });

  test('is anything for rules that name each other unless all of them agree, and for those beside a global rule', () => {
    const kindsOf = (text: string) =>
      divideByKind([{ namespace: 'n', text }], globals, 1).flatMap(({ beginnings, sources }) =>
        sources.map((source) => [
          beginnings,
          source.text
            .match(/rule \w+/g)!
            .map((name) => name.slice(5))
            .join(' '),
        ]),
      );
    const rules = `private rule is_program { condition: uint16(0) == 0x5a4d }
      rule a { condition: is_program } rule b { condition: filesize > 3 }
      rule c { condition: uint16(0) == 0x5a4d and b } rule d { condition: uint16(0) == 0x5a4d }`;
    assert.deepEqual(kindsOf(rules), [
      [null, 'b c'],
      [['MZ'], 'is_program a d'],
    ]);
    assert.deepEqual(kindsOf(`global rule g { condition: filesize > 1 } ${rules}`), [[null, 'g is_program a b c d']]);
    assert.deepEqual(kindsOf(`${rules} rule e { condition: any of (a*) }`), [[null, 'is_program a b c d e']]);
  });
});

describe('rules of a kind by themselves', () => {
  const files = ruleCollection(400, 40);
  const sources = files.map(({ rules }, index) => {
    const { text, calls } = rewriteRules(rules);
    assert.equal(calls.size, 0);
    return { namespace: `n${index}`, text: text.text };
  });
  /** The texts and plain bytes that every third rule looks for. */
  const found = files.flatMap(({ rules }) =>
    rules
      .split(/^rule /m)
      .filter((_, index) => index % 3 === 0)
      .flatMap((rule) => [
        ...(rule.match(/(?<=\$s\d+ = ")[^"]+/g) ?? []).map((text) => text.replaceAll('\\\\', '\\')),
        ...(rule.match(/(?<=\{ )(?:[0-9a-f]{2} )+(?=\})/g) ?? []).map((hex) =>
          Buffer.from(hex.replaceAll(' ', ''), 'hex').toString('latin1'),
        ),
      ]),
  );
  const beginnings = ['', 'M', 'MZ', 'PK', '\x7fELF', '\xd0\xcf\x11\xe0', 'ZM'];
  const bytes = beginnings.flatMap((beginning) => [
    Buffer.from(beginning, 'latin1'),
    Buffer.from(`${beginning}${found.join('\n')}`, 'latin1'),
  ]);
  const matches = (rules: EngineRules) => bytes.map((one) => rules.scan(one, {}, 60_000).map(labelOf).sort());
  const held = (pieces: Uint8Array[], read: number[]): SerializedRules => ({
    read(piece) {
      read.push(piece);
      return pieces[piece]!.slice();
    },
    close: () => undefined,
  });

  test('match what all of them match together', () => {
    const expected = matches(plain.compile(sources, globals));
    assert.ok(new Set(expected.map((some) => some.length)).size > 3, 'kinds of files differ in what matches');
    const divided = withKinds(plain, 1).compile(sources, globals);
    assert.deepEqual(matches(divided), expected);
  });

  test('are loaded when a file of that kind comes, and match the same', {
    skip: native === null && 'no native engine here',
  }, () => {
    const engine = withKinds(native!, 1);
    const compiled = engine.compile(sources, globals);
    const pieces = compiled.serialize()!;
    assert.ok(pieces.length >= 4);
    const read: number[] = [];
    const loaded = engine.load(held(pieces, read), globals);
    loaded.scan(Buffer.from('PK\x03\x04'), {}, 60_000);
    assert.deepEqual(read, [0, 1]);
    loaded.makeReady!(Buffer.from('MZ'));
    assert.equal(read.length, 3);
    loaded.scan(Buffer.from('MZ'), {}, 60_000);
    assert.equal(read.length, 3);
    assert.deepEqual(matches(loaded), matches(compiled));
    loaded.free();
  });

  test('fail as they are read where their piece is damaged, which says so', {
    skip: native === null && 'no native engine here',
  }, () => {
    const engine = withKinds(native!, 1);
    const pieces = engine.compile(sources, globals).serialize()!;
    const form = held(pieces, []);
    const loaded = engine.load(
      { ...form, read: (piece) => (piece > 1 ? assert.fail('damaged') : form.read(piece)) },
      globals,
    );
    assert.throws(() => loaded.makeReady!(Buffer.from('MZ')), /damaged/);
  });
});
