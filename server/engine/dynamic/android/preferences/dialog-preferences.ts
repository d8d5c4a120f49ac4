// Models of preferences that ask in a dialog: texts, lists, and the app's own. Knows no screen.
import { referencesOf } from '../../java/values.ts';
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import {
  asString,
  callIfThere,
  each,
  elementsOf,
  flag,
  nothing,
  plain,
  type Reference,
  setOf,
  sideState,
} from '../model-parts.ts';
import { inflate } from '../views/inflater.ts';
import { viewOf } from '../views/view-tree.ts';
import { constructors } from './preference-models.ts';
import { mayChange, preferenceOf, preferenceType } from './preference-state.ts';
import { ownAttribute, ownReference, textsOf } from './preference-xml.ts';

const S = 'Ljava/lang/String;';
const C = 'Ljava/lang/CharSequence;';
const O = 'Ljava/lang/Object;';
const V = 'Landroid/view/View;';
const typedArray = 'Landroid/content/res/TypedArray;';
const builderType = 'Landroid/app/AlertDialog$Builder;';
const buttonListener = 'Landroid/content/DialogInterface$OnClickListener;';
const dialogType = 'Landroid/preference/DialogPreference;';
const choiceType = 'Landroid/preference/ListPreference$1;';
/** `DialogInterface.BUTTON_POSITIVE` and `BUTTON_NEGATIVE`. */
const positive = -1;
const negative = -2;

interface DialogState {
  title: Reference;
  message: Reference;
  layout: number;
  dialog: Reference;
  /** The button that closed it; a touch beside it counts as the negative one. */
  which: number;
}
const dialogOf = (machine: Machine, me: HeapObject): DialogState =>
  sideState<DialogState>(machine, 'dialog-preference', me, () => ({
    title: null,
    message: null,
    layout: 0,
    dialog: null,
    which: negative,
  }));

const sharedText = (machine: Machine, me: HeapObject, value: Reference | number): Reference =>
  typeof value === 'number'
    ? (machine.call(preferenceOf(machine, me).context, `getString(I)${S}`, value) as Reference)
    : value;

/** Shows the dialog as Android does, so that what an app overrides of it runs. */
const showDialog: NativeMethod = (machine, me) => {
  const state = dialogOf(machine, me);
  const { context, title } = preferenceOf(machine, me);
  if (context === null) return;
  state.which = negative;
  const builder = machine.construct(builderType, '<init>(Landroid/content/Context;)V', context);
  machine.call(builder, `setTitle(${C})${builderType}`, state.title ?? title);
  for (const [name, text] of [
    ['Positive', 'OK'],
    ['Negative', 'Cancel'],
  ])
    machine.call(builder, `set${name}Button(${C}${buttonListener})${builderType}`, machine.string(text!), me);
  const view = machine.call(me, `onCreateDialogView()${V}`) as Reference;
  if (view !== null) {
    machine.call(me, `onBindDialogView(${V})V`, view);
    machine.call(builder, `setView(${V})${builderType}`, view);
  } else machine.call(builder, `setMessage(${C})${builderType}`, state.message);
  machine.call(me, `onPrepareDialogBuilder(${builderType})V`, builder);
  const dialog = machine.call(builder, 'create()Landroid/app/AlertDialog;') as HeapObject;
  state.dialog = dialog;
  const onDismiss = 'setOnDismissListener(Landroid/content/DialogInterface$OnDismissListener;)V';
  machine.call(dialog, onDismiss, me);
  machine.call(dialog, 'show()V');
};

