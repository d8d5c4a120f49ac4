// Views and what they hold: text, children, listeners, adapters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JavaObject, Phone, type Plain } from '../../../../../fixtures/dynamic/phone.ts';

const phone = new Phone();
const { make, context } = phone;

test('a TextView shows the text it was given, and an EditText lets it be changed', () => {
  const view = make('android.widget.TextView', context);
  assert.equal(String(view.call('getText')), '');
  view.call('setText(Ljava/lang/CharSequence;)V', 'shown');
  assert.equal(String(view.call('getText')), 'shown');
  assert.equal(view.call('length'), 5);
  const field = make('android.widget.EditText', context);
  field.call('setText(Ljava/lang/CharSequence;)V', 'ab');
  field.call('append(Ljava/lang/CharSequence;)V', 'c');
  assert.equal(String(field.call('getText()Landroid/text/Editable;')), 'abc');
});

test('a group holds its children in order, each once', () => {
  const group = make('android.widget.LinearLayout', context);
  const [first, second] = [make('android.widget.Button', context), make('android.widget.Button', context)];
  group.call('addView(Landroid/view/View;)V', first);
  group.call('addView(Landroid/view/View;I)V', second, 0);
  second.call('setId', 7);
  assert.equal(group.call('getChildCount'), 2);
  assert.equal(group.get('getChildAt', 0).object, second.object);
  assert.equal(group.get('findViewById', 7).object, second.object);
  assert.equal(group.call('findViewById', 8), null);
  assert.equal(first.get('getParent').object, group.object);
  assert.throws(() => group.call('addView(Landroid/view/View;)V', null), {
    message: /^java\.lang\.IllegalArgumentException/,
  });
  const other = make('android.widget.LinearLayout', context);
  assert.throws(() => other.call('addView(Landroid/view/View;)V', first), {
    message: /^java\.lang\.IllegalStateException: The specified child already has a parent/,
  });
  assert.equal(other.call('getChildCount'), 0);
  group.call('removeView', first);
  assert.equal(first.call('getParent'), null);
});

test('a click reaches the listener, and a tag stays', () => {
  const clicked: Plain[] = [];
  const listener = phone.implement('android.view.View$OnClickListener', {
    'onClick(Landroid/view/View;)V': (view) => {
      clicked.push((view as JavaObject).call('getTag()Ljava/lang/Object;'));
      return undefined;
    },
  });
  const button = make('android.widget.Button', context);
  button.call('setOnClickListener', listener);
  button.call('setTag(Ljava/lang/Object;)V', 'tag');
  assert.equal(button.call('performClick'), true);
  assert.deepEqual(clicked, ['tag']);
  assert.equal(make('android.widget.Button', context).call('performClick'), false);
});

test('an ArrayAdapter gives the items it was made of', () => {
  const adapter = make('android.widget.ArrayAdapter', context, 17367043, ['a', 'b']);
  assert.equal(adapter.call('getCount'), 2);
  assert.equal(adapter.call('getItem', 1), 'b');
  assert.equal(adapter.call('getPosition', 'b'), 1);
});

test('a CheckBox is switched, and visibility is kept', () => {
  const box = make('android.widget.CheckBox', context);
  assert.equal(box.call('isChecked'), false);
  box.call('toggle');
  assert.equal(box.call('isChecked'), true);
  box.call('setVisibility', 8);
  assert.equal(box.call('getVisibility'), 8);
});

test('a colour is read by its name or its digits', () => {
  assert.equal(phone.call('android.graphics.Color.parseColor', '#ff0000'), -65536);
  assert.equal(phone.call('android.graphics.Color.rgb', 1, 2, 3), -16711165 + 0);
  assert.throws(() => phone.call('android.graphics.Color.parseColor', 'no colour'), {
    message: /^java\.lang\.IllegalArgumentException/,
  });
});

test('gravity places what is smaller or larger than its room, start and end by the direction of the text', () => {
  const room = make('android.graphics.Rect', 10, 20, 110, 220);
  const placed = (gravity: number, direction: number): Plain => {
    const target = make('android.graphics.Rect');
    const rect = 'Landroid/graphics/Rect;';
    phone.call(`android.view.Gravity.apply(III${rect}${rect}I)V`, gravity, 30, 40, room, target, direction);
    return ['left', 'top', 'right', 'bottom'].map((name) => Number(phone.machine.getField(target.object, name)));
  };
  const [leftToRight, rightToLeft] = [0, 1];
  const [center, start, end, bottom, fill] = [0x11, 0x800003, 0x800005, 0x50, 0x77];
  assert.deepEqual(placed(center, leftToRight), [45, 100, 75, 140]);
  assert.deepEqual(placed(start | bottom, leftToRight), [10, 180, 40, 220]);
  assert.deepEqual(placed(start | bottom, rightToLeft), [80, 180, 110, 220]);
  assert.deepEqual(placed(end | bottom, rightToLeft), [10, 180, 40, 220]);
  assert.deepEqual(placed(fill, leftToRight), [10, 20, 110, 220]);
});

test('typefaces come from names, files and the builders of fonts, and know their style', () => {
  const named = phone.get(
    'android.graphics.Typeface.create(Ljava/lang/String;I)Landroid/graphics/Typeface;',
    'serif',
    3,
  );
  assert.deepEqual([named.call('isBold'), named.call('isItalic'), named.call('getStyle')], [true, true, 3]);
  const file = phone.get(
    'android.graphics.Typeface.createFromFile(Ljava/lang/String;)Landroid/graphics/Typeface;',
    '/a',
  );
  assert.equal(file.call('getStyle'), 0);
  const bold = phone.constant('android.graphics.Typeface', 'DEFAULT_BOLD') as JavaObject;
  assert.equal(bold.call('isBold'), true);
  const font = make('android.graphics.fonts.Font$Builder', make('java.io.File', '/a')).get('build');
  const family = make('android.graphics.fonts.FontFamily$Builder', font).get('build');
  const built = make('android.graphics.Typeface$CustomFallbackBuilder', family).get('build');
  assert.equal(built.className, 'android.graphics.Typeface');
});

test('a rectangle holds, meets and takes in others, and an empty one counts nothing', () => {
  const room = make('android.graphics.Rect', 10, 20, 110, 220);
  const inner = make('android.graphics.Rect', 10, 30, 50, 220);
  assert.equal(room.call('contains', inner), true);
  assert.equal(inner.call('contains', room), false);
  assert.equal(room.call('contains', 10, 20, 111, 30), false);
  assert.equal(make('android.graphics.Rect').call('contains', make('android.graphics.Rect')), false);
  assert.equal(room.call('intersects', 109, 0, 300, 21), true);
  assert.equal(room.call('intersect', 110, 0, 300, 300), false);
  assert.equal(room.call('toShortString'), '[10,20][110,220]');
  room.call('union', make('android.graphics.Rect', 500, 500, 500, 500));
  assert.equal(room.call('flattenToString'), '10 20 110 220');
  room.call('union', 0, 300);
  assert.equal(room.call('intersect', inner), true);
  assert.equal(room.call('flattenToString'), '10 30 50 220');
});

test('enums have all their constants, in the order in which apps count them', () => {
  const type = 'android.widget.ImageView$ScaleType';
  assert.equal((phone.call(`${type}.values`) as readonly Plain[]).length, 8);
  assert.equal(phone.get(`${type}.valueOf`, 'CENTER_CROP').call('ordinal'), 6);
});
