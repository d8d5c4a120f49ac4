// Models of animators and animations: they run in virtual time and call their listeners. Knows nothing of drawing.
import type { HeapObject, Value } from '../../machine/heap.ts';
import { JavaArray } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { post } from '../components/activity-life.ts';
import { callIfThere, each, listOf, nothing, type Reference, self, stateOf } from '../model-parts.ts';
import { readXml } from '../resources/xml-resources.ts';

const animator = 'Landroid/animation/Animator;';
const animation = 'Landroid/view/animation/Animation;';
/** Bound on restarts: an animation that restarts itself when it ends would keep the virtual clock from advancing. */
const maxStarts = 100;

interface AnimatorState {
  duration: number;
  delay: number;
  isRunning: boolean;
  starts: number;
  readonly listeners: Set<HeapObject>;
  readonly updates: Set<HeapObject>;
  /** The values that it interpolates between; the last is the final one. */
  values: Value[];
  /** Descriptor of the boxes its values come in. */
  kind: 'F' | 'I' | 'L';
  children: HeapObject[];
  target: Reference;
  /** `withEndAction` of a ViewPropertyAnimator. */
  readonly after: HeapObject[];
}

const animatorOf = (object: HeapObject): AnimatorState =>
  stateOf<AnimatorState>(object, () => ({
    duration: 300,
    delay: 0,
    isRunning: false,
    starts: 0,
    listeners: new Set(),
    updates: new Set(),
    values: [],
    kind: 'F',
    children: [],
    target: null,
    after: [],
  }));

const tell = (machine: Machine, object: HeapObject, method: string, type: string): void => {
  for (const listener of [...animatorOf(object).listeners]) {
    callIfThere(machine, listener, `${method}(${type})V`, object);
  }
};

function update(machine: Machine, object: HeapObject): void {
  for (const listener of [...animatorOf(object).updates]) {
    callIfThere(machine, listener, 'onAnimationUpdate(Landroid/animation/ValueAnimator;)V', object);
  }
}

/** @param type of the listeners' parameter */
function start(machine: Machine, object: HeapObject, type: string): void {
  const state = animatorOf(object);
  if (state.isRunning || state.starts >= maxStarts) return;
  state.isRunning = true;
  state.starts += 1;
  tell(machine, object, 'onAnimationStart', type);
  update(machine, object);
  for (const child of state.children) start(machine, child, type);
  post(machine, state.delay + state.duration, object.cls.name, () => end(machine, object, type));
}

function end(machine: Machine, object: HeapObject, type: string): void {
  const state = animatorOf(object);
  if (!state.isRunning) return;
  state.isRunning = false;
  update(machine, object);
  tell(machine, object, 'onAnimationEnd', type);
  for (const task of state.after.splice(0)) machine.call(task, 'run()V');
}

const starting =
  (type: string): NativeMethod =>
  (machine, me) => {
    start(machine, me, type);
  };
const ending =
  (type: string): NativeMethod =>
  (machine, me) => {
    end(machine, me, type);
  };

const setDuration: NativeMethod = (_machine, me, duration: bigint) => {
  animatorOf(me).duration = Number(duration);
  return me;
};

const addListener: NativeMethod = (_machine, me, listener: Reference) => {
  if (listener !== null) animatorOf(me).listeners.add(listener);
};

const animatorMethods: NativeMethods = {
  '<init>()V': nothing,
  'start()V': starting(animator),
  'end()V': ending(animator),
  'cancel()V': (machine, me) => {
    if (!animatorOf(me).isRunning) return;
    tell(machine, me, 'onAnimationCancel', animator);
    end(machine, me, animator);
  },
  'isRunning()Z': (_machine, me) => animatorOf(me).isRunning,
  'isStarted()Z': (_machine, me) => animatorOf(me).isRunning,
  'isPaused()Z': () => 0,
  [`setDuration(J)${animator}`]: setDuration,
  'getDuration()J': (_machine, me) => BigInt(animatorOf(me).duration),
  'setStartDelay(J)V': (_machine, me, delay: bigint) => {
    animatorOf(me).delay = Number(delay);
  },
  'getStartDelay()J': (_machine, me) => BigInt(animatorOf(me).delay),
  'addListener(Landroid/animation/Animator$AnimatorListener;)V': addListener,
  'removeListener(Landroid/animation/Animator$AnimatorListener;)V': (_machine, me, listener: Reference) => {
    if (listener !== null) animatorOf(me).listeners.delete(listener);
  },
  'removeAllListeners()V': (_machine, me) => animatorOf(me).listeners.clear(),
  'getListeners()Ljava/util/ArrayList;': (machine, me) => {
    const { listeners } = animatorOf(me);
    return listeners.size === 0 ? null : listOf(machine, [...listeners]);
  },
  'setTarget(Ljava/lang/Object;)V': (_machine, me, target: Reference) => {
    animatorOf(me).target = target;
  },
  'clone()Landroid/animation/Animator;': (machine, me) => {
    const copy = machine.allocate(me.cls.descriptor);
    const state = animatorOf(me);
    copy.native = { ...state, isRunning: false, listeners: new Set(state.listeners), updates: new Set(state.updates) };
    return copy;
  },
  ...each(
    nothing,
    'setInterpolator(Landroid/animation/TimeInterpolator;)V',
    'setupStartValues()V',
    'setupEndValues()V',
    'pause()V',
    'resume()V',
  ),
};

