// Models of typefaces and of the builders that fonts of resources are made by. Nothing is drawn with them.
import type { Machine, ModelClass, Models, NativeMethods, StaticMethod } from '../../machine/model.ts';
import { each, nothing, self, sideState } from '../model-parts.ts';

const typeface = 'Landroid/graphics/Typeface;';
const S = 'Ljava/lang/String;';
/** `Typeface.BOLD` and `ITALIC`. */
const bold = 1;
const italic = 2;

const newTypeface = (machine: Machine, style = 0) => {
  const made = machine.allocate(typeface);
  sideState(machine, 'typeface', made, () => ({ style }));
  return made;
};

const constant = (style: number) => (machine: Machine) => newTypeface(machine, style);

/** Of a family and a style, or of a file. */
const create: StaticMethod = (machine, _from, style: unknown) =>
  newTypeface(machine, typeof style === 'number' ? style : 0);

const typefaceMethods: NativeMethods = Object.fromEntries(
  (
    [
      ['getStyle()I', (style: number) => style],
      ['isBold()Z', (style: number) => (style & bold) !== 0],
      ['isItalic()Z', (style: number) => (style & italic) !== 0],
      ['getWeight()I', (style: number) => ((style & bold) === 0 ? 400 : 700)],
    ] as const
  ).map(([signature, of]) => [
    signature,
    (machine, me) => of(sideState(machine, 'typeface', me, () => ({ style: 0 })).style),
  ]),
);

/** A builder whose steps answer with itself, and which ends in `build`. */
const builder = (made: string, constructors: readonly string[], steps: readonly string[], own: string): ModelClass => ({
  methods: {
    ...each(nothing, ...constructors.map((parameters) => `<init>(${parameters})V`)),
    ...each(self, ...steps.map((step) => `${step}${own}`)),
    [`build()${made}`]: (machine) => (made === typeface ? newTypeface(machine) : machine.allocate(made)),
  },
});

const font = 'Landroid/graphics/fonts/Font;';
const family = 'Landroid/graphics/fonts/FontFamily;';
const style = 'Landroid/graphics/fonts/FontStyle;';
const fontBuilder = 'Landroid/graphics/fonts/Font$Builder;';
const familyBuilder = 'Landroid/graphics/fonts/FontFamily$Builder;';
const fallbackBuilder = 'Landroid/graphics/Typeface$CustomFallbackBuilder;';
const typefaceBuilder = 'Landroid/graphics/Typeface$Builder;';

export const fontModels: Models = {
  [typeface]: {
    methods: typefaceMethods,
    staticMethods: each(
      create,
      `create(${S}I)${typeface}`,
      `create(${typeface}I)${typeface}`,
      `create(${typeface}IZ)${typeface}`,
      `createFromAsset(Landroid/content/res/AssetManager;${S})${typeface}`,
      `createFromFile(${S})${typeface}`,
      `createFromFile(Ljava/io/File;)${typeface}`,
    ),
    constants: {
      'NORMAL:I': 0,
      'BOLD:I': bold,
      'ITALIC:I': italic,
      'BOLD_ITALIC:I': bold | italic,
      [`DEFAULT:${typeface}`]: constant(0),
      [`DEFAULT_BOLD:${typeface}`]: constant(bold),
      [`SANS_SERIF:${typeface}`]: constant(0),
      [`SERIF:${typeface}`]: constant(0),
      [`MONOSPACE:${typeface}`]: constant(0),
    },
  },
  [fontBuilder]: builder(
    font,
    [
      'Landroid/content/res/Resources;I',
      `Landroid/content/res/AssetManager;${S}`,
      'Ljava/io/File;',
      'Ljava/nio/ByteBuffer;',
    ],
    ['setWeight(I)', 'setSlant(I)', 'setTtcIndex(I)', `setFontVariationSettings(${S})`],
    fontBuilder,
  ),
  [font]: { methods: { [`getStyle()${style}`]: (machine) => machine.allocate(style) } },
  [style]: {
    methods: { ...each(nothing, '<init>()V', '<init>(II)V'), 'getWeight()I': () => 400, 'getSlant()I': () => 0 },
  },
  [familyBuilder]: builder(family, [font], [`addFont(${font})`], familyBuilder),
  [family]: {
    methods: { [`getFont(I)${font}`]: (machine) => machine.allocate(font), 'getSize()I': () => 1 },
  },
  [fallbackBuilder]: builder(
    typeface,
    [family],
    [`setStyle(${style})`, `setSystemFallback(${S})`, `addCustomFallback(${family})`],
    fallbackBuilder,
  ),
  [typefaceBuilder]: builder(
    typeface,
    ['Ljava/io/File;', S, `Landroid/content/res/AssetManager;${S}`, 'Ljava/io/FileDescriptor;'],
    ['setWeight(I)', 'setItalic(Z)', `setFallback(${S})`, 'setTtcIndex(I)', `setFontVariationSettings(${S})`],
    typefaceBuilder,
  ),
};
