// Models of activities and fragments that are one list each. Knows no adapter and no life.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { each, nothing, type Reference, sideState } from '../model-parts.ts';
import { addChild, findById, viewOf } from '../views/view-tree.ts';
import { fragmentOf } from './fragment-lives.ts';

/** `android.R.id.list` and `android.R.id.empty`. */
const listId = 0x0102000a;
const emptyId = 0x01020004;

const listView = 'Landroid/widget/ListView;';
const itemClicks = 'Landroid/app/ListFragment$1;';
const onItemClickListener = 'Landroid/widget/AdapterView$OnItemClickListener;';
const onListItemClick = `onListItemClick(${listView}Landroid/view/View;IJ)V`;

interface ListState {
  list: Reference;
  adapter: Reference;
}

const listOf = (machine: Machine, owner: HeapObject): ListState =>
  sideState<ListState>(machine, 'list-screen', owner, () => ({ list: null, adapter: null }));

/** Makes a list that of its activity or fragment: forwards clicks to it and sets its adapter. */
function adoptList(machine: Machine, owner: HeapObject, list: HeapObject): void {
  const state = listOf(machine, owner);
  if (state.list === list) return;
  state.list = list;
  const clicks = machine.allocate(itemClicks);
  clicks.native = owner;
  machine.call(list, `setOnItemClickListener(${onItemClickListener})V`, clicks);
  if (state.adapter !== null) machine.call(list, 'setAdapter(Landroid/widget/ListAdapter;)V', state.adapter);
}

/** Methods of both, by how the owner comes to its list; null where it has no view yet. */
const listMethods = (listIn: (machine: Machine, owner: HeapObject) => Reference): NativeMethods => {
  const asked =
    (signature: string): NativeMethod =>
    (machine, me, ...args: Value[]) =>
      machine.call(listIn(machine, me)!, signature, ...args);
  return {
    [`getListView()${listView}`]: (machine, me) => {
      const list = listIn(machine, me);
      if (list === null) throw machine.exception('Ljava/lang/IllegalStateException;', 'Content view not yet created');
      return list;
    },
    'setListAdapter(Landroid/widget/ListAdapter;)V': (machine, me, adapter: Reference) => {
      listOf(machine, me).adapter = adapter;
      const list = listIn(machine, me);
      if (list !== null) machine.call(list, 'setAdapter(Landroid/widget/ListAdapter;)V', adapter);
    },
    'getListAdapter()Landroid/widget/ListAdapter;': (machine, me) => listOf(machine, me).adapter,
    [onListItemClick]: nothing,
    'setSelection(I)V': asked('setSelection(I)V'),
    'getSelectedItemPosition()I': asked('getSelectedItemPosition()I'),
    'getSelectedItemId()J': () => 0n,
  };
};

/** The list of the activity's layout, or one that becomes its whole content. */
function listOfActivity(machine: Machine, activity: HeapObject): HeapObject {
  const found = machine.call(activity, 'findViewById(I)Landroid/view/View;', listId) as Reference;
  const list = found ?? newList(machine, activity);
  if (found === null) machine.call(activity, 'setContentView(Landroid/view/View;)V', list);
  adoptList(machine, activity, list);
  return list;
}

function newList(machine: Machine, context: HeapObject): HeapObject {
  const list = machine.construct(listView, '<init>(Landroid/content/Context;)V', context);
  viewOf(list).id = listId;
  return list;
}

function listOfFragment(machine: Machine, fragment: HeapObject): Reference {
  const { view } = fragmentOf(machine, fragment);
  const list = view === null ? null : findById(machine, view, listId);
  if (list !== null) adoptList(machine, fragment, list);
  return list;
}

export const listScreenModels: Models = {
  [itemClicks]: {
    implements: [onItemClickListener],
    methods: {
      'onItemClick(!Landroid/widget/AdapterView;Landroid/view/View;IJ)V': (
        machine,
        me,
        list: HeapObject,
        row: Reference,
        position: number,
        id: bigint,
      ) => machine.call(me.native as HeapObject, onListItemClick, list, row, position, id),
    },
  },
  'Landroid/app/ListActivity;': {
    extends: 'Landroid/app/Activity;',
    methods: {
      ...listMethods(listOfActivity),
      'onContentChanged()V': (machine, me) => {
        const list = machine.call(me, 'findViewById(I)Landroid/view/View;', listId) as Reference;
        if (list === null) return;
        adoptList(machine, me, list);
        const empty = machine.call(me, 'findViewById(I)Landroid/view/View;', emptyId) as Reference;
        if (empty !== null) machine.call(list, 'setEmptyView(Landroid/view/View;)V', empty);
      },
    },
  },
  'Landroid/app/ListFragment;': {
    extends: 'Landroid/app/Fragment;',
    methods: {
      ...listMethods(listOfFragment),
      'onCreateView(Landroid/view/LayoutInflater;Landroid/view/ViewGroup;Landroid/os/Bundle;)Landroid/view/View;': (
        machine,
        me,
      ) => {
        const context = fragmentOf(machine, me).activity!;
        const construct = (descriptor: string) =>
          machine.construct(descriptor, '<init>(Landroid/content/Context;)V', context);
        const frame = construct('Landroid/widget/FrameLayout;');
        const empty = construct('Landroid/widget/TextView;');
        viewOf(empty).id = emptyId;
        addChild(frame, empty);
        addChild(frame, newList(machine, context));
        return frame;
      },
      'onViewCreated(Landroid/view/View;Landroid/os/Bundle;)V': (machine, me) => listOfFragment(machine, me),
      ...each(nothing, 'setEmptyText(Ljava/lang/CharSequence;)V', 'setListShown(Z)V', 'setListShownNoAnimation(Z)V'),
    },
  },
};
