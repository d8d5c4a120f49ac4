// Listeners of views: their setters, and the calls that the system makes for one event. Knows nothing of drawing.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethods } from '../../machine/model.ts';
import { appOf } from '../components/app.ts';
import { callIfThere, flag, type Reference, sideState } from '../model-parts.ts';
import { openContextMenu } from '../screens/popup-menus.ts';
import { newKey, newMotion } from './input-events.ts';
import { isGone, isOnScreen, viewOf } from './view-tree.ts';
import { viewWords } from './view-words.ts';

type Arguments = (machine: Machine, view: HeapObject) => readonly Value[];

const createContextMenu =
  'onCreateContextMenu(Landroid/view/ContextMenu;Landroid/view/View;Landroid/view/ContextMenu$ContextMenuInfo;)V';

/** Listeners of views: by the setter's parameter the calls that the system makes for one event. */
const listenerCalls: Readonly<Record<string, readonly (readonly [signature: string, args: Arguments])[]>> = {
  'Landroid/view/View$OnClickListener;': [['onClick(Landroid/view/View;)V', (_machine, view) => [view]]],
  'Landroid/view/View$OnLongClickListener;': [['onLongClick(Landroid/view/View;)Z', (_machine, view) => [view]]],
  'Landroid/view/View$OnContextClickListener;': [['onContextClick(Landroid/view/View;)Z', (_machine, view) => [view]]],
  'Landroid/view/View$OnTouchListener;': [
    ['onTouch(Landroid/view/View;Landroid/view/MotionEvent;)Z', (machine, view) => [view, newMotion(machine, 0)]],
    ['onTouch(Landroid/view/View;Landroid/view/MotionEvent;)Z', (machine, view) => [view, newMotion(machine, 1)]],
  ],
  'Landroid/view/View$OnKeyListener;': [
    ['onKey(Landroid/view/View;ILandroid/view/KeyEvent;)Z', (machine, view) => [view, 66, newKey(machine, 66)]],
  ],
  'Landroid/view/View$OnFocusChangeListener;': [
    ['onFocusChange(Landroid/view/View;Z)V', (_machine, view) => [view, 1]],
    ['onFocusChange(Landroid/view/View;Z)V', (_machine, view) => [view, 0]],
  ],
  'Landroid/view/View$OnCreateContextMenuListener;': [[createContextMenu, () => []]],
  'Landroid/widget/CompoundButton$OnCheckedChangeListener;': [
    [
      'onCheckedChanged(Landroid/widget/CompoundButton;Z)V',
      (_machine, view) => {
        const state = viewOf(view);
        state.isChecked = !state.isChecked;
        return [view, flag(state.isChecked)];
      },
    ],
  ],
  'Landroid/widget/RadioGroup$OnCheckedChangeListener;': [
    [
      'onCheckedChanged(Landroid/widget/RadioGroup;I)V',
      (_machine, view) => [view, viewOf(viewOf(view).children[0] ?? view).id],
    ],
  ],
  'Landroid/widget/AdapterView$OnItemClickListener;': [
    ['onItemClick(Landroid/widget/AdapterView;Landroid/view/View;IJ)V', chosenRow],
  ],
  'Landroid/widget/AdapterView$OnItemLongClickListener;': [
    ['onItemLongClick(Landroid/widget/AdapterView;Landroid/view/View;IJ)Z', chosenRow],
  ],
  'Landroid/widget/AdapterView$OnItemSelectedListener;': [
    ['onItemSelected(Landroid/widget/AdapterView;Landroid/view/View;IJ)V', chosenRow],
  ],
  'Landroid/widget/SeekBar$OnSeekBarChangeListener;': [
    ['onStartTrackingTouch(Landroid/widget/SeekBar;)V', (_machine, view) => [view]],
    ['onProgressChanged(Landroid/widget/SeekBar;IZ)V', (_machine, view) => [view, 40, 1]],
    ['onStopTrackingTouch(Landroid/widget/SeekBar;)V', (_machine, view) => [view]],
  ],
  'Landroid/widget/RatingBar$OnRatingBarChangeListener;': [
    ['onRatingChanged(Landroid/widget/RatingBar;FZ)V', (_machine, view) => [view, 4, 1]],
  ],
  'Landroid/widget/TextView$OnEditorActionListener;': [
    ['onEditorAction(Landroid/widget/TextView;ILandroid/view/KeyEvent;)Z', (_machine, view) => [view, 6, null]],
  ],
  'Landroid/widget/DatePicker$OnDateChangedListener;': [
    ['onDateChanged(Landroid/widget/DatePicker;III)V', (_machine, view) => [view, 2026, 5, 16]],
  ],
  'Landroid/widget/TimePicker$OnTimeChangedListener;': [
    ['onTimeChanged(Landroid/widget/TimePicker;II)V', (_machine, view) => [view, 7, 42]],
  ],
  'Landroid/widget/NumberPicker$OnValueChangeListener;': [
    ['onValueChange(Landroid/widget/NumberPicker;II)V', (_machine, view) => [view, 0, 1]],
  ],
  'Landroid/widget/TabHost$OnTabChangeListener;': [
    ['onTabChanged(Ljava/lang/String;)V', (machine) => [machine.string('tab')]],
  ],
  'Landroid/widget/SearchView$OnQueryTextListener;': [
    ['onQueryTextChange(Ljava/lang/String;)Z', (machine) => [machine.string('Berlin')]],
    ['onQueryTextSubmit(Ljava/lang/String;)Z', (machine) => [machine.string('Berlin')]],
  ],
  'Landroid/widget/AbsListView$OnScrollListener;': [
    ['onScrollStateChanged(Landroid/widget/AbsListView;I)V', (_machine, view) => [view, 1]],
    ['onScroll(Landroid/widget/AbsListView;III)V', (_machine, view) => [view, 0, 5, 10]],
  ],
  'Landroid/view/SurfaceHolder$Callback;': [
    [
      'surfaceCreated(Landroid/view/SurfaceHolder;)V',
      (machine) => [machine.allocate('Landroid/view/SurfaceHolderImpl;')],
    ],
    [
      'surfaceChanged(Landroid/view/SurfaceHolder;III)V',
      (machine) => [machine.allocate('Landroid/view/SurfaceHolderImpl;'), 1, 1080, 1920],
    ],
  ],
  'Landroid/view/View$OnLayoutChangeListener;': [
    ['onLayoutChange(Landroid/view/View;IIIIIIII)V', (_machine, view) => [view, 0, 0, 1080, 1920, 0, 0, 0, 0]],
  ],
  'Landroid/view/View$OnAttachStateChangeListener;': [
    ['onViewAttachedToWindow(Landroid/view/View;)V', (_machine, view) => [view]],
  ],
};

