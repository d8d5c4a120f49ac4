// The installed app as the system sees it: its package, running components, what it asked to be told of. Knows no class's
// methods.

import type { Component } from '../../../app/manifest/components.ts';
import type { Manifest } from '../../../app/manifest/manifest.ts';
import type { ResourceTable } from '../../../formats/arsc/resource-table.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import type { IntentShape } from './intent-resolution.ts';
import { IntentResolver, type Reached } from './intent-resolver.ts';
import type { IntentState } from './intent-state.ts';

/** What was installed. */
export interface AppPlan {
  readonly manifest: Manifest;
  readonly resources: ResourceTable | null;
  /** Content of an entry of the archive; null where there is none or it cannot be unpacked. */
  readonly readEntry: (name: string) => Uint8Array | null;
  readonly entryNames: readonly string[];
  /** Path of the installed APK. */
  readonly path: string;
  /** DER of the signer's certificate; null for an unsigned one. */
  readonly certificate: Uint8Array | null;
}

/** Something the app wants to be called for: clicks, locations, timers, broadcasts. */
export interface Listener {
  /** `click`, `location`, `broadcast` … */
  readonly kind: string;
  /** What is touched or listened to, as a person sees it: `button "Log in"`. */
  readonly about?: () => string;
  /** What it has in common with others that do the same: a class, an action. */
  readonly like?: string;
  /** Calls the app. */
  readonly fire: () => void;
  /** Whether it could happen now: a view on screen, a service that runs. */
  readonly isReady?: () => boolean;
  /** Its screen is closed: it will never be ready again. */
  readonly isGone?: () => boolean;
  /** The system calls it once only. */
  readonly isOnce?: boolean;
}

export type ActivityStage = 'created' | 'started' | 'resumed' | 'paused' | 'stopped' | 'destroyed';

export interface ActivityRecord {
  readonly object: HeapObject;
  readonly component: Component;
  /** The activity that started it for a result; null where another app did. */
  readonly caller: ActivityRecord | null;
  /** Started by the app itself, with or without a result asked for. */
  readonly isStartedWithin: boolean;
  readonly requestCode: number;
  stage: ActivityStage;
  intent: HeapObject;
  isFinishing: boolean;
  resultCode: number;
  resultData: HeapObject | null;
  /** The root that setContentView made; null before. */
  content: HeapObject | null;
  savedState: HeapObject | null;
}

export interface ReceiverRegistration {
  readonly receiver: HeapObject;
  readonly filters: HeapObject[];
  readonly permission: string | null;
}

export interface ServiceRecord {
  readonly object: HeapObject;
  readonly component: Component;
  isDestroyed: boolean;
  starts: number;
  binder: HeapObject | null;
  isBound: boolean;
  /** The app's own ServiceConnections that were given the binder. */
  readonly connections: Set<HeapObject>;
}

/** An app that registers in a loop must not fill the worker. */
const maxListeners = 5_000;
const maxLaunches = 5_000;

/** By the action of the screen on which the owner allows it. */
export const permits = [
  'android.app.action.ADD_DEVICE_ADMIN',
  'android.settings.ACCESSIBILITY_SETTINGS',
  'android.settings.ACTION_NOTIFICATION_LISTENER_SETTINGS',
  'android.provider.Telephony.ACTION_CHANGE_DEFAULT',
] as const;
export type Permit = (typeof permits)[number];

/** Kinds of components that intents reach; an alias counts as an activity. */
export type ReachedKind = 'activity' | 'service' | 'receiver';

export class App {
  readonly plan: AppPlan;
  /** Class names of the components that may run, by kind, in the manifest's order. */
  readonly components: readonly Component[];
  /** States set by PackageManager.setComponentEnabledSetting, by class name. */
  readonly enabledSettings = new Map<string, number>();
  /** What the owner allowed when asked. */
  readonly allowed = new Set<Permit>();
  application: HeapObject | null = null;
  readonly activities: ActivityRecord[] = [];
  readonly services = new Map<string, ServiceRecord>();
  readonly providers = new Map<string, HeapObject>();
  readonly receivers: ReceiverRegistration[] = [];
  readonly stickyIntents = new Map<string, IntentState>();
  readonly systemServices = new Map<string, HeapObject>();
  readonly lifecycleCallbacks: HeapObject[] = [];
  readonly componentCallbacks: HeapObject[] = [];
  readonly #listeners = new Map<string, Listener>();
  readonly #resolvers: Readonly<Record<ReachedKind, IntentResolver>>;
  readonly #numbers = new WeakMap<HeapObject, number>();
  #nextNumber = 1;
  #launches = 0;
  /** Called with what a service answered to its first client, before the client has it. */
  onBound: (component: Component, binder: HeapObject) => void = () => undefined;
  /** Called with what the app's code threw where the system would have ended the app. */
  onCrash: (error: unknown, where: string) => void = (error) => {
    throw error;
  };

