// Models of points, rectangles and colours, which apps calculate with, and of drawing, which has no effect here.
// Knows no view.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, ModelClass, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { each, flag, no, none, nothing, plain, type Reference, yes } from '../model-parts.ts';

/** Classes that consist of public fields, so that numbers keep their taint. */
const shapes: readonly (readonly [name: string, type: string, fields: readonly string[]])[] = [
  ['Point', 'I', ['x', 'y']],
  ['PointF', 'F', ['x', 'y']],
  ['Rect', 'I', ['left', 'top', 'right', 'bottom']],
  ['RectF', 'F', ['left', 'top', 'right', 'bottom']],
];

const fillFields =
  (names: readonly string[]): NativeMethod =>
  (machine, me, ...values: Value[]) => {
    for (const [index, name] of names.entries()) {
      machine.setField(me, name, values[index]!, machine.argumentTaint(index + 1));
    }
  };

const numberIn = (machine: Machine, object: HeapObject, name: string): number =>
  (machine.getField(object, name) as number | null) ?? 0;

const edges = ['left', 'top', 'right', 'bottom'] as const;
type Edges = readonly [left: number, top: number, right: number, bottom: number];

const edgesOf = (machine: Machine, rectangle: HeapObject): Edges => [
  numberIn(machine, rectangle, 'left'),
  numberIn(machine, rectangle, 'top'),
  numberIn(machine, rectangle, 'right'),
  numberIn(machine, rectangle, 'bottom'),
];

function setEdges(machine: Machine, rectangle: HeapObject, values: Edges): void {
  for (const [index, name] of edges.entries()) machine.setField(rectangle, name, values[index]!);
}

const isEmpty = ([left, top, right, bottom]: Edges): boolean => left >= right || top >= bottom;
const intersects = (a: Edges, b: Edges): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
const holds = (a: Edges, b: Edges): boolean =>
  !isEmpty(a) && a[0] <= b[0] && a[1] <= b[1] && a[2] >= b[2] && a[3] >= b[3];
const around = (a: Edges, b: Edges): Edges => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];
/** The smallest rectangle around both; an empty one counts nothing. */
const united = (a: Edges, b: Edges): Edges => (isEmpty(b) ? a : isEmpty(a) ? b : around(a, b));

/** Makes a rectangle what it has in common with another; 0 where that is nothing, and it stays as it is. */
function intersect(machine: Machine, me: HeapObject, b: Edges): number {
  const a = edgesOf(machine, me);
  if (!intersects(a, b)) return 0;
  setEdges(machine, me, [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]);
  return 1;
}

const copying: NativeMethod = (machine, me, other: Reference) => {
  if (other === null) return;
  for (const { name } of other.cls.instanceFields) machine.setField(me, name, machine.getField(other, name));
};

