// What a person sees of a screen, and where.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pictureOf } from '../../../../../../server/engine/dynamic/android/screens/pictures.ts';
import { analyzeDynamic } from '../../../../../../server/engine/dynamic/driver/run.ts';
import { memorySource } from '../../../../../../server/vault/byte-source.ts';
import { type JavaObject, Phone } from '../../../../../fixtures/dynamic/phone.ts';
import { twinApk } from '../../../../../fixtures/dynamic/twins/twins.ts';

const phone = new Phone();
const { make, context } = phone;
const parameters = (kind: string, width: number, height: number) =>
  make(`android.widget.${kind}$LayoutParams`, width, height);
const add = (group: JavaObject, view: JavaObject, given: JavaObject) =>
  group.call('addView(Landroid/view/View;Landroid/view/ViewGroup$LayoutParams;)V', view, given);
const shown = (root: JavaObject) => pictureOf(phone.machine, root.object);

test('views stand below each other in a column, and beside each other in a row', () => {
  const column = make('android.widget.LinearLayout', context);
  column.call('setOrientation', 1);
  const label = make('android.widget.TextView', context);
  label.call('setText', 'Name');
  const field = make('android.widget.EditText', context);
  field.call('setText', 'Lena');
  add(column, label, parameters('LinearLayout', -2, -2));
  const row = make('android.widget.LinearLayout', context);
  add(column, row, parameters('LinearLayout', -1, 200));
  add(row, field, parameters('LinearLayout', 700, -2));
  const button = make('android.widget.Button', context);
  button.call('setText', 'Send');
  add(row, button, parameters('LinearLayout', -2, -2));
  const items = shown(column);
  assert.deepEqual(
    items.map(({ kind, text }) => [kind, text]),
    [
      ['text', 'Name'],
      ['field', 'Lena'],
      ['button', 'Send'],
    ],
  );
  const [first, second, third] = items;
  assert.equal(second!.y, first!.height);
  assert.deepEqual([second!.x, second!.width, third!.x, third!.y], [0, 700, 700, second!.y]);
});

test('what is invisible, and what has no place on the screen, is not seen', () => {
  const frame = make('android.widget.FrameLayout', context);
  for (const [visibility, top] of [
    [0, 0],
    [4, 0],
    [8, 0],
    [0, 9_000],
  ] as const) {
    const label = make('android.widget.TextView', context);
    label.call('setText', `label ${visibility} ${top}`);
    label.call('setVisibility', visibility);
    const given = parameters('FrameLayout', -2, -2);
    given.call('setMargins', 0, top, 0, 0);
    add(frame, label, given);
  }
  assert.deepEqual(
    shown(frame).map(({ text }) => text),
    ['label 0 0'],
  );
});

test('a run keeps its screens with what was typed, each look once', () => {
  const { dynamic } = analyzeDynamic(memorySource(twinApk('Typed')), { budget: { directedMilliseconds: 0 } });
  const looks = (dynamic.screens ?? []).map(({ component, items }) => ({
    component,
    items: items.map(({ kind, text = '', hint = '' }) => [kind, text, hint].join(' | ')),
  }));
  assert.equal(new Set(looks.map((look) => JSON.stringify(look))).size, looks.length);
  const login = looks.find(({ component }) => component === 'b.Typed');
  assert.deepEqual(login?.items, ['password | Sommer!2019 | Account password', 'text | Send | ']);
  assert.ok(looks.some(({ component }) => component === 'b.Typed$Vault'));
});
