// What the texts, regular expressions and numbers of rules stand for. Knows tokens, nothing of what rules mean.
import type { ModuleArgument } from '../modules/module-functions.ts';
import type { Token } from './tokens.ts';

/** `/body/flags` */
export function regexpParts(token: string): { body: string; flags: string } {
  const close = token.lastIndexOf('/');
  return { body: token.slice(1, close), flags: token.slice(close + 1) };
}

/** The argument of a module's function; null where a token is none, or a number past what is exact. */
export function literalOf({ kind, text }: Pick<Token, 'kind' | 'text'>): ModuleArgument | null {
  if (kind === 'text') return { kind: 'text', value: unescaped(text.slice(1, -1)) };
  if (kind === 'regexp') {
    const { body, flags } = regexpParts(text);
    return { kind: 'regexp', body, isCaseless: flags.includes('i'), isDotAll: flags.includes('s') };
  }
  if (kind !== 'number') return null;
  const unit = text.endsWith('KB') ? 1024 : text.endsWith('MB') ? 1_048_576 : 1;
  const value = Number(unit === 1 ? text : text.slice(0, -2)) * unit;
  return Number.isSafeInteger(value) ? { kind: 'number', value } : null;
}

/** YARA's escapes in texts name bytes, which are UTF-8 here as elsewhere. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return Buffer.from(bytesOf(text), 'latin1').toString('utf8');
}

/** What stands between the quotes, with one byte in each unit. */
export function bytesOf(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  return bytes.replace(/\\(?:x([\da-fA-F]{2})|(.))/g, (_, hex: string | undefined, character: string) =>
    hex !== undefined
      ? String.fromCharCode(Number.parseInt(hex, 16))
      : ({ n: '\n', t: '\t', r: '\r' }[character] ?? character),
  );
}
