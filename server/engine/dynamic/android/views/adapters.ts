// Models of the adapters that fill lists: arrays, maps, cursors. Knows no list.
import { stringArray } from '../../java/values.ts';
import { type HeapObject, JavaArray, type Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { appOf } from '../components/app.ts';
import { asString, each, listOf, no, none, nothing, type Reference, stateOf, yes } from '../model-parts.ts';
import { inflate } from './inflater.ts';
import { findById, viewOf } from './view-tree.ts';

const textView = 'Landroid/widget/TextView;';
/** `android.R.id.text1` */
const firstText = 0x01020014;

interface AdapterState {
  context: Reference;
  /** ArrayList of the items; of maps for a SimpleAdapter. */
  list: HeapObject;
  layout: number;
  /** The view in a row that takes the text; 0: the row itself. */
  field: number;
  cursor: Reference;
  /** `from` and `to`: keys or columns, and the ids of the views that show them. */
  from: string[];
  to: number[];
}

const stateIn = (machine: Machine, adapter: HeapObject): AdapterState =>
  stateOf<AdapterState>(adapter, () => ({
    context: appOf(machine).application,
    list: listOf(machine, []),
    layout: 0,
    field: 0,
    cursor: null,
    from: [],
    to: [],
  }));

/** A row of the adapter's layout, or a plain text where it has none. */
function newRow(machine: Machine, adapter: HeapObject): HeapObject {
  const { layout, context } = stateIn(machine, adapter);
  const owner = context ?? appOf(machine).application!;
  const row = layout === 0 ? null : inflate(machine, layout, owner, null);
  return row ?? machine.construct(textView, '<init>(Landroid/content/Context;)V', owner);
}

function showText(machine: Machine, row: HeapObject, id: number, value: Reference): void {
  const view = id === 0 ? row : findById(machine, row, id);
  if (view !== null && machine.isInstance(view, textView)) viewOf(view).text = asString(machine, value);
}

const observed = (name: string): NativeMethod => {
  const method = `${name}()V`;
  return (machine, me) => {
    for (const observer of observersOf(machine, me)) machine.call(observer, method);
  };
};

const observersOf = (machine: Machine, adapter: HeapObject): Set<HeapObject> => {
  const all = machine.state('android.adapter-observers', () => new WeakMap<HeapObject, Set<HeapObject>>());
  const known = all.get(adapter) ?? new Set<HeapObject>();
  all.set(adapter, known);
  return known;
};

const baseMethods: NativeMethods = {
  '<init>()V': nothing,
  'notifyDataSetChanged()V': observed('onChanged'),
  'notifyDataSetInvalidated()V': observed('onInvalidated'),
  'registerDataSetObserver(Landroid/database/DataSetObserver;)V': (machine, me, observer: Reference) => {
    if (observer !== null) observersOf(machine, me).add(observer);
  },
  'unregisterDataSetObserver(Landroid/database/DataSetObserver;)V': (machine, me, observer: Reference) => {
    if (observer !== null) observersOf(machine, me).delete(observer);
  },
  'getCount()I': no,
  'getItem(I)Ljava/lang/Object;': none,
  'getItemId(I)J': (_machine, _me, index: number) => BigInt(index),
  'getView(ILandroid/view/View;Landroid/view/ViewGroup;)Landroid/view/View;': none,
  'getViewTypeCount()I': () => 1,
  'getItemViewType(I)I': no,
  'isEmpty()Z': (machine, me) => machine.call(me, 'getCount()I') === 0,
  'hasStableIds()Z': no,
  'isEnabled(I)Z': yes,
  'areAllItemsEnabled()Z': yes,
  'getDropDownView(ILandroid/view/View;Landroid/view/ViewGroup;)Landroid/view/View;': none,
};

/** The list that the constructor was given as an array or a list; an empty one where it was given none. */
function givenList(machine: Machine, last: Value): HeapObject {
  if (last === null || typeof last !== 'object') return listOf(machine, []);
  if (!(last instanceof JavaArray)) return last;
  return machine.callStatic('Ljava/util/Arrays;', 'asList([Ljava/lang/Object;)Ljava/util/List;', last) as HeapObject;
}

const fromArray: NativeMethod = (machine, me, context: Reference, layout: number, ...rest: Value[]) => {
  const field = typeof rest[0] === 'number' ? rest[0] : 0;
  Object.assign(stateIn(machine, me), { context, layout, field, list: givenList(machine, rest.at(-1) ?? null) });
};

const toList =
  (signature: string): NativeMethod =>
  (machine, me, ...args: Value[]) => {
    machine.call(stateIn(machine, me).list, signature, ...args);
    machine.call(me, 'notifyDataSetChanged()V');
  };

const arrayMethods: NativeMethods = {
  ...each(
    fromArray,
    ...['', '[Ljava/lang/Object;', 'Ljava/util/List;'].flatMap((list) => [
      `<init>(Landroid/content/Context;I${list})V`,
      `<init>(Landroid/content/Context;II${list})V`,
    ]),
  ),
  'getCount()I': (machine, me) => machine.call(stateIn(machine, me).list, 'size()I'),
  'getItem(I)Ljava/lang/Object;': (machine, me, index: number) =>
    machine.call(stateIn(machine, me).list, 'get(I)Ljava/lang/Object;', index),
  'getPosition(Ljava/lang/Object;)I': (machine, me, item: Reference) =>
    machine.call(stateIn(machine, me).list, 'indexOf(Ljava/lang/Object;)I', item),
  'add(Ljava/lang/Object;)V': toList('add(Ljava/lang/Object;)Z'),
  'insert(Ljava/lang/Object;I)V': (machine, me, item: Reference, index: number) => {
    machine.call(stateIn(machine, me).list, 'add(ILjava/lang/Object;)V', index, item);
    machine.call(me, 'notifyDataSetChanged()V');
  },
  'addAll(Ljava/util/Collection;)V': toList('addAll(Ljava/util/Collection;)Z'),
  'addAll(![Ljava/lang/Object;)V': (machine, me, items: JavaArray) => {
    for (const item of items.elements as Reference[]) {
      machine.call(stateIn(machine, me).list, 'add(Ljava/lang/Object;)Z', item);
    }
    machine.call(me, 'notifyDataSetChanged()V');
  },
  'remove(Ljava/lang/Object;)V': toList('remove(Ljava/lang/Object;)Z'),
  'clear()V': toList('clear()V'),
  'sort(Ljava/util/Comparator;)V': toList('sort(Ljava/util/Comparator;)V'),
  'getContext()Landroid/content/Context;': (machine, me) => stateIn(machine, me).context,
  ...each(nothing, 'setDropDownViewResource(I)V', 'setNotifyOnChange(Z)V'),
  ...each(
    (machine, me, index: number, given: Reference) => {
      const row = given ?? newRow(machine, me);
      const { field } = stateIn(machine, me);
      const item = machine.call(me, 'getItem(I)Ljava/lang/Object;', index) as Reference;
      showText(machine, row, field, item);
      return row;
    },
    'getView(ILandroid/view/View;Landroid/view/ViewGroup;)Landroid/view/View;',
    'getDropDownView(ILandroid/view/View;Landroid/view/ViewGroup;)Landroid/view/View;',
  ),
};

const textsOf = (machine: Machine, array: Reference): string[] =>
  array instanceof JavaArray
    ? (array.elements as Reference[]).map((each) => (each === null ? '' : machine.toText(each).text))
    : [];
const numbersOf = (array: Reference): number[] =>
  array instanceof JavaArray ? Array.from(array.elements as Int32Array) : [];

const simpleMethods: NativeMethods = {
  '<init>(Landroid/content/Context;Ljava/util/List;I[Ljava/lang/String;[I)V': (
    machine,
    me,
    context: Reference,
    list: Reference,
    layout: number,
    from: Reference,
    to: Reference,
  ) => {
    const state = stateIn(machine, me);
    Object.assign(state, { context, layout, from: textsOf(machine, from), to: numbersOf(to) });
    if (list !== null) state.list = list;
  },
  'getCount()I': arrayMethods['getCount()I']!,
  'getItem(I)Ljava/lang/Object;': arrayMethods['getItem(I)Ljava/lang/Object;']!,
  ...each(nothing, 'setViewBinder(Landroid/widget/SimpleAdapter$ViewBinder;)V', 'setDropDownViewResource(I)V'),
  'getView(ILandroid/view/View;Landroid/view/ViewGroup;)Landroid/view/View;': (
    machine,
    me,
    index: number,
    given: Reference,
  ) => {
    const row = given ?? newRow(machine, me);
    const { from, to } = stateIn(machine, me);
    const map = machine.call(me, 'getItem(I)Ljava/lang/Object;', index) as Reference;
    for (const [at, key] of from.entries()) {
      if (map === null || to[at] === undefined) continue;
      const value = machine.call(map, 'get(Ljava/lang/Object;)Ljava/lang/Object;', machine.string(key)) as Reference;
      showText(machine, row, to[at], value);
    }
    return row;
  },
};

const newView =
  'newView(Landroid/content/Context;Landroid/database/Cursor;Landroid/view/ViewGroup;)Landroid/view/View;';
const bindView = 'bindView(Landroid/view/View;Landroid/content/Context;Landroid/database/Cursor;)V';

/** The cursor on a row; null where there is no such row. */
function cursorAt(machine: Machine, adapter: HeapObject, index: number): Reference {
  const { cursor } = stateIn(machine, adapter);
  return cursor !== null && machine.call(cursor, 'moveToPosition(I)Z', index) !== 0 ? cursor : null;
}

const swap = (machine: Machine, me: HeapObject, cursor: Reference): Reference => {
  const state = stateIn(machine, me);
  const before = state.cursor;
  state.cursor = cursor;
  machine.call(me, 'notifyDataSetChanged()V');
  return before;
};

const withCursor: NativeMethod = (machine, me, context: Reference, cursor: Reference) => {
  Object.assign(stateIn(machine, me), { context, cursor });
};

const cursorMethods: NativeMethods = {
  ...each(
    withCursor,
    '<init>(Landroid/content/Context;Landroid/database/Cursor;)V',
    '<init>(Landroid/content/Context;Landroid/database/Cursor;Z)V',
    '<init>(Landroid/content/Context;Landroid/database/Cursor;I)V',
  ),
  'getCount()I': (machine, me) => {
    const { cursor } = stateIn(machine, me);
    return cursor === null ? 0 : machine.call(cursor, 'getCount()I');
  },
  'getCursor()Landroid/database/Cursor;': (machine, me) => stateIn(machine, me).cursor,
  'getItem(I)Ljava/lang/Object;': (machine, me, index: number) => cursorAt(machine, me, index),
  'swapCursor(Landroid/database/Cursor;)Landroid/database/Cursor;': swap,
  'changeCursor(Landroid/database/Cursor;)V': (machine, me, cursor: Reference) => {
    const before = swap(machine, me, cursor);
    if (before !== null && before !== cursor) machine.call(before, 'close()V');
  },
  'getView(ILandroid/view/View;Landroid/view/ViewGroup;)Landroid/view/View;': (
    machine,
    me,
    index: number,
    given: Reference,
    parent: Reference,
  ) => {
    const cursor = cursorAt(machine, me, index);
    if (cursor === null)
      throw machine.exception('Ljava/lang/IllegalStateException;', `couldn't move cursor to ${index}`);
    const { context } = stateIn(machine, me);
    const row = given ?? (machine.call(me, newView, context, cursor, parent) as Reference);
    if (row !== null) machine.call(me, bindView, row, context, cursor);
    return row;
  },
};

const simpleCursor: NativeMethod = (
  machine,
  me,
  context: Reference,
  layout: number,
  cursor: Reference,
  from: Reference,
  to: Reference,
) => {
  Object.assign(stateIn(machine, me), { context, layout, cursor, from: textsOf(machine, from), to: numbersOf(to) });
};

const simpleCursorMethods: NativeMethods = {
  ...each(
    simpleCursor,
    '<init>(Landroid/content/Context;ILandroid/database/Cursor;[Ljava/lang/String;[I)V',
    '<init>(Landroid/content/Context;ILandroid/database/Cursor;[Ljava/lang/String;[II)V',
  ),
  [newView]: (machine, me) => newRow(machine, me),
  [bindView]: (machine, me, row: HeapObject, _context: Reference, cursor: HeapObject) => {
    const { from, to } = stateIn(machine, me);
    for (const [at, name] of from.entries()) {
      const column = machine.call(cursor, 'getColumnIndex(Ljava/lang/String;)I', machine.string(name)) as number;
      if (column < 0) continue;
      const value = machine.call(cursor, 'getString(I)Ljava/lang/String;', column) as Reference;
      showText(machine, row, to[at] ?? firstText, value);
    }
  },
  'setViewBinder(Landroid/widget/SimpleCursorAdapter$ViewBinder;)V': nothing,
};

export const adapterModels: Models = {
  'Landroid/widget/Adapter;': { isInterface: true },
  'Landroid/widget/ListAdapter;': { isInterface: true, implements: ['Landroid/widget/Adapter;'] },
  'Landroid/widget/SpinnerAdapter;': { isInterface: true, implements: ['Landroid/widget/Adapter;'] },
  'Landroid/widget/BaseAdapter;': {
    implements: ['Landroid/widget/ListAdapter;', 'Landroid/widget/SpinnerAdapter;'],
    methods: baseMethods,
  },
  'Landroid/widget/ArrayAdapter;': {
    extends: 'Landroid/widget/BaseAdapter;',
    methods: arrayMethods,
    staticMethods: {
      'createFromResource(!Landroid/content/Context;II)Landroid/widget/ArrayAdapter;': (
        machine,
        context: HeapObject,
        array: number,
        layout: number,
      ) => {
        const resources = machine.call(context, 'getResources()Landroid/content/res/Resources;') as HeapObject;
        const texts =
          (machine.call(resources, 'getStringArray(I)[Ljava/lang/String;', array) as Reference) ??
          stringArray(machine, []);
        return machine.construct(
          'Landroid/widget/ArrayAdapter;',
          '<init>(Landroid/content/Context;I[Ljava/lang/Object;)V',
          context,
          layout,
          texts,
        );
      },
    },
  },
  'Landroid/widget/SimpleAdapter;': { extends: 'Landroid/widget/BaseAdapter;', methods: simpleMethods },
  'Landroid/widget/CursorAdapter;': {
    extends: 'Landroid/widget/BaseAdapter;',
    isAbstract: true,
    methods: cursorMethods,
  },
  'Landroid/widget/ResourceCursorAdapter;': {
    extends: 'Landroid/widget/CursorAdapter;',
    isAbstract: true,
    methods: {
      ...each(
        (machine, me, context: Reference, layout: number, cursor: Reference) => {
          Object.assign(stateIn(machine, me), { context, layout, cursor });
        },
        '<init>(Landroid/content/Context;ILandroid/database/Cursor;)V',
        '<init>(Landroid/content/Context;ILandroid/database/Cursor;Z)V',
        '<init>(Landroid/content/Context;ILandroid/database/Cursor;I)V',
      ),
      [newView]: (machine, me) => newRow(machine, me),
    },
  },
  'Landroid/widget/SimpleCursorAdapter;': {
    extends: 'Landroid/widget/ResourceCursorAdapter;',
    methods: simpleCursorMethods,
  },
};
