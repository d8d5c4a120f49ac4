// Recreates records whose rows were lost, from indexes, reports and stored files.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type SqliteDatabase from 'better-sqlite3';
import type { PackedBytes } from '../../vault/packed-bytes.ts';
import { unpackJson } from '../../vault/packed-json.ts';
import { openSealedFile, readSalt } from '../../vault/sealed-file.ts';
import { fileKey, SealedFileError } from '../../vault/sealed-format.ts';
import { heldBy } from '../held-files.ts';
import { storedFiles } from '../lost-catalogue.ts';
import type { Value } from './b-tree.ts';
import type { Salvage } from './salvage.ts';

type Known = Record<string, Value>;
type Database = SqliteDatabase.Database;

/** Recreates signers, and accounts by their names, from indexes. @returns how many */
export function restoreSigners(database: Database, salvage: Salvage): number {
  const insert = database.prepare('insert or ignore into signers (id, sha256, sha1) values (?, ?, ?)');
  let restored = 0;
  for (const [id, { sha256, sha1 }] of salvage.knownByIndexes(database, 'signers')) {
    if (isHash(sha256, 32) && isHash(sha1, 20)) restored += insert.run(id, sha256, sha1).changes;
  }
  return restored;
}

const isHash = (value: Value | undefined, length: number): value is Buffer =>
  Buffer.isBuffer(value) && value.length === length;

/**
 * Accounts come back as analysts, without password and second factor. Where no owner is left one is created: the link
 * that the terminal prints logs in as the first account.
 * @returns how many
 */
export function restoreAccounts(database: Database, salvage: Salvage, now: number): number {
  const insert = database.prepare(
    "insert or ignore into accounts (id, username, role, api_group, settings, created_at) values (?, ?, ?, ?, '{}', ?)",
  );
  let restored = 0;
  for (const [id, { username }] of salvage.knownByIndexes(database, 'accounts')) {
    if (typeof username === 'string') restored += insert.run(id, username, 'analyst', 'basic', now).changes;
  }
  const hasAny = database.prepare('select 1 from accounts limit 1').get() !== undefined;
  const hasOwner = database.prepare("select 1 from accounts where role = 'owner'").get() !== undefined;
  if (!hasAny || hasOwner) return restored;
  // The first account of an installation is its owner's.
  const first = database.prepare('select username, password_hash from accounts where id = 1').get() as
    | { username: string; password_hash: string | null }
    | undefined;
  if (first?.password_hash === null) {
    database.prepare("update accounts set role = 'owner', api_group = 'workstation' where id = 1").run();
    return restored;
  }
  const id = first === undefined ? 1 : null;
  return restored + insert.run(id, `owner-${now}`, 'owner', 'workstation', now).changes;
}

interface FileFacts {
  sha256: string;
  sha1: string;
  md5: string;
  size: number;
}

/** The outcome for APKs without a record. */
export interface RestoredApks {
  /** Recreated with the id that their reports, comments and matches refer to. */
  restored: number;
  /** Recreated from the file alone. */
  foundFiles: number;
  /** Names of stored files whose content does not match their name. */
  alteredFiles: string[];
}

/**
 * @param folder `apks/` of the data folder
 * @param progress called with the number of files examined
 */
