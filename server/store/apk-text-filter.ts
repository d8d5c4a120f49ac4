// The plain search over APKs: words and hashes. The full search language makes the same kind of filter elsewhere.
import { sql } from 'kysely';
import type { ApkFilter } from './apk-repository.ts';

const hashColumns = { 32: 'md5', 40: 'sha1', 64: 'sha256' } as const;
/** More words than anybody types only cost time. */
const maxWords = 20;

/**
 * APKs in which every word stands in the app's name, the package's name or the company (in part, in any case), or is
 * the whole MD5, SHA-1 or SHA-256. Nothing but blanks: no filter.
 */
export function apkTextFilter(text: string): ApkFilter | undefined {
  const words = text.split(/\s+/u).filter(Boolean).slice(0, maxWords);
  if (words.length === 0) return undefined;
  return (expressions) =>
    expressions.and(
      words.map((word) => {
        const column = /^[0-9a-f]+$/i.test(word) ? hashColumns[word.length as keyof typeof hashColumns] : undefined;
        if (column !== undefined) return expressions(column, '=', Buffer.from(word, 'hex'));
        const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
        return expressions.or(
          (['app', 'package_name', 'company'] as const).map(
            (name) => sql<boolean>`${sql.ref(name)} like ${pattern} escape '\\'`,
          ),
        );
      }),
    );
}
