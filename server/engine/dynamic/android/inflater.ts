// Makes views of binary layout XML, as LayoutInflater does. Knows no activity's life.
import { Findings } from '../../findings.ts';
import { dataToFloat, isReferenceType, valueTypes } from '../../formats/arsc/res-value.ts';
import { isElement, parseBinaryXml, type XmlElement } from '../../formats/axml/document.ts';
import { FormatError } from '../../formats/byte-reader.ts';
import { type HeapObject, JavaThrow } from '../machine/heap.ts';
import type { Machine, Models } from '../machine/model.ts';
import { appOf } from './app.ts';
import { descriptorOf, flag, nothing, plain, type Reference } from './model-parts.ts';
import { resolveResource, resourceName } from './resource-values.ts';
import { addChild, isOnScreen, ownerOf, viewOf } from './view-tree.ts';

/** Layouts that include themselves, or fragments that do, end here. */
const maxDepth = 40;
const widgets = new Set(['View', 'ViewStub', 'SurfaceView', 'TextureView']);

/** An XML resource of the app; null where there is none or it does not parse. */
export function readXml(machine: Machine, id: number): XmlElement | null {
  const documents = machine.state('android.xml', () => new Map<number, XmlElement | null>());
  const known = documents.get(id);
  if (known !== undefined) return known;
  const path = resolveResource(machine, id)?.text ?? null;
  let root: XmlElement | null = null;
  const bytes = path === null ? null : appOf(machine).plan.readEntry(path);
  if (bytes !== null) {
    try {
      root = parseBinaryXml(bytes, new Findings(), path!).root;
    } catch (error) {
      if (!(error instanceof FormatError || error instanceof RangeError)) throw error;
    }
  }
  documents.set(id, root);
  return root;
}

/** An attribute of the framework, or of the app, by its local name. */
const attributeOf = (element: XmlElement, name: string) =>
  element.attributes.find((attribute) => attribute.name === name);

export interface AttributeSetState {
  readonly element: XmlElement;
}

