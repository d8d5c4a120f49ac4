import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { analyzeDynamic } from '../../../../../server/engine/dynamic/driver/run.ts';
import { memorySource } from '../../../../../server/vault/byte-source.ts';
import { compileBehaviours } from '../../../../fixtures/dynamic/behaviours/compile.ts';
import { type TwinName, tagsOf, twinApk, twins } from '../../../../fixtures/dynamic/twins/twins.ts';
import { missingTools } from '../../../../fixtures/java-tools.ts';

const sentences: Record<TwinName, string> = {
  Holding: 'of arrays, lists, maps, fields and aliases only what holds the number tells it',
  Lives: 'what one callback reads tells another only where a phone calls them in that order',
  Between: 'of what components hand each other only what has the number tells it, and nothing made up does',
  Calling: 'listeners that were taken back, and fields that were cleared, tell nothing',
  Said: 'exceptions, dispatch, copies, reflection and threads carry what goes through them, and nothing else',
  Typed: 'what is typed is told by the screen that it was typed into',
  Real: 'whoever looks for an emulator finds a phone',
};

for (const name of Object.keys(twins) as TwinName[]) {
  test(sentences[name], () => {
    const { dynamic } = analyzeDynamic(memorySource(twinApk(name)), { budget: { directedMilliseconds: 0 } });
    const told = new Set(dynamic.log.filter(({ dataleak }) => dataleak !== undefined).map(({ tag }) => tag));
    const wanted = tagsOf(name).filter((tag) => tag.startsWith('dirty-'));
    assert.ok(wanted.length > 0);
    assert.deepEqual([...told].sort(), wanted, JSON.stringify(dynamic.crashes));
    assert.deepEqual(dynamic.unmodelled, []);
  });
}

test('a leak names the field that was typed into, and its path has no step of another flow', () => {
  const { dynamic } = analyzeDynamic(memorySource(twinApk('Typed')), { budget: { directedMilliseconds: 0 } });
  const flows = dynamic.dataleaks.map(({ sources = [], path }) => ({
    from: sources.map(({ place }) => place),
    steps: path.map((step) => step.replace('b.', '')).filter((step) => !step.includes('ambda')),
  }));
  const [login, vault] = ['field "Account password" of b.Typed', 'field "Key of the vault" of b.Typed$Vault'];
  const named = (place: string | undefined) => ['EditText.getText', place?.replace('b.', '')];
  assert.deepEqual(flows, [
    { from: [login], steps: [...named(login), 'Typed.mask', 'Typed.login', 'Twin.tell', 'Log.i'] },
    { from: [vault], steps: [...named(vault), 'Typed$Vault.reversed', 'Typed$Vault.open', 'Twin.tell', 'Log.i'] },
  ]);
});

test('the dex file is what javac and smali make of the twins', {
  skip: missingTools(),
}, async () => {
  const folder = join(import.meta.dirname, '../../../../fixtures/dynamic/twins');
  const made = await compileBehaviours(join(folder, 'programs'));
  assert.ok(made.equals(readFileSync(join(folder, 'twins.dex'))));
});
