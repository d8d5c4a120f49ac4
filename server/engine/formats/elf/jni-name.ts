// Decodes the names by which native functions are bound to Java methods. Knows nothing of ELF.

export interface JniName {
  /** Descriptor, `Lcom/example/Crypto;`. */
  class: string;
  method: string;
  /** Parameter descriptors, `ILjava/lang/String;`, of an overloaded native method; null where the name has none. */
  parameters: string | null;
}

const prefix = 'Java_';

/**
 * The Java method that an exported function implements.
 * https://docs.oracle.com/en/java/javase/17/docs/specs/jni/design.html#resolving-native-method-names
 * @returns null where the name does not follow the rules
 */
export function decodeJniName(symbol: string): JniName | null {
  if (!symbol.startsWith(prefix)) return null;
  const parts: string[] = [];
  let part = '';
  let parameters: string | null = null;
  for (let at = prefix.length; at < symbol.length; at++) {
    const letter = symbol[at]!;
    if (letter !== '_') {
      part += letter;
      continue;
    }
    const next = symbol[at + 1];
    if (next === '_' && parameters === null) {
      // What follows two underscores are the parameters, in which one underscore stands for a slash.
      parts.push(part);
      part = '';
      parameters = '';
      at++;
    } else if (next === '0') {
      const digits = symbol.slice(at + 2, at + 6);
      if (!/^[0-9a-f]{4}$/.test(digits)) return null;
      part += String.fromCharCode(Number.parseInt(digits, 16));
      at += 5;
    } else if (next === '1' || next === '2' || next === '3') {
      part += { 1: '_', 2: ';', 3: '[' }[next];
      at++;
    } else if (parameters === null) {
      parts.push(part);
      part = '';
    } else part += '/';
  }
  if (parameters === null) parts.push(part);
  else parameters = part;
  const method = parts.pop();
  if (method === undefined || method === '' || parts.length === 0 || parts.includes('')) return null;
  return { class: `L${parts.join('/')};`, method, parameters };
}
