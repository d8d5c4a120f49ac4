// Finds the components that an intent reaches: their filters by what they ask for, as Android's IntentResolver keeps them.
// Knows no machine.
import type { Component, IntentFilter } from '../../../app/manifest/components.ts';
import { splitUri } from '../data/uri.ts';
import { dataValues, type IntentShape, matchesFilter } from './intent-resolution.ts';

/** A component that an intent reaches, and with what priority: that of its filter, nothing where it was named. */
export interface Reached {
  readonly component: Component;
  readonly priority: number;
}

interface Entry extends Reached {
  readonly filter: IntentFilter;
}

const typed = 'any type';

/** Under what a filter is found: its actions, and for intents without one its types, else its schemes. */
function keysOf(filter: IntentFilter): Set<string> {
  const keys = filter.actions.map((action) => `action ${action}`);
  if (dataValues(filter, 'mimeType').length > 0) keys.push(typed);
  else keys.push(...dataValues(filter, 'scheme').map((scheme) => `scheme ${scheme}`));
  return new Set(keys);
}

/** Keys of the filters that an intent may match. An intent without action, data and component matches none. */
function keyOf({ action, data, type }: IntentShape): string | null {
  if (action !== null) return `action ${action}`;
  if (type !== null) return typed;
  return data === null ? null : `scheme ${splitUri(data).scheme ?? ''}`;
}

export class IntentResolver {
  readonly #named = new Map<string, Component>();
  readonly #entries = new Map<string, Entry[]>();
  readonly #needsDefault: boolean;

  /** @param needsDefault of activities: they have to ask for the category DEFAULT, see `matchesFilter` */
  constructor(components: readonly Component[], needsDefault: boolean) {
    this.#needsDefault = needsDefault;
    for (const component of components) {
      if (!this.#named.has(component.name)) this.#named.set(component.name, component);
      for (const filter of component.intentFilters) {
        const entry = { component, filter, priority: filter.priority ?? 0 };
        for (const key of keysOf(filter)) {
          const entries = this.#entries.get(key);
          if (entries === undefined) this.#entries.set(key, [entry]);
          else entries.push(entry);
        }
      }
    }
    for (const entries of this.#entries.values()) entries.sort((left, right) => right.priority - left.priority);
  }

  /** Each component that an intent reaches, those of the highest priority first. */
  *reached(intent: IntentShape): Generator<Reached> {
    if (intent.className !== null) {
      const component = this.#named.get(intent.className);
      if (component !== undefined) yield { component, priority: 0 };
      return;
    }
    const key = keyOf(intent);
    const seen = new Set<Component>();
    for (const entry of key === null ? [] : (this.#entries.get(key) ?? [])) {
      if (seen.has(entry.component) || !matchesFilter(entry.filter, intent, this.#needsDefault)) continue;
      seen.add(entry.component);
      yield entry;
    }
  }
}
