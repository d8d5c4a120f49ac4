// Parts a statement of SQLite into words. Knows no grammar. https://www.sqlite.org/lang_keywords.html
export type Token =
  | { readonly kind: 'word' | 'quoted' | 'text' | 'symbol' | 'parameter'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly text: string; readonly at: number; readonly value: number | bigint }
  | { readonly kind: 'blob'; readonly text: string; readonly at: number; readonly value: Uint8Array };

/** A statement with an error, or with SQL that is not implemented. */
export class SqlFault extends Error {}

/** Characters of one statement; SQLite's own limit is a million bytes. */
const maxStatement = 1_000_000;

const pattern =
  /\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|([xX]'[0-9A-Fa-f]*')|('(?:[^']|'')*')|("(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])|(0[xX][0-9A-Fa-f]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)|(\?\d*|[:@$][A-Za-z_]\w*)|(\|\||<<|>>|<>|<=|>=|==|!=|[-+*/%&|~<>=(),.;])/y;

function numberOf(text: string): number | bigint {
  if (!/^(?:0[xX][0-9A-Fa-f]+|\d+)$/.test(text)) return Number(text);
  const value = BigInt(text);
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? value : Number(value);
}

/** @throws SqlFault where a character begins nothing, or the statement is too long */
export function tokensOf(sql: string): Token[] {
  if (sql.length > maxStatement) throw new SqlFault('statement too long');
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  for (let at = 0; at < sql.length; at = pattern.lastIndex) {
    const match = pattern.exec(sql);
    if (match === null) throw new SqlFault(`unrecognized token: "${sql[at]}"`);
    const [, blob, text, quoted, number, word, parameter, symbol] = match;
    if (blob !== undefined) {
      tokens.push({ kind: 'blob', text: blob, at, value: Buffer.from(blob.slice(2, -1), 'hex') });
    } else if (text !== undefined) {
      tokens.push({ kind: 'text', text: text.slice(1, -1).replaceAll("''", "'"), at });
    } else if (quoted !== undefined) {
      const mark = quoted[0]!;
      tokens.push({ kind: 'quoted', text: quoted.slice(1, -1).replaceAll(mark + mark, mark), at });
    } else if (number !== undefined) tokens.push({ kind: 'number', text: number, at, value: numberOf(number) });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, at });
    else if (parameter !== undefined) tokens.push({ kind: 'parameter', text: parameter, at });
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol, at });
  }
  return tokens;
}
