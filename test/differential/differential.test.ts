import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { withCandidates } from '../../server/engine/yara/engines/candidate-engine.ts';
import type { YaraEngine } from '../../server/engine/yara/engines/engine.ts';
import { openNativeEngine } from '../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../server/engine/yara/engines/wasm-engine.ts';
import { systemTool } from '../fixtures/system-tools.ts';
import { debianMatchesIn } from './debian-yara.ts';
import { matcherOf } from './our-matches.ts';
import { generateBytes, generateRules, randomNumbers } from './rule-generator.ts';
import { generateSharingCase } from './sharing-rules.ts';

const native = openNativeEngine();
const engines: Record<string, YaraEngine> = {
  'the WebAssembly engine': openWasmEngine(),
  'the engine that scans candidates only': withCandidates(native ?? openWasmEngine()),
  ...(native === null ? {} : { 'the native engine': native }),
};
const folder = mkdtempSync(join(tmpdir(), 'yara-differential-'));
after(() => rmSync(folder, { recursive: true }));

/** As many as some seconds allow; any other range of them may be tried. */
const seeds = { from: 1, to: Number(process.env.DIFFERENTIAL_SEEDS ?? 25) };

interface GeneratedCase {
  seed: number;
  rulesets: string[];
  files: Buffer[];
  /** By the file's index. */
  theirs: string[][];
}

type Generate = (seed: number) => Pick<GeneratedCase, 'rulesets' | 'files'>;

const generated: Record<string, Generate> = {
  'generated rules match the same bytes, neither more nor fewer': (seed) => {
    const random = randomNumbers(seed);
    const rulesets = [generateRules(random, 12)];
    return { rulesets, files: Array.from({ length: 6 }, () => generateBytes(random)) };
  },
  'no generated rule hides what another finds by a string that both have': (seed) =>
    generateSharingCase(randomNumbers(seed)),
};

const cases = new Map<Generate, GeneratedCase[]>();

/** Asks yara once for all engines. */
function casesOf(generate: Generate): GeneratedCase[] {
  let known = cases.get(generate);
  if (known === undefined) {
    known = Array.from({ length: seeds.to - seeds.from + 1 }, (_, index) => caseOf(generate, seeds.from + index));
    cases.set(generate, known);
  }
  return known;
}

function caseOf(generate: Generate, seed: number): GeneratedCase {
  const { rulesets, files } = generate(seed);
  const bytesFolder = mkdtempSync(join(folder, 'bytes-'));
  const rulesFiles = rulesets.map((rules, index) => {
    const file = join(folder, `rules-${index}.yar`);
    writeFileSync(file, rules);
    return file;
  });
  for (const [index, bytes] of files.entries()) writeFileSync(join(bytesFolder, String(index)), bytes);
  const matches = debianMatchesIn(rulesFiles, bytesFolder);
  assert.notEqual(matches, null, `seed ${seed}: yara does not take the rules\n${rulesets.join('\n')}`);
  return { seed, rulesets, files, theirs: files.map((_, index) => matches!(String(index))) };
}

function ourMatches(engine: YaraEngine, rulesets: readonly string[], files: readonly Uint8Array[]): string[][] {
  const texts = rulesets.map((rules, index) => ({ id: String(index), rules }));
  const matcher = matcherOf(engine, texts, 60_000);
  if ('error' in matcher) assert.fail(`${matcher.error}\n${rulesets.join('\n')}`);
  return files.map((bytes) => matcher.match(bytes));
}

for (const [name, engine] of Object.entries(engines)) {
  describe(`${name} beside Debian's yara`, systemTool('yara'), () => {
    for (const [title, generate] of Object.entries(generated)) {
      test(title, () => {
        for (const { seed, rulesets, files, theirs } of casesOf(generate)) {
          const ours = ourMatches(engine, rulesets, files);
          for (const [index, bytes] of files.entries()) {
            const message = `seed ${seed}, bytes ${index}: ${bytes.toString('latin1')}\n${rulesets.join('\n// next\n')}`;
            assert.deepEqual(ours[index], theirs[index], message);
          }
        }
      });
    }

    test('a rule bounded by size or first bytes hides no match of another rule with the same string', () => {
      const rules = [
        'rule a { strings: $a = "needle" condition: uint32(0) == 0x04034b50 and $a }',
        'rule b { strings: $a = "needle" condition: $a }',
        'rule c { strings: $a = "needle" condition: filesize < 10 and $a }',
        'rule d { strings: $a = "needle" condition: $a and uint16be(0) == 0x4d5a }',
        'rule e { strings: $a = "needle" condition: filesize > 10000 and $a }',
      ].join('\n');
      assert.deepEqual(ourMatches(engine, [rules], [Buffer.from('some bytes with a needle')]), [['b']]);
    });
  });
}
