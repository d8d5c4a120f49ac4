// The intent that starts a component from outside, made of the first of its filters. Knows no order of events.
import type { Component } from '../android/components/app.ts';
import { intentOf, newIntent } from '../android/components/intent-state.ts';
import { learnedExtras } from '../android/components/missed-extras.ts';
import { newUri } from '../android/data/uri.ts';
import { cardExtras } from '../android/phone/nfc.ts';
import type { HeapObject } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';

/** An intent as the launcher or another app sends it; with a filter of MAIN that one's action, categories and data. */
export function intentFor(machine: Machine, packageName: string, component: Component): HeapObject {
  const filter =
    component.intentFilters.find(({ actions }) => actions.includes('android.intent.action.MAIN')) ??
    component.intentFilters[0];
  const intent = newIntent(machine, {
    component: { packageName, className: component.name, taint: 0 },
    action: filter?.actions[0] === undefined ? null : machine.string(filter.actions[0]),
  });
  for (const category of filter?.categories ?? []) intentOf(intent).categories.set(category, machine.string(category));
  const { scheme, host, path, pathPrefix, mimeType } = Object.assign({}, ...(filter?.data ?? [])) as Record<
    string,
    string | undefined
  >;
  if (scheme !== undefined)
    intentOf(intent).data = newUri(machine, `${scheme}://${host ?? 'example.org'}${path ?? pathPrefix ?? '/'}`);
  if (mimeType !== undefined) intentOf(intent).type = machine.string(mimeType);
  if (filter?.actions[0]?.startsWith('android.nfc.action.') === true) intentOf(intent).extras = cardExtras(machine);
  return fromOutside(machine, component, intent);
}

/** Adds extras that the app compared others with; components that other apps cannot start get none. */
export function fromOutside(machine: Machine, component: Component, intent: HeapObject): HeapObject {
  if (!component.exported) return intent;
  const { extras } = intentOf(intent);
  for (const [name, kept] of learnedExtras(machine, component.name)) if (!extras.has(name)) extras.set(name, kept);
  return intent;
}
