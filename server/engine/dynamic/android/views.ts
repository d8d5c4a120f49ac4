// Models of views, widgets, lists and what a person does to them. Knows no dialog and no web page.
import { nothing } from '../java/values.ts';
import { HeapObject, type Value } from '../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../machine/model.ts';
import { post } from './activity-life.ts';
import { startAnimation } from './animation.ts';
import { appOf } from './app.ts';
import { applyAttributes, inflate } from './inflater.ts';
import { newKey, newMotion } from './input-events.ts';
import { groupParameterMethods, parametersIn } from './layout-parameters.ts';
import { asString, callIfThere, each, flag, no, plain, type Reference, sideState, yes } from './model-parts.ts';
import { singleton } from './system-services.ts';
import {
  groupLayoutMethods,
  groupLayoutStaticMethods,
  requestLayout,
  viewLayoutMethods,
  viewLayoutStaticMethods,
} from './view-layout.ts';
import {
  addChild,
  allViews,
  findById,
  isGone,
  isOnScreen,
  isPasswordField,
  ownerOf,
  removeChild,
  viewOf,
} from './view-tree.ts';
import type { AttributeSetState } from './xml-resources.ts';

type Arguments = (machine: Machine, view: HeapObject) => readonly Value[];

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
  'Landroid/view/View$OnCreateContextMenuListener;': [
    [
      'onCreateContextMenu(Landroid/view/ContextMenu;Landroid/view/View;Landroid/view/ContextMenu$ContextMenuInfo;)V',
      (machine, view) => [machine.allocate('Landroid/view/MenuImpl;'), view, null],
    ],
  ],
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
    isReady: () => isOnScreen(machine, view) && viewOf(view).isEnabled && viewOf(view).visibility === 0,
    isGone: () => isGone(machine, view),
    fire: () => {
      if (kind.startsWith('item') && isEmptyList(machine, view)) return;
      for (const [signature, args] of listenerCalls[type]!)
        callIfThere(machine, listener, signature, ...args(machine, view));
    },
  });
}

const rowsOf = (machine: Machine, list: HeapObject): number => {
  const { adapter } = viewOf(list);
  return adapter === null ? 0 : (machine.call(adapter, 'getCount()I') as number);
};

/** Whether a person finds nothing to choose in it. */
const isEmptyList = (machine: Machine, view: HeapObject): boolean =>
  machine.isInstance(view, 'Landroid/widget/AdapterView;') && rowsOf(machine, view) <= 0;

/** One row after the other, as often as somebody chooses: the list, the row, its position and its id. */
function chosenRow(machine: Machine, list: HeapObject): readonly Value[] {
  const { adapter } = viewOf(list);
  const count = rowsOf(machine, list);
  if (adapter === null || count <= 0) return [list, null, 0, 0n];
  const chosen = sideState<{ next: number }>(machine, 'chosen-row', list, () => ({ next: 0 }));
  const position = chosen.next++ % count;
  const row = machine.call(
    adapter,
    'getView(ILandroid/view/View;Landroid/view/ViewGroup;)Landroid/view/View;',
    position,
    null,
    list,
  );
  return [list, row, position, machine.call(adapter, 'getItemId(I)J', position)];
}

const build: NativeMethod = (machine, me: HeapObject, context: Reference, set: Reference = null) => {
  const state = viewOf(me);
  state.context = context;
  const element =
    set !== null && typeof set === 'object' ? ((set.native as AttributeSetState | undefined)?.element ?? null) : null;
  if (element !== null) applyAttributes(machine, me, element);
};

const property =
  (name: string): NativeMethod =>
  (_machine, me: HeapObject) =>
    viewOf(me).properties.get(name) ?? null;
const setProperty =
  (name: string): NativeMethod =>
  (_machine, me: HeapObject, value: Reference) => {
    viewOf(me).properties.set(name, value);
  };

const numbers = (value: number, ...names: string[]): NativeMethods =>
  Object.fromEntries(names.map((name) => [`${name}()I`, () => value]));

const constructors = [
  '<init>(Landroid/content/Context;)V',
  '<init>(Landroid/content/Context;Landroid/util/AttributeSet;)V',
  '<init>(Landroid/content/Context;Landroid/util/AttributeSet;I)V',
  '<init>(Landroid/content/Context;Landroid/util/AttributeSet;II)V',
];

