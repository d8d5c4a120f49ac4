// Whether a term of a report fits what is looked for, in memory and in SQL alike. Knows no table but that of terms.
import { foldedText, isIndexable, shortText } from './folded-text.ts';
import type { IdQuery } from './id-query.ts';
import type { TermFit } from './search-expression.ts';
import { quoted } from './search-listings.ts';

/** Terms that contain a text, in the index of their parts. */
export const termsWith = 'select rowid from search_term_text where search_term_text match ?';
const last = '\u{10ffff}';

/** Whether a term fits. */
export function fitting({ text, fit }: TermFit): (term: string) => boolean {
  switch (fit) {
    case 'whole':
      return (term) => term === text;
    case 'start':
      return (term) => term.startsWith(text);
    case 'below':
      return (term) => term === text || term.startsWith(`${text}.`);
    case 'domain':
      return (term) => term === text || term.endsWith(`.${text}`);
    case 'part': {
      const fold = isIndexable(text) ? foldedText : shortText(text, ['text']).fold;
      const wanted = fold(text);
      return (term) => fold(term).includes(wanted);
    }
  }
}

/** The terms that fit, of that field at the least. */
export function termsThatFit(field: string, { text, fit }: TermFit): IdQuery {
  const ofField = 'select id from search_terms where field = ?';
  switch (fit) {
    case 'whole':
      return { sql: `${ofField} and text = ?`, parameters: [field, text] };
    case 'start':
      return { sql: `${ofField} and text >= ? and text < ?`, parameters: [field, text, text + last] };
    case 'below':
      return {
        sql: `${ofField} and text in (select ? union all
          select text from search_terms where field = ? and text >= ? and text < ?)`,
        parameters: [field, text, field, `${text}.`, `${text}.${last}`],
      };
    case 'domain': {
      const isWithin = "(text = ? or substr(text, -length(?) - 1) = '.' || ?)";
      const parameters = [text, text, text];
      if (!isIndexable(text)) return { sql: `${ofField} and ${isWithin}`, parameters: [field, ...parameters] };
      const sql = `select id from search_terms where id in (${termsWith}) and +field = ? and ${isWithin}`;
      return { sql, parameters: [quoted(text), field, ...parameters] };
    }
    case 'part': {
      if (isIndexable(text)) return { sql: termsWith, parameters: [quoted(text)] };
      const { condition, parameters } = shortText(text, ['text']);
      return { sql: `${ofField} and (${condition})`, parameters: [field, ...parameters] };
    }
  }
}
