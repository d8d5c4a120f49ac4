// Models of views and of the simple ones among them. Knows no group, no list and no text.
import { nothing } from '../../java/values.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { post } from '../components/activity-life.ts';
import { appOf } from '../components/app.ts';
import { each, flag, no, none, plain, type Reference, yes } from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';
import { startAnimation } from './animation.ts';
import { inflate } from './inflater.ts';
import { parametersIn } from './layout-parameters.ts';
import { viewLayoutMethods, viewLayoutStaticMethods } from './view-layout.ts';
import { listenOn, viewListenerSetters } from './view-listeners.ts';
import { build, property, setProperty, viewConstructors, widget } from './view-parts.ts';
import { allViews, findById, isOnScreen, ownerOf, viewOf } from './view-tree.ts';

const numbers = (value: number, ...names: string[]): NativeMethods =>
  Object.fromEntries(names.map((name) => [`${name}()I`, () => value]));

const postTask: NativeMethod = (machine, me, task: HeapObject, delay: bigint = 0n) => {
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
  ...each(build, ...viewConstructors),
  ...viewListenerSetters,
  'getId()I': (_machine, me) => viewOf(me).id,
  'setId(I)V': (_machine, me, id: number) => {
    viewOf(me).id = id;
  },
  'getContext()Landroid/content/Context;': (_machine, me) => viewOf(me).context,
  'getResources()Landroid/content/res/Resources;': (machine) => singleton(machine, 'Landroid/content/res/Resources;'),
  'getParent()Landroid/view/ViewParent;': (_machine, me) => viewOf(me).parent,
  'getRootView()Landroid/view/View;': (_machine, me) => {
    let root = me;
    for (let depth = 0; depth < 200; depth++) {
      const { parent } = viewOf(root);
      if (parent === null) break;
      root = parent;
    }
    return root;
  },
  ...each(
    (machine, me, id: number) => findById(machine, me, id),
    'findViewById(I)Landroid/view/View;',
    'requireViewById(I)Landroid/view/View;',
  ),
  'findViewWithTag(Ljava/lang/Object;)Landroid/view/View;': (machine, me, tag: Reference) =>
    allViews(me).find((view) => machine.equals(viewOf(view).tag, tag)) ?? null,
  'getTag()Ljava/lang/Object;': (_machine, me) => viewOf(me).tag,
  'setTag(Ljava/lang/Object;)V': (_machine, me, tag: Reference) => {
    viewOf(me).tag = tag;
  },
  'getTag(I)Ljava/lang/Object;': (_machine, me, key: number) => viewOf(me).tags.get(key) ?? null,
  'setTag(ILjava/lang/Object;)V': (_machine, me, key: number, tag: Reference) => {
    viewOf(me).tags.set(key, tag);
  },
  ...each(
    none,
    'findFocus()Landroid/view/View;',
    'getFocusedChild()Landroid/view/View;',
    'focusSearch(I)Landroid/view/View;',
    'focusSearch(Landroid/view/View;I)Landroid/view/View;',
    'getStateListAnimator()Landroid/animation/StateListAnimator;',
  ),
  'getVisibility()I': (_machine, me) => viewOf(me).visibility,
  'setVisibility(I)V': (_machine, me, visibility: number) => {
    viewOf(me).visibility = visibility;
  },
  'isEnabled()Z': (_machine, me) => viewOf(me).isEnabled,
  'setEnabled(Z)V': (_machine, me, enabled: number) => {
    viewOf(me).isEnabled = enabled !== 0;
  },
  'isShown()Z': (machine, me) => isOnScreen(machine, me) && viewOf(me).visibility === 0,
  'isAttachedToWindow()Z': (_machine, me) => ownerOf(me) !== null,
  'performClick()Z': (machine, me) => click(machine, me),
  'callOnClick()Z': (machine, me) => click(machine, me),
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
  'getLayoutParams()Landroid/view/ViewGroup$LayoutParams;': (machine, me) => {
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
  'animate()Landroid/view/ViewPropertyAnimator;': (machine, me) => {
    const { properties } = viewOf(me);
    const known = properties.get('animator') ?? machine.allocate('Landroid/view/ViewPropertyAnimator;');
    properties.set('animator', known);
    return known;
  },
  ...each(
    (machine, me, animation: Reference) => {
      viewOf(me).properties.set('animation', animation);
      if (animation !== null) startAnimation(machine, animation);
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
  'toString()Ljava/lang/String;': (machine, me) => machine.string(`${me.cls.name}{${viewOf(me).id.toString(16)}}`),
};

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
      'inflate(!Landroid/content/Context;ILandroid/view/ViewGroup;)Landroid/view/View;': (
        machine,
        context: HeapObject,
        layout: number,
        root: Reference,
      ) => inflate(machine, layout, context, root),
      'generateViewId()I': (machine) => machine.state('android.view-ids', () => ({ next: 1 })).next++,
    },
  },
  'Landroid/view/ViewStub;': widget('Landroid/view/View;', {
    'inflate()Landroid/view/View;': (machine, me) => {
      const state = viewOf(me);
      const layout = state.properties.get('layout');
      const id = layout ? Number(plain(machine, layout)) : 0;
      return inflate(machine, id, state.context ?? appOf(machine).application!, state.parent);
    },
    'setLayoutResource(I)V': (machine, me, id: number) => {
      viewOf(me).properties.set('layout', machine.string(String(id)));
    },
  }),
  'Landroid/view/SurfaceView;': widget('Landroid/view/View;', {
    'getHolder()Landroid/view/SurfaceHolder;': (machine, me) => {
      const holder = machine.allocate('Landroid/view/SurfaceHolderImpl;');
      holder.native = me;
      return holder;
    },
  }),
  'Landroid/view/SurfaceHolder;': { isInterface: true },
  'Landroid/view/SurfaceHolderImpl;': {
    implements: ['Landroid/view/SurfaceHolder;'],
    methods: {
      'addCallback(!Landroid/view/SurfaceHolder$Callback;)V': (machine, me, callback: Reference) =>
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
  'Landroid/widget/ImageView;': widget('Landroid/view/View;', imageMethods),
  'Landroid/widget/ImageButton;': widget('Landroid/widget/ImageView;'),
  'Landroid/widget/ProgressBar;': widget('Landroid/view/View;', progressMethods),
  'Landroid/widget/AbsSeekBar;': widget('Landroid/widget/ProgressBar;'),
  'Landroid/widget/SeekBar;': widget('Landroid/widget/AbsSeekBar;'),
  'Landroid/widget/RatingBar;': widget('Landroid/widget/AbsSeekBar;'),
  'Landroid/widget/Space;': widget('Landroid/view/View;'),
  'Landroid/widget/VideoView;': widget('Landroid/view/SurfaceView;'),
};
