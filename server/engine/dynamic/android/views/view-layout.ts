// Sizes and places of views: measuring, laying out, and the listeners of both. Lists of support libraries fill themselves
// while they are laid out. Knows no widget's content.
import { nothing } from '../../java/values.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods, StaticMethods } from '../../machine/model.ts';
import { worldOf } from '../../world/world.ts';
import { callApp, post } from '../components/activity-life.ts';
import { each, flag, isAppMethod, no, type Reference, sideState, yes } from '../model-parts.ts';
import { allViews, ownerOf, viewOf } from './view-tree.ts';

/** Modes of a `MeasureSpec`, its two upper bits; 0 leaves the size open. */
const modes = { exactly: 0x40000000, atMost: 0x80000000 | 0, mask: 0xc0000000 | 0 } as const;
const sizeMask = 0x3fffffff;
/** Size of a widget whose size is left open. */
const usualSize = { width: 400, height: 96 } as const;
const matchParent = -1;
const gone = 8;
/** One frame of a screen at 60 Hz. */
const frameMilliseconds = 16;
/** An app that asks for a layout while it is laid out would never end. */
const maxPasses = 200;
/** Layouts nest a few dozen levels; groups that were put into each other must end. */
const maxDepth = 100;

interface Layout {
  measuredWidth: number;
  measuredHeight: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
  isLaidOut: boolean;
  isAttached: boolean;
  /** A root's layout passes: whether one is scheduled, and how many there were. */
  isRequested: boolean;
  passes: number;
}

const layoutOf = (machine: Machine, view: HeapObject): Layout =>
  sideState<Layout>(machine, 'layout', view, () => ({
    measuredWidth: 1080,
    measuredHeight: 640,
    left: 0,
    top: 0,
    right: 1080,
    bottom: 640,
    isLaidOut: false,
    isAttached: false,
    isRequested: false,
    passes: 0,
  }));

const sizeOf = (spec: number): number => spec & sizeMask;

function childSpec(spec: number, wanted: number): number {
  if (wanted >= 0) return modes.exactly | wanted;
  const mode = spec & modes.mask;
  if (mode === 0) return 0;
  return (wanted === matchParent ? mode : modes.atMost) | sizeOf(spec);
}

const chosen = (spec: number, usual: number): number => {
  const mode = spec & modes.mask;
  if (mode === modes.exactly) return sizeOf(spec);
  return mode === modes.atMost ? Math.min(usual, sizeOf(spec)) : usual;
};

const wantedSize = (machine: Machine, view: HeapObject, name: string): number => {
  const parameters = viewOf(view).properties.get('layoutParams') ?? null;
  const value = parameters === null ? null : machine.getField(parameters, name);
  return typeof value === 'number' ? value : matchParent;
};

/** Current depth of nested layouts. */
const nesting = (machine: Machine): { depth: number } => machine.state('android.layout-depth', () => ({ depth: 0 }));

function within(machine: Machine, body: () => void): void {
  const level = nesting(machine);
  if (level.depth >= maxDepth) return;
  level.depth += 1;
  try {
    body();
  } finally {
    level.depth -= 1;
  }
}

const onMeasure = 'onMeasure(II)V';
const onLayout = 'onLayout(ZIIII)V';

function measure(machine: Machine, view: HeapObject, width: number, height: number): undefined {
  within(machine, () => {
    if (isAppMethod(machine, view, onMeasure)) machine.call(view, onMeasure, width, height);
    else measureAsGroup(machine, view, width, height);
  });
}

/** Roughly as the framework's groups: each child gets the size it asks for, the group that of its largest child. */
function measureAsGroup(machine: Machine, view: HeapObject, width: number, height: number): undefined {
  const children = viewOf(view).children.filter((child) => viewOf(child).visibility !== gone);
  let widest = 0;
  let highest = 0;
  for (const child of [...children]) {
    measure(
      machine,
      child,
      childSpec(width, wantedSize(machine, child, 'width')),
      childSpec(height, wantedSize(machine, child, 'height')),
    );
    const { measuredWidth, measuredHeight } = layoutOf(machine, child);
    widest = Math.max(widest, measuredWidth);
    highest = Math.max(highest, measuredHeight);
  }
  const isEmpty = children.length === 0;
  const layout = layoutOf(machine, view);
  layout.measuredWidth = chosen(width, isEmpty ? usualSize.width : widest);
  layout.measuredHeight = chosen(height, isEmpty ? usualSize.height : highest);
}

function place(machine: Machine, view: HeapObject, left: number, top: number, right: number, bottom: number): void {
  if (isAppMethod(machine, view, 'layout(IIII)V')) machine.call(view, 'layout(IIII)V', left, top, right, bottom);
  else within(machine, () => placeHere(machine, view, left, top, right, bottom));
}

