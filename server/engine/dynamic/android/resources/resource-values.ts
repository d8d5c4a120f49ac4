// The app's resources by id and by name, themes included. Knows no class of Android's.
import type { ResValue } from '../../../formats/arsc/res-value.ts';
import { complexToNumber, isReferenceType, valueTypes } from '../../../formats/arsc/res-value.ts';
import type { ResourceConfig } from '../../../formats/arsc/resource-config.ts';
import type { ResourceBag } from '../../../formats/arsc/resource-table.ts';
import type { Machine } from '../../machine/model.ts';
import { worldOf } from '../../world/world.ts';
import { appOf } from '../components/app.ts';
import { configurationOf } from './configuration.ts';

/** The value of a resource, references followed; null where there is none. */
export function resolveResource(machine: Machine, id: number): ResValue | null {
  return appOf(machine).plan.resources?.resolve(id >>> 0, configurationOf(machine)) ?? null;
}

/** `type/name`; empty for an unknown id. */
export function resourceName(machine: Machine, id: number): string {
  return appOf(machine).plan.resources?.nameOf(id >>> 0) ?? '';
}

export function resourceBag(machine: Machine, id: number): ResourceBag | null {
  return appOf(machine).plan.resources?.bestEntry(id >>> 0, configurationOf(machine))?.bag ?? null;
}

/** The id of `type/name`; 0 where there is none. */
export function resourceId(machine: Machine, name: string): number {
  const names = machine.state('android.resource-names', () => {
    const table = appOf(machine).plan.resources;
    const found = new Map<string, number>();
    if (table !== null) {
      for (const id of table.ids()) {
        const each = table.nameOf(id);
        if (each !== null) found.set(each.replace(/^.*:/, ''), id);
      }
    }
    return found;
  });
  return (names.get(name.replace(/^.*:/, '')) ?? 0) | 0;
}

/** Styles inherit a few times; a circle of parents must end. */
const maxParents = 40;

type Styles = Map<number, Map<number, ResValue>>;

/** Attributes of a style with its parents', the nearer ones first. */
export function styleAttributes(machine: Machine, style: number): Map<number, ResValue> {
  const byConfiguration = machine.state('android.styles', () => new WeakMap<ResourceConfig, Styles>());
  const configuration = configurationOf(machine);
  const styles: Styles = byConfiguration.get(configuration) ?? new Map();
  byConfiguration.set(configuration, styles);
  const known = styles.get(style);
  if (known !== undefined) return known;
  const values = new Map<number, ResValue>();
  styles.set(style, values);
  let id = style;
  for (let step = 0; step < maxParents && id !== 0; step++) {
    const bag = resourceBag(machine, id);
    if (bag === null) break;
    for (const { name, value } of bag.items) if (!values.has(name)) values.set(name, value);
    id = bag.parent;
  }
  return values;
}

/** Attributes that lead to attributes end here. */
const maxSteps = 20;

export type ThemeValues = ReadonlyMap<number, ResValue>;

export interface Resolved {
  readonly value: ResValue;
  /** The id of the resource that has the value, or that it refers to where it is a bag; 0 for a literal value. */
  readonly resourceId: number;
}

/** A value with references and attributes of the theme followed; null where that leads nowhere, or to `@null`. */
export function resolveThemed(machine: Machine, theme: ThemeValues, raw: ResValue): Resolved | null {
  let value = raw;
  let resourceId = 0;
  for (let step = 0; step < maxSteps; step++) {
    if (value.type === valueTypes.attribute || value.type === valueTypes.dynamicAttribute) {
      const next = theme.get(value.data);
      if (next === undefined) return null;
      value = next;
    } else if (isReferenceType(value.type)) {
      if (value.data === 0) return null;
      resourceId = value.data;
      const entry = appOf(machine).plan.resources?.bestEntry(value.data, configurationOf(machine)) ?? null;
      if (entry === null || entry.value === null) return { value, resourceId };
      value = entry.value;
    } else return value.type === valueTypes.null && value.data === 0 ? null : { value, resourceId };
  }
  return null;
}

export const density = (machine: Machine): number => worldOf(machine).device.screen.density;

/** A dimension in pixels of the phone's screen; any other value as its number. */
export const pixels = (machine: Machine, value: ResValue): number =>
  value.type === valueTypes.dimension
    ? Math.fround(complexToNumber(value.data) * ((value.data & 0xf) === 0 ? 1 : density(machine)))
    : value.data | 0;
