// Themes of contexts, and the typed arrays that styles and attribute sets are read with. Knows no view.
import { complexToNumber, dataToFloat, type ResValue, valueText, valueTypes } from '../../../formats/arsc/res-value.ts';
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods, StaticMethod } from '../../machine/model.ts';
import { appOf } from '../components/app.ts';
import { each, flag, nothing, type Reference, sideState, stateOf } from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';
import { newDrawable } from './drawables.ts';
import {
  density,
  pixels,
  type Resolved,
  resolveThemed,
  resourceId,
  styleAttributes,
  type ThemeValues,
} from './resource-values.ts';
import type { AttributeSetState } from './xml-resources.ts';

const themeType = 'Landroid/content/res/Resources$Theme;';

interface ThemeState {
  readonly values: Map<number, ResValue>;
}

const yes: ResValue = { type: valueTypes.intBoolean, data: 0xffff_ffff, text: null };
const no: ResValue = { type: valueTypes.intBoolean, data: 0, text: null };

/** Window attributes of the platform's themes, which apps' themes inherit. */
const platformTheme: readonly (readonly [attribute: number, value: ResValue])[] = [
  // windowNoTitle, windowIsFloating, windowIsTranslucent, windowFullscreen
  [0x01010056, no],
  [0x01010057, no],
  [0x01010058, no],
  [0x0101020d, no],
  // windowActionBar, windowActionModeOverlay, windowActionBarOverlay
  [0x010102cd, yes],
  [0x010102dd, no],
  [0x010102e4, no],
];

const themeOf = (theme: HeapObject): ThemeState =>
  stateOf<ThemeState>(theme, () => ({ values: new Map(platformTheme) }));

/** Applies a style to a theme; without force it only adds attributes that the theme does not have. */
function applyStyle(machine: Machine, theme: HeapObject, style: number, isForced: boolean): void {
  const { values } = themeOf(theme);
  for (const [attribute, value] of styleAttributes(machine, style)) {
    if (isForced || !values.has(attribute)) values.set(attribute, value);
  }
}

/** The id behind a manifest's `@style/…`; 0 where there is none. */
const styleId = (machine: Machine, reference: string | null): number =>
  reference === null ? 0 : resourceId(machine, reference.replace(/^[@?]/, ''));

interface ContextTheme {
  theme: Reference;
  /** The style that was set, or that the manifest names. */
  style: number | null;
}

const contextTheme = (machine: Machine, context: HeapObject): ContextTheme =>
  sideState<ContextTheme>(machine, 'context-theme', context, () => ({ theme: null, style: null }));

function manifestStyle(machine: Machine, context: HeapObject): number {
  const app = appOf(machine);
  const component = app.recordOf(context)?.component ?? null;
  return styleId(machine, component?.theme ?? app.plan.manifest.application.theme);
}

/** The theme of a context with a style: its parent's theme with the style applied. */
function themeFor(machine: Machine, context: HeapObject, base: Reference): HeapObject {
  const state = contextTheme(machine, context);
  if (state.theme !== null) return state.theme;
  const theme = machine.allocate(themeType);
  state.theme = theme;
  const parent = base === null ? null : (machine.call(base, `getTheme()${themeType}`) as Reference);
  if (parent !== null) for (const [name, value] of themeOf(parent).values) themeOf(theme).values.set(name, value);
  const style = state.style ?? manifestStyle(machine, context);
  machine.call(context, `onApplyThemeResource(${themeType}IZ)V`, theme, style, 1);
  return theme;
}

/** The application's theme. */
function applicationTheme(machine: Machine): HeapObject {
  const theme = singleton(machine, themeType);
  if (theme.native === undefined) {
    applyStyle(machine, theme, styleId(machine, appOf(machine).plan.manifest.application.theme), true);
  }
  return theme;
}

/** What an attribute of an element in a layout stands for where this context makes the views. */
export function contextValue(machine: Machine, context: HeapObject, value: ResValue): Resolved | null {
  const theme = machine.call(context, `getTheme()${themeType}`) as Reference;
  return resolveThemed(machine, theme === null ? new Map() : themeOf(theme).values, value);
}

/** What a TypedArray holds: null for an attribute that nothing gives. */
interface TypedArrayState {
  readonly values: (Resolved | null)[];
}

