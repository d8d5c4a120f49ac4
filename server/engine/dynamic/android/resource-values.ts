// The app's resources by id and by name, themes included. Knows no class of Android's.
import type { ResValue } from '../../formats/arsc/res-value.ts';
import { isReferenceType, valueTypes } from '../../formats/arsc/res-value.ts';
import type { ResourceBag } from '../../formats/arsc/resource-table.ts';
import type { Machine } from '../machine/model.ts';
import { appOf } from './app.ts';

/** The value of a resource, references followed; null where there is none. */
export function resolveResource(machine: Machine, id: number): ResValue | null {
  return appOf(machine).plan.resources?.resolve(id >>> 0) ?? null;
}

/** `type/name`; empty for an unknown id. */
export function resourceName(machine: Machine, id: number): string {
  return appOf(machine).plan.resources?.nameOf(id >>> 0) ?? '';
}

export function resourceBag(machine: Machine, id: number): ResourceBag | null {
  return appOf(machine).plan.resources?.bestEntry(id >>> 0)?.bag ?? null;
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

/** Attributes of a style with its parents', the nearer ones first. */
export function styleAttributes(machine: Machine, style: number): Map<number, ResValue> {
  const styles = machine.state('android.styles', () => new Map<number, Map<number, ResValue>>());
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

/** A value with references and attributes of the theme followed. */
export function themed(machine: Machine, theme: ReadonlyMap<number, ResValue>, value: ResValue): ResValue | null {
  let found = value;
  for (let step = 0; step < maxSteps; step++) {
    if (found.type !== valueTypes.attribute && found.type !== valueTypes.dynamicAttribute) break;
    const next = theme.get(found.data);
    if (next === undefined) return null;
    found = next;
  }
  if (!isReferenceType(found.type)) return found;
  return appOf(machine).plan.resources?.resolve(found) ?? found;
}
