// Takes activities through their lives as the system does. Knows no intent resolution and no order of events.
import { type HeapObject, JavaThrow } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { descriptorOf } from '../model-parts.ts';
import { type ActivityRecord, type App, appOf, type Component } from './app.ts';
import { newBundle } from './bundle.ts';

/** Runs code of the app as the system would call it. An exception ends the app on a phone, here only this call. */
export function callApp<T>(machine: Machine, where: string, run: () => T): T | null {
  const app = appOf(machine);
  const recorder = recorderOf(machine);
  const outer = recorder.component;
  recorder.component = where;
  try {
    return run();
  } catch (error) {
    if (error instanceof JavaThrow) app.onCrash(error, where);
    else machine.failed(error);
    return null;
  } finally {
    recorder.component = outer;
  }
}

/** Runs a task on the main thread when it is idle. */
export function post(machine: Machine, delay: number, where: string, task: () => void): { cancel(): void } {
  return machine.schedule(delay, () => {
    callApp(machine, where, task);
  });
}

/** A component's object with its constructor run; null where its class does not load. */
export function instantiate(machine: Machine, className: string): HeapObject | null {
  const descriptor = descriptorOf(className);
  if (machine.findClass(descriptor) === null) return null;
  return callApp(machine, className, () => machine.construct(descriptor, '<init>()V'));
}

export interface Launch {
  readonly component: Component;
  readonly intent: HeapObject;
  readonly caller: ActivityRecord | null;
  readonly isStartedWithin: boolean;
  readonly requestCode: number;
  readonly savedState?: HeapObject | null;
}

/** Makes an activity and brings it to the front. */
export function launchActivity(machine: Machine, launch: Launch): ActivityRecord | null {
  const app = appOf(machine);
  const className = app.classNameOf(launch.component);
  const isSingle = (launch.component.launchMode ?? 0) >= 2;
  const existing = isSingle
    ? app.activities.find((each) => each.component === launch.component && isAlive(each))
    : undefined;
  if (existing !== undefined) {
    newIntent(machine, existing, launch.intent);
    return existing;
  }
  if (!app.mayLaunch()) {
    recorderOf(machine).limits.add('launches');
    return null;
  }
  const previous = app.front;
  if (previous !== null) pause(machine, previous);
  const object = instantiate(machine, className);
  if (object === null) return null;
  const record: ActivityRecord = {
    object,
    component: launch.component,
    caller: launch.caller,
    isStartedWithin: launch.isStartedWithin,
    requestCode: launch.requestCode,
    stage: 'created',
    intent: launch.intent,
    isFinishing: false,
    resultCode: 0,
    resultData: null,
    content: null,
    savedState: null,
  };
  app.activities.push(record);
  recorderOf(machine).event('component', `started the activity ${className}`);
  const saved = launch.savedState ?? null;
  callApp(machine, className, () => {
    machine.call(object, 'attachBaseContext(Landroid/content/Context;)V', app.application);
    machine.call(object, 'onCreate(Landroid/os/Bundle;)V', saved);
  });
  if (record.isFinishing) {
    destroy(machine, record);
    return record;
  }
  start(machine, record, saved);
  callApp(machine, className, () => {
    machine.call(object, 'onPostCreate(Landroid/os/Bundle;)V', saved);
  });
  resume(machine, record);
  if (previous !== null && previous.stage === 'paused') stop(machine, previous);
  return record;
}

const isAlive = ({ stage, isFinishing }: ActivityRecord): boolean => stage !== 'destroyed' && !isFinishing;

const step = (machine: Machine, record: ActivityRecord, signature: string, ...args: (HeapObject | null)[]): void => {
  callApp(machine, record.component.name, () => {
    machine.call(record.object, signature, ...args);
  });
};

export function start(machine: Machine, record: ActivityRecord, saved: HeapObject | null = null): void {
  if (record.stage !== 'created' && record.stage !== 'stopped') return;
  if (record.stage === 'stopped') step(machine, record, 'onRestart()V');
  record.stage = 'started';
  step(machine, record, 'onStart()V');
  if (saved !== null) step(machine, record, 'onRestoreInstanceState(Landroid/os/Bundle;)V', saved);
}

export function resume(machine: Machine, record: ActivityRecord): void {
  if (record.stage === 'stopped' || record.stage === 'created') start(machine, record);
  if (record.stage !== 'started' && record.stage !== 'paused') return;
  record.stage = 'resumed';
  step(machine, record, 'onResume()V');
  step(machine, record, 'onPostResume()V');
  step(machine, record, 'onAttachedToWindow()V');
}

export function pause(machine: Machine, record: ActivityRecord): void {
  if (record.stage !== 'resumed') return;
  record.stage = 'paused';
  step(machine, record, 'onPause()V');
}

/** Stops it, its state saved before, unless it is finishing. */
export function stop(machine: Machine, record: ActivityRecord): void {
  pause(machine, record);
  if (record.stage !== 'paused' && record.stage !== 'started') return;
  if (!record.isFinishing) saveState(machine, record);
  record.stage = 'stopped';
  step(machine, record, 'onStop()V');
}

/** Started again and stopped without a resume, as when another screen comes to the front first. */
export function glimpse(machine: Machine, record: ActivityRecord): void {
  stop(machine, record);
  start(machine, record);
  if (record.stage !== 'started') return;
  record.stage = 'stopped';
  step(machine, record, 'onStop()V');
}

function saveState(machine: Machine, record: ActivityRecord): void {
  const bundle = newBundle(machine);
  step(machine, record, 'onSaveInstanceState(Landroid/os/Bundle;)V', bundle);
  record.savedState = bundle;
}

export function destroy(machine: Machine, record: ActivityRecord): void {
  if (record.stage === 'destroyed') return;
  stop(machine, record);
  record.stage = 'destroyed';
  step(machine, record, 'onDestroy()V');
  const app = appOf(machine);
  const prefix = `activity#${app.numberOf(record.object)}`;
  app.unlistenAll(`${prefix} `);
  deliverResult(machine, app, record);
}

function deliverResult(
  machine: Machine,
  app: App,
  { caller, requestCode, resultCode, resultData }: ActivityRecord,
): void {
  if (caller === null || requestCode < 0 || caller.stage === 'destroyed' || !app.activities.includes(caller)) return;
  callApp(machine, caller.component.name, () => {
    machine.call(caller.object, 'onActivityResult(IILandroid/content/Intent;)V', requestCode, resultCode, resultData);
  });
}

/** Destroys it and recreates it with its saved state, as when the phone is turned. */
export function recreate(machine: Machine, record: ActivityRecord): ActivityRecord | null {
  stop(machine, record);
  const { savedState, component, intent, caller, requestCode, isStartedWithin } = record;
  record.isFinishing = false;
  record.stage = 'destroyed';
  step(machine, record, 'onDestroy()V');
  return launchActivity(machine, { component, intent, caller, requestCode, isStartedWithin, savedState });
}

export function newIntent(machine: Machine, record: ActivityRecord, intent: HeapObject): void {
  pause(machine, record);
  step(machine, record, 'onNewIntent(Landroid/content/Intent;)V', intent);
  resume(machine, record);
}

/** What `finish()` asks for: the activity is destroyed once its callback has returned. */
export function finish(machine: Machine, record: ActivityRecord): void {
  if (record.isFinishing) return;
  record.isFinishing = true;
  post(machine, 0, record.component.name, () => {
    destroy(machine, record);
    const { caller } = record;
    if (caller !== null && isAlive(caller)) resume(machine, caller);
  });
}
