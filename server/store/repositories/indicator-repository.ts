// What reports of APKs name that others can look for: hosts, addresses, techniques. Knows no format of indicators.
import { sql } from 'kysely';
import { isOneOf, type ReadHandle, Repository } from './repository-context.ts';

const namedFields = ['url', 'domain', 'ip', 'network.hosts', 'network.http', 'network.dns', 'network.domains'] as const;
export type NamedField = (typeof namedFields)[number] | 'technique';

export interface NamedTerm {
  apkId: number;
  field: NamedField;
  text: string;
}

export class IndicatorRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Hosts and addresses that the reports of these APKs name, and techniques that they show. */
  async named(apkIds: readonly number[]): Promise<NamedTerm[]> {
    const { rows } = await sql<NamedTerm>`
      select t.apk_id as "apkId", s.field, s.text from apk_terms t cross join search_terms s on s.id = t.term_id
      where ${isOneOf('t.apk_id', apkIds)} and s.field in (select value from json_each(${JSON.stringify(namedFields)}))
      order by t.apk_id, s.field, s.text`.execute(this.rowReader);
    return [...rows, ...(await this.#techniques(apkIds))];
  }

  async #techniques(apkIds: readonly number[]): Promise<NamedTerm[]> {
    const { rows } = await sql<{ apkId: number; terms: Uint8Array }>`
      select apk_id as "apkId", terms from apk_marks where ${isOneOf('apk_id', apkIds)}`.execute(this.rowReader);
    // The bytes may be unaligned within their buffer.
    const marks = rows.map(({ apkId, terms }) => ({ apkId, ids: [...new Uint32Array(Uint8Array.from(terms).buffer)] }));
    const ids = [...new Set(marks.flatMap((mark) => mark.ids))];
    const { rows: found } = await sql<{ id: number; text: string }>`
      select id, text from search_terms where field = 'technique' and ${isOneOf('id', ids)}`.execute(this.rowReader);
    const texts = new Map(found.map(({ id, text }) => [id, text]));
    return marks.flatMap(({ apkId, ids: all }) =>
      all.flatMap((id): NamedTerm[] => {
        const text = texts.get(id);
        return text === undefined ? [] : [{ apkId, field: 'technique', text }];
      }),
    );
  }
}
