// How long rulesets may take: workers hold them to it, and people are told. Imports nothing.

/** Milliseconds of the processor for one ruleset and one file of an APK. The slowest honest rules need a second for 100 MB. */
export const rulesetTimeout = 10_000;
/** So many times as long a ruleset may take by itself for all files: honest ones need a small part of once. */
export const aloneLimits = 2;
/** Milliseconds of the processor that the rulesets of one account may take together for one APK; reading is allowed for. */
export const accountShare = 10_000;
/** So many times as long on the clock, where a person waits and the machine is busy. */
export const awaitedStretch = 4;
