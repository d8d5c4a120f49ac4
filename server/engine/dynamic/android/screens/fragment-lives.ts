// The life cycle of the framework's fragments under their manager: added, shown, moved through the states of their
// activity, saved and recreated. Knows no method signatures of managers or transactions.
import type { HeapObject } from '../../machine/heap.ts';
import { JavaThrow } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { newBundle } from '../components/bundle.ts';
import { callIfThere, plain, type Reference, sideState } from '../model-parts.ts';
import { addChild, removeChild, viewOf } from '../views/view-tree.ts';

/** How far a fragment has come; each includes those before it. */
export const stages = { none: 0, created: 1, shown: 2, started: 3, resumed: 4 } as const;

/** The stage that fragments reach with each step of the activity's lifecycle. */
const stageOf: Readonly<Record<string, number>> = {
  created: stages.created,
  started: stages.started,
  resumed: stages.resumed,
  paused: stages.started,
  stopped: stages.shown,
  destroyed: stages.none,
};

export interface FragmentState {
  activity: Reference;
  arguments: Reference;
  view: Reference;
  tag: string | null;
  /** Id of the container, or of the layout element that named it. */
  id: number;
  stage: number;
  isHidden: boolean;
  /** Detached: off the screen with its state kept. */
  isDetached: boolean;
  /** Named in a layout: its view is made with the layout's. */
  isInLayout: boolean;
  hasMenu: boolean;
  isRetained: boolean;
  target: Reference;
  targetCode: number;
  /** State that it saved before it was recreated. */
  saved: Reference;
  /** The manager of its child fragments; null until it is first used. */
  childManager: Reference;
  /** The fragment that it is within. */
  parent: Reference;
}

export const fragmentOf = (machine: Machine, fragment: HeapObject): FragmentState =>
  sideState<FragmentState>(machine, 'fragment', fragment, () => ({
    activity: null,
    arguments: null,
    view: null,
    tag: null,
    id: 0,
    stage: stages.none,
    isHidden: false,
    isDetached: false,
    isInLayout: false,
    hasMenu: false,
    isRetained: false,
    target: null,
    targetCode: 0,
    saved: null,
    childManager: null,
    parent: null,
  }));

/** A change that a transaction makes, with the way back. */
export interface Change {
  readonly run: () => void;
  readonly undo: () => void;
}

interface BackStackEntry {
  readonly name: string | null;
  readonly changes: readonly Change[];
}

export interface ManagerState {
  readonly activity: HeapObject;
  /** The parent fragment; null for the manager of the activity. */
  readonly parent: Reference;
  fragments: HeapObject[];
  /** The stage that the activity, or the parent fragment, has reached. */
  stage: number;
  /** Committed, to run before the activity's next step or when the main thread is idle. */
  readonly pending: (() => void)[];
  readonly backStack: BackStackEntry[];
  readonly backStackListeners: HeapObject[];
}

function newManager(machine: Machine, activity: HeapObject, parent: Reference, stage: number): HeapObject {
  const manager = machine.allocate('Landroid/app/FragmentManager;');
  manager.native = {
    activity,
    parent,
    fragments: [],
    stage,
    pending: [],
    backStack: [],
    backStackListeners: [],
  } satisfies ManagerState;
  return manager;
}

export function fragmentManagerOf(machine: Machine, activity: HeapObject): HeapObject {
  return sideState(machine, 'fragments', activity, () => newManager(machine, activity, null, stages.none));
}

/** The manager that a fragment was added to; null while there is none. */
export function managerOfFragment(machine: Machine, fragment: HeapObject): Reference {
  const { parent, activity } = fragmentOf(machine, fragment);
  if (activity === null) return null;
  return parent === null ? fragmentManagerOf(machine, activity) : fragmentOf(machine, parent).childManager;
}

/** The manager of a fragment's children. @throws IllegalStateException before it has an activity */
export function childManagerOf(machine: Machine, fragment: HeapObject): HeapObject {
  const state = fragmentOf(machine, fragment);
  if (state.activity === null) {
    throw machine.exception('Ljava/lang/IllegalStateException;', 'Fragment has not been attached yet.');
  }
  state.childManager ??= newManager(machine, state.activity, fragment, Math.min(state.stage, stages.shown));
  return state.childManager;
}

