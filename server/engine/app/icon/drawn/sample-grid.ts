// A small grid of points that is painted: outlines filled, pictures laid on it, layers one over the other. Knows no document.

export const gridWidth = 72;
export const gridHeight = 64;
const points = gridWidth * gridHeight;
/** More edges than icons of a hundred kilobytes of path data have. */
const maxEdges = 200_000;
/** Points that are painted for one picture in all: some thousand elements over all of it. */
const maxPainted = 8_000_000;

/** Thrown where a picture would cost more than one may. */
export class TooMuchToDrawError extends Error {}

/** `x' = a x + c y + e`, `y' = b x + d y + f` */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
export const unmoved: Matrix = [1, 0, 0, 1, 0, 0];

/** What the second does, then the first. */
export const product = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
];

/** Null where all ends up on a line. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix | null {
  const size = a * d - b * c;
  if (!Number.isFinite(size) || Math.abs(size) < 1e-12) return null;
  return [d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size];
}

/** Points of one closed outline, x and y in turn. */
export type Outline = readonly number[];
/** Red, green, blue and opacity, each 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number, opacity: number];
/** What is painted at a place of the grid. */
export type Paint = (x: number, y: number) => Color;
/** For each point 1 where it is inside. */
export type Mask = Uint8Array;

/** Counts what a picture costs. */
export class DrawingCost {
  #edges = 0;
  #painted = 0;

  /** @throws TooMuchToDrawError */
  add(edges: number, painted: number): void {
    this.#edges += edges;
    this.#painted += painted;
    if (this.#edges > maxEdges || this.#painted > maxPainted) throw new TooMuchToDrawError('too much to draw');
  }
}

/** Which points are inside of outlines. @param isEvenOdd whether what is enclosed twice is outside */
export function maskOf(outlines: readonly Outline[], isEvenOdd: boolean, cost: DrawingCost): Mask {
  const crossings: { x: number; turn: number }[][] = Array.from({ length: gridHeight }, () => []);
  for (const outline of outlines) {
    cost.add(outline.length / 2, 0);
    for (let at = 0; at < outline.length; at += 2) {
      const next = (at + 2) % outline.length;
      noteCrossings(crossings, outline[at]!, outline[at + 1]!, outline[next]!, outline[next + 1]!);
    }
  }
  const mask = new Uint8Array(points);
  for (const [row, found] of crossings.entries()) {
    found.sort((one, other) => one.x - other.x);
    let turns = 0;
    for (const [at, { x, turn }] of found.entries()) {
      turns += turn;
      const next = found[at + 1];
      if (next === undefined || (isEvenOdd ? turns % 2 === 0 : turns === 0)) continue;
      const from = Math.max(0, Math.ceil(x - 0.5));
      const to = Math.min(gridWidth, Math.ceil(next.x - 0.5));
      if (from < to) mask.fill(1, row * gridWidth + from, row * gridWidth + to);
    }
  }
  cost.add(0, points);
  return mask;
}

/** Where an edge crosses the middle of each row. */
function noteCrossings(rows: { x: number; turn: number }[][], x1: number, y1: number, x2: number, y2: number): void {
  if (!Number.isFinite(x1 + y1 + x2 + y2) || y1 === y2) return;
  const [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)];
  const last = Math.min(gridHeight - 1, Math.ceil(bottom - 0.5) - 1);
  for (let row = Math.max(0, Math.ceil(top - 0.5)); row <= last; row++)
    rows[row]!.push({ x: x1 + ((row + 0.5 - y1) / (y2 - y1)) * (x2 - x1), turn: y1 < y2 ? 1 : -1 });
}

/** Whether a point is inside of all masks. */
function isIn(masks: readonly Mask[], point: number): boolean {
  for (let at = 0; at < masks.length; at++) if (masks[at]![point] !== 1) return false;
  return true;
}

export class SampleGrid {
  /** Red, green, blue and opacity of each point, colours multiplied by it. */
  readonly #values = new Float32Array(points * 4);
  readonly #cost: DrawingCost;

  constructor(cost: DrawingCost) {
    this.#cost = cost;
  }

  /** Paints what is in all of some masks. */
  paint(masks: readonly Mask[], paint: Paint, opacity: number): void {
    this.#cost.add(0, points);
    for (let point = 0; point < points; point++) {
      if (!isIn(masks, point)) continue;
      const [red, green, blue, own] = paint((point % gridWidth) + 0.5, Math.floor(point / gridWidth) + 0.5);
      this.#over(point, red, green, blue, own * opacity);
    }
  }

  /** Lays another grid over this one. @param tint the one colour that it has */
  lay(layer: SampleGrid, masks: readonly Mask[], opacity: number, tint: Color | null): void {
    this.#cost.add(0, points);
    for (let point = 0; point < points; point++) {
      const own = layer.#values[point * 4 + 3]!;
      if (own <= 0 || !isIn(masks, point)) continue;
      const at = point * 4;
      const [red, green, blue, alpha] = tint ?? [
        layer.#values[at]! / own,
        layer.#values[at + 1]! / own,
        layer.#values[at + 2]! / own,
        1,
      ];
      this.#over(point, red, green, blue, own * alpha * opacity);
    }
  }

  #over(point: number, red: number, green: number, blue: number, opacity: number): void {
    const values = this.#values;
    const at = point * 4;
    const left = 1 - opacity;
    values[at] = values[at]! * left + red * opacity;
    values[at + 1] = values[at + 1]! * left + green * opacity;
    values[at + 2] = values[at + 2]! * left + blue * opacity;
    values[at + 3] = values[at + 3]! * left + opacity;
  }

  /** How bright each point is, 0 to 1, before a ground. */
  brightness(ground: number): Float32Array {
    const values = this.#values;
    return Float32Array.from({ length: points }, (_, point) => {
      const at = point * 4;
      const drawn = 0.299 * values[at]! + 0.587 * values[at + 1]! + 0.114 * values[at + 2]!;
      return drawn + ground * (1 - values[at + 3]!);
    });
  }
}