/** @param values raw ones, as they stand in a bag or a style */
export function newTypedArray(machine: Machine, values: readonly (ResValue | null)[], theme: ThemeValues): HeapObject {
  const array = machine.allocate('Landroid/content/res/TypedArray;');
  array.native = {
    values: values.map((value) => (value === null ? null : resolveThemed(machine, theme, value))),
  } satisfies TypedArrayState;
  return array;
}

function obtain(
  machine: Machine,
  theme: HeapObject,
  set: Reference,
  attributes: JavaArray,
  attribute: number,
  style: number,
): HeapObject {
  const { values } = themeOf(theme);
  const element = (set?.native as AttributeSetState | undefined)?.element ?? null;
  const own = new Map<number, ResValue>();
  let ownStyle = 0;
  for (const each of element?.attributes ?? []) {
    const value = { type: each.type, data: each.data >>> 0, text: each.text };
    own.set(each.resourceId >>> 0, value);
    if (each.name === 'style' && each.namespace === null)
      ownStyle = resolveThemed(machine, values, value)?.resourceId ?? 0;
  }
  const named = attribute === 0 ? undefined : values.get(attribute >>> 0);
  const themedStyle = named === undefined ? 0 : (resolveThemed(machine, values, named)?.resourceId ?? 0);
  const near = styleAttributes(machine, ownStyle);
  const usual = styleAttributes(machine, themedStyle === 0 ? style >>> 0 : themedStyle);
  return newTypedArray(
    machine,
    Array.from(attributes.elements as Int32Array, (signed) => {
      const id = signed >>> 0;
      return own.get(id) ?? near.get(id) ?? usual.get(id) ?? values.get(id) ?? null;
    }),
    values,
  );
}

const valueAt = (me: HeapObject, index: number): Resolved | null =>
  (me.native as TypedArrayState).values[index] ?? null;

const typedNumber =
  (read: (machine: Machine, value: ResValue) => number | boolean): NativeMethod =>
  (machine, me, index: number, otherwise: number) => {
    const found = valueAt(me, index);
    return found === null ? otherwise : read(machine, found.value);
  };

const asInteger = typedNumber((_machine, { data, type }) =>
  type === valueTypes.float ? Math.trunc(dataToFloat(data)) : data | 0,
);

const typedText: NativeMethod = (machine, me, index: number) => {
  const found = valueAt(me, index);
  return found === null ? null : machine.string(found.value.text ?? valueText(found.value) ?? '');
};

const layoutSize = typedNumber((machine, value) => Math.round(pixels(machine, value)));

