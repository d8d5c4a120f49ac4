// Models of the framework's loaders, which fetch what a screen shows aside of it, and of their managers. Knows no provider.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { post } from '../components/activity-life.ts';
import { appOf } from '../components/app.ts';
import { callIfThere, each, no, none, nothing, type Reference, sideState } from '../model-parts.ts';

const loader = 'Landroid/content/Loader;';
const callbacks = 'Landroid/app/LoaderManager$LoaderCallbacks;';
const managerType = 'Landroid/app/LoaderManager;';
const bundle = 'Landroid/os/Bundle;';
const object = 'Ljava/lang/Object;';
const query =
  'query(Landroid/net/Uri;[Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;Ljava/lang/String;)Landroid/database/Cursor;';
/** Loaders of one screen. */
const maxLoaders = 100;

interface LoaderState {
  id: number;
  callbacks: Reference;
  isStarted: boolean;
  context: Reference;
  /** Address, columns, selection, its arguments and order of a CursorLoader. */
  question: Value[];
  listener: Reference;
}

const loaderOf = (machine: Machine, me: HeapObject): LoaderState =>
  sideState<LoaderState>(machine, 'loader', me, () => ({
    ...{ id: 0, callbacks: null, isStarted: false, context: null },
    ...{ question: [null, null, null, null, null], listener: null },
  }));

const loadersOf = (machine: Machine, manager: HeapObject): Map<number, HeapObject> =>
  sideState(machine, 'loaders', manager, () => new Map<number, HeapObject>());

/** The manager of an activity or a fragment: the same one each time. */
export const loaderManager: NativeMethod = (machine, me) =>
  sideState(machine, 'loader-manager', me, () => machine.allocate(managerType));

const begin =
  (isAnew: boolean): NativeMethod =>
  (machine, me, id: number, args: Reference, receiver: Reference) => {
    const all = loadersOf(machine, me);
    const known = all.get(id);
    if (receiver === null) return known ?? null;
    if (known !== undefined && !isAnew) {
      loaderOf(machine, known).callbacks = receiver;
      return known;
    }
    const made = machine.call(receiver, `onCreateLoader(I${bundle})${loader}`, id, args) as Reference;
    if (made === null || all.size >= maxLoaders) return made;
    all.set(id, made);
    Object.assign(loaderOf(machine, made), { id, callbacks: receiver });
    machine.call(made, 'startLoading()V');
    return made;
  };

const managerMethods: NativeMethods = {
  [`initLoader(I${bundle}${callbacks})${loader}`]: begin(false),
  [`restartLoader(I${bundle}${callbacks})${loader}`]: begin(true),
  [`getLoader(I)${loader}`]: (machine, me, id: number) => loadersOf(machine, me).get(id) ?? null,
  'destroyLoader(I)V': (machine, me, id: number) => {
    const known = loadersOf(machine, me).get(id);
    if (known === undefined) return;
    loadersOf(machine, me).delete(id);
    const receiver = loaderOf(machine, known).callbacks;
    if (receiver !== null) callIfThere(machine, receiver, `onLoaderReset(${loader})V`, known);
    machine.call(known, 'reset()V');
  },
};

/** What was loaded goes to whoever waits for it. */
const deliver: NativeMethod = (machine, me, result: Value) => {
  const { callbacks: receiver, listener } = loaderOf(machine, me);
  post(machine, 0, me.cls.name, () => {
    if (receiver !== null) machine.call(receiver, `onLoadFinished(${loader}${object})V`, me, result);
    if (listener !== null) machine.call(listener, `onLoadComplete(${loader}${object})V`, me, result);
  });
};

