// Which code stands at bytes of a dex file, or uses the text that does. Knows no rule.
import type { CodeAt } from '../../contract/engine/code-at.ts';
import { type CodeRun, scanCode } from '../formats/dex/code-scan.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { instructionsOf } from '../formats/dex/instruction.ts';
import { ExplorationFault } from './fault.ts';
import { type OpenedApp, readable } from './opened-app.ts';

/** Longer texts are cut where they are shown and sought. */
const maxText = 1000;

const placeOf = (dex: Dex, classIndex: number, methodIndex: number, offset: number): CodeAt['place'] => ({
  class: dex.className(classIndex),
  dex: dex.where,
  method: `${dex.methodName(methodIndex)}${dex.methodDescriptor(methodIndex)}`,
  offset,
});

/** The instruction whose bytes these are. */
function instructionAt(dex: Dex, at: number): CodeAt['place'] {
  let place: CodeAt['place'] = null;
  const code: CodeRun = (classIndex, units, start, end, methodIndex) => {
    const sought = (at >> 1) - start;
    if (place !== null || sought < 0 || sought >= end - start) return;
    let offset = 0;
    for (const one of instructionsOf(units.subarray(start, end))) {
      if (one.at > sought) break;
      offset = one.at;
    }
    place = placeOf(dex, classIndex, methodIndex, offset);
  };
  scanCode(dex, { code }, () => undefined);
  return place;
}

/** Index of the text whose bytes these are; -1: they are none's. */
function stringAt({ bytes, stringOffsets }: Dex, at: number): number {
  let found = -1;
  for (const [index, offset] of stringOffsets.entries())
    if (offset <= at && (found < 0 || offset > stringOffsets[found]!)) found = index;
  if (found < 0) return -1;
  let start = stringOffsets[found]!;
  // Its length stands before it.
  while ((bytes[start] ?? 0) >= 0x80) start++;
  const end = bytes.indexOf(0, start + 1);
  return end >= 0 && at <= end ? found : -1;
}

/** The first instruction that loads a text. */
function firstLoad(dex: Dex, string: number): CodeAt['place'] {
  const strings = new Uint8Array(dex.stringOffsets.length);
  strings[string] = 1;
  let place: CodeAt['place'] = null;
  scanCode(dex, { strings }, (classIndex, methodIndex, _, at) => {
    place ??= placeOf(dex, classIndex, methodIndex, at);
  });
  return place;
}

/** @throws ExplorationFault `not-found` where the app has no such dex file */
export function codeAtOf(app: OpenedApp, { path, at }: { path: string; at: number }): CodeAt {
  const dexes = app.dexes.filter(({ where }) => where === path || where.startsWith(`${path}#`));
  if (dexes.length === 0) throw new ExplorationFault('not-found', 'the app has no such dex file');
  return readable(() => {
    for (const dex of dexes) {
      const place = instructionAt(dex, at);
      if (place !== null) return { place, text: null };
      const string = stringAt(dex, at);
      if (string >= 0) return { place: firstLoad(dex, string), text: dex.string(string).slice(0, maxText) };
    }
    return { place: null, text: null };
  });
}
