// Rules in the dialect of older YARA and rules on what is undefined, beside Debian's yara.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openNativeEngine } from '../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../server/engine/yara/engines/wasm-engine.ts';
import { systemTool } from '../fixtures/system-tools.ts';
import { debianMatches } from './debian-yara.ts';
import { matcherOf } from './our-matches.ts';

const native = openNativeEngine();
const engines = [openWasmEngine(), ...(native === null ? [] : [native])];
const folder = mkdtempSync(join(tmpdir(), 'yara-dialect-'));
after(() => rmSync(folder, { recursive: true }));

/** A PE file for 32 bits that calls itself a library, with a section of nothing in which it begins. */
function emptyLibrary(): Buffer {
  const bytes = Buffer.alloc(1024);
  bytes.write('MZ');
  bytes.writeUInt32LE(64, 60);
  bytes.write('PE', 64);
  bytes.writeUInt16LE(0x14c, 68);
  bytes.writeUInt16LE(1, 70);
  bytes.writeUInt16LE(0xe0, 84);
  bytes.writeUInt16LE(0x2102, 86);
  bytes.writeUInt16LE(0x10b, 88);
  bytes.writeUInt32LE(0x1000, 104);
  bytes.write('.text', 312);
  for (const [index, value] of [512, 0x1000, 512, 512].entries()) bytes.writeUInt32LE(value, 320 + 4 * index);
  return bytes;
}

// Debian's yara takes the square of a file's length for runs of almost any bytes.
const samples: Record<string, Buffer> = {
  text: Buffer.from('bb a{b x-y .php?id=1 [abc] e.g. \x07bell ünï\n'),
  empty: Buffer.alloc(0),
  program: readFileSync(process.execPath).subarray(0, 8192),
  library: emptyLibrary(),
};

