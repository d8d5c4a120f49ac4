// The methods around one as a picture: who calls it at the left, whom it calls at the right. Knows no code.
import { type KeyboardEvent, useMemo } from 'react';
import type { CallGraph } from '../../../../server/contract/engine/call-graph.ts';
import { useCallGraph } from '../../../api/apk-queries.ts';
import { QueryState } from '../../../components/page/state-panel.tsx';
import { placeName } from '../../../components/place/place-address.ts';
import { visibleString } from '../../../components/text/hostile-text.tsx';
import styles from './call-graph.module.css';
import { codeTexts } from './texts.ts';

interface CallGraphPictureProps {
  sha256: string;
  of: string;
  steps: number;
  onOpen: (method: string) => void;
  /** Has another method be in the middle. */
  onMiddle: (method: string) => void;
}

const words = codeTexts.graph;
/** In pixels. */
const box = { width: 220, height: 38, gap: 10, between: 70, margin: 12 } as const;
const maxName = 30;

interface Placed {
  node: CallGraph['nodes'][number];
  x: number;
  y: number;
}

/** Methods in columns by their steps, each column around the same middle. */
function placed({ nodes }: CallGraph): { boxes: Placed[]; width: number; height: number } {
  const columns = [...Map.groupBy(nodes, ({ step }) => step)].sort(([a], [b]) => a - b);
  const tallest = Math.max(...columns.map(([, column]) => column.length));
  const line = box.height + box.gap;
  const boxes = columns.flatMap(([, column], place) =>
    column.map((node, index) => ({
      node,
      x: box.margin + place * (box.width + box.between),
      y: box.margin + (index + (tallest - column.length) / 2) * line,
    })),
  );
  return {
    boxes,
    width: 2 * box.margin + columns.length * (box.width + box.between) - box.between,
    height: 2 * box.margin + tallest * line,
  };
}

/** A line from one box to another; one that does not lead on to the right bends out around the boxes. */
function lineBetween(from: Placed, to: Placed): string {
  const [startX, startY] = [from.x + box.width, from.y + box.height / 2];
  const endY = to.y + box.height / 2;
  if (to.x > from.x) {
    const bend = (to.x - startX) / 2;
    return `M${startX} ${startY} C${startX + bend} ${startY} ${to.x - bend} ${endY} ${to.x} ${endY}`;
  }
  const endX = to.x + box.width;
  const out = Math.max(startX, endX) + box.between / 2;
  return `M${startX} ${startY} C${out} ${startY} ${out} ${endY + 8} ${endX} ${endY + 8}`;
}

function nameOf(symbol: string): { method: string; owner: string } {
  const name = placeName(symbol).replace(/\(.*$/s, '');
  const [, path = '', method = name] = /^(.*)\.([^.]*)$/s.exec(name) ?? [];
  return { method, owner: path.slice(path.lastIndexOf('.') + 1) };
}

/** The box that an arrow leads to from another: the nearest in its row or column. */
function nextBox(boxes: readonly Placed[], { x, y }: Placed, key: string): Placed | undefined {
  const isBeyond: Record<string, (other: Placed) => boolean> = {
    ArrowLeft: (other) => other.x < x,
    ArrowRight: (other) => other.x > x,
    ArrowUp: (other) => other.x === x && other.y < y,
    ArrowDown: (other) => other.x === x && other.y > y,
  };
  const distance = (other: Placed) => Math.abs(other.x - x) * 10 + Math.abs(other.y - y);
  return boxes.filter((other) => isBeyond[key]?.(other)).sort((a, b) => distance(a) - distance(b))[0];
}

function Picture({
  graph,
  of,
  onOpen,
  onMiddle,
}: Omit<CallGraphPictureProps, 'sha256' | 'steps'> & { graph: CallGraph }) {
  const { boxes, width, height } = useMemo(() => placed(graph), [graph]);
  const places = new Map(boxes.map((each) => [each.node.symbol, each]));
  const onKeyDown = (event: KeyboardEvent<SVGGElement>, at: Placed) => {
    const next = nextBox(boxes, at, event.key);
    if (event.key === 'Enter') onOpen(at.node.symbol);
    else if (event.key === ' ') onMiddle(at.node.symbol);
    else if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const shown = event.currentTarget.ownerSVGElement?.querySelectorAll<SVGGElement>('[role="button"]');
    if (next !== undefined) shown?.[boxes.indexOf(next)]?.focus();
  };
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <title>{words.title}</title>
      {graph.edges.map(({ from, to }) => {
        const [start, end] = [places.get(from), places.get(to)];
        if (start === undefined || end === undefined) return null;
        const look = from === of || to === of ? styles.nearLine : styles.line;
        return <path key={`${from} ${to}`} d={lineBetween(start, end)} className={look} />;
      })}
      {boxes.map((at) => {
        const { node, x, y } = at;
        const { method, owner } = nameOf(node.symbol);
        return (
          // biome-ignore lint/a11y/useSemanticElements: a picture holds no button elements
          <g
            key={node.symbol}
            role="button"
            tabIndex={0}
            aria-current={node.symbol === of ? 'true' : undefined}
            className={styles.node}
            data-testid="graph-node"
            onClick={({ shiftKey }) => (shiftKey ? onMiddle(node.symbol) : onOpen(node.symbol))}
            onKeyDown={(event) => onKeyDown(event, at)}
          >
            <rect x={x} y={y} width={box.width} height={box.height} rx={4} className={styles[node.origin]} />
            <text x={x + 8} y={y + 16} className={styles.name}>
              {visibleString(method, maxName)}
            </text>
            <text x={x + 8} y={y + 30} className={styles.note}>
              {visibleString(owner, maxName)}
              {node.hidden > 0 && ` · ${words.hidden(node.hidden)}`}
            </text>
            <title>{visibleString(placeName(node.symbol), 300)}</title>
          </g>
        );
      })}
    </svg>
  );
}

export function CallGraphPicture({ sha256, of, steps, onOpen, onMiddle }: CallGraphPictureProps) {
  const graph = useCallGraph(sha256, of, steps);
  if (!graph.isSuccess) return <QueryState query={graph} />;
  const { nodes, is_cut } = graph.data;
  return (
    <>
      <p className={styles.hint} role="status">
        {words.count(nodes.length - 1)} {is_cut && words.cut} {words.keys}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={styles.picture} tabIndex={0} aria-label={words.title} data-testid="call-graph">
        <Picture graph={graph.data} of={of} onOpen={onOpen} onMiddle={onMiddle} />
      </section>
    </>
  );
}