export function restoreApks(
  database: Database,
  salvage: Salvage,
  { folder, masterKey, now }: { folder: string; masterKey: Uint8Array; now: number },
): RestoredApks {
  const hasRecord = heldBy(database);
  const insert = apkInserter(database, now);
  const alteredFiles: string[] = [];
  const factsOf = (sha256: string): FileFacts | null => {
    const facts = readFacts(join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256), masterKey);
    if (facts !== null && facts.sha256 !== sha256) alteredFiles.push(sha256);
    return facts?.sha256 === sha256 ? facts : null;
  };
  mendHashes(database, salvage, new Set(storedFiles(folder)));
  let restored = 0;
  for (const [id, known] of lostRecords(database, salvage)) {
    const reported = reportedFacts(database, id);
    const sha256 = isHash(known.sha256, 32) ? known.sha256.toString('hex') : reported?.sha256;
    if (sha256 === undefined || hasRecord(sha256)) continue;
    const stored = factsOf(sha256);
    const facts = stored ?? (reported?.sha256 === sha256 ? reported : null);
    if (facts !== null && insert(id, facts, known, stored !== null)) restored += 1;
  }
  const rest = [...storedFiles(folder)].filter((sha256) => !hasRecord(sha256));
  const altered = new Set(alteredFiles);
  let foundFiles = 0;
  for (const { sha256 } of byAge(folder, rest)) {
    const facts = altered.has(sha256) ? null : factsOf(sha256);
    if (facts !== null && insert(null, facts, {}, true)) foundFiles += 1;
  }
  return { restored, foundFiles, alteredFiles };
}

/** Restores the hashes of damaged rows from their index, where there is a stored file of that name. */
function mendHashes(database: Database, salvage: Salvage, stored: ReadonlySet<string>): void {
  const hasRecord = heldBy(database);
  const mend = database.prepare('update apks set sha256 = ? where id = ?');
  for (const [id, { sha256 }] of salvage.knownByIndexes(database, 'apks')) {
    if (!isHash(sha256, 32)) continue;
    const name = sha256.toString('hex');
    if (stored.has(name) && !hasRecord(name)) mend.run(sha256, id);
  }
}

