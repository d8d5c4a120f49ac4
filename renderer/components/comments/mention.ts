// Finds the mention that somebody is writing. Knows text only.

/** What stands between an `@` and the caret, and where it begins. */
export interface StartedMention {
  /** Offset of the `@`. */
  at: number;
  typed: string;
}

/** The mention under the caret, or null: an `@` at the start of a word with nothing but a name's characters since. */
export function startedMention(text: string, caret: number): StartedMention | null {
  const match = /(?:^|[^\w@#])@([\p{L}\p{N}_.-]{0,63})$/u.exec(text.slice(0, caret));
  return match === null ? null : { at: caret - match[1]!.length - 1, typed: match[1]! };
}

/** Names that contain what was typed, those that begin with it first; none where the only one is typed in full. */
export function namesFor(typed: string, names: readonly string[], most: number): string[] {
  const wanted = typed.toLowerCase();
  const rank = (name: string) => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  const fitting = names.filter((name) => name.toLowerCase().includes(wanted));
  if (fitting.length === 1 && fitting[0] === typed) return [];
  return fitting.toSorted((one, other) => rank(one) - rank(other) || one.localeCompare(other)).slice(0, most);
}
