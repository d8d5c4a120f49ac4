// Uses services, receivers and providers as the system and other apps do. Knows no screen.
import { callApp } from '../android/components/activity-life.ts';
import type { Component } from '../android/components/app.ts';
import { bindAnew, binderOf, runService, sendBroadcast, stopService } from '../android/components/delivery.ts';
import { filterOf } from '../android/components/intent-filter.ts';
import { intentOf, newIntent } from '../android/components/intent-state.ts';
import { asksForMore } from '../android/components/missed-extras.ts';
import { knownAddresses, newUri } from '../android/data/uri.ts';
import { callIfThere } from '../android/model-parts.ts';
import { stringArray } from '../java/values.ts';
import type { HeapObject } from '../machine/heap.ts';
import type { AppProcess, Cause } from './app-process.ts';
import { callFromOutside, useBoundService } from './bound-services.ts';
import { maxOrders, maxRounds, shortWait } from './budget.ts';
import { addLearned, intentFor, otherActions } from './component-intent.ts';
import { broadcastsOf, isSystemAction } from './system-events.ts';
import { useWatchingService } from './watching-services.ts';

const startsService: Cause = { by: 'system', what: 'started the service' };
const sends = (action: string | null): Cause => ({ by: 'system', what: `sent ${action ?? 'a broadcast'}` });

const widgetAction = (step: string) => `android.appwidget.action.APPWIDGET_${step}`;
/** All that a provider of widgets has to declare. */
const widgetUpdate = widgetAction('UPDATE');
/** A widget is put on the home screen, drawn, made larger, and taken away. */
const widgetLife = ['ENABLED', 'UPDATE', 'UPDATE_OPTIONS', 'DELETED', 'DISABLED'].map(widgetAction);

export class BackgroundComponents {
  readonly #process: AppProcess;

  constructor(process: AppProcess) {
    this.#process = process;
    process.app.onBound = ({ exported }, binder) => {
      if (exported) callFromOutside(process.machine, binder);
    };
  }

  /** Starts and binds services, sends broadcasts, asks providers. */
  tryAll(isReversed: boolean): void {
    this.#services(isReversed);
    this.#receivers(isReversed);
    this.#providers();
  }

  /** Uses one service, receiver or provider. */
  tryOne(component: Component): void {
    if (component.kind === 'service') this.#service(component);
    else if (component.kind === 'receiver') this.#receiver(component);
    else this.#provider(component);
  }

