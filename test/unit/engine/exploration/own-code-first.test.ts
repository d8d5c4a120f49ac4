// The tree of packages and searches show what the app's authors wrote before what many apps have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchCode } from '../../../../server/engine/exploration/code-search.ts';
import { OpenedApp } from '../../../../server/engine/exploration/opened-app.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { buildAxml, element } from '../../../fixtures/axml-builder.ts';
import { buildDex } from '../../../fixtures/dex-builder.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

// `com.activeandroid` and `com.adobe.air` are packages of known libraries.
const classes = [
  'Lcom/activeandroid/Model;',
  'Lcom/adobe/air/Model;',
  'Lcom/other/Model;',
  'Lother/Model;',
  'Lzoo/app/Model;',
].map((descriptor) => ({ descriptor }));

const app = new OpenedApp(
  memorySource(
    buildZip({
      entries: [
        { name: 'AndroidManifest.xml', content: buildAxml(element('manifest', { package: 'zoo.app' })) },
        { name: 'classes.dex', content: buildDex({ classes }) },
      ],
    }),
  ),
);

test("the tree has the app's own package first and packages of known libraries alone last", () => {
  const below = (name: string) =>
    app.tree.level(name, 0, 10)!.packages.map((one) => [one.name, one.classes, one.is_library]);
  assert.deepEqual(below(''), [
    ['zoo', 1, false],
    ['com', 3, false],
    ['other', 1, false],
  ]);
  assert.deepEqual(below('com'), [
    ['com/other', 1, false],
    ['com/activeandroid', 1, true],
    ['com/adobe', 1, true],
  ]);
});

test('a search has hits of known libraries behind all others of their kind', () => {
  const { results } = searchCode(app, { q: 'Model', kinds: 'class', regex: false, case: false, offset: 0, limit: 10 });
  assert.deepEqual(
    results.map(({ text }) => text),
    ['Lcom/other/Model;', 'Lother/Model;', 'Lzoo/app/Model;', 'Lcom/activeandroid/Model;', 'Lcom/adobe/air/Model;'],
  );
});
