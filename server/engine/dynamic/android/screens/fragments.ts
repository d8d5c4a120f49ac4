// Models of the framework's own fragments, their manager and its transactions. Support libraries' fragments are app code.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { post } from '../components/activity-life.ts';
import { startActivity } from '../components/delivery.ts';
import { loaderManager } from '../data/loaders.ts';
import {
  each,
  flag,
  listOf,
  no,
  none,
  nothing,
  plain,
  type Reference,
  self,
  setContextMenuListener,
} from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';
import {
  addFragment,
  type Change,
  childManagerOf,
  fragmentOf,
  type ManagerState,
  managerOf,
  managerOfFragment,
  moveTo,
  newFragment,
  popBackStack,
  removeFragment,
  runPending,
  setHidden,
  stages,
  tagText,
  tellBackStack,
} from './fragment-lives.ts';

const fragmentType = 'Landroid/app/Fragment;';
const managerType = 'Landroid/app/FragmentManager;';
const transactionType = 'Landroid/app/FragmentTransaction;';
const bundle = 'Landroid/os/Bundle;';
const S = 'Ljava/lang/String;';

// Transactions.

interface TransactionState {
  readonly manager: HeapObject;
  readonly changes: Change[];
  /** Name on the back stack; undefined: the transaction is not on it. */
  backStackName: string | null | undefined;
}

const transactionOf = (me: HeapObject): TransactionState => me.native as TransactionState;

const change =
  (make: (machine: Machine, manager: ManagerState, fragment: HeapObject) => Change): NativeMethod =>
  (machine, me, fragment: HeapObject) => {
    const { manager, changes } = transactionOf(me);
    changes.push(make(machine, managerOf(manager), fragment));
    return me;
  };

const put =
  (replaces: boolean): NativeMethod =>
  (machine, me, first: Value, second: Reference, third: Reference = null) => {
    const transaction = transactionOf(me);
    const manager = managerOf(transaction.manager);
    const id = typeof first === 'number' ? first : 0;
    const added = (typeof first === 'number' ? second : first) as HeapObject;
    const tag = tagText(machine, typeof first === 'number' ? third : second);
    let replaced: HeapObject[] = [];
    transaction.changes.push({
      run: () => {
        if (replaces) {
          replaced = manager.fragments.filter((other) => other !== added && fragmentOf(machine, other).id === id);
          for (const other of replaced) removeFragment(machine, manager, other);
        }
        const state = fragmentOf(machine, added);
        state.id = id;
        state.tag = tag;
        addFragment(machine, manager, added);
      },
      undo: () => {
        removeFragment(machine, manager, added);
        for (const other of replaced) addFragment(machine, manager, other);
      },
    });
    return me;
  };

const removing = change((machine, manager, fragment) => ({
  run: () => removeFragment(machine, manager, fragment),
  undo: () => addFragment(machine, manager, fragment),
}));

const hiding = (isHidden: boolean): NativeMethod =>
  change((machine, _manager, fragment) => ({
    run: () => setHidden(machine, fragment, isHidden),
    undo: () => setHidden(machine, fragment, !isHidden),
  }));

const detaching = (isDetached: boolean): NativeMethod =>
  change((machine, manager, fragment) => {
    const set = (value: boolean) => {
      fragmentOf(machine, fragment).isDetached = value;
      moveTo(machine, manager, fragment, manager.stage);
    };
    return { run: () => set(isDetached), undo: () => set(!isDetached) };
  });

function execute(machine: Machine, { manager, changes, backStackName }: TransactionState): void {
  const done = changes.splice(0);
  for (const { run } of done) run();
  if (backStackName === undefined) return;
  managerOf(manager).backStack.push({ name: backStackName, changes: done });
  tellBackStack(machine, managerOf(manager));
}

const commit: NativeMethod = (machine, me) => {
  const transaction = transactionOf(me);
  const manager = managerOf(transaction.manager);
  manager.pending.push(() => execute(machine, transaction));
  post(machine, 0, manager.activity.cls.name, () => runPending(manager));
  return 1;
};

const commitNow: NativeMethod = (machine, me) => {
  execute(machine, transactionOf(me));
};

