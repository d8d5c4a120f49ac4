// Models of Resources, AssetManager and XML resources. Knows no view.
import { dataToFloat, type ResValue, valueText, valueTypes } from '../../../formats/arsc/res-value.ts';
import { isElement, type XmlElement } from '../../../formats/axml/document.ts';
import { stringArray, textOf } from '../../java/values.ts';
import { newPullParser } from '../../java/xml/pull-parser.ts';
import { tellHandler } from '../../java/xml/sax.ts';
import { readXmlText } from '../../java/xml/sources.ts';
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { worldOf } from '../../world/world.ts';
import { appOf } from '../components/app.ts';
import { each, nothing, plain, type Reference } from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';
import { configurationOf, currentConfiguration } from './configuration.ts';
import { newDrawable } from './drawables.ts';
import { pixels, resolveResource, resourceBag, resourceId, resourceName } from './resource-values.ts';
import { fillTyped, newTypedArray } from './theme.ts';
import { type AttributeSetState, attributeText, readXml } from './xml-resources.ts';

const notFound = (machine: Machine, id: number) =>
  machine.exception('Landroid/content/res/Resources$NotFoundException;', `Resource ID #0x${(id >>> 0).toString(16)}`);

/** The framework's own resources are not modelled: apps mostly ask for its pictures. */
const frameworkValue = (id: number): ResValue | null =>
  id >>> 24 === 1 ? { type: valueTypes.string, data: 0, text: `res/drawable/${(id & 0xffff).toString(16)}.png` } : null;

/** A framework string that apps read; the rest reads as its name. */
const systemStrings: Readonly<Record<number, string>> = {
  17039360: 'Abbrechen',
  17039370: 'OK',
  17039369: 'Nein',
  17039379: 'Ja',
};

function stringOf(machine: Machine, id: number): string {
  const system = systemStrings[id];
  if (system !== undefined) return system;
  const value = resolveResource(machine, id);
  if (value === null) {
    if (id >>> 24 === 1) return '';
    throw notFound(machine, id);
  }
  return value.text ?? valueText(value) ?? String(value.data | 0);
}

const numberOf = (machine: Machine, id: number): ResValue => {
  const value = resolveResource(machine, id);
  if (value === null) {
    if (id >>> 24 === 1) return { type: valueTypes.intDecimal, data: 0, text: null };
    throw notFound(machine, id);
  }
  return value;
};

const arrayValues = (machine: Machine, id: number): ResValue[] =>
  (resourceBag(machine, id)?.items ?? []).map(
    ({ value }) => appOf(machine).plan.resources?.resolve(value, configurationOf(machine)) ?? value,
  );

function formatted(machine: Machine, id: number, values: Value): Value {
  return machine.callStatic(
    'Ljava/lang/String;',
    'format(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;',
    machine.string(stringOf(machine, id)),
    values,
  );
}

/** A stream over bytes of the archive. */
export function byteStream(machine: Machine, bytes: Uint8Array): HeapObject {
  machine.charge(bytes.length);
  return machine.construct('Ljava/io/ByteArrayInputStream;', '<init>([B)V', machine.byteArray(bytes));
}

const quantityString = (machine: Machine, id: number): string => {
  const values = arrayValues(machine, id);
  return values.at(-1)?.text ?? '';
};

const getString: NativeMethod = (machine, _me, id: number) => machine.string(stringOf(machine, id));

const openRaw: NativeMethod = (machine, _me, id: number) => {
  const path = resolveResource(machine, id)?.text ?? null;
  const bytes = path === null ? null : appOf(machine).plan.readEntry(path);
  if (bytes === null) throw notFound(machine, id);
  return byteStream(machine, bytes);
};

const xmlOf: NativeMethod = (machine, _me, id: number) => {
  const root = readXml(machine, id);
  if (root === null) throw notFound(machine, id);
  return newParser(machine, root);
};

const drawable: NativeMethod = (machine, _me, id: number) => newDrawable(machine, resolveResource(machine, id), id);