/** All fragments of an activity, those within others too. */
export function allFragments(machine: Machine, activity: HeapObject): HeapObject[] {
  const found = [...managerOf(fragmentManagerOf(machine, activity)).fragments];
  for (let index = 0; index < found.length; index++) {
    const { childManager } = fragmentOf(machine, found[index]!);
    if (childManager !== null) found.push(...managerOf(childManager).fragments);
  }
  return found;
}

export const managerOf = (manager: HeapObject): ManagerState => manager.native as ManagerState;

/** A fragment of a class by its name, as the system makes it. @throws InstantiationException where no class has this name */
export function newFragment(machine: Machine, name: string, given: Reference): HeapObject {
  const descriptor = `L${name.replaceAll('.', '/')};`;
  if (machine.findClass(descriptor) === null) {
    throw machine.exception(
      'Landroid/app/Fragment$InstantiationException;',
      `Unable to instantiate fragment ${name}: make sure class name exists`,
    );
  }
  const fragment = machine.construct(descriptor, '<init>()V');
  if (given !== null) fragmentOf(machine, fragment).arguments = given;
  return fragment;
}

/** Moves an activity's fragments to a stage of its life cycle. @param stage `created`, `started` … `saved` */
export function dispatchFragments(machine: Machine, activity: HeapObject, stage: string, saved: Reference): void {
  const manager = managerOf(fragmentManagerOf(machine, activity));
  if (stage === 'saved') {
    runPending(manager);
    if (saved !== null) saveFragments(machine, manager, saved);
    return;
  }
  if (stage === 'created' && saved !== null) restoreFragments(machine, manager, saved);
  const wanted = stageOf[stage] ?? manager.stage;
  if (wanted > stages.created) runPending(manager);
  moveAll(machine, manager, wanted);
  if (stage === 'destroyed') manager.fragments = [];
}

function moveAll(machine: Machine, manager: ManagerState, wanted: number): void {
  manager.stage = wanted;
  for (const fragment of [...manager.fragments]) moveTo(machine, manager, fragment, wanted);
}

/** Moves a fragment's children to its stage. */
function moveChildren(machine: Machine, { childManager }: FragmentState, wanted: number): void {
  if (childManager === null) return;
  const children = managerOf(childManager);
  if (wanted > stages.created) runPending(children);
  moveAll(machine, children, wanted);
}

/** Runs the committed transactions. */
export function runPending(manager: ManagerState): void {
  for (let step = manager.pending.shift(); step !== undefined; step = manager.pending.shift()) step();
}

/** Brings a fragment to a stage, up or down, one step after the other. */
export function moveTo(machine: Machine, manager: ManagerState, fragment: HeapObject, wanted: number): void {
  const state = fragmentOf(machine, fragment);
  const goal = state.isDetached ? Math.min(wanted, stages.created) : wanted;
  if (state.stage < goal) rise(machine, manager, fragment, state, goal);
  else if (state.stage > goal) sink(machine, fragment, state, goal);
}

function rise(machine: Machine, manager: ManagerState, fragment: HeapObject, state: FragmentState, goal: number): void {
  if (state.stage === stages.none && goal > stages.none) {
    const isNew = !(state.isRetained && state.activity !== null);
    state.activity = manager.activity;
    state.parent = manager.parent;
    state.stage = stages.created;
    machine.call(fragment, 'onAttach(Landroid/content/Context;)V', manager.activity);
    const above = manager.parent ?? manager.activity;
    callIfThere(machine, above, 'onAttachFragment(Landroid/app/Fragment;)V', fragment);
    if (isNew) machine.call(fragment, 'onCreate(Landroid/os/Bundle;)V', state.saved);
    if (state.saved !== null && savedIn(machine, state.saved).fragments.length > 0)
      restoreFragments(machine, managerOf(childManagerOf(machine, fragment)), state.saved);
    moveChildren(machine, state, stages.created);
  }
  if (state.stage === stages.created && goal > stages.created) {
    state.stage = stages.shown;
    if (state.view === null) makeView(machine, manager, fragment, state);
    machine.call(fragment, 'onActivityCreated(Landroid/os/Bundle;)V', state.saved);
    if (state.view !== null) machine.call(fragment, 'onViewStateRestored(Landroid/os/Bundle;)V', state.saved);
    moveChildren(machine, state, stages.shown);
  }
  if (state.stage === stages.shown && goal > stages.shown) {
    state.stage = stages.started;
    machine.call(fragment, 'onStart()V');
    moveChildren(machine, state, stages.started);
  }
  if (state.stage === stages.started && goal > stages.started) {
    state.stage = stages.resumed;
    machine.call(fragment, 'onResume()V');
    moveChildren(machine, state, stages.resumed);
  }
}

