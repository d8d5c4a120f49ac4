// Makes views of binary layout XML, as LayoutInflater does. Knows no activity's life.

import { isElement, type XmlElement } from '../../../formats/axml/document.ts';
import { made } from '../../java/values.ts';
import { type HeapObject, JavaThrow } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { appOf } from '../components/app.ts';
import { callIfThere, descriptorOf, isAppMethod, plain, type Reference, sideState, stateOf } from '../model-parts.ts';
import { newDrawable } from '../resources/drawables.ts';
import { frameworkLayout } from '../resources/framework-layouts.ts';
import { resourceName } from '../resources/resource-values.ts';
import { contextValue } from '../resources/theme.ts';
import {
  attributeNumber,
  attributeOf,
  attributeReference,
  attributeSet,
  attributeText,
  readXml,
} from '../resources/xml-resources.ts';
import { placeFragment } from '../screens/fragment-lives.ts';
import { addInflated, parametersFor, setLayoutParameters } from './layout-parameters.ts';
import { isGone, isOnScreen, ownerOf, viewOf } from './view-tree.ts';
import { viewWords } from './view-words.ts';

/** Bound on nesting: layouts and fragments may include themselves. */
const maxDepth = 40;
const widgets = new Set(['View', 'ViewStub', 'SurfaceView', 'TextureView']);

function viewClass(machine: Machine, element: XmlElement): string {
  const name = element.name === 'view' ? (attributeOf(element, 'class')?.text ?? 'View') : element.name;
  if (name.includes('.')) return descriptorOf(name);
  const prefix = widgets.has(name) ? 'Landroid/view/' : name === 'WebView' ? 'Landroid/webkit/' : 'Landroid/widget/';
  return machine.classOf(`${prefix}${name};`).descriptor;
}

/** The factories that an inflater asks before it creates a view itself. */
interface InflaterState {
  readonly context: HeapObject;
  /** Newest first; each may return null. */
  readonly factories: readonly HeapObject[];
  /** An activity is a factory itself. */
  readonly owner: Reference;
}

const view = 'Landroid/view/View;';
const fromFactory2 = `onCreateView(${view}Ljava/lang/String;Landroid/content/Context;Landroid/util/AttributeSet;)${view}`;
const fromFactory = `onCreateView(Ljava/lang/String;Landroid/content/Context;Landroid/util/AttributeSet;)${view}`;

/** Support libraries put their own views in place of the framework's. */
function madeByFactory(
  machine: Machine,
  { factories, owner }: InflaterState,
  element: XmlElement,
  context: HeapObject,
  parent: Reference,
): Reference {
  const name = machine.string(element.name);
  const set = attributeSet(machine, element);
  for (const factory of owner === null ? factories : [...factories, owner]) {
    const wide = machine.resolveMethod(factory.cls, fromFactory2);
    const made = (
      wide !== null
        ? machine.invoke(wide, [factory, parent, name, context, set])
        : callIfThere(machine, factory, fromFactory, name, context, set)
    ) as Reference;
    if (made !== null) return made;
  }
  return null;
}

const empty = (machine: Machine, context: HeapObject): HeapObject =>
  machine.construct('Landroid/widget/FrameLayout;', '<init>(Landroid/content/Context;)V', context);

function makeView(
  machine: Machine,
  state: InflaterState,
  element: XmlElement,
  context: HeapObject,
  parent: Reference,
): HeapObject | null {
  const descriptor = viewClass(machine, element);
  try {
    const made = madeByFactory(machine, state, element, context, parent);
    if (made !== null) return made;
    const cls = descriptor.startsWith('Landroid/') ? machine.classOf(descriptor) : machine.findClass(descriptor);
    if (cls === null) return null;
    const signature = '<init>(Landroid/content/Context;Landroid/util/AttributeSet;)V';
    if (!cls.isApp || machine.resolveMethod(cls, signature)?.owner === cls) {
      return machine.construct(descriptor, signature, context, attributeSet(machine, element));
    }
    return machine.construct(descriptor, '<init>(Landroid/content/Context;)V', context);
  } catch (error) {
    if (!(error instanceof JavaThrow)) throw error;
    // A custom view that cannot be created is left empty, so that the rest of the screen can be used.
    appOf(machine).onCrash(error, descriptor.slice(1, -1).replaceAll('/', '.'));
    return empty(machine, context);
  }
}

