// Sketches of real apps' code, and of the same code as an obfuscator writes it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeSketch } from '../../../../server/contract/engine/code-sketch.ts';
import { Findings } from '../../../../server/engine/findings.ts';
import { scanCode } from '../../../../server/engine/formats/dex/code-scan.ts';
import { openDex } from '../../../../server/engine/formats/dex/dex.ts';
import { CodeSketcher, type OwnCode } from '../../../../server/engine/similarity/code-sketch.ts';
import { knownMethods } from '../../../../server/engine/static/code-origins.ts';
import { apkDexes } from '../../../fixtures/apk-dexes.ts';
import { realApks } from '../../../fixtures/real-apks.ts';
import { renamedDexes } from '../../../fixtures/renamed-dex.ts';

function sketchOf(files: readonly Buffer[], ...ownCode: OwnCode): CodeSketch {
  const dexes = files.map((bytes) => openDex(bytes, new Findings(), 'classes.dex'));
  const sketcher = new CodeSketcher(knownMethods(), ownCode);
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
  assert.ok(common(given, renamed) >= 24, String(common(given, renamed)));
  const shrunk = sketchOf(renamedDexes(dexes, { seed: 4, without: 10 }).dexes);
  assert.ok(common(given, shrunk) >= 20, String(common(given, shrunk)));
});

test("appium's own code is own in appium's app; strangers that carry the same libraries have none of it", async () => {
  const settings = sketchOf(await dexesOf(realApks.settings));
  assert.ok(settings.methods > 100 && settings.methods < 300, String(settings.methods));
  const minicap = sketchOf(await dexesOf(realApks.minicap));
  assert.equal(common(settings, minicap), 0);
});

test('an app without code has an empty sketch', () => {
  const { methods, hashes, core, bands } = sketchOf([]);
  assert.deepEqual([methods, hashes.length, core, bands], [0, 0, null, []]);
});

test('the core is what stands where the manifest says, further code where that is too little', async () => {
  const dexes = await dexesOf(realApks.settings);
  const within = (folder: string) => (path: string) => path.startsWith(`io/appium/settings/${folder}`);
  const core = (...ownCode: OwnCode) => sketchOf(dexes, ...ownCode).core?.methods ?? null;
  const [whole, recorder, helpers] = [core(within('')), core(within('recorder/')), core(within('helpers/'))];
  assert.ok(whole! > 100 && recorder! > 20 && helpers! < 5, `${whole} ${recorder} ${helpers}`);
  assert.equal(core(within('helpers/'), within('recorder/')), helpers! + recorder!);
  assert.equal(core(within('recorder/'), within('helpers/')), recorder);
  assert.equal(core(within('stranger/')), null);
});
