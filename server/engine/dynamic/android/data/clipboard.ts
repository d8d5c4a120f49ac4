// Models of the clipboard: what the phone's owner copies, and what apps put there instead. Knows no view.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethods } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { appOf } from '../components/app.ts';
import { always, asString, each, none, plain, type Reference } from '../model-parts.ts';

const C = 'Ljava/lang/CharSequence;';
const dataType = 'Landroid/content/ClipData;';
const itemType = 'Landroid/content/ClipData$Item;';
const listenerType = 'Landroid/content/ClipboardManager$OnPrimaryClipChangedListener;';

/** What the owner copies, one after the other: a message, an account to pay to, the address of a purse. */
const copied = ['Treffen um sieben am Alex', 'DE02120300000000202051', '1LenaLorenzBerLinExampLeAddressXy'] as const;

interface Clipboard {
  clip: Reference;
  /** How often the owner has copied something. */
  copies: number;
}

const clipboard = (machine: Machine): Clipboard =>
  machine.state('android.clipboard', () => ({ clip: ownersClip(machine, 0), copies: 1 }));

function newClip(machine: Machine, text: Reference): HeapObject {
  const clip = machine.allocate(dataType);
  clip.native = { text: asString(machine, text) };
  return clip;
}

const ownersClip = (machine: Machine, index: number): HeapObject =>
  newClip(
    machine,
    machine.string(
      copied[index % copied.length]!,
      machine.source('TAINT_CLIPBOARD', 'ClipboardManager.getPrimaryClip'),
    ),
  );

const textOf = (clip: Reference): Reference => (clip?.native as { text: Reference } | undefined)?.text ?? null;

function put(machine: Machine, clip: Reference): undefined {
  clipboard(machine).clip = clip;
  recorderOf(machine).event('clipboard', `put in the clipboard: ${plain(machine, textOf(clip))}`);
}

const itemMethods: NativeMethods = {
  [`getText()${C}`]: (_machine, me) => textOf(me),
  [`coerceToText(Landroid/content/Context;)${C}`]: (_machine, me) => textOf(me),
  'getUri()Landroid/net/Uri;': none,
};

export const clipboardModels: Models = {
  'Landroid/text/ClipboardManager;': {},
  'Landroid/content/ClipboardManager;': {
    extends: 'Landroid/text/ClipboardManager;',
    methods: {
      [`getPrimaryClip()${dataType}`]: (machine) => clipboard(machine).clip,
      [`setPrimaryClip(${dataType})V`]: (machine, _me, clip: Reference) => put(machine, clip),
      'clearPrimaryClip()V': (machine) => {
        clipboard(machine).clip = null;
      },
      ...each((machine) => clipboard(machine).clip !== null, 'hasPrimaryClip()Z', 'hasText()Z'),
      [`getText()${C}`]: (machine) => textOf(clipboard(machine).clip) ?? machine.string(''),
      [`setText(${C})V`]: (machine, _me, text: Reference) => put(machine, newClip(machine, text)),
      [`addPrimaryClipChangedListener(${listenerType})V`]: (machine, _me, listener: Reference) => {
        if (listener === null) return;
        const app = appOf(machine);
        app.listen(`clipboard#${app.numberOf(listener)}`, {
          kind: 'clipboard',
          fire: () => {
            const state = clipboard(machine);
            for (let count = 0; count < copied.length; count++) {
              state.clip = ownersClip(machine, state.copies++);
              machine.call(listener, 'onPrimaryClipChanged()V');
            }
          },
        });
      },
      [`removePrimaryClipChangedListener(${listenerType})V`]: (machine, _me, listener: Reference) => {
        if (listener !== null) appOf(machine).unlisten(`clipboard#${appOf(machine).numberOf(listener)}`);
      },
    },
  },
  [listenerType]: { isInterface: true, abstractMethods: ['onPrimaryClipChanged()V'] },
  [dataType]: {
    implements: ['Landroid/os/Parcelable;'],
    staticMethods: {
      [`newPlainText(${C}${C})${dataType}`]: (machine, _label: Reference, text: Reference) => newClip(machine, text),
    },
    methods: {
      'getItemCount()I': always(1),
      [`getItemAt(I)${itemType}`]: (machine, me) => {
        const item = machine.allocate(itemType);
        item.native = me.native;
        return item;
      },
    },
  },
  [itemType]: { methods: itemMethods },
};
