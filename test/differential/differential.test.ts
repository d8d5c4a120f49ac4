import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { withCandidates } from '../../server/engine/yara/candidate-engine.ts';
import type { YaraEngine } from '../../server/engine/yara/engine.ts';
import { openNativeEngine } from '../../server/engine/yara/native-engine.ts';
import { openWasmEngine } from '../../server/engine/yara/wasm-engine.ts';
import { systemTool } from '../fixtures/system-tools.ts';
import { debianMatchesIn } from './debian-yara.ts';
import { matcherOf } from './our-matches.ts';
import { generateBytes, generateRules, randomNumbers } from './rule-generator.ts';

const native = openNativeEngine();
const engines: Record<string, YaraEngine> = {
  'the WebAssembly engine': openWasmEngine(),
  'the engine that scans candidates only': withCandidates(native ?? openWasmEngine()),
  ...(native === null ? {} : { 'the native engine': native }),
};
const folder = mkdtempSync(join(tmpdir(), 'yara-differential-'));
after(() => rmSync(folder, { recursive: true }));

/** As many as a quarter of a minute allows; any other range of them may be tried. */
const seeds = { from: 1, to: Number(process.env.DIFFERENTIAL_SEEDS ?? 60) };

interface GeneratedCase {
  seed: number;
  rules: string;
  files: Buffer[];
  /** By the file's index. */
  theirs: string[][];
}

let cases: GeneratedCase[] | null = null;

/** Asks yara once for all engines. */
function generatedCases(): GeneratedCase[] {
  if (cases !== null) return cases;
  cases = [];
  const bytesFolder = join(folder, 'bytes');
  mkdirSync(bytesFolder);
  const rulesFile = join(folder, 'rules.yar');
  for (let seed = seeds.from; seed <= seeds.to; seed++) {
    const random = randomNumbers(seed);
    const rules = generateRules(random, 12);
    const files = Array.from({ length: 6 }, () => generateBytes(random));
    writeFileSync(rulesFile, rules);
    for (const [index, bytes] of files.entries()) writeFileSync(join(bytesFolder, String(index)), bytes);
    const matches = debianMatchesIn(rulesFile, bytesFolder);
    assert.notEqual(matches, null, `seed ${seed}: yara does not take the rules\n${rules}`);
    cases.push({ seed, rules, files, theirs: files.map((_, index) => matches!(String(index))) });
  }
  return cases;
}

function ourMatches(engine: YaraEngine, rules: string, files: readonly Uint8Array[]): string[][] {
  const matcher = matcherOf(engine, { id: 'rules', rules }, 10_000);
  return 'error' in matcher ? assert.fail(`${matcher.error}\n${rules}`) : files.map((bytes) => matcher.match(bytes));
}

for (const [name, engine] of Object.entries(engines)) {
  describe(`${name} beside Debian's yara`, systemTool('yara'), () => {
    test('generated rules match the same bytes, neither more nor fewer', () => {
      for (const { seed, rules, files, theirs } of generatedCases()) {
        const ours = ourMatches(engine, rules, files);
        for (const [index, bytes] of files.entries()) {
          const message = `seed ${seed}, bytes ${index}: ${bytes.toString('latin1')}\n${rules}`;
          assert.deepEqual(ours[index], theirs[index], message);
        }
      }
    });

    test('a rule bounded by size or first bytes hides no match of another rule with the same string', () => {
      const rules = [
        'rule a { strings: $a = "needle" condition: uint32(0) == 0x04034b50 and $a }',
        'rule b { strings: $a = "needle" condition: $a }',
        'rule c { strings: $a = "needle" condition: filesize < 10 and $a }',
        'rule d { strings: $a = "needle" condition: $a and uint16be(0) == 0x4d5a }',
        'rule e { strings: $a = "needle" condition: filesize > 10000 and $a }',
      ].join('\n');
      assert.deepEqual(ourMatches(engine, rules, [Buffer.from('some bytes with a needle')]), [['b']]);
    });
  });
}