function placeHere(
  machine: Machine,
  view: HeapObject,
  left: number,
  top: number,
  right: number,
  bottom: number,
): undefined {
  const layout = layoutOf(machine, view);
  const before = layout.isLaidOut
    ? { width: layout.right - layout.left, height: layout.bottom - layout.top }
    : { width: 0, height: 0 };
  const isChanged =
    !layout.isLaidOut ||
    layout.left !== left ||
    layout.top !== top ||
    layout.right !== right ||
    layout.bottom !== bottom;
  Object.assign(layout, { left, top, right, bottom, isLaidOut: true });
  const isResized = before.width !== right - left || before.height !== bottom - top;
  if (isResized && isAppMethod(machine, view, 'onSizeChanged(IIII)V')) {
    machine.call(view, 'onSizeChanged(IIII)V', right - left, bottom - top, before.width, before.height);
  }
  if (isAppMethod(machine, view, onLayout)) machine.call(view, onLayout, flag(isChanged), left, top, right, bottom);
  else placeChildren(machine, view);
}

function placeChildren(machine: Machine, view: HeapObject): undefined {
  for (const child of [...viewOf(view).children]) {
    if (viewOf(child).visibility === gone) continue;
    const { measuredWidth, measuredHeight } = layoutOf(machine, child);
    place(machine, child, 0, 0, measuredWidth, measuredHeight);
  }
}

/** Lays out everything under a root that is on screen, and calls the listeners. */
function layOut(machine: Machine, root: HeapObject): void {
  for (const view of allViews(root)) attach(machine, view);
  const { width, height } = worldOf(machine).device.screen;
  measure(machine, root, modes.exactly | width, modes.exactly | height);
  place(machine, root, 0, 0, width, height);
  for (const view of allViews(root)) tellObservers(machine, view);
}

function attach(machine: Machine, view: HeapObject): void {
  const layout = layoutOf(machine, view);
  if (layout.isAttached) return;
  layout.isAttached = true;
  if (isAppMethod(machine, view, 'onAttachedToWindow()V')) {
    callApp(machine, view.cls.name, () => machine.call(view, 'onAttachedToWindow()V'));
  }
  const listener = viewOf(view).properties.get('insetsListener') ?? null;
  if (listener !== null) callApp(machine, view.cls.name, () => applyInsets(machine, view, newInsets(machine)));
}

