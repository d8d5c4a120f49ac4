// A file of rules as text. Knows nothing of what rules say.
import { isUtf8 } from 'node:buffer';
import { tokenize } from './tokens.ts';

export const isRuleFile = (name: string): boolean => /\.(?:yara?|rules?)$/i.test(name);

/**
 * Rules are bytes to YARA. In a file that is no UTF-8, bytes beyond ASCII in texts and regular expressions are written as
 * the escapes that name them.
 */
export function rulesOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const rules = bytes.toString('latin1');
  const parts: string[] = [];
  let position = 0;
  for (const { kind, start, end, text } of tokenize(rules)) {
    if (kind !== 'text' && kind !== 'regexp') continue;
    parts.push(rules.slice(position, start), kind === 'text' ? escapedText(text) : escapedRegexp(text));
    position = end;
  }
  return [...parts, rules.slice(position)].join('');
}

const escapeOf = (byte: string): string => `\\x${byte.charCodeAt(0).toString(16)}`;
const escapedText = (text: string): string => text.replace(/[\x80-\xff]/g, escapeOf);

/** A backslash before a byte that needs no escape changes nothing in a regular expression. */
const escapedRegexp = (regexp: string): string =>
  regexp.replace(/\\?[\x80-\xff]|\\./g, (found) => (found.at(-1)! < '\x80' ? found : escapeOf(found.at(-1)!)));
