// Models of the framework's own fragments: their lives follow the activity's. Support libraries' fragments are app code.
import type { HeapObject, Value } from '../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../machine/model.ts';
import { post } from './activity-life.ts';
import { appOf } from './app.ts';
import { startActivity } from './delivery.ts';
import { each, flag, no, none, nothing, plain, type Reference, self, sideState } from './model-parts.ts';
import { singleton } from './system-services.ts';
import { addChild, findById, removeChild } from './view-tree.ts';

interface FragmentState {
  activity: Reference;
  arguments: Reference;
  view: Reference;
  tag: string | null;
  id: number;
  stage: number;
  isHidden: boolean;
  target: Reference;
}

const fragmentOf = (machine: Machine, fragment: HeapObject): FragmentState =>
  sideState<FragmentState>(machine, 'fragment', fragment, () => ({
    activity: null,
    arguments: null,
    view: null,
    tag: null,
    id: 0,
    stage: 0,
    isHidden: false,
    target: null,
  }));

interface ManagerState {
  readonly activity: HeapObject;
  fragments: HeapObject[];
  /** What the activity has reached. */
  stage: number;
  backStack: number;
}

interface TransactionState {
  readonly manager: HeapObject;
  readonly steps: (() => void)[];
}

/** Attached 0, created 1, its view made and started 2, resumed 3. */
const stages: Readonly<Record<string, number>> = {
  created: 1,
  started: 2,
  resumed: 3,
  paused: 2,
  stopped: 1,
  destroyed: 0,
};

export function fragmentManagerOf(machine: Machine, activity: HeapObject): HeapObject {
  return sideState(machine, 'fragments', activity, () => {
    const manager = machine.allocate('Landroid/app/FragmentManager;');
    manager.native = { activity, fragments: [], stage: 0, backStack: 0 } satisfies ManagerState;
    return manager;
  });
}

const managerOf = (manager: HeapObject): ManagerState => manager.native as ManagerState;

/** Takes an activity's fragments along. @param stage `created`, `started` … `saved` */
export function dispatchFragments(machine: Machine, activity: HeapObject, stage: string, saved: Reference): void {
  const manager = managerOf(fragmentManagerOf(machine, activity));
  if (stage === 'saved') {
    for (const fragment of [...manager.fragments]) {
      machine.call(fragment, 'onSaveInstanceState(Landroid/os/Bundle;)V', saved);
    }
    return;
  }
  manager.stage = stages[stage] ?? manager.stage;
  for (const fragment of [...manager.fragments]) moveTo(machine, manager, fragment, manager.stage);
  if (stage === 'destroyed') {
    for (const fragment of manager.fragments) remove(machine, manager, fragment);
    manager.fragments = [];
  }
}

function moveTo(machine: Machine, manager: ManagerState, fragment: HeapObject, wanted: number): void {
  const state = fragmentOf(machine, fragment);
  if (state.stage === 0 && wanted > 0) {
    state.activity = manager.activity;
    state.stage = 1;
    machine.call(fragment, 'onAttach(Landroid/app/Activity;)V', manager.activity);
    machine.call(fragment, 'onAttach(Landroid/content/Context;)V', manager.activity);
    machine.call(fragment, 'onCreate(Landroid/os/Bundle;)V', null);
  }
  if (state.stage === 1 && wanted > 1) {
    state.stage = 2;
    if (state.view === null) makeView(machine, manager, fragment, state);
    machine.call(fragment, 'onActivityCreated(Landroid/os/Bundle;)V', null);
    machine.call(fragment, 'onStart()V');
  }
  if (state.stage === 2 && wanted > 2) {
    state.stage = 3;
    machine.call(fragment, 'onResume()V');
  }
  if (state.stage === 3 && wanted < 3) {
    state.stage = 2;
    machine.call(fragment, 'onPause()V');
  }
  if (state.stage === 2 && wanted < 2) {
    state.stage = 1;
    machine.call(fragment, 'onStop()V');
  }
}

