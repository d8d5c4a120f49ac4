// Uses the app as a phone and its owner do: starts every component, touches every view, lets time pass. Knows no report.
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
} from '../android/activity-life.ts';
import { bindApplication, boundApplication, newBaseContext } from '../android/activity-thread.ts';
import type { ActivityRecord, App, Component, Listener } from '../android/app.ts';
import { currentConfiguration } from '../android/configuration.ts';
import { startProvider } from '../android/content.ts';
import { bindAnew, binderOf, runService, sendBroadcast, stopService } from '../android/delivery.ts';
import { canGoBack } from '../android/fragment-lives.ts';
import { copyOf, filterOf, intentOf, newIntent } from '../android/intent.ts';
import { callIfThere, descriptorOf, isAppMethod } from '../android/model-parts.ts';
import { touchPreferences } from '../android/preferences.ts';
import { newUri } from '../android/uri.ts';
import { allViews } from '../android/view-tree.ts';
import { changeText } from '../android/views.ts';
import { menuItemOf, menuOf } from '../android/windows.ts';
import { type HeapObject, type JavaString, JavaThrow } from '../machine/heap.ts';
import { ProcessExit } from '../machine/limits.ts';
import type { MachineHost } from '../machine/machine.ts';
import { recorderOf } from '../report/recorder.ts';
import { worldOf } from '../world/world.ts';
import { callFromOutside, useBoundService } from './bound-services.ts';
import { maxEventsPerPass, maxSteps, passMilliseconds } from './budget.ts';
import { otherScreens } from './screens.ts';
import { broadcastsOf, isSystemAction, stickyActions } from './system-events.ts';
import { Typist } from './typing.ts';

/** Dialogs open dialogs: rounds over what can be touched on one screen. */
const rounds = 3;
const shortWait = 1_500;
/** Screens on top of each other, and left again, per start. */
const maxScreens = 60;
/** Pairs of screens of which one covers the other. */
const maxPairs = 20;
const longWait = 15 * 60_000;
/** Texts of the app's own typed into one screen: a name, its password, a code behind them. */
const maxAnswers = 4;

export class Exercise {
  readonly #machine: MachineHost;
  readonly #app: App;
  #events = 0;
  #passStart = 0;
  /** How often each listener was fired, so that new ones come first. */
  readonly #fired = new Map<Listener, number>();
  readonly #typist: Typist;

  constructor(machine: MachineHost, app: App) {
    this.#machine = machine;
    this.#app = app;
    this.#typist = new Typist(machine);
    app.onBound = ({ exported }, binder) => {
      if (exported) callFromOutside(machine, binder);
    };
  }