/** Where a group has put a view; null where it has not. */
export function placeInGroup(machine: Machine, view: HeapObject) {
  const { isLaidOut, left, top, right, bottom } = layoutOf(machine, view);
  return isLaidOut ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

/** Has the screen that a view is on laid out in its next frame. */
export function requestLayout(machine: Machine, view: HeapObject): undefined {
  let root = view;
  for (let depth = 0; depth < maxDepth; depth++) root = viewOf(root).parent ?? root;
  const layout = layoutOf(machine, root);
  if (layout.isRequested || layout.passes >= maxPasses || ownerOf(root) === null) return;
  layout.isRequested = true;
  layout.passes += 1;
  const where = ownerOf(root)?.cls.name ?? root.cls.name;
  post(machine, frameMilliseconds, where, () => {
    layout.isRequested = false;
    if (ownerOf(root) !== null) layOut(machine, root);
  });
}

/** Puts a view on screen, shown by an activity or a dialog. */
export function setRoot(machine: Machine, view: HeapObject, owner: HeapObject): void {
  viewOf(view).owner = owner;
  requestLayout(machine, view);
}

// Listeners.

/** Listeners of a `ViewTreeObserver`, by the method that they are called by. */
const observed: Readonly<Record<string, string>> = {
  GlobalLayout: 'onGlobalLayout()V',
  PreDraw: 'onPreDraw()Z',
  Draw: 'onDraw()V',
};

interface Observer {
  readonly object: HeapObject;
  readonly listeners: Map<HeapObject, string>;
}

const observers = (machine: Machine): WeakMap<HeapObject, Observer> =>
  machine.state('android.tree-observers', () => new WeakMap<HeapObject, Observer>());

function observerOf(machine: Machine, view: HeapObject): HeapObject {
  const all = observers(machine);
  let observer = all.get(view);
  if (observer === undefined) {
    observer = { object: machine.allocate('Landroid/view/ViewTreeObserver;'), listeners: new Map() };
    observer.object.native = observer;
    all.set(view, observer);
  }
  return observer.object;
}

function tellObservers(machine: Machine, view: HeapObject): void {
  const observer = observers(machine).get(view);
  for (const [listener, method] of [...(observer?.listeners ?? [])]) {
    callApp(machine, view.cls.name, () => machine.call(listener, method));
  }
}

const observerMethods: NativeMethods = {
  ...Object.fromEntries(
    Object.entries(observed).flatMap(([name, method]): [string, NativeMethod][] => {
      const type = `(Landroid/view/ViewTreeObserver$On${name}Listener;)V`;
      const remove: NativeMethod = (_machine, me, listener: Reference) => {
        if (listener !== null) (me.native as Observer | undefined)?.listeners.delete(listener);
      };
      return [
        [
          `addOn${name}Listener${type}`,
          (_machine, me, listener: Reference) => {
            if (listener !== null) (me.native as Observer).listeners.set(listener, method);
          },
        ],
        [`removeOn${name}Listener${type}`, remove],
        [`remove${name === 'GlobalLayout' ? 'GlobalOnLayout' : name}Listener${type}`, remove],
      ];
    }),
  ),
  'isAlive()Z': yes,
  'dispatchOnPreDraw()Z': yes,
};

// Insets of the system's bars.

const barHeight = 63;

const newInsets = (machine: Machine): HeapObject => machine.allocate('Landroid/view/WindowInsets;');

function applyInsets(machine: Machine, view: HeapObject, insets: HeapObject): HeapObject {
  const listener = viewOf(view).properties.get('insetsListener') ?? null;
  const answer =
    listener === null
      ? machine.call(view, 'onApplyWindowInsets(Landroid/view/WindowInsets;)Landroid/view/WindowInsets;', insets)
      : machine.call(
          listener,
          'onApplyWindowInsets(Landroid/view/View;Landroid/view/WindowInsets;)Landroid/view/WindowInsets;',
          view,
          insets,
        );
  return (answer as Reference) ?? insets;
}

const insetsMethods: NativeMethods = {
  'getSystemWindowInsetTop()I': () => barHeight,
  'getStableInsetTop()I': () => barHeight,
  ...each(
    no,
    'getSystemWindowInsetLeft()I',
    'getSystemWindowInsetRight()I',
    'getSystemWindowInsetBottom()I',
    'getStableInsetLeft()I',
    'getStableInsetRight()I',
    'getStableInsetBottom()I',
    'isConsumed()Z',
    'isRound()Z',
  ),
  ...each(yes, 'hasSystemWindowInsets()Z', 'hasInsets()Z', 'hasStableInsets()Z'),
  ...each(
    (_machine, me) => me,
    'consumeSystemWindowInsets()Landroid/view/WindowInsets;',
    'consumeStableInsets()Landroid/view/WindowInsets;',
    'consumeDisplayCutout()Landroid/view/WindowInsets;',
    'replaceSystemWindowInsets(IIII)Landroid/view/WindowInsets;',
    'inset(IIII)Landroid/view/WindowInsets;',
  ),
};

// Methods of every view.

const edge =
  (name: 'left' | 'top' | 'right' | 'bottom' | 'measuredWidth' | 'measuredHeight'): NativeMethod =>
  (machine, me) =>
    layoutOf(machine, me)[name];

export const viewLayoutMethods: NativeMethods = {
  'measure(II)V': (machine, me, width: number, height: number) => measure(machine, me, width, height),
  [onMeasure]: (machine, me, width: number, height: number) => measureAsGroup(machine, me, width, height),
  'layout(IIII)V': (machine, me, left: number, top: number, right: number, bottom: number) =>
    placeHere(machine, me, left, top, right, bottom),
  [onLayout]: (machine, me) => placeChildren(machine, me),
  'setMeasuredDimension(II)V': (machine, me, width: number, height: number) => {
    Object.assign(layoutOf(machine, me), { measuredWidth: width & 0xffffff, measuredHeight: height & 0xffffff });
  },
  'requestLayout()V': (machine, me) => requestLayout(machine, me),
  ...each(nothing, 'forceLayout()V', 'onSizeChanged(IIII)V', 'requestApplyInsets()V', 'requestFitSystemWindows()V'),
  'isLayoutRequested()Z': (machine, me) => layoutOf(machine, me).isRequested,
  'isLaidOut()Z': (machine, me) => layoutOf(machine, me).isLaidOut,
  'isInLayout()Z': (machine) => nesting(machine).depth > 0,
  'getWidth()I': (machine, me) => layoutOf(machine, me).right - layoutOf(machine, me).left,
  'getHeight()I': (machine, me) => layoutOf(machine, me).bottom - layoutOf(machine, me).top,
  'getMeasuredWidth()I': edge('measuredWidth'),
  'getMeasuredHeight()I': edge('measuredHeight'),
  'getMeasuredWidthAndState()I': edge('measuredWidth'),
  'getMeasuredHeightAndState()I': edge('measuredHeight'),
  'getMeasuredState()I': no,
  'getBaseline()I': () => -1,
  ...each(
    no,
    'getSuggestedMinimumWidth()I',
    'getSuggestedMinimumHeight()I',
    'getMinimumWidth()I',
    'getMinimumHeight()I',
  ),
  'getMatrix()Landroid/graphics/Matrix;': (machine) => machine.allocate('Landroid/graphics/Matrix;'),
  'getLeft()I': edge('left'),
  'getTop()I': edge('top'),
  'getRight()I': edge('right'),
  'getBottom()I': edge('bottom'),
  'offsetTopAndBottom(I)V': (machine, me, by: number) => {
    const layout = layoutOf(machine, me);
    Object.assign(layout, { top: layout.top + by, bottom: layout.bottom + by });
  },
  'offsetLeftAndRight(I)V': (machine, me, by: number) => {
    const layout = layoutOf(machine, me);
    Object.assign(layout, { left: layout.left + by, right: layout.right + by });
  },
  'getViewTreeObserver()Landroid/view/ViewTreeObserver;': observerOf,
  'setOnApplyWindowInsetsListener(Landroid/view/View$OnApplyWindowInsetsListener;)V': (
    _machine,
    me,
    listener: Reference,
  ) => {
    viewOf(me).properties.set('insetsListener', listener);
  },
  'onApplyWindowInsets(Landroid/view/WindowInsets;)Landroid/view/WindowInsets;': (_machine, _me, insets: Reference) =>
    insets,
  'dispatchApplyWindowInsets(Landroid/view/WindowInsets;)Landroid/view/WindowInsets;': applyInsets,
  'getRootWindowInsets()Landroid/view/WindowInsets;': newInsets,
};

/** Methods of every group. */
export const groupLayoutMethods: NativeMethods = {
  'measureChildren(II)V': (machine, me, width: number, height: number) => {
    for (const child of [...viewOf(me).children]) measureChild(machine, child, width, height);
  },
  'measureChild(!Landroid/view/View;II)V': (machine, _me, child: HeapObject, width: number, height: number) =>
    measureChild(machine, child, width, height),
  'measureChildWithMargins(!Landroid/view/View;IIII)V': (
    machine,
    _me,
    child: HeapObject,
    width: number,
    _usedWidth: number,
    height: number,
  ) => measureChild(machine, child, width, height),
};

const measureChild = (machine: Machine, child: HeapObject, width: number, height: number): undefined =>
  measure(
    machine,
    child,
    childSpec(width, wantedSize(machine, child, 'width')),
    childSpec(height, wantedSize(machine, child, 'height')),
  );

export const groupLayoutStaticMethods: StaticMethods = {
  'getChildMeasureSpec(III)I': (_machine, spec: number, padding: number, wanted: number) =>
    childSpec((spec & modes.mask) | Math.max(0, sizeOf(spec) - padding), wanted),
};

export const viewLayoutStaticMethods: StaticMethods = {
  'getDefaultSize(II)I': (_machine, size: number, spec: number) => ((spec & modes.mask) === 0 ? size : sizeOf(spec)),
  'resolveSize(II)I': (_machine, size: number, spec: number) => chosen(spec, size),
  'resolveSizeAndState(III)I': (_machine, size: number, spec: number) => chosen(spec, size),
  'combineMeasuredStates(II)I': (_machine, one: number, other: number) => one | other,
};

export const viewLayoutModels: Models = {
  'Landroid/view/View$MeasureSpec;': {
    staticMethods: {
      'makeMeasureSpec(II)I': (_machine, size: number, mode: number) => (size & sizeMask) | (mode & modes.mask),
      'makeSafeMeasureSpec(II)I': (_machine, size: number, mode: number) => (size & sizeMask) | (mode & modes.mask),
      'getMode(I)I': (_machine, spec: number) => spec & modes.mask,
      'getSize(I)I': (_machine, spec: number) => sizeOf(spec),
    },
    constants: { 'UNSPECIFIED:I': 0, 'EXACTLY:I': modes.exactly, 'AT_MOST:I': modes.atMost },
  },
  'Landroid/view/ViewTreeObserver;': { methods: observerMethods },
  ...Object.fromEntries(
    Object.entries(observed).map(([name, method]) => [
      `Landroid/view/ViewTreeObserver$On${name}Listener;`,
      { isInterface: true, abstractMethods: [method] },
    ]),
  ),
  'Landroid/view/View$OnApplyWindowInsetsListener;': {
    isInterface: true,
    abstractMethods: ['onApplyWindowInsets(Landroid/view/View;Landroid/view/WindowInsets;)Landroid/view/WindowInsets;'],
  },
  'Landroid/view/WindowInsets;': {
    methods: {
      ...each(nothing, '<init>(Landroid/view/WindowInsets;)V', '<init>(Landroid/graphics/Rect;)V'),
      ...insetsMethods,
    },
    // Hidden, but support libraries reach for it.
    constants: { 'CONSUMED:Landroid/view/WindowInsets;': newInsets },
  },
};
