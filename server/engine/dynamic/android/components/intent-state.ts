// What an Intent holds. Knows no method of Intent and no delivery.
import type { HeapObject, Taint } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { uriText } from '../data/uri.ts';
import { plain, type Reference, stateOf } from '../model-parts.ts';
import { type BundleState, bundleTaint } from './bundle.ts';
import type { ComponentState } from './component-name.ts';
import type { IntentShape } from './intent-resolution.ts';

/** All but class loader, source bounds and the like. */
export interface IntentState {
  action: Reference;
  data: Reference;
  type: Reference;
  categories: Map<string, Reference>;
  component: ComponentState | null;
  package: Reference;
  flags: number;
  extras: BundleState;
  clip: Reference;
  selector: Reference;
  identifier: Reference;
}

export const blank = (): IntentState => ({
  action: null,
  data: null,
  type: null,
  categories: new Map(),
  component: null,
  package: null,
  flags: 0,
  extras: new Map(),
  clip: null,
  selector: null,
  identifier: null,
});

export const intentOf = (intent: HeapObject): IntentState => stateOf<IntentState>(intent, blank);

export function newIntent(machine: Machine, parts: Partial<IntentState> = {}): HeapObject {
  const intent = machine.allocate('Landroid/content/Intent;');
  intent.native = { ...blank(), ...parts };
  return intent;
}

export const copyOf = (state: IntentState): IntentState => ({
  ...state,
  categories: new Map(state.categories),
  extras: new Map(state.extras),
});

export function shapeOf(machine: Machine, state: IntentState): IntentShape {
  return {
    action: state.action === null ? null : plain(machine, state.action),
    data: state.data === null ? null : uriText(state.data),
    type: state.type === null ? null : plain(machine, state.type),
    categories: [...state.categories.keys()],
    className: state.component?.className ?? null,
    packageName: state.component?.packageName ?? (state.package === null ? null : plain(machine, state.package)),
  };
}

/** The union of the taints in an intent. */
export function intentTaint(machine: Machine, state: IntentState): Taint {
  let taint = bundleTaint(machine, state.extras);
  for (const value of [
    state.action,
    state.data,
    state.type,
    state.clip,
    state.identifier,
    ...state.categories.values(),
  ]) {
    if (value !== null) taint = machine.union(taint, machine.union(value.taint, machine.deepTaint(value)));
  }
  return machine.union(taint, state.component?.taint ?? 0);
}

/** A few words for the time line. */
export function intentSummary(machine: Machine, state: IntentState): string {
  const { action, data, className } = shapeOf(machine, state);
  return [className ?? action ?? '', data].filter((part) => part !== null && part !== '').join(' ');
}

/** What is set in `other` and not in `state`, and all its extras. */
export function fillIn(state: IntentState, other: IntentState): void {
  state.action ??= other.action;
  state.data ??= other.data;
  state.type ??= other.type;
  state.package ??= other.package;
  state.component ??= other.component;
  for (const [key, kept] of other.extras) state.extras.set(key, kept);
}
