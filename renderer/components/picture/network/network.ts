// A network of things and of what ties them, laid out: near is alike. Knows nothing of what the things are.
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force';
import type { Tone } from '../../text/chip.tsx';
import type { IconName } from '../icon.tsx';

export interface NetworkNode {
  readonly id: string;
  /** As it is: it is made visible where it is drawn. */
  readonly label: string;
  /** Under the label: how alike it is, how many have it. */
  readonly note: string;
  /** What it is, for screen readers and under the pointer. */
  readonly kind: string;
  readonly tone: Tone;
  /** Round ones are APKs, with their icon and a letter that says what the tone does; others are square, with sign or image. */
  readonly look:
    | { shape: 'round'; image: string | null; letter: string }
    | { shape: 'square'; image: string | null; icon: IconName };
  readonly state: 'closed' | 'open' | 'waiting';
}

export interface NetworkTie {
  readonly from: string;
  readonly to: string;
  /** 0 to 1: how far they are from each other. */
  readonly length: number;
}

export interface Network {
  /** The first one stands in the middle. */
  readonly nodes: readonly NetworkNode[];
  readonly ties: readonly NetworkTie[];
}

export interface Point {
  x: number;
  y: number;
}

type Body = SimulationNodeDatum & { id: string };

/** In pixels. Labels are wider than high: what is laid out is stretched so much. */
const [shortest, longest, room, stretch] = [62, 170, 40, 1.75];
/** Steps until nothing moves any more to speak of. */
const steps = 240;
/** Each further one stands at this angle, which fills a circle evenly. */
const goldenAngle = Math.PI * (3 - Math.sqrt(5));

/**
 * Where each node lies, the first at 0, 0. The same network lies the same way every time.
 * @param before where some lay: they stay about there
 */
export function placed({ nodes, ties }: Network, before: ReadonlyMap<string, Point>): Map<string, Point> {
  const first = nodes[0];
  if (first === undefined) return new Map();
  const tiedTo = new Map<string, string>();
  for (const { from, to } of ties) if (!tiedTo.has(to)) tiedTo.set(to, from);
  const bodies = new Map<string, Body>();
  nodes.forEach(({ id }, index) => {
    const known = before.get(id);
    const around = bodies.get(tiedTo.get(id) ?? '');
    const start =
      known === undefined
        ? {
            x: (around?.x ?? 0) + shortest * Math.cos(index * goldenAngle),
            y: (around?.y ?? 0) + shortest * Math.sin(index * goldenAngle),
          }
        : { x: known.x / stretch, y: known.y };
    bodies.set(id, { id, ...(id === first.id ? { x: 0, y: 0, fx: 0, fy: 0 } : start) });
  });
  const drawn: (SimulationLinkDatum<Body> & { distance: number })[] = ties.flatMap(({ from, to, length }) => {
    const [source, target] = [bodies.get(from), bodies.get(to)];
    if (source === undefined || target === undefined) return [];
    return [{ source, target, distance: shortest + length * (longest - shortest) }];
  });
  forceSimulation([...bodies.values()])
    .force(
      'ties',
      forceLink<Body, (typeof drawn)[number]>(drawn).distance(({ distance }) => distance),
    )
    .force('apart', forceManyBody<Body>().strength(-160).distanceMax(420))
    .force('room', forceCollide<Body>(room).iterations(2))
    .stop()
    .tick(steps);
  return new Map(
    [...bodies.values()].map(({ id, x = 0, y = 0 }) => [id, { x: Math.round(x * stretch), y: Math.round(y) }]),
  );
}

/** The nearest node in the direction of an arrow; undefined where there is none. */
export function nodeTowards(places: ReadonlyMap<string, Point>, from: string, key: string): string | undefined {
  const at = places.get(from);
  const turn = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
  if (at === undefined || turn === undefined) return undefined;
  const [right = 0, down = 0] = turn;
  let best: { id: string; cost: number } | undefined;
  for (const [id, { x, y }] of places) {
    // How far it lies in the direction, and how far aside of it, which counts twice.
    const along = (x - at.x) * right + (y - at.y) * down;
    const aside = Math.abs((x - at.x) * down + (y - at.y) * right);
    if (along <= 0 || aside > 3 * along) continue;
    const cost = along + 2 * aside;
    if (best === undefined || cost < best.cost) best = { id, cost };
  }
  return best?.id;
}
