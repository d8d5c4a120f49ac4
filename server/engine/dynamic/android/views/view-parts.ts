import type { NativeMethod, NativeMethods } from '../../machine/model.ts';
import { each, type Reference } from '../model-parts.ts';
import type { AttributeSetState } from '../resources/xml-resources.ts';
import { applyAttributes } from './inflater.ts';
import { viewOf } from './view-tree.ts';

/** What each constructor of a view does: takes its context, and the attributes that a layout has for it. */
export const build: NativeMethod = (machine, me, context: Reference, set: Reference = null) => {
  const state = viewOf(me);
  state.context = context;
  const element =
    set !== null && typeof set === 'object' ? ((set.native as AttributeSetState | undefined)?.element ?? null) : null;
  if (element !== null) applyAttributes(machine, me, element);
};

/** A getter of a stored property. */
export const property =
  (name: string): NativeMethod =>
  (_machine, me) =>
    viewOf(me).properties.get(name) ?? null;

/** A setter of a property that only its getter reads. */
export const setProperty =
  (name: string): NativeMethod =>
  (_machine, me, value: Reference) => {
    viewOf(me).properties.set(name, value);
  };

/** The constructors of every class of views. */
export const viewConstructors = [
  '<init>(Landroid/content/Context;)V',
  '<init>(Landroid/content/Context;Landroid/util/AttributeSet;)V',
  '<init>(Landroid/content/Context;Landroid/util/AttributeSet;I)V',
  '<init>(Landroid/content/Context;Landroid/util/AttributeSet;II)V',
];

/** A view class with the usual constructors. @param parent the descriptor of its superclass */
export const widget = (parent: string, methods: NativeMethods = {}) => ({
  extends: parent,
  methods: { ...each(build, ...viewConstructors), ...methods },
});