/** Setters by name with their listener's interface. */
const setters: readonly (readonly [name: string, type: string])[] = [
  ['setOnClickListener', 'Landroid/view/View$OnClickListener;'],
  ['setOnLongClickListener', 'Landroid/view/View$OnLongClickListener;'],
  ['setOnContextClickListener', 'Landroid/view/View$OnContextClickListener;'],
  ['setOnTouchListener', 'Landroid/view/View$OnTouchListener;'],
  ['setOnKeyListener', 'Landroid/view/View$OnKeyListener;'],
  ['setOnFocusChangeListener', 'Landroid/view/View$OnFocusChangeListener;'],
  ['setOnCreateContextMenuListener', 'Landroid/view/View$OnCreateContextMenuListener;'],
  ['setOnCheckedChangeListener', 'Landroid/widget/CompoundButton$OnCheckedChangeListener;'],
  ['setOnCheckedChangeListener', 'Landroid/widget/RadioGroup$OnCheckedChangeListener;'],
  ['setOnItemClickListener', 'Landroid/widget/AdapterView$OnItemClickListener;'],
  ['setOnItemLongClickListener', 'Landroid/widget/AdapterView$OnItemLongClickListener;'],
  ['setOnItemSelectedListener', 'Landroid/widget/AdapterView$OnItemSelectedListener;'],
  ['setOnSeekBarChangeListener', 'Landroid/widget/SeekBar$OnSeekBarChangeListener;'],
  ['setOnRatingBarChangeListener', 'Landroid/widget/RatingBar$OnRatingBarChangeListener;'],
  ['setOnEditorActionListener', 'Landroid/widget/TextView$OnEditorActionListener;'],
  ['setOnDateChangedListener', 'Landroid/widget/DatePicker$OnDateChangedListener;'],
  ['setOnTimeChangedListener', 'Landroid/widget/TimePicker$OnTimeChangedListener;'],
  ['setOnValueChangedListener', 'Landroid/widget/NumberPicker$OnValueChangeListener;'],
  ['setOnTabChangedListener', 'Landroid/widget/TabHost$OnTabChangeListener;'],
  ['setOnQueryTextListener', 'Landroid/widget/SearchView$OnQueryTextListener;'],
  ['setOnScrollListener', 'Landroid/widget/AbsListView$OnScrollListener;'],
  ['addOnLayoutChangeListener', 'Landroid/view/View$OnLayoutChangeListener;'],
  ['addOnAttachStateChangeListener', 'Landroid/view/View$OnAttachStateChangeListener;'],
];

const kindOf = (type: string): string =>
  type.includes('$OnClick') ? 'click' : type.replace(/^.*\$On|Listener;$/g, '').toLowerCase();

