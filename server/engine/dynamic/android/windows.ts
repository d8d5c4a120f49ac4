// Models of dialogs, menus, toasts and notifications. Knows no view's inside.

import { isElement } from '../../formats/axml/document.ts';
import type { HeapObject, Value } from '../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../machine/model.ts';
import { recorderOf } from '../report/recorder.ts';
import { appOf } from './app.ts';
import { handOver } from './delivery.ts';
import { inflate, inflaterFor } from './inflater.ts';
import {
  callIfThere,
  descriptorOf,
  each,
  flag,
  no,
  none,
  nothing,
  type Reference,
  self,
  stateOf,
  yes,
} from './model-parts.ts';
import { singleton } from './system-services.ts';
import { setRoot } from './view-layout.ts';
import { addChild, findById, viewOf } from './view-tree.ts';
import { frameOf, windowFor } from './window.ts';
import { readXml } from './xml-resources.ts';

// Dialogs.

interface DialogState {
  context: Reference;
  content: Reference;
  isShowing: boolean;
  readonly buttons: Map<number, Reference>;
  items: Reference;
  readonly listeners: Map<string, Reference>;
}

const dialogOf = (dialog: HeapObject): DialogState =>
  stateOf<DialogState>(dialog, () => ({
    context: null,
    content: null,
    isShowing: false,
    buttons: new Map(),
    items: null,
    listeners: new Map(),
  }));

function show(machine: Machine, dialog: HeapObject): undefined {
  const state = dialogOf(dialog);
  if (state.isShowing) return;
  state.isShowing = true;
  const app = appOf(machine);
  const prefix = `dialog#${app.numberOf(dialog)}`;
  callIfThere(machine, dialog, 'onCreate(Landroid/os/Bundle;)V', null);
  callIfThere(machine, dialog, 'onStart()V');
  if (state.content !== null) setRoot(machine, state.content, dialog);
  const shown = state.listeners.get('show') ?? null;
  if (shown !== null) machine.call(shown, 'onShow(Landroid/content/DialogInterface;)V', dialog);
  for (const [which, listener] of state.buttons) {
    if (listener === null) continue;
    app.listen(`${prefix} button${which}`, {
      kind: 'click',
      isReady: () => state.isShowing,
      fire: () => machine.call(listener, 'onClick(Landroid/content/DialogInterface;I)V', dialog, which),
    });
  }
  const { items } = state;
  if (items !== null) {
    app.listen(`${prefix} item`, {
      kind: 'click',
      isReady: () => state.isShowing,
      fire: () => {
        callIfThere(machine, items, 'onClick(Landroid/content/DialogInterface;I)V', dialog, 0);
        callIfThere(machine, items, 'onClick(Landroid/content/DialogInterface;IZ)V', dialog, 0, 1);
      },
    });
  }
  app.listen(`${prefix} cancel`, {
    kind: 'cancel',
    isReady: () => state.isShowing,
    fire: () => machine.call(dialog, 'cancel()V'),
  });
}

function dismiss(machine: Machine, dialog: HeapObject): undefined {
  const state = dialogOf(dialog);
  if (!state.isShowing) return;
  state.isShowing = false;
  if (state.content !== null) viewOf(state.content).owner = null;
  appOf(machine).unlistenAll(`dialog#${appOf(machine).numberOf(dialog)} `);
  const listener = state.listeners.get('dismiss') ?? null;
  if (listener !== null) machine.call(listener, 'onDismiss(Landroid/content/DialogInterface;)V', dialog);
}

const noteListener =
  (name: string): NativeMethod =>
  (_machine, me: HeapObject, listener: Reference) => {
    dialogOf(me).listeners.set(name, listener);
    return me;
  };

