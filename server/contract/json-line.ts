// One JSON text that stays one line for every reader. Knows nothing of what it says.

/** What JSON leaves as it is, and Python's `splitlines`, Java's `\R` and JavaScript of old take for the end of a line. */
const lineBreaks = /[\u0085\u2028\u2029]/g;

/** @param json a JSON text (RFC 8259), in which control characters are escaped already */
export const withoutLineBreaks = (json: string): string =>
  json.replace(lineBreaks, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** JSON without a line break of any kind in it. */
export const oneLineJson = (value: unknown): string => withoutLineBreaks(JSON.stringify(value));

/** The same with its line feed: one line of `application/jsonl`. */
export const jsonLine = (value: unknown): string => `${oneLineJson(value)}\n`;