/** @param type `I` or `F` */
function rectangleMethods(type: string): NativeMethods {
  const round = type === 'I' ? Math.trunc : Math.fround;
  const change =
    (of: (edges: Edges, ...numbers: number[]) => Edges): NativeMethod =>
    (machine, me, ...numbers: number[]) => {
      setEdges(machine, me, of(edgesOf(machine, me), ...numbers));
    };
  const measure =
    (of: (edges: Edges) => number): NativeMethod =>
    (machine, me) =>
      of(edgesOf(machine, me));
  const own = `Landroid/graphics/${type === 'I' ? 'Rect' : 'RectF'};`;
  return {
    [`width()${type}`]: measure(([left, , right]) => right - left),
    [`height()${type}`]: measure(([, top, , bottom]) => bottom - top),
    [`centerX()${type}`]: measure(([left, , right]) => round((left + right) / 2)),
    [`centerY()${type}`]: measure(([, top, , bottom]) => round((top + bottom) / 2)),
    'exactCenterX()F': measure(([left, , right]) => Math.fround((left + right) / 2)),
    'exactCenterY()F': measure(([, top, , bottom]) => Math.fround((top + bottom) / 2)),
    'isEmpty()Z': measure((all) => flag(isEmpty(all))),
    'setEmpty()V': change(() => [0, 0, 0, 0]),
    [`offset(${type}${type})V`]: change(([a, b, c, d], x = 0, y = 0) => [a + x, b + y, c + x, d + y]),
    [`offsetTo(${type}${type})V`]: change(([a, b, c, d], x = 0, y = 0) => [x, y, c + x - a, d + y - b]),
    [`inset(${type}${type})V`]: change(([a, b, c, d], x = 0, y = 0) => [a + x, b + y, c - x, d - y]),
    [`contains(${type}${type})Z`]: (machine, me, x: number, y: number) => {
      const [left, top, right, bottom] = edgesOf(machine, me);
      return flag(x >= left && x < right && y >= top && y < bottom);
    },
    [`contains(${type.repeat(4)})Z`]: (machine, me, ...inner: number[]) =>
      flag(holds(edgesOf(machine, me), inner as unknown as Edges)),
    [`contains(!${own})Z`]: (machine, me, inner: HeapObject) =>
      flag(holds(edgesOf(machine, me), edgesOf(machine, inner))),
    [`intersects(${type.repeat(4)})Z`]: (machine, me, ...other: number[]) =>
      flag(intersects(edgesOf(machine, me), other as unknown as Edges)),
    [`intersect(${type.repeat(4)})Z`]: (machine, me, ...other: number[]) =>
      intersect(machine, me, other as unknown as Edges),
    [`union(${type.repeat(4)})V`]: change((a, ...b) => united(a, b as unknown as Edges)),
    [`union(${type}${type})V`]: change((a, x = 0, y = 0) => around(a, [x, y, x, y])),
    'sort()V': change(([a, b, c, d]) => [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]),
    'toShortString()Ljava/lang/String;': (machine, me) => {
      const [left, top, right, bottom] = edgesOf(machine, me);
      return machine.string(`[${left},${top}][${right},${bottom}]`);
    },
    'flattenToString()Ljava/lang/String;': (machine, me) => machine.string(edgesOf(machine, me).join(' ')),
    [`intersect(!${own})Z`]: (machine, me, other: HeapObject) => intersect(machine, me, edgesOf(machine, other)),
    [`union(!${own})V`]: (machine, me, other: HeapObject) => {
      setEdges(machine, me, united(edgesOf(machine, me), edgesOf(machine, other)));
    },
    ...each(copying, '<init>(Landroid/graphics/Rect;)V', 'set(Landroid/graphics/Rect;)V'),
    ...(type === 'F' ? each(copying, '<init>(Landroid/graphics/RectF;)V', 'set(Landroid/graphics/RectF;)V') : {}),
  };
}

const shapeModel = (name: string, type: string, fields: readonly string[]): ModelClass => ({
  implements: ['Landroid/os/Parcelable;'],
  fields: fields.map((field) => `${field}:${type}`),
  methods: {
    '<init>()V': nothing,
    [`<init>(${type.repeat(fields.length)})V`]: fillFields(fields),
    [`set(${type.repeat(fields.length)})V`]: fillFields(fields),
    ...(fields.length === 4
      ? rectangleMethods(type)
      : each(copying, `<init>(Landroid/graphics/${name};)V`, `set(Landroid/graphics/${name};)V`)),
    'equals(Ljava/lang/Object;)Z': (machine, me, other: Reference) =>
      other !== null &&
      other.cls === me.cls &&
      fields.every((field) => Object.is(machine.getField(me, field), machine.getField(other, field))),
  },
});

// Colours.

const namedColours: Readonly<Record<string, number>> = {
  BLACK: 0xff000000,
  DKGRAY: 0xff444444,
  GRAY: 0xff888888,
  LTGRAY: 0xffcccccc,
  WHITE: 0xffffffff,
  RED: 0xffff0000,
  GREEN: 0xff00ff00,
  BLUE: 0xff0000ff,
  YELLOW: 0xffffff00,
  CYAN: 0xff00ffff,
  MAGENTA: 0xffff00ff,
  TRANSPARENT: 0,
};

function parseColour(machine: Machine, value: Reference): number {
  const text = plain(machine, value);
  const [, digits = ''] = /^#([\da-f]{6}|[\da-f]{8})$/i.exec(text) ?? [];
  if (digits.length === 6) return Number.parseInt(digits, 16) | 0xff000000 | 0;
  if (digits.length === 8) return Number.parseInt(digits, 16) | 0;
  const named = namedColours[text.toUpperCase()];
  if (named === undefined) throw machine.exception('Ljava/lang/IllegalArgumentException;', 'Unknown color');
  return named | 0;
}

const colourModel: ModelClass = {
  constants: Object.fromEntries(Object.entries(namedColours).map(([name, value]) => [`${name}:I`, value | 0])),
  pureStatic: {
    'alpha(I)I': (_machine, colour: number) => colour >>> 24,
    'red(I)I': (_machine, colour: number) => (colour >> 16) & 0xff,
    'green(I)I': (_machine, colour: number) => (colour >> 8) & 0xff,
    'blue(I)I': (_machine, colour: number) => colour & 0xff,
    'rgb(III)I': (_machine, red: number, green: number, blue: number) =>
      0xff000000 | ((red & 0xff) << 16) | ((green & 0xff) << 8) | (blue & 0xff),
    'argb(IIII)I': (_machine, alpha: number, red: number, green: number, blue: number) =>
      (alpha << 24) | ((red & 0xff) << 16) | ((green & 0xff) << 8) | (blue & 0xff),
    'parseColor(Ljava/lang/String;)I': parseColour,
  },
};

