// Carries intents to components: activities, services, receivers, and what leaves the app. Knows no view.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { installFile } from '../../world/installs.ts';
import { worldOf } from '../../world/world.ts';
import { decoded, newUri } from '../data/uri.ts';
import { callIfThere, plain, type Reference, stateOf } from '../model-parts.ts';
import { callApp, instantiate, launchActivity, post } from './activity-life.ts';
import { type App, appOf, type Component, permits, type ReachedKind, type ServiceRecord } from './app.ts';
import { newComponentName } from './component-name.ts';
import { filterOf } from './intent-filter.ts';
import { type IntentShape, matchesFilter } from './intent-resolution.ts';
import {
  copyOf,
  fillIn,
  type IntentState,
  intentOf,
  intentSummary,
  intentTaint,
  newIntent,
  shapeOf,
} from './intent-state.ts';

/** The component that takes an intent which is for one; undefined where none of the app's does. */
const takerOf = (machine: Machine, state: IntentState, kind: ReachedKind): Component | undefined =>
  appOf(machine).reached(shapeOf(machine, state), kind).next().value?.component;

/** An intent that no component of the app receives is read by other apps. */
function leaves(machine: Machine, state: IntentState, sink: string): void {
  recorderOf(machine).leak('intent', sink, intentSummary(machine, state), intentTaint(machine, state));
}

/**
 * An intent that names no receiver goes to any app that asks for it, besides the one that it was meant for. Actions that
 * begin with the app's package name are its own, as Android's documentation has it: others do not ask for them.
 */
function staysOpen(machine: Machine, state: IntentState, sink: string): void {
  const { className, packageName, action } = shapeOf(machine, state);
  const isOwn = `${action}.`.startsWith(`${appOf(machine).packageName}.`);
  if (className === null && packageName === null && !isOwn) leaves(machine, state, sink);
}

// Activities.

