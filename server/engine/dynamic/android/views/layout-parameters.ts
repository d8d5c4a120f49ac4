// Layout parameters: the attributes of a view that its group reads, and the class each group has for them. Knows
// no size.
import type { XmlElement } from '../../../formats/axml/document.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { each, nothing, type Reference } from '../model-parts.ts';
import { pixels } from '../resources/resource-values.ts';
import { contextValue } from '../resources/theme.ts';
import { type AttributeSetState, attributeOf, attributeSet } from '../resources/xml-resources.ts';
import { viewOf } from './view-tree.ts';

const parametersType = 'Landroid/view/ViewGroup$LayoutParams;';
const marginsType = 'Landroid/view/ViewGroup$MarginLayoutParams;';
/** Of a view whose layout names no size: WRAP_CONTENT. */
const wrapContent = -2;

/** The framework's groups that have parameters of their own, and their superclass. */
const kinds: readonly (readonly [group: string, above: string])[] = [
  ['FrameLayout', marginsType],
  ['LinearLayout', marginsType],
  ['RelativeLayout', marginsType],
  ['GridLayout', marginsType],
  ['TableLayout', 'Landroid/widget/LinearLayout$LayoutParams;'],
  ['TableRow', 'Landroid/widget/LinearLayout$LayoutParams;'],
  ['RadioGroup', 'Landroid/widget/LinearLayout$LayoutParams;'],
  ['AbsListView', parametersType],
  ['AbsoluteLayout', parametersType],
  ['Gallery', parametersType],
  ['Toolbar', marginsType],
  ['ActionMenuView', 'Landroid/widget/LinearLayout$LayoutParams;'],
];

/** Fields by the attribute of the layout that fills them. */
const sizes: readonly (readonly [field: string, attribute: string])[] = [
  ['width', 'layout_width'],
  ['height', 'layout_height'],
  ['leftMargin', 'layout_marginLeft'],
  ['topMargin', 'layout_marginTop'],
  ['rightMargin', 'layout_marginRight'],
  ['bottomMargin', 'layout_marginBottom'],
  ['gravity', 'layout_gravity'],
];

const fromAttributes: NativeMethod = (machine, me, context: Reference, set: Reference) => {
  const element = (set?.native as AttributeSetState | undefined)?.element ?? null;
  const size = (name: string, otherwise: number): number => {
    const attribute = element === null ? undefined : attributeOf(element, name);
    if (attribute === undefined || context === null) return otherwise;
    const found = contextValue(machine, context, attribute);
    return found === null ? otherwise : Math.round(pixels(machine, found.value));
  };
  const margin = size('layout_margin', 0);
  for (const [field, attribute] of sizes) {
    const usual = field.endsWith('Margin') ? margin : field === 'gravity' ? -1 : wrapContent;
    machine.setField(me, field, size(attribute, usual));
  }
};

const fromSizes: NativeMethod = (machine, me, width: number, height: number) => {
  machine.setField(me, 'width', width);
  machine.setField(me, 'height', height);
};

const fromOther: NativeMethod = (machine, me, other: Reference) => {
  if (other === null) return;
  for (const [field] of sizes) {
    const value = machine.getField(other, field);
    if (value !== null) machine.setField(me, field, value);
  }
};

const constructors: NativeMethods = {
  '<init>(Landroid/content/Context;Landroid/util/AttributeSet;)V': fromAttributes,
  '<init>(II)V': fromSizes,
  [`<init>(${parametersType})V`]: fromOther,
};

const parametersOfKind = (above: string) => ({
  extends: above,
  methods: {
    ...constructors,
    '<init>(III)V': fromSizes,
    '<init>(IIF)V': fromSizes,
    [`<init>(${marginsType})V`]: fromOther,
    ...each(nothing, 'addRule(I)V', 'addRule(II)V', 'removeRule(I)V', 'alignWithParent(Z)V'),
  },
  fields: ['gravity:I', 'weight:F'],
});

/** The class of the parameters that a group of the framework gives its children. */
function parameterClass(machine: Machine, group: HeapObject): string {
  const found = [...kinds].reverse().find(([name]) => machine.isInstance(group, `Landroid/widget/${name};`));
  return found === undefined ? parametersType : `Landroid/widget/${found[0]}$LayoutParams;`;
}