const cases: Record<string, string> = {
  'a brace that begins no repetition, unknown escapes, brackets in classes':
    'rule r { strings: $a = /a{b/ $b = /x\\-\\y/ $c = /[[a]bc]/ condition: all of them }',
  'the edge of a word is no edge in a class': 'rule r { strings: $a = /[\\b]b/ condition: $a }',
  'a repetition that begins with a comma': 'rule r { strings: $a = /b{,2} a/ condition: $a }',
  'text beyond ASCII in regular expressions': 'rule r { strings: $a = /ün./ condition: $a }',
  'rules with names that the engine needs for itself':
    'import "pe" rule with { condition: true } rule pe { condition: with } rule hash { condition: with }',
  'a set of rules by the beginning of their names':
    'private rule ab1 { condition: filesize > 1 } rule ab2 { condition: filesize > 1000 } rule r { condition: any of (ab*) } rule s { condition: all of (ab*) } rule t { condition: 2 of (ab1, ab2) }',
  'a repetition that may be of nothing':
    'rule a { strings: $a = /b*/ condition: #a == 3 } rule b { strings: $a = /.*/ condition: $a } rule c { strings: $a = /q?/ condition: $a } rule d { strings: $a = /[x-z]{0,3}/ condition: #a == 2 }',
  'flags that stand there twice': 'private private rule p { condition: true } rule r { condition: p }',
  'a jump over nothing': 'rule r { strings: $a = { 62 [0-0] 62 } condition: $a }',
  'a comment that is never closed': 'rule r { condition: true } /* and so on',
  'constants that the engine lacks':
    'import "pe" import "elf" rule r { condition: elf.SHF_ALLOC + elf.SHF_WRITE == 3 and pe.SECTION_MEM_LOCKED == 0x40000 }',
  'places relative to the entry point':
    'rule a { strings: $a = { 31 ed } condition: $a at entrypoint } rule b { condition: entrypoint > 0 } rule c { condition: uint8(entrypoint) == 0x31 // first\n } rule d { strings: $b = "b" condition: $b in (entrypoint..entrypoint + 100) }',
  'places where a program begins, and where there is none':
    'rule a { strings: $a = "b" condition: not $a at entrypoint } rule b { strings: $a = { 31 ed } condition: not $a at entrypoint } rule c { strings: $a = "b" condition: defined ($a at entrypoint) and not defined ($a in (0..entrypoint)) } rule d { strings: $a = "b" condition: not any of them in (entrypoint..filesize) or none of them in (0..entrypoint) } rule e { strings: $entrypoint = "b" condition: not $entrypoint at entrypoint + @entrypoint } rule f { strings: $a = "b" condition: for any of them : (not $ at entrypoint) } rule g { strings: $a = "b" condition: not for any of them : ($ at entrypoint) }',
  'ranges and indexes of nothing':
    'rule r { condition: for any i in (3..1) : (true) } rule s { strings: $a = "b" condition: not @a[0] == 0 and #a > 0 } rule t { strings: $a = "b" condition: $a in (9..1) }',
  'functions of a module that has nothing to look at':
    'import "pe" rule a { condition: not pe.imports("a.dll") } rule b { condition: pe.imports("a.dll") == 0 } rule c { condition: not pe.exports("x") } rule d { condition: pe.exports("x") == 0 } rule e { strings: $a = "b" condition: not $a at pe.entry_point } rule f { condition: not pe.is_dll() } rule g { condition: not pe.locale(1) or pe.language(2) == 0 }',
  'hashes of more than there is':
    'import "hash" rule r { condition: hash.md5(0, 100000000) == hash.md5(0, filesize + 7) } rule s { condition: not hash.md5(2, 99999999) == "" and not hash.sha1(999, 1) == "" }',
  'parts of the file that begin past its end, or that are of nothing':
    'import "hash" import "math" rule a { condition: hash.md5(0, filesize) == "d41d8cd98f00b204e9800998ecf8427e" } rule b { condition: not hash.md5(filesize - 1, 100) == "" } rule c { condition: not hash.sha1(filesize, 1) == "" } rule d { condition: for any i in (0..5) : (hash.md5(i, 100000) == hash.md5(i, filesize)) } rule e { condition: math.entropy(0, filesize) < 5 } rule f { condition: not math.entropy(0, filesize) > 5 } rule g { condition: math.mean(filesize, 5) >= 0 } rule h { condition: math.count(0x62, 0, filesize) >= 0 } rule i { condition: math.percentage(0x62, filesize + 1, 2) >= 0 } rule j { strings: $a = "b" condition: hash.md5(@a, 1000000) == hash.md5(@a[1], filesize - @a) } rule k { condition: hash.crc32(0, 0) == 0 and math.deviation(1, 3, 64.0) > 1 }',
  'numbers below nothing':
    'rule a { strings: $a = "b" condition: $a at -1 } rule b { strings: $a = "b" condition: not $a at -1 } rule c { strings: $a = "b" condition: $a in (-5..5) } rule d { strings: $a = "b" condition: -1 of them } rule e { strings: $a = "b" condition: not defined @a[-1] } rule f { condition: for any i in (-2..2) : (i == -1) and -1 * 3 == -3 and (-2 * 3) == -6 }',
  'expressions that may be of nothing':
    'rule a { strings: $a = /bell|/ condition: #a == 1 } rule b { strings: $a = /a?b?/ condition: #a == 5 } rule c { strings: $a = /(a|b|)x?/ condition: #a > 4 } rule e { strings: $a = /^b?/ condition: #a == 1 } rule f { strings: $a = /(\\n)?$/ condition: $a } rule g { strings: $a = /a*?b*?/ condition: $a } rule h { strings: $a = /$/ $b = /^/ condition: any of them } rule i { strings: $a = /(e(\\.g\\.)?)*/ condition: #a == 2 }',
  'runs of almost any bytes': 'rule a { strings: $a = /.+/ $b = /[^\\n]{3,}/ condition: #a == #b + 2 }',
  'none of a set, written as a number':
    'rule r { strings: $a = "b" condition: 0 of them } rule s { strings: $a = "zzz" condition: 0 of them }',
  'a number of strings that is reckoned, and may be nothing, negative, undefined or past 32 bits':
    'rule a { strings: $a = "b" $b = "zzz" condition: (#b) of them } rule b { strings: $a = "b" $b = "zzz" condition: (#b - 1) of them } rule c { strings: $a = "b" $b = "zzz" condition: (uint8(filesize)) of them or not (uint8(filesize)) of ($a, $a) } rule d { strings: $a = "b" $b = "zzz" condition: 4294967296 of them or (filesize * 4294967296) of them } rule e { strings: $a = "b" $b = "zzz" condition: (#b * 50)% of them } rule f { strings: $a = "b" condition: (#a) of ($a, $a, $a*) } rule g { strings: $a = "b" condition: not (1 - 3) of them }',
  'places past 32 bits':
    'rule a { strings: $a = "b" condition: $a at 4294967296 or #a > 1 } rule b { strings: $a = "b" condition: $a in (0..4294967296) and any of them in (0..filesize * 4294967296) } rule c { strings: $a = "b" condition: $a in (uint32(0)..uint32(0) * 65536) } rule d { strings: $a = "b" condition: #a in (0..filesize * 65536) > 0 } rule e { strings: $a = "b" condition: for any i in (uint32(0)..uint32(0) + 3) : ($a at i * 65536) }',
  'places and ranges that are reckoned from numbers':
    'rule a { strings: $a = "b" condition: $a in (7 - 9..5) and $a at 9 - 8 } rule b { strings: $a = "b" condition: $a in (5..2 + 1) } rule c { strings: $a = "b" condition: not @a[1 - 1] == 0 and @a[2 - 1] >= 0 } rule d { strings: $a = "b" condition: for any i in (5 - 2..2 - 1) : ($a at i) } rule e { strings: $a = "b" condition: for all i in (3 - 2..2 - 1) : ($a at i - 1) } rule f { strings: $a = "b" condition: any of them in (1 - 10..@a) and none of them in (uint8(0)..10 - 1000) }',
  'places that are undefined':
    'rule a { strings: $a = "b" condition: not $a at @a[99] } rule b { strings: $a = "b" condition: defined ($a at @a[99]) and not defined ($a in (0..@a[99])) } rule c { strings: $a = "b" condition: none of them in (0..@a[99]) or 0 of them in (@a[99]..5) or not any of them in (0..@a[99]) } rule d { strings: $a = "b" condition: for any of them : (defined (not $ at @[99])) }',
  'what is less than something undefined':
    'import "math" rule a { condition: not math.entropy(filesize + 5, 5) < 3.0 } rule b { condition: not uint8(filesize) < 1.5 } rule c { condition: not uint8(filesize) > 1.5 or not uint8(filesize) < 1 } rule d { condition: defined (1 < uint8(filesize) + 0.5) } rule e { strings: $a = "b" condition: math.entropy(#a, filesize) < 8.0 }',
  'expressions that a text matches with nothing, or at its ends':
    'rule d { condition: "a.c1-" matches /.*\\.c1/s and not "a" matches /.+\\.c1[^\\w\\w]/is } rule a { condition: "x" matches /b?/ and "k" matches /.*?/ and "x" matches /foo|/ } rule b { condition: "-a-" matches /-\\b$/ and "-a-" matches /\\b/ and "-a-" matches /\\b-a/ } rule c { condition: "ab" matches /ab.{0,4}/ and "k\\n" matches /^k.$/s and not "k\\n" matches /k$/ }',
  'expressions that a text of nothing matches, or the end of one':
    'rule a { condition: "" matches /a*/ or "" matches /^$/ or "" matches /\\b/ } rule b { condition: "a" matches /$/ or "a" matches /(b|$)/ or "a" matches /b?\\b$/ } rule c { condition: "ab" matches /b*$/ and "ab" matches /(a|b*)$/ and "a" matches /^b*/ and "-" matches /\\b/ } rule d { condition: not "" matches /x*/ and "ab" matches /\\B/ and not "a" matches /\\B/ }',
  'lazy expressions that are nothing unless an end follows':
    'rule a { strings: $a = /b*?$/ $b = /x|_*?/ $c = /(x|_*?)y??/ condition: #b == 1 and #c == 1 and not $a } rule b { strings: $a = /[\\n]*?$/ condition: $a } rule c { strings: $a = /b|^(\\.id)*?/ condition: #a == 4 }',
  'loops over sets that name a string more than once':
    'rule a { strings: $a = "b" condition: for 2 of ($a, $a) : ($) } rule b { strings: $a = "b" $b = "zzz" condition: for 3 of ($a*, $a, $b, $a) : (# > 1 and @[1] < @[2]) } rule c { strings: $a = "b" condition: for 2 of ($a, $a) : ($ in (0..filesize) and not $ at 1) } rule d { strings: $a = "b" $b = "zzz" condition: for 3 of ($a, $b, $b) : ($) or for 2 of ($b, $b) : (not $) } rule e { strings: $a = "b" condition: for 2 of ($a, $a) : (# != 7 and ![1] != 2 and # == 3) }',
  'loops that want none of their items, and variables that are called like rules':
    'import "pe" rule a { strings: $a = "b" condition: for none of them : ($) and for 0 i in (1..3) : (i == 2) } rule b { strings: $a = "b" condition: not for none of ($a*) : (# > 1) or for 0 of ($a, $a) : ($) } rule c { condition: for none i in (5..1) : (true) or not for none i in (uint8(filesize)..2) : (true) } rule d { condition: for none i in (1..2) : (for 0 j in (i..2) : (i == j)) } rule e { condition: for none s in pe.sections : (true) } rule f { condition: for any f in (1..3) : (f == 2) } rule g { condition: for all a in (1..3) : (a < 4) and for any k, g in pe.version_info : (k == g) }',
  'functions that say whether, as numbers':
    'import "pe" import "math" import "console" rule a { condition: pe.is_dll() != 0 } rule b { condition: pe.is_dll() == 1 or pe.is_dll() == 0x2000 } rule c { condition: not (pe.is_dll() + 1 > 2) } rule d { condition: pe.is_pe != 0 } rule e { condition: 1 > pe.is_pe } rule f { condition: pe.is_32bit() & 1 == 1 and 0 == pe.is_64bit() } rule g { condition: not pe.is_32bit() != pe.is_64bit() } rule h { condition: math.in_range(math.entropy(0, filesize), 0.0, 8.0) != 0 } rule i { condition: not math.in_range(math.mean(filesize, 5), 0.0, 8.0) > 0 } rule j { condition: console.log("x") != 0 and console.hex(7) == 1 } rule k { condition: pe.exports("a") != 1 or not (pe.language(9) < 1) } rule l { condition: pe.imports("a.dll", "b") != 1 and pe.locale(1033) >= 0 }',
  'a second import and one that stands late':
    'import "pe" rule r { condition: true } import "pe" import "elf" rule s { condition: not pe.is_pe }',
  'carriage returns, tabs and no blanks at all':
    'rule r{\r\n\tstrings:\r\n\t\t$a="b"wide ascii\r\n\tcondition:\r\n\t\t$a and(filesize<9MB)or($a)}\r\n',
};