const valuesOf = (given: Value | undefined): Value[] =>
  given instanceof JavaArray ? Array.from(given.elements as ArrayLike<Value>) : [];

/** `ofFloat(target, name, values…)` and its like; the values come last, the target first where there is one. */
const making =
  (descriptor: string, kind: AnimatorState['kind']): NativeMethod =>
  (machine, ...args: Value[]) => {
    const object = machine.allocate(descriptor);
    const state = animatorOf(object);
    state.kind = kind;
    state.values = valuesOf(args.at(-1));
    const [target] = args;
    if (args.length > 1 && typeof target === 'object') state.target = target as Reference;
    return object;
  };

const animatedValue: NativeMethod = (machine, me) => {
  const { values, kind, isRunning } = animatorOf(me);
  const value = (isRunning ? values[0] : values.at(-1)) ?? (kind === 'L' ? null : 0);
  return kind === 'L' ? value : machine.box(kind, value as number);
};

const valueAnimator = 'Landroid/animation/ValueAnimator;';
const objectAnimator = 'Landroid/animation/ObjectAnimator;';
const names = ['Ljava/lang/Object;Ljava/lang/String;', 'Ljava/lang/Object;Landroid/util/Property;'] as const;

const setMoves: NativeMethods = Object.fromEntries(
  ['playTogether', 'playSequentially'].flatMap((name): [string, NativeMethod][] => [
    [
      `${name}([Landroid/animation/Animator;)V`,
      (_machine, me, given: JavaArray) => {
        animatorOf(me).children = valuesOf(given).filter((child) => child !== null) as HeapObject[];
      },
    ],
    [
      `${name}(Ljava/util/List;)V`,
      (machine, me, given: HeapObject) => {
        const all = machine.call(given, 'toArray()[Ljava/lang/Object;');
        animatorOf(me).children = valuesOf(all).filter((child) => child !== null) as HeapObject[];
      },
    ],
  ]),
);

const setBuilder = 'Landroid/animation/AnimatorSet$Builder;';
const addChild: NativeMethod = (_machine, me, child: Reference) => {
  if (child !== null) (me.native as AnimatorState).children.push(child);
  return me;
};

const viewAnimator = 'Landroid/view/ViewPropertyAnimator;';
const moves =
  'alpha alphaBy x y z xBy yBy rotation rotationX rotationY rotationBy scaleX scaleY scaleXBy scaleYBy translationX translationY translationZ translationXBy translationYBy';

/** A ViewPropertyAnimator starts with the next frame, also without a call of start(). */
const soon: NativeMethod = (machine, me) => {
  post(machine, 16, me.cls.name, () => start(machine, me, animator));
  return me;
};

