// Rows as CSV that no spreadsheet takes for formulas, whatever separates its cells. Knows nothing of what the rows say.

/**
 * Where a cell would begin with what spreadsheets take for a formula, in full width too: at the value's beginning, and
 * after what separates cells and rows wherever `;` or a tab does so, since quotes within a line hold nothing there.
 * What cannot be seen may stand before it. A tab, a line break or a zero at the beginning are removed by some.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const formula = /^(?=[\t\r\n\0])|(?=[=+\-@＝＋－＠])(?<=(?:^|[;\t\r\n])[\s\p{C}"]*)/gu;

/** Readers that know nothing of quotes break lines at more than RFC 4180 names. */
const quoted = /[",;\t\r\n\v\f\u0085\u2028\u2029]/;

function csvCell(value: string | number | boolean): string {
  const text = typeof value === 'string' ? value.replace(formula, "'") : String(value);
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One row (RFC 4180) with its line break; an apostrophe stands before text that would be a formula. */
export const csvRow = (cells: readonly (string | number | boolean)[]): string => `${cells.map(csvCell).join(',')}\r\n`;