const typedArrayMethods: NativeMethods = {
  ...each(nothing, 'recycle()V', 'close()V'),
  'length()I': (_machine, me) => (me.native as TypedArrayState).values.length,
  'getIndexCount()I': (_machine, me) => (me.native as TypedArrayState).values.filter((each) => each !== null).length,
  'getIndex(I)I': (_machine, me, at: number) =>
    (me.native as TypedArrayState).values.flatMap((value, index) => (value === null ? [] : [index]))[at] ?? 0,
  'hasValue(I)Z': (_machine, me, index: number) => valueAt(me, index) !== null,
  'hasValueOrEmpty(I)Z': (_machine, me, index: number) => valueAt(me, index) !== null,
  'getBoolean(IZ)Z': typedNumber((_machine, { data }) => data !== 0),
  'getInt(II)I': asInteger,
  'getInteger(II)I': asInteger,
  'getColor(II)I': asInteger,
  'getResourceId(II)I': (_machine, me, index: number, otherwise: number) => {
    const id = valueAt(me, index)?.resourceId ?? 0;
    return id === 0 ? otherwise : id | 0;
  },
  'getDimension(IF)F': typedNumber((machine, value) => Math.fround(pixels(machine, value))),
  'getDimensionPixelSize(II)I': layoutSize,
  'getDimensionPixelOffset(II)I': typedNumber((machine, value) => Math.trunc(pixels(machine, value))),
  'getLayoutDimension(II)I': layoutSize,
  'getLayoutDimension(ILjava/lang/String;)I': (machine, me, index: number) => layoutSize(machine, me, index, -2),
  'getFloat(IF)F': typedNumber((_machine, { data, type }) =>
    type === valueTypes.float ? dataToFloat(data) : data | 0,
  ),
  'getFraction(IIIF)F': (_machine, me, index: number, base: number, parent: number, otherwise: number) => {
    const found = valueAt(me, index);
    if (found?.value.type !== valueTypes.fraction) return otherwise;
    return Math.fround(complexToNumber(found.value.data) * ((found.value.data & 0xf) === 0 ? base : parent));
  },
  ...each(
    typedText,
    'getString(I)Ljava/lang/String;',
    'getText(I)Ljava/lang/CharSequence;',
    'getNonResourceString(I)Ljava/lang/String;',
  ),
  'getDrawable(I)Landroid/graphics/drawable/Drawable;': (machine, me, index: number) => {
    const found = valueAt(me, index);
    return found === null ? null : newDrawable(machine, found.value, found.resourceId);
  },
  'getColorStateList(I)Landroid/content/res/ColorStateList;': (machine, me, index: number) =>
    valueAt(me, index) === null ? null : machine.allocate('Landroid/content/res/ColorStateList;'),
  'getTextArray(I)[Ljava/lang/CharSequence;': (machine, me, index: number) => {
    const id = valueAt(me, index)?.resourceId ?? 0;
    if (id === 0) return null;
    return machine.call(
      singleton(machine, 'Landroid/content/res/Resources;'),
      'getTextArray(I)[Ljava/lang/CharSequence;',
      id | 0,
    );
  },
  'peekValue(I)Landroid/util/TypedValue;': (machine, me, index: number) => {
    const found = valueAt(me, index);
    if (found === null) return null;
    const target = machine.allocate('Landroid/util/TypedValue;');
    fillTyped(machine, target, found);
    return target;
  },
  'getValue(I!Landroid/util/TypedValue;)Z': (machine, me, index: number, target: HeapObject) => {
    const found = valueAt(me, index);
    if (found !== null) fillTyped(machine, target, found);
    return flag(found !== null);
  },
  'getType(I)I': (_machine, me, index: number) => valueAt(me, index)?.value.type ?? 0,
  'getResources()Landroid/content/res/Resources;': (machine) => singleton(machine, 'Landroid/content/res/Resources;'),
};

/** Writes a value into a `TypedValue` of the app's. */
export function fillTyped(machine: Machine, target: HeapObject, { value, resourceId: id }: Resolved): void {
  machine.setField(target, 'type', value.type);
  machine.setField(target, 'data', value.data | 0);
  machine.setField(target, 'string', value.text === null ? null : machine.string(value.text));
  machine.setField(target, 'resourceId', id | 0);
}

const themeMethods: NativeMethods = {
  'applyStyle(IZ)V': (machine, me, style: number, isForced: number) =>
    applyStyle(machine, me, style >>> 0, isForced !== 0),
  'setTo(Landroid/content/res/Resources$Theme;)V': (_machine, me, other: Reference) => {
    if (other !== null) me.native = { values: new Map(themeOf(other).values) } satisfies ThemeState;
  },
  ...each(nothing, 'rebase()V', 'dump(ILjava/lang/String;Ljava/lang/String;)V'),
  'getChangingConfigurations()I': () => 0,
  'getResources()Landroid/content/res/Resources;': (machine) => singleton(machine, 'Landroid/content/res/Resources;'),
  'getDrawable(I)Landroid/graphics/drawable/Drawable;': (machine, _me, id: number) =>
    machine.call(
      singleton(machine, 'Landroid/content/res/Resources;'),
      'getDrawable(I)Landroid/graphics/drawable/Drawable;',
      id,
    ),
  'obtainStyledAttributes(![I)Landroid/content/res/TypedArray;': (machine, me, attributes: JavaArray) =>
    obtain(machine, me, null, attributes, 0, 0),
  'obtainStyledAttributes(I![I)Landroid/content/res/TypedArray;': (machine, me, style: number, attributes: JavaArray) =>
    obtain(machine, me, null, attributes, 0, style),
  'obtainStyledAttributes(Landroid/util/AttributeSet;![III)Landroid/content/res/TypedArray;': (
    machine,
    me,
    set: Reference,
    attributes: JavaArray,
    attribute: number,
    style: number,
  ) => obtain(machine, me, set, attributes, attribute, style),
  'resolveAttribute(ILandroid/util/TypedValue;Z)Z': (
    machine,
    me,
    id: number,
    target: HeapObject,
    followsReferences: number,
  ) => {
    const { values } = themeOf(me);
    const raw = values.get(id >>> 0);
    const found = raw === undefined ? null : resolveThemed(machine, values, raw);
    if (found === null) return 0;
    const isLeft = followsReferences === 0 && found.resourceId !== 0;
    fillTyped(
      machine,
      target,
      isLeft ? { ...found, value: { type: valueTypes.reference, data: found.resourceId, text: null } } : found,
    );
    return 1;
  },
};

