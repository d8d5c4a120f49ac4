// Takes screens through their lifecycle: started, covered, left, turned, recreated. Knows no view.
import {
  callApp,
  destroy,
  newIntent as giveIntent,
  glimpse,
  launchActivity,
  pause,
  recreate,
  resume,
  start,
  stop,
} from '../android/components/activity-life.ts';
import type { ActivityRecord, Component } from '../android/components/app.ts';
import { lacksExtras } from '../android/components/missed-extras.ts';
import { currentConfiguration } from '../android/resources/configuration.ts';
import { canGoBack } from '../android/screens/fragment-lives.ts';
import { worldOf } from '../world/world.ts';
import type { AppProcess, Cause } from './app-process.ts';
import { maxIdlePairs, maxIdleSteps, maxRounds, shortWait } from './budget.ts';
import { intentFor, otherActions } from './component-intent.ts';
import { isAmbient, type ListenerEvents } from './listener-events.ts';
import type { Novelty } from './novelty.ts';
import type { ScreenInput } from './screen-input.ts';
import { otherScreens } from './screens.ts';

/** Screens on top of each other, and left again, per start. */
const maxScreens = 60;
/** Pairs of screens of which one covers the other. */
const maxPairs = 20;

const turned: Cause = { by: 'user', what: 'turned the phone', isUsual: true };

const isAlive = ({ stage, isFinishing }: ActivityRecord): boolean => stage !== 'destroyed' && !isFinishing;

export class ScreenLives {
  readonly #process: AppProcess;
  readonly #events: ListenerEvents;
  readonly #input: ScreenInput;
  readonly #novelty: Novelty;
  #otherScreens: ReturnType<typeof otherScreens> | null = null;

  constructor(process: AppProcess, events: ListenerEvents, input: ScreenInput, novelty: Novelty) {
    this.#process = process;
    this.#events = events;
    this.#input = input;
    this.#novelty = novelty;
  }

  /** Starts each screen, and uses it with all that it opens. */
  tryAll(isReversed: boolean): void {
    const screens = this.#screens();
    for (const component of isReversed ? screens.reverse() : screens) {
      // A screen may have enabled or disabled another.
      if (this.#process.app.isEnabled(component)) this.tryOne(component, isReversed);
    }
  }

  /** Starts each screen over each other one from outside: the lower one is stopped once the upper one is resumed. */
  cover(): void {
    const { machine, app } = this.#process;
    const screens = this.#screens().filter((component) => app.isEnabled(component));
    // Only pairs of the first screens are tried: thousands of screens would make millions of pairs.
    const few = screens.slice(0, maxPairs + 1);
    const pairs = few.flatMap((lower) => few.filter((each) => each !== lower).map((upper) => [lower, upper]));
    for (const pair of pairs.slice(0, maxPairs)) {
      if (this.#novelty.isTired('pair', maxIdlePairs)) return;
      this.#novelty.try('pair', () => {
        for (const component of pair) {
          this.#start(component!);
          this.#process.wait(shortWait);
        }
      });
      for (const record of app.activities.filter(isAlive).reverse())
        this.#process.run(record.component.name, () => destroy(machine, record));
      app.closeScreens();
    }
  }

