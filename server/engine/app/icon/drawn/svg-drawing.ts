// Draws the SVG that icons are made into on a small grid. Knows no other SVG.
import { filledOutlines, strokedOutlines } from './outline.ts';
import { pixelsOf } from './pixels.ts';
import {
  DrawingCost,
  gridHeight,
  gridWidth,
  type Mask,
  type Matrix,
  maskOf,
  product,
  SampleGrid,
} from './sample-grid.ts';
import { colorOf, paintOf, pixelPaint } from './svg-paint.ts';
import { definitionsOf, numberOf, readSvg, referred, type SvgElement, transformOf } from './svg-tree.ts';

const maxDepth = 64;

/** @throws TooMuchToDrawError */
export function drawSvg(text: string): SampleGrid {
  const root = readSvg(text);
  const [x = 0, y = 0, width = 1, height = 1] = (root.attributes.get('viewBox') ?? '').split(' ').map(Number);
  const [across, down] = [gridWidth / width, gridHeight / height];
  const grid = new SvgDrawing(definitionsOf(root));
  return grid.drawn(root, [across, 0, 0, down, -x * across, -y * down]);
}

class SvgDrawing {
  readonly #definitions: ReadonlyMap<string, SvgElement>;
  readonly #cost = new DrawingCost();

  constructor(definitions: ReadonlyMap<string, SvgElement>) {
    this.#definitions = definitions;
  }

  drawn(root: SvgElement, matrix: Matrix): SampleGrid {
    const grid = new SampleGrid(this.#cost);
    for (const child of root.children) this.#draw(child, matrix, [], grid, 0);
    return grid;
  }

  #draw(element: SvgElement, outer: Matrix, outerMasks: readonly Mask[], grid: SampleGrid, depth: number): void {
    if (element.name === 'defs' || depth > maxDepth) return;
    const matrix = product(outer, transformOf(element));
    const clip = this.#clipOf(element, matrix);
    const masks = clip === null ? outerMasks : [...outerMasks, clip];
    if (element.name === 'image') this.#image(element, matrix, masks, grid);
    else if (element.name === 'g') this.#group(element, matrix, masks, grid, depth);
    else this.#shape(element, matrix, masks, grid);
  }

  #group(element: SvgElement, matrix: Matrix, masks: readonly Mask[], grid: SampleGrid, depth: number): void {
    const opacity = numberOf(element, 'opacity', 1);
    const filter = referred(element, 'filter', this.#definitions);
    if (opacity === 1 && filter === null) {
      for (const child of element.children) this.#draw(child, matrix, masks, grid, depth + 1);
      return;
    }
    const layer = new SampleGrid(this.#cost);
    for (const child of element.children) this.#draw(child, matrix, [], layer, depth + 1);
    const flood = filter?.children[0];
    grid.lay(layer, masks, opacity, flood === undefined ? null : colorOf(flood, 'flood-color'));
  }

  #clipOf(element: SvgElement, matrix: Matrix): Mask | null {
    const shape = referred(element, 'clip-path', this.#definitions)?.children[0];
    return shape === undefined ? null : maskOf(filledOutlines(pathOf(shape), matrix), false, this.#cost);
  }

  #shape(element: SvgElement, matrix: Matrix, masks: readonly Mask[], grid: SampleGrid): void {
    const data = pathOf(element);
    if (data === '') return;
    const fill = paintOf(element, 'fill', matrix, this.#definitions);
    const isEvenOdd = element.attributes.get('fill-rule') === 'evenodd';
    if (fill !== null) grid.paint([...masks, maskOf(filledOutlines(data, matrix), isEvenOdd, this.#cost)], fill, 1);
    const stroke = paintOf(element, 'stroke', matrix, this.#definitions);
    const width = numberOf(element, 'stroke-width');
    if (stroke !== null && width > 0)
      grid.paint([...masks, maskOf(strokedOutlines(data, width, matrix), false, this.#cost)], stroke, 1);
  }

  #image(element: SvgElement, matrix: Matrix, masks: readonly Mask[], grid: SampleGrid): void {
    const data = /^data:[\w/+]+;base64,(.*)$/.exec(element.attributes.get('href') ?? '')?.[1];
    const pixels = data === undefined ? null : pixelsOf(Buffer.from(data, 'base64'));
    if (pixels === null) return;
    this.#cost.add(0, pixels.width * pixels.height);
    const size = [numberOf(element, 'width'), numberOf(element, 'height')] as const;
    const place: Matrix = [size[0], 0, 0, size[1], numberOf(element, 'x'), numberOf(element, 'y')];
    const paint = pixelPaint(pixels, product(matrix, place));
    if (paint !== null) grid.paint(masks, paint, 1);
  }
}

/** The path that is a shape's edge. */
function pathOf(shape: SvgElement): string {
  const value = (name: string, fallback = 0) => numberOf(shape, name, fallback);
  const ellipse = (cx: number, cy: number, rx: number, ry: number) =>
    `M${cx - rx} ${cy}A${rx} ${ry} 0 0 1 ${cx + rx} ${cy}A${rx} ${ry} 0 0 1 ${cx - rx} ${cy}Z`;
  switch (shape.name) {
    case 'path':
      return shape.attributes.get('d') ?? '';
    case 'ellipse':
      return ellipse(value('cx'), value('cy'), value('rx'), value('ry'));
    case 'circle':
      return ellipse(value('cx'), value('cy'), value('r'), value('r'));
    case 'rect': {
      const [x, y, width, height] = [value('x'), value('y'), value('width'), value('height')];
      const radius = Math.min(value('rx'), width / 2, height / 2);
      if (radius <= 0) return `M${x} ${y}h${width}v${height}h${-width}Z`;
      const corner = (dx: number, dy: number) => `a${radius} ${radius} 0 0 1 ${dx} ${dy}`;
      const [across, down] = [width - 2 * radius, height - 2 * radius];
      return `M${x + radius} ${y}h${across}${corner(radius, radius)}v${down}${corner(-radius, radius)}h${-across}${corner(-radius, -radius)}v${-down}${corner(radius, -radius)}Z`;
    }
    default:
      return '';
  }
}
