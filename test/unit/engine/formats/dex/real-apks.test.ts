// The dex parser against what dexdump counts in real APKs.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { methodsOf } from '../../../../../server/engine/formats/dex/class-data.ts';
import { codeAt } from '../../../../../server/engine/formats/dex/code-item.ts';
import { scanCode } from '../../../../../server/engine/formats/dex/code-scan.ts';
import { openDex } from '../../../../../server/engine/formats/dex/dex.ts';
import { type Instruction, instructionsOf } from '../../../../../server/engine/formats/dex/instruction.ts';
import { checkStructure } from '../../../../../server/engine/formats/dex/structure.ts';
import { apkDexes } from '../../../../fixtures/apk-dexes.ts';
import { realApks } from '../../../../fixtures/real-apks.ts';
import golden from '../../../../golden/dex/dexdump-counts.json' with { type: 'json' };

/** The name that dexdump gives a payload. */
function dexdumpMnemonic({ opcode, payload }: Instruction): string {
  return payload === null ? opcode.mnemonic : payload.kind === 'array-data' ? 'array-data' : `${payload.kind}-data`;
}

for (const [apk, path] of Object.entries(realApks)) {
  test(`tables, methods and every instruction of ${apk} are those that dexdump finds, without a finding`, async () => {
    for (const [name, bytes] of await apkDexes(path)) {
      const findings = new Findings();
      const dex = openDex(bytes, findings, name);
      checkStructure(dex);
      const counts = scanCode(dex, {}, () => assert.fail('nothing is marked'));
      const digest = createHash('sha256');
      for (let index = 0; index < dex.classCount; index++) {
        for (const { codeOffset } of methodsOf(dex, index)) {
          for (const instruction of instructionsOf(codeAt(dex, codeOffset)?.units ?? new Uint16Array())) {
            digest.update(`${instruction.at.toString(16).padStart(4, '0')}: ${dexdumpMnemonic(instruction)}\n`);
          }
        }
      }
      const found = {
        strings: dex.stringCount,
        types: dex.typeCount,
        protos: dex.protoCount,
        fields: dex.fieldCount,
        methodIds: dex.methodCount,
        classes: counts.classes,
        methods: counts.methods,
        instructions: counts.instructions,
        sha256: digest.digest('hex'),
      };
      assert.deepEqual(found, golden[`${apk}/${name}` as keyof typeof golden], name);
      assert.deepEqual(findings.list(), []);
    }
  });
}
