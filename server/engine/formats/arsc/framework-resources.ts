// Names of the framework's public resources and of the values of its enum and flag attributes. Reads each table when
// something in it is asked for first, since most analyses never ask.
import { readFileSync } from 'node:fs';
import { androidAttributeName } from './framework-attributes.ts';

interface FrameworkResources {
  /** By type id in hex: the type's name, and the public names by the lower half of their id in hex. */
  types: Record<string, { name: string; entries: Record<string, string> }>;
  /** Public colours as 0xAARRGGBB, by the lower half of their id in hex. */
  colors: Record<string, number>;
}
type AttributeValues = Record<string, { flags?: true; values: Record<string, number> }>;

const load = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../resources/${file}`, import.meta.url), 'utf8'));

let resources: FrameworkResources | null = null;
let attributeValues: Map<string, AttributeValues[string]> | null = null;

function framework(): FrameworkResources {
  resources ??= load('android-resources.json') as FrameworkResources;
  return resources;
}

/** The name of a public framework resource, `android:style/Theme`, null where it is none or not known. */
export function frameworkResourceName(id: number): string | null {
  if (id >>> 24 !== 1) return null;
  const attribute = androidAttributeName(id);
  if (attribute !== null) return `android:attr/${attribute}`;
  const type = framework().types[((id >>> 16) & 0xff).toString(16)];
  const name = type?.entries[(id & 0xffff).toString(16)];
  return type && name !== undefined ? `android:${type.name}/${name}` : null;
}

/** A public colour of the framework as 0xAARRGGBB, null for any other id. */
export function frameworkColor(id: number): number | null {
  return id >>> 16 === 0x0106 ? (framework().colors[(id & 0xffff).toString(16)] ?? null) : null;
}

/**
 * The value of a framework attribute as its author wrote it: `singleTask`, `orientation|screenSize`.
 * @returns null where the attribute takes no such values or the number is none of them
 */
export function frameworkAttributeValueName(attribute: string, value: number): string | null {
  attributeValues ??= new Map(Object.entries(load('android-attribute-values.json') as AttributeValues));
  const known = attributeValues.get(attribute);
  if (known === undefined) return null;
  const names = Object.entries(known.values);
  const exact = names.find(([, each]) => each === value);
  if (exact) return exact[0];
  if (!known.flags) return null;
  return attribute === 'protectionLevel' || attribute === 'windowSoftInputMode'
    ? combine(names, value, attribute === 'protectionLevel' ? [0xf] : [0xf, 0xf0])
    : combine(names, value, []);
}

/**
 * Flags that make up a number, the wider ones first.
 * @param fields masks within which the values are an enumeration and not flags
 */
function combine(names: [string, number][], value: number, fields: number[]): string | null {
  const parts: string[] = [];
  let rest = value;
  for (const field of fields) {
    const part = names.find(([, each]) => (each & ~field) === 0 && each === (value & field));
    // A field at 0 is named only where nothing else is.
    if (part && (value & field) !== 0) parts.push(part[0]);
    rest &= ~field;
  }
  const inFields = fields.reduce((all, field) => all | field, 0);
  const flags = names
    .filter(([, each]) => each !== 0 && (each & inFields) === 0)
    .sort(([, a], [, b]) => bitsOf(b) - bitsOf(a));
  for (const [name, each] of flags) {
    if ((rest & each) !== each) continue;
    parts.push(name);
    rest &= ~each;
  }
  return rest === 0 && parts.length > 0 ? parts.join('|') : null;
}

function bitsOf(value: number): number {
  let count = 0;
  for (let rest = value >>> 0; rest !== 0; rest &= rest - 1) count++;
  return count;
}
