// Typed access to the attributes of a manifest's elements, references resolved. Knows no element in particular.
import { androidAttributeName } from '../../formats/arsc/framework-attributes.ts';
import { isIntegerType, isReferenceType, type ResValue } from '../../formats/arsc/res-value.ts';
import type { ResourceConfig } from '../../formats/arsc/resource-config.ts';
import type { ResourceTable } from '../../formats/arsc/resource-table.ts';
import { isElement, type XmlAttribute, type XmlDocument, type XmlElement } from '../../formats/axml/document.ts';
import { attributeText } from './attribute-text.ts';

const androidNamespace = 'http://schemas.android.com/apk/res/android';
/** Android takes names of 255 letters, labels of a thousand. */
export const maxNameLength = 255;
/** The largest manifests have texts of one megabyte. */
const usualTotalText = 4 * 1024 * 1024;
/** Nearly all names of Android's own permissions and actions are shorter. */
const maxBeginningLength = 64;
/**
 * How long a text may be, by how much text was read before it. A pooled string can be referred to a million times, and a
 * report repeats it each time: first long texts are cut to the length of a name, then names to their beginning.
 */
const textLimits: readonly { upTo: number; length: number }[] = [
  { upTo: usualTotalText, length: 16_384 },
  { upTo: 2 * usualTotalText, length: maxNameLength },
  { upTo: Number.POSITIVE_INFINITY, length: maxBeginningLength },
];

/** Reads attributes as Android does: `android:` ones by resource id, `package` and others without a namespace by name. */
export class AttributeReader {
  readonly #table: ResourceTable | null;
  /** Without a resource map Android would see nothing; what the author wrote is then read by name. */
  readonly #byName: boolean;
  #totalText = 0;
  /** Index of the text limit that now applies. */
  #limit = 0;

  constructor(document: XmlDocument, table: ResourceTable | null) {
    this.#table = table;
    this.#byName = !document.hasResourceIds;
  }

  /** The `android:` attribute of a name; the first of several. */
  find(element: XmlElement, name: string): XmlAttribute | null {
    for (const attribute of element.attributes) {
      if (attribute.name !== name) continue;
      // A right name over another id is there to mislead tools.
      if (androidAttributeName(attribute.resourceId) === name) return attribute;
      if (this.#byName && (attribute.namespace === androidNamespace || attribute.namespace === null)) return attribute;
    }
    return null;
  }

  has(element: XmlElement, name: string): boolean {
    return this.find(element, name) !== null;
  }

  /** The text of an attribute that Android finds by name alone, null where it is absent. */
  plain(element: XmlElement, name: string): string | null {
    for (const attribute of element.attributes) {
      if (attribute.namespace === null && attribute.writtenName === name) {
        return this.#bounded(attribute.rawValue ?? attributeText(attribute));
      }
    }
    return null;
  }

  /**
   * The text of an `android:` attribute as it was written, no reference followed: Android looks up the names of actions
   * and categories so, by namespace and name. Where that finds nothing, the text of the one found by id.
   */
  written(element: XmlElement, name: string): string | null {
    const isNamed = (each: XmlAttribute) => each.namespace === androidNamespace && each.writtenName === name;
    const attribute = element.attributes.find(isNamed) ?? this.find(element, name);
    return attribute === null ? null : this.#bounded(attribute.rawValue ?? attributeText(attribute));
  }

  /** The attribute's value with references followed; null where it is absent or leads nowhere. */
  value(element: XmlElement, name: string, wanted?: Partial<ResourceConfig>): ResValue | null {
    const attribute = this.find(element, name);
    if (attribute === null) return null;
    if (!isReferenceType(attribute.type)) return attribute;
    return this.#table?.resolve(attribute, wanted) ?? null;
  }

  /** Text as androguard writes it; a reference that leads nowhere reads as its name or `@7F010001`. */
  text(element: XmlElement, name: string, wanted?: Partial<ResourceConfig>): string | null {
    const attribute = this.find(element, name);
    if (attribute === null) return null;
    if (!isReferenceType(attribute.type)) return this.#bounded(attributeText(attribute) ?? attribute.rawValue);
    const value = this.#table?.resolve(attribute, wanted);
    return this.#bounded(value ? attributeText(value) : this.#referenceText(attribute.data, attribute));
  }

  /**
   * The text of a string that stands in the document itself: Android takes no reference for the names of what an app
   * asks for. Null where there is none.
   */
  literal(element: XmlElement, name: string): string | null {
    return this.#bounded(this.find(element, name)?.text ?? null);
  }

  #bounded(text: string | null): string | null {
    if (text === null) return null;
    const { upTo, length } = textLimits[this.#limit]!;
    this.#totalText += Math.min(text.length, length);
    if (this.#totalText > upTo) this.#limit++;
    return text.length > length ? text.slice(0, length) : text;
  }

  /** Whether texts have summed up to so much that they were cut. */
  get isCut(): boolean {
    return this.#limit > 0;
  }

  #referenceText(id: number, value: ResValue): string | null {
    if (id === 0) return null;
    const name = this.#table?.nameOf(id);
    return name ? `@${name}` : attributeText(value);
  }

  /** What the attribute refers to, as `@xml/network_security_config`; its text where it is no reference. */
  referenceText(element: XmlElement, name: string): string | null {
    const attribute = this.find(element, name);
    if (attribute === null) return null;
    return this.#bounded(
      isReferenceType(attribute.type) ? this.#referenceText(attribute.data, attribute) : attributeText(attribute),
    );
  }

  /** The resource id the attribute refers to, null where it is absent or no reference. */
  reference(element: XmlElement, name: string): number | null {
    const attribute = this.find(element, name);
    return attribute !== null && isReferenceType(attribute.type) && attribute.data !== 0 ? attribute.data : null;
  }

  boolean(element: XmlElement, name: string): boolean | null {
    const value = this.value(element, name);
    if (value === null) return null;
    if (isIntegerType(value.type)) return value.data !== 0;
    const text = value.text?.trim();
    if (text === 'true' || text === 'TRUE' || text === '1') return true;
    return text === 'false' || text === 'FALSE' || text === '0' ? false : null;
  }

  /** A signed 32-bit number; text of a number counts as one. */
  integer(element: XmlElement, name: string): number | null {
    const value = this.value(element, name);
    if (value === null) return null;
    if (isIntegerType(value.type)) return value.data | 0;
    const text = value.text?.trim() ?? '';
    return /^[-+]?(0[xX][0-9a-fA-F]+|\d+)$/.test(text) && text.length < 16 ? Number(text) : null;
  }

  /** Every attribute by its name, as text; the `android:` ones and those without a namespace. */
  all(element: XmlElement): Record<string, string> {
    const found: Record<string, string> = {};
    for (const attribute of element.attributes) {
      const text = this.#bounded(
        isReferenceType(attribute.type)
          ? this.#referenceText(attribute.data, attribute)
          : (attributeText(attribute) ?? attribute.rawValue),
      );
      const name = this.#bounded(attribute.name)!;
      if (name !== '' && text !== null && !Object.hasOwn(found, name)) {
        Object.defineProperty(found, name, {
          value: text,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
    }
    return found;
  }
}

/** The element's child elements of a name, in order. */
export function childElements(element: XmlElement, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const node of element.children) if (isElement(node) && node.name === name) found.push(node);
  return found;
}
