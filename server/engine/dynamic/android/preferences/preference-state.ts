// A settings screen of the framework: preferences in groups, what each keeps, and what a person does with one. Knows no class's
// methods.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { appOf } from '../components/app.ts';
import { startActivity } from '../components/delivery.ts';
import { preferencesOf } from '../data/preferences.ts';
import { callIfThere, isAppMethod, plain, type Reference, sideState } from '../model-parts.ts';
import { fragmentOf } from '../screens/fragment-lives.ts';
import { inflate } from '../views/inflater.ts';
import { addChild, findById, viewOf } from '../views/view-tree.ts';
import { quoted } from '../views/view-words.ts';

export const preferenceType = 'Landroid/preference/Preference;';
export const screenType = 'Landroid/preference/PreferenceScreen;';
export const managerType = 'Landroid/preference/PreferenceManager;';

/** `android.R.id.title`, `summary` and `widget_frame` of a preference's row. */
const titleId = 0x01020016;
const summaryId = 0x01020010;
const widgetFrameId = 0x01020018;

/** A group in itself must not be walked for ever. */
const maxDepth = 20;

export interface PreferenceState {
  context: Reference;
  key: string | null;
  title: Reference;
  summary: Reference;
  isEnabled: boolean;
  isPersistent: boolean;
  /** A box or a string; null for none. */
  initial: Reference;
  intent: Reference;
  extras: Reference;
  /** Class of the fragment that a click shows. */
  fragment: string | null;
  onChange: Reference;
  onClick: Reference;
  layout: number;
  widgetLayout: number;
  parent: Reference;
  /** Of a group. */
  readonly children: HeapObject[];
  /** Of the root of a screen. */
  manager: Reference;
  isAttached: boolean;
}

export const preferenceOf = (machine: Machine, preference: HeapObject): PreferenceState =>
  sideState<PreferenceState>(machine, 'preference', preference, () => ({
    context: null,
    key: null,
    title: null,
    summary: null,
    isEnabled: true,
    isPersistent: true,
    initial: null,
    intent: null,
    extras: null,
    fragment: null,
    onChange: null,
    onClick: null,
    layout: 0,
    widgetLayout: 0,
    parent: null,
    children: [],
    manager: null,
    isAttached: false,
  }));

/** What a PreferenceManager has: one of each screen of settings. */
interface ManagerState {
  /** The activity or fragment that shows the screen; null where only default values are set. */
  readonly owner: Reference;
  readonly context: HeapObject;
  /** Of the file that the values are kept in; null: the app's default one. */
  fileName: string | null;
  screen: Reference;
}

export const managerStateOf = (manager: HeapObject): ManagerState => manager.native as ManagerState;

export function newManager(machine: Machine, owner: Reference, context: HeapObject): HeapObject {
  const manager = machine.allocate(managerType);
  manager.native = { owner, context, fileName: null, screen: null } satisfies ManagerState;
  return manager;
}

/** The root of a preference's screen, which is itself where it is in no group. */
export function rootOf(machine: Machine, preference: HeapObject): HeapObject {
  let root = preference;
  for (let depth = 0; depth < maxDepth; depth++) {
    const { parent } = preferenceOf(machine, root);
    if (parent === null) break;
    root = parent;
  }
  return root;
}

export const managerOfPreference = (machine: Machine, preference: HeapObject): Reference =>
  preferenceOf(machine, rootOf(machine, preference)).manager;

/** The values of a screen. */
export function valuesOf(machine: Machine, manager: Reference): HeapObject {
  const name = manager === null ? null : managerStateOf(manager).fileName;
  return preferencesOf(machine, name ?? `${appOf(machine).packageName}_preferences`);
}

/** All preferences of a group, the groups before what is in them. */
export function* withinGroup(machine: Machine, group: HeapObject, depth = 0): Generator<HeapObject> {
  for (const child of [...preferenceOf(machine, group).children]) {
    yield child;
    if (depth < maxDepth) yield* withinGroup(machine, child, depth + 1);
  }
}

export function findPreference(machine: Machine, group: Reference, key: string): Reference {
  if (group === null) return null;
  if (preferenceOf(machine, group).key === key) return group;
  for (const preference of withinGroup(machine, group))
    if (preferenceOf(machine, preference).key === key) return preference;
  return null;
}

/** Whether a preference's value is kept: it has a name and stands on a screen. */
export const isKept = (machine: Machine, preference: HeapObject): boolean => {
  const { key, isPersistent } = preferenceOf(machine, preference);
  return key !== null && key !== '' && isPersistent && managerOfPreference(machine, preference) !== null;
};

/** Gives a preference that came to a screen its kept or initial value, and a person the way to it; with all that is in it. */
export function attach(machine: Machine, preference: HeapObject): void {
  const manager = managerOfPreference(machine, preference);
  if (manager === null) return;
  for (const each of [preference, ...withinGroup(machine, preference)]) attachOne(machine, each, manager);
}