const transactionMethods: NativeMethods = {
  [`add(I${fragmentType})${transactionType}`]: put(false),
  [`add(I${fragmentType}${S})${transactionType}`]: put(false),
  [`add(${fragmentType}${S})${transactionType}`]: put(false),
  [`replace(I${fragmentType})${transactionType}`]: put(true),
  [`replace(I${fragmentType}${S})${transactionType}`]: put(true),
  [`remove(${fragmentType})${transactionType}`]: removing,
  [`hide(${fragmentType})${transactionType}`]: hiding(true),
  [`show(${fragmentType})${transactionType}`]: hiding(false),
  [`detach(${fragmentType})${transactionType}`]: detaching(true),
  [`attach(${fragmentType})${transactionType}`]: detaching(false),
  [`addToBackStack(${S})${transactionType}`]: (machine, me, name: Reference) => {
    transactionOf(me).backStackName = tagText(machine, name);
    return me;
  },
  'isEmpty()Z': (_machine, me) => transactionOf(me).changes.length === 0,
  'isAddToBackStackAllowed()Z': () => 1,
  ...each(
    self,
    `setTransition(I)${transactionType}`,
    `setTransitionStyle(I)${transactionType}`,
    `setCustomAnimations(II)${transactionType}`,
    `setCustomAnimations(IIII)${transactionType}`,
    `setBreadCrumbTitle(I)${transactionType}`,
    `setBreadCrumbTitle(Ljava/lang/CharSequence;)${transactionType}`,
    `setReorderingAllowed(Z)${transactionType}`,
    `setPrimaryNavigationFragment(${fragmentType})${transactionType}`,
    `addSharedElement(Landroid/view/View;${S})${transactionType}`,
    `disallowAddToBackStack()${transactionType}`,
  ),
  [`runOnCommit(!Ljava/lang/Runnable;)${transactionType}`]: (machine, me, task: HeapObject) => {
    transactionOf(me).changes.push({ run: () => void machine.call(task, 'run()V'), undo: () => undefined });
    return me;
  },
  ...each(commit, 'commit()I', 'commitAllowingStateLoss()I'),
  ...each(commitNow, 'commitNow()V', 'commitNowAllowingStateLoss()V'),
};

// Managers.

const popping: NativeMethod = (machine, me) => {
  const manager = managerOf(me);
  manager.pending.push(() => void popBackStack(machine, manager));
  post(machine, 0, manager.activity.cls.name, () => runPending(manager));
};

const poppingNow: NativeMethod = (machine, me) => {
  runPending(managerOf(me));
  return flag(popBackStack(machine, managerOf(me)));
};

const finding =
  (fits: (machine: Machine, fragment: HeapObject, wanted: Value) => boolean): NativeMethod =>
  (machine, me, wanted: Value) =>
    managerOf(me).fragments.findLast((fragment) => fits(machine, fragment, wanted)) ?? null;

const entryType = `${managerType.slice(0, -1)}$BackStackEntry;`;
const listenerType = `${managerType.slice(0, -1)}$OnBackStackChangedListener;`;

const managerMethods: NativeMethods = {
  ...each(
    (machine, me) => {
      const transaction = machine.allocate(transactionType);
      transaction.native = { manager: me, changes: [], backStackName: undefined } satisfies TransactionState;
      return transaction;
    },
    `beginTransaction()${transactionType}`,
    `openTransaction()${transactionType}`,
  ),
  [`findFragmentById(I)${fragmentType}`]: finding((machine, fragment, id) => fragmentOf(machine, fragment).id === id),
  [`findFragmentByTag(${S})${fragmentType}`]: finding(
    (machine, fragment, tag) => tag !== null && fragmentOf(machine, fragment).tag === plain(machine, tag as HeapObject),
  ),
  'getFragments()Ljava/util/List;': (machine, me) => listOf(machine, managerOf(me).fragments),
  'executePendingTransactions()Z': (_machine, me) => {
    const { pending } = managerOf(me);
    const had = pending.length > 0;
    runPending(managerOf(me));
    return flag(had);
  },
  'getBackStackEntryCount()I': (_machine, me) => managerOf(me).backStack.length,
  [`getBackStackEntryAt(I)${entryType}`]: (machine, me, index: number) => {
    const entry = machine.allocate(entryType);
    entry.native = { name: managerOf(me).backStack[index]?.name ?? null, index };
    return entry;
  },
  ...each(popping, 'popBackStack()V', 'popBackStack(II)V', `popBackStack(${S}I)V`),
  ...each(poppingNow, 'popBackStackImmediate()Z', 'popBackStackImmediate(II)Z', `popBackStackImmediate(${S}I)Z`),
  [`addOnBackStackChangedListener(${listenerType})V`]: (_machine, me, listener: HeapObject) =>
    managerOf(me).backStackListeners.push(listener),
  [`removeOnBackStackChangedListener(${listenerType})V`]: (_machine, me, listener: HeapObject) => {
    const { backStackListeners } = managerOf(me);
    const at = backStackListeners.indexOf(listener);
    if (at >= 0) backStackListeners.splice(at, 1);
  },
  [`putFragment(!${bundle}${S}!${fragmentType})V`]: (machine, _me, into: HeapObject, key: Reference, one) =>
    machine.call(into, `putString(${S}${S})V`, key, machine.string(fragmentOf(machine, one).tag ?? one.cls.name)),
  [`getFragment(!${bundle}${S})${fragmentType}`]: (machine, me, from: HeapObject, key: Reference) => {
    const name = machine.call(from, `getString(${S})${S}`, key) as Reference;
    if (name === null) return null;
    const text = plain(machine, name);
    return managerOf(me).fragments.find((one) => (fragmentOf(machine, one).tag ?? one.cls.name) === text) ?? null;
  },
  'isDestroyed()Z': (_machine, me) => managerOf(me).stage === stages.none,
  'isStateSaved()Z': no,
  'invalidateOptionsMenu()V': nothing,
};