const dialogMethods: NativeMethods = {
  ...constructors((machine, me, _context, set) => {
    const state = dialogOf(machine, me);
    const [title, message] = [ownAttribute(machine, set, 'dialogTitle'), ownAttribute(machine, set, 'dialogMessage')];
    if (title !== null) state.title = machine.string(title);
    if (message !== null) state.message = machine.string(message);
    state.layout = ownReference(set, 'dialogLayout');
  }),
  'onClick()V': (machine, me) => {
    const { dialog } = dialogOf(machine, me);
    if (dialog !== null && machine.call(dialog, 'isShowing()Z') !== 0) return;
    machine.call(me, 'showDialog(Landroid/os/Bundle;)V', null);
  },
  'showDialog(Landroid/os/Bundle;)V': showDialog,
  'onClick(Landroid/content/DialogInterface;I)V': (machine, me, dialog: Reference, which: number) => {
    dialogOf(machine, me).which = which;
    if (dialog !== null) machine.call(dialog, 'dismiss()V');
  },
  'onDismiss(Landroid/content/DialogInterface;)V': (machine, me) => {
    const state = dialogOf(machine, me);
    state.dialog = null;
    machine.call(me, 'onDialogClosed(Z)V', flag(state.which === positive));
  },
  [`onCreateDialogView()${V}`]: (machine, me) => {
    const { layout } = dialogOf(machine, me);
    const { context } = preferenceOf(machine, me);
    return layout === 0 || context === null ? null : inflate(machine, layout, context, null);
  },
  'getDialog()Landroid/app/Dialog;': (machine, me) => dialogOf(machine, me).dialog,
  [`getDialogTitle()${C}`]: (machine, me) => dialogOf(machine, me).title,
  [`getDialogMessage()${C}`]: (machine, me) => dialogOf(machine, me).message,
  ...each(
    (machine, me, value: Reference | number) => {
      dialogOf(machine, me).title = sharedText(machine, me, value);
    },
    `setDialogTitle(${C})V`,
    'setDialogTitle(I)V',
  ),
  ...each(
    (machine, me, value: Reference | number) => {
      dialogOf(machine, me).message = sharedText(machine, me, value);
    },
    `setDialogMessage(${C})V`,
    'setDialogMessage(I)V',
  ),
  'setDialogLayoutResource(I)V': (machine, me, id: number) => {
    dialogOf(machine, me).layout = id;
  },
  'getDialogLayoutResource()I': (machine, me) => dialogOf(machine, me).layout,
  ...each(
    nothing,
    `onBindDialogView(${V})V`,
    `onPrepareDialogBuilder(${builderType})V`,
    'onDialogClosed(Z)V',
    'onActivityDestroy()V',
    `setPositiveButtonText(${C})V`,
    'setPositiveButtonText(I)V',
    `setNegativeButtonText(${C})V`,
    'setNegativeButtonText(I)V',
    'setDialogIcon(I)V',
    'setDialogIcon(Landroid/graphics/drawable/Drawable;)V',
  ),
};

const initialText: NativeMethod = (machine, _me, typed: HeapObject, index: number) =>
  machine.call(typed, `getString(I)${S}`, index);

// A text.

interface TextState {
  text: Reference;
  field: Reference;
}
const textOf = (machine: Machine, me: HeapObject): TextState =>
  sideState<TextState>(machine, 'text-preference', me, () => ({ text: null, field: null }));

