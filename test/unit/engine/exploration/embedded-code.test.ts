// Code that an APK carries beside its own is read like the rest, and told apart.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classOf, codeOutline } from '../../../../server/engine/exploration/code-classes.ts';
import { searchCode } from '../../../../server/engine/exploration/code-search.ts';
import { searchJava } from '../../../../server/engine/exploration/java-search.ts';
import { javaOf } from '../../../../server/engine/exploration/java-source.ts';
import { OpenedApp } from '../../../../server/engine/exploration/opened-app.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { buildDex } from '../../../fixtures/dex-builder.ts';
import { buildZip, type ZipEntryPlan } from '../../../fixtures/zip-builder.ts';

const dexOf = (name: string) => buildDex({ classes: [{ descriptor: name }] });
const zipOf = (...entries: ZipEntryPlan[]) => buildZip({ entries });
const namesOf = (app: OpenedApp) =>
  codeOutline(app).dexes.map(({ name, is_embedded }) => [name, is_embedded ? 'embedded' : 'own']);

test('dex files in assets, under false names and in archives inside the APK are found by their content', () => {
  const payload = zipOf({ name: 'classes.dex', content: dexOf('Lpay/Load;') });
  const app = new OpenedApp(
    memorySource(
      zipOf(
        { name: 'assets/logo.png', content: dexOf('Lfalse/Name;') },
        { name: 'classes.dex', content: dexOf('Lapp/Main;') },
        { name: 'assets/payload.bin', content: payload },
        { name: 'res/raw/text', content: 'dex is a word' },
      ),
    ),
  );
  assert.deepEqual(namesOf(app), [
    ['classes.dex', 'own'],
    ['assets/logo.png', 'embedded'],
    ['assets/payload.bin!/classes.dex', 'embedded'],
  ]);
  assert.equal(classOf(app, { name: 'Lpay/Load;' }).dex, 'assets/payload.bin!/classes.dex');
  const { results } = searchCode(app, { q: 'Load', regex: false, case: false, offset: 0, limit: 10 });
  assert.ok(results.some(({ text }) => text === 'Lpay/Load;'));

  // One of them is listed and searched by itself.
  const packagesOf = (dex?: string) =>
    app
      .treeOf(dex)
      .level('', 0, 10)!
      .packages.map(({ name }) => name);
  assert.deepEqual(packagesOf('assets/payload.bin!/classes.dex'), ['pay']);
  assert.deepEqual(packagesOf(), ['app', 'false', 'pay']);
  const classesIn = (dex?: string) =>
    searchCode(app, { q: 'a', dex, kinds: 'class', regex: false, case: false, offset: 0, limit: 10 }).count;
  assert.deepEqual([classesIn(), classesIn('classes.dex')], [3, 1]);
  const filesIn = (dex?: string) =>
    searchJava(app, { q: 'class', dex, case: false, cursor: 0 }).results.map((one) => one.class);
  assert.deepEqual([filesIn().length, filesIn('assets/logo.png')], [3, ['Lfalse/Name;']]);
  assert.throws(() => packagesOf('classes2.dex'), { code: 'not-found' });
});

test("a class that the app and its payload define is first the app's own", () => {
  const app = new OpenedApp(
    memorySource(
      zipOf({ name: 'a.bin', content: dexOf('Lsame/Name;') }, { name: 'classes.dex', content: dexOf('Lsame/Name;') }),
    ),
  );
  assert.deepEqual(classOf(app, { name: 'Lsame/Name;' }).dexes, ['classes.dex', 'a.bin']);
});

test('archives in archives end at the third, and a cut payload is named with its reason', () => {
  let nested = zipOf({ name: 'classes.dex', content: dexOf('Ldeep/Code;') });
  for (let depth = 0; depth < 4; depth++) nested = zipOf({ name: `level${depth}.zip`, content: nested });
  const app = new OpenedApp(
    memorySource(
      zipOf(
        { name: 'classes.dex', content: dexOf('Lapp/Main;') },
        { name: 'assets/nested.zip', content: nested },
        { name: 'assets/cut.dex', content: dexOf('Lcut/Off;').subarray(0, 60) },
      ),
    ),
  );
  assert.deepEqual(namesOf(app), [['classes.dex', 'own']]);
  assert.deepEqual(
    codeOutline(app).unreadable.map(({ name }) => name),
    ['assets/cut.dex'],
  );
});

test('the Java source of a class is that of the dex that is asked for, also of a payload and of one that Android would not take', () => {
  const withField = (descriptor: string, name: string) =>
    buildDex({ classes: [{ descriptor, fields: [{ name, type: 'I', accessFlags: 1 }] }] });
  const app = new OpenedApp(
    memorySource(
      zipOf(
        { name: 'assets/load.bin', content: withField('Lsame/Name;', 'carried') },
        { name: 'classes.dex', content: withField('Lsame/Name;', 'first') },
        { name: 'classes2.dex', content: withField('Lsame/Name;', 'second') },
      ),
    ),
  );
  const sourceIn = (dex?: string) => javaOf(app, { class: 'Lsame/Name;', dex, whole: false }).source;
  assert.match(sourceIn(), /int first;/);
  assert.match(sourceIn('classes2.dex'), /int second;/);
  assert.match(sourceIn('assets/load.bin'), /int carried;/);
  assert.match(sourceIn('classes.dex'), /int first;/);
  assert.throws(() => sourceIn('classes3.dex'), { code: 'not-found' });
});
