// Smali as baksmali prints it, and as smali assembles it again.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { type Dex, openDex } from '../../../../../server/engine/formats/dex/dex.ts';
import { smaliOf } from '../../../../../server/engine/formats/dex/smali.ts';
import {
  smaliDouble,
  smaliFloat,
  smaliName,
  smaliString,
  smaliType,
} from '../../../../../server/engine/formats/dex/smali-literal.ts';
import { apkDexes } from '../../../../fixtures/apk-dexes.ts';
import { buildDex, type ClassSpec, type CodeSpec, uleb128 } from '../../../../fixtures/dex-builder.ts';
import { realApks } from '../../../../fixtures/real-apks.ts';
import { systemTool } from '../../../../fixtures/system-tools.ts';

const golden = join(import.meta.dirname, '../../../../golden/dex');

function open(bytes: Uint8Array): { dex: Dex; findings: Findings } {
  const findings = new Findings();
  return { dex: openDex(bytes, findings, 'classes.dex'), findings };
}

/** Blank lines and comments at the end of a line say nothing. */
const meaningOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/ {4}# .*$/, ''))
    .filter((line) => line !== '');

/** The code lines of the only method of a class. */
function bodyOf(code: CodeSpec): string[] {
  const { dex } = open(
    buildDex({ classes: [{ descriptor: 'LA;', methods: [{ name: 'm', descriptor: '()V', code }] }] }),
  );
  const lines = meaningOf(smaliOf(dex, 0));
  const start = lines.findIndex((line) => line.startsWith('    .registers'));
  return lines.slice(start + 1, lines.indexOf('.end method')).map((line) => line.slice(4));
}

test('a class with every kind of value, directive and reference prints as baksmali prints it', () => {
  const { dex, findings } = open(readFileSync(join(golden, 'everything.dex')));
  const expected = readFileSync(join(golden, 'everything.baksmali.smali'), 'utf8');
  assert.deepEqual(meaningOf(smaliOf(dex, 0)), meaningOf(expected));
  assert.deepEqual(findings.list(), []);
});

test('floats print in the digits that tell them from their neighbours', () => {
  assert.equal(smaliFloat(Math.fround(0.1)), '0.1f');
  assert.equal(smaliFloat(Math.fround(3.14159274)), '3.1415927f');
  assert.equal(smaliFloat(Math.fround(1e10)), '10000000000.0f');
  assert.equal(smaliFloat(2 ** -149), '1.0E-45f');
  assert.equal(smaliFloat(Number.NEGATIVE_INFINITY), '-Infinityf');
  assert.equal(smaliDouble(-0), '-0.0');
  assert.equal(smaliDouble(1e21), '1.0E21');
  assert.equal(smaliDouble(Number.MIN_VALUE), '5.0E-324');
  assert.equal(smaliDouble(Number.NaN), 'NaN');
});

test('no name or string can end the line it stands in', () => {
  assert.equal(smaliString('a\nb\r\u2028"\\\''), '"a\\nb\\r\\u2028\\"\\\\\\\'"');
  assert.equal(smaliName('a\n.end method'), '`a\\n.end method`');
  assert.equal(smaliType('Lcom/exam ple/A\n;'), 'Lcom/`exam ple`/`A\\n`;');
});

test('debug directives keep the order in which they are written', () => {
  // Line 9; parameters: none; local v0 "x":I; prologue end; line 10; epilogue; end and restart of v0; source file.
  const special = (line: number, address: number) => 0x0a + (line + 4) + address * 15;
  assert.deepEqual(
    bodyOf({
      units: [0, 0x0e],
      debug: [9, 0, 0x03, 0, 0, 0, 7, special(1, 0), 8, 5, 0, 6, 0, 9, 0, 2, 5, special(0, 1), 0],
    }),
    [
      '.local v0',
      '.prologue',
      '.line 10',
      '.epilogue',
      '.end local v0',
      '.restart local v0',
      '.source',
      'nop',
      '.line 15',
      'return-void',
    ],
  );
});

test('what smali cannot assemble stands in comments, at its place', () => {
  const lines = (code: CodeSpec) => {
    const { dex } = open(
      buildDex({ classes: [{ descriptor: 'LA;', methods: [{ name: 'm', descriptor: '()V', code }] }] }),
    );
    return smaliOf(dex, 0)
      .split('\n')
      .filter((line) => line.startsWith('    #'));
  };
  assert.deepEqual(lines({ units: [0x003e, 0x001a, 0xffff, 0x0100, 1, 0, 0, 0, 0, 0x0018, 7] }), [
    '    # invalid: unused-3e',
    '    # invalid: const-string v0, string@65535',
    '    # unused packed-switch data of 1 targets',
    '    # runs past the end of the code: const-wide v0, 0x7L',
  ]);
});

