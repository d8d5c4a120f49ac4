// Models of the framework's preferences that a touch changes at once, and of their groups. Knows no dialog.
import type { HeapObject, Taint, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { newBundle } from '../components/bundle.ts';
import { asString, each, flag, no, none, nothing, plain, type Reference, sideState } from '../model-parts.ts';
import {
  attach,
  findPreference,
  isKept,
  managerOfPreference,
  managerType,
  mayChange,
  type PreferenceState,
  preferenceOf,
  preferenceType,
  rowFor,
  screenType,
  valuesOf,
} from './preference-state.ts';
import { ownAttribute, readPreference } from './preference-xml.ts';

const S = 'Ljava/lang/String;';
const C = 'Ljava/lang/CharSequence;';
const O = 'Ljava/lang/Object;';
const changeListener = 'Landroid/preference/Preference$OnPreferenceChangeListener;';
const clickListener = 'Landroid/preference/Preference$OnPreferenceClickListener;';
const typedArray = 'Landroid/content/res/TypedArray;';
const editorType = 'Landroid/content/SharedPreferences$Editor;';

/** All constructors of a preference; `read` takes what its kind alone has from the element. */
export const constructors = (
  read: (machine: Machine, me: HeapObject, context: Reference, set: Reference) => void = () => undefined,
): NativeMethods =>
  each(
    (machine, me, context: Reference, set: Reference = null) => {
      readPreference(machine, me, context, set);
      read(machine, me, context, set);
    },
    '<init>(Landroid/content/Context;)V',
    '<init>(Landroid/content/Context;Landroid/util/AttributeSet;)V',
    '<init>(Landroid/content/Context;Landroid/util/AttributeSet;I)V',
    '<init>(Landroid/content/Context;Landroid/util/AttributeSet;II)V',
  );

const state =
  (read: (state: PreferenceState) => Value | boolean): NativeMethod =>
  (machine, me) =>
    read(preferenceOf(machine, me));
const setting =
  (write: (state: PreferenceState, value: Value, machine: Machine) => void): NativeMethod =>
  (machine, me, value: Value = null) =>
    write(preferenceOf(machine, me), value, machine);

/** The text of a resource, or the text itself. */
const shown = (machine: Machine, { context }: PreferenceState, value: Value): Reference =>
  typeof value === 'number' && context !== null
    ? (machine.call(context, `getString(I)${S}`, value) as Reference)
    : (value as Reference);

/** Writes a preference's value; true where it is kept. */
function persist(machine: Machine, me: HeapObject, kind: string, type: string, value: Value, taint: Taint): boolean {
  if (!isKept(machine, me)) return false;
  const values = valuesOf(machine, managerOfPreference(machine, me));
  const editor = machine.call(values, `edit()${editorType}`) as HeapObject;
  const key = machine.string(preferenceOf(machine, me).key!);
  machine.callWith([0, taint], editor, `put${kind}(${S}${type})${editorType}`, key, value);
  machine.call(editor, 'apply()V');
  return true;
}

const kinds = [
  ['Boolean', 'Z'],
  ['Int', 'I'],
  ['Long', 'J'],
  ['Float', 'F'],
  ['String', S],
  ['StringSet', 'Ljava/util/Set;'],
] as const;

const persistence: NativeMethods = Object.fromEntries(
  kinds.flatMap(([kind, type]): [string, NativeMethod][] => [
    [
      `persist${kind}(${type})Z`,
      (machine, me, value: Value) => persist(machine, me, kind, type, value, machine.argumentTaint(1)),
    ],
    [
      `getPersisted${kind}(${type})${type}`,
      (machine, me, otherwise: Value) => {
        if (!isKept(machine, me)) return otherwise;
        const values = valuesOf(machine, managerOfPreference(machine, me));
        const key = machine.string(preferenceOf(machine, me).key!);
        const value = machine.call(values, `get${kind}(${S}${type})${type}`, key, otherwise);
        machine.setResultTaint(machine.resultTaint);
        return value;
      },
    ],
  ]),
);

const preferenceMethods: NativeMethods = {
  ...constructors(),
  ...persistence,
  'getContext()Landroid/content/Context;': state(({ context }) => context),
  [`getKey()${S}`]: (machine, me) => {
    const { key } = preferenceOf(machine, me);
    return key === null ? null : machine.string(key);
  },
  [`setKey(${S})V`]: setting((each, value, machine) => {
    each.key = value === null ? null : plain(machine, value as Reference);
  }),
  'hasKey()Z': state(({ key }) => key !== null && key !== ''),
  [`getTitle()${C}`]: state(({ title }) => title),
  [`getSummary()${C}`]: state(({ summary }) => summary),
  ...each(
    setting((each, value, machine) => {
      each.title = shown(machine, each, value);
    }),
    `setTitle(${C})V`,
    'setTitle(I)V',
  ),
  ...each(
    setting((each, value, machine) => {
      each.summary = shown(machine, each, value);
    }),
    `setSummary(${C})V`,
    'setSummary(I)V',
  ),
  'isEnabled()Z': state(({ isEnabled }) => isEnabled),
  'isSelectable()Z': () => 1,
  'setEnabled(Z)V': setting((each, value) => {
    each.isEnabled = value !== 0;
  }),
  'isPersistent()Z': state(({ isPersistent }) => isPersistent),
  'setPersistent(Z)V': setting((each, value) => {
    each.isPersistent = value !== 0;
  }),
  'shouldPersist()Z': (machine, me) => isKept(machine, me),
  [`setDefaultValue(${O})V`]: setting((each, value) => {
    each.initial = value as Reference;
  }),
  'getIntent()Landroid/content/Intent;': state(({ intent }) => intent),
  'setIntent(Landroid/content/Intent;)V': setting((each, value) => {
    each.intent = value as Reference;
  }),
  'getExtras()Landroid/os/Bundle;': (machine, me) => {
    const each = preferenceOf(machine, me);
    each.extras ??= newBundle(machine);
    return each.extras;
  },
  'peekExtras()Landroid/os/Bundle;': state(({ extras }) => extras),
  [`getFragment()${S}`]: (machine, me) => {
    const { fragment } = preferenceOf(machine, me);
    return fragment === null ? null : machine.string(fragment);
  },
  [`setFragment(${S})V`]: setting((each, value, machine) => {
    each.fragment = value === null ? null : plain(machine, value as Reference);
  }),
  [`setOnPreferenceChangeListener(${changeListener})V`]: setting((each, value) => {
    each.onChange = value as Reference;
  }),
  [`getOnPreferenceChangeListener()${changeListener}`]: state(({ onChange }) => onChange),
  [`setOnPreferenceClickListener(${clickListener})V`]: setting((each, value) => {
    each.onClick = value as Reference;
  }),
  [`getOnPreferenceClickListener()${clickListener}`]: state(({ onClick }) => onClick),
  [`callChangeListener(${O})Z`]: (machine, me, value: Reference) => {
    const { onChange } = preferenceOf(machine, me);
    return onChange === null
      ? 1
      : (machine.call(onChange, `onPreferenceChange(${preferenceType}${O})Z`, me, value) as number);
  },
  'setLayoutResource(I)V': setting((each, value) => {
    each.layout = value as number;
  }),
  'setWidgetLayoutResource(I)V': setting((each, value) => {
    each.widgetLayout = value as number;
  }),
  'getLayoutResource()I': state(({ layout }) => layout),
  'getWidgetLayoutResource()I': state(({ widgetLayout }) => widgetLayout),
  'onCreateView(Landroid/view/ViewGroup;)Landroid/view/View;': rowFor,
  'getView(Landroid/view/View;Landroid/view/ViewGroup;)Landroid/view/View;': (machine, me, row: Reference, parent) => {
    const view =
      row ?? (machine.call(me, 'onCreateView(Landroid/view/ViewGroup;)Landroid/view/View;', parent) as Reference);
    if (view !== null) machine.call(me, 'onBindView(Landroid/view/View;)V', view);
    return view;
  },
  [`getPreferenceManager()${managerType}`]: managerOfPreference,
  'getSharedPreferences()Landroid/content/SharedPreferences;': (machine, me) => {
    const manager = managerOfPreference(machine, me);
    return manager === null ? null : valuesOf(machine, manager);
  },
  [`getEditor()${editorType}`]: (machine, me) => {
    const manager = managerOfPreference(machine, me);
    return manager === null ? null : machine.call(valuesOf(machine, manager), `edit()${editorType}`);
  },
  [`findPreferenceInHierarchy(${S})${preferenceType}`]: (machine, me, key: Reference) => {
    const manager = managerOfPreference(machine, me);
    return manager === null ? null : machine.call(manager, `findPreference(${C})${preferenceType}`, key);
  },
  [`compareTo(!${preferenceType})I`]: no,
  'getOrder()I': no,
  ...each(
    none,
    `onGetDefaultValue(${typedArray}I)${O}`,
    'onSaveInstanceState()Landroid/os/Parcelable;',
    'getIcon()Landroid/graphics/drawable/Drawable;',
    `getDependency()${S}`,
  ),
  ...each(
    nothing,
    'onClick()V',
    `onSetInitialValue(Z${O})V`,
    `onAttachedToHierarchy(${managerType})V`,
    'onAttachedToActivity()V',
    'onPrepareForRemoval()V',
    'onBindView(Landroid/view/View;)V',
    'onRestoreInstanceState(Landroid/os/Parcelable;)V',
    `onDependencyChanged(${preferenceType}Z)V`,
    'notifyChanged()V',
    'notifyHierarchyChanged()V',
    'notifyDependencyChange(Z)V',
    'setOrder(I)V',
    'setIcon(I)V',
    'setIcon(Landroid/graphics/drawable/Drawable;)V',
    'setSelectable(Z)V',
    'setShouldDisableView(Z)V',
    `setDependency(${S})V`,
  ),
};

// Groups.

const add: NativeMethod = (machine, me, preference: Reference) => {
  if (preference === null) return 0;
  const { children } = preferenceOf(machine, me);
  if (children.includes(preference)) return 1;
  children.push(preference);
  preferenceOf(machine, preference).parent = me;
  attach(machine, preference);
  return 1;
};

const groupMethods: NativeMethods = {
  [`addPreference(${preferenceType})Z`]: add,
  [`addItemFromInflater(${preferenceType})V`]: add,
  [`removePreference(${preferenceType})Z`]: (machine, me, preference: Reference) => {
    const { children } = preferenceOf(machine, me);
    const at = preference === null ? -1 : children.indexOf(preference);
    if (at < 0) return 0;
    children.splice(at, 1);
    preferenceOf(machine, preference!).parent = null;
    return 1;
  },
  'removeAll()V': (machine, me) => {
    for (const child of preferenceOf(machine, me).children.splice(0)) preferenceOf(machine, child).parent = null;
  },
  [`getPreference(I)${preferenceType}`]: (machine, me, index: number) => {
    const found = preferenceOf(machine, me).children[index];
    if (found === undefined)
      throw machine.exception(
        'Ljava/lang/IndexOutOfBoundsException;',
        `Index: ${index}, the group has no such preference`,
      );
    return found;
  },
  'getPreferenceCount()I': (machine, me) => preferenceOf(machine, me).children.length,
  [`findPreference(${C})${preferenceType}`]: (machine, me, key: Reference) =>
    findPreference(machine, me, plain(machine, key)),
  'isOrderingAsAdded()Z': () => 1,
  'setOrderingAsAdded(Z)V': nothing,
};

// Those of two states.

interface TwoState {
  isChecked: boolean;
  taint: Taint;
  readonly summaries: Map<string, Reference>;
}
const twoStateOf = (machine: Machine, me: HeapObject): TwoState =>
  sideState<TwoState>(machine, 'two-state-preference', me, () => ({
    isChecked: false,
    taint: 0,
    summaries: new Map(),
  }));

const twoStateMethods: NativeMethods = {
  ...constructors((machine, me, _context, set) => {
    for (const name of ['summaryOn', 'summaryOff', 'switchTextOn', 'switchTextOff']) {
      const value = ownAttribute(machine, set, name);
      if (value !== null) twoStateOf(machine, me).summaries.set(name, machine.string(value));
    }
  }),
  'isChecked()Z': (machine, me) => {
    const { isChecked, taint } = twoStateOf(machine, me);
    if (taint !== 0) machine.setResultTaint(taint);
    return isChecked;
  },
  'setChecked(Z)V': (machine, me, isChecked: number) => {
    Object.assign(twoStateOf(machine, me), { isChecked: isChecked !== 0, taint: machine.argumentTaint(1) });
    machine.call(me, 'persistBoolean(Z)Z', isChecked);
  },
  'onClick()V': (machine, me) => {
    const isChecked = flag(machine.call(me, 'isChecked()Z') === 0);
    if (mayChange(machine, me, machine.box('Z', isChecked))) machine.call(me, 'setChecked(Z)V', isChecked);
  },
  [`onGetDefaultValue(${typedArray}I)${O}`]: (machine, _me, typed: HeapObject, index: number) =>
    machine.box('Z', machine.call(typed, 'getBoolean(IZ)Z', index, 0) as number),
  [`onSetInitialValue(Z${O})V`]: (machine, me, isStored: number, initial: Reference) => {
    const now = isStored !== 0 ? machine.call(me, 'getPersistedBoolean(Z)Z', 0) : (machine.unbox(initial) ?? 0);
    machine.call(me, 'setChecked(Z)V', now);
  },
  ...Object.fromEntries(
    ['SummaryOn', 'SummaryOff', 'SwitchTextOn', 'SwitchTextOff'].flatMap((name): [string, NativeMethod][] => {
      const key = `${name[0]!.toLowerCase()}${name.slice(1)}`;
      const set: NativeMethod = (machine, me, value: Value) => {
        twoStateOf(machine, me).summaries.set(key, shown(machine, preferenceOf(machine, me), value));
      };
      return [
        [`get${name}()${C}`, (machine, me) => twoStateOf(machine, me).summaries.get(key) ?? null],
        [`set${name}(${C})V`, set],
        [`set${name}(I)V`, set],
      ];
    }),
  ),
  ...each(nothing, 'setDisableDependentsState(Z)V', 'syncSummaryView(Landroid/view/View;)V'),
};

/** A ringtone of the phone, which a person chooses when asked. */
const chosenRingtone = 'content://settings/system/ringtone';

export const preferenceModels: Models = {
  [preferenceType]: { implements: ['Ljava/lang/Comparable;'], methods: preferenceMethods },
  [changeListener]: { isInterface: true, abstractMethods: [`onPreferenceChange(${preferenceType}${O})Z`] },
  [clickListener]: { isInterface: true, abstractMethods: [`onPreferenceClick(${preferenceType})Z`] },
  'Landroid/preference/PreferenceGroup;': { extends: preferenceType, methods: groupMethods },
  'Landroid/preference/PreferenceCategory;': { extends: 'Landroid/preference/PreferenceGroup;' },
  [screenType]: { extends: 'Landroid/preference/PreferenceGroup;' },
  'Landroid/preference/TwoStatePreference;': { extends: preferenceType, methods: twoStateMethods },
  'Landroid/preference/CheckBoxPreference;': { extends: 'Landroid/preference/TwoStatePreference;' },
  'Landroid/preference/SwitchPreference;': { extends: 'Landroid/preference/TwoStatePreference;' },
  'Landroid/preference/RingtonePreference;': {
    extends: preferenceType,
    methods: {
      'onClick()V': (machine, me) => {
        const uri = machine.string(chosenRingtone);
        if (mayChange(machine, me, uri)) machine.call(me, `persistString(${S})Z`, uri);
      },
      [`onGetDefaultValue(${typedArray}I)${O}`]: (machine, _me, typed: HeapObject, index: number) =>
        machine.call(typed, `getString(I)${S}`, index),
      [`onSetInitialValue(Z${O})V`]: (machine, me, isStored: number, initial: Reference) => {
        if (isStored === 0 && initial !== null) machine.call(me, `persistString(${S})Z`, asString(machine, initial));
      },
      ...each(nothing, 'setRingtoneType(I)V', 'setShowDefault(Z)V', 'setShowSilent(Z)V'),
    },
  },
};
