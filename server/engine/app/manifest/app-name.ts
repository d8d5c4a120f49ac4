// The app's label in every locale it has one for. Knows no manifest beyond two elements.
import { isReferenceType } from '../../formats/arsc/res-value.ts';
import { localeName, type ResourceConfig } from '../../formats/arsc/resource-config.ts';
import type { ResourceTable } from '../../formats/arsc/resource-table.ts';
import type { XmlElement } from '../../formats/axml/document.ts';
import { attributeText } from './attribute-text.ts';
import type { AttributeReader } from './element-attributes.ts';

/** A label leads to its text in one or two steps. */
const maxReferences = 20;
/** Twice as many as Android knows languages; each is looked up by itself. */
const maxLocales = 1000;
/** Letters that Android takes of a label at most. */
const maxLabelLength = 1000;

/**
 * Labels by locale, the default one under `''`: the application's, else the main activity's.
 * @returns an empty record where neither has one
 */
export function readAppNames(
  application: XmlElement,
  mainActivity: XmlElement | null,
  read: AttributeReader,
  table: ResourceTable | null,
): Record<string, string> {
  const element = [application, mainActivity].find((each) => each !== null && read.has(each, 'label'));
  const attribute = element ? read.find(element, 'label') : null;
  const names: Record<string, string> = {};
  if (!element || attribute === null) return names;
  names[''] = read.text(element, 'label') ?? '';
  if (table === null || !isReferenceType(attribute.type)) return names;
  for (const [locale, { language, region, script, variant }] of localesOf(attribute.data, table)) {
    const value = table.resolve(attribute, { language, region, script, variant });
    const text = value === null ? null : attributeText(value);
    if (text !== null) names[locale] = text.slice(0, maxLabelLength);
  }
  // A label without a default value is shown by its first value rather than by its resource's name.
  const [first] = Object.values(names).slice(1);
  if (first !== undefined && table.resolve(attribute) === null) names[''] = first;
  return names;
}

/** Every locale that a resource, or one it refers to, has a value of its own for. */
function localesOf(id: number, table: ResourceTable): Map<string, ResourceConfig> {
  const locales = new Map<string, ResourceConfig>();
  const seen = new Set<number>();
  const pending = [id];
  while (pending.length > 0 && seen.size < maxReferences) {
    const next = pending.pop()!;
    if (seen.has(next)) continue;
    seen.add(next);
    for (const { config, value } of table.entries(next)) {
      const locale = localeName(config);
      if (locale !== '' && locales.size < maxLocales) locales.set(locale, config);
      if (value !== null && isReferenceType(value.type)) pending.push(value.data);
    }
  }
  return locales;
}