function sink(machine: Machine, fragment: HeapObject, state: FragmentState, goal: number): void {
  if (state.stage === stages.resumed && goal < stages.resumed) {
    moveChildren(machine, state, stages.started);
    state.stage = stages.started;
    machine.call(fragment, 'onPause()V');
  }
  if (state.stage === stages.started && goal < stages.started) {
    moveChildren(machine, state, stages.shown);
    state.stage = stages.shown;
    machine.call(fragment, 'onStop()V');
  }
  if (state.stage === stages.shown && goal < stages.shown) {
    moveChildren(machine, state, stages.created);
    state.stage = stages.created;
    machine.call(fragment, 'onDestroyView()V');
    takeOffView(state);
  }
  if (state.stage === stages.created && goal < stages.created) {
    moveChildren(machine, state, stages.none);
    state.stage = stages.none;
    if (!state.isRetained) machine.call(fragment, 'onDestroy()V');
    machine.call(fragment, 'onDetach()V');
    if (!state.isRetained) {
      state.activity = null;
      state.parent = null;
      state.childManager = null;
    }
  }
}

function takeOffView(state: FragmentState): void {
  const { view } = state;
  const parent = view === null ? null : viewOf(view).parent;
  if (view !== null && parent !== null) removeChild(parent, view);
  state.view = null;
}

function makeView(machine: Machine, manager: ManagerState, fragment: HeapObject, state: FragmentState): void {
  const around = manager.parent === null ? null : fragmentOf(machine, manager.parent).view;
  const container =
    state.id === 0
      ? null
      : (machine.call(around ?? manager.activity, 'findViewById(I)Landroid/view/View;', state.id) as Reference);
  const inflater = machine.call(
    fragment,
    'onGetLayoutInflater(Landroid/os/Bundle;)Landroid/view/LayoutInflater;',
    state.saved,
  );
  const view = machine.call(
    fragment,
    'onCreateView(Landroid/view/LayoutInflater;Landroid/view/ViewGroup;Landroid/os/Bundle;)Landroid/view/View;',
    inflater,
    container,
    state.saved,
  ) as Reference;
  if (view === null) return;
  state.view = view;
  if (container !== null && viewOf(view).parent === null) addChild(container, view);
  if (state.isHidden) viewOf(view).visibility = gone;
  machine.call(fragment, 'onViewCreated(Landroid/view/View;Landroid/os/Bundle;)V', view, state.saved);
}

const gone = 8;

/** Hides or shows a fragment, and calls `onHiddenChanged`. */
export function setHidden(machine: Machine, fragment: HeapObject, isHidden: boolean): void {
  const state = fragmentOf(machine, fragment);
  if (state.isHidden === isHidden) return;
  state.isHidden = isHidden;
  if (state.view !== null) viewOf(state.view).visibility = isHidden ? gone : 0;
  machine.call(fragment, 'onHiddenChanged(Z)V', isHidden ? 1 : 0);
}

/** Adds a fragment to its manager and moves it to the activity's stage. */
export function addFragment(machine: Machine, manager: ManagerState, fragment: HeapObject): void {
  if (!manager.fragments.includes(fragment)) manager.fragments.push(fragment);
  moveTo(machine, manager, fragment, manager.stage);
}

