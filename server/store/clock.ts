// The time as the catalogue keeps it. Knows nothing of time zones.

/** Tells the time in microseconds since 1970 UTC. */
export type Clock = () => number;

/** The system's time; the digits below a millisecond come from the process's own timer. */
export const systemClock: Clock = () => Date.now() * 1000 + Math.floor((performance.now() % 1) * 1000);
