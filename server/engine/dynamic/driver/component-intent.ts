// The intent that starts a component from outside, made of the first of its filters. Knows no order of events.
import type { Component } from '../android/components/app.ts';
import { intentOf, newIntent } from '../android/components/intent-state.ts';
import { learnedExtras, nextAction } from '../android/components/missed-extras.ts';
import { newUri } from '../android/data/uri.ts';
import { cardExtras } from '../android/phone/nfc.ts';
import type { HeapObject } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';
import { maxOrders } from './budget.ts';

const main = 'android.intent.action.MAIN';

/**
 * An intent as the launcher or another app sends it, with categories and data of the filter that has its action.
 * @param action that of the filter of MAIN, or of the first one, where absent
 */
export function intentFor(machine: Machine, packageName: string, component: Component, action?: string): HeapObject {
  const { intentFilters } = component;
  const usual = intentFilters.find(({ actions }) => actions.includes(main)) ?? intentFilters[0];
  const filter = action === undefined ? usual : intentFilters.find(({ actions }) => actions.includes(action));
  const sent = action ?? filter?.actions[0];
  const intent = newIntent(machine, {
    component: { packageName, className: component.name, taint: 0 },
    action: sent === undefined ? null : machine.string(sent),
  });
  for (const category of filter?.categories ?? []) intentOf(intent).categories.set(category, machine.string(category));
  const { scheme, host, path, pathPrefix, mimeType } = Object.assign({}, ...(filter?.data ?? [])) as Record<
    string,
    string | undefined
  >;
  if (scheme !== undefined)
    intentOf(intent).data = newUri(machine, `${scheme}://${host ?? 'example.org'}${path ?? pathPrefix ?? '/'}`);
  if (mimeType !== undefined) intentOf(intent).type = machine.string(mimeType);
  if (sent?.startsWith('android.nfc.action.') === true) intentOf(intent).extras = cardExtras(machine);
  return addLearned(machine, component.name, intent);
}

/** Actions with which a component is started besides its usual one: those of its filters, then those it turns out to wait for. */
export function* otherActions(machine: Machine, component: Component): Generator<string> {
  const declared = new Set(component.intentFilters.flatMap(({ actions }) => actions));
  const usual = component.intentFilters.find(({ actions }) => actions.includes(main)) ?? component.intentFilters[0];
  const others = [...declared].filter((action) => action !== usual?.actions[0]).slice(0, maxOrders);
  yield* others;
  for (let count = others.length; count < maxOrders; count++) {
    const action = nextAction(machine, component.name);
    if (action === null) return;
    yield action;
  }
}

/** Adds the extras that a component looked for, with what the app compared others with. */
export function addLearned(machine: Machine, component: string, intent: HeapObject): HeapObject {
  const { extras } = intentOf(intent);
  for (const [name, kept] of learnedExtras(machine, component)) if (!extras.has(name)) extras.set(name, kept);
  return intent;
}
