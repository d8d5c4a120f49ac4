// How long rulesets may take: workers hold them to it, and people are told. Imports nothing.

/** Milliseconds of the processor for one ruleset and one file of an APK. The slowest honest rules need a second for 100 MB. */
export const rulesetTimeout = 10_000;
/** A ruleset by itself may take so many times that for all files of an APK together: honest ones need a fraction of it once. */
export const aloneLimits = 2;
/** Milliseconds of the processor that the rulesets of one account may take together for one APK; reading is allowed for. */
export const accountShare = 10_000;
/** Where a person waits, it may take so many times that by the clock, however busy the machine is. */
export const awaitedStretch = 4;

/**
 * Bytes of memory for each character of rules, generously: 35,000 rules in 27 million characters hold some 190 MB once they are
 * loaded, and take 1.1 GB to compile.
 */
export const heldPerCharacter = 12;
export const compiledPerCharacter = 64;
