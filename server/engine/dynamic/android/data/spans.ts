// Models of the spans that apps write themselves: links that are touched, and what draws itself. Knows no text.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models } from '../../machine/model.ts';
import { appOf } from '../components/app.ts';
import { callIfThere, each, nothing, type Reference } from '../model-parts.ts';

const span = (name: string) => `Landroid/text/style/${name};`;
const paint = 'Landroid/text/TextPaint;';
const view = 'Landroid/view/View;';
const canvas = 'Landroid/graphics/Canvas;';
const plainPaint = 'Landroid/graphics/Paint;';
const metrics = 'Landroid/graphics/Paint$FontMetricsInt;';
const C = 'Ljava/lang/CharSequence;';

const drawn: readonly (readonly [signature: string, args: (machine: Machine) => readonly Value[]])[] = [
  [`updateMeasureState(${paint})V`, (machine) => [machine.construct(paint, '<init>()V')]],
  [`updateDrawState(${paint})V`, (machine) => [machine.construct(paint, '<init>()V')]],
  ['getLeadingMargin(Z)I', () => [1]],
  [
    `getSize(${plainPaint}${C}II${metrics})I`,
    (machine) => [machine.construct(plainPaint, '<init>()V'), machine.string('text'), 0, 4, null],
  ],
  [
    `drawLeadingMargin(${canvas}${plainPaint}IIIII${C}IIZLandroid/text/Layout;)V`,
    (machine) => [
      ...[machine.allocate(canvas), machine.construct(plainPaint, '<init>()V')],
      ...[0, 1, 0, 40, 56, machine.string('text'), 0, 4, 1, null],
    ],
  ],
  [
    `draw(${canvas}${C}IIFIIILandroid/graphics/Paint;)V`,
    (machine) => [
      ...[machine.allocate(canvas), machine.string('text'), 0, 4, 0, 0, 40, 56],
      machine.construct(plainPaint, '<init>()V'),
    ],
  ],
];

/** A text got a span: one of the app's own is drawn, and touched where it is a link. */
export function setSpan(machine: Machine, text: HeapObject, object: Reference): undefined {
  if (object === null || !object.cls.isApp) return;
  const app = appOf(machine);
  const key = `span#${app.numberOf(object)}`;
  const isReady = () => app.front !== null;
  // Asked once no screen is left.
  const isGone = () => true;
  app.listen(`${key} drawn`, {
    ...{ kind: 'span', isOnce: true, isReady, isGone },
    fire: () => {
      for (const [signature, args] of drawn) callIfThere(machine, object, signature, ...args(machine));
    },
  });
  if (!machine.isInstance(object, span('ClickableSpan'))) return;
  app.listen(`${key} touched`, {
    ...{ kind: 'click', isReady, isGone, about: () => `link in "${machine.toText(text).text.slice(0, 40)}"` },
    fire: () => {
      const context = app.front!.object;
      callIfThere(
        machine,
        object,
        `onClick(${view})V`,
        machine.construct('Landroid/widget/TextView;', '<init>(Landroid/content/Context;)V', context),
      );
    },
  });
}

const constructors = each(nothing, '<init>()V', '<init>(I)V', '<init>(Ljava/lang/String;)V');

/** A class of spans that apps extend, with what it does itself. */
const spanClass = (parent: string | null, ...methods: readonly string[]) => ({
  ...(parent === null ? {} : { extends: span(parent) }),
  methods: { ...constructors, ...each(nothing, ...methods) },
});

export const spanModels: Models = {
  [span('CharacterStyle')]: spanClass(null, `updateDrawState(${paint})V`),
  [span('MetricAffectingSpan')]: spanClass('CharacterStyle', `updateMeasureState(${paint})V`),
  [span('ReplacementSpan')]: spanClass('MetricAffectingSpan'),
  [span('ClickableSpan')]: spanClass('CharacterStyle', `onClick(${view})V`),
  [span('URLSpan')]: spanClass('ClickableSpan'),
  [span('StyleSpan')]: spanClass('MetricAffectingSpan'),
  [span('TypefaceSpan')]: spanClass('MetricAffectingSpan'),
  [span('UnderlineSpan')]: spanClass('CharacterStyle'),
  [span('ForegroundColorSpan')]: spanClass('CharacterStyle'),
  [span('BackgroundColorSpan')]: spanClass('CharacterStyle'),
  [span('LeadingMarginSpan')]: { isInterface: true },
  [span('LineBackgroundSpan')]: { isInterface: true },
  [span('LineHeightSpan')]: { isInterface: true },
};
