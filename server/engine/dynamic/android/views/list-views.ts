// Models of lists, grids and spinners, which show what an adapter gives them. Knows no adapter.
import { flag, nothing } from '../../java/values.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { post } from '../components/activity-life.ts';
import { appOf } from '../components/app.ts';
import { callIfThere, each, type Reference, sideState } from '../model-parts.ts';
import { property, setProperty, widget } from './view-parts.ts';
import { addChild, isGone, isOnScreen, viewOf } from './view-tree.ts';

/** Rows that a list shows, and children of a group. */
const maxRows = 3;
const spinner = 'Landroid/widget/AbsSpinner;';
const parent = 'Landroid/view/ViewGroup;';
const getView = `getView(ILandroid/view/View;${parent})Landroid/view/View;`;
const getDropDownView = `getDropDownView(ILandroid/view/View;${parent})Landroid/view/View;`;

/** Binds the first rows that are not there yet, so that the adapter's code runs. */
function bindRows(machine: Machine, list: HeapObject, adapter: HeapObject): void {
  const count = Math.min(maxRows, machine.call(adapter, 'getCount()I') as number);
  const isSpinner = machine.isInstance(list, spinner);
  for (let index = boundRows(machine, list).count; index < count; index++) {
    boundRows(machine, list).count = index + 1;
    callIfThere(machine, adapter, 'getItemViewType(I)I', index);
    const row = machine.call(adapter, getView, index, null, list) as Reference;
    if (row !== null) addChild(list, row);
    if (isSpinner) callIfThere(machine, adapter, getDropDownView, index, null, list);
  }
  if (count > 0) callIfThere(machine, adapter, 'getItemId(I)J', 0);
}

const boundRows = (machine: Machine, list: HeapObject) =>
  sideState<{ count: number }>(machine, 'bound-rows', list, () => ({ count: 0 }));

const setAdapter: NativeMethod = (machine, me, adapter: Reference) => {
  viewOf(me).adapter = adapter;
  boundRows(machine, me).count = 0;
  if (adapter === null) return;
  const observer = machine.allocate(observerType);
  observer.native = { list: me, adapter } satisfies ObserverState;
  callIfThere(machine, adapter, 'registerDataSetObserver(Landroid/database/DataSetObserver;)V', observer);
  for (const question of asked) callIfThere(machine, adapter, question);
  post(machine, 0, me.cls.name, () => bindRows(machine, me, adapter));
};

/** What a list asks a new adapter. */
const asked = ['getViewTypeCount()I', 'hasStableIds()Z', 'areAllItemsEnabled()Z'] as const;

interface ObserverState {
  readonly list: HeapObject;
  readonly adapter: HeapObject;
}

const observerType = 'Landroid/widget/AdapterView$AdapterDataSetObserver;';

/** The adapter has other rows than before: those that the list has room for are bound. */
const onChanged: NativeMethod = (machine, me) => {
  const { list, adapter } = me.native as ObserverState;
  if (viewOf(list).adapter === adapter) post(machine, 0, list.cls.name, () => bindRows(machine, list, adapter));
};

const selectedRow = (machine: Machine, list: HeapObject) =>
  sideState<{ position: number }>(machine, 'selected-row', list, () => ({ position: 0 }));

const itemAt: NativeMethod = (machine, me, index = 0) => {
  const { adapter } = viewOf(me);
  if (adapter === null || index < 0 || (machine.call(adapter, 'getCount()I') as number) <= index) return null;
  return machine.call(adapter, 'getItem(I)Ljava/lang/Object;', index);
};

const adapterViewMethods: NativeMethods = {
  ...each(
    setAdapter,
    'setAdapter(Landroid/widget/ListAdapter;)V',
    'setAdapter(Landroid/widget/SpinnerAdapter;)V',
    'setAdapter(Landroid/widget/Adapter;)V',
  ),
  ...each(
    (_machine, me) => viewOf(me).adapter,
    'getAdapter()Landroid/widget/ListAdapter;',
    'getAdapter()Landroid/widget/Adapter;',
    'getAdapter()Landroid/widget/SpinnerAdapter;',
  ),
  'setEmptyView(Landroid/view/View;)V': setProperty('emptyView'),
  'getEmptyView()Landroid/view/View;': property('emptyView'),
  'getSelectedItem()Ljava/lang/Object;': (machine, me) => itemAt(machine, me, selectedRow(machine, me).position),
  'getItemAtPosition(I)Ljava/lang/Object;': itemAt,
  'getSelectedItemPosition()I': (machine, me) => selectedRow(machine, me).position,
  ...each(
    (machine, me, position: number) => {
      selectedRow(machine, me).position = position;
    },
    'setSelection(I)V',
    'setSelection(IZ)V',
  ),
  'getCount()I': (machine, me) => {
    const { adapter } = viewOf(me);
    return adapter === null ? 0 : machine.call(adapter, 'getCount()I');
  },
  ...each(
    (_machine, me, child: HeapObject) => {
      addChild(me, child);
    },
    'addHeaderView(!Landroid/view/View;)V',
    'addFooterView(!Landroid/view/View;)V',
  ),
  ...each(
    nothing,
    'setDivider(Landroid/graphics/drawable/Drawable;)V',
    'setDividerHeight(I)V',
    'setChoiceMode(I)V',
    'setCacheColorHint(I)V',
    'setSelector(I)V',
    'setFastScrollEnabled(Z)V',
    'setPrompt(Ljava/lang/CharSequence;)V',
  ),
};

// Lists whose rows are groups.

