// Models of Window with the frame that holds a screen's content, of WindowManager and Display. Knows no dialog.
import { nothing } from '../../java/values.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { worldOf } from '../../world/world.ts';
import { appOf } from '../components/app.ts';
import { callIfThere, each, no, type Reference, sideState, yes } from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';
import { inflate, inflaterFor } from '../views/inflater.ts';
import { setRoot } from '../views/view-layout.ts';
import { addChild, findById, removeChild, viewOf } from '../views/view-tree.ts';

/** `android.R.id.content` */
const contentId = 0x01020002;

interface WindowState {
  /** The activity or dialog that it belongs to. */
  readonly owner: HeapObject;
  readonly context: HeapObject;
  callback: Reference;
  frame: Frame | null;
  parameters: Reference;
}

interface Frame {
  readonly decor: HeapObject;
  /** Where setContentView puts what it is given. */
  readonly content: HeapObject;
}

/** The window of an activity or dialog, always the same one. */
export function windowFor(machine: Machine, owner: HeapObject, context: HeapObject): HeapObject {
  const kept = sideState<{ window: Reference }>(machine, 'window', owner, () => ({ window: null }));
  if (kept.window === null) {
    kept.window = machine.allocate('Landroid/view/WindowImpl;');
    kept.window.native = { owner, context, callback: owner, frame: null, parameters: null } satisfies WindowState;
  }
  return kept.window;
}

const windowOf = (window: HeapObject): WindowState => window.native as WindowState;

/** The frame around a window's content, created on first use; an activity shows it from then on. */
export function frameOf(machine: Machine, window: HeapObject): Frame {
  const state = windowOf(window);
  if (state.frame !== null) return state.frame;
  const layout = (): HeapObject =>
    machine.construct('Landroid/widget/FrameLayout;', '<init>(Landroid/content/Context;)V', state.context);
  state.frame = { decor: layout(), content: layout() };
  viewOf(state.frame.content).id = contentId;
  addChild(state.frame.decor, state.frame.content);
  const record = appOf(machine).recordOf(state.owner);
  if (record !== null) {
    record.content = state.frame.decor;
    setRoot(machine, state.frame.decor, state.owner);
  }
  return state.frame;
}

/** Support libraries give the id of the content to a view of theirs; the frame then has none. */
const setContent: NativeMethod = (machine, me, view: Reference) => {
  const { content } = frameOf(machine, me);
  for (const child of [...viewOf(content).children]) removeChild(content, child);
  if (view !== null) machine.call(content, 'addView(Landroid/view/View;)V', view);
  const { callback } = windowOf(me);
  if (callback !== null) callIfThere(machine, callback, 'onContentChanged()V');
};

const windowMethods: NativeMethods = {
  'getDecorView()Landroid/view/View;': (machine, me) => frameOf(machine, me).decor,
  'peekDecorView()Landroid/view/View;': (_machine, me) => windowOf(me).frame?.decor ?? null,
  'getCallback()Landroid/view/Window$Callback;': (_machine, me) => windowOf(me).callback,
  'setCallback(Landroid/view/Window$Callback;)V': (_machine, me, callback: Reference) => {
    windowOf(me).callback = callback;
  },
  'getAttributes()Landroid/view/WindowManager$LayoutParams;': (machine, me) => {
    const state = windowOf(me);
    state.parameters ??= machine.construct('Landroid/view/WindowManager$LayoutParams;', '<init>(II)V', -1, -1);
    return state.parameters;
  },
  'setAttributes(Landroid/view/WindowManager$LayoutParams;)V': (_machine, me, parameters: Reference) => {
    windowOf(me).parameters = parameters;
  },
  'getWindowManager()Landroid/view/WindowManager;': (machine) => singleton(machine, 'Landroid/view/WindowManagerImpl;'),
  'getContext()Landroid/content/Context;': (_machine, me) => windowOf(me).context,
  'getLayoutInflater()Landroid/view/LayoutInflater;': (machine, me) => inflaterFor(machine, windowOf(me).context),
  'setContentView(I)V': (machine, me, id: number) =>
    setContent(machine, me, inflate(machine, id, windowOf(me).context, null)),
  'setContentView(Landroid/view/View;)V': setContent,
  'setContentView(Landroid/view/View;Landroid/view/ViewGroup$LayoutParams;)V': setContent,
  'addContentView(!Landroid/view/View;Landroid/view/ViewGroup$LayoutParams;)V': (
    machine,
    me,
    view: HeapObject,
    parameters: Reference,
  ) => {
    machine.call(
      frameOf(machine, me).content,
      'addView(Landroid/view/View;Landroid/view/ViewGroup$LayoutParams;)V',
      view,
      parameters,
    );
  },
  ...each(
    (machine, me, id: number) => findById(machine, frameOf(machine, me).decor, id),
    'findViewById(I)Landroid/view/View;',
    'requireViewById(I)Landroid/view/View;',
  ),
  'getCurrentFocus()Landroid/view/View;': (_machine, me) => {
    const content = windowOf(me).frame?.content ?? null;
    return content === null ? null : (viewOf(content).children[0] ?? content);
  },
  'requestFeature(I)Z': yes,
  'hasFeature(I)Z': no,
  'isFloating()Z': no,
  'isActive()Z': yes,
  ...each(
    nothing,
    'setFlags(II)V',
    'addFlags(I)V',
    'clearFlags(I)V',
    'setLayout(II)V',
    'setGravity(I)V',
    'setTitle(Ljava/lang/CharSequence;)V',
    'setBackgroundDrawable(Landroid/graphics/drawable/Drawable;)V',
    'setBackgroundDrawableResource(I)V',
    'setStatusBarColor(I)V',
    'setNavigationBarColor(I)V',
    'setDecorFitsSystemWindows(Z)V',
    'setSoftInputMode(I)V',
    'setType(I)V',
    'setWindowAnimations(I)V',
    'setFormat(I)V',
    'setDimAmount(F)V',
    'setUiOptions(I)V',
    'invalidatePanelMenu(I)V',
  ),
};

