// A rule for YARA that looks for bytes. Knows neither where they are from nor any editor.

/** Bytes that a rule looks for at most. */
const maxBytes = 1000;
/** Fewer bytes are in every file. */
const minBytes = 4;

/** A name of a rule, of words that may be anything. */
export const ruleName = (kind: string, words: string): string =>
  [kind, ...(words.match(/[A-Za-z0-9]+/g) ?? [])].join('_').slice(0, 100);

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');

/**
 * A rule that finds bytes which stand one behind the other.
 * @param about what they are, which the rule is named after
 * @param pattern pairs of hexadecimal digits, `??` for any byte
 * @returns null where too few bytes are told
 */
export function byteRule(about: string, pattern: string): string | null {
  const pairs = (pattern.match(/[0-9a-f]{2}|\?\?/g) ?? []).slice(0, maxBytes);
  while (pairs[0] === '??') pairs.shift();
  while (pairs.at(-1) === '??') pairs.pop();
  if (pairs.filter((pair) => pair !== '??').length < minBytes) return null;
  const lines = Array.from({ length: Math.ceil(pairs.length / 16) }, (_, line) =>
    pairs.slice(line * 16, line * 16 + 16).join(' '),
  );
  return [
    `rule ${ruleName('bytes', about)}`,
    '{',
    '    strings:',
    '        $0 = {',
    ...lines.map((line) => `            ${line}`),
    '        }',
    '    condition:',
    '        all of them',
    '}',
    '',
  ].join('\n');
}