  /** Application and providers come up, as when the process starts. */
  startProcess(): void {
    const { manifest } = this.#app.plan;
    const name = manifest.application.name ?? 'android.app.Application';
    const descriptor = descriptorOf(name);
    const machine = this.#machine;
    let first: HeapObject | null = null;
    this.#run(name, () => {
      const known = machine.findClass(descriptor) === null ? 'Landroid/app/Application;' : descriptor;
      const base = newBaseContext(machine);
      let application: HeapObject;
      try {
        application = machine.construct(known, '<init>()V');
      } catch (error) {
        if (!(error instanceof JavaThrow)) throw error;
        this.#app.onCrash(error, name);
        application = machine.construct('Landroid/app/Application;', '<init>()V');
      }
      this.#app.application = application;
      first = application;
      callApp(machine, name, () => machine.call(application, 'attachBaseContext(Landroid/content/Context;)V', base));
      bindApplication(machine, application);
    });
    for (const action of stickyActions) {
      const [intent] = broadcastsOf(machine, action);
      if (intent !== undefined) this.#app.stickyIntents.set(action, copyOf(intentOf(intent)));
    }
    for (const component of this.#app.components) {
      if (component.kind !== 'provider' || this.#app.providers.has(component.authorities[0] ?? '')) continue;
      this.#run(component.name, () => void startProvider(machine, component.name, component.authorities));
    }
    this.#run(name, () => {
      if (first !== null) machine.call(first, 'onCreate()V');
    });
    // A packed app's stub has put the real one in its place by now.
    this.#app.application = boundApplication(machine) ?? this.#app.application;
  }

  /** One round over all components. @param isReversed the other order, receivers and services before screens */
  pass(isReversed: boolean): void {
    this.#events = 0;
    this.#passStart = performance.now();
    const screens = () => this.#activities(isReversed);
    const others = () => {
      this.#services(isReversed);
      this.#receivers(isReversed);
      this.#providers();
    };
    if (isReversed) {
      others();
      this.#listen();
      screens();
      this.#cover();
    } else {
      screens();
      others();
    }
    this.#listen();
    this.wait(longWait);
    this.#listen();
    this.#lowMemory();
  }

  /** Lets time pass: timers, alarms and sleeping threads come to their turn. */
  wait(milliseconds: number): void {
    const machine = this.#machine;
    this.#untilExit(() => machine.settle());
    const end = machine.clock.elapsed + milliseconds;
    // The clock only goes to what is due: the end of the wait is.
    const alarm = machine.schedule(milliseconds, () => undefined);
    this.#untilExit(() => {
      for (let step = 0; step < maxSteps; step++) {
        const left = end - machine.clock.elapsed;
        if (left <= 0 || !machine.advance(left)) break;
        machine.settle();
      }
    });
    alarm.cancel();
  }

  /** The end of the process: what still runs is stopped. */
  finish(): void {
    for (const record of [...this.#app.activities].reverse())
      this.#run(record.component.name, () => destroy(this.#machine, record));
    for (const { component, isDestroyed } of [...this.#app.services.values()]) {
      if (!isDestroyed) this.#run(component.name, () => void stopService(this.#machine, component));
    }
    this.wait(shortWait);
  }

  #run(where: string, body: () => void): void {
    const recorder = recorderOf(this.#machine);
    recorder.component = where;
    this.#untilExit(() => {
      this.#machine.run(body);
      this.#machine.settle();
    });
    recorder.component = '';
  }

  /** An app that ends its own process takes its screens, services and threads with it; the next event starts it anew. */
  #untilExit(body: () => void): void {
    try {
      body();
    } catch (error) {
      if (!(error instanceof ProcessExit)) throw error;
      recorderOf(this.#machine).event('process', `ended its own process with status ${error.status}`);
      this.#machine.endProcess();
      this.#app.closeScreens();
      this.#app.services.clear();
    }
  }

  // Screens.

  /** Activities, each class once, those of the launcher first. */
  #screens(): Component[] {
    const { mainActivities } = this.#app.plan.manifest;
    const all = this.#app.components.filter(({ kind, name }, index, list) => {
      const isFirst =
        list.findIndex((each) => this.#app.classNameOf(each) === this.#app.classNameOf(list[index]!)) === index;
      return (kind === 'activity' || kind === 'activity-alias') && (isFirst || mainActivities.includes(name));
    });
    return all.sort(
      (left, right) => Number(mainActivities.includes(right.name)) - Number(mainActivities.includes(left.name)),
    );
  }

  #activities(isReversed: boolean): void {
    const screens = this.#screens();
    for (const component of isReversed ? screens.reverse() : screens) {
      // One may have turned another on or off.
      if (this.#app.isEnabled(component)) this.#activity(component, isReversed);
    }
  }

  /** Each screen over each other one, started from elsewhere: the lower is stopped once the upper has come up. */
  #cover(): void {
    const screens = this.#screens().filter((component) => this.#app.isEnabled(component));
    const pairs = screens.flatMap((lower) => screens.filter((each) => each !== lower).map((upper) => [lower, upper]));
    for (const pair of pairs.slice(0, maxPairs)) {
      for (const component of pair) {
        this.#start(component!);
        this.wait(shortWait);
      }
      for (const record of this.#app.activities.filter(isAliveRecord).reverse())
        this.#run(record.component.name, () => destroy(this.#machine, record));
      this.#app.closeScreens();
    }
  }

  /** Starts a screen as the launcher or another app does. */
  #start(component: Component): ActivityRecord | null {
    const machine = this.#machine;
    let record: ActivityRecord | null = null;
    const intent = this.#intentFor(component);
    this.#run(component.name, () => {
      record = launchActivity(machine, { component, intent, caller: null, isStartedWithin: false, requestCode: -1 });
    });
    return record;
  }

  #activity(component: Component, isReversed: boolean): void {
    const record = this.#start(component);
    this.wait(shortWait);
    if (record === null) return;
    this.#stack(isReversed);
    this.#app.closeScreens();
  }

  /** Uses the screen on top, leaves it, and goes on with the one below, until none is left. */
  #stack(isReversed: boolean): void {
    const machine = this.#machine;
    const used = new Set<ActivityRecord['component']>();
    for (let count = 0; count < maxScreens; count++) {
      const top = this.#app.activities.findLast(isAliveRecord);
      if (top === undefined) return;
      const { name } = top.component;
      this.#run(name, () => resume(machine, top));
      this.#touchScreens(isReversed);
      if (this.#app.activities.findLast(isAliveRecord) !== top) continue;
      if (!used.has(top.component)) {
        used.add(top.component);
        // Places, sensors and calls come while the screen is there to remember them.
        if (!isReversed) this.#fireReady(false, ({ kind }) => !isTouch(kind) && !isLate(kind), 0);
        this.#lives(top, isReversed);
        if (isReversed) this.#fireReady(true, ({ kind }) => !isTouch(kind) && !isLate(kind), 0);
        continue;
      }
      this.#goBack(top);
      if (isAliveRecord(top)) this.#run(name, () => destroy(machine, top));
    }
  }

  #goBack(record: ActivityRecord): void {
    const machine = this.#machine;
    const { name } = record.component;
    this.#run(name, () => {
      if (record.stage === 'resumed') callApp(machine, name, () => machine.call(record.object, 'onBackPressed()V'));
    });
    this.wait(shortWait);
  }

  /** The lives a screen may go through: covered, left, turned, given a new intent. */
  #lives(record: ActivityRecord, isReversed: boolean): void {
    const machine = this.#machine;
    const { name } = record.component;
    const leave = () => void callApp(machine, name, () => machine.call(record.object, 'onUserLeaveHint()V'));
    const lowMemory = () => {
      callApp(machine, name, () => machine.call(record.object, 'onTrimMemory(I)V', 15));
      callApp(machine, name, () => machine.call(record.object, 'onLowMemory()V'));
    };
    const steps: (() => void)[] = [
      () => {
        pause(machine, record);
        resume(machine, record);
      },
      () => {
        leave();
        stop(machine, record);
        resume(machine, record);
      },
      () => {
        glimpse(machine, record);
        resume(machine, record);
      },
      () => giveIntent(machine, record, this.#intentFor(record.component)),
      () =>
        void callApp(machine, name, () =>
          machine.call(
            record.object,
            'onConfigurationChanged(Landroid/content/res/Configuration;)V',
            currentConfiguration(machine),
          ),
        ),
      leave,
      // What was saved is put back into the screen that saved it.
      () => {
        stop(machine, record);
        start(machine, record, record.savedState);
        resume(machine, record);
      },
      // What the first call prepares the second may tell.
      () => {
        lowMemory();
        lowMemory();
      },
    ];
    for (const step of isReversed ? steps.reverse() : steps) {
      if (!isAliveRecord(record) || this.#app.front !== record) return;
      this.#run(name, step);
      this.wait(200);
      this.#touchScreens(isReversed, 1);
    }
    // What took the place of parts of the screen is left again.
    for (let round = 0; round < rounds && this.#app.front === record && canGoBack(machine, record.object); round++)
      this.#goBack(record);
    if (!isAliveRecord(record) || this.#app.front !== record) return;
    this.#turn(record, isReversed);
  }

  /** Made anew as when the phone is turned, on every screen that the app has layouts of its own for, the usual one last. */
  #turn(record: ActivityRecord, isReversed: boolean): void {
    const world = worldOf(this.#machine);
    const { screen: own } = world.device;
    let current: ActivityRecord | null = record;
    for (const screen of isReversed ? [own] : [...otherScreens(this.#app.plan.resources, own), own]) {
      const before: ActivityRecord = current;
      world.device = { ...world.device, screen };
      this.#run(before.component.name, () => {
        current = recreate(this.#machine, before);
      });
      this.wait(shortWait);
      if (current === null || this.#app.front !== current) break;
      if (screen !== own) this.#touchScreens(isReversed, 1);
    }
    world.device = { ...world.device, screen: own };
  }

  #intentFor(component: Component): HeapObject {
    const machine = this.#machine;
    const filter =
      component.intentFilters.find(({ actions }) => actions.includes('android.intent.action.MAIN')) ??
      component.intentFilters[0];
    const intent = newIntent(machine, {
      component: { packageName: this.#app.packageName, className: component.name, taint: 0 },
      action: filter?.actions[0] === undefined ? null : machine.string(filter.actions[0]),
    });
    for (const category of filter?.categories ?? [])
      intentOf(intent).categories.set(category, machine.string(category));
    const { scheme, host, path, pathPrefix, mimeType } = Object.assign({}, ...(filter?.data ?? [])) as Record<
      string,
      string | undefined
    >;
    if (scheme !== undefined)
      intentOf(intent).data = newUri(machine, `${scheme}://${host ?? 'example.org'}${path ?? pathPrefix ?? '/'}`);
    if (mimeType !== undefined) intentOf(intent).type = machine.string(mimeType);
    return intent;
  }

  /** Everything that can be touched on the screen in front, with what opens by it. */
  #touchScreens(isReversed: boolean, times = rounds): void {
    for (let round = 0; round < times; round++) {
      const front = this.#app.front;
      if (front === null) return;
      this.#type(front, (field) => this.#typist.firstFor(field));
      if (round === 0) this.#draw(front);
      const before = this.#events;
      this.#fireReady(isReversed, (listener) => isTouch(listener.kind), round === 0 ? 0 : 1);
      if (round === 0) {
        this.#menu(front);
        this.#keys(front);
      }
      if (this.#events === before) break;
    }
    if (this.#app.front !== null) this.#answer(this.#app.front);
  }

  /** Views of the app's own that paint themselves are asked to. */
  #draw({ content, component }: ActivityRecord): void {
    if (content === null) return;
    const machine = this.#machine;
    for (const view of allViews(content)) {
      if (!isAppMethod(machine, view, 'onDraw(Landroid/graphics/Canvas;)V')) continue;
      const canvas = machine.allocate('Landroid/graphics/Canvas;');
      this.#run(component.name, () => {
        callApp(machine, component.name, () => machine.call(view, 'onDraw(Landroid/graphics/Canvas;)V', canvas));
      });
    }
  }

  /** Types into the fields of a screen what `textFor` has for each; whether there was anything. */
  #type({ content, component }: ActivityRecord, textFor: (field: HeapObject) => JavaString | null): boolean {
    if (content === null) return false;
    const machine = this.#machine;
    let hasTyped = false;
    for (const view of allViews(content)) {
      const typed = machine.isInstance(view, 'Landroid/widget/EditText;') ? textFor(view) : null;
      if (typed === null) continue;
      hasTyped = true;
      this.#run(component.name, () => callApp(machine, component.name, () => changeText(machine, view, typed)));
    }
    return hasTyped;
  }

  /** Where the app compared what was typed with texts of its own, those are typed, and the screen is used again. */
  #answer(front: ActivityRecord): void {
    for (let attempt = 0; attempt < maxAnswers && this.#app.front === front; attempt++) {
      if (!this.#type(front, (field) => this.#typist.nextFor(field))) return;
      for (const [key, listener] of this.#app.listeners) {
        const isUsable = isTouch(listener.kind) && this.#isRegistered(key, listener) && listener.isReady?.() !== false;
        if (isUsable && !this.#isSpent && this.#app.front === front)
          this.#fire(key, listener, this.#fired.get(listener) ?? 0);
      }
    }
  }

  /** Fires what is ready; every listener at most `already` + 1 times in this screen's use. */
  #fireReady(isReversed: boolean, fits: (listener: Listener) => boolean, already: number): void {
    const list = this.#app.listeners.filter(([, listener]) => fits(listener));
    for (const [key, listener] of isReversed ? list.reverse() : list) {
      if (this.#isSpent) {
        recorderOf(this.#machine).limits.add('events');
        return;
      }
      const count = this.#fired.get(listener) ?? 0;
      if (count > already + 2 || !this.#isRegistered(key, listener) || listener.isReady?.() === false) continue;
      if (already > 0 && count > 0) continue;
      this.#fire(key, listener, count);
    }
  }

  #fire(key: string, listener: Listener, count: number): void {
    this.#events += 1;
    this.#fired.set(listener, count + 1);
    if (listener.isOnce) this.#app.unlisten(key);
    const where = this.#app.front?.component.name ?? this.#app.packageName;
    this.#run(where, () => void callApp(this.#machine, where, listener.fire));
    this.wait(shortWait);
  }

  /** Whether this pass has had what one may have; what does not ask for events goes on. */
  get #isSpent(): boolean {
    return this.#events >= maxEventsPerPass || performance.now() - this.#passStart > passMilliseconds;
  }

  #isRegistered(key: string, listener: Listener): boolean {
    return this.#app.listener(key) === listener;
  }

  #menu({ object, component }: ActivityRecord): void {
    const machine = this.#machine;
    const { name } = component;
    const menu = machine.allocate('Landroid/view/MenuImpl;');
    this.#run(name, () => {
      callApp(machine, name, () => {
        machine.call(object, 'onCreatePanelMenu(ILandroid/view/Menu;)Z', 0, menu);
        machine.call(object, 'onPrepareOptionsMenu(Landroid/view/Menu;)Z', menu);
      });
    });
    for (const item of [...menuOf(menu).items]) {
      const { listener, onClick } = menuItemOf(item);
      this.#run(name, () => {
        callApp(machine, name, () => {
          if (
            listener !== null &&
            callIfThere(machine, listener, 'onMenuItemClick(Landroid/view/MenuItem;)Z', item) !== 0
          )
            return;
          if (onClick !== null && machine.resolveMethod(object.cls, `${onClick}(Landroid/view/MenuItem;)V`) !== null) {
            machine.call(object, `${onClick}(Landroid/view/MenuItem;)V`, item);
          } else machine.call(object, 'onMenuItemSelected(ILandroid/view/MenuItem;)Z', 0, item);
        });
      });
      this.wait(200);
    }
  }

  #keys({ object, component }: ActivityRecord): void {
    const machine = this.#machine;
    const touch = (signature: string, make: () => readonly (HeapObject | number)[]) => {
      if (!isAppMethod(machine, object, signature)) return;
      this.#run(
        component.name,
        () => void callApp(machine, component.name, () => machine.call(object, signature, ...make())),
      );
    };
    const event = (descriptor: string) => {
      const made = machine.allocate(descriptor);
      made.native = { action: 0, x: 420, y: 913, code: 24 };
      return made;
    };
    touch('onTouchEvent(Landroid/view/MotionEvent;)Z', () => [event('Landroid/view/MotionEvent;')]);
    touch('dispatchTouchEvent(Landroid/view/MotionEvent;)Z', () => [event('Landroid/view/MotionEvent;')]);
    touch('onKeyDown(ILandroid/view/KeyEvent;)Z', () => [24, event('Landroid/view/KeyEvent;')]);
    touch('onUserInteraction()V', () => []);
  }

  // Behind the screens.

  #services(isReversed: boolean): void {
    const machine = this.#machine;
    const services = this.#app.components.filter(({ kind }) => kind === 'service');
    for (const component of isReversed ? [...services].reverse() : services) {
      if (!this.#app.isEnabled(component)) continue;
      const intent = this.#intentFor(component);
      this.#run(component.name, () => runService(machine, component, intent));
      this.wait(shortWait);
      this.#run(component.name, () => void binderOf(machine, component, intent));
      this.#special(component);
      this.wait(shortWait);
      this.#run(component.name, () => bindAnew(machine, component, intent));
      const object = this.#app.services.get(component.name)?.object;
      if (object !== undefined) {
        this.#run(component.name, () => {
          callApp(machine, component.name, () => callIfThere(machine, object, 'onLowMemory()V'));
        });
      }
      this.#run(component.name, () => runService(machine, component, intent));
      if (isReversed) this.#run(component.name, () => void stopService(machine, component));
    }
  }

  /** Services that the system itself talks to. */
  #special({ name }: Component): void {
    const machine = this.#machine;
    const object = this.#app.services.get(name)?.object;
    if (object === undefined) return;
    this.#run(name, () => useBoundService(machine, name, object));
    if (machine.isInstance(object, 'Landroid/accessibilityservice/AccessibilityService;')) {
      this.#run(name, () => {
        callApp(machine, name, () => machine.call(object, 'onServiceConnected()V'));
        const event = machine.allocate('Landroid/view/accessibility/AccessibilityEvent;');
        callApp(machine, name, () =>
          machine.call(object, 'onAccessibilityEvent(Landroid/view/accessibility/AccessibilityEvent;)V', event),
        );
      });
    }
    if (machine.isInstance(object, 'Landroid/service/notification/NotificationListenerService;')) {
      this.#run(name, () => {
        const posted = machine.allocate('Landroid/service/notification/StatusBarNotification;');
        callApp(machine, name, () =>
          machine.call(object, 'onNotificationPosted(Landroid/service/notification/StatusBarNotification;)V', posted),
        );
      });
    }
  }

  #receivers(isReversed: boolean): void {
    const receivers = this.#app.components.filter(({ kind }) => kind === 'receiver');
    for (const component of isReversed ? [...receivers].reverse() : receivers) {
      const actions = [...new Set(component.intentFilters.flatMap((filter) => filter.actions))];
      for (const action of actions.length === 0 ? [null] : actions) this.#broadcastTo(component, action);
    }
    // Receivers that the app registered at run time.
    const waiting = [...this.#app.receivers].flatMap(({ filters }) =>
      filters.flatMap((filter) => filterOf(filter).actions),
    );
    for (const action of new Set(waiting)) {
      this.#sendAll(action, (intent) => {
        this.#run(action, () =>
          sendBroadcast(this.#machine, intent, { sink: '', isLocal: true, isOrdered: isSystemAction(action) }),
        );
        this.wait(200);
      });
    }
  }

  /** Sends an action in all its forms, and then what the app turned out to wait for. */
  #sendAll(action: string, send: (intent: HeapObject) => void): void {
    const sent = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const intents = broadcastsOf(this.#machine, action, sent);
      if (intents.length === 0) return;
      for (const intent of intents) send(intent);
    }
  }

  #broadcastTo(component: Component, action: string | null): void {
    const machine = this.#machine;
    if (!this.#app.isEnabled(component)) return;
    // What only the app itself could send is not made up.
    if (action === null && !component.exported) return;
    const send = (intent: HeapObject) => {
      intentOf(intent).component = { packageName: this.#app.packageName, className: component.name, taint: 0 };
      const isOrdered = action !== null && /SMS_|OUTGOING_CALL/.test(action);
      this.#run(component.name, () => sendBroadcast(machine, intent, { sink: '', isOrdered }));
      this.wait(500);
    };
    if (action === null) send(newIntent(machine));
    else this.#sendAll(action, send);
  }

  /** Other apps may ask an exported provider. */
  #providers(): void {
    const machine = this.#machine;
    const U = 'Landroid/net/Uri;';
    const S = 'Ljava/lang/String;';
    for (const component of this.#app.components) {
      const [authority] = component.authorities;
      if (component.kind !== 'provider' || authority === undefined || !component.exported) continue;
      const provider = this.#app.providers.get(authority);
      if (provider === undefined) continue;
      const uri = newUri(machine, `content://${authority}/`);
      this.#run(component.name, () => {
        callApp(machine, component.name, () =>
          machine.call(provider, `query(${U}[${S}${S}[${S}${S})Landroid/database/Cursor;`, uri, null, null, null, null),
        );
        callApp(machine, component.name, () => machine.call(provider, `getType(${U})${S}`, uri));
      });
    }
  }

  /** Timers, places, sensors, jobs, notifications touched: whatever the app waits for away from the screen. */
  #listen(): void {
    for (let round = 0; round < rounds; round++) {
      const before = this.#events;
      this.#fireReady(false, ({ kind }) => !isTouch(kind), round);
      if (this.#events === before) break;
    }
    this.#run(this.#app.packageName, () => touchPreferences(this.#machine));
  }

  #lowMemory(): void {
    const machine = this.#machine;
    const { application, componentCallbacks } = this.#app;
    for (const object of [application, ...componentCallbacks]) {
      if (object === null) continue;
      this.#run(object.cls.name, () => {
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

/** Alarms, jobs and notifications come later than the screen is used. */
const isLate = (kind: string): boolean => /^(?:alarm|job|notification|widget|sms-sent)$/.test(kind);

const isTouch = (kind: string): boolean => touchKinds.has(kind) || kind.startsWith('landroid');

const isAliveRecord = ({ stage, isFinishing }: ActivityRecord): boolean => stage !== 'destroyed' && !isFinishing;