const postTask: NativeMethod = (machine, me: HeapObject, task: HeapObject, delay: bigint = 0n) => {
  post(machine, Number(delay), me.cls.name, () => machine.call(task, 'run()V'));
  return 1;
};

function click(machine: Machine, view: HeapObject): number {
  const app = appOf(machine);
  const key = `view#${app.numberOf(view)} click`;
  const listener = app.listener(key);
  listener?.fire();
  return flag(listener !== undefined);
}

const viewMethods: NativeMethods = {
  ...each(build, ...constructors),
  ...Object.fromEntries(
    setters.map(([name, type]) => [
      `${name}(${type})V`,
      (machine: Machine, me: HeapObject, listener: Reference) => listenOn(machine, me, type, listener),
    ]),
  ),
  'getId()I': (_machine, me: HeapObject) => viewOf(me).id,
  'setId(I)V': (_machine, me: HeapObject, id: number) => {
    viewOf(me).id = id;
  },
  'getContext()Landroid/content/Context;': (_machine, me: HeapObject) => viewOf(me).context,
  'getResources()Landroid/content/res/Resources;': (machine) => singleton(machine, 'Landroid/content/res/Resources;'),
  'getParent()Landroid/view/ViewParent;': (_machine, me: HeapObject) => viewOf(me).parent,
  'getRootView()Landroid/view/View;': (_machine, me: HeapObject) => {
    let root = me;
    for (let depth = 0; depth < 200; depth++) {
      const { parent } = viewOf(root);
      if (parent === null) break;
      root = parent;
    }
    return root;
  },
  ...each(
    (machine, me: HeapObject, id: number) => findById(machine, me, id),
    'findViewById(I)Landroid/view/View;',
    'requireViewById(I)Landroid/view/View;',
  ),
  'findViewWithTag(Ljava/lang/Object;)Landroid/view/View;': (machine, me: HeapObject, tag: Reference) =>
    allViews(me).find((view) => machine.equals(viewOf(view).tag, tag)) ?? null,
  'getTag()Ljava/lang/Object;': (_machine, me: HeapObject) => viewOf(me).tag,
  'setTag(Ljava/lang/Object;)V': (_machine, me: HeapObject, tag: Reference) => {
    viewOf(me).tag = tag;
  },
  'getTag(I)Ljava/lang/Object;': (_machine, me: HeapObject, key: number) => viewOf(me).tags.get(key) ?? null,
  'setTag(ILjava/lang/Object;)V': (_machine, me: HeapObject, key: number, tag: Reference) => {
    viewOf(me).tags.set(key, tag);
  },
  'getVisibility()I': (_machine, me: HeapObject) => viewOf(me).visibility,
  'setVisibility(I)V': (_machine, me: HeapObject, visibility: number) => {
    viewOf(me).visibility = visibility;
  },
  'isEnabled()Z': (_machine, me: HeapObject) => flag(viewOf(me).isEnabled),
  'setEnabled(Z)V': (_machine, me: HeapObject, enabled: number) => {
    viewOf(me).isEnabled = enabled !== 0;
  },
  'isShown()Z': (machine, me: HeapObject) => flag(isOnScreen(machine, me) && viewOf(me).visibility === 0),
  'isAttachedToWindow()Z': (_machine, me: HeapObject) => flag(ownerOf(me) !== null),
  'performClick()Z': (machine, me: HeapObject) => click(machine, me),
  'callOnClick()Z': (machine, me: HeapObject) => click(machine, me),
  'performLongClick()Z': no,
  'post(Ljava/lang/Runnable;)Z': postTask,
  'postDelayed(Ljava/lang/Runnable;J)Z': postTask,
  'postOnAnimation(Ljava/lang/Runnable;)V': postTask,
  'removeCallbacks(Ljava/lang/Runnable;)Z': yes,
  'getHandler()Landroid/os/Handler;': (machine) => machine.construct('Landroid/os/Handler;', '<init>()V'),
  'requestFocus()Z': yes,
  'hasFocus()Z': no,
  'isFocused()Z': no,
  'isInEditMode()Z': no,
  'isClickable()Z': yes,
  'isPressed()Z': no,
  'isSelected()Z': no,
  'getLayoutParams()Landroid/view/ViewGroup$LayoutParams;': (machine, me: HeapObject) => {
    const { properties } = viewOf(me);
    const known = properties.get('layoutParams');
    if (known) return known;
    const { parent } = viewOf(me);
    const parameters = parent === null ? null : parametersIn(machine, parent, me);
    properties.set('layoutParams', parameters);
    return parameters;
  },
  'setLayoutParams(Landroid/view/ViewGroup$LayoutParams;)V': setProperty('layoutParams'),
  'getBackground()Landroid/graphics/drawable/Drawable;': property('background'),
  'setBackground(Landroid/graphics/drawable/Drawable;)V': setProperty('background'),
  'setBackgroundDrawable(Landroid/graphics/drawable/Drawable;)V': setProperty('background'),
  'getContentDescription()Ljava/lang/CharSequence;': property('contentDescription'),
  'setContentDescription(Ljava/lang/CharSequence;)V': setProperty('contentDescription'),
  'getWindowToken()Landroid/os/IBinder;': (machine) => singleton(machine, 'Landroid/os/Binder;'),
  'animate()Landroid/view/ViewPropertyAnimator;': (machine, me: HeapObject) => {
    const { properties } = viewOf(me);
    const known = properties.get('animator') ?? machine.allocate('Landroid/view/ViewPropertyAnimator;');
    properties.set('animator', known);
    return known;
  },
  ...each(
    (machine, me: HeapObject, animation: Reference) => {
      viewOf(me).properties.set('animation', animation);
      if (animation !== null) startAnimation(machine, animation);
      return undefined;
    },
    'startAnimation(Landroid/view/animation/Animation;)V',
    'setAnimation(Landroid/view/animation/Animation;)V',
  ),
  'getAnimation()Landroid/view/animation/Animation;': property('animation'),
  ...viewLayoutMethods,
  ...numbers(
    0,
    'getPaddingLeft',
    'getPaddingRight',
    'getPaddingTop',
    'getPaddingBottom',
    'getPaddingStart',
    'getPaddingEnd',
    'getScrollX',
    'getScrollY',
    'getLayoutDirection',
    'getSystemUiVisibility',
    'getOverScrollMode',
    'getImportantForAccessibility',
  ),
  ...each(
    nothing,
    'invalidate()V',
    'postInvalidate()V',
    'setBackgroundColor(I)V',
    'setBackgroundResource(I)V',
    'setClickable(Z)V',
    'setLongClickable(Z)V',
    'setFocusable(Z)V',
    'setFocusableInTouchMode(Z)V',
    'setPadding(IIII)V',
    'setPressed(Z)V',
    'setSelected(Z)V',
    'setAlpha(F)V',
    'setRotation(F)V',
    'setScaleX(F)V',
    'setScaleY(F)V',
    'setTranslationX(F)V',
    'setTranslationY(F)V',
    'setX(F)V',
    'setY(F)V',
    'setSystemUiVisibility(I)V',
    'setKeepScreenOn(Z)V',
    'clearFocus()V',
    'bringToFront()V',
    'setWillNotDraw(Z)V',
    'setLayerType(ILandroid/graphics/Paint;)V',
    'setMinimumWidth(I)V',
    'setMinimumHeight(I)V',
    'setFitsSystemWindows(Z)V',
    'clearAnimation()V',
    'setDrawingCacheEnabled(Z)V',
    'onFinishInflate()V',
    'onAttachedToWindow()V',
    'onDetachedFromWindow()V',
    'onDraw(Landroid/graphics/Canvas;)V',
    'setSaveEnabled(Z)V',
    'setElevation(F)V',
    'setVerticalScrollBarEnabled(Z)V',
    'setHorizontalScrollBarEnabled(Z)V',
    'setOverScrollMode(I)V',
    'setScrollBarStyle(I)V',
    'setImportantForAccessibility(I)V',
    'setLayoutDirection(I)V',
    'draw(Landroid/graphics/Canvas;)V',
    'scrollTo(II)V',
  ),
  'onTouchEvent(Landroid/view/MotionEvent;)Z': no,
  'onKeyDown(ILandroid/view/KeyEvent;)Z': no,
  'dispatchTouchEvent(Landroid/view/MotionEvent;)Z': no,
  'toString()Ljava/lang/String;': (machine, me: HeapObject) =>
    machine.string(`${me.cls.name}{${viewOf(me).id.toString(16)}}`),
};