const generate = `generateLayoutParams(Landroid/util/AttributeSet;)${parametersType}`;
const generateDefault = `generateDefaultLayoutParams()${parametersType}`;

/** What a group makes of the attributes that a child's element has for it. */
export const parametersFor = (machine: Machine, group: HeapObject, element: XmlElement): Reference =>
  machine.call(group, generate, attributeSet(machine, element)) as Reference;

export function setLayoutParameters(machine: Machine, view: HeapObject, parameters: HeapObject): void {
  machine.call(view, `setLayoutParams(${parametersType})V`, parameters);
}

/** Puts an inflated view into its group as the inflater does. */
export function addInflated(machine: Machine, group: HeapObject, view: HeapObject, parameters: Reference): void {
  if (parameters === null) machine.call(group, 'addView(Landroid/view/View;)V', view);
  else machine.call(group, `addView(Landroid/view/View;${parametersType})V`, view, parameters);
}

/** The parameters of a view, made by its group where it has none that the group takes. */
export function parametersIn(machine: Machine, group: HeapObject, view: HeapObject): Reference {
  const known = viewOf(view).properties.get('layoutParams') ?? null;
  if (known !== null) return known;
  return machine.call(group, generateDefault) as Reference;
}

/** Methods of `ViewGroup` that make parameters and look at them. */
export const groupParameterMethods: NativeMethods = {
  [generate]: (machine, me, set: Reference) =>
    machine.construct(
      parameterClass(machine, me),
      '<init>(Landroid/content/Context;Landroid/util/AttributeSet;)V',
      viewOf(me).context,
      set,
    ),
  [generateDefault]: (machine, me) =>
    machine.construct(parameterClass(machine, me), '<init>(II)V', wrapContent, wrapContent),
  [`generateLayoutParams(${parametersType})${parametersType}`]: (machine, me, parameters: Reference) => {
    const type = parameterClass(machine, me);
    if (parameters !== null && machine.isInstance(parameters, type)) return parameters;
    return machine.construct(type, `<init>(${parametersType})V`, parameters);
  },
  [`checkLayoutParams(${parametersType})Z`]: (machine, me, parameters: Reference) =>
    parameters !== null && machine.isInstance(parameters, parameterClass(machine, me)),
};

export const layoutParameterModels: Models = {
  [parametersType]: {
    methods: { ...constructors, 'resolveLayoutDirection(I)V': nothing },
    constants: { 'MATCH_PARENT:I': -1, 'FILL_PARENT:I': -1, 'WRAP_CONTENT:I': wrapContent },
    fields: ['width:I', 'height:I'],
  },
  [marginsType]: {
    extends: parametersType,
    methods: {
      ...constructors,
      [`<init>(${marginsType})V`]: fromOther,
      ...Object.fromEntries(
        ['setMargins', 'setMarginsRelative'].map((name): [string, NativeMethod] => [
          `${name}(IIII)V`,
          (machine, me, left: number, top: number, right: number, bottom: number) => {
            machine.setField(me, 'leftMargin', left);
            machine.setField(me, 'topMargin', top);
            machine.setField(me, 'rightMargin', right);
            machine.setField(me, 'bottomMargin', bottom);
          },
        ]),
      ),
      'setMarginStart(I)V': (machine, me, value: number) => machine.setField(me, 'leftMargin', value),
      'setMarginEnd(I)V': (machine, me, value: number) => machine.setField(me, 'rightMargin', value),
      'getMarginStart()I': (machine, me) => machine.getField(me, 'leftMargin'),
      'getMarginEnd()I': (machine, me) => machine.getField(me, 'rightMargin'),
      'getLayoutDirection()I': () => 0,
      'isMarginRelative()Z': () => 0,
    },
    fields: ['leftMargin:I', 'topMargin:I', 'rightMargin:I', 'bottomMargin:I'],
  },
  ...Object.fromEntries(
    kinds.map(([name, above]) => [`Landroid/widget/${name}$LayoutParams;`, parametersOfKind(above)]),
  ),
};
