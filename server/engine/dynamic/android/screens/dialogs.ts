// Models of dialogs and popup windows. Knows no view's inside.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { appOf } from '../components/app.ts';
import { callIfThere, each, flag, nothing, type Reference, self, stateOf, yes } from '../model-parts.ts';
import { inflate, inflaterFor } from '../views/inflater.ts';
import { setRoot } from '../views/view-layout.ts';
import { addChild, findById, viewOf } from '../views/view-tree.ts';
import { quoted, shownText } from '../views/view-words.ts';
import { frameOf, windowFor } from './window.ts';

interface DialogState {
  context: Reference;
  content: Reference;
  isShowing: boolean;
  title: string;
  message: string;
  readonly buttonTexts: Map<number, string>;
  readonly buttons: Map<number, Reference>;
  readonly buttonViews: Map<number, HeapObject>;
  items: Reference;
  readonly listeners: Map<string, Reference>;
}

const dialogOf = (dialog: HeapObject): DialogState =>
  stateOf<DialogState>(dialog, () => ({
    context: null,
    content: null,
    isShowing: false,
    title: '',
    message: '',
    buttonTexts: new Map(),
    buttons: new Map(),
    buttonViews: new Map(),
    items: null,
    listeners: new Map(),
  }));

const openDialogs = (machine: Machine): Set<HeapObject> =>
  machine.state('android.dialogs', () => new Set<HeapObject>());

/** What stands on the dialogs on screen, oldest first; those of a closed activity went with it. */
export function shownDialogs(
  machine: Machine,
): { title: string; message: string; content: Reference; buttons: string[] }[] {
  const shown = openDialogs(machine);
  for (const dialog of shown) {
    const { context } = dialogOf(dialog);
    const isOfActivity = context !== null && machine.isInstance(context, 'Landroid/app/Activity;');
    if (isOfActivity && appOf(machine).recordOf(context) === null) shown.delete(dialog);
  }
  return [...shown].map((dialog) => {
    const { title, message, content, buttonTexts } = dialogOf(dialog);
    return { title, message, content, buttons: [...buttonTexts.values()] };
  });
}

/** Roots of the views of these. */
export const shownDialogViews = (machine: Machine): HeapObject[] =>
  shownDialogs(machine).flatMap(({ content }) => content ?? []);

function show(machine: Machine, dialog: HeapObject): undefined {
  const state = dialogOf(dialog);
  if (state.isShowing) return;
  state.isShowing = true;
  openDialogs(machine).add(dialog);
  const app = appOf(machine);
  const prefix = `dialog#${app.numberOf(dialog)}`;
  const name = `dialog${quoted(state.title === '' ? state.message : state.title)}`;
  callIfThere(machine, dialog, 'onCreate(Landroid/os/Bundle;)V', null);
  callIfThere(machine, dialog, 'onStart()V');
  if (state.content !== null) setRoot(machine, state.content, dialog);
  tellShown(machine, state);
  const shown = state.listeners.get('show') ?? null;
  if (shown !== null) machine.call(shown, 'onShow(Landroid/content/DialogInterface;)V', dialog);
  for (const [which, listener] of state.buttons) {
    if (listener === null) continue;
    app.listen(`${prefix} button${which}`, {
      kind: 'click',
      about: () => `button${quoted(state.buttonTexts.get(which) ?? '')} of the ${name}`,
      isReady: () => state.isShowing,
      fire: () => machine.call(listener, 'onClick(Landroid/content/DialogInterface;I)V', dialog, which),
    });
  }
  const { items } = state;
  if (items !== null) {
    app.listen(`${prefix} item`, {
      kind: 'click',
      about: () => `the first choice of the ${name}`,
      isReady: () => state.isShowing,
      fire: () => {
        callIfThere(machine, items, 'onClick(Landroid/content/DialogInterface;I)V', dialog, 0);
        callIfThere(machine, items, 'onClick(Landroid/content/DialogInterface;IZ)V', dialog, 0, 1);
      },
    });
  }
  app.listen(`${prefix} cancel`, {
    kind: 'cancel',
    about: () => `the ${name}`,
    isReady: () => state.isShowing,
    fire: () => machine.call(dialog, 'cancel()V'),
  });
}