// Fragments.

const activityOf: NativeMethod = (machine, me) => fragmentOf(machine, me).activity;

const resources = (machine: Machine): HeapObject => singleton(machine, 'Landroid/content/res/Resources;');

const starting =
  (sink: string): NativeMethod =>
  (machine, me, intent: HeapObject, code: Value = -1) =>
    startActivity(machine, intent, fragmentOf(machine, me).activity, typeof code === 'number' ? code : -1, sink);

/** Methods that delegate to the activity. */
const asking = (...signatures: string[]): NativeMethods =>
  Object.fromEntries(
    signatures.map((signature): [string, NativeMethod] => [
      signature,
      (machine, me, ...args: Value[]) => {
        const { activity } = fragmentOf(machine, me);
        if (activity === null) {
          throw machine.exception(
            'Ljava/lang/IllegalStateException;',
            `Fragment ${me.cls.name} not attached to Activity`,
          );
        }
        return machine.call(activity, signature, ...args);
      },
    ]),
  );

const fragmentMethods: NativeMethods = {
  ...each(
    nothing,
    '<init>()V',
    'onAttach(Landroid/app/Activity;)V',
    `onCreate(${bundle})V`,
    `onViewCreated(Landroid/view/View;${bundle})V`,
    `onActivityCreated(${bundle})V`,
    `onViewStateRestored(${bundle})V`,
    'onStart()V',
    'onResume()V',
    'onPause()V',
    'onStop()V',
    'onDestroyView()V',
    'onDestroy()V',
    'onDetach()V',
    'onLowMemory()V',
    'onTrimMemory(I)V',
    `onSaveInstanceState(${bundle})V`,
    'onConfigurationChanged(Landroid/content/res/Configuration;)V',
    'onActivityResult(IILandroid/content/Intent;)V',
    `onRequestPermissionsResult(I[${S}[I)V`,
    'onHiddenChanged(Z)V',
    `onAttachFragment(${fragmentType})V`,
    'onCreateOptionsMenu(Landroid/view/Menu;Landroid/view/MenuInflater;)V',
    'onPrepareOptionsMenu(Landroid/view/Menu;)V',
    'onOptionsMenuClosed(Landroid/view/Menu;)V',
    'onDestroyOptionsMenu()V',
    `onInflate(Landroid/app/Activity;Landroid/util/AttributeSet;${bundle})V`,
    `onInflate(Landroid/content/Context;Landroid/util/AttributeSet;${bundle})V`,
    'setUserVisibleHint(Z)V',
    'setMenuVisibility(Z)V',
  ),
  'onAttach(Landroid/content/Context;)V': (machine, me, context: Reference) => {
    machine.call(me, 'onAttach(Landroid/app/Activity;)V', context);
  },
  [`onGetLayoutInflater(${bundle})Landroid/view/LayoutInflater;`]: (machine, me) =>
    machine.call(fragmentOf(machine, me).activity!, 'getLayoutInflater()Landroid/view/LayoutInflater;'),
  [`onCreateView(Landroid/view/LayoutInflater;Landroid/view/ViewGroup;${bundle})Landroid/view/View;`]: none,
  'onOptionsItemSelected(Landroid/view/MenuItem;)Z': no,
  'onContextItemSelected(Landroid/view/MenuItem;)Z': no,
  'registerForContextMenu(!Landroid/view/View;)V': (machine, me, view: HeapObject) =>
    machine.call(view, setContextMenuListener, me),
  'unregisterForContextMenu(!Landroid/view/View;)V': (machine, _me, view: HeapObject) =>
    machine.call(view, setContextMenuListener, null),
  'setHasOptionsMenu(Z)V': (machine, me, hasMenu: number) => {
    fragmentOf(machine, me).hasMenu = hasMenu !== 0;
  },
  'getActivity()Landroid/app/Activity;': activityOf,
  'getContext()Landroid/content/Context;': activityOf,
  'getHost()Ljava/lang/Object;': activityOf,
  'getView()Landroid/view/View;': (machine, me) => fragmentOf(machine, me).view,
  [`getTag()${S}`]: (machine, me) => {
    const { tag } = fragmentOf(machine, me);
    return tag === null ? null : machine.string(tag);
  },
  'getId()I': (machine, me) => fragmentOf(machine, me).id,
  [`getArguments()${bundle}`]: (machine, me) => fragmentOf(machine, me).arguments,
  [`setArguments(${bundle})V`]: (machine, me, given: Reference) => {
    fragmentOf(machine, me).arguments = given;
  },
  'setRetainInstance(Z)V': (machine, me, isRetained: number) => {
    fragmentOf(machine, me).isRetained = isRetained !== 0;
  },
  'getRetainInstance()Z': (machine, me) => fragmentOf(machine, me).isRetained,
  [`setTargetFragment(${fragmentType}I)V`]: (machine, me, target: Reference, code: number) => {
    Object.assign(fragmentOf(machine, me), { target, targetCode: code });
  },
  [`getTargetFragment()${fragmentType}`]: (machine, me) => fragmentOf(machine, me).target,
  'getTargetRequestCode()I': (machine, me) => fragmentOf(machine, me).targetCode,
  [`getParentFragment()${fragmentType}`]: (machine, me) => fragmentOf(machine, me).parent,
  'isAdded()Z': (machine, me) => fragmentOf(machine, me).stage > stages.none,
  'isVisible()Z': (machine, me) => {
    const { stage, isHidden } = fragmentOf(machine, me);
    return flag(stage > stages.created && !isHidden);
  },
  'isResumed()Z': (machine, me) => fragmentOf(machine, me).stage === stages.resumed,
  'isDetached()Z': (machine, me) => fragmentOf(machine, me).isDetached,
  'isHidden()Z': (machine, me) => fragmentOf(machine, me).isHidden,
  'isInLayout()Z': (machine, me) => fragmentOf(machine, me).isInLayout,
  'isRemoving()Z': no,
  'isStateSaved()Z': no,
  'getUserVisibleHint()Z': () => 1,
  'getResources()Landroid/content/res/Resources;': resources,
  ...Object.fromEntries(
    [`getString(I)${S}`, `getString(I[Ljava/lang/Object;)${S}`, 'getText(I)Ljava/lang/CharSequence;'].map(
      (signature): [string, NativeMethod] => [
        signature,
        (machine, _me, ...args: Value[]) => machine.call(resources(machine), signature, ...args),
      ],
    ),
  ),
  ...asking('getLayoutInflater()Landroid/view/LayoutInflater;'),
  'getLoaderManager()Landroid/app/LoaderManager;': loaderManager,
  [`getFragmentManager()${managerType}`]: managerOfFragment,
  [`getChildFragmentManager()${managerType}`]: childManagerOf,
  ...each(
    starting('Fragment.startActivity'),
    'startActivity(!Landroid/content/Intent;)V',
    `startActivity(!Landroid/content/Intent;${bundle})V`,
  ),
  ...each(
    starting('Fragment.startActivityForResult'),
    'startActivityForResult(!Landroid/content/Intent;I)V',
    `startActivityForResult(!Landroid/content/Intent;I${bundle})V`,
  ),
};

const instantiate: NativeMethod = (machine, _context: Reference, name: Reference, given: Reference = null) =>
  newFragment(machine, plain(machine, name), given);

export const fragmentModels: Models = {
  [fragmentType]: {
    methods: fragmentMethods,
    staticMethods: each(
      instantiate,
      `instantiate(Landroid/content/Context;${S})${fragmentType}`,
      `instantiate(Landroid/content/Context;${S}${bundle})${fragmentType}`,
    ),
  },
  'Landroid/app/Fragment$InstantiationException;': { extends: 'Ljava/lang/RuntimeException;' },
  [managerType]: { methods: managerMethods },
  [entryType]: {
    methods: {
      [`getName()${S}`]: (machine, me) => {
        const { name } = me.native as { name: string | null };
        return name === null ? null : machine.string(name);
      },
      'getId()I': (_machine, me) => (me.native as { index: number }).index,
    },
  },
  [listenerType]: { isInterface: true, abstractMethods: ['onBackStackChanged()V'] },
  [transactionType]: { methods: transactionMethods },
};
