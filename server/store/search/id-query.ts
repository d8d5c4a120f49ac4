// Queries of row ids, read as concatenated text: a row for each takes up to eight times as long. Knows no table.
import type BetterSqlite3 from 'better-sqlite3';
import { addId, type IdSet } from './id-set.ts';

/** A query of one column of row ids; it may give an id more than once. */
export interface IdQuery {
  terms?: undefined;
  sql: string;
  parameters: readonly unknown[];
}

/** Bound on one text, some 30 MB of digits, so that memory does not grow with the answer. */
const idsAtOnce = 4_000_000;
const comma = 0x2c;
const zero = 0x30;

function idsIn(digits: Uint8Array): Uint32Array {
  let count = 1;
  for (let at = 0; at < digits.length; at++) if (digits[at] === comma) count += 1;
  const ids = new Uint32Array(count);
  let index = 0;
  let id = 0;
  for (let at = 0; at < digits.length; at++) {
    const byte = digits[at]!;
    if (byte === comma) {
      ids[index] = id;
      index += 1;
      id = 0;
    } else id = id * 10 + byte - zero;
  }
  ids[index] = id;
  return ids;
}

/** All ids of a query, many at a time. The caller has begun a transaction. */
export function* idsOf(connection: BetterSqlite3.Database, { sql, parameters }: IdQuery): Generator<Uint32Array> {
  const statement = connection
    .prepare(
      `with ids (id) as (${sql}) select cast(group_concat(id) as blob) from (select id from ids limit ? offset ?)`,
    )
    .pluck();
  for (let passed = 0; ; passed += idsAtOnce) {
    const digits = statement.get(...parameters, idsAtOnce, passed) as Uint8Array | null;
    if (digits === null) return;
    const ids = idsIn(digits);
    yield ids;
    if (ids.length < idsAtOnce) return;
  }
}

/** Adds the ids of a query to a set, without those beyond its capacity. The caller has begun a transaction. */
export function addIdsOf(connection: BetterSqlite3.Database, query: IdQuery, set: IdSet): void {
  const capacity = set.length * 32;
  for (const ids of idsOf(connection, query)) for (const id of ids) if (id < capacity) addId(set, id);
}