/** What a person reads on the dialog, in the time line. */
function tellShown(machine: Machine, { title, message, buttonTexts }: DialogState): void {
  const buttons = [...buttonTexts.values()].map((each) => `[${each}]`).join(' ');
  const said = [quoted(title), quoted(message), buttons === '' ? '' : ` ${buttons}`].join('');
  recorderOf(machine).event('dialog', `showed a dialog${said}`);
}

function dismiss(machine: Machine, dialog: HeapObject): undefined {
  const state = dialogOf(dialog);
  if (!state.isShowing) return;
  state.isShowing = false;
  openDialogs(machine).delete(dialog);
  if (state.content !== null) viewOf(state.content).owner = null;
  appOf(machine).unlistenAll(`dialog#${appOf(machine).numberOf(dialog)} `);
  const listener = state.listeners.get('dismiss') ?? null;
  if (listener !== null) machine.call(listener, 'onDismiss(Landroid/content/DialogInterface;)V', dialog);
}

/** Setters of listeners by their events; `returns` is nothing, or the builder that has them. */
const listenerSetters = (returns: string, ...events: string[]): NativeMethods =>
  Object.fromEntries(
    events.map((event): [string, NativeMethod] => [
      `setOn${event}Listener(Landroid/content/DialogInterface$On${event}Listener;)${returns}`,
      (_machine, me, listener: Reference) => {
        dialogOf(me).listeners.set(event.toLowerCase(), listener);
        return returns === 'V' ? undefined : me;
      },
    ]),
  );

const withContext: NativeMethod = (_machine, me, context: Reference) => {
  dialogOf(me).context = context;
};

/** The window of a dialog, what the dialog shows in it. */
function dialogWindow(machine: Machine, dialog: HeapObject): HeapObject {
  const state = dialogOf(dialog);
  const window = windowFor(machine, dialog, state.context ?? appOf(machine).application!);
  const { decor, content } = frameOf(machine, window);
  if (state.content !== decor) {
    if (state.content !== null) {
      viewOf(state.content).owner = null;
      addChild(content, state.content);
    }
    state.content = decor;
    if (state.isShowing) setRoot(machine, decor, dialog);
  }
  return window;
}

const contentById: NativeMethod = (machine, me, id: number) => {
  const { context } = dialogOf(me);
  machine.call(dialogWindow(machine, me), 'setContentView(I)V', context === null ? 0 : id);
};
const contentView: NativeMethod = (machine, me, view: Reference) => {
  machine.call(dialogWindow(machine, me), 'setContentView(Landroid/view/View;)V', view);
};

function setButton(
  machine: Machine,
  dialog: HeapObject,
  which: number,
  text: Reference | number,
  listener: Reference,
): undefined {
  const { buttons, buttonTexts } = dialogOf(dialog);
  buttons.set(which, listener);
  buttonTexts.set(which, shownText(machine, text));
}

const setTitle = (machine: Machine, dialog: HeapObject, text: Reference | number): undefined => {
  dialogOf(dialog).title = shownText(machine, text);
};
const setMessage = (machine: Machine, dialog: HeapObject, text: Reference | number): undefined => {
  dialogOf(dialog).message = shownText(machine, text);
};
/** A setter of a builder, which answers with the builder. */
const building =
  (set: (machine: Machine, me: HeapObject, text: Reference | number) => void): NativeMethod =>
  (machine, me, text: Reference | number) => {
    set(machine, me, text);
    return me;
  };

