// Sketches of real apps' code, and of the same code as an obfuscator writes it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CodeSketch, sketchBands } from '../../../../server/contract/engine/code-sketch.ts';
import { Findings } from '../../../../server/engine/findings.ts';
import { scanCode } from '../../../../server/engine/formats/dex/code-scan.ts';
import { openDex } from '../../../../server/engine/formats/dex/dex.ts';
import { CodeSketcher } from '../../../../server/engine/similarity/code-sketch.ts';
import { knownMethods } from '../../../../server/engine/static/code-origins.ts';
import { apkDexes } from '../../../fixtures/apk-dexes.ts';
import { realApks } from '../../../fixtures/real-apks.ts';
import { renamedDexes } from '../../../fixtures/renamed-dex.ts';

function sketchOf(files: readonly Buffer[]): CodeSketch {
  const dexes = files.map((bytes) => openDex(bytes, new Findings(), 'classes.dex'));
  const sketcher = new CodeSketcher(knownMethods());
  for (const dex of dexes) scanCode(dex, { code: sketcher.reader(dex) }, () => undefined);
  return sketcher.sketch();
}
const dexesOf = async (path: string): Promise<Buffer[]> => [...(await apkDexes(path)).values()];
const common = (one: CodeSketch, other: CodeSketch): number =>
  one.bands.filter((band) => other.bands.includes(band)).length;

test("new names, another order of classes and a tenth of them left out leave most of an app's code as it was", async () => {
  const dexes = await dexesOf(realApks.apiDemos);
  const given = sketchOf(dexes);
  assert.ok(given.methods > 1000, String(given.methods));
  const renamed = sketchOf(renamedDexes(dexes, { seed: 3, isReversed: true }).dexes);
  assert.deepEqual(
    [renamed.methods, renamed.bands.slice(sketchBands)],
    [renamed.methods, given.bands.slice(sketchBands)],
  );
  const shrunk = sketchOf(renamedDexes(dexes, { seed: 4, without: 10 }).dexes);
  assert.ok(common(given, shrunk) >= 10, String(common(given, shrunk)));
});

test("appium's own code is own in appium's app; strangers that carry the same libraries have none of it", async () => {
  const settings = sketchOf(await dexesOf(realApks.settings));
  assert.ok(settings.methods > 100 && settings.methods < 300, String(settings.methods));
  const minicap = sketchOf(await dexesOf(realApks.minicap));
  const ofOwnCode = settings.bands.filter((band) => minicap.bands.slice(0, sketchBands).includes(band));
  assert.deepEqual(ofOwnCode, []);
  assert.ok(common(settings, minicap) < 10, String(common(settings, minicap)));
});

test('an app without code has an empty sketch', () => {
  const { methods, hashes, bands } = sketchOf([]);
  assert.deepEqual([methods, hashes.length, bands], [0, 0, []]);
});
