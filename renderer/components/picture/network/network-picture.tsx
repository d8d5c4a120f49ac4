// Draws a network that opens further: nodes are walked by arrows, opened and closed by Enter or a click. Knows no node's meaning.
import { ActionIcon, Tooltip } from '@mantine/core';
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Tone } from '../../text/chip.tsx';
import { visibleString } from '../../text/hostile-text.tsx';
import { Icon } from '../icon.tsx';
import { type Network, type NetworkNode, nodeTowards, type Point, placed } from './network.ts';
import styles from './network-picture.module.css';
import { networkTexts as words } from './texts.ts';

interface NetworkPictureProps {
  network: Network;
  label: string;
  /** The id of the node that is told of beside the picture. */
  selected: string;
  onSelect: (id: string) => void;
  /** Opens a node, or closes it. */
  onToggle: (id: string) => void;
  /** Keys of the picture's owner, on a node. @returns whether it was one */
  onKey?: (id: string, key: string) => boolean;
  /** What the signs mean. */
  legend: ReactNode;
  /** Tells of the selected node. */
  children: ReactNode;
}

/** Pixels around the outermost nodes, for their labels. */
const margin = { x: 84, y: 58 } as const;
const [maxLabel, maxNote] = [20, 26];
const radius = 17;
const coloursOf = (tone: Tone) =>
  ({ '--node-tone': `var(--tone-${tone})`, '--node-tint': `var(--tint-${tone})` }) as CSSProperties;
const zoomStep = 1.25;
const [leastZoom, mostZoom, leastFit] = [0.3, 2.5, 0.55];

function Sign({ node: { look, state, id }, isMiddle }: { node: NetworkNode; isMiddle: boolean }) {
  if (look.shape === 'square')
    return (
      <>
        <rect x={-16} y={-14} width={32} height={28} rx={5} className={styles.shape} />
        {look.image === null ? (
          <g transform="translate(-9 -9)" className={styles.sign}>
            <Icon name={look.icon} size={18} />
          </g>
        ) : (
          <image href={look.image} x={-11} y={-11} width={22} height={22} />
        )}
      </>
    );
  const clip = `round-${id.replaceAll(/[^\w-]/g, '')}`;
  return (
    <>
      {state !== 'closed' && <circle r={radius + 4} className={styles.opened} data-state={state} />}
      <circle r={radius} className={styles.shape} data-middle={isMiddle} />
      {look.image === null ? (
        <g transform="translate(-10 -10)" className={styles.sign}>
          <Icon name="app" size={20} />
        </g>
      ) : (
        <>
          <clipPath id={clip}>
            <circle r={radius - 3} />
          </clipPath>
          <image href={look.image} x={-14} y={-14} width={28} height={28} clipPath={`url(#${clip})`} />
        </>
      )}
      <circle cx={14} cy={-13} r={8} className={styles.badge} />
      <text x={14} y={-9.5} textAnchor="middle" className={styles.letter}>
        {look.letter}
      </text>
    </>
  );
}

function nameOf({ label, kind, note, state }: NetworkNode): string {
  const said = [visibleString(label, 80), kind, note];
  if (state !== 'closed') said.push(state === 'open' ? words.open : words.waiting);
  return said.filter((part) => part !== '').join(', ');
}

interface Move {
  x: number;
  y: number;
  left: number;
  top: number;
}

/** The picture is moved by dragging its ground; it scrolls by itself too. */
function useDragging() {
  const from = useRef<Move | null>(null);
  return {
    onPointerDown: ({ currentTarget, target, clientX, clientY, button, pointerId }: PointerEvent<HTMLElement>) => {
      if (button !== 0 || (target instanceof Element && target.closest('[role="button"]') !== null)) return;
      from.current = { x: clientX, y: clientY, left: currentTarget.scrollLeft, top: currentTarget.scrollTop };
      currentTarget.setPointerCapture(pointerId);
    },
    onPointerMove: ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) => {
      if (from.current === null) return;
      currentTarget.scrollTo(from.current.left + from.current.x - clientX, from.current.top + from.current.y - clientY);
    },
    onPointerUp: () => {
      from.current = null;
    },
  };
}

/** What has to be seen: from the outermost labels to the others. */
function boundsOf(places: ReadonlyMap<string, Point>) {
  const all = [...places.values()];
  const [left, right] = [Math.min(...all.map(({ x }) => x)) - margin.x, Math.max(...all.map(({ x }) => x)) + margin.x];
  const [top, bottom] = [Math.min(...all.map(({ y }) => y)) - margin.y, Math.max(...all.map(({ y }) => y)) + margin.y];
  return { left, top, width: right - left, height: bottom - top };
}

/** How large it is drawn: as fits the window, until somebody chooses otherwise. */
function useZoom(width: number, height: number) {
  const frame = useRef<HTMLElement>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const [space, setSpace] = useState<{ width: number; height: number }>({ width: 800, height: 500 });
  useLayoutEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const watcher = new ResizeObserver(() => setSpace({ width: current.clientWidth, height: current.clientHeight }));
    watcher.observe(current);
    return () => watcher.disconnect();
  }, []);
  const fit = Math.max(leastFit, Math.min(1.15, space.width / width, space.height / height));
  const zoom = chosen ?? fit;
  const by = (factor: number) => setChosen(Math.max(leastZoom, Math.min(mostZoom, zoom * factor)));
  return { frame, zoom, space, by, isFitted: chosen === null, reset: () => setChosen(null) };
}

