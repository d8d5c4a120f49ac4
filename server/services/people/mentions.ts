// Finds who is mentioned in a text. Knows no account.

/** More names in one comment are no conversation but a flood of notifications. */
const maxMentions = 20;

/**
 * Names behind an `@` at the beginning of a word, each once, without regard to case. A name may end in a full stop or a
 * hyphen, and a sentence may end behind a name: both readings are given, the longer one first.
 */
export function mentionsIn(text: string): string[][] {
  const mentions = new Map<string, string[]>();
  for (const [, name] of text.matchAll(/(?<![\p{L}\p{N}_.@-])@([A-Za-z0-9_][A-Za-z0-9_.-]{0,149})/gu)) {
    const long = name!.toLowerCase();
    const short = long.replace(/[.-]+$/, '');
    mentions.set(long, short === long ? [long] : [long, short]);
    if (mentions.size === maxMentions) break;
  }
  return [...mentions.values()];
}