// Drawing, which has no effect.

const canvasDraws =
  'drawText(Ljava/lang/String;FFLandroid/graphics/Paint;) drawText(Ljava/lang/CharSequence;IIFFLandroid/graphics/Paint;) drawText([CIIFFLandroid/graphics/Paint;) drawLine(FFFFLandroid/graphics/Paint;) drawLines([FLandroid/graphics/Paint;) drawPoint(FFLandroid/graphics/Paint;) drawPoints([FLandroid/graphics/Paint;) drawRect(FFFFLandroid/graphics/Paint;) drawRect(Landroid/graphics/Rect;Landroid/graphics/Paint;) drawRect(Landroid/graphics/RectF;Landroid/graphics/Paint;) drawRoundRect(Landroid/graphics/RectF;FFLandroid/graphics/Paint;) drawOval(Landroid/graphics/RectF;Landroid/graphics/Paint;) drawArc(Landroid/graphics/RectF;FFZLandroid/graphics/Paint;) drawCircle(FFFLandroid/graphics/Paint;) drawPath(Landroid/graphics/Path;Landroid/graphics/Paint;) drawColor(I) drawPaint(Landroid/graphics/Paint;) drawBitmap(Landroid/graphics/Bitmap;FFLandroid/graphics/Paint;) drawBitmap(Landroid/graphics/Bitmap;Landroid/graphics/Matrix;Landroid/graphics/Paint;) drawBitmap(Landroid/graphics/Bitmap;Landroid/graphics/Rect;Landroid/graphics/Rect;Landroid/graphics/Paint;) drawBitmap(Landroid/graphics/Bitmap;Landroid/graphics/Rect;Landroid/graphics/RectF;Landroid/graphics/Paint;) translate(FF) scale(FF) scale(FFFF) rotate(F) rotate(FFF) skew(FF) concat(Landroid/graphics/Matrix;) setMatrix(Landroid/graphics/Matrix;) setBitmap(Landroid/graphics/Bitmap;) restore() restoreToCount(I)';
const paintSetters =
  '<init>() <init>(I) <init>(Landroid/graphics/Paint;) setColor(I) setAlpha(I) setARGB(IIII) setAntiAlias(Z) setDither(Z) setFilterBitmap(Z) setFakeBoldText(Z) setUnderlineText(Z) setSubpixelText(Z) setStrokeWidth(F) setTextSize(F) setTextScaleX(F) setStyle(Landroid/graphics/Paint$Style;) setStrokeCap(Landroid/graphics/Paint$Cap;) setStrokeJoin(Landroid/graphics/Paint$Join;) setTextAlign(Landroid/graphics/Paint$Align;) setShadowLayer(FFFI) setFlags(I) reset() set(Landroid/graphics/Paint;)';
const pathSteps =
  '<init>() <init>(Landroid/graphics/Path;) moveTo(FF) rMoveTo(FF) lineTo(FF) rLineTo(FF) quadTo(FFFF) cubicTo(FFFFFF) arcTo(Landroid/graphics/RectF;FF) close() reset() rewind() addCircle(FFFLandroid/graphics/Path$Direction;) addRect(FFFFLandroid/graphics/Path$Direction;) addRect(Landroid/graphics/RectF;Landroid/graphics/Path$Direction;) addOval(Landroid/graphics/RectF;Landroid/graphics/Path$Direction;) offset(FF)';

const silent = (signatures: string): NativeMethods =>
  each(nothing, ...signatures.split(' ').map((signature) => `${signature}V`));

const answerFirst: NativeMethod = (_machine, _me, value: Value) => value;
const characterWidth = 20;

const widthOf: NativeMethod = (machine, _me, text: Reference) => plain(machine, text).length * characterWidth;

