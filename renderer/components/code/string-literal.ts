// The text that a literal in quotes stands for, as Java and smali write it. Knows no editor.

const plain: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', s: ' ' };

/** @param literal with its quotes; null where it has none around it */
export function literalText(literal: string): string | null {
  const inner = /^"(.*)"$/s.exec(literal)?.[1];
  if (inner === undefined) return null;
  return inner.replace(
    /\\(?:u+([0-9a-fA-F]{4})|([0-3]?[0-7]{1,2})|(.))/gs,
    (_, hex?: string, octal?: string, letter = '') =>
      hex !== undefined
        ? String.fromCharCode(Number.parseInt(hex, 16))
        : octal !== undefined
          ? String.fromCharCode(Number.parseInt(octal, 8))
          : (plain[letter] ?? letter),
  );
}
