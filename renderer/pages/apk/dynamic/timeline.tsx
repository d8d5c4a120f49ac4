// Events over time as a picture, one lane for each category, and a stretch of it that is chosen. Knows times, not what happened.
import { useElementSize } from '@mantine/hooks';
import { useMemo } from 'react';
import { formatCount } from '../../../components/text/counted.ts';
import { formatVirtualTime } from '../../../components/text/format.ts';
import { visibleString } from '../../../components/text/hostile-text.tsx';
import styles from './dynamic.module.css';
import { categoryName, lanesOf, type TimelineEvent, wordsOf } from './dynamic-report.ts';
import { dynamicTexts } from './texts.ts';
import { type TimeScale, timeScale } from './time-scale.ts';

interface TimelineProps {
  events: readonly TimelineEvent[];
  range: readonly [number, number] | null;
  onRange: (range: [number, number] | null) => void;
}

const maxLaneHeight = 24;
/** Pixels of all lanes: many are narrower, so that the list below keeps its room. */
const lanesHeight = 14 * maxLaneHeight;
const labelWidth = 96;
const axisHeight = 24;
/** Pixels that are left free at its right end. */
const axisEnd = 18;
/** Pixels of the longest label along it. */
const tickWidth = 72;
/** Pixels of time that make one dot. */
const binWidth = 7;
const tones = ['info', 'good', 'medium', 'low', 'quiet'];
/** Leaks stand out from all other lanes: no other is red. */
const toneOf = (category: string, lane: number) => (category === 'leak' ? 'critical' : tones[lane % tones.length]);

interface Drawn {
  lanes: readonly string[];
  scale: TimeScale;
  width: number;
  laneHeight: number;
}

interface Bin {
  lane: number;
  /** Its number along the axis. */
  at: number;
  events: TimelineEvent[];
}

/** Events of a lane that are too close to be told apart make one dot. */
function binsOf(events: readonly TimelineEvent[], lanes: readonly string[], scale: TimeScale): Bin[] {
  const bins = new Map<string, Bin>();
  for (const event of events) {
    const own = lanes.indexOf(event.category);
    const lane = own < 0 ? lanes.length - 1 : own;
    const at = Math.floor(scale.x(event.time) / binWidth);
    const key = `${lane} ${at}`;
    const known = bins.get(key);
    if (known === undefined) bins.set(key, { lane, at, events: [event] });
    else known.events.push(event);
  }
  return [...bins.values()];
}

/** The lanes' names, the pauses that are left out and the named times, behind the dots. */
function Axes({ lanes, scale, width, laneHeight }: Drawn) {
  const bottom = lanes.length * laneHeight;
  return (
    <>
      {lanes.map((lane, index) => (
        <g key={lane}>
          <text x={8} y={(index + 0.5) * laneHeight + 4} className={styles.lane}>
            {visibleString(categoryName(lane), 14)}
          </text>
          <line
            x1={labelWidth}
            x2={width}
            y1={(index + 1) * laneHeight}
            y2={(index + 1) * laneHeight}
            className={styles.rule}
          />
        </g>
      ))}
      {scale.stretches.slice(1).map(({ from, x: next }, index) => {
        const { to, x: left, width: wide } = scale.stretches[index]!;
        return (
          <rect
            key={from}
            x={labelWidth + left + wide}
            y={0}
            width={next - left - wide}
            height={bottom}
            className={styles.pause}
          >
            <title>{dynamicTexts.pause(formatVirtualTime(from - to))}</title>
          </rect>
        );
      })}
      {scale.ticks.map((time) => {
        const x = labelWidth + scale.x(time);
        return (
          <g key={time}>
            <line x1={x} x2={x} y1={0} y2={bottom} className={styles.rule} />
            <text
              x={Math.min(x, width - 4)}
              y={bottom + axisHeight - 7}
              textAnchor={x > width - tickWidth ? 'end' : 'start'}
              className={styles.tick}
            >
              {formatVirtualTime(time)}
            </text>
          </g>
        );
      })}
    </>
  );
}

interface DotProps {
  bin: Bin;
  laneHeight: number;
  onRange: TimelineProps['onRange'];
}

function Dot({ bin: { lane, at, events }, laneHeight, onRange }: DotProps) {
  const first = events[0]!;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the list below says and does the same for keyboards
    <circle
      cx={labelWidth + (at + 0.5) * binWidth}
      cy={lane * laneHeight + laneHeight / 2}
      r={Math.min(0.375 * laneHeight, 3 + Math.sqrt(events.length))}
      className={styles.dot}
      style={{ fill: `var(--tone-${toneOf(first.category, lane)})` }}
      onClick={() => onRange([first.time, events.at(-1)!.time])}
    >
      <title>
        {`${formatVirtualTime(first.time)} · ${formatCount(events.length)} · ${visibleString(wordsOf(first), 160)}`}
      </title>
    </circle>
  );
}

export function Timeline({ events, range, onRange }: TimelineProps) {
  const { ref, width: seen } = useElementSize<HTMLDivElement>();
  const width = Math.max(300, seen || 900);
  const lanes = useMemo(() => lanesOf(events), [events]);
  const scale = useMemo(
    () => timeScale([0, ...events.map(({ time }) => time)], width - labelWidth - axisEnd),
    [events, width],
  );
  const bins = useMemo(() => binsOf(events, lanes, scale), [events, lanes, scale]);
  const laneHeight = Math.min(maxLaneHeight, Math.floor(lanesHeight / lanes.length));
  const height = lanes.length * laneHeight + axisHeight;
  const [from, to] = (range ?? []).map((time) => labelWidth + scale.x(time));
  return (
    <div ref={ref} className={styles.timeline} data-testid="timeline">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`${dynamicTexts.timeline}: ${dynamicTexts.events(events.length)}`}
      >
        {from !== undefined && to !== undefined && (
          <rect x={from} y={0} width={Math.max(2, to - from)} height={height} className={styles.range} />
        )}
        <Axes lanes={lanes} scale={scale} width={width} laneHeight={laneHeight} />
        {bins.map((bin) => (
          <Dot key={`${bin.lane} ${bin.at}`} bin={bin} laneHeight={laneHeight} onRange={onRange} />
        ))}
      </svg>
    </div>
  );
}
