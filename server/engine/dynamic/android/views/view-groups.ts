// Models of views with views in them. Knows no list and no adapter.
import { illegalArgument, illegalState, nothing } from '../../java/values.ts';
import { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethods } from '../../machine/model.ts';
import { each, no, type Reference } from '../model-parts.ts';
import { groupParameterMethods, parametersIn } from './layout-parameters.ts';
import { groupLayoutMethods, groupLayoutStaticMethods, requestLayout } from './view-layout.ts';
import { build, viewConstructors, widget } from './view-parts.ts';
import { addChild, removeChild, viewOf } from './view-tree.ts';

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
  // Every overload of addView ends in the last one, which apps override.
  'addView(Landroid/view/View;)V': (machine, me, child: Reference) => {
    machine.call(me, 'addView(Landroid/view/View;I)V', child, -1);
  },
  'addView(Landroid/view/View;I)V': (machine, me, child: Reference, index: number) =>
    machine.call(me, addLast, child, index, child === null ? null : parametersIn(machine, me, child)),
  'addView(Landroid/view/View;II)V': (machine, me, child: Reference, width: number, height: number) => {
    const parameters = machine.call(me, 'generateDefaultLayoutParams()Landroid/view/ViewGroup$LayoutParams;');
    if (parameters instanceof HeapObject) {
      machine.setField(parameters, 'width', width);
      machine.setField(parameters, 'height', height);
    }
    machine.call(me, addLast, child, -1, parameters);
  },
  'addView(Landroid/view/View;Landroid/view/ViewGroup$LayoutParams;)V': (
    machine,
    me,
    child: Reference,
    parameters: Reference,
  ) => machine.call(me, addLast, child, -1, parameters),
  [addLast]: (machine, me, child: Reference, index: number, parameters: Reference) => {
    if (child === null) throw illegalArgument(machine, 'Cannot add a null child view to a ViewGroup');
    if (viewOf(child).parent !== null) throw illegalState(machine, 'The specified child already has a parent.');
    takeChild(machine, me, child, index, parameters);
  },
  ...each(
    (machine, me, child: Reference, index: number, parameters: Reference) => {
      if (child === null) throw illegalArgument(machine, 'Cannot add a null child view to a ViewGroup');
      takeChild(machine, me, child, index, parameters);
      return 1;
    },
    'addViewInLayout(Landroid/view/View;ILandroid/view/ViewGroup$LayoutParams;)Z',
    'addViewInLayout(Landroid/view/View;ILandroid/view/ViewGroup$LayoutParams;Z)Z',
  ),
  'attachViewToParent(!Landroid/view/View;ILandroid/view/ViewGroup$LayoutParams;)V': (
    machine,
    me,
    child: HeapObject,
    index: number,
    parameters: Reference,
  ) => takeChild(machine, me, child, index, parameters),
  ...each(
    (_machine, me, child: Reference) => {
      if (child !== null) removeChild(me, child);
    },
    'removeView(Landroid/view/View;)V',
    'removeViewInLayout(Landroid/view/View;)V',
    'removeDetachedView(Landroid/view/View;Z)V',
    'detachViewFromParent(Landroid/view/View;)V',
  ),
  ...each(
    (_machine, me, index: number) => {
      const child = viewOf(me).children[index];
      if (child !== undefined) removeChild(me, child);
    },
    'removeViewAt(I)V',
    'detachViewFromParent(I)V',
  ),
  ...each(
    (_machine, me) => {
      for (const child of [...viewOf(me).children]) removeChild(me, child);
    },
    'removeAllViews()V',
    'removeAllViewsInLayout()V',
  ),
  'getChildCount()I': (_machine, me) => viewOf(me).children.length,
  'getChildAt(I)Landroid/view/View;': (_machine, me, index: number) => viewOf(me).children[index] ?? null,
  'indexOfChild(Landroid/view/View;)I': (_machine, me, child: HeapObject) => viewOf(me).children.indexOf(child),
  ...each(
    nothing,
    'setClipChildren(Z)V',
    'setClipToPadding(Z)V',
    'setGravity(I)V',
    'setDescendantFocusability(I)V',
    'setLayoutTransition(Landroid/animation/LayoutTransition;)V',
    'setWeightSum(F)V',
  ),
  'onInterceptTouchEvent(Landroid/view/MotionEvent;)Z': no,
  'setOrientation(I)V': (_machine, me, orientation: number) => {
    viewOf(me).orientation = orientation;
  },
  'getOrientation()I': (_machine, me) => viewOf(me).orientation ?? 0,
  'check(I)V': (_machine, me, id: number) => {
    for (const child of viewOf(me).children) viewOf(child).isChecked = viewOf(child).id === id;
  },
  'getCheckedRadioButtonId()I': (_machine, me) => {
    const checked = viewOf(me).children.find((child) => viewOf(child).isChecked);
    return checked === undefined ? -1 : viewOf(checked).id;
  },
};

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

const asGroup = 'Landroid/view/ViewGroup;';

export const viewGroupModels: Models = {
  [asGroup]: {
    extends: 'Landroid/view/View;',
    implements: ['Landroid/view/ViewParent;', 'Landroid/view/ViewManager;'],
    methods: { ...each(build, ...viewConstructors), ...groupMethods },
    staticMethods: groupLayoutStaticMethods,
  },
  'Landroid/view/ViewParent;': { isInterface: true },
  'Landroid/view/ViewManager;': { isInterface: true },
  ...Object.fromEntries(groups.map((name) => [`Landroid/widget/${name};`, widget(asGroup)])),
};
