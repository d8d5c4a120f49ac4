// What others ask of services that they bind: the system of keyboards, tiles, wallpapers and cards, other apps of what
// is exported. Knows no order of events.
import { callApp } from '../android/components/activity-life.ts';
import { isAppMethod } from '../android/model-parts.ts';
import { newKey, newMotion } from '../android/views/input-events.ts';
import { HeapObject, JavaThrow, type Value } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';

type Call = readonly [signature: string, ...args: ((machine: Machine) => Value)[]];

const made = (descriptor: string) => (machine: Machine) => machine.allocate(descriptor);
const editor = made('Landroid/view/inputmethod/EditorInfo;');
const is = (value: number) => () => value;
/** Shift, two letters, a digit, &, -, space, delete, Enter: `KeyEvent.KEYCODE_…` */
const pressedKeys = [59, 29, 30, 8, 77, 69, 62, 67, 66];
/** SELECT by name of an application, as a card reader begins: ISO 7816-4. */
const select = (machine: Machine) => machine.byteArray(Uint8Array.of(0, 0xa4, 4, 0, 7, 0xa0, 0, 0, 0, 4, 0x10, 0x10));

const calls: Readonly<Record<string, readonly Call[]>> = {
  'Landroid/inputmethodservice/InputMethodService;': [
    ['onInitializeInterface()V'],
    ['onBindInput()V'],
    ['onStartInput(Landroid/view/inputmethod/EditorInfo;Z)V', editor, is(0)],
    ['onEvaluateInputViewShown()Z'],
    ['onEvaluateFullscreenMode()Z'],
    ['onCreateInputView()Landroid/view/View;'],
    ['onCreateCandidatesView()Landroid/view/View;'],
    ['onStartInputView(Landroid/view/inputmethod/EditorInfo;Z)V', editor, is(0)],
    ...pressedKeys.flatMap((code): Call[] => [
      ['onKeyDown(ILandroid/view/KeyEvent;)Z', is(code), (machine) => newKey(machine, code)],
      ['onKeyUp(ILandroid/view/KeyEvent;)Z', is(code), (machine) => newKey(machine, code)],
    ]),
    ['onUpdateSelection(IIIIII)V', is(0), is(0), is(1), is(1), is(-1), is(-1)],
    ['onFinishInputView(Z)V', is(1)],
    ['onFinishInput()V'],
    ['onUnbindInput()V'],
  ],
  'Landroid/service/quicksettings/TileService;': [
    ['onTileAdded()V'],
    ['onStartListening()V'],
    ['onClick()V'],
    ['onStopListening()V'],
  ],
  'Landroid/nfc/cardemulation/HostApduService;': [
    ['processCommandApdu([BLandroid/os/Bundle;)[B', select, made('Landroid/os/Bundle;')],
    ['onDeactivated(I)V', is(0)],
  ],
  'Landroid/service/wallpaper/WallpaperService;': [
    ['onCreateEngine()Landroid/service/wallpaper/WallpaperService$Engine;'],
  ],
  'Landroid/service/dreams/DreamService;': [
    ['onAttachedToWindow()V'],
    ['onDreamingStarted()V'],
    ['onDreamingStopped()V'],
    ['onDetachedFromWindow()V'],
  ],
  'Landroid/net/VpnService;': [['onRevoke()V']],
};

const holder = made('Landroid/view/SurfaceHolderImpl;');
/** What a wallpaper's engine goes through. */
const engineCalls: readonly Call[] = [
  ['onCreate(Landroid/view/SurfaceHolder;)V', holder],
  ['onSurfaceCreated(Landroid/view/SurfaceHolder;)V', holder],
  ['onSurfaceChanged(Landroid/view/SurfaceHolder;III)V', holder, is(1), is(1080), is(1920)],
  ['onVisibilityChanged(Z)V', is(1)],
  ['onTouchEvent(Landroid/view/MotionEvent;)V', (machine) => newMotion(machine, 0)],
  ['onVisibilityChanged(Z)V', is(0)],
  ['onSurfaceDestroyed(Landroid/view/SurfaceHolder;)V', holder],
  ['onDestroy()V'],
];

/** Calls those methods of a running service that the app has written, in the system's order. */
export function useBoundService(machine: Machine, name: string, service: HeapObject): void {
  for (const [type, steps] of Object.entries(calls)) {
    if (!machine.isInstance(service, type)) continue;
    callEach(machine, name, service, steps);
  }
}

/** Calls the methods that the app has written; what one makes that is a wallpaper's engine is used in its turn. */
function callEach(machine: Machine, name: string, object: HeapObject, steps: readonly Call[]): void {
  for (const [signature, ...args] of steps) {
    if (!isAppMethod(machine, object, signature)) continue;
    callApp(machine, name, () => {
      const result = machine.call(object, signature, ...args.map((make) => make(machine)));
      if (
        result instanceof HeapObject &&
        machine.isInstance(result, 'Landroid/service/wallpaper/WallpaperService$Engine;')
      )
        callEach(machine, name, result, engineCalls);
    });
  }
}

/** Interfaces number their methods from 1 on. */
const maxMethods = 50;
const parcel = 'Landroid/os/Parcel;';

/** As another app calls the methods of a service's interface, one after the other, with nothing to hand over. */
export function callFromOutside(machine: Machine, binder: HeapObject): void {
  if (!isAppMethod(machine, binder, `onTransact(I${parcel}${parcel}I)Z`)) return;
  const obtain = () => machine.callStatic(parcel, `obtain()${parcel}`);
  for (let code = 1; code <= maxMethods; code++) {
    try {
      const isKnown = machine.call(binder, `transact(I${parcel}${parcel}I)Z`, code, obtain(), obtain(), 0) !== 0;
      if (!isKnown) return;
    } catch (error) {
      // What a method throws is the caller's to bear.
      if (!(error instanceof JavaThrow)) throw error;
    }
  }
}