const animationMethods: NativeMethods = {
  ...each(nothing, '<init>()V', '<init>(Landroid/content/Context;Landroid/util/AttributeSet;)V'),
  'setAnimationListener(Landroid/view/animation/Animation$AnimationListener;)V': (
    _machine,
    me,
    listener: Reference,
  ) => {
    const { listeners } = animatorOf(me);
    listeners.clear();
    if (listener !== null) listeners.add(listener);
  },
  'setDuration(J)V': (machine, me, duration: bigint) => setDuration(machine, me, duration),
  'getDuration()J': (_machine, me) => BigInt(animatorOf(me).duration),
  'setStartOffset(J)V': (_machine, me, delay: bigint) => {
    animatorOf(me).delay = Number(delay);
  },
  ...each(starting(animation), 'start()V', 'startNow()V'),
  'cancel()V': ending(animation),
  'hasStarted()Z': (_machine, me) => animatorOf(me).starts > 0,
  'hasEnded()Z': (_machine, me) => !animatorOf(me).isRunning,
  ...each(
    nothing,
    'reset()V',
    'setFillAfter(Z)V',
    'setFillBefore(Z)V',
    'setFillEnabled(Z)V',
    'setRepeatCount(I)V',
    'setRepeatMode(I)V',
    'setInterpolator(Landroid/view/animation/Interpolator;)V',
    'setInterpolator(Landroid/content/Context;I)V',
    'setZAdjustment(I)V',
    'initialize(IIII)V',
    'addAnimation(Landroid/view/animation/Animation;)V',
  ),
};

/** Runs an animation on a view: `View.startAnimation`. */
export function startAnimation(machine: Machine, object: HeapObject): void {
  start(machine, object, animation);
}

/** By the element of a resource, what it describes. */
const animators: Readonly<Record<string, string>> = {
  animator: valueAnimator,
  objectAnimator,
};

