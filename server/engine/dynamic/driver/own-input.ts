// Touches, keys and glances that the app's own screens and views take care of themselves. Knows no listener.
import { isAppMethod } from '../android/model-parts.ts';
import { newKey, newMotion } from '../android/views/input-events.ts';
import type { HeapObject, Value } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';

/** What a person does, and how the app is told. */
interface OwnInput {
  readonly what: string;
  readonly signature: string;
  readonly argument: (machine: Machine) => readonly Value[];
}

const motions = (what: string, name: string, ...actions: number[]): OwnInput[] =>
  actions.map((action) => ({
    what,
    signature: `${name}(Landroid/view/MotionEvent;)Z`,
    argument: (machine) => [newMotion(machine, action)],
  }));

/** Louder and Enter: `KeyEvent.KEYCODE_…` */
const codes = [24, 66];
const keys = (name: string): OwnInput[] =>
  codes.map((code) => ({
    what: 'pressed a key',
    signature: `${name}(ILandroid/view/KeyEvent;)Z`,
    argument: (machine) => [code, newKey(machine, code)],
  }));

/** Fingers go down, move and are lifted; a mouse comes near, stays and leaves: `MotionEvent.ACTION_…` */
const inputs: readonly OwnInput[] = [
  ...motions('touched the screen', 'onTouchEvent', 0, 2, 1),
  ...motions('touched the screen', 'dispatchTouchEvent', 0),
  ...motions('pointed at the screen', 'onHoverEvent', 9, 7, 10),
  ...motions('turned the wheel', 'onGenericMotionEvent', 8),
  ...motions('moved the ball', 'onTrackballEvent', 2),
  ...keys('onKeyDown'),
  ...keys('onKeyUp'),
  {
    what: 'pressed a key',
    signature: 'dispatchKeyEvent(Landroid/view/KeyEvent;)Z',
    argument: (machine) => [newKey(machine, codes[0]!)],
  },
  { what: 'touched the screen', signature: 'onUserInteraction()V', argument: () => [] },
  { what: 'looked at the screen', signature: 'onWindowFocusChanged(Z)V', argument: () => [1] },
];

/** What the app has written a method for. */
export const ownInputs = (machine: Machine, object: HeapObject): OwnInput[] =>
  inputs.filter(({ signature }) => isAppMethod(machine, object, signature));