const attributeSet = (machine: Machine, element: XmlElement): HeapObject => {
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

const attributeNumber = (machine: Machine, element: XmlElement, name: string): number | null => {
  const attribute = attributeOf(element, name);
  if (attribute === undefined) return null;
  if (isReferenceType(attribute.type)) return resolveResource(machine, attribute.data)?.data ?? attribute.data;
  return attribute.data | 0;
};

function viewClass(machine: Machine, element: XmlElement): string | null {
  const name = element.name === 'view' ? (attributeOf(element, 'class')?.text ?? 'View') : element.name;
  if (name.includes('.')) return descriptorOf(name);
  const prefix = widgets.has(name) ? 'Landroid/view/' : name === 'WebView' ? 'Landroid/webkit/' : 'Landroid/widget/';
  return machine.classOf(`${prefix}${name};`).descriptor;
}

function makeView(machine: Machine, element: XmlElement, context: HeapObject): HeapObject | null {
  const descriptor = viewClass(machine, element);
  if (descriptor === null) return null;
  const set = attributeSet(machine, element);
  const cls = descriptor.startsWith('Landroid/') ? machine.classOf(descriptor) : machine.findClass(descriptor);
  if (cls === null) return null;
  const signature = '<init>(Landroid/content/Context;Landroid/util/AttributeSet;)V';
  try {
    // An Activity is a factory itself: support libraries put their own views in place of the framework's.
    const factory =
      'onCreateView(Landroid/view/View;Ljava/lang/String;Landroid/content/Context;Landroid/util/AttributeSet;)Landroid/view/View;';
    const maker = machine.resolveMethod(context.cls, factory);
    const made =
      maker?.owner.isApp === true
        ? (machine.invoke(maker, [context, null, machine.string(element.name), context, set]) as Reference)
        : null;
    if (made !== null) return made;
    if (!cls.isApp || machine.resolveMethod(cls, signature)?.owner === cls) {
      return machine.construct(descriptor, signature, context, set);
    }
    return machine.construct(descriptor, '<init>(Landroid/content/Context;)V', context);
  } catch (error) {
    if (!(error instanceof JavaThrow)) throw error;
    // A view of the app that cannot be built stands empty, so that the rest of its screen can be used.
    appOf(machine).onCrash(error, cls.name);
    return machine.construct('Landroid/widget/FrameLayout;', '<init>(Landroid/content/Context;)V', context);
  }
}

/** Sets what the layout says of a view that every view understands. */
export function applyAttributes(machine: Machine, view: HeapObject, element: XmlElement): void {
  const state = viewOf(view);
  state.id = attributeReference(element, 'id') ?? state.id;
  const taint = 0;
  const text = attributeText(machine, element, 'text');
  if (text !== null) state.text = machine.string(text, taint);
  const hint = attributeText(machine, element, 'hint');
  if (hint !== null) state.hint = machine.string(hint);
  const tag = attributeText(machine, element, 'tag');
  if (tag !== null) state.tag = machine.string(tag);
  state.inputType = attributeNumber(machine, element, 'inputType') ?? state.inputType;
  if (attributeNumber(machine, element, 'password')) state.inputType = 0x81;
  state.visibility = (attributeNumber(machine, element, 'visibility') ?? 0) * 4;
  state.isEnabled = attributeNumber(machine, element, 'enabled') !== 0;
  state.isChecked = (attributeNumber(machine, element, 'checked') ?? 0) !== 0;
  const onClick = attributeText(machine, element, 'onClick');
  if (onClick !== null) listenToLayoutClick(machine, view, onClick);
}

const attributeReference = (element: XmlElement, name: string): number | null => {
  const attribute = attributeOf(element, name);
  return attribute === undefined || !isReferenceType(attribute.type) ? null : attribute.data | 0;
};

/** `android:onClick`: a public method of the activity that takes the view. */
function listenToLayoutClick(machine: Machine, view: HeapObject, name: string): void {
  const app = appOf(machine);
  viewOf(view).onClickName = name;
  app.listen(`view#${app.numberOf(view)} click`, {
    kind: 'click',
    isReady: () => isOnScreen(machine, view) && viewOf(view).isEnabled,
    fire: () => {
      const owner = ownerOf(view);
      const target =
        owner !== null && appOf(machine).recordOf(owner) === null ? (viewOf(view).context ?? owner) : owner;
      const signature = `${name}(Landroid/view/View;)V`;
      if (target === null || machine.resolveMethod(target.cls, signature) === null) return;
      machine.call(target, signature, view);
    },
  });
}

/**
 * Makes the views of a layout.
 * @param into the parent they are added to; null for none
 * @returns the layout's root, null where the layout does not read
 */
export function inflate(machine: Machine, layout: number, context: HeapObject, into: Reference): HeapObject | null {
  const root = readXml(machine, layout);
  return root === null ? null : inflateElement(machine, root, context, into, 0);
}

function inflateElement(
  machine: Machine,
  element: XmlElement,
  context: HeapObject,
  into: Reference,
  depth: number,
): HeapObject | null {
  if (depth > maxDepth) return null;
  machine.charge(200);
  if (element.name === 'merge') {
    const parent =
      into ?? machine.construct('Landroid/widget/FrameLayout;', '<init>(Landroid/content/Context;)V', context);
    inflateChildren(machine, element, context, parent, depth);
    return parent;
  }
  if (element.name === 'include') {
    const layout = element.attributes.find(({ name }) => name === 'layout');
    const root = layout === undefined ? null : readXml(machine, layout.data | 0);
    if (root === null) return null;
    const view = inflateElement(machine, root, context, into, depth + 1);
    const id = attributeReference(element, 'id');
    if (view !== null && id !== null && root.name !== 'merge') viewOf(view).id = id;
    return view;
  }
  if (element.name === 'fragment') return inflateFragment(machine, element, context, into);
  if (element.name === 'requestFocus' || element.name === 'tag' || element.name === 'data') return null;
  if (element.name === 'layout') {
    const inner = element.children.filter(isElement).find(({ name }) => name !== 'data');
    return inner === undefined ? null : inflateElement(machine, inner, context, into, depth + 1);
  }
  const view = makeView(machine, element, context);
  if (view === null) return null;
  viewOf(view).context ??= context;
  applyAttributes(machine, view, element);
  if (into !== null) machine.call(into, 'addView(Landroid/view/View;)V', view);
  inflateChildren(machine, element, context, view, depth);
  if (machine.resolveMethod(view.cls, 'onFinishInflate()V')?.owner.isApp === true) {
    machine.call(view, 'onFinishInflate()V');
  }
  return view;
}

function inflateChildren(
  machine: Machine,
  element: XmlElement,
  context: HeapObject,
  parent: HeapObject,
  depth: number,
): void {
  if (element.name === 'ViewStub') return;
  for (const child of element.children) {
    if (isElement(child)) inflateElement(machine, child, context, parent, depth + 1);
  }
}

/** A fragment named in a layout: the framework's own kind; a support library's is made by the activity as a factory. */
function inflateFragment(
  machine: Machine,
  element: XmlElement,
  context: HeapObject,
  into: Reference,
): HeapObject | null {
  const name = attributeText(machine, element, 'name') ?? attributeOf(element, 'class')?.text ?? '';
  const made = makeView(machine, { ...element, name: 'fragment' }, context);
  const holder =
    made !== null && made.cls.name !== 'android.widget.fragment'
      ? made
      : machine.construct('Landroid/widget/FrameLayout;', '<init>(Landroid/content/Context;)V', context);
  viewOf(holder).id = attributeReference(element, 'id') ?? -1;
  if (into !== null) addChild(into, holder);
  const descriptor = descriptorOf(name);
  const cls = name === '' ? null : machine.findClass(descriptor);
  if (cls !== null && machine.isSubclass(cls, machine.classOf('Landroid/app/Fragment;'))) {
    const fragment = machine.construct(descriptor, '<init>()V');
    const manager = machine.call(context, 'getFragmentManager()Landroid/app/FragmentManager;') as HeapObject;
    const transaction = machine.call(manager, 'beginTransaction()Landroid/app/FragmentTransaction;') as HeapObject;
    machine.call(
      transaction,
      'add(ILandroid/app/Fragment;)Landroid/app/FragmentTransaction;',
      viewOf(holder).id,
      fragment,
    );
    machine.call(transaction, 'commit()I');
  }
  return holder;
}

/** Puts a view on screen, shown by an activity or a dialog. */
export function setRoot(_machine: Machine, view: HeapObject, owner: HeapObject): void {
  viewOf(view).owner = owner;
}

const contextFor = (machine: Machine, inflater: HeapObject): HeapObject => {
  const app = appOf(machine);
  return (
    (inflater.native as { context: Reference } | undefined)?.context ??
    app.front?.object ??
    app.activities.at(-1)?.object ??
    app.application!
  );
};

const inflateInto = (machine: Machine, me: HeapObject, layout: number, root: Reference, attach: boolean): Reference => {
  const context = (root === null ? null : viewOf(root).context) ?? contextFor(machine, me);
  const view = inflate(machine, layout, context, attach ? root : null);
  if (view === null) {
    const empty = machine.construct('Landroid/widget/FrameLayout;', '<init>(Landroid/content/Context;)V', context);
    machine.unmodelled(`layout ${resourceName(machine, layout)}`);
    return empty;
  }
  return attach && root !== null ? root : view;
};

export const inflaterModels: Models = {
  'Landroid/view/LayoutInflater;': {
    methods: {
      'inflate(ILandroid/view/ViewGroup;)Landroid/view/View;': (
        machine,
        me: HeapObject,
        layout: number,
        root: Reference,
      ) => inflateInto(machine, me, layout, root, root !== null),
      'inflate(ILandroid/view/ViewGroup;Z)Landroid/view/View;': (
        machine,
        me: HeapObject,
        layout: number,
        root: Reference,
        attach: number,
      ) => inflateInto(machine, me, layout, root, attach !== 0 && root !== null),
      'cloneInContext(Landroid/content/Context;)Landroid/view/LayoutInflater;': (
        machine,
        _me: HeapObject,
        context: Reference,
      ) => {
        const inflater = machine.allocate('Landroid/view/LayoutInflater;');
        inflater.native = { context };
        return inflater;
      },
      'getContext()Landroid/content/Context;': contextFor,
      'setFactory(Landroid/view/LayoutInflater$Factory;)V': nothing,
      'setFactory2(Landroid/view/LayoutInflater$Factory2;)V': nothing,
      'getFactory()Landroid/view/LayoutInflater$Factory;': () => null,
      'getFactory2()Landroid/view/LayoutInflater$Factory2;': () => null,
    },
    staticMethods: {
      'from(Landroid/content/Context;)Landroid/view/LayoutInflater;': (machine, context: Reference) => {
        const inflater = machine.allocate('Landroid/view/LayoutInflater;');
        inflater.native = { context };
        return inflater;
      },
    },
  },
  'Landroid/view/LayoutInflater$Factory;': { isInterface: true },
  'Landroid/view/LayoutInflater$Factory2;': {
    isInterface: true,
    implements: ['Landroid/view/LayoutInflater$Factory;'],
  },
  'Landroid/util/AttributeSet;': { isInterface: true },
  'Landroid/util/XmlAttributeSet;': {
    implements: ['Landroid/util/AttributeSet;'],
    methods: {
      'getAttributeCount()I': (_machine, me: HeapObject) => (me.native as AttributeSetState).element.attributes.length,
      'getAttributeName(I)Ljava/lang/String;': (machine, me: HeapObject, index: number) => {
        const attribute = (me.native as AttributeSetState).element.attributes[index];
        return attribute === undefined ? null : machine.string(attribute.name);
      },
      'getAttributeValue(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;': (
        machine,
        me: HeapObject,
        _namespace: Reference,
        name: Reference,
      ) => {
        const value = attributeText(machine, (me.native as AttributeSetState).element, plain(machine, name));
        return value === null ? null : machine.string(value);
      },
      'getAttributeValue(I)Ljava/lang/String;': (machine, me: HeapObject, index: number) => {
        const { element } = me.native as AttributeSetState;
        const value = attributeText(machine, element, element.attributes[index]?.name ?? '');
        return value === null ? null : machine.string(value);
      },
      'getAttributeBooleanValue(Ljava/lang/String;Ljava/lang/String;Z)Z': (
        machine,
        me: HeapObject,
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
      'getIdAttributeResourceValue(I)I': (_machine, me: HeapObject, otherwise: number) =>
        attributeReference((me.native as AttributeSetState).element, 'id') ?? otherwise,
    },
  },
};