  /** Activities, each class once, those of the launcher first. */
  #screens(): Component[] {
    const { app } = this.#process;
    const { mainActivities } = app.plan.manifest;
    const seen = new Set<string>();
    const all = app.components.filter((component) => {
      const { kind, name } = component;
      const className = app.classNameOf(component);
      const isFirst = !seen.has(className);
      seen.add(className);
      return (kind === 'activity' || kind === 'activity-alias') && (isFirst || mainActivities.includes(name));
    });
    return all.sort(
      (left, right) => Number(mainActivities.includes(right.name)) - Number(mainActivities.includes(left.name)),
    );
  }

  /** Starts a screen as the launcher or another app does. */
  #start(component: Component, action?: string): ActivityRecord | null {
    const { machine, app } = this.#process;
    let record: ActivityRecord | null = null;
    const intent = intentFor(machine, app.packageName, component, action);
    this.#process.run(
      component.name,
      () => {
        record = launchActivity(machine, { component, intent, caller: null, isStartedWithin: false, requestCode: -1 });
      },
      { by: 'user', what: 'opened the screen' },
    );
    return record;
  }

  /** Starts one screen, and uses it with all that it opens. */
  tryOne(component: Component, isReversed: boolean): void {
    const { machine, app } = this.#process;
    this.#startKnowing(component);
    this.#stack(isReversed);
    app.closeScreens();
    for (const action of otherActions(machine, component)) {
      const before = machine.firstRuns;
      this.#startKnowing(component, action);
      if (machine.firstRuns > before) this.#stack(isReversed);
      app.closeScreens();
    }
  }

  /** Starts a screen, and again with the extras that it looked for in vain. */
  #startKnowing(component: Component, action?: string): void {
    const { machine, app } = this.#process;
    for (let round = 0; round < maxRounds; round++) {
      if (round > 0) app.closeScreens();
      this.#start(component, action);
      this.#process.wait(shortWait);
      if (!lacksExtras(machine, component.name)) return;
    }
  }

  /** Uses the screen on top, leaves it, and goes on with the one below, until none is left. */
  #stack(isReversed: boolean): void {
    const { machine, app } = this.#process;
    const used = new Set<ActivityRecord['component']>();
    for (let count = 0; count < maxScreens; count++) {
      const top = app.activities.findLast(isAlive);
      if (top === undefined) return;
      const { name } = top.component;
      this.#process.run(name, () => resume(machine, top));
      this.#input.use(isReversed);
      if (app.activities.findLast(isAlive) !== top) continue;
      if (!used.has(top.component)) {
        used.add(top.component);
        // Locations, sensor readings and calls arrive while the screen still exists to keep them.
        if (!isReversed) this.#events.fireReady(false, isAmbient, 0);
        this.#lives(top, isReversed);
        if (isReversed) this.#events.fireReady(true, isAmbient, 0);
        continue;
      }
      this.#goBack(top);
      if (isAlive(top)) this.#process.run(name, () => destroy(machine, top));
    }
  }

  #goBack(record: ActivityRecord): void {
    const { machine } = this.#process;
    const { name } = record.component;
    this.#process.run(
      name,
      () => {
        if (record.stage === 'resumed') callApp(machine, name, () => machine.call(record.object, 'onBackPressed()V'));
      },
      { by: 'user', what: 'went back', isUsual: true },
    );
    this.#process.wait(shortWait);
  }

  /** The transitions of a screen: covered, left, turned, given a new intent. */
  #lives(record: ActivityRecord, isReversed: boolean): void {
    const { machine, app } = this.#process;
    const { name } = record.component;
    const leave = () => void callApp(machine, name, () => machine.call(record.object, 'onUserLeaveHint()V'));
    const lowMemory = () => {
      callApp(machine, name, () => machine.call(record.object, 'onTrimMemory(I)V', 15));
      callApp(machine, name, () => machine.call(record.object, 'onLowMemory()V'));
    };
    const steps: (readonly [Cause, () => void])[] = [
      [
        { by: 'system', what: 'covered the screen for a moment', isUsual: true },
        () => {
          pause(machine, record);
          resume(machine, record);
        },
      ],
      [
        { by: 'user', what: 'went to the home screen and came back', isUsual: true },
        () => {
          leave();
          stop(machine, record);
          resume(machine, record);
        },
      ],
      [
        { by: 'user', what: 'glanced at another app', isUsual: true },
        () => {
          glimpse(machine, record);
          resume(machine, record);
        },
      ],
      [
        { by: 'system', what: 'gave the screen a new intent', isUsual: true },
        () => giveIntent(machine, record, intentFor(machine, app.packageName, record.component)),
      ],
      [
        { by: 'system', what: 'changed the configuration', isUsual: true },
        () =>
          void callApp(machine, name, () =>
            machine.call(
              record.object,
              'onConfigurationChanged(Landroid/content/res/Configuration;)V',
              currentConfiguration(machine),
            ),
          ),
      ],
      [{ by: 'user', what: 'left the screen', isUsual: true }, leave],
      [
        { by: 'system', what: 'put back what the screen had saved', isUsual: true },
        () => {
          stop(machine, record);
          start(machine, record, record.savedState);
          resume(machine, record);
        },
      ],
      // The second call may leak what the first one prepared.
      [
        { by: 'system', what: 'ran low on memory', isUsual: true },
        () => {
          lowMemory();
          lowMemory();
        },
      ],
    ];
    for (const [cause, step] of isReversed ? steps.reverse() : steps) {
      if (!isAlive(record) || app.front !== record) return;
      this.#unlessTired(record, cause, () => {
        const before = machine.instructions;
        this.#process.run(name, step, cause);
        this.#process.wait(200);
        if (machine.instructions > before) this.#input.use(isReversed, 1);
      });
    }
    // Fragments that replaced parts of the screen are popped again.
    for (let round = 0; round < maxRounds && app.front === record && canGoBack(machine, record.object); round++)
      this.#goBack(record);
    if (!isAlive(record) || app.front !== record) return;
    this.#unlessTired(record, turned, () => this.#turn(record, isReversed));
  }

  #unlessTired({ component }: ActivityRecord, { what }: Cause, body: () => void): void {
    const name = `${component.name} ${what}`;
    if (!this.#novelty.isTired(name, maxIdleSteps)) this.#novelty.try(name, body);
  }

  /** Recreated as when the phone is turned, in every configuration that the app has layouts for, the usual one last. */
  #turn(record: ActivityRecord, isReversed: boolean): void {
    const { machine, app } = this.#process;
    const world = worldOf(machine);
    const { screen: own } = world.device;
    let current: ActivityRecord | null = record;
    this.#otherScreens ??= otherScreens(app.plan.resources, own);
    for (const screen of isReversed ? [own] : [...this.#otherScreens, own]) {
      const before: ActivityRecord = current;
      world.device = { ...world.device, screen };
      this.#process.run(
        before.component.name,
        () => {
          current = recreate(machine, before);
        },
        turned,
      );
      this.#process.wait(shortWait);
      if (current === null || app.front !== current) break;
      if (screen !== own) this.#input.use(isReversed, 1);
    }
    world.device = { ...world.device, screen: own };
  }
}