const addLast = 'addView(Landroid/view/View;ILandroid/view/ViewGroup$LayoutParams;)V';

function takeChild(machine: Machine, group: HeapObject, child: HeapObject, index: number, given: Reference): void {
  addChild(group, child, index);
  requestLayout(machine, group);
  const fits =
    given === null || machine.call(group, 'checkLayoutParams(Landroid/view/ViewGroup$LayoutParams;)Z', given) !== 0;
  const parameters = fits
    ? given
    : (machine.call(
        group,
        'generateLayoutParams(Landroid/view/ViewGroup$LayoutParams;)Landroid/view/ViewGroup$LayoutParams;',
        given,
      ) as Reference);
  if (parameters !== null) viewOf(child).properties.set('layoutParams', parameters);
}

const groupMethods: NativeMethods = {
  ...groupParameterMethods,
  ...groupLayoutMethods,
  // Each way of adding a view leads to the last, which apps override.
  'addView(Landroid/view/View;)V': (machine, me: HeapObject, child: Reference) => {
    machine.call(me, 'addView(Landroid/view/View;I)V', child, -1);
  },
  'addView(Landroid/view/View;I)V': (machine, me: HeapObject, child: Reference, index: number) => {
    if (child !== null) machine.call(me, addLast, child, index, parametersIn(machine, me, child));
  },
  'addView(Landroid/view/View;II)V': (machine, me: HeapObject, child: Reference, width: number, height: number) => {
    if (child === null) return;
    const parameters = machine.call(me, 'generateDefaultLayoutParams()Landroid/view/ViewGroup$LayoutParams;');
    if (parameters instanceof HeapObject) {
      machine.setField(parameters, 'width', width);
      machine.setField(parameters, 'height', height);
    }
    machine.call(me, addLast, child, -1, parameters);
  },
  'addView(Landroid/view/View;Landroid/view/ViewGroup$LayoutParams;)V': (
    machine,
    me: HeapObject,
    child: Reference,
    parameters: Reference,
  ) => {
    machine.call(me, addLast, child, -1, parameters);
  },
  [addLast]: (machine, me: HeapObject, child: Reference, index: number, parameters: Reference) => {
    if (child !== null) takeChild(machine, me, child, index, parameters);
  },
  'addViewInLayout(Landroid/view/View;ILandroid/view/ViewGroup$LayoutParams;)Z': (
    machine,
    me: HeapObject,
    child: HeapObject,
    index: number,
    parameters: Reference,
  ) => {
    takeChild(machine, me, child, index, parameters);
    return 1;
  },
  'addViewInLayout(Landroid/view/View;ILandroid/view/ViewGroup$LayoutParams;Z)Z': (
    machine,
    me: HeapObject,
    child: HeapObject,
    index: number,
    parameters: Reference,
  ) => {
    takeChild(machine, me, child, index, parameters);
    return 1;
  },
  'attachViewToParent(Landroid/view/View;ILandroid/view/ViewGroup$LayoutParams;)V': (
    machine,
    me: HeapObject,
    child: HeapObject,
    index: number,
    parameters: Reference,
  ) => {
    takeChild(machine, me, child, index, parameters);
  },
  ...each(
    (_machine, me: HeapObject, child: Reference) => {
      if (child !== null) removeChild(me, child);
      return undefined;
    },
    'removeView(Landroid/view/View;)V',
    'removeViewInLayout(Landroid/view/View;)V',
    'removeDetachedView(Landroid/view/View;Z)V',
    'detachViewFromParent(Landroid/view/View;)V',
  ),
  ...each(
    (_machine, me: HeapObject, index: number) => {
      const child = viewOf(me).children[index];
      if (child !== undefined) removeChild(me, child);
      return undefined;
    },
    'removeViewAt(I)V',
    'detachViewFromParent(I)V',
  ),
  ...each(
    (_machine, me: HeapObject) => {
      for (const child of [...viewOf(me).children]) removeChild(me, child);
      return undefined;
    },
    'removeAllViews()V',
    'removeAllViewsInLayout()V',
  ),
  'getChildCount()I': (_machine, me: HeapObject) => viewOf(me).children.length,
  'getChildAt(I)Landroid/view/View;': (_machine, me: HeapObject, index: number) => viewOf(me).children[index] ?? null,
  'indexOfChild(Landroid/view/View;)I': (_machine, me: HeapObject, child: HeapObject) =>
    viewOf(me).children.indexOf(child),
  ...each(
    nothing,
    'setClipChildren(Z)V',
    'setClipToPadding(Z)V',
    'setOrientation(I)V',
    'setGravity(I)V',
    'setDescendantFocusability(I)V',
    'setLayoutTransition(Landroid/animation/LayoutTransition;)V',
    'setWeightSum(F)V',
  ),
  'onInterceptTouchEvent(Landroid/view/MotionEvent;)Z': no,
  'getOrientation()I': no,
  'check(I)V': (_machine, me: HeapObject, id: number) => {
    for (const child of viewOf(me).children) viewOf(child).isChecked = viewOf(child).id === id;
  },
  'getCheckedRadioButtonId()I': (_machine, me: HeapObject) => {
    const checked = viewOf(me).children.find((child) => viewOf(child).isChecked);
    return checked === undefined ? -1 : viewOf(checked).id;
  },
};