/** Methods of `Context` that its theme answers. */
export const themedContextMethods: NativeMethods = {
  'getTheme()Landroid/content/res/Resources$Theme;': (machine) => applicationTheme(machine),
  'setTheme(I)V': (machine, me, style: number) => {
    const state = contextTheme(machine, me);
    state.style = style >>> 0;
    if (state.theme !== null) machine.call(me, `onApplyThemeResource(${themeType}IZ)V`, state.theme, style, 1);
  },
  'getThemeResId()I': (machine, me) => (contextTheme(machine, me).style ?? manifestStyle(machine, me)) | 0,
  ...each(
    (machine, me, ...args: (Reference | number)[]) => {
      const theme = machine.call(me, `getTheme()${themeType}`) as HeapObject;
      if (args.length === 1) return obtain(machine, theme, null, args[0] as JavaArray, 0, 0);
      if (typeof args[0] === 'number') return obtain(machine, theme, null, args[1] as JavaArray, 0, args[0]);
      const [set, attributes, attribute = 0, style = 0] = args;
      return obtain(machine, theme, set as Reference, attributes as JavaArray, attribute as number, style as number);
    },
    'obtainStyledAttributes(![I)Landroid/content/res/TypedArray;',
    'obtainStyledAttributes(I![I)Landroid/content/res/TypedArray;',
    'obtainStyledAttributes(Landroid/util/AttributeSet;![I)Landroid/content/res/TypedArray;',
    'obtainStyledAttributes(Landroid/util/AttributeSet;![III)Landroid/content/res/TypedArray;',
  ),
};

/** A context with a theme of its own: an activity, or one that an app wraps around another. */
export const contextThemeWrapperMethods: NativeMethods = {
  'getTheme()Landroid/content/res/Resources$Theme;': (machine, me) =>
    themeFor(machine, me, machine.call(me, 'getBaseContext()Landroid/content/Context;') as Reference),
  [`onApplyThemeResource(${themeType}IZ)V`]: (machine, _me, theme: Reference, style: number, isFirst: number) => {
    if (theme !== null) applyStyle(machine, theme, style >>> 0, isFirst !== 0);
  },
};

export const themeModels: Models = {
  [themeType]: { methods: themeMethods },
  'Landroid/content/res/TypedArray;': { methods: typedArrayMethods },
  'Landroid/util/TypedValue;': {
    methods: {
      '<init>()V': nothing,
      'getDimension(Landroid/util/DisplayMetrics;)F': (machine, me) =>
        Math.fround(
          pixels(machine, {
            type: valueTypes.dimension,
            data: (machine.getField(me, 'data') as number) >>> 0,
            text: null,
          }),
        ),
      'getFloat()F': (machine, me) => dataToFloat((machine.getField(me, 'data') as number) >>> 0),
      'coerceToString()Ljava/lang/CharSequence;': (machine, me) => machine.getField(me, 'string'),
    },
    staticMethods: {
      'applyDimension(IFLandroid/util/DisplayMetrics;)F': (machine, unit: number, value: number) =>
        unit === 0 ? value : Math.fround(value * density(machine)),
      ...Object.fromEntries(
        ['complexToDimensionPixelSize', 'complexToDimensionPixelOffset'].map((name): [string, StaticMethod] => [
          `${name}(ILandroid/util/DisplayMetrics;)I`,
          (machine, data: number) =>
            Math.round(pixels(machine, { type: valueTypes.dimension, data: data >>> 0, text: null })),
        ]),
      ),
      'complexToDimension(ILandroid/util/DisplayMetrics;)F': (machine, data: number) =>
        Math.fround(pixels(machine, { type: valueTypes.dimension, data: data >>> 0, text: null })),
      'complexToFloat(I)F': (_machine, data: number) => Math.fround(complexToNumber(data >>> 0)),
    },
    fields: ['type:I', 'data:I', 'string:Ljava/lang/CharSequence;', 'resourceId:I', 'assetCookie:I', 'density:I'],
  },
};