const textMethods: NativeMethods = {
  ...constructors((machine, me, context, set) => {
    dialogMethods['<init>(Landroid/content/Context;Landroid/util/AttributeSet;)V']!(machine, me, context, set);
    if (context === null) return;
    const fieldOf = 'Landroid/widget/EditText;';
    textOf(machine, me).field =
      set === null
        ? machine.construct(fieldOf, '<init>(Landroid/content/Context;)V', context)
        : machine.construct(fieldOf, '<init>(Landroid/content/Context;Landroid/util/AttributeSet;)V', context, set);
  }),
  'getEditText()Landroid/widget/EditText;': (machine, me) => textOf(machine, me).field,
  [`getText()${S}`]: (machine, me) => textOf(machine, me).text,
  [`setText(${S})V`]: (machine, me, text: Reference) => {
    textOf(machine, me).text = text;
    machine.call(me, `persistString(${S})Z`, text);
  },
  [`onCreateDialogView()${V}`]: (machine, me) => {
    const { field, text } = textOf(machine, me);
    if (field !== null) viewOf(field).text = text;
    return field;
  },
  'onDialogClosed(Z)V': (machine, me, isTaken: number) => {
    const { field } = textOf(machine, me);
    if (isTaken === 0 || field === null) return;
    const typed = machine.call(field, 'getText()Landroid/text/Editable;') as Reference;
    const text = asString(machine, typed);
    if (mayChange(machine, me, text)) machine.call(me, `setText(${S})V`, text);
  },
  [`onGetDefaultValue(${typedArray}I)${O}`]: initialText,
  [`onSetInitialValue(Z${O})V`]: (machine, me, isStored: number, initial: Reference) => {
    const stored = `getPersistedString(${S})${S}`;
    machine.call(me, `setText(${S})V`, isStored === 0 ? initial : machine.call(me, stored, textOf(machine, me).text));
  },
};

// Lists.

interface ListState {
  entries: Reference;
  values: Reference;
  value: Reference;
  /** Of several, the values that are chosen. */
  chosen: Reference;
  /** What was touched in the dialog that is open; -1 for none. */
  touched: number;
}
const listOf = (machine: Machine, me: HeapObject): ListState =>
  sideState<ListState>(machine, 'list-preference', me, () => ({
    entries: null,
    values: null,
    value: null,
    chosen: null,
    touched: -1,
  }));

const arrayOf = (array: Reference): Reference[] => (array === null ? [] : referencesOf(array as JavaArray));

const indexOf = (machine: Machine, me: HeapObject, value: Reference): number =>
  value === null
    ? -1
    : arrayOf(listOf(machine, me).values).findIndex((each) => plain(machine, each) === plain(machine, value));

const listAttributes = constructors((machine, me, context, set) => {
  dialogMethods['<init>(Landroid/content/Context;Landroid/util/AttributeSet;)V']!(machine, me, context, set);
  const state = listOf(machine, me);
  state.entries = textsOf(machine, context, set, 'entries');
  state.values = textsOf(machine, context, set, 'entryValues');
});

/** A setter and getter of a list of texts, also by its resource. */
const texts = (name: string, field: 'entries' | 'values'): NativeMethods => ({
  [`get${name}()[${C}`]: (machine, me) => listOf(machine, me)[field],
  [`set${name}([${C})V`]: (machine, me, array: Reference) => {
    listOf(machine, me)[field] = array;
  },
  [`set${name}(I)V`]: (machine, me, id: number) => {
    const { context } = preferenceOf(machine, me);
    const resources = machine.call(context, 'getResources()Landroid/content/res/Resources;') as Reference;
    listOf(machine, me)[field] = machine.call(resources, `getTextArray(I)[${C}`, id) as Reference;
  },
});

const sharedListMethods: NativeMethods = {
  ...listAttributes,
  ...texts('Entries', 'entries'),
  ...texts('EntryValues', 'values'),
  [`findIndexOfValue(${S})I`]: indexOf,
};