const groups = 'Landroid/widget/ExpandableListAdapter;';
const group = 'Landroid/widget/ExpandableListView;';

function bindGroups(machine: Machine, list: HeapObject, adapter: HeapObject): void {
  const count = Math.min(maxRows, machine.call(adapter, 'getGroupCount()I') as number);
  for (let at = 0; at < count; at++) {
    const row = machine.call(
      adapter,
      `getGroupView(IZLandroid/view/View;${parent})Landroid/view/View;`,
      at,
      1,
      null,
      list,
    );
    if (row !== null) addChild(list, row as HeapObject);
    const children = Math.min(maxRows, machine.call(adapter, 'getChildrenCount(I)I', at) as number);
    for (let child = 0; child < children; child++) {
      const isLast = flag(child === children - 1);
      const signature = `getChildView(IIZLandroid/view/View;${parent})Landroid/view/View;`;
      const view = machine.call(adapter, signature, at, child, isLast, null, list);
      if (view !== null) addChild(list, view as HeapObject);
    }
  }
}

/** A touch of a group or of a child, each time of the first that there is. */
const groupListener = (
  name: string,
  hasChild: boolean,
  call: (machine: Machine, list: HeapObject, adapter: HeapObject, listener: HeapObject) => void,
): NativeMethods => ({
  [`setOn${name}Listener(Landroid/widget/ExpandableListView$On${name}Listener;)V`]: (
    machine,
    me,
    listener: Reference,
  ) => {
    const app = appOf(machine);
    const key = `view#${app.numberOf(me)} itemclick ${name}`;
    if (listener === null) {
      app.unlisten(key);
      return;
    }
    app.listen(key, {
      kind: 'itemclick',
      isReady: () => isOnScreen(machine, me),
      isGone: () => isGone(machine, me),
      fire: () => {
        const { adapter } = viewOf(me);
        if (adapter === null || (machine.call(adapter, 'getGroupCount()I') as number) === 0) return;
        if (hasChild && (machine.call(adapter, 'getChildrenCount(I)I', 0) as number) === 0) return;
        call(machine, me, adapter, listener);
      },
    });
  },
});

const expandableMethods: NativeMethods = {
  [`setAdapter(${groups})V`]: (machine, me, adapter: Reference) => {
    viewOf(me).adapter = adapter;
    if (adapter !== null) post(machine, 0, me.cls.name, () => bindGroups(machine, me, adapter));
  },
  [`getExpandableListAdapter()${groups}`]: (_machine, me) => viewOf(me).adapter,
  ...groupListener('GroupClick', false, (machine, list, adapter, listener) => {
    const id = machine.call(adapter, 'getGroupId(I)J', 0);
    callIfThere(machine, listener, `onGroupClick(${group}Landroid/view/View;IJ)Z`, list, list, 0, id);
  }),
  ...groupListener('ChildClick', true, (machine, list, adapter, listener) => {
    const id = machine.call(adapter, 'getChildId(II)J', 0, 0);
    callIfThere(machine, listener, `onChildClick(${group}Landroid/view/View;IIJ)Z`, list, list, 0, 0, id);
  }),
  ...groupListener('GroupExpand', false, (machine, _list, _adapter, listener) => {
    callIfThere(machine, listener, 'onGroupExpand(I)V', 0);
  }),
  ...groupListener('GroupCollapse', false, (machine, _list, _adapter, listener) => {
    callIfThere(machine, listener, 'onGroupCollapse(I)V', 0);
  }),
  'isGroupExpanded(I)Z': () => 1,
  ...each(() => 1, 'expandGroup(I)Z', 'expandGroup(IZ)Z', 'collapseGroup(I)Z'),
  ...each(
    nothing,
    'setGroupIndicator(Landroid/graphics/drawable/Drawable;)V',
    'setChildDivider(Landroid/graphics/drawable/Drawable;)V',
  ),
};

export const listViewModels: Models = {
  'Landroid/widget/AdapterView;': { ...widget('Landroid/view/ViewGroup;', adapterViewMethods), isAbstract: true },
  'Landroid/widget/AbsListView;': widget('Landroid/widget/AdapterView;'),
  'Landroid/widget/ListView;': widget('Landroid/widget/AbsListView;'),
  'Landroid/widget/GridView;': widget('Landroid/widget/AbsListView;'),
  [groups]: { isInterface: true },
  'Landroid/widget/BaseExpandableListAdapter;': {
    isAbstract: true,
    implements: [groups],
    methods: {
      '<init>()V': nothing,
      ...each(
        nothing,
        'notifyDataSetChanged()V',
        'notifyDataSetInvalidated()V',
        'registerDataSetObserver(Landroid/database/DataSetObserver;)V',
        'unregisterDataSetObserver(Landroid/database/DataSetObserver;)V',
        'onGroupExpanded(I)V',
        'onGroupCollapsed(I)V',
      ),
      ...each(() => 1, 'areAllItemsEnabled()Z', 'getGroupTypeCount()I', 'getChildTypeCount()I'),
    },
  },
  [observerType]: {
    extends: 'Landroid/database/DataSetObserver;',
    methods: { 'onChanged()V': onChanged, 'onInvalidated()V': nothing },
  },
  'Landroid/widget/ExpandableListView;': widget('Landroid/widget/ListView;', expandableMethods),
  [spinner]: widget('Landroid/widget/AdapterView;'),
  'Landroid/widget/Spinner;': widget(spinner),
  'Landroid/widget/Gallery;': widget(spinner),
};