function makeView(machine: Machine, manager: ManagerState, fragment: HeapObject, state: FragmentState): void {
  const content = appOf(machine).recordOf(manager.activity)?.content ?? null;
  const container = content === null ? null : findById(machine, content, state.id);
  const inflater = machine.callStatic(
    'Landroid/view/LayoutInflater;',
    'from(Landroid/content/Context;)Landroid/view/LayoutInflater;',
    manager.activity,
  );
  const view = machine.call(
    fragment,
    'onCreateView(Landroid/view/LayoutInflater;Landroid/view/ViewGroup;Landroid/os/Bundle;)Landroid/view/View;',
    inflater,
    container,
    null,
  ) as Reference;
  if (view === null) return;
  state.view = view;
  if (container !== null) addChild(container, view);
  machine.call(fragment, 'onViewCreated(Landroid/view/View;Landroid/os/Bundle;)V', view, null);
}

function remove(machine: Machine, manager: ManagerState, fragment: HeapObject): void {
  const state = fragmentOf(machine, fragment);
  moveTo(machine, manager, fragment, 0);
  if (state.stage === 0) return;
  state.stage = 0;
  machine.call(fragment, 'onDestroyView()V');
  machine.call(fragment, 'onDestroy()V');
  machine.call(fragment, 'onDetach()V');
  state.activity = null;
  state.view = null;
}

const transactionType = 'Landroid/app/FragmentTransaction;';

const put =
  (replaces: boolean): NativeMethod =>
  (machine, me: HeapObject, id: Value, fragment: Reference | HeapObject, tag: Reference = null) => {
    const transaction = me.native as TransactionState;
    const manager = managerOf(transaction.manager);
    const added = (typeof id === 'number' ? fragment : id) as HeapObject;
    const name = (typeof id === 'number' ? tag : fragment) as Reference;
    transaction.steps.push(() => {
      if (replaces) {
        for (const other of manager.fragments.filter((each) => fragmentOf(machine, each).id === id)) {
          detachView(machine, other);
          remove(machine, manager, other);
          manager.fragments = manager.fragments.filter((each) => each !== other);
        }
      }
      const state = fragmentOf(machine, added);
      state.id = typeof id === 'number' ? id : 0;
      state.tag = name === null ? null : plain(machine, name);
      manager.fragments.push(added);
      moveTo(machine, manager, added, manager.stage);
    });
    return me;
  };

function detachView(machine: Machine, fragment: HeapObject): void {
  const { view } = fragmentOf(machine, fragment);
  const parent = view === null ? null : (view.native as { parent: Reference }).parent;
  if (view !== null && parent !== null) removeChild(parent, view);
}

const commit: NativeMethod = (machine, me: HeapObject) => {
  const { steps, manager } = me.native as TransactionState;
  post(machine, 0, managerOf(manager).activity.cls.name, () => {
    for (const step of steps.splice(0)) step();
  });
  return 1;
};

const commitNow: NativeMethod = (_machine, me: HeapObject) => {
  for (const step of (me.native as TransactionState).steps.splice(0)) step();
};

const transactionMethods: NativeMethods = {
  [`add(ILandroid/app/Fragment;)${transactionType}`]: put(false),
  [`add(ILandroid/app/Fragment;Ljava/lang/String;)${transactionType}`]: put(false),
  [`add(Landroid/app/Fragment;Ljava/lang/String;)${transactionType}`]: put(false),
  [`replace(ILandroid/app/Fragment;)${transactionType}`]: put(true),
  [`replace(ILandroid/app/Fragment;Ljava/lang/String;)${transactionType}`]: put(true),
  [`remove(Landroid/app/Fragment;)${transactionType}`]: (machine, me: HeapObject, fragment: HeapObject) => {
    const { steps, manager } = me.native as TransactionState;
    steps.push(() => {
      const state = managerOf(manager);
      detachView(machine, fragment);
      remove(machine, state, fragment);
      state.fragments = state.fragments.filter((each) => each !== fragment);
    });
    return me;
  },
  ...each(
    self,
    `addToBackStack(Ljava/lang/String;)${transactionType}`,
    `hide(Landroid/app/Fragment;)${transactionType}`,
    `show(Landroid/app/Fragment;)${transactionType}`,
    `attach(Landroid/app/Fragment;)${transactionType}`,
    `detach(Landroid/app/Fragment;)${transactionType}`,
    `setTransition(I)${transactionType}`,
    `setCustomAnimations(II)${transactionType}`,
    `setCustomAnimations(IIII)${transactionType}`,
    `disallowAddToBackStack()${transactionType}`,
  ),
  ...each(commit, 'commit()I', 'commitAllowingStateLoss()I'),
  ...each(commitNow, 'commitNow()V', 'commitNowAllowingStateLoss()V'),
};

