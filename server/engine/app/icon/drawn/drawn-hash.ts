// What an icon looks like, in eight bytes that scaling, compression and another format leave nearly as they are. Knows no app.
// N. Krawetz, Kind of Like That, 2013, https://www.hackerfactor.com/blog/index.php?/archives/529-Kind-of-Like-That.html
import type { Icon } from '../../../../contract/engine/analysis-results.ts';
import { pixelsOf } from './pixels.ts';
import { DrawingCost, gridHeight, gridWidth, SampleGrid, TooMuchToDrawError } from './sample-grid.ts';
import { drawSvg } from './svg-drawing.ts';
import { pixelPaint } from './svg-paint.ts';

const columns = 9;
const rows = 8;
const cellWidth = gridWidth / columns;
const cellHeight = gridHeight / rows;
/** What is behind an icon: neither black nor white pictures vanish. */
const ground = 0.6;
/** Less is no edge: compression makes as much. */
const edge = 0.02;
/** An icon of fewer edges is one of a single colour, or nothing. */
const minEdges = 6;

/** Null where there is no picture, or one that hardly shows anything. */
export function drawnHash(icon: Icon): Uint8Array | null {
  const grid = drawn(icon);
  if (grid === null) return null;
  const cells = cellsOf(grid.brightness(ground));
  const hash = new Uint8Array(rows);
  let edges = 0;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column + 1 < columns; column++) {
      const change = cells[row * columns + column + 1]! - cells[row * columns + column]!;
      if (Math.abs(change) > edge) edges++;
      if (change > edge) hash[row]! |= 1 << column;
    }
  return edges < minEdges ? null : hash;
}

function drawn({ mediaType, bytes }: Icon): SampleGrid | null {
  try {
    if (mediaType === 'image/svg+xml') return drawSvg(Buffer.from(bytes).toString());
    const pixels = pixelsOf(bytes);
    const paint = pixels === null ? null : pixelPaint(pixels, [gridWidth, 0, 0, gridHeight, 0, 0]);
    if (paint === null) return null;
    const grid = new SampleGrid(new DrawingCost());
    grid.paint([], paint, 1);
    return grid;
  } catch (error) {
    if (error instanceof TooMuchToDrawError) return null;
    throw error;
  }
}

/** Means over the cells of a coarser grid. */
function cellsOf(points: Float32Array): Float32Array {
  const cells = new Float32Array(columns * rows);
  for (const [point, value] of points.entries()) {
    const column = Math.floor((point % gridWidth) / cellWidth);
    const row = Math.floor(Math.floor(point / gridWidth) / cellHeight);
    cells[row * columns + column]! += value / (cellWidth * cellHeight);
  }
  return cells;
}
