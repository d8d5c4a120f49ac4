/** Calls `end` once npm, which runs this process as a script, is gone. Does nothing where npm runs nothing. */
export function whenNpmEnds(end: () => void): void;
