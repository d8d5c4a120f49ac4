// Menus that open over a screen: of a thing that was held, beside a view, and of things that were chosen together.
// Whoever uses the app takes every entry once. Knows no view.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { callApp } from '../components/activity-life.ts';
import { appOf } from '../components/app.ts';
import { callIfThere, each, nothing, plain, type Reference, stateOf } from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';
import { allFragments } from './fragment-lives.ts';
import { chooseItem, menuItemOf, menuOf, newMenu } from './menus.ts';

const item = 'Landroid/view/MenuItem;';
const menuType = 'Landroid/view/Menu;';
const inflater = 'Landroid/view/MenuInflater;';
/** Entries taken of one menu. */
const maxEntries = 30;
/** `Window.FEATURE_CONTEXT_MENU` */
const contextMenuFeature = 6;

/**
 * Opens the context menu of a view and takes its entries.
 * @param fill adds the entries
 * @param info which row of a list was held; null for any other view
 */
export function openContextMenu(machine: Machine, info: Reference, fill: (menu: HeapObject) => void): void {
  const menu = newMenu(machine);
  fill(menu);
  for (const entry of menuOf(menu).items.slice(0, maxEntries)) {
    menuItemOf(entry).info = info;
    const screen = appOf(machine).front;
    if (screen === null) return;
    const { object, component } = screen;
    // An entry that fails does not keep the others from being taken.
    callApp(machine, component.name, () => chooseItem(machine, entry, () => offer(machine, object, entry)));
  }
}

/** The activity has an entry first, then its fragments. */
function offer(machine: Machine, activity: HeapObject, entry: HeapObject): void {
  const signature = `onContextItemSelected(${item})Z`;
  if (machine.call(activity, `onMenuItemSelected(I${item})Z`, contextMenuFeature, entry) !== 0) return;
  if (machine.call(activity, signature, entry) !== 0) return;
  allFragments(machine, activity).some((fragment) => machine.call(fragment, signature, entry) !== 0);
}

// Beside a view.

interface PopupState {
  readonly menu: HeapObject;
  listener: Reference;
  dismissed: Reference;
}

const popupOf = (machine: Machine, popup: HeapObject): PopupState =>
  stateOf<PopupState>(popup, () => ({ menu: newMenu(machine), listener: null, dismissed: null }));

const makePopup: NativeMethod = (machine, me) => void popupOf(machine, me);

/** Each entry can be touched once for each time that the menu is shown. */
const showPopup: NativeMethod = (machine, me) => {
  const app = appOf(machine);
  const { front } = app;
  const state = popupOf(machine, me);
  for (const entry of menuOf(state.menu).items.slice(0, maxEntries)) {
    const { title } = menuItemOf(entry);
    app.listen(`popup#${app.numberOf(entry)}`, {
      kind: 'click',
      about: () => `"${plain(machine, title)}" in a menu`,
      isOnce: true,
      isReady: () => app.front === front,
      isGone: () => front !== null && !app.activities.includes(front),
      fire: () => {
        const { listener, dismissed } = state;
        chooseItem(machine, entry, () => {
          if (listener !== null) callIfThere(machine, listener, `onMenuItemClick(${item})Z`, entry);
        });
        if (dismissed !== null) callIfThere(machine, dismissed, 'onDismiss(Landroid/widget/PopupMenu;)V', me);
      },
    });
  }
};

// Of things that were chosen together.

interface ModeState {
  readonly menu: HeapObject;
  readonly callback: HeapObject;
  tag: Reference;
  isOver: boolean;
}

const mode = 'Landroid/view/ActionMode;';
const callbackType = 'Landroid/view/ActionMode$Callback;';
/** Null of one that the app or a model without menus made. */
const modeOf = (me: HeapObject): ModeState | null => (me.native as ModeState | undefined) ?? null;

function finishMode(machine: Machine, me: HeapObject): void {
  const state = modeOf(me);
  if (state === null || state.isOver) return;
  state.isOver = true;
  callIfThere(machine, state.callback, `onDestroyActionMode(${mode})V`, me);
}

