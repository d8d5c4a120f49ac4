// Events over time as a picture, one lane for each category, and a stretch of it that is chosen. Knows times, not what happened.
import { useEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../components/text/counted.ts';
import { formatVirtualTime } from '../../../components/text/format.ts';
import { visibleString } from '../../../components/text/hostile-text.tsx';
import styles from './dynamic.module.css';
import { categoryName, lanesOf, type TimelineEvent, wordsOf } from './dynamic-report.ts';
import { dynamicTexts } from './texts.ts';
import { timeScale } from './time-scale.ts';

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
/** Pixels of the longest time that is named along it. */
const tickWidth = 72;
/** Pixels of time that make one dot. */
const binWidth = 7;
const tones = ['info', 'good', 'medium', 'low', 'quiet'];
/** Leaks stand out from all other lanes: no other is red. */
const toneOf = (category: string, lane: number) => (category === 'leak' ? 'critical' : tones[lane % tones.length]);

export function Timeline({ events, range, onRange }: TimelineProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(900);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(300, entry?.contentRect.width ?? 900)));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const lanes = useMemo(() => lanesOf(events), [events]);
  const scale = useMemo(
    () => timeScale([0, ...events.map(({ time }) => time)], width - labelWidth - axisEnd),
    [events, width],
  );
  const laneHeight = Math.min(maxLaneHeight, Math.floor(lanesHeight / lanes.length));
  const x = (time: number) => labelWidth + scale.x(time);
  const bins = useMemo(() => {
    const found = new Map<string, { lane: number; bin: number; events: TimelineEvent[] }>();
    for (const event of events) {
      const own = lanes.indexOf(event.category);
      const lane = own < 0 ? lanes.length - 1 : own;
      const bin = Math.floor(scale.x(event.time) / binWidth);
      const key = `${lane} ${bin}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { lane, bin, events: [event] });
      else known.events.push(event);
    }
    return [...found.values()];
  }, [events, lanes, scale]);
  const height = lanes.length * laneHeight + axisHeight;
  return (
    <div ref={box} className={styles.timeline} data-testid="timeline">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`${dynamicTexts.timeline}: ${dynamicTexts.events(events.length)}`}
      >
        {range !== null && (
          <rect
            x={x(range[0])}
            y={0}
            width={Math.max(2, x(range[1]) - x(range[0]))}
            height={height}
            className={styles.range}
          />
        )}
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
              height={height - axisHeight}
              className={styles.pause}
            >
              <title>{dynamicTexts.pause(formatVirtualTime(from - to))}</title>
            </rect>
          );
        })}
        {scale.ticks.map((time) => (
          <g key={time}>
            <line x1={x(time)} x2={x(time)} y1={0} y2={height - axisHeight} className={styles.rule} />
            <text
              x={Math.min(x(time), width - 4)}
              y={height - 7}
              textAnchor={x(time) > width - tickWidth ? 'end' : 'start'}
              className={styles.tick}
            >
              {formatVirtualTime(time)}
            </text>
          </g>
        ))}
        {bins.map(({ lane, bin, events: inside }) => {
          const first = inside[0]!;
          const last = inside.at(-1)!;
          const radius = Math.min(0.375 * laneHeight, 3 + Math.sqrt(inside.length));
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list below says and does the same for keyboards
            <circle
              key={`${lane} ${bin}`}
              cx={labelWidth + (bin + 0.5) * binWidth}
              cy={lane * laneHeight + laneHeight / 2}
              r={radius}
              className={styles.dot}
              style={{ fill: `var(--tone-${toneOf(first.category, lane)})` }}
              onClick={() => onRange([first.time, last.time])}
            >
              <title>
                {`${formatVirtualTime(first.time)} · ${formatCount(inside.length)} · ${visibleString(wordsOf(first), 160)}`}
              </title>
            </circle>
          );
        })}
      </svg>
    </div>
  );
}