export function startActivity(
  machine: Machine,
  intent: HeapObject,
  callerObject: Reference,
  requestCode = -1,
  sink = 'Context.startActivity',
): undefined {
  const app = appOf(machine);
  const state = intentOf(intent);
  const component = takerOf(machine, state, 'activity');
  const caller = callerObject === null ? null : app.recordOf(callerObject);
  if (component !== undefined) {
    staysOpen(machine, state, sink);
    const passed = newIntent(machine, copyOf(state));
    post(machine, 0, component.name, () => {
      launchActivity(machine, { component, intent: passed, caller, isStartedWithin: true, requestCode });
    });
    return;
  }
  const { action, className, packageName, data } = shapeOf(machine, state);
  if (className !== null && packageName === app.packageName) {
    // A class name that came from typed input could also name a component of another app.
    if (worldOf(machine).prompts.wasTold(className)) leaves(machine, state, sink);
    throw machine.exception(
      'Landroid/content/ActivityNotFoundException;',
      `Unable to find explicit activity class {${packageName}/${className}}; have you declared this activity in your AndroidManifest.xml?`,
    );
  }
  leaves(machine, state, sink);
  const recorder = recorderOf(machine);
  recorder.event('intent', `asked for ${intentSummary(machine, state)}`);
  if (data?.startsWith('tel:') && action?.startsWith('android.intent.action.CALL') === true) {
    recorder.phoneCall(decoded(data.slice(4)), intentTaint(machine, state));
  }
  const isPackage =
    shapeOf(machine, state).type === 'application/vnd.android.package-archive' ||
    action === 'android.intent.action.INSTALL_PACKAGE';
  const isRemoval = action === 'android.intent.action.DELETE' || action === 'android.intent.action.UNINSTALL_PACKAGE';
  if (isRemoval && data?.startsWith('package:') === true) {
    recorder.event('install', `asked to remove ${decoded(data.slice('package:'.length))}`);
  }
  if (data !== null && isPackage) installFile(machine, 'asked to install', decoded(data.replace(/^file:\/\//, '')));
  const permit = permits.find((each) => each === action);
  if (permit !== undefined) app.allowed.add(permit);
  if (action === 'android.app.action.ADD_DEVICE_ADMIN') {
    const enabled = newIntent(machine, { action: machine.string('android.app.action.DEVICE_ADMIN_ENABLED') });
    sendBroadcast(machine, enabled, { sink: '' });
  }
  if (caller !== null && requestCode >= 0) {
    post(machine, 500, caller.component.name, () => {
      if (caller.stage === 'destroyed') return;
      const answer = newIntent(machine, outsideAnswer(machine, state));
      const code = outsideCode(machine, caller.component, requestCode);
      machine.call(caller.object, 'onActivityResult(IILandroid/content/Intent;)V', requestCode, code, answer);
    });
  }
}

/** Other apps answer the first request with OK, and every second one with CANCELED. */
function outsideCode(machine: Machine, { name }: Component, requestCode: number): number {
  const asked = machine.state('android.outside-requests', () => new Map<string, number>());
  const key = `${name} ${requestCode}`;
  const count = asked.get(key) ?? 0;
  asked.set(key, count + 1);
  return count % 2 === 0 ? resultOk : resultCanceled;
}

const pickingActions: ReadonlySet<string> = new Set(
  ['PICK', 'GET_CONTENT', 'OPEN_DOCUMENT'].map((name) => `android.intent.action.${name}`),
);

/** What the owner chooses where one of many is asked for: the first person, else the first picture. */
function pickedFrom({ data, type }: IntentShape): string {
  if (data?.startsWith('content:') === true) return `${data}/1`;
  if (type?.includes('phone') === true) return 'content://com.android.contacts/data/phones/1';
  if (/contact|person/.test(type ?? '')) return 'content://com.android.contacts/contacts/1';
  return 'content://media/external/images/media/1';
}

const resultOk = -1;
const resultCanceled = 0;

/** The result of another app: the data it was given, as from a viewer or an editor. */
function outsideAnswer(machine: Machine, request: IntentState): Partial<IntentState> {
  const extras: IntentState['extras'] = new Map(request.extras);
  const shape = shapeOf(machine, request);
  const { action } = shape;
  if (action !== null && pickingActions.has(action)) return { extras, data: newUri(machine, pickedFrom(shape)) };
  if (action === 'android.media.action.IMAGE_CAPTURE') {
    const picture = machine.allocate('Landroid/graphics/Bitmap;');
    picture.taint = machine.source('TAINT_CAMERA', 'MediaStore.ACTION_IMAGE_CAPTURE');
    extras.set('data', { kind: 'L', value: picture, taint: 0 });
  }
  return { extras };
}

// Services.

/** The running service of a component, created where it does not run; null where its class does not load. */
export function serviceFor(machine: Machine, app: App, component: Component): ServiceRecord | null {
  const known = app.services.get(component.name);
  if (known !== undefined && !known.isDestroyed) return known;
  if (!app.mayLaunch()) {
    recorderOf(machine).limits.add('launches');
    return null;
  }
  const object = instantiate(machine, component.name);
  if (object === null) return null;
  const record: ServiceRecord = {
    object,
    component,
    isDestroyed: false,
    starts: 0,
    binder: null,
    isBound: false,
    connections: new Set(),
  };
  app.services.set(component.name, record);
  callApp(machine, component.name, () => {
    machine.call(object, 'attachBaseContext(Landroid/content/Context;)V', app.application);
    machine.call(object, 'onCreate()V');
  });
  return record;
}

/** @returns the component's name, null where no service of the app takes it */
export function startService(machine: Machine, intent: HeapObject, sink = 'Context.startService'): Reference {
  const state = intentOf(intent);
  const component = takerOf(machine, state, 'service');
  if (component === undefined) {
    leaves(machine, state, sink);
    return null;
  }
  staysOpen(machine, state, sink);
  const passed = newIntent(machine, copyOf(state));
  post(machine, 0, component.name, () => runService(machine, component, passed));
  return newComponentName(machine, { packageName: appOf(machine).packageName, className: component.name, taint: 0 });
}

/** Creates the service where it does not run, and starts it with an intent. */
export function runService(machine: Machine, component: Component, intent: Reference): void {
  const app = appOf(machine);
  const record = serviceFor(machine, app, component);
  if (record === null) return;
  record.starts += 1;
  recorderOf(machine).serviceStart(component.name);
  callApp(machine, component.name, () => {
    machine.call(record.object, 'onStartCommand(Landroid/content/Intent;II)I', intent, 0, record.starts);
  });
}

export function stopService(machine: Machine, component: Component): boolean {
  const record = appOf(machine).services.get(component.name);
  if (record === undefined || record.isDestroyed) return false;
  record.isDestroyed = true;
  callApp(machine, component.name, () => {
    if (record.isBound) machine.call(record.object, 'onUnbind(Landroid/content/Intent;)Z', newIntent(machine));
    machine.call(record.object, 'onDestroy()V');
  });
  // Clients that are still bound are disconnected as when the service's process ends.
  for (const connection of record.connections) {
    callApp(machine, component.name, () => {
      callIfThere(
        machine,
        connection,
        'onServiceDisconnected(Landroid/content/ComponentName;)V',
        serviceName(machine, component),
      );
    });
  }
  record.connections.clear();
  return true;
}

const serviceName = (machine: Machine, { name }: Component): HeapObject =>
  newComponentName(machine, { packageName: appOf(machine).packageName, className: name, taint: 0 });

/** A client leaves; a service that was only bound ends with its last one. */
export function unbindService(machine: Machine, connection: HeapObject): void {
  for (const record of appOf(machine).services.values()) {
    if (!record.connections.delete(connection) || record.connections.size > 0) continue;
    post(machine, 0, record.component.name, () => {
      if (record.starts === 0 && record.connections.size === 0) stopService(machine, record.component);
    });
  }
}

export function stopServiceByIntent(machine: Machine, intent: HeapObject): boolean {
  const component = takerOf(machine, intentOf(intent), 'service');
  if (component === undefined) return false;
  const isRunning = appOf(machine).services.get(component.name)?.isDestroyed === false;
  post(machine, 0, component.name, () => void stopService(machine, component));
  return isRunning;
}

/** Binds a service of the app, telling the connection of it when the main thread is idle. */
export function bindService(machine: Machine, intent: HeapObject, connection: Reference): boolean {
  const app = appOf(machine);
  const state = intentOf(intent);
  const component = takerOf(machine, state, 'service');
  if (component === undefined) {
    leaves(machine, state, 'Context.bindService');
    return bindForeign(machine, state, connection);
  }
  staysOpen(machine, state, 'Context.bindService');
  const passed = newIntent(machine, copyOf(state));
  post(machine, 0, component.name, () => {
    const binder = binderOf(machine, component, passed);
    if (binder === null || connection === null) return;
    app.services.get(component.name)?.connections.add(connection);
    const name = serviceName(machine, component);
    machine.call(connection, 'onServiceConnected(Landroid/content/ComponentName;Landroid/os/IBinder;)V', name, binder);
  });
  return true;
}

/** Another app or the system has the service: whatever it is asked, it answers with nothing. False where none can be meant. */
function bindForeign(machine: Machine, state: IntentState, connection: Reference): boolean {
  const { component } = state;
  const owner = shapeOf(machine, state).packageName ?? 'android';
  if (owner === appOf(machine).packageName || (component === null && state.action === null)) return false;
  if (connection === null) return true;
  const className = component?.className ?? plain(machine, state.action);
  post(machine, 0, connection.cls.name, () => {
    const name = newComponentName(machine, { packageName: owner, className, taint: 0 });
    const binder = machine.allocate('Landroid/os/BinderProxy;');
    callIfThere(
      machine,
      connection,
      'onServiceConnected(Landroid/content/ComponentName;Landroid/os/IBinder;)V',
      name,
      binder,
    );
  });
  return true;
}

/** The last client leaves a bound service, and another one comes. */
export function bindAnew(machine: Machine, component: Component, intent: HeapObject): void {
  const record = appOf(machine).services.get(component.name);
  if (record === undefined || record.isDestroyed || !record.isBound) return;
  callApp(machine, component.name, () => {
    const wantsRebind = machine.call(record.object, 'onUnbind(Landroid/content/Intent;)Z', intent) !== 0;
    if (wantsRebind) machine.call(record.object, 'onRebind(Landroid/content/Intent;)V', intent);
    else record.binder = machine.call(record.object, onBind, intent) as Reference;
  });
}

const onBind = 'onBind(Landroid/content/Intent;)Landroid/os/IBinder;';

/** What onBind answers; asked once. */
export function binderOf(machine: Machine, component: Component, intent: HeapObject): Reference {
  const record = serviceFor(machine, appOf(machine), component);
  if (record === null) return null;
  if (!record.isBound) {
    record.isBound = true;
    recorderOf(machine).event('component', `bound the service ${component.name}`);
    record.binder = callApp(machine, component.name, () => machine.call(record.object, onBind, intent)) as Reference;
    if (record.binder !== null) appOf(machine).onBound(component, record.binder);
  }
  return record.binder;
}

// Broadcasts.

export interface BroadcastState {
  code: number;
  data: Reference;
  extras: Reference;
  isAborted: boolean;
  isOrdered: boolean;
  isSticky: boolean;
}

export const broadcastOf = (receiver: HeapObject): BroadcastState =>
  stateOf<BroadcastState>(receiver, () => ({
    code: -1,
    data: null,
    extras: null,
    isAborted: false,
    isOrdered: false,
    isSticky: false,
  }));

export interface BroadcastOptions {
  /** The sending method; empty for the system's own broadcasts, which leak nothing. */
  readonly sink: string;
  readonly isOrdered?: boolean;
  readonly isSticky?: boolean;
  /** Only receivers registered at run time. */
  readonly isLocal?: boolean;
  readonly finalReceiver?: Reference;
  readonly code?: number;
  readonly data?: Reference;
}

interface Target {
  readonly name: string;
  readonly priority: number;
  readonly receiver: () => Reference;
  readonly isDynamic: boolean;
}

function targetsOf(machine: Machine, state: IntentState, isLocal: boolean): Target[] {
  const app = appOf(machine);
  const shape = shapeOf(machine, state);
  const targets: Target[] = Array.from(isLocal ? [] : app.reached(shape, 'receiver'), ({ component, priority }) => ({
    name: component.name,
    priority,
    receiver: () => instantiate(machine, component.name),
    isDynamic: false,
  }));
  if (shape.className === null) {
    for (const registration of app.receivers) {
      const filters = registration.filters.map(filterOf);
      const hit = filters.find((filter) => matchesFilter(filter, shape));
      if (hit === undefined) continue;
      const { receiver } = registration;
      const name = receiver.cls.name;
      targets.push({ name, priority: hit.priority, receiver: () => receiver, isDynamic: true });
    }
  }
  return targets.sort((left, right) => right.priority - left.priority);
}

export function sendBroadcast(machine: Machine, intent: HeapObject, options: BroadcastOptions): void {
  const app = appOf(machine);
  const state = intentOf(intent);
  const targets = targetsOf(machine, state, options.isLocal ?? false);
  const action = shapeOf(machine, state).action;
  if (options.isSticky && action !== null) app.stickyIntents.set(action, copyOf(state));
  if (options.sink !== '') {
    if (targets.length === 0) leaves(machine, state, options.sink);
    else staysOpen(machine, state, options.sink);
  }
  if (targets.length === 0 && (options.finalReceiver ?? null) === null) return;
  const passed = newIntent(machine, copyOf(state));
  post(machine, 0, action ?? 'broadcast', () => deliverBroadcast(machine, passed, targets, options));
}

const outgoingCall = 'android.intent.action.NEW_OUTGOING_CALL';

/** The number of an outgoing call, which receivers may change or take away. */
function dialledIn(intent: HeapObject): Reference {
  const number = intentOf(intent).extras.get('android.intent.extra.PHONE_NUMBER');
  return number?.kind === 'L' ? (number.value as Reference) : null;
}

function deliverBroadcast(
  machine: Machine,
  intent: HeapObject,
  targets: readonly Target[],
  options: BroadcastOptions,
): void {
  const app = appOf(machine);
  const { action } = shapeOf(machine, intentOf(intent));
  const isOrdered = options.isOrdered ?? false;
  const dialled = action === outgoingCall ? dialledIn(intent) : null;
  let { code = -1, data = dialled } = options;
  let extras: Reference = null;
  const deliver = (name: string, receiver: Reference): boolean => {
    if (receiver === null) return false;
    const state = broadcastOf(receiver);
    Object.assign(state, { code, data, extras, isAborted: false, isOrdered, isSticky: options.isSticky ?? false });
    callApp(machine, name, () => {
      machine.call(
        receiver,
        'onReceive(Landroid/content/Context;Landroid/content/Intent;)V',
        app.application,
        isOrdered ? intent : newIntent(machine, copyOf(intentOf(intent))),
      );
    });
    if (!isOrdered) return false;
    ({ code, data, extras } = state);
    if (state.isAborted && action !== null) recorderOf(machine).event('intent', `kept ${action} from other apps`);
    return state.isAborted;
  };
  for (const target of targets) {
    if (target.isDynamic && !app.receivers.some(({ receiver }) => receiver === target.receiver())) continue;
    if (deliver(target.name, target.receiver())) break;
  }
  if (dialled !== null && data === null) recorderOf(machine).event('call', 'stopped an outgoing call');
  else if (dialled !== null && plain(machine, data) !== plain(machine, dialled))
    recorderOf(machine).event('call', `led an outgoing call to ${plain(machine, data)}`);
  const last = options.finalReceiver ?? null;
  if (last !== null) deliver(last.cls.name, last);
}

/** @returns the sticky intent that a filter matches, null where there is none */
export function registerReceiver(
  machine: Machine,
  receiver: Reference,
  filter: Reference,
  permission: Reference = null,
): Reference {
  const app = appOf(machine);
  if (filter === null) return null;
  const { actions } = filterOf(filter);
  if (receiver !== null) {
    const known = app.receivers.find((each) => each.receiver === receiver);
    if (known === undefined) {
      const name = permission === null ? null : plain(machine, permission);
      app.receivers.push({ receiver, filters: [filter], permission: name });
    } else known.filters.push(filter);
    for (const action of actions) recorderOf(machine).receiver(receiver.cls.name, action);
  }
  const sticky = actions.map((action) => app.stickyIntents.get(action)).find((found) => found !== undefined);
  if (sticky === undefined) return null;
  const intent = newIntent(machine, copyOf(sticky));
  if (receiver !== null) {
    post(machine, 0, receiver.cls.name, () => {
      broadcastOf(receiver).isSticky = true;
      machine.call(receiver, 'onReceive(Landroid/content/Context;Landroid/content/Intent;)V', app.application, intent);
    });
  }
  return intent;
}

export function unregisterReceiver(machine: Machine, receiver: Reference): undefined {
  const { receivers } = appOf(machine);
  const at = receivers.findIndex((each) => each.receiver === receiver);
  if (at < 0) throw machine.exception('Ljava/lang/IllegalArgumentException;', 'Receiver not registered');
  receivers.splice(at, 1);
}

// Pending intents.

export interface PendingState {
  readonly kind: 'activity' | 'service' | 'broadcast';
  readonly intent: HeapObject;
  readonly requestCode: number;
}

/** Pending intents that are remembered to be taken back. */
const maxHanded = 500;

const pendingOf = (pending: HeapObject): PendingState | null => (pending.native as PendingState | undefined) ?? null;

export function newPendingIntent(machine: Machine, state: PendingState): HeapObject {
  const pending = machine.allocate('Landroid/app/PendingIntent;');
  pending.native = { ...state, intent: newIntent(machine, copyOf(intentOf(state.intent))) };
  return pending;
}

/** Sends what a pending intent holds, filled in by the one who sends it. */
export function sendPending(machine: Machine, pending: Reference, fill: Reference = null): undefined {
  const state = pending === null ? null : pendingOf(pending);
  if (state === null) return;
  const intent = newIntent(machine, copyOf(intentOf(state.intent)));
  if (fill !== null) fillIn(intentOf(intent), intentOf(fill));
  if (state.kind === 'activity') startActivity(machine, intent, null, -1, 'PendingIntent.send');
  else if (state.kind === 'service') startService(machine, intent, 'PendingIntent.send');
  else sendBroadcast(machine, intent, { sink: 'PendingIntent.send' });
}

/** The app gave a pending intent to the system, which will send it: an alarm, a notification that is touched. */
export function handOver(machine: Machine, pending: Reference, kind: string, isOnce = true): undefined {
  const state = pending === null ? null : pendingOf(pending);
  if (pending === null || state === null) return;
  const app = appOf(machine);
  const handed = machine.state<HeapObject[]>('android.handed', () => []);
  if (!handed.includes(pending) && handed.length < maxHanded) handed.push(pending);
  app.listen(`pending#${app.numberOf(pending)} ${kind}`, {
    ...{ kind, isOnce },
    like: JSON.stringify(shapeOf(machine, intentOf(state.intent))),
    fire: () => sendPending(machine, pending),
  });
}

/** Takes back what `handOver` gave. */
export function takeBack(machine: Machine, pending: Reference, kind: string): undefined {
  if (pending === null) return;
  const app = appOf(machine);
  const state = pendingOf(pending);
  app.unlisten(`pending#${app.numberOf(pending)} ${kind}`);
  if (state === null) return;
  // Alarms are compared by their intents, not as objects.
  const wanted = JSON.stringify(shapeOf(machine, intentOf(state.intent)));
  const handed = machine.state<HeapObject[]>('android.handed', () => []);
  for (const other of handed) {
    const each = pendingOf(other);
    if (each !== null && JSON.stringify(shapeOf(machine, intentOf(each.intent))) === wanted) {
      app.unlisten(`pending#${app.numberOf(other)} ${kind}`);
    }
  }
}
