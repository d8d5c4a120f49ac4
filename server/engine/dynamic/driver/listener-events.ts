// Fires the listeners that the app registered, as often as one pass may. Knows no view and no component.
import { roughCpuMilliseconds } from '../../cpu-time.ts';
import { callApp } from '../android/components/activity-life.ts';
import type { Listener } from '../android/components/app.ts';
import { recorderOf } from '../report/recorder.ts';
import type { AppProcess } from './app-process.ts';
import { maxEventsPerPass, maxIdleTouches, shortWait } from './budget.ts';
import { listenerWords } from './listener-words.ts';

const touchKinds = new Set([
  'cancel',
  'longclick',
  'contextclick',
  'touch',
  'key',
  'focuschange',
  'createcontextmenu',
  'checkedchange',
  'itemclick',
  'itemlongclick',
  'itemselected',
  'seekbarchange',
  'ratingbarchange',
  'editoraction',
  'datechanged',
  'timechanged',
  'valuechange',
  'tabchange',
  'querytext',
  'scroll',
  'layoutchange',
  'attachstatechange',
  'click',
]);

/** Whether the user causes it by touching the screen. */
export const isTouch = ({ kind }: Listener): boolean => touchKinds.has(kind) || kind.startsWith('landroid');

/** Alarms, jobs and notifications are not fired while a screen is used. */
const isLate = ({ kind }: Listener): boolean => /^(?:alarm|job|notification|widget|sms-sent)$/.test(kind);

/** Locations, sensor readings and phone calls that arrive while a screen is used. */
export const isAmbient = (listener: Listener): boolean => !isTouch(listener) && !isLate(listener);

export class ListenerEvents {
  readonly #process: AppProcess;
  #count = 0;
  #passEnd = 0;
  /** How often each listener was fired, so that new ones come first. */
  readonly #fired = new Map<Listener, number>();

  /**
   * By what a person sees of it, so that it counts for the screen that is opened again too: how often in a row, in this
   * pass, a listener ran nothing new.
   */
  readonly #idle = new Map<string, number>();

  constructor(process: AppProcess) {
    this.#process = process;
  }

  /** Events of this pass so far. */
  get count(): number {
    return this.#count;
  }

  /** @param milliseconds of the processor for its events */
  beginPass(milliseconds: number): void {
    this.#count = 0;
    this.#idle.clear();
    this.#passEnd = roughCpuMilliseconds() + milliseconds;
  }

  /** Fires what is ready; every listener at most `already` + 1 times in this screen's use. */
  fireReady(isReversed: boolean, fits: (listener: Listener) => boolean, already: number): void {
    const { machine, app } = this.#process;
    const list = app.listeners.filter(([, listener]) => fits(listener));
    for (const [key, listener] of isReversed ? list.reverse() : list) {
      if (this.#isSpent) {
        recorderOf(machine).limits.add('events');
        return;
      }
      const count = this.#fired.get(listener) ?? 0;
      if (count > already + 2 || !this.#isRegistered(key, listener) || listener.isReady?.() === false) continue;
      if ((already > 0 && count > 0) || this.#isIdle(key, listener)) continue;
      this.#fire(key, listener, count);
    }
  }

  /** Fires all that can be touched once more, for as long as `goesOn`. */
  fireTouches(goesOn: () => boolean): void {
    for (const [key, listener] of this.#process.app.listeners) {
      const isUsable = isTouch(listener) && this.#isRegistered(key, listener) && listener.isReady?.() !== false;
      if (isUsable && !this.#isSpent && goesOn()) this.#fire(key, listener, this.#fired.get(listener) ?? 0);
    }
  }

  /** The screen, what is done, and the thing it is done to; of what a person does not see, the listener itself. */
  #nameOf(key: string, { kind, about }: Listener): string {
    const thing = about?.() ?? '';
    return `${this.#process.app.front?.component.name ?? ''} ${kind} ${thing === '' ? key : thing}`;
  }

  #isIdle(key: string, listener: Listener): boolean {
    return (this.#idle.get(this.#nameOf(key, listener)) ?? 0) >= maxIdleTouches;
  }

  #fire(key: string, listener: Listener, count: number): void {
    const { machine, app } = this.#process;
    const name = this.#nameOf(key, listener);
    const before = machine.firstRuns;
    this.#count += 1;
    this.#fired.set(listener, count + 1);
    if (listener.isOnce) app.unlisten(key);
    const where = app.front?.component.name ?? app.packageName;
    this.#process.run(where, () => void callApp(machine, where, listener.fire), listenerWords(listener));
    this.#process.wait(shortWait);
    this.#idle.set(name, machine.firstRuns > before ? 0 : (this.#idle.get(name) ?? 0) + 1);
  }

  /** Whether this pass has had what one may have; what does not ask for events goes on. */
  get #isSpent(): boolean {
    return this.#count >= maxEventsPerPass || roughCpuMilliseconds() > this.#passEnd;
  }

  #isRegistered(key: string, listener: Listener): boolean {
    return this.#process.app.listener(key) === listener;
  }
}
