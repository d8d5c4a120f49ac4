// Attributes whose name, id, text and value contradict each other are read as Android reads them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readManifest } from '../../../../../server/engine/app/manifest/manifest.ts';
import { Findings } from '../../../../../server/engine/findings.ts';
import { parseBinaryXml } from '../../../../../server/engine/formats/axml/document.ts';
import {
  type AttributeSpec,
  attributeId,
  buildAxml,
  type ElementSpec,
  element,
} from '../../../../fixtures/axml-builder.ts';

const manifestOf = (attributes: AttributeSpec[], ...children: ElementSpec[]) =>
  readManifest(
    parseBinaryXml(
      buildAxml({
        name: 'manifest',
        attributes: [{ name: 'package', value: 'com.example' }, ...attributes],
        children: [{ name: 'application', children }],
      }),
      new Findings(),
    ),
    null,
    new Findings(),
  );

test('an attribute with the name of another and an id of its own is not taken for it', () => {
  const decoy = { name: 'android:versionName', value: 'decoy', id: attributeId('versionName') ^ 0x8000 };
  assert.equal(manifestOf([decoy]).versionName, '');
  assert.equal(manifestOf([decoy, { name: 'android:versionName', value: '1.0' }]).versionName, '1.0');
});

test('actions and categories are found by name and taken as written, which decides about the launcher', () => {
  const named = (tag: string, attribute: AttributeSpec): ElementSpec => ({ name: tag, attributes: [attribute] });
  const activity = (name: string, ...children: ElementSpec[]) =>
    element('activity', { 'android:name': name }, element('intent-filter', {}, ...children));
  const main = 'android.intent.action.MAIN';
  const launcher = 'android.intent.category.LAUNCHER';
  const { mainActivities, components } = manifestOf(
    [],
    activity(
      '.Written',
      named('action', { name: 'android:name', raw: main, value: 'typed' }),
      named('category', { name: 'android:name', raw: launcher, value: 'typed' }),
    ),
    activity(
      '.Typed',
      named('action', { name: 'android:name', raw: 'written', value: main }),
      named('category', { name: 'android:name', raw: launcher, value: launcher }),
    ),
    activity('.Referring', named('action', { name: 'android:name', value: { type: 1, data: 0x7f0b0012 } })),
  );
  assert.deepEqual(mainActivities, ['com.example.Written']);
  assert.deepEqual(
    components.map(({ intentFilters }) => intentFilters[0]!.actions),
    [[main], ['written'], ['@7F0B0012']],
  );
});
