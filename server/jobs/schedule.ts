// Work that is due again and again on the clock, in UTC. Knows nothing of what is done.
import type { Clock } from '../store/clock.ts';
import type { ErrorLog } from './error-log.ts';

export interface ScheduleOptions {
  /** Microseconds between two times of work, counted from 1970 UTC: 300,000,000 is at :00, :05, :10 … */
  interval: number;
  /** Brings what it does up to the clock, however long ago it ran last. */
  work(): Promise<void>;
  clock: Clock;
  log: ErrorLog;
}

export interface Schedule {
  /** No further work begins; what is under way ends first. */
  stop(): Promise<void>;
}

/** Longest sleep in milliseconds: a computer that slept, or whose clock was set, is noticed after this. */
const longestSleep = 60_000;

/** Works at once, and from then on whenever the clock passes a multiple of the interval. */
export function startSchedule({ interval, work, clock, log }: ScheduleOptions): Schedule {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let underWay = Promise.resolve();
  /** The last multiple of the interval that work was done for. */
  let doneFor = Math.floor(clock() / interval);

  const begin = () => {
    underWay = work().catch((error: unknown) => log.error({ err: error }, 'scheduled work failed'));
  };
  const sleep = () => {
    if (isStopped) return;
    const milliseconds = Math.ceil((interval - (clock() % interval)) / 1000);
    timer = setTimeout(wake, Math.min(longestSleep, milliseconds));
    timer.unref();
  };
  const wake = () => {
    const current = Math.floor(clock() / interval);
    if (current !== doneFor) {
      doneFor = current;
      begin();
    }
    void underWay.then(sleep);
  };
  begin();
  sleep();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