const withContext: NativeMethod = (_machine, me: HeapObject, context: Reference) => {
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

const contentById: NativeMethod = (machine, me: HeapObject, id: number) => {
  const { context } = dialogOf(me);
  machine.call(dialogWindow(machine, me), 'setContentView(I)V', context === null ? 0 : id);
};
const contentView: NativeMethod = (machine, me: HeapObject, view: Reference) => {
  machine.call(dialogWindow(machine, me), 'setContentView(Landroid/view/View;)V', view);
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
  'cancel()V': (machine, me: HeapObject) => {
    const listener = dialogOf(me).listeners.get('cancel') ?? null;
    if (listener !== null) machine.call(listener, 'onCancel(Landroid/content/DialogInterface;)V', me);
    dismiss(machine, me);
  },
  'isShowing()Z': (_machine, me: HeapObject) => flag(dialogOf(me).isShowing),
  'setContentView(I)V': contentById,
  'setContentView(Landroid/view/View;)V': contentView,
  'setContentView(Landroid/view/View;Landroid/view/ViewGroup$LayoutParams;)V': contentView,
  'setView(Landroid/view/View;)V': contentView,
  'findViewById(I)Landroid/view/View;': (machine, me: HeapObject, id: number) => {
    const { content } = dialogOf(me);
    return content === null ? null : findById(machine, content, id);
  },
  'getContext()Landroid/content/Context;': (_machine, me: HeapObject) => dialogOf(me).context,
  'getWindow()Landroid/view/Window;': dialogWindow,
  'getLayoutInflater()Landroid/view/LayoutInflater;': (machine, me: HeapObject) =>
    inflaterFor(machine, dialogOf(me).context ?? appOf(machine).application!),
  'getButton(I)Landroid/widget/Button;': (machine, me: HeapObject) =>
    machine.construct('Landroid/widget/Button;', '<init>(Landroid/content/Context;)V', dialogOf(me).context),
  'setOnShowListener(Landroid/content/DialogInterface$OnShowListener;)V': (
    machine,
    me: HeapObject,
    listener: Reference,
  ) => void noteListener('show')(machine, me, listener) as undefined,
  'setOnDismissListener(Landroid/content/DialogInterface$OnDismissListener;)V': (
    machine,
    me: HeapObject,
    listener: Reference,
  ) => void noteListener('dismiss')(machine, me, listener) as undefined,
  'setOnCancelListener(Landroid/content/DialogInterface$OnCancelListener;)V': (
    machine,
    me: HeapObject,
    listener: Reference,
  ) => void noteListener('cancel')(machine, me, listener) as undefined,
  ...Object.fromEntries(
    [
      ['Button', -1],
      ['Button2', -2],
      ['Button3', -3],
    ].map(([name, which]): [string, NativeMethod] => [
      `set${name}(Ljava/lang/CharSequence;Landroid/content/DialogInterface$OnClickListener;)V`,
      (_machine, me: HeapObject, _text: Reference, listener: Reference) => {
        dialogOf(me).buttons.set(which as number, listener);
      },
    ]),
  ),
  'setButton(ILjava/lang/CharSequence;Landroid/content/DialogInterface$OnClickListener;)V': (
    _machine,
    me: HeapObject,
    which: number,
    _text: Reference,
    listener: Reference,
  ) => {
    dialogOf(me).buttons.set(which, listener);
  },
  'requestWindowFeature(I)Z': yes,
  ...each(
    nothing,
    'onCreate(Landroid/os/Bundle;)V',
    'onStart()V',
    'onStop()V',
    'setTitle(Ljava/lang/CharSequence;)V',
    'setTitle(I)V',
    'setCancelable(Z)V',
    'setCanceledOnTouchOutside(Z)V',
    'setMessage(Ljava/lang/CharSequence;)V',
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
  (_machine, me: HeapObject, _text: Value, listener: Reference) => {
    dialogOf(me).buttons.set(which, listener);
    return me;
  };

const builderItems: NativeMethod = (_machine, me: HeapObject, ...args: Value[]) => {
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
  [`setView(Landroid/view/View;)${builderType}`]: (_machine, me: HeapObject, view: Reference) => {
    dialogOf(me).content = view;
    return me;
  },
  [`setView(I)${builderType}`]: (machine, me: HeapObject, id: number) => {
    const state = dialogOf(me);
    state.content = state.context === null ? null : inflate(machine, id, state.context, null);
    return me;
  },
  [`setOnCancelListener(Landroid/content/DialogInterface$OnCancelListener;)${builderType}`]: noteListener('cancel'),
  [`setOnDismissListener(Landroid/content/DialogInterface$OnDismissListener;)${builderType}`]: noteListener('dismiss'),
  ...each(
    self,
    ...[
      'setTitle(Ljava/lang/CharSequence;)',
      'setTitle(I)',
      'setMessage(Ljava/lang/CharSequence;)',
      'setMessage(I)',
      'setIcon(I)',
      'setIcon(Landroid/graphics/drawable/Drawable;)',
      'setCancelable(Z)',
      'setCustomTitle(Landroid/view/View;)',
      'setInverseBackgroundForced(Z)',
      'setOnKeyListener(Landroid/content/DialogInterface$OnKeyListener;)',
    ].map((name) => `${name}${builderType}`),
  ),
  'getContext()Landroid/content/Context;': (_machine, me: HeapObject) => dialogOf(me).context,
  'create()Landroid/app/AlertDialog;': create,
  'show()Landroid/app/AlertDialog;': (machine, me: HeapObject) => {
    const dialog = create(machine, me);
    show(machine, dialog);
    return dialog;
  },
};

// Menus.

interface MenuState {
  readonly items: HeapObject[];
}
interface ItemState {
  id: number;
  title: Reference;
  listener: Reference;
  intent: Reference;
  isVisible: boolean;
  isChecked: boolean;
  actionView: Reference;
  onClick: string | null;
}

export const menuOf = (menu: HeapObject): MenuState => stateOf<MenuState>(menu, () => ({ items: [] }));
export const menuItemOf = (item: HeapObject): ItemState =>
  stateOf<ItemState>(item, () => ({
    id: 0,
    title: null,
    listener: null,
    intent: null,
    isVisible: true,
    isChecked: false,
    actionView: null,
    onClick: null,
  }));

function addItem(machine: Machine, menu: HeapObject, id: number, title: Reference): HeapObject {
  const item = machine.allocate('Landroid/view/MenuItemImpl;');
  Object.assign(menuItemOf(item), { id, title });
  menuOf(menu).items.push(item);
  return item;
}

const itemStep =
  (apply?: (state: ItemState, value: Value) => void): NativeMethod =>
  (_machine, me: HeapObject, value: Value = null) => {
    apply?.(menuItemOf(me), value);
    return me;
  };

const itemType = 'Landroid/view/MenuItem;';
const itemMethods: NativeMethods = {
  'getItemId()I': (_machine, me: HeapObject) => menuItemOf(me).id,
  'getGroupId()I': no,
  'getOrder()I': no,
  'getTitle()Ljava/lang/CharSequence;': (_machine, me: HeapObject) => menuItemOf(me).title,
  'isVisible()Z': (_machine, me: HeapObject) => flag(menuItemOf(me).isVisible),
  'isEnabled()Z': yes,
  'isChecked()Z': (_machine, me: HeapObject) => flag(menuItemOf(me).isChecked),
  'isCheckable()Z': no,
  'hasSubMenu()Z': no,
  'getSubMenu()Landroid/view/SubMenu;': none,
  'getMenuInfo()Landroid/view/ContextMenu$ContextMenuInfo;': none,
  'getIntent()Landroid/content/Intent;': (_machine, me: HeapObject) => menuItemOf(me).intent,
  'getActionView()Landroid/view/View;': (_machine, me: HeapObject) => menuItemOf(me).actionView,
  [`setOnMenuItemClickListener(Landroid/view/MenuItem$OnMenuItemClickListener;)${itemType}`]: itemStep(
    (state, value) => {
      state.listener = value as Reference;
    },
  ),
  [`setIntent(Landroid/content/Intent;)${itemType}`]: itemStep((state, value) => {
    state.intent = value as Reference;
  }),
  [`setVisible(Z)${itemType}`]: itemStep((state, value) => {
    state.isVisible = value !== 0;
  }),
  [`setChecked(Z)${itemType}`]: itemStep((state, value) => {
    state.isChecked = value !== 0;
  }),
  [`setTitle(Ljava/lang/CharSequence;)${itemType}`]: itemStep((state, value) => {
    state.title = value as Reference;
  }),
  [`setActionView(Landroid/view/View;)${itemType}`]: itemStep((state, value) => {
    state.actionView = value as Reference;
  }),
  ...each(
    itemStep(),
    ...[
      'setTitle(I)',
      'setIcon(I)',
      'setIcon(Landroid/graphics/drawable/Drawable;)',
      'setEnabled(Z)',
      'setCheckable(Z)',
      'setAlphabeticShortcut(C)',
      'setTitleCondensed(Ljava/lang/CharSequence;)',
      'setActionView(I)',
    ].map((name) => `${name}${itemType}`),
  ),
  'setShowAsAction(I)V': nothing,
};

const menuMethods: NativeMethods = {
  [`add(Ljava/lang/CharSequence;)${itemType}`]: (machine, me: HeapObject, title: Reference) =>
    addItem(machine, me, 0, title),
  [`add(I)${itemType}`]: (machine, me: HeapObject) => addItem(machine, me, 0, null),
  [`add(IIILjava/lang/CharSequence;)${itemType}`]: (
    machine,
    me: HeapObject,
    _group: number,
    id: number,
    _order: number,
    title: Reference,
  ) => addItem(machine, me, id, title),
  [`add(IIII)${itemType}`]: (machine, me: HeapObject, _group: number, id: number) => addItem(machine, me, id, null),
  ...each(
    (machine, me: HeapObject) => {
      const menu = machine.allocate('Landroid/view/MenuImpl;');
      menu.native = menuOf(me);
      return menu;
    },
    'addSubMenu(Ljava/lang/CharSequence;)Landroid/view/SubMenu;',
    'addSubMenu(IIILjava/lang/CharSequence;)Landroid/view/SubMenu;',
    'addSubMenu(I)Landroid/view/SubMenu;',
  ),
  [`findItem(I)${itemType}`]: (_machine, me: HeapObject, id: number) =>
    menuOf(me).items.find((item) => menuItemOf(item).id === id) ?? null,
  [`getItem(I)${itemType}`]: (_machine, me: HeapObject, index: number) => menuOf(me).items[index] ?? null,
  'size()I': (_machine, me: HeapObject) => menuOf(me).items.length,
  'clear()V': (_machine, me: HeapObject) => {
    menuOf(me).items.length = 0;
  },
  'removeItem(I)V': (_machine, me: HeapObject, id: number) => {
    const { items } = menuOf(me);
    const at = items.findIndex((item) => menuItemOf(item).id === id);
    if (at >= 0) items.splice(at, 1);
  },
  'hasVisibleItems()Z': (_machine, me: HeapObject) => flag(menuOf(me).items.length > 0),
  ...each(
    nothing,
    'setGroupVisible(IZ)V',
    'setGroupEnabled(IZ)V',
    'setGroupCheckable(IZZ)V',
    'close()V',
    'setHeaderTitle(Ljava/lang/CharSequence;)V',
  ),
  'setHeaderTitle(Ljava/lang/CharSequence;)Landroid/view/ContextMenu;': self,
};

/** The view that a menu's item shows in the bar: of a class, or a layout. */
function actionView(machine: Machine, className: string | null, layout: number): Reference {
  const { front, application } = appOf(machine);
  const context = front?.object ?? application;
  if (className !== null && className !== '') {
    return machine.construct(descriptorOf(className), '<init>(Landroid/content/Context;)V', context);
  }
  if (layout === 0) return null;
  const inflater = singleton(machine, 'Landroid/view/LayoutInflater;');
  return machine.call(inflater, 'inflate(ILandroid/view/ViewGroup;)Landroid/view/View;', layout | 0, null) as Reference;
}

const inflateMenu: NativeMethod = (machine, _me: HeapObject, id: number, menu: HeapObject) => {
  const root = readXml(machine, id);
  if (root === null) return;
  for (const element of root.children.flatMap((child) =>
    isElement(child) ? [child, ...child.children.filter(isElement)] : [],
  )) {
    if (element.name !== 'item') continue;
    const attribute = (name: string) => element.attributes.find((each) => each.name === name);
    const item = addItem(
      machine,
      menu,
      (attribute('id')?.data ?? 0) | 0,
      machine.string(attribute('title')?.text ?? ''),
    );
    menuItemOf(item).onClick = attribute('onClick')?.text ?? null;
    menuItemOf(item).actionView = actionView(
      machine,
      attribute('actionViewClass')?.text ?? null,
      attribute('actionLayout')?.data ?? 0,
    );
  }
};

// Notifications.

const pendingSetters = (suffix: string): string[] =>
  [
    'setContentIntent(Landroid/app/PendingIntent;)',
    'setDeleteIntent(Landroid/app/PendingIntent;)',
    'setFullScreenIntent(Landroid/app/PendingIntent;Z)',
  ].map((name) => `${name}${suffix}`);

const notificationBuilder = 'Landroid/app/Notification$Builder;';

/** Pending intents of a notification wait in it; `notify` gives them to the system. */
const notePending: NativeMethod = (_machine, me: HeapObject, ...args: Value[]) => {
  const waiting = stateOf<HeapObject[]>(me, () => []);
  for (const arg of args) {
    if (arg === null || typeof arg !== 'object') continue;
    if (arg.cls.descriptor === 'Landroid/app/PendingIntent;') waiting.push(arg as HeapObject);
    else if (Array.isArray(arg.native)) waiting.push(...(arg.native as HeapObject[]));
  }
  return me;
};

const notify: NativeMethod = (machine, _me: HeapObject, ...args: Value[]) => {
  const notification = args.at(-1) as Reference;
  if (notification === null) return;
  recorderOf(machine).event('notification', 'showed a notification');
  const fields = ['contentIntent', 'deleteIntent', 'fullScreenIntent'].map(
    (name) => machine.getField(notification, name) as Reference,
  );
  const noted = Array.isArray(notification.native) ? (notification.native as HeapObject[]) : [];
  for (const pending of [...fields, ...noted]) handOver(machine, pending, 'notification');
};

export const windowModels: Models = {
  'Landroid/app/Dialog;': {
    implements: ['Landroid/content/DialogInterface;', 'Landroid/view/Window$Callback;'],
    methods: dialogMethods,
  },
  'Landroid/app/AlertDialog;': { extends: 'Landroid/app/Dialog;' },
  'Landroid/app/ProgressDialog;': {
    extends: 'Landroid/app/AlertDialog;',
    staticMethods: each(
      (machine, context: Reference) => {
        const dialog = machine.allocate('Landroid/app/ProgressDialog;');
        dialogOf(dialog).context = context;
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
  'Landroid/view/Menu;': { isInterface: true },
  'Landroid/view/SubMenu;': { isInterface: true, implements: ['Landroid/view/Menu;'] },
  'Landroid/view/ContextMenu;': { isInterface: true, implements: ['Landroid/view/Menu;'] },
  [itemType]: { isInterface: true },
  'Landroid/view/MenuImpl;': {
    implements: ['Landroid/view/SubMenu;', 'Landroid/view/ContextMenu;'],
    methods: menuMethods,
  },
  'Landroid/view/MenuItemImpl;': { implements: [itemType], methods: itemMethods },
  'Landroid/view/MenuInflater;': {
    methods: { 'inflate(ILandroid/view/Menu;)V': inflateMenu, '<init>(Landroid/content/Context;)V': nothing },
  },
  'Landroid/widget/Toast;': {
    methods: {
      ...each(
        nothing,
        '<init>(Landroid/content/Context;)V',
        'show()V',
        'cancel()V',
        'setGravity(III)V',
        'setDuration(I)V',
        'setText(Ljava/lang/CharSequence;)V',
        'setText(I)V',
      ),
      'setView(Landroid/view/View;)V': nothing,
      'getView()Landroid/view/View;': none,
    },
    staticMethods: each(
      (machine) => machine.allocate('Landroid/widget/Toast;'),
      'makeText(Landroid/content/Context;Ljava/lang/CharSequence;I)Landroid/widget/Toast;',
      'makeText(Landroid/content/Context;II)Landroid/widget/Toast;',
    ),
  },
  'Landroid/app/NotificationManager;': {
    methods: {
      'notify(ILandroid/app/Notification;)V': notify,
      'notify(Ljava/lang/String;ILandroid/app/Notification;)V': notify,
      ...each(
        nothing,
        'cancel(I)V',
        'cancel(Ljava/lang/String;I)V',
        'cancelAll()V',
        'createNotificationChannel(Landroid/app/NotificationChannel;)V',
      ),
      'areNotificationsEnabled()Z': yes,
    },
  },
  'Landroid/app/Notification;': {
    implements: ['Landroid/os/Parcelable;'],
    methods: {
      '<init>()V': nothing,
      '<init>(ILjava/lang/CharSequence;J)V': nothing,
      'setLatestEventInfo(Landroid/content/Context;Ljava/lang/CharSequence;Ljava/lang/CharSequence;Landroid/app/PendingIntent;)V':
        (machine, me: HeapObject, ...args: Value[]) => void notePending(machine, me, ...args) as undefined,
    },
    fields: [
      'contentIntent:Landroid/app/PendingIntent;',
      'deleteIntent:Landroid/app/PendingIntent;',
      'fullScreenIntent:Landroid/app/PendingIntent;',
      'flags:I',
      'icon:I',
      'defaults:I',
      'number:I',
      'priority:I',
      'when:J',
      'contentView:Landroid/widget/RemoteViews;',
      'tickerText:Ljava/lang/CharSequence;',
      'vibrate:[J',
      'ledARGB:I',
      'ledOnMS:I',
      'ledOffMS:I',
      'sound:Landroid/net/Uri;',
      'extras:Landroid/os/Bundle;',
    ],
  },
  [notificationBuilder]: {
    methods: {
      ...each(nothing, '<init>(Landroid/content/Context;)V', '<init>(Landroid/content/Context;Ljava/lang/String;)V'),
      ...each(
        notePending,
        ...pendingSetters(notificationBuilder),
        `addAction(ILjava/lang/CharSequence;Landroid/app/PendingIntent;)${notificationBuilder}`,
        `addAction(Landroid/app/Notification$Action;)${notificationBuilder}`,
      ),
      ...each(
        self,
        ...[
          'setContentTitle(Ljava/lang/CharSequence;)',
          'setContentText(Ljava/lang/CharSequence;)',
          'setTicker(Ljava/lang/CharSequence;)',
          'setSmallIcon(I)',
          'setAutoCancel(Z)',
          'setOngoing(Z)',
          'setWhen(J)',
          'setPriority(I)',
          'setDefaults(I)',
          'setLargeIcon(Landroid/graphics/Bitmap;)',
          'setChannelId(Ljava/lang/String;)',
          'setNumber(I)',
          'setStyle(Landroid/app/Notification$Style;)',
          'setCategory(Ljava/lang/String;)',
          'setShowWhen(Z)',
          'setColor(I)',
          'setVibrate([J)',
          'setSound(Landroid/net/Uri;)',
          'setProgress(IIZ)',
          'setContent(Landroid/widget/RemoteViews;)',
          'setContentInfo(Ljava/lang/CharSequence;)',
          'setOnlyAlertOnce(Z)',
          'setVisibility(I)',
        ].map((name) => `${name}${notificationBuilder}`),
      ),
      ...each(
        (machine, me: HeapObject) => {
          const notification = machine.allocate('Landroid/app/Notification;');
          notification.native = me.native;
          return notification;
        },
        'build()Landroid/app/Notification;',
        'getNotification()Landroid/app/Notification;',
      ),
    },
  },
  'Landroid/app/Notification$Action;': {
    methods: {
      '<init>(ILjava/lang/CharSequence;Landroid/app/PendingIntent;)V': (machine, me: HeapObject, ...args: Value[]) =>
        void notePending(machine, me, ...args) as undefined,
    },
  },
  'Landroid/app/Notification$Action$Builder;': {
    methods: {
      '<init>(ILjava/lang/CharSequence;Landroid/app/PendingIntent;)V': (machine, me: HeapObject, ...args: Value[]) =>
        void notePending(machine, me, ...args) as undefined,
      '<init>(Landroid/graphics/drawable/Icon;Ljava/lang/CharSequence;Landroid/app/PendingIntent;)V': (
        machine,
        me: HeapObject,
        ...args: Value[]
      ) => void notePending(machine, me, ...args) as undefined,
      'build()Landroid/app/Notification$Action;': (machine, me: HeapObject) => {
        const action = machine.allocate('Landroid/app/Notification$Action;');
        action.native = me.native;
        return action;
      },
    },
  },
  'Landroid/widget/PopupWindow;': {
    methods: {
      ...each(
        (_machine, me: HeapObject, view: Reference) => {
          dialogOf(me).content = view;
          return undefined;
        },
        '<init>(Landroid/view/View;)V',
        '<init>(Landroid/view/View;II)V',
        '<init>(Landroid/view/View;IIZ)V',
        'setContentView(Landroid/view/View;)V',
      ),
      'getContentView()Landroid/view/View;': (_machine, me: HeapObject) => dialogOf(me).content,
      'isShowing()Z': (_machine, me: HeapObject) => {
        const { content } = dialogOf(me);
        return flag(content !== null && viewOf(content).owner === me);
      },
      ...each(
        (machine, me: HeapObject) => {
          const { content } = dialogOf(me);
          if (content !== null) setRoot(machine, content, me);
          return undefined;
        },
        'showAsDropDown(Landroid/view/View;)V',
        'showAsDropDown(Landroid/view/View;II)V',
        'showAsDropDown(Landroid/view/View;III)V',
        'showAtLocation(Landroid/view/View;III)V',
      ),
      'dismiss()V': (_machine, me: HeapObject) => {
        const { content } = dialogOf(me);
        if (content !== null) viewOf(content).owner = null;
      },
    },
  },
};
