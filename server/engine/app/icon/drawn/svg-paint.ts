// Colours and gradients of SVG as what is painted at each place. Knows no outlines.
import type { Pixels } from '../../../formats/pixels.ts';
import { type Color, inverse, type Matrix, type Paint } from './sample-grid.ts';
import { numberOf, referred, type SvgElement } from './svg-tree.ts';

interface Stop {
  offset: number;
  color: Color;
}

const clear: Color = [0, 0, 0, 0];
const plain =
  (color: Color): Paint =>
  () =>
    color;

/** The colour that an element's attribute names, with that of its opacity; null: none. */
export function colorOf(element: SvgElement, name: string): Color | null {
  const value = /^#([0-9a-f]{6})$/.exec(element.attributes.get(name) ?? '')?.[1];
  if (value === undefined) return null;
  const argb = Number.parseInt(value, 16);
  const opacity = numberOf(element, name.endsWith('-color') ? name.replace('color', 'opacity') : `${name}-opacity`, 1);
  return [(argb >>> 16) / 255, ((argb >>> 8) & 0xff) / 255, (argb & 0xff) / 255, opacity];
}

/**
 * What fills or strokes an element; null: nothing.
 * @param matrix leads from where the element's numbers are to the grid
 */
export function paintOf(
  element: SvgElement,
  name: 'fill' | 'stroke',
  matrix: Matrix,
  definitions: ReadonlyMap<string, SvgElement>,
): Paint | null {
  const gradient = referred(element, name, definitions);
  if (gradient === null) {
    const color = colorOf(element, name);
    return color === null ? null : plain(color);
  }
  const back = inverse(matrix);
  const stops = gradient.children.flatMap((stop) => {
    const color = colorOf(stop, 'stop-color');
    return color === null ? [] : [{ offset: numberOf(stop, 'offset'), color }];
  });
  if (back === null || stops.length === 0) return null;
  const isReflected = gradient.attributes.get('spreadMethod') === 'reflect';
  const opacity = numberOf(element, `${name}-opacity`, 1);
  const alongOf = gradient.name === 'linearGradient' ? alongLine(gradient) : alongRadius(gradient);
  return (x, y) => {
    const along = alongOf(back[0] * x + back[2] * y + back[4], back[1] * x + back[3] * y + back[5]);
    const [red, green, blue, own] = colorAt(stops, isReflected ? reflected(along) : along);
    return [red, green, blue, own * opacity];
  };
}

const reflected = (along: number): number => 1 - Math.abs((Math.abs(along) % 2) - 1);

function alongLine(gradient: SvgElement): (x: number, y: number) => number {
  const [x1, y1] = [numberOf(gradient, 'x1'), numberOf(gradient, 'y1')];
  const [dx, dy] = [numberOf(gradient, 'x2') - x1, numberOf(gradient, 'y2') - y1];
  const length = dx * dx + dy * dy;
  return (x, y) => (length === 0 ? 1 : ((x - x1) * dx + (y - y1) * dy) / length);
}

function alongRadius(gradient: SvgElement): (x: number, y: number) => number {
  const [cx, cy, radius] = [numberOf(gradient, 'cx'), numberOf(gradient, 'cy'), numberOf(gradient, 'r', 1)];
  return (x, y) => (radius === 0 ? 1 : Math.hypot(x - cx, y - cy) / radius);
}

function colorAt(stops: readonly Stop[], along: number): Color {
  const next = stops.findIndex(({ offset }) => offset >= along);
  if (next === 0) return stops[0]!.color;
  if (next < 0) return stops.at(-1)!.color;
  const [one, other] = [stops[next - 1]!, stops[next]!];
  const share = (along - one.offset) / (other.offset - one.offset);
  const mixed = (at: 0 | 1 | 2 | 3) => one.color[at] + (other.color[at] - one.color[at]) * share;
  return [mixed(0), mixed(1), mixed(2), mixed(3)];
}

/** A picture that fills a unit square. @param matrix leads from the square to the grid */
export function pixelPaint({ width, height, rgba }: Pixels, matrix: Matrix): Paint | null {
  const back = inverse(matrix);
  if (back === null) return null;
  return (x, y) => {
    const column = Math.floor((back[0] * x + back[2] * y + back[4]) * width);
    const row = Math.floor((back[1] * x + back[3] * y + back[5]) * height);
    if (column < 0 || row < 0 || column >= width || row >= height) return clear;
    const at = (row * width + column) * 4;
    return [rgba[at]! / 255, rgba[at + 1]! / 255, rgba[at + 2]! / 255, rgba[at + 3]! / 255];
  };
}