/** Notes a listener on a view; null takes it away. */
export function listenOn(machine: Machine, view: HeapObject, type: string, listener: Reference): undefined {
  const app = appOf(machine);
  const kind = kindOf(type);
  const key = `view#${app.numberOf(view)} ${kind}`;
  if (listener === null) {
    app.unlisten(key);
    return;
  }
  app.listen(key, {
    kind,
    about: () => viewWords(machine, view),
    isReady: () => isOnScreen(machine, view) && viewOf(view).isEnabled && viewOf(view).visibility === 0,
    isGone: () => isGone(machine, view),
    fire: () => {
      if (kind.startsWith('item') && isEmptyList(machine, view)) {
        callIfThere(machine, listener, 'onNothingSelected(Landroid/widget/AdapterView;)V', view);
        return;
      }
      if (kind === 'createcontextmenu') {
        hold(machine, view, listener);
        return;
      }
      for (const [signature, args] of listenerCalls[type]!)
        callIfThere(machine, listener, signature, ...args(machine, view));
    },
  });
}

/** `AdapterView.AdapterContextMenuInfo` */
const rowInfo = 'Landroid/widget/AdapterView$AdapterContextMenuInfo;';

/** A view is held, or in a list the next row: its context menu opens. */
function hold(machine: Machine, view: HeapObject, listener: HeapObject): void {
  const isList = machine.isInstance(view, 'Landroid/widget/AdapterView;');
  if (isList && isEmptyList(machine, view)) return;
  let info: Reference = null;
  if (isList) {
    const [, row, position, id] = chosenRow(machine, view);
    info = machine.construct(rowInfo, '<init>(Landroid/view/View;IJ)V', row!, position!, id!);
  }
  openContextMenu(machine, info, (menu) => {
    callIfThere(machine, listener, createContextMenu, menu, view, info);
  });
}

const rowsOf = (machine: Machine, list: HeapObject): number => {
  const { adapter } = viewOf(list);
  return adapter === null ? 0 : (machine.call(adapter, 'getCount()I') as number);
};

/** Whether a user finds nothing to choose in it. */
const isEmptyList = (machine: Machine, view: HeapObject): boolean =>
  machine.isInstance(view, 'Landroid/widget/AdapterView;') && rowsOf(machine, view) <= 0;

/** Rows in a row that cannot be touched, of those that can be seen at once. */
const maxHeadings = 20;

/** Arguments of a click on a row, each time the next row: the list, the row, its position and its id. */
function chosenRow(machine: Machine, list: HeapObject): readonly Value[] {
  const { adapter } = viewOf(list);
  const count = rowsOf(machine, list);
  if (adapter === null || count <= 0) return [list, null, 0, 0n];
  const chosen = sideState<{ next: number }>(machine, 'chosen-row', list, () => ({ next: 0 }));
  const isEnabled = (row: number): boolean =>
    machine.resolveMethod(adapter.cls, 'isEnabled(I)Z') === null || machine.call(adapter, 'isEnabled(I)Z', row) !== 0;
  // Headings between the rows are passed over.
  for (let tried = 0; tried < maxHeadings && !isEnabled(chosen.next % count); tried++) chosen.next++;
  const position = chosen.next++ % count;
  const row = machine.call(
    adapter,
    'getView(ILandroid/view/View;Landroid/view/ViewGroup;)Landroid/view/View;',
    position,
    null,
    list,
  );
  sideState<{ position: number }>(machine, 'selected-row', list, () => ({ position: 0 })).position = position;
  return [list, row, position, machine.call(adapter, 'getItemId(I)J', position)];
}

/** Setters of every listener that some class of views has. */
export const viewListenerSetters: NativeMethods = Object.fromEntries(
  setters.map(([name, type]) => [
    `${name}(${type})V`,
    (machine: Machine, me: HeapObject, listener: Reference) => listenOn(machine, me, type, listener),
  ]),
);

/** The listeners' interfaces. */
export const viewListenerModels: Models = {
  [rowInfo]: {
    implements: ['Landroid/view/ContextMenu$ContextMenuInfo;'],
    fields: ['targetView:Landroid/view/View;', 'position:I', 'id:J'],
    methods: {
      '<init>(Landroid/view/View;IJ)V': (machine, me, row: Reference, position: number, id: bigint) => {
        machine.setField(me, 'targetView', row);
        machine.setField(me, 'position', position);
        machine.setField(me, 'id', id);
      },
    },
  },
  ...Object.fromEntries(
    Object.entries(listenerCalls).map(([type, calls]) => [
      type,
      { isInterface: true, abstractMethods: [...new Set(calls.map(([signature]) => signature))] },
    ]),
  ),
};
