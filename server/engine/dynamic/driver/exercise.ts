// Uses the app as a phone and its owner do: screens, what runs behind them, what comes with time. Knows no report.
import { callApp } from '../android/components/activity-life.ts';
import { touchPreferences } from '../android/data/preferences.ts';
import { openOlderDatabases } from '../android/data/sqlite.ts';
import { callIfThere } from '../android/model-parts.ts';
import { currentConfiguration } from '../android/resources/configuration.ts';
import type { AppProcess } from './app-process.ts';
import { BackgroundComponents } from './background-components.ts';
import { againMilliseconds, maxRounds, passMilliseconds, shortWait } from './budget.ts';
import { isTouch, ListenerEvents } from './listener-events.ts';
import { Novelty } from './novelty.ts';
import { ScreenInput } from './screen-input.ts';
import { ScreenLives } from './screen-lives.ts';

/** Virtual milliseconds at the end of a pass, in which timers and alarms come. */
const longWait = 15 * 60_000;

export class Exercise {
  readonly #process: AppProcess;
  readonly #novelty: Novelty;
  readonly #events: ListenerEvents;
  readonly #screens: ScreenLives;
  readonly #background: BackgroundComponents;

  constructor(process: AppProcess) {
    this.#process = process;
    this.#novelty = new Novelty(() => process.machine.firstRuns);
    this.#events = new ListenerEvents(process, this.#novelty);
    this.#screens = new ScreenLives(
      process,
      this.#events,
      new ScreenInput(process, this.#events, this.#novelty),
      this.#novelty,
    );
    this.#background = new BackgroundComponents(process);
  }

  /**
   * One round over all components.
   * @param isReversed the other order, receivers and services before screens
   * @param milliseconds of the processor for what is touched
   */
  pass(isReversed: boolean, milliseconds = passMilliseconds): void {
    this.#novelty.begin();
    this.#events.beginPass(milliseconds);
    if (isReversed) {
      this.#background.tryAll(isReversed);
      this.#listen();
      this.#screens.tryAll(isReversed);
      this.#screens.cover();
      this.#update();
    } else {
      this.#screens.tryAll(isReversed);
      this.#background.tryAll(isReversed);
    }
    this.#listen();
    this.#process.wait(longWait);
    this.#listen();
    this.#lowMemory();
  }

  /**
   * Once more what made some code run.
   * @param where the class of a component, the package for what listens away from screens, or the action of a broadcast
   */
  again(where: string): void {
    const { app } = this.#process;
    this.#novelty.begin();
    this.#events.beginPass(againMilliseconds);
    const component = app.components.find(({ name }) => name === where);
    if (component === undefined && where !== app.packageName && where !== app.plan.manifest.application.name) {
      this.#background.broadcast(where);
    } else if (component === undefined) {
      this.#process.start();
      this.#listen();
    } else if (component.kind === 'activity' || component.kind === 'activity-alias') {
      this.#screens.tryOne(component, false);
    } else this.#background.tryOne(component);
    this.#process.wait(shortWait);
  }

  /** Timers, places, sensors, jobs, notifications touched: whatever the app waits for away from the screen. */
  #listen(): void {
    const { machine, app } = this.#process;
    for (let round = 0; round < maxRounds; round++) {
      const before = this.#events.count;
      this.#events.fireReady(false, (listener) => !isTouch(listener), round);
      if (this.#events.count === before) break;
    }
    this.#process.run(app.packageName, () => touchPreferences(machine));
  }

  /** The app's version before had left its databases. */
  #update(): void {
    const { machine, app } = this.#process;
    const cause = { by: 'system', what: 'updated the app', isUsual: true } as const;
    this.#process.run(app.packageName, () => openOlderDatabases(machine), cause);
  }

  #lowMemory(): void {
    const { machine, app } = this.#process;
    const { application, componentCallbacks } = app;
    for (const object of [application, ...componentCallbacks]) {
      if (object === null) continue;
      this.#process.run(object.cls.name, () => {
        callApp(machine, object.cls.name, () =>
          callIfThere(
            machine,
            object,
            'onConfigurationChanged(Landroid/content/res/Configuration;)V',
            currentConfiguration(machine),
          ),
        );
        callApp(machine, object.cls.name, () => callIfThere(machine, object, 'onTrimMemory(I)V', 15));
        callApp(machine, object.cls.name, () => callIfThere(machine, object, 'onLowMemory()V'));
      });
    }
  }
}
