// Typed access to the attributes of drawable XML. Knows no drawable in particular.
import {
  complexToNumber,
  dataToFloat,
  dimensionUnit,
  isColorType,
  isIntegerType,
  isReferenceType,
  type ResValue,
  valueTypes,
} from '../../formats/arsc/res-value.ts';
import { isElement, type XmlAttribute, type XmlElement } from '../../formats/axml/document.ts';
import type { DrawableSource } from './drawable-source.ts';

const aaptNamespace = 'http://schemas.android.com/aapt';
/** Pixels per dip at the medium density that all measures are taken in. */
const dipPerUnit: Record<string, number> = { px: 1, dip: 1, sp: 1, pt: 160 / 72, in: 160, mm: 160 / 25.4 };
/** Stands in for the colours that a theme decides. */
const themeColor = 0xff808080;

export class DrawableAttributes {
  readonly source: DrawableSource;

  constructor(source: DrawableSource) {
    this.source = source;
  }

  find(element: XmlElement, name: string): XmlAttribute | null {
    return element.attributes.find((attribute) => attribute.name === name) ?? null;
  }

  value(element: XmlElement, name: string): ResValue | null {
    const attribute = this.find(element, name);
    return attribute === null ? null : this.source.resolve(attribute);
  }

  /** A float, integer, dimension in dip, or a fraction of `whole`. */
  number(element: XmlElement, name: string, fallback: number, whole = 1): number {
    const value = this.value(element, name);
    if (value === null) return fallback;
    const { type, data } = value;
    let found = Number.NaN;
    if (type === valueTypes.float) found = dataToFloat(data);
    else if (type === valueTypes.dimension) found = complexToNumber(data) * (dipPerUnit[dimensionUnit(data)] ?? 1);
    else if (type === valueTypes.fraction) found = complexToNumber(data) * whole;
    else if (isIntegerType(type)) found = data | 0;
    return Number.isFinite(found) ? found : fallback;
  }

  /** The element's own inline resource for an attribute, `<aapt:attr name="android:fillColor">`. */
  inline(element: XmlElement, name: string): XmlElement | null {
    for (const node of element.children) {
      if (!isElement(node) || node.name !== 'attr' || node.namespace !== aaptNamespace) continue;
      const target = this.find(node, 'name')?.text ?? '';
      if (target.split(':').at(-1) === name) return node.children.find(isElement) ?? null;
    }
    return null;
  }

  /**
   * A colour, or the XML of a gradient or colour state list; null where there is none.
   */
  color(element: XmlElement, name: string): number | XmlElement | null {
    const inline = this.inline(element, name);
    if (inline !== null) return inline;
    const attribute = this.find(element, name);
    if (attribute === null) return null;
    if (attribute.type === valueTypes.attribute || attribute.type === valueTypes.dynamicAttribute) return themeColor;
    const value = this.source.resolve(attribute);
    if (value !== null && isColorType(value.type)) return value.data;
    if (isReferenceType(attribute.type)) {
      const drawable = this.source.find(attribute, true);
      if (drawable?.kind === 'xml') return drawable.root;
      if (drawable?.kind === 'color') return drawable.argb;
    }
    return null;
  }

  /** A colour alone: the first stop of a gradient, the default of a state list. */
  plainColor(element: XmlElement, name: string): number | null {
    const color = this.color(element, name);
    return color === null || typeof color === 'number' ? color : this.#defaultOf(color, 0);
  }

  /** The colour that a state list gives without any state, which by custom is its last. */
  #defaultOf(root: XmlElement, depth: number): number | null {
    if (depth > 4) return null;
    const items = root.children.filter(isElement).filter((child) => child.name === 'item');
    for (const item of items.reverse()) {
      const color = this.color(item, 'color');
      if (color === null) continue;
      const argb = typeof color === 'number' ? color : this.#defaultOf(color, depth + 1);
      if (argb === null) continue;
      const alpha = this.number(item, 'alpha', 1);
      return alpha < 1 ? ((Math.round((argb >>> 24) * Math.max(0, alpha)) << 24) | (argb & 0xffffff)) >>> 0 : argb;
    }
    return this.plainColorOf(root, ['startColor', 'color'], depth);
  }

  plainColorOf(element: XmlElement, names: string[], depth = 0): number | null {
    for (const name of names) {
      const color = this.color(element, name);
      if (typeof color === 'number') return color;
      if (color !== null) return this.#defaultOf(color, depth + 1);
    }
    return null;
  }
}
