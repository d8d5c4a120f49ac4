// Model of Gravity: where something stands in the room that it has. Values as android.view.Gravity documents them.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models, StaticMethod } from '../../machine/model.ts';

const pullBefore = 2;
const pullAfter = 4;
const clips = 8;
const verticalShift = 4;
/** START and END instead of LEFT and RIGHT. */
const relative = 0x0080_0000;
const horizontalMask = 7;
const left = 3;
const right = 5;
const rightToLeft = 1;
const rect = 'Landroid/graphics/Rect;';

/** With LEFT or RIGHT in the place of START or END. */
function absoluteGravity(gravity: number, direction: number): number {
  if ((gravity & relative) === 0) return gravity;
  const side = gravity & horizontalMask;
  const isSwapped = direction === rightToLeft && (side === left || side === right);
  const absolute = isSwapped ? left + right - side : side;
  return (gravity & ~relative & ~horizontalMask) | absolute;
}

/** First and last edge of what is `size` long within `from` and `to`, along one axis. */
function along(gravity: number, size: number, from: number, to: number, shift: number): [number, number] {
  const pull = gravity & (pullBefore | pullAfter);
  let start = from + shift;
  let end = start + size;
  if (pull === 0) {
    start = from + Math.trunc((to - from - size) / 2) + shift;
    end = start + size;
  } else if (pull === pullAfter) {
    end = to - shift;
    start = end - size;
  } else if (pull !== pullBefore) end = to + shift;
  return (gravity & clips) === 0 ? [start, end] : [Math.max(start, from), Math.min(end, to)];
}

const edge = (machine: Machine, rectangle: HeapObject, name: string): number =>
  machine.getField(rectangle, name) as number;

function place(
  machine: Machine,
  gravity: number,
  [width, height]: readonly [number, number],
  container: HeapObject,
  [across, down]: readonly [number, number],
  target: HeapObject,
): void {
  const horizontal = along(gravity, width, edge(machine, container, 'left'), edge(machine, container, 'right'), across);
  const vertical = along(
    gravity >> verticalShift,
    height,
    edge(machine, container, 'top'),
    edge(machine, container, 'bottom'),
    down,
  );
  for (const [index, name] of ['left', 'right'].entries()) machine.setField(target, name, horizontal[index]!);
  for (const [index, name] of ['top', 'bottom'].entries()) machine.setField(target, name, vertical[index]!);
}

/** @param hasShift whether two numbers that move the result stand before the rectangle that takes it */
const applying =
  (hasShift: boolean, isRelative: boolean): StaticMethod =>
  (
    machine,
    gravity: number,
    width: number,
    height: number,
    container: HeapObject,
    ...rest: (number | HeapObject)[]
  ) => {
    const shift = (hasShift ? rest.splice(0, 2) : [0, 0]) as [number, number];
    const [target, direction = 0] = rest as [HeapObject, number?];
    const absolute = isRelative ? absoluteGravity(gravity, direction) : gravity;
    place(machine, absolute, [width, height], container, shift, target);
  };

export const gravityModels: Models = {
  'Landroid/view/Gravity;': {
    staticMethods: {
      'getAbsoluteGravity(II)I': (_machine, gravity: number, direction: number) => absoluteGravity(gravity, direction),
      'isVertical(I)Z': (_machine, gravity: number) => gravity > 0 && (gravity & 0x70) !== 0,
      'isHorizontal(I)Z': (_machine, gravity: number) => gravity > 0 && (gravity & (horizontalMask | relative)) !== 0,
      [`apply(III!${rect}!${rect})V`]: applying(false, false),
      [`apply(III!${rect}!${rect}I)V`]: applying(false, true),
      [`apply(III!${rect}II!${rect})V`]: applying(true, false),
      [`apply(III!${rect}II!${rect}I)V`]: applying(true, true),
    },
  },
};
