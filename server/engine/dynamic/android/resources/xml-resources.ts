// Binary XML of the app's resources: documents by id, and their elements as AttributeSet shows them. Knows no view.
import { Findings } from '../../../findings.ts';
import { dataToFloat, isReferenceType, valueTypes } from '../../../formats/arsc/res-value.ts';
import { parseBinaryXml, type XmlElement } from '../../../formats/axml/document.ts';
import { FormatError } from '../../../formats/byte-reader.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models } from '../../machine/model.ts';
import { appOf } from '../components/app.ts';
import { flag, plain, type Reference } from '../model-parts.ts';
import { resolveResource } from './resource-values.ts';

/** An XML resource of the app; null where there is none or it does not parse. */
export function readXml(machine: Machine, id: number): XmlElement | null {
  const path = resolveResource(machine, id)?.text ?? null;
  if (path === null) return null;
  const documents = machine.state('android.xml', () => new Map<string, XmlElement | null>());
  const known = documents.get(path);
  if (known !== undefined) return known;
  let root: XmlElement | null = null;
  const bytes = appOf(machine).plan.readEntry(path);
  if (bytes !== null) {
    try {
      root = parseBinaryXml(bytes, new Findings(), path).root;
    } catch (error) {
      if (!(error instanceof FormatError || error instanceof RangeError)) throw error;
    }
  }
  documents.set(path, root);
  return root;
}

/** An attribute of the framework, or of the app, by its local name. */
export const attributeOf = (element: XmlElement, name: string) =>
  element.attributes.find((attribute) => attribute.name === name);

export interface AttributeSetState {
  readonly element: XmlElement;
}

export const attributeSet = (machine: Machine, element: XmlElement): HeapObject => {
  const set = machine.allocate('Landroid/util/XmlAttributeSet;');
  set.native = { element } satisfies AttributeSetState;
  return set;
};

/** An attribute's value as text, references followed. */
export function attributeText(machine: Machine, element: XmlElement, name: string): string | null {
  const attribute = attributeOf(element, name);
  if (attribute === undefined) return null;
  if (isReferenceType(attribute.type)) return resolveResource(machine, attribute.data)?.text ?? null;
  if (attribute.text !== null) return attribute.text;
  if (attribute.type === valueTypes.float) return String(dataToFloat(attribute.data));
  return String(attribute.data | 0);
}

export const attributeNumber = (machine: Machine, element: XmlElement, name: string): number | null => {
  const attribute = attributeOf(element, name);
  if (attribute === undefined) return null;
  if (isReferenceType(attribute.type)) return resolveResource(machine, attribute.data)?.data ?? attribute.data;
  return attribute.data | 0;
};

/** The id that an attribute refers to; null where it is none. */
export const attributeReference = (element: XmlElement, name: string): number | null => {
  const attribute = attributeOf(element, name);
  return attribute === undefined || !isReferenceType(attribute.type) ? null : attribute.data | 0;
};

export const xmlResourceModels: Models = {
  'Landroid/util/AttributeSet;': { isInterface: true },
  'Landroid/util/XmlAttributeSet;': {
    implements: ['Landroid/util/AttributeSet;'],
    methods: {
      'getAttributeCount()I': (_machine, me) => (me.native as AttributeSetState).element.attributes.length,
      'getAttributeName(I)Ljava/lang/String;': (machine, me, index: number) => {
        const attribute = (me.native as AttributeSetState).element.attributes[index];
        return attribute === undefined ? null : machine.string(attribute.name);
      },
      'getAttributeValue(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;': (
        machine,
        me,
        _namespace: Reference,
        name: Reference,
      ) => {
        const value = attributeText(machine, (me.native as AttributeSetState).element, plain(machine, name));
        return value === null ? null : machine.string(value);
      },
      'getAttributeValue(I)Ljava/lang/String;': (machine, me, index: number) => {
        const { element } = me.native as AttributeSetState;
        const value = attributeText(machine, element, element.attributes[index]?.name ?? '');
        return value === null ? null : machine.string(value);
      },
      'getAttributeBooleanValue(Ljava/lang/String;Ljava/lang/String;Z)Z': (
        machine,
        me,
        _namespace: Reference,
        name: Reference,
        otherwise: number,
      ) => {
        const value = attributeNumber(machine, (me.native as AttributeSetState).element, plain(machine, name));
        return value === null ? otherwise : flag(value !== 0);
      },
      ...Object.fromEntries(
        ['getAttributeIntValue', 'getAttributeResourceValue'].map((name) => [
          `${name}(Ljava/lang/String;Ljava/lang/String;I)I`,
          (machine: Machine, me: HeapObject, _namespace: Reference, attribute: Reference, otherwise: number) =>
            attributeNumber(machine, (me.native as AttributeSetState).element, plain(machine, attribute)) ?? otherwise,
        ]),
      ),
      'getStyleAttribute()I': () => 0,
      'getIdAttributeResourceValue(I)I': (_machine, me, otherwise: number) =>
        attributeReference((me.native as AttributeSetState).element, 'id') ?? otherwise,
    },
  },
};
