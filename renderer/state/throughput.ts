// What has ended lately, and how fast work gets done. Knows jobs as records only.
import { create } from 'zustand';
import type { Job } from '../../server/contract/jobs/job.ts';

/** Milliseconds over which the rate is taken. */
const span = 60_000;
const maxRemembered = 5;

interface Throughput {
  /** The latest jobs that ended while the window was open, newest first. */
  ended: readonly Job[];
  /** When jobs ended, in milliseconds, within the span. */
  times: readonly number[];
  note(jobs: readonly Job[], now?: number): void;
}

export const useThroughput = create<Throughput>((set) => ({
  ended: [],
  times: [],
  note: (jobs, now = Date.now()) =>
    set(({ ended, times }) => {
      const known = new Set(ended.map(({ id }) => id));
      const fresh = jobs.filter(({ id }) => !known.has(id));
      return {
        ended: [...fresh.toReversed(), ...ended].slice(0, maxRemembered),
        times: [...times.filter((time) => now - time < span), ...fresh.map(() => now)],
      };
    }),
}));

/** Jobs per minute, and the milliseconds that `waiting` jobs take at this rate; null while too few have ended to tell. */
export function rateOf(
  times: readonly number[],
  waiting: number,
  now = Date.now(),
): { perMinute: number; left: number } | null {
  const within = times.filter((time) => now - time < span);
  if (within.length < 3) return null;
  const perMinute = within.length / (Math.max(5_000, now - within[0]!) / 60_000);
  return { perMinute, left: (waiting / perMinute) * 60_000 };
}
