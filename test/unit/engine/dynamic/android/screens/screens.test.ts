// Dialogs, menus and notifications: what they hold and what the user finds there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JavaObject, Phone, type Plain } from '../../../../../fixtures/dynamic/phone.ts';

const phone = new Phone();
const { make, context } = phone;

test('a dialog is shown until it is dismissed, which its listener hears', () => {
  const heard: Plain[] = [];
  const listener = phone.implement('android.content.DialogInterface$OnDismissListener', {
    'onDismiss(Landroid/content/DialogInterface;)V': () => {
      heard.push('gone');
      return undefined;
    },
  });
  const dialog = make('android.app.AlertDialog$Builder', context).get('show');
  dialog.call('setOnDismissListener', listener);
  assert.equal(dialog.call('isShowing'), true);
  dialog.call('dismiss');
  phone.wait(100);
  assert.equal(dialog.call('isShowing'), false);
  assert.deepEqual(heard, ['gone']);
});

test('a dialog has the buttons that it was given, each one view', () => {
  const builder = make('android.app.AlertDialog$Builder', context);
  builder.call(
    'setPositiveButton(Ljava/lang/CharSequence;Landroid/content/DialogInterface$OnClickListener;)Landroid/app/AlertDialog$Builder;',
    'OK',
    null,
  );
  const dialog = builder.get('show');
  assert.equal(dialog.get('getButton', -1).object, dialog.get('getButton', -1).object);
  assert.equal(dialog.call('getButton', -2), null);
});

test('what dialogs and toasts say stands in the time line', () => {
  const click = 'Landroid/content/DialogInterface$OnClickListener;';
  const builder = 'Landroid/app/AlertDialog$Builder;';
  make('android.app.AlertDialog$Builder', context)
    .get(`setTitle(Ljava/lang/CharSequence;)${builder}`, 'Your files')
    .get(`setMessage(Ljava/lang/CharSequence;)${builder}`, 'are encrypted')
    .get(`setPositiveButton(Ljava/lang/CharSequence;${click})${builder}`, 'Pay', null)
    .call('show');
  const makeText = 'makeText(Landroid/content/Context;Ljava/lang/CharSequence;I)Landroid/widget/Toast;';
  phone.get(`android.widget.Toast.${makeText}`, context, 'Thank you', 0).call('show');
  assert.deepEqual(
    phone.recorder.timeline
      .filter(({ category }) => category === 'dialog')
      .slice(-2)
      .map(({ summary }) => summary),
    ['showed a dialog "Your files" "are encrypted" [Pay]', 'showed a toast "Thank you"'],
  );
});

test('fragments are added by a transaction and found by their tag', () => {
  const manager = make('android.app.Activity').get('getFragmentManager');
  const fragment: JavaObject = make('android.app.Fragment');
  const transaction = manager.get('beginTransaction');
  transaction.call('add(Landroid/app/Fragment;Ljava/lang/String;)Landroid/app/FragmentTransaction;', fragment, 'tag');
  assert.equal(manager.call('findFragmentByTag', 'tag'), null);
  transaction.call('commit');
  manager.call('executePendingTransactions');
  assert.equal(manager.get('findFragmentByTag', 'tag').object, fragment.object);
});
