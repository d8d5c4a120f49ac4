// The engine's version, apart from the schemas so that a worker need not load them. Imports nothing.

/** Raised whenever the engine's results change; stored with each report, so that outdated ones can be found. */
export const engineVersion = 12;
