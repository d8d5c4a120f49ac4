// Fires the listeners that the app registered, as often as one pass may. Knows no view and no component.
import { roughCpuMilliseconds } from '../../cpu-time.ts';
import { callApp } from '../android/components/activity-life.ts';
import type { Listener } from '../android/components/app.ts';
import { recorderOf } from '../report/recorder.ts';
import type { AppProcess } from './app-process.ts';
import { maxEventsPerPass, maxIdleTouches, shortWait } from './budget.ts';
import { listenerWords } from './listener-words.ts';
import type { Novelty } from './novelty.ts';

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
  readonly #novelty: Novelty;

  constructor(process: AppProcess, novelty: Novelty) {
    this.#process = process;
    this.#novelty = novelty;
  }

  /** Events of this pass so far. */
  get count(): number {
    return this.#count;
  }

  /** @param milliseconds of the processor for its events */
  beginPass(milliseconds: number): void {
    this.#count = 0;
    this.#passEnd = roughCpuMilliseconds() + milliseconds;
  }

  /** Fires what is ready; every listener at most `already` + 1 times in this screen's use. */
  fireReady(isReversed: boolean, fits: (listener: Listener) => boolean, already: number): void {
    const { machine, app } = this.#process;
    const list = app.listeners(fits);
    for (const [key, listener] of isReversed ? list.reverse() : list) {
      if (this.#isSpent) {
        recorderOf(machine).limits.add('events');
        return;
      }
      const count = this.#fired.get(listener) ?? 0;
      if (count > already + 2 || (already > 0 && count > 0)) continue;
      if (!this.#isUsable(key, listener) || this.#novelty.isTired(this.#nameOf(key, listener), maxIdleTouches))
        continue;
      this.#fire(key, listener, count);
    }
  }

  /** Fires all that can be touched once more, for as long as `goesOn`. */
  fireTouches(goesOn: () => boolean): void {
    for (const [key, listener] of this.#process.app.listeners(isTouch)) {
      if (this.#isUsable(key, listener) && !this.#isSpent && goesOn())
        this.#fire(key, listener, this.#fired.get(listener) ?? 0);
    }
  }

  /**
   * The screen, what is done, and the thing it is done to as a person sees it, so that it is the same where the screen is
   * opened again; of what comes from elsewhere, what its like have in common.
   */
  #nameOf(key: string, listener: Listener): string {
    const { kind, about, like = key } = listener;
    if (!isTouch(listener)) return `${kind} ${like}`;
    const thing = about?.() ?? '';
    return `${this.#process.app.front?.component.name ?? ''} ${kind} ${thing === '' ? like : thing}`;
  }

  #fire(key: string, listener: Listener, count: number): void {
    const { machine, app } = this.#process;
    this.#count += 1;
    this.#fired.set(listener, count + 1);
    if (listener.isOnce) app.unlisten(key);
    const where = app.front?.component.name ?? app.packageName;
    this.#novelty.try(this.#nameOf(key, listener), () => {
      this.#process.run(where, () => void callApp(machine, where, listener.fire), listenerWords(listener));
      this.#process.wait(shortWait);
    });
  }

  /** Whether this pass has had what one may have; what does not ask for events goes on. */
  get #isSpent(): boolean {
    return this.#count >= maxEventsPerPass || roughCpuMilliseconds() > this.#passEnd;
  }

  #isUsable(key: string, listener: Listener): boolean {
    return this.#process.app.listener(key) === listener && listener.isReady?.() !== false;
  }
}