/** Starts the mode; null where the app does not want it after all. */
export function startActionMode(machine: Machine, callback: HeapObject): Reference {
  const app = appOf(machine);
  const { front } = app;
  const menu = newMenu(machine);
  const started = machine.allocate(mode);
  started.native = { menu, callback, tag: null, isOver: false } satisfies ModeState;
  if (machine.call(callback, `onCreateActionMode(${mode}${menuType})Z`, started, menu) === 0) return null;
  callIfThere(machine, callback, `onPrepareActionMode(${mode}${menuType})Z`, started, menu);
  for (const entry of menuOf(menu).items.slice(0, maxEntries)) {
    app.listen(`mode#${app.numberOf(entry)}`, {
      kind: 'click',
      about: () => `"${plain(machine, menuItemOf(entry).title)}" in the bar`,
      isOnce: true,
      isReady: () => app.front === front,
      isGone: () => front !== null && !app.activities.includes(front),
      fire: () => void callIfThere(machine, callback, `onActionItemClicked(${mode}${item})Z`, started, entry),
    });
  }
  return started;
}

const startsMode: NativeMethod = (machine, _me, callback: HeapObject) => startActionMode(machine, callback);

/** `startActionMode` as activities and views have it. */
export const startsActionMode = each(
  startsMode,
  `startActionMode(!${callbackType})${mode}`,
  `startActionMode(!${callbackType}I)${mode}`,
);

const keepListener: NativeMethod = (machine, me, listener: Reference) => {
  popupOf(machine, me).listener = listener;
};

export const popupMenuModels: Models = {
  'Landroid/widget/PopupMenu;': {
    methods: {
      ...each(
        makePopup,
        '<init>(Landroid/content/Context;Landroid/view/View;)V',
        '<init>(Landroid/content/Context;Landroid/view/View;I)V',
        '<init>(Landroid/content/Context;Landroid/view/View;III)V',
      ),
      [`getMenu()${menuType}`]: (machine, me) => popupOf(machine, me).menu,
      [`getMenuInflater()${inflater}`]: (machine) => singleton(machine, inflater),
      'inflate(I)V': (machine, me, id: number) => {
        machine.call(singleton(machine, inflater), `inflate(I${menuType})V`, id, popupOf(machine, me).menu);
      },
      'setOnMenuItemClickListener(Landroid/widget/PopupMenu$OnMenuItemClickListener;)V': keepListener,
      'setOnDismissListener(Landroid/widget/PopupMenu$OnDismissListener;)V': (machine, me, listener: Reference) => {
        popupOf(machine, me).dismissed = listener;
      },
      'show()V': showPopup,
      ...each(nothing, 'dismiss()V', 'setGravity(I)V', 'setForceShowIcon(Z)V'),
    },
  },
  'Landroid/widget/PopupMenu$OnMenuItemClickListener;': {
    isInterface: true,
    abstractMethods: [`onMenuItemClick(${item})Z`],
  },
  'Landroid/widget/PopupMenu$OnDismissListener;': {
    isInterface: true,
    abstractMethods: ['onDismiss(Landroid/widget/PopupMenu;)V'],
  },
  [callbackType]: {
    isInterface: true,
    abstractMethods: [
      `onCreateActionMode(${mode}${menuType})Z`,
      `onPrepareActionMode(${mode}${menuType})Z`,
      `onActionItemClicked(${mode}${item})Z`,
      `onDestroyActionMode(${mode})V`,
    ],
  },
  [mode]: {
    methods: {
      [`getMenu()${menuType}`]: (machine, me) => modeOf(me)?.menu ?? newMenu(machine),
      [`getMenuInflater()${inflater}`]: (machine) => singleton(machine, inflater),
      'finish()V': (machine, me) => finishMode(machine, me),
      'invalidate()V': nothing,
      'getTag()Ljava/lang/Object;': (_machine, me) => modeOf(me)?.tag ?? null,
      'setTag(Ljava/lang/Object;)V': (_machine, me, tag: Value) => {
        const state = modeOf(me);
        if (state !== null) state.tag = tag as Reference;
      },
      ...each(
        nothing,
        'setTitle(Ljava/lang/CharSequence;)V',
        'setTitle(I)V',
        'setSubtitle(Ljava/lang/CharSequence;)V',
        'setSubtitle(I)V',
        'setCustomView(Landroid/view/View;)V',
      ),
    },
  },
};
