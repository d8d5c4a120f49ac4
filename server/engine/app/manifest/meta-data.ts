// Values that an app or a component says of itself in `meta-data` and `property` elements. Knows no other element.
// https://developer.android.com/guide/topics/manifest/meta-data-element
import type { XmlElement } from '../../formats/axml/document.ts';
import { type AttributeReader, childElements } from './element-attributes.ts';

/** A value of a `meta-data` element. */
export interface MetaData {
  name: string;
  /** The value with references followed, `@xml/file` for a resource that is no plain value; null where there is none. */
  value: string | null;
  /** Name of the resource of `android:resource`, `xml/provider_paths`; null where there is none. */
  resource: string | null;
}

/** `meta-data` or `property` children of an application or component. */
export function readMetaData(element: XmlElement, tag: string, read: AttributeReader): MetaData[] {
  const found: MetaData[] = [];
  for (const child of childElements(element, tag)) {
    const name = read.text(child, 'name');
    if (name === null) continue;
    const resource = read.referenceText(child, 'resource');
    found.push({ name, value: read.text(child, 'value'), resource: resource?.replace(/^@/, '') ?? null });
  }
  return found;
}