const activityOf: NativeMethod = (machine, me: HeapObject) => fragmentOf(machine, me).activity;

const fragmentMethods: NativeMethods = {
  ...each(
    nothing,
    '<init>()V',
    'onAttach(Landroid/app/Activity;)V',
    'onAttach(Landroid/content/Context;)V',
    'onCreate(Landroid/os/Bundle;)V',
    'onViewCreated(Landroid/view/View;Landroid/os/Bundle;)V',
    'onActivityCreated(Landroid/os/Bundle;)V',
    'onViewStateRestored(Landroid/os/Bundle;)V',
    'onStart()V',
    'onResume()V',
    'onPause()V',
    'onStop()V',
    'onDestroyView()V',
    'onDestroy()V',
    'onDetach()V',
    'onLowMemory()V',
    'onTrimMemory(I)V',
    'onSaveInstanceState(Landroid/os/Bundle;)V',
    'onConfigurationChanged(Landroid/content/res/Configuration;)V',
    'onActivityResult(IILandroid/content/Intent;)V',
    'onHiddenChanged(Z)V',
    'onCreateOptionsMenu(Landroid/view/Menu;Landroid/view/MenuInflater;)V',
    'onPrepareOptionsMenu(Landroid/view/Menu;)V',
    'setHasOptionsMenu(Z)V',
    'setUserVisibleHint(Z)V',
    'setMenuVisibility(Z)V',
    'registerForContextMenu(Landroid/view/View;)V',
  ),
  'onCreateView(Landroid/view/LayoutInflater;Landroid/view/ViewGroup;Landroid/os/Bundle;)Landroid/view/View;': none,
  'onOptionsItemSelected(Landroid/view/MenuItem;)Z': no,
  'onContextItemSelected(Landroid/view/MenuItem;)Z': no,
  'getActivity()Landroid/app/Activity;': activityOf,
  'getContext()Landroid/content/Context;': activityOf,
  'getView()Landroid/view/View;': (machine, me: HeapObject) => fragmentOf(machine, me).view,
  'getTag()Ljava/lang/String;': (machine, me: HeapObject) => {
    const { tag } = fragmentOf(machine, me);
    return tag === null ? null : machine.string(tag);
  },
  'getId()I': (machine, me: HeapObject) => fragmentOf(machine, me).id,
  'getArguments()Landroid/os/Bundle;': (machine, me: HeapObject) => fragmentOf(machine, me).arguments,
  'setArguments(Landroid/os/Bundle;)V': (machine, me: HeapObject, bundle: Reference) => {
    fragmentOf(machine, me).arguments = bundle;
  },
  'setRetainInstance(Z)V': nothing,
  'isAdded()Z': (machine, me: HeapObject) => flag(fragmentOf(machine, me).stage > 0),
  'isVisible()Z': (machine, me: HeapObject) => flag(fragmentOf(machine, me).stage > 1),
  'isResumed()Z': (machine, me: HeapObject) => flag(fragmentOf(machine, me).stage > 2),
  'isDetached()Z': no,
  'isRemoving()Z': no,
  'isHidden()Z': no,
  'getResources()Landroid/content/res/Resources;': (machine) => singleton(machine, 'Landroid/content/res/Resources;'),
  'getString(I)Ljava/lang/String;': (machine, _me: HeapObject, id: number) =>
    machine.call(singleton(machine, 'Landroid/content/res/Resources;'), 'getString(I)Ljava/lang/String;', id),
  // One manager for nested fragments too: what is on screen is the same.
  ...each(
    (machine, me: HeapObject) => {
      const { activity } = fragmentOf(machine, me);
      return activity === null ? null : fragmentManagerOf(machine, activity);
    },
    'getFragmentManager()Landroid/app/FragmentManager;',
    'getChildFragmentManager()Landroid/app/FragmentManager;',
  ),
  'startActivity(Landroid/content/Intent;)V': (machine, me: HeapObject, intent: HeapObject) =>
    startActivity(machine, intent, fragmentOf(machine, me).activity, -1, 'Fragment.startActivity'),
  'startActivityForResult(Landroid/content/Intent;I)V': (machine, me: HeapObject, intent: HeapObject, code: number) =>
    startActivity(machine, intent, fragmentOf(machine, me).activity, code, 'Fragment.startActivityForResult'),
};

