// Models of the framework's fragments that are shown as dialogs. Knows no dialog's inside.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models } from '../../machine/model.ts';
import { callIfThere, each, nothing, type Reference, sideState } from '../model-parts.ts';
import { fragmentOf, managerOf, managerOfFragment, removeFragment } from './fragment-lives.ts';

const transactionType = 'Landroid/app/FragmentTransaction;';
const ends = 'Landroid/app/DialogFragment$1;';

interface DialogState {
  dialog: Reference;
  /** Whether its view stands in a dialog and not in the activity. */
  isDialog: boolean;
  isCancelable: boolean;
}

const dialogOf = (machine: Machine, fragment: HeapObject): DialogState =>
  sideState<DialogState>(machine, 'dialog-fragment', fragment, () => ({
    dialog: null,
    isDialog: true,
    isCancelable: true,
  }));

/** The dialog, made where there is none yet; null for a fragment in the activity's own screen. */
function dialogFor(machine: Machine, fragment: HeapObject): Reference {
  const state = dialogOf(machine, fragment);
  const { id, saved } = fragmentOf(machine, fragment);
  if (!state.isDialog || id !== 0) return null;
  if (state.dialog === null) {
    state.dialog = machine.call(
      fragment,
      'onCreateDialog(Landroid/os/Bundle;)Landroid/app/Dialog;',
      saved,
    ) as Reference;
    const told = machine.allocate(ends);
    told.native = fragment;
    if (state.dialog !== null) {
      const { dialog } = state;
      const on = (what: string) => `setOn${what}Listener(Landroid/content/DialogInterface$On${what}Listener;)V`;
      callIfThere(machine, dialog, on('Cancel'), told);
      callIfThere(machine, dialog, on('Dismiss'), told);
    }
  }
  return state.dialog;
}

function dismiss(machine: Machine, fragment: HeapObject): void {
  const state = dialogOf(machine, fragment);
  const { dialog } = state;
  const manager = managerOfFragment(machine, fragment);
  state.dialog = null;
  if (dialog !== null) machine.call(dialog, 'dismiss()V');
  if (manager !== null) removeFragment(machine, managerOf(manager), fragment);
}

export const dialogFragmentModels: Models = {
  [ends]: {
    implements: [
      'Landroid/content/DialogInterface$OnCancelListener;',
      'Landroid/content/DialogInterface$OnDismissListener;',
    ],
    methods: {
      'onCancel(Landroid/content/DialogInterface;)V': (machine, me, dialog: Reference) => {
        machine.call(me.native as HeapObject, 'onCancel(Landroid/content/DialogInterface;)V', dialog);
      },
      'onDismiss(Landroid/content/DialogInterface;)V': (machine, me, dialog: Reference) => {
        machine.call(me.native as HeapObject, 'onDismiss(Landroid/content/DialogInterface;)V', dialog);
      },
    },
  },
  'Landroid/app/DialogFragment;': {
    extends: 'Landroid/app/Fragment;',
    methods: {
      'show(!Landroid/app/FragmentManager;Ljava/lang/String;)V': (machine, me, manager: HeapObject, tag: Reference) => {
        const transaction = machine.call(manager, `beginTransaction()${transactionType}`) as HeapObject;
        machine.call(transaction, `add(Landroid/app/Fragment;Ljava/lang/String;)${transactionType}`, me, tag);
        machine.call(transaction, 'commit()I');
      },
      [`show(!${transactionType}Ljava/lang/String;)I`]: (machine, me, transaction: HeapObject, tag: Reference) => {
        machine.call(transaction, `add(Landroid/app/Fragment;Ljava/lang/String;)${transactionType}`, me, tag);
        return machine.call(transaction, 'commit()I');
      },
      'onCreateDialog(Landroid/os/Bundle;)Landroid/app/Dialog;': (machine, me) =>
        machine.construct(
          'Landroid/app/Dialog;',
          '<init>(Landroid/content/Context;)V',
          fragmentOf(machine, me).activity,
        ),
      'onActivityCreated(Landroid/os/Bundle;)V': (machine, me) => {
        const dialog = dialogFor(machine, me);
        const { view } = fragmentOf(machine, me);
        if (dialog !== null && view !== null) machine.call(dialog, 'setContentView(Landroid/view/View;)V', view);
      },
      'onGetLayoutInflater(Landroid/os/Bundle;)Landroid/view/LayoutInflater;': (machine, me) => {
        dialogFor(machine, me);
        return machine.call(fragmentOf(machine, me).activity!, 'getLayoutInflater()Landroid/view/LayoutInflater;');
      },
      'onStart()V': (machine, me) => {
        const { dialog } = dialogOf(machine, me);
        if (dialog !== null) machine.call(dialog, 'show()V');
      },
      'onDestroyView()V': (machine, me) => {
        const state = dialogOf(machine, me);
        const { dialog } = state;
        state.dialog = null;
        if (dialog !== null) machine.call(dialog, 'dismiss()V');
      },
      'getDialog()Landroid/app/Dialog;': (machine, me) => dialogOf(machine, me).dialog,
      'setCancelable(Z)V': (machine, me, isCancelable: number) => {
        dialogOf(machine, me).isCancelable = isCancelable !== 0;
      },
      'isCancelable()Z': (machine, me) => dialogOf(machine, me).isCancelable,
      'setShowsDialog(Z)V': (machine, me, isDialog: number) => {
        dialogOf(machine, me).isDialog = isDialog !== 0;
      },
      'getShowsDialog()Z': (machine, me) => dialogOf(machine, me).isDialog,
      'getTheme()I': () => 0,
      ...each(
        nothing,
        'setStyle(II)V',
        'onCancel(Landroid/content/DialogInterface;)V',
        'onDismiss(Landroid/content/DialogInterface;)V',
      ),
      ...each((machine, me) => dismiss(machine, me), 'dismiss()V', 'dismissAllowingStateLoss()V'),
    },
  },
};