function byAge(folder: string, hashes: readonly string[]) {
  const path = (sha256: string) => join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  return hashes
    .map((sha256) => ({ sha256, at: statSync(path(sha256), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => a.at - b.at);
}

/** Ids without a record, from indexes and reports. */
function lostRecords(database: Database, salvage: Salvage): Map<number, Known> {
  const known = salvage.knownByIndexes(database, 'apks');
  const isThere = database.prepare('select 1 from apks where id = ?').pluck();
  const reported = database
    .prepare('select distinct apk_id from reports where apk_id not in (select id from apks)')
    .pluck()
    .all() as number[];
  for (const id of reported) if (!known.has(id)) known.set(id, {});
  return new Map([...known].filter(([id]) => isThere.get(id) === undefined).toSorted(([a], [b]) => a - b));
}

/** What the cuckoo report says of the file that it is about. */
function reportedFacts(database: Database, apkId: number): FileFacts | null {
  const packed = database
    .prepare("select size, content as compressed from reports where apk_id = ? and kind = 'cuckoo'")
    .get(apkId) as PackedBytes | undefined;
  if (packed === undefined) return null;
  try {
    const report = unpackJson<{ target?: { file?: Partial<FileFacts> } }>(packed);
    const { sha256, sha1, md5, size } = report.target?.file ?? {};
    const isHex = (text: unknown, length: number) =>
      typeof text === 'string' && /^[0-9a-f]+$/.test(text) && text.length === length;
    if (!isHex(sha256, 64) || !isHex(sha1, 40) || !isHex(md5, 32) || typeof size !== 'number') return null;
    return { sha256, sha1, md5, size } as FileFacts;
  } catch {
    // The report is kept; reading it reports the damage.
    return null;
  }
}

/** Bytes of one step. */
const stepBytes = 1_048_576;

/** @returns null where there is no file that this key opens */
function readFacts(path: string, masterKey: Uint8Array): FileFacts | null {
  try {
    const source = openSealedFile(path, fileKey(masterKey, readSalt(path)), 0);
    try {
      const hashes = (['sha256', 'sha1', 'md5'] as const).map((name) => createHash(name));
      for (let position = 0; position < source.size; position += stepBytes) {
        const piece = source.read(position, Math.min(stepBytes, source.size - position));
        for (const hash of hashes) hash.update(piece);
      }
      const [sha256, sha1, md5] = hashes.map((hash) => hash.digest('hex')) as [string, string, string];
      return { sha256, sha1, md5, size: source.size };
    } finally {
      source.close();
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (error instanceof SealedFileError || ['EIO', 'EACCES', 'EISDIR'].includes(code)) return null;
    throw error;
  }
}

const textColumns = ['app', 'package_name', 'company'] as const;

/** Inserts a record, with the analysis jobs that fill in the rest. */
function apkInserter(database: Database, now: number) {
  const insert = database.prepare(`
    insert or ignore into apks (id, sha256, sha1, md5, size, app, package_name, company, signer_id, uploader_id, file_state, created_at, updated_at)
    values (?, unhex(?), unhex(?), unhex(?), ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const isTaken = database.prepare('select 1 from apks where created_at = ?').pluck();
  const before = database.prepare('select max(created_at) from apks where id < ?').pluck();
  const newest = database.prepare('select max(created_at) from apks').pluck();
  const queue = database.prepare(`
    insert or ignore into jobs (kind, apk_id, payload, priority, is_automatic, status, created_at)
    values ('static', ?, 'null', 40, 1, 'queued', ?)`);
  /** Creation time, which rises with the ids. */
  const timeOf = (id: number | null, known: Known): number => {
    if (typeof known.created_at === 'number' && isTaken.get(known.created_at) === undefined) return known.created_at;
    const latest = (id === null ? newest.get() : before.get(id)) as number | null;
    let time = id === null ? Math.max(now, 1 + (latest ?? 0)) : 1 + (latest ?? 0);
    while (isTaken.get(time) !== undefined) time += 1;
    return time;
  };
  return (id: number | null, { sha256, sha1, md5, size }: FileFacts, known: Known, hasFile: boolean): boolean => {
    const texts = textColumns.map((column) => (typeof known[column] === 'string' ? known[column] : ''));
    const references = [known.signer_id, known.uploader_id].map((value) => (typeof value === 'number' ? value : null));
    const state = hasFile ? 'ok' : 'missing';
    const values = [id, sha256, sha1, md5, size, ...texts, ...references, state, timeOf(id, known), now];
    const { changes, lastInsertRowid } = insert.run(...values);
    if (changes === 0) return false;
    if (hasFile) queue.run(lastInsertRowid, now);
    recount(database, Number(lastInsertRowid));
    return true;
  };
}

/** Enqueues analyses of APKs whose reports were lost. */
export function queueLostReports(database: Database, now: number): void {
  database
    .prepare(`
      insert or ignore into jobs (kind, apk_id, payload, priority, is_automatic, status, created_at)
      select 'static', id, 'null', 40, 1, 'queued', ? from apks
      where is_static_analyzed = 1 and file_state = 'ok' and (
        select count(*) from reports where apk_id = apks.id and kind in ('androguard', 'cuckoo', 'manifest', 'files')
      ) < 4`)
    .run(now);
}

/** Recomputes the columns that are derived from comments, votes, verdicts, matches and detections. */
function recount(database: Database, id: number): void {
  database
    .prepare(`
      update apks set
        comments_count = (select count(*) from comments where apk_id = apks.id),
        votes_count = (select count(*) from votes where apk_id = apks.id),
        rating = (select coalesce(sum(case kind when 'positive' then 1 else -1 end), 0) from votes where apk_id = apks.id),
        matches_count = (
          select count(*) from matches join rulesets on rulesets.id = matches.ruleset_id
          where matches.apk_id = apks.id and rulesets.is_public = 1
        ),
        is_detected = exists (select 1 from detections where apk_id = apks.id),
        is_static_analyzed = exists (select 1 from reports where apk_id = apks.id and kind = 'androguard'),
        is_dynamic_analyzed = exists (select 1 from reports where apk_id = apks.id and kind = 'dynamic'),
        has_icon = exists (select 1 from reports where apk_id = apks.id and kind = 'icon')
      where id = ?`)
    .run(id);
  // The next start reads the evidence from the reports again and computes the risk.
  database
    .prepare("delete from reports where apk_id = ? and kind in ('evidence', 'behaviour', 'device_behaviour')")
    .run(id);
}
