// The resource table as an analyst reads it: types, and every resource with its values by configuration.
import type { Resource, ResourceOutline, ResourcePage } from '../../contract/engine/exploration.ts';
import { qualifiersOf } from '../formats/arsc/qualifiers.ts';
import { hex8, isColorType, isReferenceType, type ResValue, valueText, valueTypes } from '../formats/arsc/res-value.ts';
import type { ResourceEntry, ResourceTable } from '../formats/arsc/resource-table.ts';
import type { OpenedApp } from './opened-app.ts';

/** Values of one resource in a list; the widest strings have some hundred locales. */
const maxValues = 200;
/** A longer value is data. */
const maxValueLength = 4000;
const maxItems = 50;
/** Milliseconds, after which a search ends with what it found. */
const patience = 2500;
/** Resources between looks at the clock. */
const stride = 256;

/** https://android.googlesource.com/platform/frameworks/base/+/refs/heads/main/libs/androidfw/include/androidfw/ResourceTypes.h */
const pluralNames: ReadonlyMap<number, string> = new Map([
  [0x01000004, 'other'],
  [0x01000005, 'zero'],
  [0x01000006, 'one'],
  [0x01000007, 'two'],
  [0x01000008, 'few'],
  [0x01000009, 'many'],
]);

type Value = Resource['values'][number];

/** Types with their numbers of resources, by package. */
export function resourceOutline({ resources: table }: OpenedApp): ResourceOutline {
  if (table === null) return { packages: [] };
  const counts = new Map<number, number>();
  for (const id of table.ids()) counts.set(id >>> 16, (counts.get(id >>> 16) ?? 0) + 1);
  const seen = new Set<number>();
  const packages = table.packages
    .filter(({ id }) => !seen.has(id) && seen.add(id))
    .map(({ id, name }) => ({
      id,
      name,
      types: [...table.typeNames(id)]
        .map(([type, typeName]) => ({ name: typeName, count: counts.get((id << 8) | type) ?? 0 }))
        .filter(({ count }) => count > 0),
    }));
  return { packages };
}

/** A page of the resources of a type, or of all, whose name or a value of which holds the searched text. */
export function resourcesOf(
  { resources: table }: OpenedApp,
  question: { type?: string | undefined; search: string; offset: number; limit: number },
): ResourcePage {
  const page: ResourcePage = { count: 0, is_cut: false, results: [] };
  if (table === null) return page;
  const { type: wantedType, offset, limit } = question;
  const search = question.search.toLowerCase();
  const types = new Map(table.packages.map(({ id }) => [id, table.typeNames(id)]));
  const deadline = performance.now() + patience;
  let looked = 0;
  for (const id of table.ids()) {
    const type = types.get(id >>> 24)?.get((id >>> 16) & 0xff) ?? '';
    if (wantedType !== undefined && type !== wantedType) continue;
    if (++looked % stride === 0 && performance.now() > deadline) {
      page.is_cut = true;
      break;
    }
    const isListed = page.count >= offset && page.results.length < limit;
    if (search === '' && !isListed) {
      page.count++;
      continue;
    }
    const resource = resourceOf(table, id, type);
    if (search !== '' && !holds(resource, search)) continue;
    page.count++;
    if (isListed) page.results.push(resource);
  }
  return page;
}

const holds = ({ id, name, values }: Resource, search: string): boolean =>
  name.toLowerCase().includes(search) ||
  id.includes(search) ||
  values.some(({ value }) => value.toLowerCase().includes(search));

function resourceOf(table: ResourceTable, id: number, type: string): Resource {
  const entries = table.entries(id);
  const whole = table.nameOf(id) ?? '';
  return {
    id: `0x${hex8(id)}`,
    type,
    name: whole.startsWith(`${type}/`) ? whole.slice(type.length + 1) : whole,
    values: entries.slice(0, maxValues).map((entry) => shownValue(table, entry)),
    values_count: entries.length,
  };
}

function shownValue(table: ResourceTable, { config, value, bag }: ResourceEntry): Value {
  const qualifiers = qualifiersOf(config);
  if (value !== null) return { config: qualifiers, ...describe(table, value) };
  const items = bag?.items ?? [];
  const shown = items.slice(0, maxItems).map((item) => {
    const { value: text } = describe(table, item.value);
    const quantity = pluralNames.get(item.name);
    if (quantity !== undefined) return `${quantity}=${text}`;
    // Arrays number their items from 0x02000000; what else has a name is an attribute.
    if (item.name >>> 24 === 2) return text;
    return `${table.nameOf(item.name)?.replace(/^(?:android:)?attr\//, '') ?? `0x${hex8(item.name)}`}=${text}`;
  });
  const parent = bag === null || bag.parent === 0 ? '' : `${nameOrId(table, bag.parent)}: `;
  const rest = items.length > maxItems ? `, … ${items.length - maxItems} more` : '';
  return { config: qualifiers, kind: 'bag', value: cut(`${parent}${shown.join(', ')}${rest}`) };
}

const cut = (text: string): string => (text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text);

const nameOrId = (table: ResourceTable, id: number): string => `@${table.nameOf(id) ?? hex8(id)}`;

function describe(table: ResourceTable, value: ResValue): { kind: Value['kind']; value: string } {
  if (value.type === valueTypes.string) {
    const text = value.text ?? '';
    return { kind: /^(?:res|r|R)\/./.test(text) ? 'file' : 'string', value: cut(text) };
  }
  if (isReferenceType(value.type)) return { kind: 'reference', value: nameOrId(table, value.data) };
  if (value.type === valueTypes.attribute || value.type === valueTypes.dynamicAttribute) {
    return { kind: 'reference', value: `?${table.nameOf(value.data) ?? hex8(value.data)}` };
  }
  return { kind: isColorType(value.type) ? 'color' : 'other', value: valueText(value) ?? '' };
}