export const animationModels: Models = {
  [animator]: { isAbstract: true, methods: animatorMethods },
  [valueAnimator]: {
    extends: animator,
    methods: {
      [`setDuration(J)${valueAnimator}`]: setDuration,
      'addUpdateListener(Landroid/animation/ValueAnimator$AnimatorUpdateListener;)V': (
        _machine,
        me,
        listener: Reference,
      ) => {
        if (listener !== null) animatorOf(me).updates.add(listener);
      },
      'removeUpdateListener(Landroid/animation/ValueAnimator$AnimatorUpdateListener;)V': (
        _machine,
        me,
        listener: Reference,
      ) => {
        if (listener !== null) animatorOf(me).updates.delete(listener);
      },
      'removeAllUpdateListeners()V': (_machine, me) => animatorOf(me).updates.clear(),
      'getAnimatedValue()Ljava/lang/Object;': animatedValue,
      'getAnimatedValue(Ljava/lang/String;)Ljava/lang/Object;': animatedValue,
      'getAnimatedFraction()F': (_machine, me) => (animatorOf(me).isRunning ? 0 : 1),
      'setFloatValues([F)V': (_machine, me, values: JavaArray) => {
        Object.assign(animatorOf(me), { values: valuesOf(values), kind: 'F' });
      },
      'setIntValues([I)V': (_machine, me, values: JavaArray) => {
        Object.assign(animatorOf(me), { values: valuesOf(values), kind: 'I' });
      },
      ...each(
        nothing,
        'setRepeatCount(I)V',
        'setRepeatMode(I)V',
        'setEvaluator(Landroid/animation/TypeEvaluator;)V',
        'setCurrentPlayTime(J)V',
        'reverse()V',
      ),
    },
    staticMethods: {
      [`ofFloat([F)${valueAnimator}`]: making(valueAnimator, 'F'),
      [`ofInt([I)${valueAnimator}`]: making(valueAnimator, 'I'),
      [`ofArgb([I)${valueAnimator}`]: making(valueAnimator, 'I'),
      [`ofObject(Landroid/animation/TypeEvaluator;[Ljava/lang/Object;)${valueAnimator}`]: making(valueAnimator, 'L'),
    },
  },
  [objectAnimator]: {
    extends: valueAnimator,
    methods: {
      [`setDuration(J)${objectAnimator}`]: setDuration,
      'getTarget()Ljava/lang/Object;': (_machine, me) => animatorOf(me).target,
      ...each(nothing, 'setPropertyName(Ljava/lang/String;)V', 'setAutoCancel(Z)V'),
    },
    staticMethods: Object.fromEntries(
      names.flatMap((first): [string, NativeMethod][] => [
        [`ofFloat(${first}[F)${objectAnimator}`, making(objectAnimator, 'F')],
        [`ofInt(${first}[I)${objectAnimator}`, making(objectAnimator, 'I')],
        [`ofArgb(${first}[I)${objectAnimator}`, making(objectAnimator, 'I')],
        [
          `ofObject(${first}Landroid/animation/TypeEvaluator;[Ljava/lang/Object;)${objectAnimator}`,
          making(objectAnimator, 'L'),
        ],
        [
          `ofPropertyValuesHolder(Ljava/lang/Object;[Landroid/animation/PropertyValuesHolder;)${objectAnimator}`,
          making(objectAnimator, 'L'),
        ],
      ]),
    ),
  },
  'Landroid/animation/AnimatorSet;': {
    extends: animator,
    methods: {
      'setDuration(J)Landroid/animation/AnimatorSet;': setDuration,
      ...setMoves,
      [`play(${animator})${setBuilder}`]: (machine, me, child: Reference) => {
        const builder = machine.allocate(setBuilder);
        builder.native = animatorOf(me);
        return addChild(machine, builder, child);
      },
    },
  },
  [setBuilder]: {
    methods: {
      ...each(addChild, ...['with', 'before', 'after'].map((name) => `${name}(${animator})${setBuilder}`)),
      [`after(J)${setBuilder}`]: self,
    },
  },
  'Landroid/animation/AnimatorInflater;': {
    staticMethods: {
      [`loadAnimator(Landroid/content/Context;I)${animator}`]: (machine, _context, id: number) =>
        machine.construct(
          animators[readXml(machine, id)?.name ?? ''] ?? 'Landroid/animation/AnimatorSet;',
          '<init>()V',
        ),
    },
  },
  'Landroid/animation/Animator$AnimatorListener;': {
    isInterface: true,
    abstractMethods: ['Start', 'End', 'Cancel', 'Repeat'].map((name) => `onAnimation${name}(${animator})V`),
  },
  'Landroid/animation/AnimatorListenerAdapter;': {
    implements: ['Landroid/animation/Animator$AnimatorListener;'],
    methods: each(
      nothing,
      '<init>()V',
      ...['Start', 'End', 'Cancel', 'Repeat', 'Pause', 'Resume'].map((name) => `onAnimation${name}(${animator})V`),
    ),
  },
  'Landroid/animation/ValueAnimator$AnimatorUpdateListener;': {
    isInterface: true,
    abstractMethods: [`onAnimationUpdate(${valueAnimator})V`],
  },
  [viewAnimator]: {
    methods: {
      ...each(soon, ...moves.split(' ').map((name) => `${name}(F)${viewAnimator}`)),
      [`setDuration(J)${viewAnimator}`]: setDuration,
      [`setStartDelay(J)${viewAnimator}`]: (_machine, me, delay: bigint) => {
        animatorOf(me).delay = Number(delay);
        return me;
      },
      [`setListener(Landroid/animation/Animator$AnimatorListener;)${viewAnimator}`]: (
        machine,
        me,
        listener: Reference,
      ) => {
        animatorOf(me).listeners.clear();
        addListener(machine, me, listener);
        return me;
      },
      [`withStartAction(Ljava/lang/Runnable;)${viewAnimator}`]: (machine, me, task: Reference) => {
        if (task !== null) post(machine, 16, me.cls.name, () => void machine.call(task, 'run()V'));
        return me;
      },
      [`withEndAction(Ljava/lang/Runnable;)${viewAnimator}`]: (machine, me, task: Reference) => {
        if (task !== null) animatorOf(me).after.push(task);
        return soon(machine, me);
      },
      ...each(
        self,
        `setInterpolator(Landroid/animation/TimeInterpolator;)${viewAnimator}`,
        `setUpdateListener(Landroid/animation/ValueAnimator$AnimatorUpdateListener;)${viewAnimator}`,
        `withLayer()${viewAnimator}`,
      ),
      'start()V': starting(animator),
      'cancel()V': ending(animator),
    },
  },
  [animation]: { isAbstract: true, methods: animationMethods },
  'Landroid/view/animation/AnimationSet;': { extends: animation, methods: { '<init>(Z)V': nothing } },
  'Landroid/view/animation/Animation$AnimationListener;': {
    isInterface: true,
    abstractMethods: ['Start', 'End', 'Repeat'].map((name) => `onAnimation${name}(${animation})V`),
  },
  'Landroid/view/animation/AnimationUtils;': {
    staticMethods: {
      [`loadAnimation(Landroid/content/Context;I)${animation}`]: (machine) =>
        machine.allocate('Landroid/view/animation/AnimationSet;'),
      'currentAnimationTimeMillis()J': (machine) => BigInt(Math.trunc(machine.clock.elapsed)),
    },
  },
};