const listMethods: NativeMethods = {
  ...sharedListMethods,
  [`getValue()${S}`]: (machine, me) => listOf(machine, me).value,
  [`getEntry()${C}`]: (machine, me) => {
    const { entries, value } = listOf(machine, me);
    return arrayOf(entries)[indexOf(machine, me, value)] ?? null;
  },
  [`setValue(${S})V`]: (machine, me, value: Reference) => {
    listOf(machine, me).value = value;
    machine.call(me, `persistString(${S})Z`, value);
  },
  'setValueIndex(I)V': (machine, me, index: number) => {
    const value = arrayOf(listOf(machine, me).values)[index];
    if (value !== undefined) machine.call(me, `setValue(${S})V`, asString(machine, value));
  },
  [`onPrepareDialogBuilder(${builderType})V`]: (machine, me, builder: HeapObject) => {
    const { entries, values, value } = listOf(machine, me);
    if (entries === null || values === null)
      throw machine.exception(
        'Ljava/lang/IllegalStateException;',
        'ListPreference requires an entries array and an entryValues array.',
      );
    listOf(machine, me).touched = -1;
    const choice = machine.allocate(choiceType);
    choice.native = me;
    const choose = `setSingleChoiceItems([${C}I${buttonListener})${builderType}`;
    machine.call(builder, choose, entries, indexOf(machine, me, value), choice);
  },
  'onDialogClosed(Z)V': (machine, me, isTaken: number) => {
    const { touched, values } = listOf(machine, me);
    const value = asString(machine, arrayOf(values)[touched]);
    if (isTaken === 0 || value === null) return;
    if (mayChange(machine, me, value)) machine.call(me, `setValue(${S})V`, value);
  },
  [`onGetDefaultValue(${typedArray}I)${O}`]: initialText,
  [`onSetInitialValue(Z${O})V`]: (machine, me, isStored: number, initial: Reference) => {
    const stored = `getPersistedString(${S})${S}`;
    machine.call(me, `setValue(${S})V`, isStored === 0 ? initial : machine.call(me, stored, listOf(machine, me).value));
  },
};

const severalMethods: NativeMethods = {
  ...sharedListMethods,
  'getValues()Ljava/util/Set;': (machine, me) => listOf(machine, me).chosen ?? setOf(machine, []),
  'setValues(Ljava/util/Set;)V': (machine, me, values: Reference) => {
    listOf(machine, me).chosen = values === null ? null : setOf(machine, elementsOf(machine, values));
    machine.call(me, 'persistStringSet(Ljava/util/Set;)Z', values);
  },
  // A person ticks all.
  'onDialogClosed(Z)V': (machine, me, isTaken: number) => {
    if (isTaken === 0) return;
    const all = setOf(machine, arrayOf(listOf(machine, me).values));
    if (mayChange(machine, me, all)) machine.call(me, 'setValues(Ljava/util/Set;)V', all);
  },
  [`onGetDefaultValue(${typedArray}I)${O}`]: (machine, _me, typed: HeapObject, index: number) => {
    const array = machine.call(typed, `getTextArray(I)[${C}`, index) as Reference;
    return array === null ? null : setOf(machine, arrayOf(array));
  },
  [`onSetInitialValue(Z${O})V`]: (machine, me, isStored: number, initial: Reference) => {
    const stored = 'getPersistedStringSet(Ljava/util/Set;)Ljava/util/Set;';
    machine.call(
      me,
      'setValues(Ljava/util/Set;)V',
      isStored === 0 ? initial : machine.call(me, stored, listOf(machine, me).chosen),
    );
  },
};

export const dialogPreferenceModels: Models = {
  [dialogType]: {
    extends: preferenceType,
    implements: [buttonListener, 'Landroid/content/DialogInterface$OnDismissListener;'],
    methods: dialogMethods,
  },
  'Landroid/preference/EditTextPreference;': { extends: dialogType, methods: textMethods },
  'Landroid/preference/ListPreference;': { extends: dialogType, methods: listMethods },
  'Landroid/preference/MultiSelectListPreference;': { extends: dialogType, methods: severalMethods },
  // What hears of a touch in the list: the next entry after the one that is set is taken, and the dialog closes.
  [choiceType]: {
    implements: [buttonListener],
    methods: {
      'onClick(Landroid/content/DialogInterface;I)V': (machine, me, dialog: Reference) => {
        const preference = me.native as HeapObject;
        const state = listOf(machine, preference);
        const count = arrayOf(state.values).length;
        state.touched = count === 0 ? -1 : (indexOf(machine, preference, state.value) + 1) % count;
        callIfThere(machine, preference, 'onClick(Landroid/content/DialogInterface;I)V', dialog, positive);
      },
    },
  },
};