const windowManagerMethods: NativeMethods = {
  'addView(Landroid/view/View;Landroid/view/ViewGroup$LayoutParams;)V': (machine, _me, view: Reference) => {
    if (view === null) return;
    recorderOf(machine).event('overlay', `showed ${view.cls.name} over other apps`);
    setRoot(machine, view, view);
  },
  ...each(
    (_machine, _me, view: Reference) => {
      if (view !== null) viewOf(view).owner = null;
    },
    'removeView(Landroid/view/View;)V',
    'removeViewImmediate(Landroid/view/View;)V',
  ),
  'updateViewLayout(Landroid/view/View;Landroid/view/ViewGroup$LayoutParams;)V': nothing,
  'getDefaultDisplay()Landroid/view/Display;': (machine) => singleton(machine, 'Landroid/view/Display;'),
};

const sizeInto: NativeMethod = (machine, _me, point: HeapObject) => {
  const { width, height } = worldOf(machine).device.screen;
  machine.setField(point, 'x', width);
  machine.setField(point, 'y', height);
};

export const windowFrameModels: Models = {
  'Landroid/view/Window;': { isAbstract: true },
  'Landroid/view/Window$Callback;': { isInterface: true },
  'Landroid/view/KeyEvent$Callback;': { isInterface: true },
  'Landroid/view/WindowImpl;': { extends: 'Landroid/view/Window;', methods: windowMethods },
  'Landroid/view/WindowManager;': { isInterface: true, implements: ['Landroid/view/ViewManager;'] },
  'Landroid/view/WindowManagerImpl;': { implements: ['Landroid/view/WindowManager;'], methods: windowManagerMethods },
  'Landroid/view/WindowManager$LayoutParams;': {
    extends: 'Landroid/view/ViewGroup$LayoutParams;',
    methods: each(
      nothing,
      '<init>()V',
      '<init>(I)V',
      '<init>(II)V',
      '<init>(III)V',
      '<init>(IIIII)V',
      'setTitle(Ljava/lang/CharSequence;)V',
    ),
    fields: [
      'x:I',
      'y:I',
      'type:I',
      'flags:I',
      'format:I',
      'gravity:I',
      'alpha:F',
      'dimAmount:F',
      'screenBrightness:F',
      'softInputMode:I',
    ],
  },
  'Landroid/view/Display;': {
    methods: {
      'getMetrics(!Landroid/util/DisplayMetrics;)V': (machine, _me, metrics: HeapObject) =>
        machine.call(metrics, '<init>()V'),
      'getRealMetrics(!Landroid/util/DisplayMetrics;)V': (machine, _me, metrics: HeapObject) =>
        machine.call(metrics, '<init>()V'),
      'getSize(!Landroid/graphics/Point;)V': sizeInto,
      'getRealSize(!Landroid/graphics/Point;)V': sizeInto,
      'getWidth()I': (machine) => worldOf(machine).device.screen.width,
      'getHeight()I': (machine) => worldOf(machine).device.screen.height,
      'isValid()Z': yes,
      'getRotation()I': no,
      'getDisplayId()I': no,
      'getRefreshRate()F': () => 60,
    },
  },
};
