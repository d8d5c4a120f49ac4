// Makes preferences and headers of settings screens from binary XML. Knows no click.
import { isElement, type XmlElement } from '../../../formats/axml/document.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { newBundle } from '../components/bundle.ts';
import { newIntent } from '../components/intent-state.ts';
import { descriptorOf, type Reference } from '../model-parts.ts';
import {
  type AttributeSetState,
  attributeNumber,
  attributeReference,
  attributeSet,
  attributeText,
  readXml,
} from '../resources/xml-resources.ts';
import { preferenceOf } from './preference-state.ts';

const maxDepth = 20;
/** `android:defaultValue`. */
const defaultValueAttribute = 0x010101ed;

export const headerType = 'Landroid/preference/PreferenceActivity$Header;';

/** The element that an app's own constructor passed on; null where it made its attributes in another way. */
const elementOf = (set: Reference): XmlElement | null =>
  (set?.native as Partial<AttributeSetState> | undefined)?.element ?? null;

/** Sets what `res/xml` says of every kind of preference. */
export function readPreference(machine: Machine, preference: HeapObject, context: Reference, set: Reference): void {
  const state = preferenceOf(machine, preference);
  state.context = context;
  const element = elementOf(set);
  if (element === null) return;
  const text = (name: string): Reference => {
    const value = attributeText(machine, element, name);
    return value === null ? null : machine.string(value);
  };
  state.key = attributeText(machine, element, 'key');
  state.title = text('title');
  state.summary = text('summary');
  state.isEnabled = attributeNumber(machine, element, 'enabled') !== 0;
  state.isPersistent = attributeNumber(machine, element, 'persistent') !== 0;
  state.fragment = attributeText(machine, element, 'fragment');
  state.layout = attributeReference(element, 'layout') ?? 0;
  state.widgetLayout = attributeReference(element, 'widgetLayout') ?? 0;
  if (attributeText(machine, element, 'defaultValue') === null || context === null) return;
  const attributes = machine.array('I', 1);
  attributes.elements[0] = defaultValueAttribute;
  const typed = machine.call(
    context,
    'obtainStyledAttributes(Landroid/util/AttributeSet;[I)Landroid/content/res/TypedArray;',
    set,
    attributes,
  );
  state.initial = machine.call(
    preference,
    'onGetDefaultValue(Landroid/content/res/TypedArray;I)Ljava/lang/Object;',
    typed,
    0,
  ) as Reference;
}

/** An array of texts that an attribute names; null without one. */
export function textsOf(machine: Machine, context: Reference, set: Reference, name: string): Reference {
  const element = elementOf(set);
  const id = element === null ? null : attributeReference(element, name);
  if (id === null || context === null) return null;
  const resources = machine.call(context, 'getResources()Landroid/content/res/Resources;') as Reference;
  return machine.call(resources, 'getTextArray(I)[Ljava/lang/CharSequence;', id) as Reference;
}

/** An attribute of the element that a preference was made of, as text. */
export const ownAttribute = (machine: Machine, set: Reference, name: string): string | null => {
  const element = elementOf(set);
  return element === null ? null : attributeText(machine, element, name);
};

/** The resource that an attribute of that element names; 0 for none. */
export function ownReference(set: Reference, name: string): number {
  const element = elementOf(set);
  return element === null ? 0 : (attributeReference(element, name) ?? 0);
}

/** The screen that an XML resource describes, nothing attached yet; null where it describes none. */
export function inflatePreferences(machine: Machine, id: number, context: HeapObject): Reference {
  const root = readXml(machine, id);
  return root === null ? null : inflateElement(machine, root, context, 0);
}

function inflateElement(machine: Machine, element: XmlElement, context: HeapObject, depth: number): Reference {
  machine.charge(200);
  const descriptor = element.name.includes('.') ? descriptorOf(element.name) : `Landroid/preference/${element.name};`;
  const cls = element.name.includes('.') ? machine.findClass(descriptor) : machine.classOf(descriptor);
  if (cls === null) return null;
  const preference = machine.construct(
    descriptor,
    '<init>(Landroid/content/Context;Landroid/util/AttributeSet;)V',
    context,
    attributeSet(machine, element),
  );
  const state = preferenceOf(machine, preference);
  state.context ??= context;
  for (const child of element.children.filter(isElement)) {
    if (child.name === 'intent') state.intent = intentOfElement(machine, child);
    else if (child.name === 'extra') {
      state.extras ??= newBundle(machine);
      addExtra(machine, state.extras, child);
    } else if (depth < maxDepth) {
      const inner = inflateElement(machine, child, context, depth + 1);
      if (inner === null) continue;
      preferenceOf(machine, inner).parent = preference;
      state.children.push(inner);
    }
  }
  return preference;
}

function intentOfElement(machine: Machine, element: XmlElement): HeapObject {
  const text = (name: string) => attributeText(machine, element, name);
  const [action, target, data] = [text('action'), text('targetClass'), text('data')];
  const intent = newIntent(machine, { action: action === null ? null : machine.string(action) });
  if (target !== null)
    machine.call(
      intent,
      'setClassName(Ljava/lang/String;Ljava/lang/String;)Landroid/content/Intent;',
      machine.string(text('targetPackage') ?? ''),
      machine.string(target),
    );
  if (data !== null) {
    const uri = machine.callStatic(
      'Landroid/net/Uri;',
      'parse(Ljava/lang/String;)Landroid/net/Uri;',
      machine.string(data),
    );
    machine.call(intent, 'setData(Landroid/net/Uri;)Landroid/content/Intent;', uri);
  }
  return intent;
}

function addExtra(machine: Machine, bundle: HeapObject, element: XmlElement): void {
  const [name, value] = [attributeText(machine, element, 'name'), attributeText(machine, element, 'value')];
  if (name === null || value === null) return;
  const put = 'putString(Ljava/lang/String;Ljava/lang/String;)V';
  machine.call(bundle, put, machine.string(name), machine.string(value));
}

/** The headers of an XML resource, in its order. */
export function inflateHeaders(machine: Machine, id: number): HeapObject[] {
  const root = readXml(machine, id);
  if (root === null) return [];
  return root.children
    .filter(isElement)
    .filter(({ name }) => name === 'header')
    .map((element) => {
      const header = machine.construct(headerType, '<init>()V');
      machine.setField(header, 'id', BigInt(attributeReference(element, 'id') ?? -1));
      for (const name of ['title', 'summary', 'fragment']) {
        const value = attributeText(machine, element, name);
        machine.setField(header, name, value === null ? null : machine.string(value));
      }
      for (const child of element.children.filter(isElement)) {
        if (child.name === 'intent') machine.setField(header, 'intent', intentOfElement(machine, child));
        if (child.name !== 'extra') continue;
        const extras = (machine.getField(header, 'fragmentArguments') as Reference) ?? newBundle(machine);
        machine.setField(header, 'fragmentArguments', extras);
        addExtra(machine, extras, child);
      }
      return header;
    });
}