for (const [sample, bytes] of Object.entries(samples)) writeFileSync(join(folder, sample), bytes);

const said = new Map<string, Record<string, string[] | null>>();

/** Asks yara once for all engines, of each sample by itself: where it scans several, it keeps the entry point of the last. */
function debianSays(rules: string): Record<string, string[] | null> {
  let known = said.get(rules);
  if (known === undefined) {
    const rulesFile = join(folder, 'rules.yar');
    writeFileSync(rulesFile, rules);
    const names = Object.keys(samples);
    known = Object.fromEntries(names.map((sample) => [sample, debianMatches(rulesFile, join(folder, sample))]));
    said.set(rules, known);
  }
  return known;
}

for (const engine of engines) {
  describe(`older dialect in the ${engine.name} engine`, () => {
    for (const [name, rules] of Object.entries(cases)) {
      test(name, { ...systemTool('yara') }, () => {
        const matcher = matcherOf(engine, [{ id: name, rules }], 60_000);
        if ('error' in matcher) assert.fail(matcher.error);
        const theirs = debianSays(rules);
        for (const [sample, bytes] of Object.entries(samples)) {
          assert.notEqual(theirs[sample], null, 'yara does not take the rules');
          assert.deepEqual(matcher.match(bytes), theirs[sample], sample);
        }
      });
    }

    test('names and tags that repeat are told apart, and reported as they are written', () => {
      const rules =
        'rule r : a a { condition: filesize > 100 } rule r { condition: filesize < 100 } rule s { condition: r }';
      const matcher = matcherOf(engine, [{ id: 'rules', rules }], 60_000);
      if ('error' in matcher) assert.fail(matcher.error);
      assert.deepEqual(matcher.match(Buffer.alloc(10)), ['r', 's']);
      assert.deepEqual(matcher.match(Buffer.alloc(200)), ['r']);
    });

    test('a byte order mark at the beginning is no part of the rules', () => {
      const matcher = matcherOf(
        engine,
        [{ id: 'rules', rules: '\ufeffrule r { condition: entrypoint != 5 or true }' }],
        60_000,
      );
      if ('error' in matcher) assert.fail(matcher.error);
      assert.deepEqual(matcher.match(Buffer.alloc(10)), ['r']);
    });
  });
}