function attachOne(machine: Machine, preference: HeapObject, manager: HeapObject): void {
  const state = preferenceOf(machine, preference);
  if (state.isAttached) return;
  state.isAttached = true;
  callIfThere(machine, preference, `onAttachedToHierarchy(${managerType})V`, manager);
  const isStored =
    isKept(machine, preference) &&
    machine.call(valuesOf(machine, manager), 'contains(Ljava/lang/String;)Z', machine.string(state.key!)) !== 0;
  if (isStored || state.initial !== null)
    machine.call(
      preference,
      'onSetInitialValue(ZLjava/lang/Object;)V',
      Number(isStored),
      isStored ? null : state.initial,
    );
  const { owner } = managerStateOf(manager);
  if (owner === null) return;
  callIfThere(machine, preference, 'onAttachedToActivity()V');
  drawRow(machine, preference);
  listenToTouches(machine, preference, owner);
}

/** Has an app's own kind of preference fill its row of the list. */
function drawRow(machine: Machine, preference: HeapObject): void {
  const create = 'onCreateView(Landroid/view/ViewGroup;)Landroid/view/View;';
  const bind = 'onBindView(Landroid/view/View;)V';
  if (!isAppMethod(machine, preference, create) && !isAppMethod(machine, preference, bind)) return;
  const row = machine.call(preference, create, null) as Reference;
  if (row !== null) machine.call(preference, bind, row);
}

/** A preference's row of the list: of its own layout, or a title, a summary and its widget. */
export function rowFor(machine: Machine, preference: HeapObject): HeapObject {
  const { context, layout, widgetLayout, title, summary } = preferenceOf(machine, preference);
  const own = layout === 0 ? null : inflate(machine, layout, context!, null);
  const construct = (descriptor: string) =>
    machine.construct(descriptor, '<init>(Landroid/content/Context;)V', context);
  const row = own ?? construct('Landroid/widget/LinearLayout;');
  if (own === null) {
    for (const [id, shown] of [
      [titleId, title],
      [summaryId, summary],
    ] as const) {
      const view = construct('Landroid/widget/TextView;');
      Object.assign(viewOf(view), { id, text: shown });
      addChild(row, view);
    }
    const frame = construct('Landroid/widget/LinearLayout;');
    viewOf(frame).id = widgetFrameId;
    addChild(row, frame);
  }
  const frame = findById(machine, row, widgetFrameId);
  if (frame !== null && widgetLayout !== 0) inflate(machine, widgetLayout, context!, frame);
  return row;
}

/** The activity that shows what an activity or fragment owns. */
export const activityOfOwner = (machine: Machine, owner: HeapObject): Reference =>
  machine.isInstance(owner, 'Landroid/app/Fragment;') ? fragmentOf(machine, owner).activity : owner;

function listenToTouches(machine: Machine, preference: HeapObject, owner: HeapObject): void {
  const isHeading = machine.isInstance(preference, 'Landroid/preference/PreferenceCategory;');
  if (isHeading || preferenceOf(machine, preference).parent === null) return;
  const app = appOf(machine);
  const stage = () => {
    const activity = activityOfOwner(machine, owner);
    return activity === null ? undefined : app.recordOf(activity)?.stage;
  };
  app.listen(`preference#${app.numberOf(preference)} click`, {
    kind: 'click',
    about: () => `the setting${quoted(plain(machine, preferenceOf(machine, preference).title))}`,
    isReady: () => stage() === 'resumed' && isWithin(machine, preference, owner),
    isGone: () => stage() === undefined,
    fire: () => touch(machine, preference),
  });
}

/** Whether a preference still stands on the screen of its owner and can be touched. */
function isWithin(machine: Machine, preference: HeapObject, owner: HeapObject): boolean {
  const manager = managerOfPreference(machine, preference);
  return manager !== null && managerStateOf(manager).owner === owner && preferenceOf(machine, preference).isEnabled;
}

/** What a touch of a preference does, in Android's order, until something has taken it. */
export function touch(machine: Machine, preference: HeapObject): void {
  const state = preferenceOf(machine, preference);
  if (!state.isEnabled) return;
  machine.call(preference, 'onClick()V');
  if (state.onClick !== null && machine.call(state.onClick, `onPreferenceClick(${preferenceType})Z`, preference) !== 0)
    return;
  const manager = managerOfPreference(machine, preference);
  const owner = manager === null ? null : managerStateOf(manager).owner;
  const tree = `onPreferenceTreeClick(${screenType}${preferenceType})Z`;
  if (owner !== null && callIfThere(machine, owner, tree, rootOf(machine, preference), preference) !== 0) return;
  if (state.intent !== null)
    startActivity(machine, state.intent, owner === null ? null : activityOfOwner(machine, owner));
}

/** Asks the app's listener whether a value may be taken. */
export function mayChange(machine: Machine, preference: HeapObject, value: Reference): boolean {
  return machine.call(preference, 'callChangeListener(Ljava/lang/Object;)Z', value) !== 0;
}
