// What a call of the platform was handed, in words. Runs no code of the app.
import type { DynamicReport } from '../../../contract/engine/reports.ts';
import type { MethodInfo } from '../machine/class-info.ts';
import { HeapObject, JavaArray, JavaString, JavaThrow, type Value } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';
import { dataText } from './droidbox.ts';

const maxText = 300;
const maxElements = 20;
/** Classes of the platform that say all of themselves. */
const telling = new Set(
  ['java/net/URL', 'java/net/URI', 'android/net/Uri', 'java/io/File', 'java/lang/StringBuilder', 'java/util/Date'].map(
    (name) => `L${name};`,
  ),
);
const clip = (text: string): string => (text.length > maxText ? `${text.slice(0, maxText)}…` : text);

export type CallValues = NonNullable<DynamicReport['coverage']['sensitive_calls']>[number]['values'][number];

/** The arguments of a call, and what the object that it is made on says of itself. */
export function callValues(machine: Machine, method: MethodInfo, args: readonly Value[]): CallValues {
  const [receiver] = args;
  const isInstance = args.length > method.parameters.length;
  const on =
    isInstance && method.name !== '<init>' && receiver instanceof HeapObject ? objectText(machine, receiver) : null;
  const own = isInstance ? args.slice(1) : args;
  return {
    ...(on === null ? {} : { on }),
    arguments: own.map((value, index) => valueText(machine, value, method.parameters[index] ?? '')),
  };
}

/**
 * An argument as a reader writes it: texts and numbers as they are, bytes as text or hex, what else there is by its class.
 * @param type the parameter's descriptor
 */
function valueText(machine: Machine, value: Value, type: string): string {
  if (value === null) return 'null';
  if (type === 'Z') return value === 0 ? 'false' : 'true';
  if (type === 'C') return String.fromCharCode(Number(value));
  if (!(value instanceof HeapObject)) return String(value);
  if (value instanceof JavaString) return clip(value.text);
  if (value instanceof JavaArray) return arrayText(machine, value);
  return objectText(machine, value) ?? value.cls.name;
}

/** What an object says of itself, where the platform's model of its class tells it; null where it does not. */
function objectText(machine: Machine, object: HeapObject): string | null {
  if (object instanceof JavaString) return clip(object.text);
  const boxed = machine.unbox(object);
  if (boxed !== null) return String(boxed);
  if (!telling.has(object.cls.descriptor)) return null;
  try {
    return clip(machine.toText(object).text);
  } catch (error) {
    if (error instanceof JavaThrow) return null;
    throw error;
  }
}

function arrayText(machine: Machine, array: JavaArray): string {
  const { elements } = array;
  const [, component = ''] = array.cls.descriptor;
  if (component === 'B') return clip(dataText(Uint8Array.from((elements as Int8Array).subarray(0, maxText))));
  const shown = Array.from({ length: Math.min(elements.length, maxElements) }, (_, index) =>
    valueText(machine, elements[index] as Value, component),
  );
  return clip(`[${shown.join(', ')}${elements.length > maxElements ? ', …' : ''}]`);
}
