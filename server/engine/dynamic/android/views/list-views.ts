// Models of lists, grids and spinners, which show what an adapter gives them. Knows no adapter.
import { nothing } from '../../java/values.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { post } from '../components/activity-life.ts';
import { each, type Reference } from '../model-parts.ts';
import { property, setProperty, widget } from './view-parts.ts';
import { addChild, viewOf } from './view-tree.ts';

const setAdapter: NativeMethod = (machine, me, adapter: Reference) => {
  const state = viewOf(me);
  state.adapter = adapter;
  if (adapter === null) return;
  // A list binds its first rows, so that the adapter's code runs.
  post(machine, 0, me.cls.name, () => {
    const count = Math.min(3, machine.call(adapter, 'getCount()I') as number);
    for (let index = 0; index < count; index++) {
      const row = machine.call(
        adapter,
        'getView(ILandroid/view/View;Landroid/view/ViewGroup;)Landroid/view/View;',
        index,
        null,
        me,
      ) as Reference;
      if (row !== null) addChild(me, row);
    }
  });
};

const itemAt: NativeMethod = (machine, me, index = 0) => {
  const { adapter } = viewOf(me);
  if (adapter === null || (machine.call(adapter, 'getCount()I') as number) <= index) return null;
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
  'getSelectedItem()Ljava/lang/Object;': (machine, me) => itemAt(machine, me, 0),
  'getItemAtPosition(I)Ljava/lang/Object;': itemAt,
  'getSelectedItemPosition()I': () => 0,
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
    'setSelection(I)V',
    'setDivider(Landroid/graphics/drawable/Drawable;)V',
    'setDividerHeight(I)V',
    'setChoiceMode(I)V',
    'setCacheColorHint(I)V',
    'setSelector(I)V',
    'setFastScrollEnabled(Z)V',
    'setPrompt(Ljava/lang/CharSequence;)V',
  ),
};

export const listViewModels: Models = {
  'Landroid/widget/AdapterView;': { ...widget('Landroid/view/ViewGroup;', adapterViewMethods), isAbstract: true },
  'Landroid/widget/AbsListView;': widget('Landroid/widget/AdapterView;'),
  'Landroid/widget/ListView;': widget('Landroid/widget/AbsListView;'),
  'Landroid/widget/GridView;': widget('Landroid/widget/AbsListView;'),
  'Landroid/widget/ExpandableListView;': widget('Landroid/widget/ListView;'),
  'Landroid/widget/AbsSpinner;': widget('Landroid/widget/AdapterView;'),
  'Landroid/widget/Spinner;': widget('Landroid/widget/AbsSpinner;'),
  'Landroid/widget/Gallery;': widget('Landroid/widget/AbsSpinner;'),
};