const resourcesMethods: NativeMethods = {
  ...each(
    nothing,
    '<init>(Landroid/content/res/AssetManager;Landroid/util/DisplayMetrics;Landroid/content/res/Configuration;)V',
    'updateConfiguration(Landroid/content/res/Configuration;Landroid/util/DisplayMetrics;)V',
    'flushLayoutCache()V',
    'finishPreloading()V',
  ),
  'getString(I)Ljava/lang/String;': getString,
  'getText(I)Ljava/lang/CharSequence;': getString,
  'getText(ILjava/lang/CharSequence;)Ljava/lang/CharSequence;': (machine, _me, id: number, otherwise: Reference) => {
    const value = resolveResource(machine, id);
    return value === null ? otherwise : machine.string(value.text ?? '');
  },
  'getString(I[Ljava/lang/Object;)Ljava/lang/String;': (machine, _me, id: number, values: Value) =>
    formatted(machine, id, values),
  'getQuantityString(II)Ljava/lang/String;': (machine, _me, id: number) => machine.string(quantityString(machine, id)),
  'getQuantityText(II)Ljava/lang/CharSequence;': (machine, _me, id: number) =>
    machine.string(quantityString(machine, id)),
  'getQuantityString(II[Ljava/lang/Object;)Ljava/lang/String;': (
    machine,
    _me,
    id: number,
    _count: number,
    values: Value,
  ) =>
    machine.callStatic(
      'Ljava/lang/String;',
      'format(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;',
      machine.string(quantityString(machine, id)),
      values,
    ),
  'getInteger(I)I': (machine, _me, id: number) => numberOf(machine, id).data | 0,
  'getBoolean(I)Z': (machine, _me, id: number) => numberOf(machine, id).data !== 0,
  'getColor(I)I': (machine, _me, id: number) => numberOf(machine, id).data | 0,
  'getColor(ILandroid/content/res/Resources$Theme;)I': (machine, _me, id: number) => numberOf(machine, id).data | 0,
  'getDimension(I)F': (machine, _me, id: number) => Math.fround(pixels(machine, numberOf(machine, id))),
  'getDimensionPixelSize(I)I': (machine, _me, id: number) => Math.round(pixels(machine, numberOf(machine, id))),
  'getDimensionPixelOffset(I)I': (machine, _me, id: number) => Math.trunc(pixels(machine, numberOf(machine, id))),
  'getFloat(I)F': (machine, _me, id: number) => dataToFloat(numberOf(machine, id).data),
  'getFraction(III)F': () => 0,
  ...each(
    (machine, _me, id: number) =>
      stringArray(
        machine,
        arrayValues(machine, id).map((value) => value.text ?? valueText(value) ?? ''),
      ),
    'getStringArray(I)[Ljava/lang/String;',
    'getTextArray(I)[Ljava/lang/CharSequence;',
  ),
  'getIntArray(I)[I': (machine, _me, id: number) => {
    const values = arrayValues(machine, id);
    const array = machine.array('I', values.length);
    (array.elements as Int32Array).set(values.map(({ data }) => data | 0));
    return array;
  },
  'obtainAttributes(Landroid/util/AttributeSet;[I)Landroid/content/res/TypedArray;': (
    machine,
    me,
    set: Reference,
    attributes: Value,
  ) => {
    const theme = machine.call(me, 'newTheme()Landroid/content/res/Resources$Theme;') as HeapObject;
    return machine.call(
      theme,
      'obtainStyledAttributes(Landroid/util/AttributeSet;[III)Landroid/content/res/TypedArray;',
      set,
      attributes,
      0,
      0,
    );
  },
  'obtainTypedArray(I)Landroid/content/res/TypedArray;': (machine, _me, id: number) =>
    newTypedArray(
      machine,
      (resourceBag(machine, id)?.items ?? []).map(({ value }) => value),
      new Map(),
    ),
  ...each(
    (machine, _me, id: number, ...rest: Value[]) => {
      const value = resolveResource(machine, id) ?? frameworkValue(id);
      if (value === null) throw notFound(machine, id);
      const target = rest.find((each) => typeof each === 'object' && each !== null) as HeapObject;
      fillTyped(machine, target, { value, resourceId: id });
    },
    'getValue(ILandroid/util/TypedValue;Z)V',
    'getValueForDensity(IILandroid/util/TypedValue;Z)V',
  ),
  'getIdentifier(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)I': (
    machine,
    _me,
    name: Reference,
    type: Reference,
  ) => {
    const written = textOf(machine, name);
    return resourceId(machine, written.includes('/') ? written : `${plain(machine, type)}/${written}`);
  },
  'getResourceName(I)Ljava/lang/String;': (machine, _me, id: number) =>
    machine.string(`${appOf(machine).packageName}:${resourceName(machine, id)}`),
  'getResourceEntryName(I)Ljava/lang/String;': (machine, _me, id: number) =>
    machine.string(resourceName(machine, id).replace(/^.*\//, '')),
  'getResourceTypeName(I)Ljava/lang/String;': (machine, _me, id: number) =>
    machine.string(resourceName(machine, id).replace(/^.*:|\/.*$/g, '')),
  'getResourcePackageName(I)Ljava/lang/String;': (machine) => machine.string(appOf(machine).packageName),
  ...each(
    openRaw,
    'openRawResource(I)Ljava/io/InputStream;',
    'openRawResource(ILandroid/util/TypedValue;)Ljava/io/InputStream;',
  ),
  ...each(
    xmlOf,
    'getXml(I)Landroid/content/res/XmlResourceParser;',
    'getLayout(I)Landroid/content/res/XmlResourceParser;',
    'getAnimation(I)Landroid/content/res/XmlResourceParser;',
  ),
  ...each(
    drawable,
    'getDrawable(I)Landroid/graphics/drawable/Drawable;',
    'getDrawable(ILandroid/content/res/Resources$Theme;)Landroid/graphics/drawable/Drawable;',
    'getDrawableForDensity(II)Landroid/graphics/drawable/Drawable;',
  ),
  'getColorStateList(I)Landroid/content/res/ColorStateList;': (machine) =>
    machine.allocate('Landroid/content/res/ColorStateList;'),
  'getAssets()Landroid/content/res/AssetManager;': (machine) =>
    singleton(machine, 'Landroid/content/res/AssetManager;'),
  'getConfiguration()Landroid/content/res/Configuration;': (machine) => currentConfiguration(machine),
  'getDisplayMetrics()Landroid/util/DisplayMetrics;': (machine) => displayMetrics(machine),
  'newTheme()Landroid/content/res/Resources$Theme;': (machine) =>
    machine.allocate('Landroid/content/res/Resources$Theme;'),
};

/** Fills a DisplayMetrics with the phone's screen. */
function fillMetrics(machine: Machine, metrics: HeapObject): undefined {
  const { width, height, density: factor } = worldOf(machine).device.screen;
  for (const [name, value] of Object.entries({
    widthPixels: width,
    heightPixels: height,
    density: factor,
    scaledDensity: factor,
    densityDpi: factor * 160,
    xdpi: 421,
    ydpi: 421,
  })) {
    machine.setField(metrics, name, value);
  }
}

function displayMetrics(machine: Machine): HeapObject {
  const metrics = singleton(machine, 'Landroid/util/DisplayMetrics;');
  fillMetrics(machine, metrics);
  return metrics;
}

// Assets.

const assetPath = (machine: Machine, name: Reference): string => `assets/${textOf(machine, name).replace(/^\/+/, '')}`;

const openAsset: NativeMethod = (machine, _me, name: Reference) => {
  const path = assetPath(machine, name);
  const bytes = appOf(machine).plan.readEntry(path);
  if (bytes === null) throw machine.exception('Ljava/io/FileNotFoundException;', textOf(machine, name));
  return byteStream(machine, bytes);
};

// XML parsers over binary XML.

interface ParserState {
  readonly events: readonly ParserEvent[];
  at: number;
}
type ParserEvent = {
  readonly type: number;
  readonly element: XmlElement | null;
  readonly text: string;
  readonly depth: number;
};

function newParser(machine: Machine, root: XmlElement): HeapObject {
  const events: ParserEvent[] = [{ type: 0, element: null, text: '', depth: 0 }];
  const walk = (element: XmlElement, depth: number) => {
    events.push({ type: 2, element, text: '', depth });
    for (const child of element.children) {
      if (isElement(child)) walk(child, depth + 1);
      else events.push({ type: 4, element: null, text: child.text, depth });
    }
    events.push({ type: 3, element, text: '', depth });
  };
  walk(root, 1);
  events.push({ type: 1, element: null, text: '', depth: 0 });
  const parser = machine.allocate('Landroid/content/res/XmlBlock$Parser;');
  parser.native = { events, at: 0, element: root } satisfies ParserState & AttributeSetState;
  return parser;
}

const current = (me: HeapObject): ParserEvent => {
  const state = me.native as ParserState;
  return state.events[Math.min(state.at, state.events.length - 1)]!;
};

const next: NativeMethod = (_machine, me) => {
  const state = me.native as ParserState & { element: XmlElement };
  if (state.at < state.events.length - 1) state.at += 1;
  const event = current(me);
  if (event.element !== null) state.element = event.element;
  return event.type;
};

const parserMethods: NativeMethods = {
  ...each(next, 'next()I', 'nextToken()I', 'nextTag()I'),
  'getEventType()I': (_machine, me) => current(me).type,
  'getDepth()I': (_machine, me) => current(me).depth,
  'getName()Ljava/lang/String;': (machine, me) => {
    const { element } = current(me);
    return element === null ? null : machine.string(element.name);
  },
  'getText()Ljava/lang/String;': (machine, me) => machine.string(current(me).text),
  'nextText()Ljava/lang/String;': (machine, me) => {
    const type = next(machine, me) as number;
    const { text } = current(me);
    if (type === 4) next(machine, me);
    return machine.string(text);
  },
  'getAttributeNamespace(I)Ljava/lang/String;': (machine, me, index: number) =>
    machine.string(current(me).element?.attributes[index]?.namespace ?? ''),
  'getLineNumber()I': (_machine, me) => current(me).element?.line ?? -1,
  'getPositionDescription()Ljava/lang/String;': (machine) => machine.string('Binary XML file'),
  'isEmptyElementTag()Z': () => 0,
  'require(ILjava/lang/String;Ljava/lang/String;)V': nothing,
  'close()V': nothing,
  'setFeature(Ljava/lang/String;Z)V': nothing,
  'getAttributeValue(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;': (
    machine,
    me,
    _namespace: Reference,
    name: Reference,
  ) => {
    const { element } = current(me);
    const value = element === null ? null : attributeText(machine, element, plain(machine, name));
    return value === null ? null : machine.string(value);
  },
};

const metricsFields = [
  'widthPixels:I',
  'heightPixels:I',
  'density:F',
  'scaledDensity:F',
  'densityDpi:I',
  'xdpi:F',
  'ydpi:F',
];

export const resourceModels: Models = {
  'Landroid/content/res/Resources;': {
    methods: resourcesMethods,
    staticMethods: {
      'getSystem()Landroid/content/res/Resources;': (machine) => singleton(machine, 'Landroid/content/res/Resources;'),
    },
  },
  'Landroid/content/res/Resources$NotFoundException;': { extends: 'Ljava/lang/RuntimeException;' },
  'Landroid/util/DisplayMetrics;': {
    methods: { '<init>()V': (machine, me) => fillMetrics(machine, me) },
    fields: metricsFields,
  },
  'Landroid/content/res/AssetManager;': {
    methods: {
      ...each(
        openAsset,
        'open(Ljava/lang/String;)Ljava/io/InputStream;',
        'open(Ljava/lang/String;I)Ljava/io/InputStream;',
      ),
      'list(Ljava/lang/String;)[Ljava/lang/String;': (machine, _me, name: Reference) => {
        const folder = assetPath(machine, name).replace(/\/?$/, '/');
        const names = new Set(
          appOf(machine)
            .plan.entryNames.filter((entry) => entry.startsWith(folder))
            .map((entry) => entry.slice(folder.length).replace(/\/.*$/, '')),
        );
        return stringArray(machine, [...names].sort());
      },
      'openFd(Ljava/lang/String;)Landroid/content/res/AssetFileDescriptor;': (machine, _me, name: Reference) => {
        const bytes = appOf(machine).plan.readEntry(assetPath(machine, name));
        if (bytes === null) throw machine.exception('Ljava/io/FileNotFoundException;', textOf(machine, name));
        const descriptor = machine.allocate('Landroid/content/res/AssetFileDescriptor;');
        descriptor.native = bytes;
        return descriptor;
      },
      'addAssetPath(Ljava/lang/String;)I': () => 1,
      'getLocales()[Ljava/lang/String;': (machine) => stringArray(machine, ['de', 'en']),
      'close()V': nothing,
      '<init>()V': nothing,
    },
  },
  'Landroid/content/res/AssetFileDescriptor;': {
    methods: {
      'createInputStream()Ljava/io/FileInputStream;': (machine, me) => byteStream(machine, me.native as Uint8Array),
      'getLength()J': (_machine, me) => BigInt((me.native as Uint8Array).length),
      'getStartOffset()J': () => 0n,
      'close()V': nothing,
    },
  },
  'Landroid/content/res/XmlResourceParser;': {
    isInterface: true,
    implements: ['Lorg/xmlpull/v1/XmlPullParser;', 'Landroid/util/AttributeSet;'],
  },
  'Landroid/content/res/XmlBlock$Parser;': {
    extends: 'Landroid/util/XmlAttributeSet;',
    implements: ['Landroid/content/res/XmlResourceParser;'],
    methods: parserMethods,
  },
  'Landroid/util/Xml;': {
    staticMethods: {
      'parse(Ljava/lang/String;!Lorg/xml/sax/ContentHandler;)V': (machine, text: Reference, handler: HeapObject) =>
        tellHandler(machine, { text: textOf(machine, text), taint: text?.taint ?? 0 }, handler),
      'parse(Ljava/io/Reader;!Lorg/xml/sax/ContentHandler;)V': (machine, reader: Reference, handler: HeapObject) =>
        tellHandler(machine, readXmlText(machine, reader), handler),
      'parse(Ljava/io/InputStream;Landroid/util/Xml$Encoding;!Lorg/xml/sax/ContentHandler;)V': (
        machine,
        stream: Reference,
        _encoding: Reference,
        handler: HeapObject,
      ) => tellHandler(machine, readXmlText(machine, stream), handler),
      'newPullParser()Lorg/xmlpull/v1/XmlPullParser;': newPullParser,
      'asAttributeSet(Lorg/xmlpull/v1/XmlPullParser;)Landroid/util/AttributeSet;': (_machine, parser: Reference) =>
        parser,
    },
  },
};
