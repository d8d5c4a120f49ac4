// Where times stand on an axis that leaves out long pauses. Knows seconds and pixels, not what happened.

/** A stretch of time without long pauses, and where it stands. */
export interface Stretch {
  /** Seconds. */
  from: number;
  to: number;
  /** Pixels. */
  x: number;
  width: number;
}

export interface TimeScale {
  stretches: readonly Stretch[];
  /** Pixels from the left end of the axis. */
  x: (time: number) => number;
  /** Times to be named along the axis. */
  ticks: readonly number[];
}

/** Seconds below which nothing counts as a pause. */
const shortestPause = 60;
/** A pause is left out where it is so many times as long as all shorter ones together. */
const pauseFactor = 2;
const maxPauses = 6;
/** Pixels that stand for a pause: the labels at its ends must fit. */
const pauseWidth = 64;
/** Pixels of a stretch whose events are all at one moment. */
const momentWidth = 10;
/** Pixels from one named time to the next. */
const tickDistance = 110;

/** Least seconds between labels of the axis: closer ones would read the same. */
const finestStep = 0.01;

/** Steps of an axis at 1, 2 or 5 times a power of ten. */
function stepOf(smallest: number): number {
  const power = 10 ** Math.floor(Math.log10(smallest));
  const factor = [1, 2, 5, 10].find((one) => one * power >= smallest) ?? 10;
  return factor * power;
}

/** Seconds; times whose labels would read the same are one moment. */
const lengthOf = ({ from, to }: Pick<Stretch, 'from' | 'to'>) => (to - from < finestStep ? 0 : to - from);

/** The length from which on pauses are left out. */
function pauseOf(times: readonly number[]): number {
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  gaps.sort((a, b) => a - b);
  let sum = 0;
  for (const [index, gap] of gaps.entries()) {
    if (gap >= shortestPause && gap > pauseFactor * sum && gaps.length - index <= maxPauses) return gap;
    sum += gap;
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * @param times seconds, ascending, at least one
 * @param width pixels of the whole axis
 */
export function timeScale(times: readonly number[], width: number): TimeScale {
  const pause = pauseOf(times);
  const spans: { from: number; to: number }[] = [];
  for (const time of times) {
    const last = spans.at(-1);
    if (last === undefined || time - last.to >= pause) spans.push({ from: time, to: time });
    else last.to = time;
  }
  const shown = spans.reduce((sum, span) => sum + lengthOf(span), 0);
  const room = Math.max(0, width - (spans.length - 1) * pauseWidth - spans.length * momentWidth);
  const perSecond = shown === 0 ? 0 : room / shown;
  let x = 0;
  const stretches = spans.map((span): Stretch => {
    const share = shown === 0 ? room / spans.length : lengthOf(span) * perSecond;
    const stretch = { ...span, x, width: momentWidth + share };
    x += stretch.width + pauseWidth;
    return stretch;
  });
  const step = perSecond === 0 ? 1 : Math.max(finestStep, stepOf(tickDistance / perSecond));
  // The label at the beginning of the next stretch needs its room.
  const lastTick = (stretch: Stretch) => {
    const next = stretches[stretches.indexOf(stretch) + 1];
    const free = next === undefined ? stretch.width : next.x - stretch.x - tickDistance;
    return Math.max(0, Math.floor(Math.min(stretch.to - stretch.from, free / perSecond) / step));
  };
  return {
    stretches,
    x: (time) => {
      const stretch = stretches.findLast((one) => one.from <= time) ?? stretches[0]!;
      const { from, to, x: left, width: wide } = stretch;
      const length = lengthOf(stretch);
      return left + (length === 0 ? 0.5 : (Math.min(Math.max(time, from), to) - from) / length) * wide;
    },
    ticks: stretches.flatMap((stretch) => [
      stretch.from,
      ...Array.from(
        { length: perSecond === 0 ? 0 : lastTick(stretch) },
        (_, index) => stretch.from + (index + 1) * step,
      ),
    ]),
  };
}