// Texts.

/** Sets a text as a person or the app does, telling who watches. */
export function changeText(machine: Machine, view: HeapObject, value: Reference): undefined {
  const state = viewOf(view);
  const before = state.text === null ? '' : plain(machine, state.text);
  state.text = asString(machine, value);
  const after = state.text === null ? machine.string('') : asString(machine, state.text)!;
  for (const watcher of [...state.watchers]) {
    const old = machine.string(before);
    machine.call(watcher, 'beforeTextChanged(Ljava/lang/CharSequence;III)V', old, 0, before.length, after.text.length);
    machine.call(watcher, 'onTextChanged(Ljava/lang/CharSequence;III)V', after, 0, before.length, after.text.length);
    machine.call(watcher, 'afterTextChanged(Landroid/text/Editable;)V', editable(machine, after));
  }
}

export function editable(machine: Machine, value: Reference): HeapObject {
  const string = asString(machine, value) ?? machine.string('');
  const text = machine.construct('Landroid/text/SpannableStringBuilder;', '<init>(Ljava/lang/CharSequence;)V', string);
  text.taint = string.taint;
  return text;
}

/** What a field holds; that a password is still missing tells of it too. */
const fieldText: NativeMethod = (machine, me: HeapObject) => {
  const state = viewOf(me);
  const isMissing = state.text === null || plain(machine, state.text) === '';
  const password = isMissing && isPasswordField(state);
  return editable(
    machine,
    password ? machine.string('', machine.source('TAINT_PASSWORD', 'EditText.getText')) : state.text,
  );
};

