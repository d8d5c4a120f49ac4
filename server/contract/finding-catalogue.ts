// What each finding means, in words for the analyst. Imports nothing.

export interface FindingText {
  /** One line: what was found. */
  readonly title: string;
  /** Why it matters, and what is ordinary about it. */
  readonly description: string;
}

const texts: Readonly<Record<string, FindingText>> = {};

/** The text of a finding's code; a code without one reads as its own words. */
export function findingText(code: string): FindingText {
  if (Object.hasOwn(texts, code)) return texts[code]!;
  const words = code.replaceAll('-', ' ');
  return { title: words.charAt(0).toUpperCase() + words.slice(1), description: '' };
}

/** Codes that have a text. */
export const describedFindings = Object.keys(texts);