  constructor(plan: AppPlan) {
    this.plan = plan;
    this.components = plan.manifest.application.enabled ? plan.manifest.components.filter((each) => each.enabled) : [];
    const of = (...kinds: Component['kind'][]) => this.components.filter(({ kind }) => kinds.includes(kind));
    this.#resolvers = {
      activity: new IntentResolver(of('activity', 'activity-alias'), true),
      service: new IntentResolver(of('service'), false),
      receiver: new IntentResolver(of('receiver'), false),
    };
  }

  get packageName(): string {
    return this.plan.manifest.packageName;
  }

  /** The package of the default app for messages: this one, where the owner chose it. */
  get smsApp(): string {
    return this.allowed.has('android.provider.Telephony.ACTION_CHANGE_DEFAULT')
      ? this.packageName
      : 'com.samsung.android.messaging';
  }

  get dataFolder(): string {
    return `/data/data/${this.packageName}`;
  }

  /** Listeners that fit, oldest first: a copy, as firing one may add and remove others. */
  listeners(fits: (listener: Listener) => boolean): (readonly [key: string, listener: Listener])[] {
    const found: (readonly [key: string, listener: Listener])[] = [];
    for (const entry of this.#listeners) if (fits(entry[1])) found.push(entry);
    return found;
  }

  /** The listener under a key; undefined without one. */
  listener(key: string): Listener | undefined {
    return this.#listeners.get(key);
  }

  /** A number that tells objects apart in the keys of listeners. */
  numberOf(object: HeapObject): number {
    let number = this.#numbers.get(object);
    if (number === undefined) {
      number = this.#nextNumber++;
      this.#numbers.set(object, number);
    }
    return number;
  }

  /** Notes what the app wants to be called for; the same key takes the place of what was there. */
  listen(key: string, listener: Listener): void {
    if (this.#listeners.size < maxListeners || this.#listeners.has(key)) {
      // Deleted first, so that the newest listener is the last.
      this.#listeners.delete(key);
      this.#listeners.set(key, listener);
    }
  }

  unlisten(key: string): void {
    this.#listeners.delete(key);
  }

  /** Forgets every listener whose key starts so. */
  unlistenAll(prefix: string): void {
    for (const key of this.#listeners.keys()) if (key.startsWith(prefix)) this.#listeners.delete(key);
  }

  /** Forgets the listeners of all screens, which are closed. */
  closeScreens(): void {
    this.activities.length = 0;
    for (const [key, { isGone }] of this.#listeners) if (isGone?.() === true) this.#listeners.delete(key);
  }

  /** Forgets all that its process had: screens, services, providers, and what it wanted to be called for. */
  endProcess(): void {
    for (const list of [this.activities, this.receivers, this.lifecycleCallbacks, this.componentCallbacks])
      list.length = 0;
    for (const map of [this.services, this.providers, this.#listeners]) map.clear();
    this.application = null;
  }

  recordOf(activity: HeapObject): ActivityRecord | null {
    return this.activities.findLast(({ object }) => object === activity) ?? null;
  }

  /** The activity in front. */
  get front(): ActivityRecord | null {
    return this.activities.findLast(({ stage }) => stage === 'resumed') ?? null;
  }

  /** False once an app has started too many components: two that start each other would never end. */
  mayLaunch(): boolean {
    this.#launches += 1;
    return this.#launches <= maxLaunches;
  }

  isEnabled(component: Component): boolean {
    const setting = this.enabledSettings.get(component.name) ?? 0;
    return setting === 0 || setting === 1;
  }

  /** Enabled components that an intent reaches, those of the highest priority first. */
  *reached(intent: IntentShape, kind: ReachedKind): Generator<Reached> {
    if (intent.packageName !== null && intent.packageName !== this.packageName) return;
    for (const each of this.#resolvers[kind].reached(intent)) if (this.isEnabled(each.component)) yield each;
  }

  /** The class that a component's code is in: an alias's target. */
  classNameOf(component: Component): string {
    return component.kind === 'activity-alias' ? (component.targetActivity ?? component.name) : component.name;
  }
}

interface AppHolder {
  app: App | null;
}

const holderOf = (machine: Machine): AppHolder => machine.state<AppHolder>('android.app', () => ({ app: null }));

export function installApp(machine: Machine, plan: AppPlan): App {
  const app = new App(plan);
  holderOf(machine).app = app;
  return app;
}

/** The app that runs. @throws where none was installed */
export function appOf(machine: Machine): App {
  const { app } = holderOf(machine);
  if (app === null) throw new Error('no app is installed in this machine');
  return app;
}

export type { Component };