const paintModel: ModelClass = {
  methods: {
    ...silent(paintSetters),
    'getColor()I': () => 0xff000000 | 0,
    'getAlpha()I': () => 255,
    'getTextSize()F': () => 42,
    'getStrokeWidth()F': () => 1,
    'ascent()F': () => -39,
    'descent()F': () => 10,
    'measureText(Ljava/lang/String;)F': widthOf,
    'measureText(Ljava/lang/CharSequence;II)F': (_machine, _me, _text: Reference, from: number, to: number) =>
      (to - from) * characterWidth,
    ...each(
      answerFirst,
      'setShader(Landroid/graphics/Shader;)Landroid/graphics/Shader;',
      'setXfermode(Landroid/graphics/Xfermode;)Landroid/graphics/Xfermode;',
      'setColorFilter(Landroid/graphics/ColorFilter;)Landroid/graphics/ColorFilter;',
      'setPathEffect(Landroid/graphics/PathEffect;)Landroid/graphics/PathEffect;',
      'setMaskFilter(Landroid/graphics/MaskFilter;)Landroid/graphics/MaskFilter;',
      'setTypeface(Landroid/graphics/Typeface;)Landroid/graphics/Typeface;',
    ),
    'getTextBounds(Ljava/lang/String;II!Landroid/graphics/Rect;)V': (
      machine,
      _me,
      _text: Reference,
      from: number,
      to: number,
      bounds: HeapObject,
    ) => setEdges(machine, bounds, [0, -39, (to - from) * characterWidth, 10]),
  },
};

const matrixMethods: NativeMethods = {
  ...each(nothing, '<init>()V', '<init>(Landroid/graphics/Matrix;)V', 'reset()V', 'set(Landroid/graphics/Matrix;)V'),
  ...each(nothing, 'setScale(FF)V', 'setTranslate(FF)V', 'setRotate(F)V', 'setValues([F)V', 'mapPoints([F)V'),
  'isIdentity()Z': yes,
  ...each(
    yes,
    ...['pre', 'post'].flatMap((when) => [
      `${when}Translate(FF)Z`,
      `${when}Scale(FF)Z`,
      `${when}Scale(FFFF)Z`,
      `${when}Rotate(F)Z`,
      `${when}Rotate(FFF)Z`,
      `${when}Concat(Landroid/graphics/Matrix;)Z`,
    ]),
    'mapRect(Landroid/graphics/RectF;)Z',
    'invert(Landroid/graphics/Matrix;)Z',
    'setRectToRect(Landroid/graphics/RectF;Landroid/graphics/RectF;Landroid/graphics/Matrix$ScaleToFit;)Z',
  ),
};

export const graphicsModels: Models = {
  ...Object.fromEntries(
    shapes.map(([name, type, fields]) => [`Landroid/graphics/${name};`, shapeModel(name, type, fields)]),
  ),
  'Landroid/graphics/Color;': colourModel,
  'Landroid/graphics/Canvas;': {
    methods: {
      ...silent(`<init>() <init>(Landroid/graphics/Bitmap;) ${canvasDraws}`),
      'save()I': () => 1,
      'save(I)I': () => 1,
      'saveLayer(FFFFLandroid/graphics/Paint;)I': () => 1,
      'saveLayer(FFFFLandroid/graphics/Paint;I)I': () => 1,
      'getSaveCount()I': () => 1,
      'getWidth()I': () => 1080,
      'getHeight()I': () => 1920,
      ...each(yes, 'clipRect(IIII)Z', 'clipRect(FFFF)Z', 'clipRect(Landroid/graphics/Rect;)Z'),
      ...each(yes, 'clipRect(Landroid/graphics/RectF;)Z', 'clipPath(Landroid/graphics/Path;)Z'),
      'isHardwareAccelerated()Z': no,
    },
  },
  'Landroid/graphics/Paint;': paintModel,
  'Landroid/text/TextPaint;': { extends: 'Landroid/graphics/Paint;', methods: silent('<init>() <init>(I)') },
  'Landroid/graphics/Path;': { methods: { ...silent(pathSteps), 'isEmpty()Z': no } },
  'Landroid/graphics/Matrix;': { methods: matrixMethods },
  'Landroid/graphics/drawable/Drawable;': {
    methods: {
      ...each(
        nothing,
        '<init>()V',
        'setBounds(IIII)V',
        'setAlpha(I)V',
        'draw(Landroid/graphics/Canvas;)V',
        'setColorFilter(ILandroid/graphics/PorterDuff$Mode;)V',
        'invalidateSelf()V',
        'setCallback(Landroid/graphics/drawable/Drawable$Callback;)V',
      ),
      'getIntrinsicWidth()I': () => 96,
      'getIntrinsicHeight()I': () => 96,
      'mutate()Landroid/graphics/drawable/Drawable;': (_machine, me) => me,
      'getConstantState()Landroid/graphics/drawable/Drawable$ConstantState;': none,
      'isStateful()Z': no,
      'setState([I)Z': no,
      'setVisible(ZZ)Z': yes,
      'getBitmap()Landroid/graphics/Bitmap;': (machine) => machine.allocate('Landroid/graphics/Bitmap;'),
    },
  },
};
