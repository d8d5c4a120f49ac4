// Models of touches and keys. Knows no view.
import { illegalArgument } from '../../java/values.ts';
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods, StaticMethod } from '../../machine/model.ts';
import { each, no, nothing, stateOf } from '../model-parts.ts';

const motion = 'Landroid/view/MotionEvent;';
const key = 'Landroid/view/KeyEvent;';
const keyEnter = 66;

interface MotionState {
  readonly action: number;
  readonly x: number;
  readonly y: number;
}

interface KeyState {
  readonly action: number;
  readonly code: number;
}

const motionOf = (event: HeapObject): MotionState => stateOf<MotionState>(event, () => ({ action: 0, x: 420, y: 913 }));
const keyOf = (event: HeapObject): KeyState => stateOf<KeyState>(event, () => ({ action: 0, code: keyEnter }));

/** A finger on the screen. @param action 0 down, 1 up, 2 moved */
export function newMotion(machine: Machine, action: number): HeapObject {
  const event = machine.allocate(motion);
  event.native = { ...motionOf(event), action } satisfies MotionState;
  return event;
}

/** A key pressed. */
export function newKey(machine: Machine, code: number): HeapObject {
  const event = machine.allocate(key);
  event.native = { action: 0, code } satisfies KeyState;
  return event;
}

const change =
  (make: (state: MotionState, args: number[]) => Partial<MotionState>): NativeMethod =>
  (_machine, me, ...args: number[]) => {
    me.native = { ...motionOf(me), ...make(motionOf(me), args) };
  };

const uptime: NativeMethod = (machine) => BigInt(Math.trunc(machine.clock.elapsed));

const copy: NativeMethod = (machine, other: HeapObject | null) => {
  if (other === null) throw illegalArgument(machine, 'other motion event must not be null');
  const event = machine.allocate(motion);
  event.native = { ...motionOf(other) };
  return event;
};

/** `obtain(downTime, eventTime, action, x, y, …)` */
const obtain: StaticMethod = (machine, _down: bigint, _at: bigint, action: number, ...rest: Value[]) => {
  const event = machine.allocate(motion);
  const [x, y] = rest.filter((each): each is number => typeof each === 'number').slice(rest.length > 5 ? 1 : 0);
  event.native = { action, x: x ?? 0, y: y ?? 0 } satisfies MotionState;
  return event;
};

const motionMethods: NativeMethods = {
  ...each((_machine, me) => motionOf(me).action, 'getAction()I', 'getActionMasked()I'),
  ...each((_machine, me) => motionOf(me).x, 'getX()F', 'getX(I)F', 'getRawX()F'),
  ...each((_machine, me) => motionOf(me).y, 'getY()F', 'getY(I)F', 'getRawY()F'),
  ...each(() => 1, 'getPointerCount()I', 'getPressure()F', 'getPressure(I)F', 'getToolType(I)I'),
  ...each(no, 'getPointerId(I)I', 'findPointerIndex(I)I', 'getActionIndex()I', 'getHistorySize()I', 'getMetaState()I'),
  ...each(uptime, 'getEventTime()J', 'getDownTime()J'),
  'getSource()I': () => 0x1002,
  'isFromSource(I)Z': (_machine, _me, source: number) => (source & 0x1002) === source,
  'setAction(I)V': change((_state, [action = 0]) => ({ action })),
  'setLocation(FF)V': change((_state, [x = 0, y = 0]) => ({ x, y })),
  'offsetLocation(FF)V': change((state, [x = 0, y = 0]) => ({ x: state.x + x, y: state.y + y })),
  'recycle()V': nothing,
};

const keyMethods: NativeMethods = {
  ...each(
    (_machine, me, ...args: Value[]) => {
      const [action = 0, code = keyEnter] = args.filter((each) => typeof each === 'number');
      me.native = { action, code } satisfies KeyState;
    },
    '<init>(II)V',
    '<init>(JJIII)V',
    '<init>(JJIIII)V',
  ),
  'getAction()I': (_machine, me) => keyOf(me).action,
  ...each((_machine, me) => keyOf(me).code, 'getKeyCode()I', 'getScanCode()I'),
  // Keys 29 to 54 are A to Z, 7 to 16 the digits.
  ...each(
    (_machine, me) => {
      const { code } = keyOf(me);
      if (code >= 29 && code <= 54) return code + 68;
      return code >= 7 && code <= 16 ? code + 41 : code === keyEnter ? 10 : 0;
    },
    'getUnicodeChar()I',
    'getUnicodeChar(I)I',
  ),
  ...each(uptime, 'getEventTime()J', 'getDownTime()J'),
  ...each(no, 'getRepeatCount()I', 'getMetaState()I', 'getFlags()I', 'getDeviceId()I', 'isCanceled()Z'),
  ...each(no, 'isLongPress()Z', 'isAltPressed()Z', 'isShiftPressed()Z', 'isCtrlPressed()Z', 'isSystem()Z'),
  ...each(nothing, 'startTracking()V'),
  'isTracking()Z': no,
};

export const inputEventModels: Models = {
  'Landroid/view/InputEvent;': {},
  [motion]: {
    extends: 'Landroid/view/InputEvent;',
    methods: motionMethods,
    staticMethods: {
      ...each(copy, `obtain(${motion})${motion}`, `obtainNoHistory(${motion})${motion}`),
      ...each(obtain, `obtain(JJIFFI)${motion}`, `obtain(JJIFFFFIFFII)${motion}`, `obtain(JJIIFFFFIFFII)${motion}`),
    },
  },
  [key]: {
    extends: 'Landroid/view/InputEvent;',
    methods: keyMethods,
    staticMethods: {
      'keyCodeToString(I)Ljava/lang/String;': (machine, code: number) => machine.string(`KEYCODE_${code}`),
      'isModifierKey(I)Z': no,
    },
  },
};
