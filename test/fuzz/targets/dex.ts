// Fuzz target: walking every table, class, instruction, annotation and debug stream of a dex file.
import { Findings } from '../../../server/engine/findings.ts';
import { androguardNotation } from '../../../server/engine/formats/dex/androguard-notation.ts';
import { annotationsAt } from '../../../server/engine/formats/dex/annotations.ts';
import { classData, methodsOf } from '../../../server/engine/formats/dex/class-data.ts';
import { codeAt, tryBlocksOf } from '../../../server/engine/formats/dex/code-item.ts';
import { debugInfoOf } from '../../../server/engine/formats/dex/debug-info.ts';
import { type Dex, openDexContainer } from '../../../server/engine/formats/dex/dex.ts';
import { hiddenApiFlagsOf } from '../../../server/engine/formats/dex/hidden-api.ts';
import { instructionsOf } from '../../../server/engine/formats/dex/instruction.ts';
import { callSiteAt, methodHandleAt } from '../../../server/engine/formats/dex/method-handle.ts';
import { appClasses } from '../../../server/engine/static/code-origins.ts';
import { surveyCode } from '../../../server/engine/static/dex-survey.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { appEntries } from '../app-entries.ts';
import { builtDex } from '../built-inputs.ts';
import { dexFields } from '../fields.ts';
import type { FuzzTarget } from '../target.ts';

/** Enough to reach every table; a damaged count may announce millions. */
const most = 100;
/** Damaged instructions overlap, and print payloads again; no caller prints a file's methods all at once. */
const mostInstructions = 2000;
/** Directories of annotations: damaged ones may each be as long as the file. */
const mostDirectories = 10;

export const target: FuzzTarget = {
  subject: ['engine/formats/dex/', 'engine/static/dex-survey'],
  samples: () => [
    ...[realApks.unlock, realApks.unicodeIme].map((path) => appEntries(path).get('classes.dex')!),
    ...['classes2.dex', 'classes3.dex', 'classes4.dex'].map((name) => appEntries(realApks.uiautomator2Test).get(name)!),
  ],
  hotspots: () => [0x20, 0x38, 0x60],
  fields: dexFields,
  generate: builtDex,
  run(bytes) {
    // An entry that is stored in an archive may stand at any address.
    const odd = Buffer.concat([Buffer.alloc(1), bytes]).subarray(1);
    const findings = new Findings();
    const dexes = openDexContainer(odd, findings, 'classes.dex');
    for (const dex of dexes.slice(0, 3)) walk(dex);
    surveyCode(appClasses(dexes, 'com.example'), findings);
  },
};

function walk(dex: Dex): void {
  let instructions = 0;
  let directories = 0;
  const seen = new Set<number>();
  /** Damaged classes and methods share what they point to, which says the same each time. */
  const isNew = (offset: number) => !seen.has(offset) && seen.add(offset);
  const each = (count: number, visit: (index: number) => unknown) => {
    for (let index = 0; index < Math.min(count, most); index++) visit(index);
  };
  each(dex.stringCount + 2, (index) => dex.string(index));
  each(dex.typeCount + 2, (index) => dex.type(index));
  each(dex.protoCount + 2, (index) => dex.protoDescriptor(index));
  each(dex.fieldCount + 2, (index) => dex.field(index));
  each(dex.methodCount + 2, (index) => dex.method(index));
  each(8, (index) => [methodHandleAt(dex, index), callSiteAt(dex, index)]);
  each(dex.classCount, (index) => {
    const { annotationsOffset } = dex.classDef(index);
    if (isNew(annotationsOffset) && directories++ < mostDirectories) annotationsAt(dex, annotationsOffset);
    hiddenApiFlagsOf(dex, index);
    classData(dex, index);
    for (const { codeOffset } of methodsOf(dex, index).slice(0, most)) {
      const code = isNew(codeOffset) ? codeAt(dex, codeOffset) : null;
      if (code === null) continue;
      tryBlocksOf(dex, code);
      debugInfoOf(dex, code);
      for (const instruction of instructionsOf(code.units.subarray(0, 4096))) {
        if (instructions++ > mostInstructions) break;
        androguardNotation(dex, instruction);
      }
    }
  });
}