const loaderMethods: NativeMethods = {
  '<init>(Landroid/content/Context;)V': (machine, me, context: Reference) => {
    loaderOf(machine, me).context = context;
  },
  'getId()I': (machine, me) => loaderOf(machine, me).id,
  'getContext()Landroid/content/Context;': (machine, me) => loaderOf(machine, me).context ?? appOf(machine).application,
  'isStarted()Z': (machine, me) => loaderOf(machine, me).isStarted,
  'isReset()Z': no,
  'isAbandoned()Z': no,
  'takeContentChanged()Z': no,
  'startLoading()V': (machine, me) => {
    loaderOf(machine, me).isStarted = true;
    machine.call(me, 'onStartLoading()V');
  },
  'stopLoading()V': (machine, me) => {
    loaderOf(machine, me).isStarted = false;
    machine.call(me, 'onStopLoading()V');
  },
  'reset()V': (machine, me) => {
    loaderOf(machine, me).isStarted = false;
    machine.call(me, 'onReset()V');
  },
  'forceLoad()V': (machine, me) => machine.call(me, 'onForceLoad()V'),
  'onContentChanged()V': (machine, me) => machine.call(me, 'forceLoad()V'),
  [`deliverResult(${object})V`]: deliver,
  'registerListener(ILandroid/content/Loader$OnLoadCompleteListener;)V': (
    machine,
    me,
    id: number,
    listener: Reference,
  ) => {
    Object.assign(loaderOf(machine, me), { id, listener });
  },
  ...each(nothing, 'onStartLoading()V', 'onStopLoading()V', 'onReset()V', 'onForceLoad()V', 'abandon()V'),
};

/** A thread fetches it. */
const fetchAside: NativeMethod = (machine, me) => {
  const task = machine.allocate('Landroid/content/LoaderTask;');
  task.native = me;
  const thread = machine.construct('Ljava/lang/Thread;', '<init>(Ljava/lang/Runnable;)V', task);
  machine.call(thread, 'start()V');
};

const loadInBackground = `loadInBackground()${object}`;

const setQuestion =
  (index: number): NativeMethod =>
  (machine, me, value: Value) => {
    loaderOf(machine, me).question[index] = value;
  };

export const loaderModels: Models = {
  [managerType]: { methods: managerMethods },
  [callbacks]: {
    isInterface: true,
    abstractMethods: [
      `onCreateLoader(I${bundle})${loader}`,
      `onLoadFinished(${loader}${object})V`,
      `onLoaderReset(${loader})V`,
    ],
  },
  [loader]: { methods: loaderMethods },
  'Landroid/content/LoaderTask;': {
    implements: ['Ljava/lang/Runnable;'],
    methods: {
      'run()V': (machine, me) => {
        const of = me.native as HeapObject;
        const result = machine.call(of, loadInBackground);
        post(machine, 0, of.cls.name, () => machine.call(of, `deliverResult(${object})V`, result));
      },
    },
  },
  'Landroid/content/AsyncTaskLoader;': {
    extends: loader,
    isAbstract: true,
    methods: {
      '<init>(Landroid/content/Context;)V': loaderMethods['<init>(Landroid/content/Context;)V']!,
      'onForceLoad()V': fetchAside,
      [loadInBackground]: none,
      [`onLoadInBackground()${object}`]: (machine, me) => machine.call(me, loadInBackground),
      'cancelLoad()Z': no,
      'isLoadInBackgroundCanceled()Z': no,
      ...each(nothing, 'setUpdateThrottle(J)V', `onCanceled(${object})V`),
    },
  },
  'Landroid/content/CursorLoader;': {
    extends: 'Landroid/content/AsyncTaskLoader;',
    methods: {
      '<init>(Landroid/content/Context;)V': loaderMethods['<init>(Landroid/content/Context;)V']!,
      '<init>(Landroid/content/Context;Landroid/net/Uri;[Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;Ljava/lang/String;)V':
        (machine, me, context: Reference, ...question: Value[]) => {
          Object.assign(loaderOf(machine, me), { context, question });
        },
      'onStartLoading()V': (machine, me) => machine.call(me, 'forceLoad()V'),
      [loadInBackground]: (machine, me) => {
        const context = loaderOf(machine, me).context ?? appOf(machine).application;
        const resolver = machine.call(context, 'getContentResolver()Landroid/content/ContentResolver;') as Reference;
        return machine.call(resolver, query, ...loaderOf(machine, me).question);
      },
      'loadInBackground()Landroid/database/Cursor;': (machine, me) => machine.call(me, loadInBackground),
      'setUri(Landroid/net/Uri;)V': setQuestion(0),
      'setProjection([Ljava/lang/String;)V': setQuestion(1),
      'setSelection(Ljava/lang/String;)V': setQuestion(2),
      'setSelectionArgs([Ljava/lang/String;)V': setQuestion(3),
      'setSortOrder(Ljava/lang/String;)V': setQuestion(4),
    },
  },
};