/** The context that `android:theme` gives a view and what is in it. */
function themedContext(machine: Machine, element: XmlElement, context: HeapObject): HeapObject {
  const attribute = element.attributes.find(({ name, namespace }) => name === 'theme' && namespace !== null);
  if (attribute === undefined) return context;
  const style = contextValue(machine, context, attribute)?.resourceId ?? 0;
  if (style === 0) return context;
  return machine.construct(
    'Landroid/view/ContextThemeWrapper;',
    '<init>(Landroid/content/Context;I)V',
    context,
    style | 0,
  );
}

/** Sets what the layout says of a view that every view understands. */
export function applyAttributes(machine: Machine, view: HeapObject, element: XmlElement): void {
  const state = viewOf(view);
  state.element = element;
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
  const background = attributeOf(element, 'background');
  const drawn =
    background === undefined || state.context === null ? null : contextValue(machine, state.context, background);
  if (drawn !== null && !state.properties.has('background'))
    state.properties.set('background', newDrawable(machine, drawn.value, drawn.resourceId));
  const onClick = attributeText(machine, element, 'onClick');
  if (onClick !== null) listenToLayoutClick(machine, view, onClick);
}

/** `android:onClick`: a public method of the activity that takes the view. */
function listenToLayoutClick(machine: Machine, view: HeapObject, name: string): void {
  const app = appOf(machine);
  viewOf(view).onClickName = name;
  app.listen(`view#${app.numberOf(view)} click`, {
    kind: 'click',
    about: () => viewWords(machine, view),
    isReady: () => isOnScreen(machine, view) && viewOf(view).isEnabled,
    isGone: () => isGone(machine, view),
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
  return inflateBy(machine, inflaterFor(machine, context), layout, into, true);
}

function inflateBy(
  machine: Machine,
  inflater: HeapObject,
  layout: number,
  root: Reference,
  isAttached: boolean,
): HeapObject | null {
  const state = inflaterOf(machine, inflater);
  const document = readXml(machine, layout);
  if (document === null) {
    const view = frameworkLayout(machine, layout, state.context);
    if (view !== null && root !== null && isAttached) addInflated(machine, root, view, null);
    return view;
  }
  return inflateElement(machine, { state, context: state.context, parent: root, isAttached }, document, 0);
}

interface Place {
  readonly state: InflaterState;
  readonly context: HeapObject;
  readonly parent: Reference;
  /** Whether the view is added to the parent, which otherwise only gives it its layout parameters. */
  readonly isAttached: boolean;
}

function inflateElement(machine: Machine, place: Place, element: XmlElement, depth: number): HeapObject | null {
  if (depth > maxDepth) return null;
  machine.charge(200);
  const { state, parent, isAttached } = place;
  if (element.name === 'merge') {
    const group = parent ?? empty(machine, place.context);
    inflateChildren(machine, { ...place, parent: group, isAttached: true }, element, depth);
    return group;
  }
  if (element.name === 'include') return inflateInclude(machine, place, element, depth);
  if (element.name === 'fragment') return inflateFragment(machine, place, element);
  if (element.name === 'requestFocus' || element.name === 'tag' || element.name === 'data') return null;
  if (element.name === 'layout') {
    const inner = element.children.filter(isElement).find(({ name }) => name !== 'data');
    return inner === undefined ? null : inflateElement(machine, place, inner, depth + 1);
  }
  const context = themedContext(machine, element, place.context);
  const made = makeView(machine, state, element, context, parent);
  if (made === null) return null;
  viewOf(made).context ??= context;
  applyAttributes(machine, made, element);
  const parameters = parent === null ? null : parametersFor(machine, parent, element);
  if (parameters !== null) setLayoutParameters(machine, made, parameters);
  inflateChildren(machine, { state, context, parent: made, isAttached: true }, element, depth);
  if (isAppMethod(machine, made, 'onFinishInflate()V')) machine.call(made, 'onFinishInflate()V');
  if (parent !== null && isAttached) addInflated(machine, parent, made, parameters);
  return made;
}

function inflateInclude(machine: Machine, place: Place, element: XmlElement, depth: number): HeapObject | null {
  const attribute = element.attributes.find(({ name }) => name === 'layout');
  const id = attribute === undefined ? 0 : (contextValue(machine, place.context, attribute)?.resourceId ?? 0);
  const root = readXml(machine, id | 0);
  if (root === null) return null;
  const context = themedContext(machine, element, place.context);
  const made = inflateElement(machine, { ...place, context }, root, depth + 1);
  if (made === null || root.name === 'merge') return made;
  const ownId = attributeReference(element, 'id');
  if (ownId !== null) viewOf(made).id = ownId;
  const visibility = attributeNumber(machine, element, 'visibility');
  if (visibility !== null) viewOf(made).visibility = visibility * 4;
  return made;
}

function inflateChildren(machine: Machine, place: Place, element: XmlElement, depth: number): void {
  if (element.name === 'ViewStub') return;
  for (const child of element.children) if (isElement(child)) inflateElement(machine, place, child, depth + 1);
}

/** A fragment named in a layout: the framework's own kind; a support library's is made by the activity as a factory. */
function inflateFragment(machine: Machine, { state, context, parent }: Place, element: XmlElement): HeapObject | null {
  const name = attributeText(machine, element, 'name') ?? attributeOf(element, 'class')?.text ?? '';
  const made = madeByFactory(machine, state, element, context, parent);
  const holder = made ?? empty(machine, context);
  if (viewOf(holder).id === -1) viewOf(holder).id = attributeReference(element, 'id') ?? -1;
  if (parent !== null && viewOf(holder).parent === null) {
    addInflated(machine, parent, holder, parametersFor(machine, parent, element));
  }
  const cls = name === '' || made !== null ? null : machine.findClass(descriptorOf(name));
  const owner = state.owner ?? context;
  if (cls === null || !machine.isSubclass(cls, machine.classOf('Landroid/app/Fragment;'))) return holder;
  if (!machine.isInstance(owner, 'Landroid/app/Activity;')) return holder;
  placeFragment(machine, owner, name, {
    id: viewOf(holder).id,
    tag: attributeText(machine, element, 'tag'),
    holder,
  });
  return holder;
}

function inflaterOf(machine: Machine, inflater: HeapObject): InflaterState {
  return stateOf<InflaterState>(inflater, () => {
    const app = appOf(machine);
    const context = app.front?.object ?? app.activities.at(-1)?.object ?? app.application!;
    return { context, factories: [], owner: null };
  });
}

/** The inflater of a context, always the same one. */
export function inflaterFor(machine: Machine, context: HeapObject): HeapObject {
  const kept = sideState<{ inflater: Reference }>(machine, 'inflater', context, () => ({ inflater: null }));
  if (kept.inflater === null) {
    kept.inflater = machine.allocate('Landroid/view/LayoutInflater;');
    const isActivity = machine.isInstance(context, 'Landroid/app/Activity;');
    const base = machine.isInstance(context, 'Landroid/content/ContextWrapper;')
      ? (machine.call(context, 'getBaseContext()Landroid/content/Context;') as Reference)
      : null;
    const above = base === null ? null : inflaterOf(machine, inflaterFor(machine, base));
    kept.inflater.native = {
      context,
      factories: above?.factories ?? [],
      owner: isActivity ? context : (above?.owner ?? null),
    } satisfies InflaterState;
  }
  return kept.inflater;
}

const inflateInto = (machine: Machine, me: HeapObject, layout: number, root: Reference, attach: boolean): Reference => {
  const made = inflateBy(machine, me, layout, root, attach);
  if (made === null) {
    machine.unmodelled(`layout ${resourceName(machine, layout)}`);
    return empty(machine, inflaterOf(machine, me).context);
  }
  return attach && root !== null ? root : made;
};

const addFactory: NativeMethod = (machine, me, factory: Reference) => {
  const state = inflaterOf(machine, me);
  if (factory !== null) me.native = { ...state, factories: [factory, ...state.factories] } satisfies InflaterState;
};

const firstFactory: NativeMethod = (machine, me) => inflaterOf(machine, me).factories[0] ?? null;

export const inflaterModels: Models = {
  'Landroid/view/LayoutInflater;': {
    methods: {
      '<init>(!Landroid/content/Context;)V': made(
        (_machine, context: HeapObject) => ({ context, factories: [], owner: null }) satisfies InflaterState,
      ),
      '<init>(!Landroid/view/LayoutInflater;!Landroid/content/Context;)V': made(
        (machine, original: HeapObject, context: HeapObject) =>
          ({ ...inflaterOf(machine, original), context }) satisfies InflaterState,
      ),
      'inflate(ILandroid/view/ViewGroup;)Landroid/view/View;': (machine, me, layout: number, root: Reference) =>
        inflateInto(machine, me, layout, root, root !== null),
      'inflate(ILandroid/view/ViewGroup;Z)Landroid/view/View;': (
        machine,
        me,
        layout: number,
        root: Reference,
        attach: number,
      ) => inflateInto(machine, me, layout, root, attach !== 0 && root !== null),
      'cloneInContext(Landroid/content/Context;)Landroid/view/LayoutInflater;': (machine, me, context: HeapObject) => {
        const inflater = machine.allocate('Landroid/view/LayoutInflater;');
        inflater.native = { ...inflaterOf(machine, me), context } satisfies InflaterState;
        return inflater;
      },
      'getContext()Landroid/content/Context;': (machine, me) => inflaterOf(machine, me).context,
      'setFactory(Landroid/view/LayoutInflater$Factory;)V': addFactory,
      'setFactory2(Landroid/view/LayoutInflater$Factory2;)V': addFactory,
      'getFactory()Landroid/view/LayoutInflater$Factory;': firstFactory,
      'getFactory2()Landroid/view/LayoutInflater$Factory2;': firstFactory,
      'createView(Ljava/lang/String;Ljava/lang/String;Landroid/util/AttributeSet;)Landroid/view/View;': (
        machine,
        me,
        name: Reference,
        prefix: Reference,
        set: HeapObject,
      ) => {
        const descriptor = descriptorOf(`${plain(machine, prefix)}${plain(machine, name)}`);
        const cls = machine.findClass(descriptor);
        if (cls === null) throw machine.exception('Ljava/lang/ClassNotFoundException;', plain(machine, name));
        return machine.construct(
          descriptor,
          '<init>(Landroid/content/Context;Landroid/util/AttributeSet;)V',
          inflaterOf(machine, me).context,
          set,
        );
      },
    },
    staticMethods: {
      'from(Landroid/content/Context;)Landroid/view/LayoutInflater;': (machine, context: Reference) =>
        machine.call(
          context ?? appOf(machine).application!,
          'getSystemService(Ljava/lang/String;)Ljava/lang/Object;',
          machine.string('layout_inflater'),
        ),
    },
  },
  'Landroid/view/LayoutInflater$Factory;': { isInterface: true },
  'Landroid/view/LayoutInflater$Factory2;': {
    isInterface: true,
    implements: ['Landroid/view/LayoutInflater$Factory;'],
  },
};