const dialogMethods: NativeMethods = {
  ...each(
    withContext,
    '<init>(Landroid/content/Context;)V',
    '<init>(Landroid/content/Context;I)V',
    '<init>(Landroid/content/Context;ZLandroid/content/DialogInterface$OnCancelListener;)V',
  ),
  'show()V': show,
  'dismiss()V': dismiss,
  'hide()V': dismiss,
  'cancel()V': (machine, me) => {
    const listener = dialogOf(me).listeners.get('cancel') ?? null;
    if (listener !== null) machine.call(listener, 'onCancel(Landroid/content/DialogInterface;)V', me);
    dismiss(machine, me);
  },
  'isShowing()Z': (_machine, me) => dialogOf(me).isShowing,
  'setContentView(I)V': contentById,
  'setContentView(Landroid/view/View;)V': contentView,
  'setContentView(Landroid/view/View;Landroid/view/ViewGroup$LayoutParams;)V': contentView,
  'setView(Landroid/view/View;)V': contentView,
  'findViewById(I)Landroid/view/View;': (machine, me, id: number) => {
    const { content } = dialogOf(me);
    return content === null ? null : findById(machine, content, id);
  },
  'getContext()Landroid/content/Context;': (_machine, me) => dialogOf(me).context,
  'getWindow()Landroid/view/Window;': dialogWindow,
  'getLayoutInflater()Landroid/view/LayoutInflater;': (machine, me) =>
    inflaterFor(machine, dialogOf(me).context ?? appOf(machine).application!),
  'getButton(I)Landroid/widget/Button;': (machine, me, which: number) => {
    const { buttons, buttonViews, context } = dialogOf(me);
    if (!buttons.has(which)) return null;
    const made = '<init>(Landroid/content/Context;)V';
    const view = buttonViews.get(which) ?? machine.construct('Landroid/widget/Button;', made, context);
    buttonViews.set(which, view);
    return view;
  },
  ...listenerSetters('V', 'Show', 'Dismiss', 'Cancel'),
  ...Object.fromEntries(
    [
      ['Button', -1],
      ['Button2', -2],
      ['Button3', -3],
    ].map(([name, which]): [string, NativeMethod] => [
      `set${name}(Ljava/lang/CharSequence;Landroid/content/DialogInterface$OnClickListener;)V`,
      (machine, me, text: Reference, listener: Reference) => setButton(machine, me, which as number, text, listener),
    ]),
  ),
  'setButton(ILjava/lang/CharSequence;Landroid/content/DialogInterface$OnClickListener;)V': setButton,
  'requestWindowFeature(I)Z': yes,
  ...each(setTitle, 'setTitle(Ljava/lang/CharSequence;)V', 'setTitle(I)V'),
  'setMessage(Ljava/lang/CharSequence;)V': setMessage,
  ...each(
    nothing,
    'onCreate(Landroid/os/Bundle;)V',
    'onStart()V',
    'onStop()V',
    'setCancelable(Z)V',
    'setCanceledOnTouchOutside(Z)V',
    'setIcon(I)V',
    'setProgressStyle(I)V',
    'setProgress(I)V',
    'setMax(I)V',
    'setIndeterminate(Z)V',
    'onBackPressed()V',
    'setOwnerActivity(Landroid/app/Activity;)V',
  ),
};

const builderType = 'Landroid/app/AlertDialog$Builder;';
const clickListener = 'Landroid/content/DialogInterface$OnClickListener;';

const button =
  (which: number): NativeMethod =>
  (machine, me, text: Reference | number, listener: Reference) => {
    setButton(machine, me, which, text, listener);
    return me;
  };

const builderItems: NativeMethod = (_machine, me, ...args: Value[]) => {
  dialogOf(me).items = (args.at(-1) ?? null) as Reference;
  return me;
};

const create = (machine: Machine, builder: HeapObject): HeapObject => {
  const dialog = machine.allocate('Landroid/app/AlertDialog;');
  dialog.native = { ...dialogOf(builder), isShowing: false };
  return dialog;
};