/** Ends it: view, life, and its place under the manager. */
export function removeFragment(machine: Machine, manager: ManagerState, fragment: HeapObject): void {
  manager.fragments = manager.fragments.filter((each) => each !== fragment);
  const state = fragmentOf(machine, fragment);
  const { isRetained } = state;
  state.isRetained = false;
  moveTo(machine, manager, fragment, stages.none);
  state.isRetained = isRetained;
}

/**
 * A fragment that a layout names: there as soon as its element is.
 * @param id of the element, which is its container's too
 */
export function placeFragment(
  machine: Machine,
  activity: HeapObject,
  name: string,
  place: { readonly id: number; readonly tag: string | null; readonly holder: HeapObject },
): void {
  const manager = managerOf(fragmentManagerOf(machine, activity));
  const known = manager.fragments.find((each) => {
    const state = fragmentOf(machine, each);
    return state.isInLayout && state.id === place.id && each.cls.name === name;
  });
  const fragment = known ?? newFragment(machine, name, null);
  const state = fragmentOf(machine, fragment);
  state.id = place.id;
  state.tag = place.tag;
  state.isInLayout = true;
  addFragment(machine, manager, fragment);
  // The element is a placeholder for the fragment's view, and its container once that is created.
  if (state.stage > stages.none && state.view === null) makeView(machine, manager, fragment, state);
  if (state.view !== null && viewOf(state.view).parent !== place.holder) addChild(place.holder, state.view);
}

/** Whether going back changes the screen instead of leaving it. */
export const canGoBack = (machine: Machine, activity: HeapObject): boolean =>
  managerOf(fragmentManagerOf(machine, activity)).backStack.length > 0;

/** Pops the back stack. @returns whether it had an entry */
export function popBackStack(machine: Machine, manager: ManagerState): boolean {
  const entry = manager.backStack.pop();
  if (entry === undefined) return false;
  for (const change of entry.changes.toReversed()) change.undo();
  tellBackStack(machine, manager);
  return true;
}

/** Calls the listeners of the back stack. */
export function tellBackStack(machine: Machine, manager: ManagerState): void {
  for (const listener of [...manager.backStackListeners]) machine.call(listener, 'onBackStackChanged()V');
}

// What is kept when the activity is recreated.

interface SavedFragment {
  readonly object: HeapObject;
  readonly state: FragmentState;
  readonly bundle: HeapObject;
}

const savedIn = (machine: Machine, bundle: HeapObject) =>
  sideState<{ fragments: SavedFragment[] }>(machine, 'saved-fragments', bundle, () => ({ fragments: [] }));

function saveFragments(machine: Machine, manager: ManagerState, into: HeapObject): void {
  savedIn(machine, into).fragments = manager.fragments.map((object) => {
    const bundle = newBundle(machine);
    const state = fragmentOf(machine, object);
    machine.call(object, 'onSaveInstanceState(Landroid/os/Bundle;)V', bundle);
    if (state.childManager !== null) saveFragments(machine, managerOf(state.childManager), bundle);
    return { object, state: { ...state }, bundle };
  });
}

function restoreFragments(machine: Machine, manager: ManagerState, from: HeapObject): void {
  for (const { object, state, bundle } of savedIn(machine, from).fragments) {
    let fragment = object;
    if (!state.isRetained) {
      try {
        fragment = newFragment(machine, object.cls.name, state.arguments);
      } catch (error) {
        // A fragment without an empty constructor crashes an app on a phone; here it is only not recreated.
        if (!(error instanceof JavaThrow)) throw error;
        continue;
      }
    }
    const { id, tag, isHidden, isDetached, isInLayout, hasMenu } = state;
    Object.assign(fragmentOf(machine, fragment), { id, tag, isHidden, isDetached, hasMenu, saved: bundle });
    fragmentOf(machine, fragment).isInLayout = isInLayout;
    manager.fragments.push(fragment);
  }
}

/** The text of a fragment's tag; null without one. */
export const tagText = (machine: Machine, tag: Reference): string | null => (tag === null ? null : plain(machine, tag));
