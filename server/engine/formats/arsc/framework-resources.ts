// Names of the framework's public resources and of the values of its enum and flag attributes. Reads its tables when
// the first of them is asked for, since most analyses never do.
import { readFileSync } from 'node:fs';
import { androidAttributeName } from './framework-attributes.ts';

interface FrameworkResources {
  /** Type name, and the public names by the lower half of their id in hex. */
  types: Record<string, { name: string; entries: Record<string, string> }>;
}

let resources: FrameworkResources | null = null;

/** The name of a public framework resource, `android:style/Theme`, null where it is none or not known. */
export function frameworkResourceName(id: number): string | null {
  if (id >>> 24 !== 1) return null;
  const attribute = androidAttributeName(id);
  if (attribute !== null) return `android:attr/${attribute}`;
  resources ??= JSON.parse(
    readFileSync(new URL('../../../../resources/android-resources.json', import.meta.url), 'utf8'),
  ) as FrameworkResources;
  const type = resources.types[((id >>> 16) & 0xff).toString(16)];
  const name = type?.entries[(id & 0xffff).toString(16)];
  return type && name !== undefined ? `android:${type.name}/${name}` : null;
}
