// Turns path data, as `path-data.ts` leaves it, and strokes into outlines of straight edges. Knows no grid.
import type { Matrix, Outline } from './sample-grid.ts';

/** Edges that stand for a curve: an icon's are a few points long. */
const curveSteps = 8;
const arcSteps = 16;
const discSteps = 8;
interface Line {
  readonly points: number[];
  isClosed: boolean;
}

const numbersOf = (text: string): number[] =>
  (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g) ?? []).map(Number);

/** Follows path data from command to command. */
class PathWalk {
  readonly lines: Line[] = [];
  #x = 0;
  #y = 0;
  /** The last control point, as far as a smooth curve takes it up. */
  #control: { kind: 'C' | 'Q'; x: number; y: number } | null = null;

  get #line(): Line {
    const last = this.lines.at(-1);
    if (last !== undefined && !last.isClosed) return last;
    const line = { points: [this.#x, this.#y], isClosed: false };
    this.lines.push(line);
    return line;
  }

  follow(letter: string, given: readonly number[]): void {
    const command = letter.toUpperCase();
    const [dx, dy] = letter === command ? [0, 0] : [this.#x, this.#y];
    const values = given.map((value, at) =>
      command === 'H' ? value + dx : command === 'V' ? value + dy : value + (at % 2 === 0 ? dx : dy),
    );
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = values;
    const control = this.#control;
    this.#control = null;
    if (command === 'M') this.#begin(a, b);
    else if (command === 'L') this.#to(a, b);
    else if (command === 'H') this.#to(a, this.#y);
    else if (command === 'V') this.#to(this.#x, a);
    else if (command === 'C') this.#curve(a, b, c, d, e, f);
    else if (command === 'S') this.#curve(...this.#mirrored(control, 'C'), a, b, c, d);
    else if (command === 'Q') this.#quadratic(a, b, c, d);
    else if (command === 'T') this.#quadratic(...this.#mirrored(control, 'Q'), a, b);
    else if (command === 'A') this.#arc(given, given[5]! + dx, given[6]! + dy);
    else if (command === 'Z') this.#close();
  }

  #begin(x: number, y: number): void {
    [this.#x, this.#y] = [x, y];
    this.lines.push({ points: [x, y], isClosed: false });
  }

  #to(x: number, y: number): void {
    this.#line.points.push(x, y);
    [this.#x, this.#y] = [x, y];
  }

  #close(): void {
    const line = this.lines.at(-1);
    if (line === undefined) return;
    line.isClosed = true;
    [this.#x, this.#y] = [line.points[0]!, line.points[1]!];
  }

  #mirrored(control: { kind: 'C' | 'Q'; x: number; y: number } | null, kind: 'C' | 'Q'): [number, number] {
    return control?.kind === kind ? [2 * this.#x - control.x, 2 * this.#y - control.y] : [this.#x, this.#y];
  }

  #curve(x1: number, y1: number, x2: number, y2: number, x3: number, y3: number): void {
    const [x0, y0] = [this.#x, this.#y];
    for (let step = 1; step <= curveSteps; step++) {
      const t = step / curveSteps;
      const [w0, w1, w2, w3] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
      this.#to(w0 * x0 + w1 * x1 + w2 * x2 + w3 * x3, w0 * y0 + w1 * y1 + w2 * y2 + w3 * y3);
    }
    this.#control = { kind: 'C', x: x2, y: y2 };
  }

  #quadratic(x1: number, y1: number, x2: number, y2: number): void {
    const [x0, y0] = [this.#x, this.#y];
    const third = (from: number, to: number) => from + (2 * (to - from)) / 3;
    this.#curve(third(x0, x1), third(y0, y1), third(x2, x1), third(y2, y1), x2, y2);
    this.#control = { kind: 'Q', x: x1, y: y1 };
  }

  /** @see https://www.w3.org/TR/SVG11/implnote.html#ArcImplementationNotes */
  #arc([rx = 0, ry = 0, degrees = 0, isLarge = 0, isClockwise = 0]: readonly number[], x: number, y: number): void {
    const [x0, y0] = [this.#x, this.#y];
    let [width, height] = [Math.abs(rx), Math.abs(ry)];
    if (width === 0 || height === 0 || (x0 === x && y0 === y)) {
      this.#to(x, y);
      return;
    }
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const [halfX, halfY] = [(x0 - x) / 2, (y0 - y) / 2];
    const [px, py] = [cos * halfX + sin * halfY, cos * halfY - sin * halfX];
    const scale = Math.sqrt(Math.max(1, (px / width) ** 2 + (py / height) ** 2));
    width *= scale;
    height *= scale;
    const apart = (width * py) ** 2 + (height * px) ** 2;
    const root = Math.sqrt(Math.max(0, (width * height) ** 2 / apart - 1)) * (isLarge === isClockwise ? -1 : 1);
    const [cx, cy] = [(root * width * py) / height, (-root * height * px) / width];
    const [middleX, middleY] = [cos * cx - sin * cy + (x0 + x) / 2, sin * cx + cos * cy + (y0 + y) / 2];
    const start = Math.atan2((py - cy) / height, (px - cx) / width);
    let turn = Math.atan2((-py - cy) / height, (-px - cx) / width) - start;
    if (isClockwise === 1 && turn < 0) turn += 2 * Math.PI;
    if (isClockwise === 0 && turn > 0) turn -= 2 * Math.PI;
    for (let step = 1; step < arcSteps; step++) {
      const angle = start + (turn * step) / arcSteps;
      const [along, across] = [width * Math.cos(angle), height * Math.sin(angle)];
      this.#to(middleX + cos * along - sin * across, middleY + sin * along + cos * across);
    }
    this.#to(x, y);
  }
}

/** The lines that path data draws. */
function linesOf(data: string): Line[] {
  const walk = new PathWalk();
  for (const [, letter, values] of data.matchAll(/([MLHVCSQTAZ])([^MLHVCSQTAZ]*)/gi))
    walk.follow(letter!, numbersOf(values!));
  return walk.lines;
}

function moved(points: readonly number[], [a, b, c, d, e, f]: Matrix): number[] {
  const at = (place: number) => [points[place]!, points[place + 1]!] as const;
  const result: number[] = [];
  for (let place = 0; place + 1 < points.length; place += 2) {
    const [x, y] = at(place);
    result.push(a * x + c * y + e, b * x + d * y + f);
  }
  return result;
}

/** What path data encloses. */
export const filledOutlines = (data: string, matrix: Matrix): Outline[] =>
  linesOf(data).map(({ points }) => moved(points, matrix));

/** What a pen of some width paints along path data, with round ends and corners: on a small grid no other look otherwise. */
export function strokedOutlines(data: string, width: number, matrix: Matrix): Outline[] {
  const outlines: Outline[] = [];
  const half = width / 2;
  for (const { points, isClosed } of linesOf(data)) {
    const all = isClosed ? [...points, points[0]!, points[1]!] : points;
    for (let at = 0; at + 1 < all.length; at += 2) {
      const [x, y, nextX, nextY] = [all[at]!, all[at + 1]!, all[at + 2], all[at + 3]];
      outlines.push(moved(disc(x, y, half), matrix));
      if (nextX === undefined || nextY === undefined) continue;
      const length = Math.hypot(nextX - x, nextY - y);
      if (length === 0) continue;
      const [overX, overY] = [(-(nextY - y) * half) / length, ((nextX - x) * half) / length];
      const corners = [
        x - overX,
        y - overY,
        nextX - overX,
        nextY - overY,
        nextX + overX,
        nextY + overY,
        x + overX,
        y + overY,
      ];
      outlines.push(moved(corners, matrix));
    }
  }
  return outlines;
}

function disc(x: number, y: number, radius: number): number[] {
  const points: number[] = [];
  for (let step = 0; step < discSteps; step++) {
    const angle = (step * 2 * Math.PI) / discSteps;
    points.push(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
  return points;
}
