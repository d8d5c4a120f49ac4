// Screens of settings: what an XML resource describes, and what a person does with it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installApp } from '../../../../../../server/engine/dynamic/android/components/app.ts';
import { Findings } from '../../../../../../server/engine/findings.ts';
import { parseResourceTable } from '../../../../../../server/engine/formats/arsc/resource-table.ts';
import { buildTable } from '../../../../../fixtures/arsc-builder.ts';
import { buildAxml, element } from '../../../../../fixtures/axml-builder.ts';
import { type JavaObject, Phone, type Plain } from '../../../../../fixtures/dynamic/phone.ts';

const settings = buildAxml(
  element(
    'PreferenceScreen',
    {},
    element(
      'PreferenceCategory',
      { 'android:title': 'Server' },
      element('CheckBoxPreference', { 'android:key': 'on', 'android:title': 'Send', 'android:defaultValue': true }),
      element('EditTextPreference', { 'android:key': 'host', 'android:title': 'Host', 'android:defaultValue': 'a.b' }),
    ),
    element('ListPreference', {
      'android:key': 'every',
      'android:title': 'Interval',
      'android:entries': { type: 1, data: 0x7f020000 },
      'android:entryValues': { type: 1, data: 0x7f020001 },
      'android:defaultValue': '60',
    }),
  ),
);
const headers = buildAxml(
  element(
    'preference-headers',
    {},
    element('header', { 'android:title': 'Sync', 'android:fragment': 'com.example.app.Sync' }),
    element('header', { 'android:title': 'About' }),
  ),
);
const files: Readonly<Record<string, Uint8Array>> = {
  'res/xml/settings.xml': settings,
  'res/xml/headers.xml': headers,
};
const numbers = (...all: number[]) => ({
  parent: 0,
  items: all.map((data, index) => ({ name: 0x02000000 + index, type: 0x10, data })),
});
const table = buildTable([
  {
    id: 0x7f,
    name: 'com.example.app',
    types: [
      {
        name: 'xml',
        entries: ['settings', 'headers'],
        values: [{ values: { 0: 'res/xml/settings.xml', 1: 'res/xml/headers.xml' } }],
      },
      {
        name: 'array',
        entries: ['minutes', 'seconds'],
        values: [{ values: { 0: numbers(1, 60), 1: numbers(60, 3600) } }],
      },
    ],
  },
]);
const settingsId = 0x7f010000;
const headersId = 0x7f010001;

/** An app with these resources, and a screen that shows its settings. */
function shownSettings(superclass = 'android.preference.PreferenceActivity') {
  const phone = new Phone();
  const app = installApp(phone.machine, {
    ...phone.app.plan,
    resources: parseResourceTable(table, new Findings()),
    readEntry: (name) => files[name] ?? null,
  });
  app.application = phone.context.object;
  const screen = phone.make(superclass);
  const touch = (title: string) => {
    const [found] = app.listeners(({ about }) => about?.().includes(title) === true);
    assert.ok(found !== undefined, `${title} can be touched`);
    found[1].fire();
    phone.wait(100);
  };
  const stored = (name: string): Plain => {
    const values = phone.get('android.preference.PreferenceManager.getDefaultSharedPreferences', phone.context);
    return values.get('getAll').call('get', name);
  };
  return { phone, app, screen, touch, stored };
}

test('settings of a resource are found by their names and have their default values, which are kept', () => {
  const { screen, stored } = shownSettings();
  screen.call('addPreferencesFromResource', settingsId);
  assert.equal(screen.get('findPreference', 'on').call('isChecked'), true);
  assert.equal(screen.get('findPreference', 'host').call('getText'), 'a.b');
  assert.equal(screen.get('findPreference', 'every').call('getEntry'), '1');
  assert.equal(screen.call('findPreference', 'else'), null);
  assert.deepEqual(['on', 'host', 'every'].map(stored), [true, 'a.b', '60']);
});

test('default values are set without a screen, and take no value away that is there', () => {
  const { phone, stored } = shownSettings();
  const preferences = phone.get('android.preference.PreferenceManager.getDefaultSharedPreferences', phone.context);
  preferences.get('edit').get('putString', 'host', 'own.example').call('apply');
  phone.call(
    'android.preference.PreferenceManager.setDefaultValues(Landroid/content/Context;IZ)V',
    phone.context,
    settingsId,
    false,
  );
  assert.deepEqual(['on', 'host'].map(stored), [true, 'own.example']);
});

test('a touch of a box asks the listener for changes, and changes what is kept only where that agrees', () => {
  const { phone, screen, touch, stored } = shownSettings();
  screen.call('addPreferencesFromResource', settingsId);
  const asked: Plain[] = [];
  let agrees = false;
  const listener = phone.implement('android.preference.Preference$OnPreferenceChangeListener', {
    'onPreferenceChange(Landroid/preference/Preference;Ljava/lang/Object;)Z': (_preference, value) => {
      asked.push(value);
      return agrees;
    },
  });
  screen.get('findPreference', 'on').call('setOnPreferenceChangeListener', listener);
  touch('Send');
  assert.equal(stored('on'), true);
  agrees = true;
  touch('Send');
  assert.equal(stored('on'), false);
  assert.deepEqual(asked, [false, false]);
});

test('a list shows its entries in a dialog, where another one is chosen', () => {
  const { screen, touch, stored } = shownSettings();
  screen.call('addPreferencesFromResource', settingsId);
  touch('Interval');
  touch('first choice');
  assert.equal(stored('every'), '3600');
});

test('what is typed into the dialog of a text is kept once OK is touched', () => {
  const { screen, touch, stored } = shownSettings();
  screen.call('addPreferencesFromResource', settingsId);
  touch('Host');
  screen.get('findPreference', 'host').get('getEditText').call('setText(Ljava/lang/CharSequence;)V', 'c.d');
  touch('"Cancel"');
  assert.equal(stored('host'), 'a.b');
  touch('Host');
  screen.get('findPreference', 'host').get('getEditText').call('setText(Ljava/lang/CharSequence;)V', 'c.d');
  touch('"OK"');
  assert.equal(stored('host'), 'c.d');
});

test('headings of a resource are touched by their titles', () => {
  const { phone, screen } = shownSettings();
  const list = phone.make('java.util.ArrayList');
  screen.call('loadHeadersFromResource', headersId, list);
  const titles = list.elements.map((header) => {
    const title = phone.machine.getField((header as JavaObject).object, 'title');
    return title === null ? null : phone.machine.toText(title as JavaObject['object']).text;
  });
  assert.deepEqual(titles, ['Sync', 'About']);
});
