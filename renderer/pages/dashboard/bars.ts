// Figures by day as the bars of a plot. Knows nothing of what is counted.

interface Day {
  /** Of UTC, `2026-10-23`. */
  date: string;
  count: number;
}

export interface Bar {
  /** The first and the last of its days. */
  from: string;
  to: string;
  count: number;
}

/** More bars than these are too narrow to be pressed: each stands for a week then. */
const mostBars = 45;
const week = 7;

/** One bar a day, or a week where the days are many; the last week ends with the last day, the first may be short. */
export function barsOf(days: readonly Day[]): Bar[] {
  const step = days.length > mostBars ? week : 1;
  const bars: Bar[] = [];
  for (let end = days.length; end > 0; end -= step) {
    const inside = days.slice(Math.max(0, end - step), end);
    const count = inside.reduce((sum, day) => sum + day.count, 0);
    bars.unshift({ from: inside[0]!.date, to: inside.at(-1)!.date, count });
  }
  return bars;
}