const builderMethods: NativeMethods = {
  ...each(withContext, '<init>(Landroid/content/Context;)V', '<init>(Landroid/content/Context;I)V'),
  ...Object.fromEntries(
    [
      ['Positive', -1],
      ['Negative', -2],
      ['Neutral', -3],
    ].flatMap(([name, which]) =>
      ['Ljava/lang/CharSequence;', 'I'].map((type) => [
        `set${name}Button(${type}${clickListener})${builderType}`,
        button(which as number),
      ]),
    ),
  ),
  ...each(
    builderItems,
    `setItems([Ljava/lang/CharSequence;${clickListener})${builderType}`,
    `setItems(I${clickListener})${builderType}`,
    `setAdapter(Landroid/widget/ListAdapter;${clickListener})${builderType}`,
    `setSingleChoiceItems([Ljava/lang/CharSequence;I${clickListener})${builderType}`,
    `setSingleChoiceItems(II${clickListener})${builderType}`,
    `setSingleChoiceItems(Landroid/widget/ListAdapter;I${clickListener})${builderType}`,
    `setMultiChoiceItems([Ljava/lang/CharSequence;[ZLandroid/content/DialogInterface$OnMultiChoiceClickListener;)${builderType}`,
    `setMultiChoiceItems(I[ZLandroid/content/DialogInterface$OnMultiChoiceClickListener;)${builderType}`,
  ),
  [`setView(Landroid/view/View;)${builderType}`]: (_machine, me, view: Reference) => {
    dialogOf(me).content = view;
    return me;
  },
  [`setView(I)${builderType}`]: (machine, me, id: number) => {
    const state = dialogOf(me);
    state.content = state.context === null ? null : inflate(machine, id, state.context, null);
    return me;
  },
  ...listenerSetters(builderType, 'Dismiss', 'Cancel'),
  ...each(building(setTitle), `setTitle(Ljava/lang/CharSequence;)${builderType}`, `setTitle(I)${builderType}`),
  ...each(building(setMessage), `setMessage(Ljava/lang/CharSequence;)${builderType}`, `setMessage(I)${builderType}`),
  ...each(
    self,
    ...[
      'setIcon(I)',
      'setIcon(Landroid/graphics/drawable/Drawable;)',
      'setCancelable(Z)',
      'setCustomTitle(Landroid/view/View;)',
      'setInverseBackgroundForced(Z)',
      'setOnKeyListener(Landroid/content/DialogInterface$OnKeyListener;)',
    ].map((name) => `${name}${builderType}`),
  ),
  'getContext()Landroid/content/Context;': (_machine, me) => dialogOf(me).context,
  'create()Landroid/app/AlertDialog;': create,
  'show()Landroid/app/AlertDialog;': (machine, me) => {
    const dialog = create(machine, me);
    show(machine, dialog);
    return dialog;
  },
};

export const dialogModels: Models = {
  'Landroid/app/Dialog;': {
    implements: ['Landroid/content/DialogInterface;', 'Landroid/view/Window$Callback;'],
    methods: dialogMethods,
  },
  'Landroid/app/AlertDialog;': { extends: 'Landroid/app/Dialog;' },
  'Landroid/app/ProgressDialog;': {
    extends: 'Landroid/app/AlertDialog;',
    staticMethods: each(
      (machine, context: Reference, title: Reference, message: Reference) => {
        const dialog = machine.allocate('Landroid/app/ProgressDialog;');
        dialogOf(dialog).context = context;
        setTitle(machine, dialog, title);
        setMessage(machine, dialog, message);
        show(machine, dialog);
        return dialog;
      },
      'show(Landroid/content/Context;Ljava/lang/CharSequence;Ljava/lang/CharSequence;)Landroid/app/ProgressDialog;',
      'show(Landroid/content/Context;Ljava/lang/CharSequence;Ljava/lang/CharSequence;Z)Landroid/app/ProgressDialog;',
      'show(Landroid/content/Context;Ljava/lang/CharSequence;Ljava/lang/CharSequence;ZZ)Landroid/app/ProgressDialog;',
    ),
  },
  [builderType]: { methods: builderMethods },
  'Landroid/content/DialogInterface;': { isInterface: true, abstractMethods: ['dismiss()V', 'cancel()V'] },
  [clickListener]: { isInterface: true, abstractMethods: ['onClick(Landroid/content/DialogInterface;I)V'] },
  'Landroid/widget/PopupWindow;': {
    methods: {
      ...each(
        (_machine, me, view: Reference) => {
          dialogOf(me).content = view;
        },
        '<init>(Landroid/view/View;)V',
        '<init>(Landroid/view/View;II)V',
        '<init>(Landroid/view/View;IIZ)V',
        'setContentView(Landroid/view/View;)V',
      ),
      'getContentView()Landroid/view/View;': (_machine, me) => dialogOf(me).content,
      'isShowing()Z': (_machine, me) => {
        const { content } = dialogOf(me);
        return flag(content !== null && viewOf(content).owner === me);
      },
      ...each(
        (machine, me) => {
          const { content } = dialogOf(me);
          if (content !== null) setRoot(machine, content, me);
        },
        'showAsDropDown(Landroid/view/View;)V',
        'showAsDropDown(Landroid/view/View;II)V',
        'showAsDropDown(Landroid/view/View;III)V',
        'showAtLocation(Landroid/view/View;III)V',
      ),
      'dismiss()V': (_machine, me) => {
        const { content } = dialogOf(me);
        if (content !== null) viewOf(content).owner = null;
      },
    },
  },
};
