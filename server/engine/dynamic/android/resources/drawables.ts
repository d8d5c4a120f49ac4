// Drawables as resources name them: which class stands behind a colour, a picture or an XML file. Knows no view.
import { isColorType, isIntegerType, type ResValue } from '../../../formats/arsc/res-value.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { readXml } from './xml-resources.ts';

/** By the root element of the XML that describes it. */
const classes: Readonly<Record<string, string>> = {
  'adaptive-icon': 'AdaptiveIconDrawable',
  'animated-rotate': 'AnimatedRotateDrawable',
  'animated-selector': 'AnimatedStateListDrawable',
  'animated-vector': 'AnimatedVectorDrawable',
  'animation-list': 'AnimationDrawable',
  bitmap: 'BitmapDrawable',
  clip: 'ClipDrawable',
  color: 'ColorDrawable',
  inset: 'InsetDrawable',
  'layer-list': 'LayerDrawable',
  'level-list': 'LevelListDrawable',
  'nine-patch': 'NinePatchDrawable',
  ripple: 'RippleDrawable',
  rotate: 'RotateDrawable',
  scale: 'ScaleDrawable',
  selector: 'StateListDrawable',
  shape: 'GradientDrawable',
  transition: 'TransitionDrawable',
  vector: 'VectorDrawable',
};

/** @param id of the resource that has the value; 0 for a value that belongs to no resource */
export function newDrawable(machine: Machine, value: ResValue | null, id: number): HeapObject {
  return machine.allocate(`Landroid/graphics/drawable/${classOf(machine, value, id)};`);
}

function classOf(machine: Machine, value: ResValue | null, id: number): string {
  if (value === null) return 'BitmapDrawable';
  if (isColorType(value.type) || isIntegerType(value.type)) return 'ColorDrawable';
  if (value.text?.endsWith('.xml') === true) return classes[readXml(machine, id)?.name ?? ''] ?? 'BitmapDrawable';
  return value.text?.endsWith('.9.png') === true ? 'NinePatchDrawable' : 'BitmapDrawable';
}
