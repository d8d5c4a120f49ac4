import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { YaraEngine } from '../../server/engine/yara/engine.ts';
import { openNativeEngine } from '../../server/engine/yara/native-engine.ts';
import { openWasmEngine } from '../../server/engine/yara/wasm-engine.ts';
import { systemTool } from '../fixtures/system-tools.ts';
import { debianMatches } from './debian-yara.ts';
import { matcherOf } from './our-matches.ts';
import { generateBytes, generateRules, randomNumbers } from './rule-generator.ts';

const native = openNativeEngine();
const engines = [openWasmEngine(), ...(native === null ? [] : [native])];
const folder = mkdtempSync(join(tmpdir(), 'yara-differential-'));
after(() => rmSync(folder, { recursive: true }));

const known = new Map<string, string[] | null>();

/** Asks yara once for all engines. */
function debianMatchesOnce(seed: number, index: number, rulesFile: string, bytes: Uint8Array): string[] | null {
  const key = `${seed}/${index}`;
  if (!known.has(key)) {
    const file = join(folder, 'bytes');
    writeFileSync(file, bytes);
    known.set(key, debianMatches(rulesFile, file));
  }
  return known.get(key)!;
}

function ourMatches(engine: YaraEngine, rules: string, files: readonly Uint8Array[]): string[][] {
  const matcher = matcherOf(engine, { id: 'rules', rules }, 10_000);
  return 'error' in matcher ? assert.fail(`${matcher.error}\n${rules}`) : files.map((bytes) => matcher.match(bytes));
}

for (const engine of engines) {
  describe(`the ${engine.name} engine beside Debian's yara`, systemTool('yara'), () => {
    test('generated rules match the same bytes, neither more nor fewer', () => {
      for (let seed = 1; seed <= 40; seed++) {
        const random = randomNumbers(seed);
        const rules = generateRules(random, 12);
        const files = Array.from({ length: 5 }, () => generateBytes(random));
        const rulesFile = join(folder, 'rules.yar');
        writeFileSync(rulesFile, rules);
        const ours = ourMatches(engine, rules, files);
        for (const [index, bytes] of files.entries()) {
          const theirs = debianMatchesOnce(seed, index, rulesFile, bytes);
          assert.notEqual(theirs, null, `seed ${seed}: yara does not take the rules\n${rules}`);
          assert.deepEqual(ours[index], theirs, `seed ${seed}, bytes ${index}: ${bytes.toString('latin1')}\n${rules}`);
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
