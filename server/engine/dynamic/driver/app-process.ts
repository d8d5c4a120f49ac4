// The app's process: comes up, does what it is given, lets time pass, ends. Knows no event.
import { callApp, destroy } from '../android/components/activity-life.ts';
import { bindApplication, boundApplication, newBaseContext } from '../android/components/activity-thread.ts';
import type { App } from '../android/components/app.ts';
import { stopService } from '../android/components/delivery.ts';
import { copyOf, intentOf } from '../android/components/intent-state.ts';
import { startProvider } from '../android/data/content.ts';
import { descriptorOf } from '../android/model-parts.ts';
import { mainLooper } from '../android/work/loop.ts';
import { type HeapObject, JavaThrow } from '../machine/heap.ts';
import { ProcessExit } from '../machine/limits.ts';
import type { MachineHost } from '../machine/machine.ts';
import { recorderOf } from '../report/recorder.ts';
import { dozeSteps, maxIdleTicks, maxSteps, minDoze, restingSteps, shortWait } from './budget.ts';
import { broadcastsOf, stickyActions } from './system-events.ts';

/** What makes the app run. */
export interface Cause {
  readonly by: 'user' | 'system';
  /** In words that go on from who did it: `touched the button "Log in"`. */
  readonly what: string;
  /** Worth a line only where the app did something then: what happens to every screen. */
  readonly isUsual?: boolean;
}

export class AppProcess {
  readonly machine: MachineHost;
  readonly app: App;
  /** Steps of the clock in a row that ran no code which had not run before. */
  #idleTicks = 0;
  #firstRuns = 0;

  constructor(machine: MachineHost, app: App) {
    this.machine = machine;
    this.app = app;
  }

  /** Application and providers come up, as when the process starts. */
  start(): void {
    const { manifest } = this.app.plan;
    const name = manifest.application.name ?? 'android.app.Application';
    const descriptor = descriptorOf(name);
    const { machine } = this;
    let first: HeapObject | null = null;
    this.run(name, () => {
      // No thread of the app's is to be taken for the main one.
      mainLooper(machine);
      const known = machine.findClass(descriptor) === null ? 'Landroid/app/Application;' : descriptor;
      const base = newBaseContext(machine);
      let application: HeapObject;
      try {
        application = machine.construct(known, '<init>()V');
      } catch (error) {
        if (!(error instanceof JavaThrow)) throw error;
        this.app.onCrash(error, name);
        application = machine.construct('Landroid/app/Application;', '<init>()V');
      }
      this.app.application = application;
      first = application;
      callApp(machine, name, () => machine.call(application, 'attachBaseContext(Landroid/content/Context;)V', base));
      bindApplication(machine, application);
    });
    for (const action of stickyActions) {
      const [intent] = broadcastsOf(machine, action);
      if (intent !== undefined) this.app.stickyIntents.set(action, copyOf(intentOf(intent)));
    }
    for (const component of this.app.components) {
      if (component.kind !== 'provider' || this.app.providers.has(component.authorities[0] ?? '')) continue;
      this.run(component.name, () => void startProvider(machine, component.name, component.authorities));
    }
    this.run(name, () => {
      if (first !== null) machine.call(first, 'onCreate()V');
    });
    // The stub of a packed app has replaced itself with the real application by now.
    this.app.application = boundApplication(machine) ?? this.app.application;
  }

  /** The process ends, and comes up as on another day: what it wrote is still there. */
  restart(): void {
    this.app.endProcess();
    this.#untilExit(() => this.machine.restartProcess());
    this.start();
  }

  /**
   * Runs `body` and what it leaves to other threads; whatever the app does meanwhile is noted as done by `where`.
   * @param cause what the user or the system did, for the time line
   */
  run(where: string, body: () => void, cause: Cause | null = null): void {
    const recorder = recorderOf(this.machine);
    recorder.component = where;
    if (cause?.isUsual === true) recorder.awaitEffect(cause.by, cause.what);
    else if (cause !== null) recorder.event(cause.by, cause.what);
    this.#untilExit(() => {
      this.machine.run(body);
      this.machine.settle();
    });
    recorder.forgetCause();
    recorder.component = '';
  }

  /** Lets virtual time pass: timers and alarms fire, sleeping threads wake. */
  wait(milliseconds: number): void {
    const { machine } = this;
    this.#untilExit(() => machine.settle());
    const end = machine.clock.elapsed + milliseconds;
    // The clock only goes to what is due: the end of the wait is.
    const alarm = machine.schedule(milliseconds, () => undefined);
    this.#untilExit(() => {
      for (let step = 0; step < (this.#idleTicks < maxIdleTicks ? maxSteps : restingSteps); step++) {
        const left = end - machine.clock.elapsed;
        if (left <= 0 || !machine.advance(left)) return;
        machine.settle();
        this.#idleTicks = machine.firstRuns > this.#firstRuns ? 0 : this.#idleTicks + 1;
        this.#firstRuns = machine.firstRuns;
      }
      const stride = Math.max(minDoze, (end - machine.clock.elapsed) / dozeSteps);
      for (let left = end - machine.clock.elapsed; left > 0; left = end - machine.clock.elapsed) {
        machine.skip(Math.min(stride, left));
        machine.settle();
      }
    });
    alarm.cancel();
  }

  /** Days go by without use. */
  rest(milliseconds: number): void {
    recorderOf(this.machine).event('user', `left the phone alone for ${Math.round(milliseconds / 86_400_000)} days`);
    this.wait(milliseconds);
  }

  /** The end of the process: what still runs is stopped. */
  finish(): void {
    for (const record of [...this.app.activities].reverse())
      this.run(record.component.name, () => destroy(this.machine, record));
    for (const { component, isDestroyed } of [...this.app.services.values()]) {
      if (!isDestroyed) this.run(component.name, () => void stopService(this.machine, component));
    }
    this.wait(shortWait);
  }

  /** An app that ends its own process takes its screens, services and threads with it; the next event starts it anew. */
  #untilExit(body: () => void): void {
    try {
      body();
    } catch (error) {
      if (!(error instanceof ProcessExit)) throw error;
      recorderOf(this.machine).event('process', `ended its own process with status ${error.status}`);
      this.machine.endProcess();
      this.app.closeScreens();
      this.app.services.clear();
    }
  }
}