export function NetworkPicture(props: NetworkPictureProps) {
  const { network, label, selected, onSelect, onToggle, onKey, legend, children } = props;
  const before = useRef<ReadonlyMap<string, Point>>(new Map());
  const drawn = useRef<{ network: Network; places: ReadonlyMap<string, Point> } | null>(null);
  // By what is tied to what alone: that a node is waiting moves nothing.
  if (drawn.current === null || !isTiedAlike(drawn.current.network, network)) {
    const places = placed(network, before.current);
    before.current = places;
    drawn.current = { network, places };
  }
  const { places } = drawn.current;
  const { left, top, width, height } = boundsOf(places);
  const { frame, zoom, space, by, isFitted, reset } = useZoom(width, height);
  const dragging = useDragging();
  const middle = network.nodes[0]?.id;
  const current = places.has(selected) ? selected : middle;
  // What is opened in a large picture begins with its middle in view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the picture or its size has changed
  useLayoutEffect(() => {
    frame.current?.scrollTo({
      left: -left * zoom - space.width / 2,
      top: -top * zoom - space.height / 2,
    });
  }, [left, top, zoom, space]);
  const onKeyDown = (event: KeyboardEvent<SVGGElement>, id: string) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = nodeTowards(places, id, event.key);
    if (event.key === 'Enter' || event.key === ' ') onToggle(id);
    else if (next !== undefined) {
      onSelect(next);
      event.currentTarget.ownerSVGElement?.querySelector<SVGGElement>(`[data-id="${CSS.escape(next)}"]`)?.focus();
    } else if (!event.key.startsWith('Arrow') && onKey?.(id, event.key) !== true) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.network}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section ref={frame} className={styles.frame} tabIndex={0} aria-label={label} data-testid="network" {...dragging}>
        <svg
          width={width * zoom}
          height={height * zoom}
          viewBox={`${left} ${top} ${width} ${height}`}
          className={styles.picture}
        >
          <title>{label}</title>
          {network.ties.map(({ from, to, length }) => {
            const [start, end] = [places.get(from), places.get(to)];
            if (start === undefined || end === undefined) return null;
            const isNear = from === current || to === current;
            return (
              <line
                key={`${from} ${to}`}
                {...{ x1: start.x, y1: start.y, x2: end.x, y2: end.y }}
                className={isNear ? styles.nearTie : styles.tie}
                strokeWidth={1 + 2 * (1 - length)}
              />
            );
          })}
          {network.nodes.map((node) => {
            const { x, y } = places.get(node.id) ?? { x: 0, y: 0 };
            return (
              // biome-ignore lint/a11y/useSemanticElements: a picture holds no button elements
              <g
                key={node.id}
                role="button"
                tabIndex={node.id === current ? 0 : -1}
                aria-expanded={node.state === 'open'}
                aria-current={node.id === current ? 'true' : undefined}
                transform={`translate(${x} ${y})`}
                className={styles.node}
                style={coloursOf(node.tone)}
                data-id={node.id}
                data-testid="network-node"
                onFocus={() => onSelect(node.id)}
                onClick={() => {
                  onSelect(node.id);
                  onToggle(node.id);
                }}
                onKeyDown={(event) => onKeyDown(event, node.id)}
              >
                <Sign node={node} isMiddle={node.id === middle} />
                <text y={33} textAnchor="middle" className={styles.label}>
                  {visibleString(node.label, maxLabel)}
                </text>
                <text y={46} textAnchor="middle" className={styles.note}>
                  {visibleString(node.state === 'waiting' ? words.waiting : node.note, maxNote)}
                </text>
                <title>{nameOf(node)}</title>
              </g>
            );
          })}
        </svg>
      </section>
      <aside className={styles.aside}>
        <div className={styles.tools}>
          <Tooltip label={words.further}>
            <ActionIcon variant="default" aria-label={words.further} onClick={() => by(1 / zoomStep)}>
              −
            </ActionIcon>
          </Tooltip>
          <Tooltip label={words.closer}>
            <ActionIcon variant="default" aria-label={words.closer} onClick={() => by(zoomStep)}>
              +
            </ActionIcon>
          </Tooltip>
          <Tooltip label={words.whole}>
            <ActionIcon variant="default" aria-label={words.whole} disabled={isFitted} onClick={reset}>
              <Icon name="expand" size={14} />
            </ActionIcon>
          </Tooltip>
          <span className={styles.hint}>{words.keys}</span>
        </div>
        <div className={styles.detail} data-testid="network-detail">
          {children}
        </div>
        <div className={styles.legend}>{legend}</div>
      </aside>
    </div>
  );
}

const isTiedAlike = (one: Network, other: Network) =>
  one.nodes.length === other.nodes.length &&
  one.ties.length === other.ties.length &&
  one.nodes.every(({ id }, index) => id === other.nodes[index]!.id) &&
  one.ties.every(({ from, to }, index) => from === other.ties[index]!.from && to === other.ties[index]!.to);