  #services(isReversed: boolean): void {
    const { machine, app } = this.#process;
    const services = app.components.filter(({ kind }) => kind === 'service');
    for (const component of isReversed ? [...services].reverse() : services) {
      if (!app.isEnabled(component)) continue;
      this.#service(component);
      if (isReversed) this.#process.run(component.name, () => void stopService(machine, component));
    }
  }

  #service(component: Component): void {
    const { machine, app } = this.#process;
    this.#whileLearning(
      () => [component.name],
      () => {
        const started = intentFor(machine, app.packageName, component);
        this.#process.run(component.name, () => runService(machine, component, started), startsService);
        this.#process.wait(shortWait);
      },
    );
    for (const action of otherActions(machine, component)) {
      const sent = intentFor(machine, app.packageName, component, action);
      this.#process.run(component.name, () => runService(machine, component, sent), startsService);
      this.#process.wait(shortWait);
    }
    const intent = intentFor(machine, app.packageName, component);
    this.#process.run(component.name, () => void binderOf(machine, component, intent), {
      by: 'system',
      what: 'bound the service',
    });
    this.#special(component);
    this.#process.wait(shortWait);
    this.#process.run(component.name, () => bindAnew(machine, component, intent));
    const object = app.services.get(component.name)?.object;
    if (object !== undefined) {
      this.#process.run(component.name, () => {
        callApp(machine, component.name, () => callIfThere(machine, object, 'onLowMemory()V'));
      });
    }
    this.#process.run(component.name, () => runService(machine, component, intent), startsService);
  }

  /** Services that the system itself talks to. */
  #special({ name }: Component): void {
    const { machine, app } = this.#process;
    const object = app.services.get(name)?.object;
    if (object === undefined) return;
    this.#process.run(name, () => useBoundService(machine, name, object));
    this.#process.run(name, () => useWatchingService(machine, name, object));
  }

  #receivers(isReversed: boolean): void {
    const { app } = this.#process;
    const receivers = app.components.filter(({ kind }) => kind === 'receiver');
    for (const component of isReversed ? [...receivers].reverse() : receivers) this.#receiver(component);
    // Receivers that the app registered at run time.
    const waiting = [...app.receivers].flatMap(({ filters }) => filters.flatMap((filter) => filterOf(filter).actions));
    for (const action of new Set(waiting)) this.broadcast(action);
  }

  #receiver(component: Component): void {
    const declared = component.intentFilters.flatMap((filter) => filter.actions);
    const actions = [...new Set(declared.flatMap((action) => (action === widgetUpdate ? widgetLife : [action])))];
    for (const action of actions.length === 0 ? [null] : actions) this.#broadcastTo(component, action);
  }

  /** Sends an action to the receivers that the app registered at run time. */
  broadcast(action: string): void {
    const { machine, app } = this.#process;
    const isSystems = isSystemAction(action);
    const send = (intent: HeapObject) => {
      if (!isSystems) for (const name of receivers()) addLearned(machine, name, intent);
      this.#process.run(
        action,
        () => sendBroadcast(machine, intent, { sink: '', isLocal: true, isOrdered: isSystems }),
        sends(action),
      );
      this.#process.wait(200);
    };
    const receivers = () =>
      app.receivers
        .filter(({ filters }) => filters.some((filter) => filterOf(filter).actions.includes(action)))
        .map(({ receiver }) => receiver.cls.name);
    this.#whileLearning(receivers, () => this.#sendAll(action, send));
  }

  #broadcastTo(component: Component, action: string | null): void {
    const { machine, app } = this.#process;
    if (!app.isEnabled(component)) return;
    // Intents that only the app itself can send are not invented.
    if (action === null && !component.exported) return;
    const send = (intent: HeapObject) => {
      intentOf(intent).component = { packageName: app.packageName, className: component.name, taint: 0 };
      const isOrdered = action !== null && /SMS_|OUTGOING_CALL/.test(action);
      const deliver = () => sendBroadcast(machine, intent, { sink: '', isOrdered });
      this.#process.run(component.name, deliver, sends(action));
      this.#process.wait(500);
    };
    if (action?.startsWith('android.') === true) {
      this.#sendAll(action, send);
      return;
    }
    this.#whileLearning(
      () => [component.name],
      () => {
        if (action === null) send(addLearned(machine, component.name, newIntent(machine)));
        else this.#sendAll(action, (intent) => send(addLearned(machine, component.name, intent)));
      },
    );
  }

  /** Once, and again for as long as one of the components turns out to ask for more, which other apps then say. */
  #whileLearning(names: () => readonly string[], send: () => void): void {
    let round = 0;
    do send();
    while (++round < maxOrders && names().some((name) => asksForMore(this.#process.machine, name)));
  }

  /** Sends an action in all its forms, and then what the app turned out to wait for. */
  #sendAll(action: string, send: (intent: HeapObject) => void): void {
    const sent = new Set<string>();
    for (let round = 0; round < maxRounds; round++) {
      const intents = broadcastsOf(this.#process.machine, action, sent);
      if (intents.length === 0) return;
      for (const intent of intents) send(intent);
    }
  }

  #providers(): void {
    for (const component of this.#process.app.components) if (component.kind === 'provider') this.#provider(component);
  }

  /** Whoever uses the app reads and changes what its providers keep, at each address that they know. */
  #provider(component: Component): void {
    const { machine, app } = this.#process;
    const [authority] = component.authorities;
    const provider = authority === undefined ? undefined : app.providers.get(authority);
    if (provider === undefined) return;
    const addresses = [`content://${authority}/`, ...knownAddresses(machine, authority!)];
    for (const address of addresses) {
      const uri = newUri(machine, address);
      this.#process.run(
        component.name,
        () => {
          for (const [signature, args] of providerCalls) {
            const values = machine.construct(V, '<init>()V');
            const given = { uri, values, where: machine.string('_id = ?'), of: stringArray(machine, ['1']) };
            const all = args.map((arg) => (arg === null ? null : given[arg]));
            callApp(machine, component.name, () => callIfThere(machine, provider, signature, ...all));
          }
        },
        { by: 'system', what: `asked the content provider ${address}` },
      );
    }
  }
}

const U = 'Landroid/net/Uri;';
const S = 'Ljava/lang/String;';
const V = 'Landroid/content/ContentValues;';

/** In the order in which an entry comes, is changed and goes. */
const providerCalls: readonly (readonly [
  signature: string,
  args: readonly ('uri' | 'values' | 'where' | 'of' | null)[],
])[] = [
  [`query(${U}[${S}${S}[${S}${S})Landroid/database/Cursor;`, ['uri', null, null, null, null]],
  [`getType(${U})${S}`, ['uri']],
  [`insert(${U}${V})${U}`, ['uri', 'values']],
  [`update(${U}${V}${S}[${S})I`, ['uri', 'values', 'where', 'of']],
  [`delete(${U}${S}[${S})I`, ['uri', 'where', 'of']],
];