const setText: NativeMethod = (machine, me: HeapObject, value: Reference) => changeText(machine, me, value);
const setTextById: NativeMethod = (machine, me: HeapObject, id: number) => {
  const value = machine.call(
    singleton(machine, 'Landroid/content/res/Resources;'),
    'getString(I)Ljava/lang/String;',
    id,
  );
  return changeText(machine, me, value as Reference);
};

const textMethods: NativeMethods = {
  'getText()Ljava/lang/CharSequence;': (machine, me: HeapObject) => viewOf(me).text ?? machine.string(''),
  ...each(
    setText,
    'setText(Ljava/lang/CharSequence;)V',
    'setText(Ljava/lang/CharSequence;Landroid/widget/TextView$BufferType;)V',
    'setTextKeepState(Ljava/lang/CharSequence;)V',
  ),
  ...each(setTextById, 'setText(I)V', 'setText(ILandroid/widget/TextView$BufferType;)V'),
  'append(Ljava/lang/CharSequence;)V': (machine, me: HeapObject, value: Reference) => {
    const state = viewOf(me);
    const joined = `${state.text === null ? '' : plain(machine, state.text)}${plain(machine, value)}`;
    const taint = machine.union(state.text?.taint ?? 0, value === null ? 0 : (asString(machine, value)?.taint ?? 0));
    changeText(machine, me, machine.string(joined, taint));
  },
  'length()I': (machine, me: HeapObject) => plain(machine, viewOf(me).text).length,
  'getHint()Ljava/lang/CharSequence;': (_machine, me: HeapObject) => viewOf(me).hint,
  'setHint(Ljava/lang/CharSequence;)V': (_machine, me: HeapObject, hint: Reference) => {
    viewOf(me).hint = hint;
  },
  'setHint(I)V': nothing,
  'getInputType()I': (_machine, me: HeapObject) => viewOf(me).inputType,
  ...each(
    (_machine, me: HeapObject, type: number) => {
      viewOf(me).inputType = type;
      return undefined;
    },
    'setInputType(I)V',
    'setRawInputType(I)V',
  ),
  'setTransformationMethod(Landroid/text/method/TransformationMethod;)V': (
    machine,
    me: HeapObject,
    method: Reference,
  ) => {
    if (method !== null && machine.isInstance(method, 'Landroid/text/method/PasswordTransformationMethod;'))
      viewOf(me).inputType = 0x81;
  },
  'addTextChangedListener(Landroid/text/TextWatcher;)V': (_machine, me: HeapObject, watcher: Reference) => {
    if (watcher !== null) viewOf(me).watchers.push(watcher);
  },
  'removeTextChangedListener(Landroid/text/TextWatcher;)V': (_machine, me: HeapObject, watcher: Reference) => {
    const { watchers } = viewOf(me);
    const at = watcher === null ? -1 : watchers.indexOf(watcher);
    if (at >= 0) watchers.splice(at, 1);
  },
  'getPaint()Landroid/text/TextPaint;': (machine) => machine.allocate('Landroid/text/TextPaint;'),
  'getCurrentTextColor()I': () => -16_777_216,
  'getTextSize()F': () => 42,
  'getLineCount()I': () => 1,
  ...each(
    nothing,
    'setTextColor(I)V',
    'setTextColor(Landroid/content/res/ColorStateList;)V',
    'setTextSize(F)V',
    'setTextSize(IF)V',
    'setTypeface(Landroid/graphics/Typeface;)V',
    'setTypeface(Landroid/graphics/Typeface;I)V',
    'setMovementMethod(Landroid/text/method/MovementMethod;)V',
    'setError(Ljava/lang/CharSequence;)V',
    'setSingleLine()V',
    'setSingleLine(Z)V',
    'setMaxLines(I)V',
    'setLines(I)V',
    'setMinLines(I)V',
    'setEllipsize(Landroid/text/TextUtils$TruncateAt;)V',
    'setCompoundDrawables(Landroid/graphics/drawable/Drawable;Landroid/graphics/drawable/Drawable;Landroid/graphics/drawable/Drawable;Landroid/graphics/drawable/Drawable;)V',
    'setCompoundDrawablesWithIntrinsicBounds(IIII)V',
    'setFilters([Landroid/text/InputFilter;)V',
    'setImeOptions(I)V',
    'setAutoLinkMask(I)V',
    'setAllCaps(Z)V',
    'setHintTextColor(I)V',
    'setLinkTextColor(I)V',
    'setPaintFlags(I)V',
    'setLineSpacing(FF)V',
    'setMaxWidth(I)V',
    'setMinWidth(I)V',
    'setWidth(I)V',
    'setHeight(I)V',
    'setTextAppearance(Landroid/content/Context;I)V',
    'setTextAppearance(I)V',
    'setSelectAllOnFocus(Z)V',
    'setCursorVisible(Z)V',
  ),
};

