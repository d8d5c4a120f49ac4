// The app's label in every locale it has one for. Knows no manifest beyond two elements.
import { isReferenceType, valueText } from '../formats/arsc/res-value.ts';
import { localeName } from '../formats/arsc/resource-config.ts';
import type { ResourceTable } from '../formats/arsc/resource-table.ts';
import type { XmlElement } from '../formats/axml/document.ts';
import type { AttributeReader } from './element-attributes.ts';

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
  const locales = new Map<string, { language: string; region: string; script: string; variant: string }>();
  for (const { config } of table.entries(attribute.data)) locales.set(localeName(config), config);
  for (const [locale, { language, region, script, variant }] of locales) {
    if (locale === '') continue;
    const value = table.resolve(attribute, { language, region, script, variant });
    const text = value === null ? null : valueText(value);
    if (text !== null) names[locale] = text;
  }
  return names;
}