test('branches and try blocks that point into instructions or outside are put at the next one or the end', () => {
  assert.deepEqual(
    bodyOf({
      units: [0x0228, 0x0014, 1, 0, 0xf038, 0x7000, 0x0e],
      tries: [{ start: 2, count: 500, handler: 1 }],
      handlers: [1, 0, ...uleb128(3)],
    }),
    [
      'goto :goto_4',
      'const v0, 0x1',
      ':goto_4',
      ':try_start_4',
      'if-eqz v240, :cond_7',
      'return-void',
      ':try_end_7',
      '.catchall {:try_start_4 .. :try_end_7} :catchall_4',
      ':cond_7',
    ].flatMap((line) => (line === ':goto_4' ? [':catchall_4', ':goto_4'] : [line])),
  );
});

test('an annotation nested without end is cut, with a finding', () => {
  const deep = Array.from({ length: 5000 }, () => [0x1c, 1]).flat();
  const field = { name: 'f', type: 'I', accessFlags: 9 };
  const { dex, findings } = open(
    buildDex({ classes: [{ descriptor: 'LA;', fields: [field], staticValues: [1, ...deep] }] }),
  );
  assert.match(smaliOf(dex, 0), /\.field public static f:I = \{/);
  assert.ok(findings.has('dex-encoded-value'));
});

test('a class whose methods share one long code prints a bounded text, with a finding', () => {
  const code: CodeSpec = {
    units: (pool) => Array.from({ length: 2000 }, () => [0x001a, pool.string('x'.repeat(2000))]).flat(),
  };
  const methods = Array.from({ length: 40 }, (_, index) => ({ name: `m${index}`, descriptor: '()V', code }));
  const { dex, findings } = open(buildDex({ classes: [{ descriptor: 'LA;', methods }] }));
  assert.ok(smaliOf(dex, 0).length < 80_000_000);
  assert.ok(findings.has('dex-text-limit'));
});

test('a list of values that declares more than the file holds keeps those that are there', () => {
  const fields = ['a', 'b'].map((name) => ({ name, type: 'I', accessFlags: 9 }));
  const spec: ClassSpec = { descriptor: 'LA;', fields, staticValues: [...uleb128(0xffffffff), 0x04, 7, 0x05] };
  const { dex, findings } = open(buildDex({ classes: [spec] }));
  assert.match(smaliOf(dex, 0), /a:I = 0x7\n/);
  assert.ok(findings.has('dex-encoded-value'));
});

const java = systemTool('javac');
const skip =
  java.skip ||
  (existsSync('/usr/share/java/smali.jar') ? false : 'smali is not installed: apt-get install libsmali-java');
const run = (...words: string[]) => execFileSync('java', ['-cp', '/usr/share/java/*', ...words], { stdio: 'pipe' });

/** What baksmali makes of a dex file, by class, without the defaults that smali may leave out at the end of a list. */
function baksmali(dex: string, folder: string): string {
  run('org.jf.baksmali.Main', 'disassemble', '--api', '29', '-o', folder, dex);
  const text = execFileSync('sh', ['-c', 'find . -name "*.smali" | LC_ALL=C sort | xargs cat'], {
    cwd: folder,
    maxBuffer: 2 ** 28,
  });
  return text.toString('utf8').replace(/^(\.field .*) = (false|0x0[tsL]?|null|0\.0f?)$/gm, '$1');
}

test('every class of a real dex file and of one with everything assembles to an equivalent one', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'smali-'));
  const chosen = [...(await apkDexes(realApks.settings))].filter(([name]) => name === 'classes3.dex');
  for (const [name, bytes] of [...chosen, ['everything.dex', readFileSync(join(golden, 'everything.dex'))] as const]) {
    const { dex } = open(bytes);
    const original = join(folder, name);
    writeFileSync(original, bytes);
    const sources = join(folder, `${name}-smali`);
    for (let index = 0; index < dex.classCount; index++) {
      const path = join(sources, `${index}.smali`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, smaliOf(dex, index));
    }
    const assembled = join(folder, `again-${name}`);
    run('org.jf.smali.Main', 'assemble', '--api', '29', '-o', assembled, sources);
    assert.equal(baksmali(assembled, join(folder, `a-${name}`)), baksmali(original, join(folder, `b-${name}`)), name);
  }
  rmSync(folder, { recursive: true });
});