const checkMethods: NativeMethods = {
  'isChecked()Z': (_machine, me: HeapObject) => flag(viewOf(me).isChecked),
  'setChecked(Z)V': (_machine, me: HeapObject, checked: number) => {
    viewOf(me).isChecked = checked !== 0;
  },
  'toggle()V': (_machine, me: HeapObject) => {
    viewOf(me).isChecked = !viewOf(me).isChecked;
  },
};

const setAdapter: NativeMethod = (machine, me: HeapObject, adapter: Reference) => {
  const state = viewOf(me);
  state.adapter = adapter;
  if (adapter === null) return;
  // A list shows its first rows, which is when adapters do their work.
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

const itemAt: NativeMethod = (machine, me: HeapObject, index = 0) => {
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
    (_machine, me: HeapObject) => viewOf(me).adapter,
    'getAdapter()Landroid/widget/ListAdapter;',
    'getAdapter()Landroid/widget/Adapter;',
    'getAdapter()Landroid/widget/SpinnerAdapter;',
  ),
  'setEmptyView(Landroid/view/View;)V': setProperty('emptyView'),
  'getEmptyView()Landroid/view/View;': property('emptyView'),
  'getSelectedItem()Ljava/lang/Object;': (machine, me: HeapObject) => itemAt(machine, me, 0),
  'getItemAtPosition(I)Ljava/lang/Object;': itemAt,
  'getSelectedItemPosition()I': () => 0,
  'getCount()I': (machine, me: HeapObject) => {
    const { adapter } = viewOf(me);
    return adapter === null ? 0 : machine.call(adapter, 'getCount()I');
  },
  ...each(
    (_machine, me: HeapObject, child: HeapObject) => {
      addChild(me, child);
      return undefined;
    },
    'addHeaderView(Landroid/view/View;)V',
    'addFooterView(Landroid/view/View;)V',
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

const widget = (parent: string, methods: NativeMethods = {}) => ({
  extends: parent,
  methods: { ...each(build, ...constructors), ...methods },
});
const asGroup = 'Landroid/view/ViewGroup;';
const asText = 'Landroid/widget/TextView;';

const groups = [
  'FrameLayout',
  'LinearLayout',
  'RelativeLayout',
  'TableLayout',
  'TableRow',
  'GridLayout',
  'AbsoluteLayout',
  'ScrollView',
  'HorizontalScrollView',
  'RadioGroup',
  'ViewFlipper',
  'ViewSwitcher',
  'ViewAnimator',
  'TabHost',
  'TabWidget',
  'Toolbar',
  'SearchView',
  'DatePicker',
  'TimePicker',
  'NumberPicker',
  'CalendarView',
  'SlidingDrawer',
  'ImageSwitcher',
  'TextSwitcher',
  'MediaController',
];

const progressMethods: NativeMethods = {
  'getProgress()I': () => 40,
  'getMax()I': () => 100,
  ...each(
    nothing,
    'setProgress(I)V',
    'setMax(I)V',
    'setIndeterminate(Z)V',
    'setSecondaryProgress(I)V',
    'setNumStars(I)V',
    'setRating(F)V',
  ),
  'getRating()F': () => 4,
};

const imageMethods: NativeMethods = {
  'getDrawable()Landroid/graphics/drawable/Drawable;': property('drawable'),
  'setImageDrawable(Landroid/graphics/drawable/Drawable;)V': setProperty('drawable'),
  ...each(
    nothing,
    'setImageResource(I)V',
    'setImageBitmap(Landroid/graphics/Bitmap;)V',
    'setImageURI(Landroid/net/Uri;)V',
    'setScaleType(Landroid/widget/ImageView$ScaleType;)V',
    'setColorFilter(I)V',
    'setAdjustViewBounds(Z)V',
    'setImageAlpha(I)V',
  ),
};

export const viewModels: Models = {
  'Landroid/view/View;': {
    methods: viewMethods,
    constants: { 'VISIBLE:I': 0, 'INVISIBLE:I': 4, 'GONE:I': 8, 'NO_ID:I': -1 },
    staticMethods: {
      ...viewLayoutStaticMethods,
      'inflate(Landroid/content/Context;ILandroid/view/ViewGroup;)Landroid/view/View;': (
        machine,
        context: HeapObject,
        layout: number,
        root: Reference,
      ) => inflate(machine, layout, context, root),
      'generateViewId()I': (machine) => machine.state('android.view-ids', () => ({ next: 1 })).next++,
    },
  },
  [asGroup]: {
    extends: 'Landroid/view/View;',
    implements: ['Landroid/view/ViewParent;', 'Landroid/view/ViewManager;'],
    methods: { ...each(build, ...constructors), ...groupMethods },
    staticMethods: groupLayoutStaticMethods,
  },
  'Landroid/view/ViewParent;': { isInterface: true },
  'Landroid/view/ViewManager;': { isInterface: true },
  'Landroid/view/ViewStub;': widget('Landroid/view/View;', {
    'inflate()Landroid/view/View;': (machine, me: HeapObject) => {
      const state = viewOf(me);
      const layout = state.properties.get('layout');
      const id = layout ? Number(plain(machine, layout)) : 0;
      return inflate(machine, id, state.context ?? appOf(machine).application!, state.parent);
    },
    'setLayoutResource(I)V': (machine, me: HeapObject, id: number) => {
      viewOf(me).properties.set('layout', machine.string(String(id)));
    },
  }),
  'Landroid/view/SurfaceView;': widget('Landroid/view/View;', {
    'getHolder()Landroid/view/SurfaceHolder;': (machine, me: HeapObject) => {
      const holder = machine.allocate('Landroid/view/SurfaceHolderImpl;');
      holder.native = me;
      return holder;
    },
  }),
  'Landroid/view/SurfaceHolder;': { isInterface: true },
  'Landroid/view/SurfaceHolderImpl;': {
    implements: ['Landroid/view/SurfaceHolder;'],
    methods: {
      'addCallback(Landroid/view/SurfaceHolder$Callback;)V': (machine, me: HeapObject, callback: Reference) =>
        listenOn(machine, me.native as HeapObject, 'Landroid/view/SurfaceHolder$Callback;', callback),
      ...each(
        nothing,
        'setType(I)V',
        'setFixedSize(II)V',
        'setFormat(I)V',
        'removeCallback(Landroid/view/SurfaceHolder$Callback;)V',
      ),
      'getSurface()Landroid/view/Surface;': (machine) => machine.allocate('Landroid/view/Surface;'),
    },
  },
  ...Object.fromEntries(groups.map((name) => [`Landroid/widget/${name};`, widget(asGroup)])),
  [asText]: widget('Landroid/view/View;', textMethods),
  'Landroid/widget/EditText;': widget(asText, {
    ...each(fieldText, 'getText()Landroid/text/Editable;', 'getText()Ljava/lang/CharSequence;'),
    ...each(nothing, 'setSelection(I)V', 'setSelection(II)V', 'selectAll()V'),
  }),
  'Landroid/widget/AutoCompleteTextView;': widget('Landroid/widget/EditText;'),
  'Landroid/widget/MultiAutoCompleteTextView;': widget('Landroid/widget/AutoCompleteTextView;'),
  'Landroid/widget/Button;': widget(asText),
  'Landroid/widget/CompoundButton;': widget('Landroid/widget/Button;', checkMethods),
  ...Object.fromEntries(
    ['CheckBox', 'RadioButton', 'ToggleButton', 'Switch'].map((name) => [
      `Landroid/widget/${name};`,
      widget('Landroid/widget/CompoundButton;'),
    ]),
  ),
  'Landroid/widget/CheckedTextView;': widget(asText, checkMethods),
  'Landroid/widget/Chronometer;': widget(asText),
  'Landroid/widget/ImageView;': widget('Landroid/view/View;', imageMethods),
  'Landroid/widget/ImageButton;': widget('Landroid/widget/ImageView;'),
  'Landroid/widget/ProgressBar;': widget('Landroid/view/View;', progressMethods),
  'Landroid/widget/AbsSeekBar;': widget('Landroid/widget/ProgressBar;'),
  'Landroid/widget/SeekBar;': widget('Landroid/widget/AbsSeekBar;'),
  'Landroid/widget/RatingBar;': widget('Landroid/widget/AbsSeekBar;'),
  'Landroid/widget/Space;': widget('Landroid/view/View;'),
  'Landroid/widget/VideoView;': widget('Landroid/view/SurfaceView;'),
  'Landroid/widget/AdapterView;': { ...widget(asGroup, adapterViewMethods), isAbstract: true },
  'Landroid/widget/AbsListView;': widget('Landroid/widget/AdapterView;'),
  'Landroid/widget/ListView;': widget('Landroid/widget/AbsListView;'),
  'Landroid/widget/GridView;': widget('Landroid/widget/AbsListView;'),
  'Landroid/widget/ExpandableListView;': widget('Landroid/widget/ListView;'),
  'Landroid/widget/AbsSpinner;': widget('Landroid/widget/AdapterView;'),
  'Landroid/widget/Spinner;': widget('Landroid/widget/AbsSpinner;'),
  'Landroid/widget/Gallery;': widget('Landroid/widget/AbsSpinner;'),
  ...Object.fromEntries(
    Object.entries(listenerCalls).map(([type, calls]) => [
      type,
      { isInterface: true, abstractMethods: [...new Set(calls.map(([signature]) => signature))] },
    ]),
  ),
  'Landroid/text/TextWatcher;': {
    isInterface: true,
    abstractMethods: [
      'beforeTextChanged(Ljava/lang/CharSequence;III)V',
      'onTextChanged(Ljava/lang/CharSequence;III)V',
      'afterTextChanged(Landroid/text/Editable;)V',
    ],
  },
};