export const fragmentModels: Models = {
  'Landroid/app/Fragment;': {
    methods: fragmentMethods,
    staticMethods: {
      'instantiate(Landroid/content/Context;Ljava/lang/String;)Landroid/app/Fragment;': (
        machine,
        _context: Reference,
        name: Reference,
      ) => machine.construct(`L${plain(machine, name).replaceAll('.', '/')};`, '<init>()V'),
      'instantiate(Landroid/content/Context;Ljava/lang/String;Landroid/os/Bundle;)Landroid/app/Fragment;': (
        machine,
        _context: Reference,
        name: Reference,
        bundle: Reference,
      ) => {
        const fragment = machine.construct(`L${plain(machine, name).replaceAll('.', '/')};`, '<init>()V');
        fragmentOf(machine, fragment).arguments = bundle;
        return fragment;
      },
    },
  },
  'Landroid/app/ListFragment;': { extends: 'Landroid/app/Fragment;' },
  'Landroid/preference/PreferenceFragment;': { extends: 'Landroid/app/Fragment;' },
  'Landroid/app/DialogFragment;': {
    extends: 'Landroid/app/Fragment;',
    methods: {
      'show(Landroid/app/FragmentManager;Ljava/lang/String;)V': (
        machine,
        me: HeapObject,
        manager: HeapObject,
        tag: Reference,
      ) => {
        const transaction = machine.call(manager, `beginTransaction()${transactionType}`) as HeapObject;
        machine.call(transaction, `add(Landroid/app/Fragment;Ljava/lang/String;)${transactionType}`, me, tag);
        machine.call(transaction, 'commit()I');
        post(machine, 0, me.cls.name, () => {
          const dialog = machine.call(me, 'onCreateDialog(Landroid/os/Bundle;)Landroid/app/Dialog;', null) as Reference;
          if (dialog !== null) machine.call(dialog, 'show()V');
        });
      },
      'onCreateDialog(Landroid/os/Bundle;)Landroid/app/Dialog;': none,
      ...each(nothing, 'dismiss()V', 'setCancelable(Z)V', 'setStyle(II)V', 'setShowsDialog(Z)V'),
    },
  },
  'Landroid/app/FragmentManager;': {
    methods: {
      [`beginTransaction()${transactionType}`]: (machine, me: HeapObject) => {
        const transaction = machine.allocate(transactionType);
        transaction.native = { manager: me, steps: [] } satisfies TransactionState;
        return transaction;
      },
      'findFragmentById(I)Landroid/app/Fragment;': (machine, me: HeapObject, id: number) =>
        managerOf(me).fragments.findLast((each) => fragmentOf(machine, each).id === id) ?? null,
      'findFragmentByTag(Ljava/lang/String;)Landroid/app/Fragment;': (machine, me: HeapObject, tag: Reference) =>
        managerOf(me).fragments.findLast((each) => fragmentOf(machine, each).tag === plain(machine, tag)) ?? null,
      'executePendingTransactions()Z': no,
      'getBackStackEntryCount()I': () => 0,
      ...each(nothing, 'popBackStack()V', 'popBackStack(II)V', 'popBackStack(Ljava/lang/String;I)V'),
      'popBackStackImmediate()Z': no,
      'isDestroyed()Z': no,
    },
  },
  [transactionType]: { methods: transactionMethods },
};
