// Converts between records of APKs and rows of the catalogue. Knows nothing of who asks for them.
import { setImmediate } from 'node:timers/promises';
import { CompiledQuery, type Selectable, type Updateable } from 'kysely';
import type { ChildrenSummary } from '../../contract/catalogue/child.ts';
import type { Known } from '../../contract/catalogue/known.ts';
import { severities } from '../../contract/findings/finding.ts';
import type { ApksTable } from '../schema/catalogue.ts';
import type { ApkRecord, NewApk } from './apk-repository.ts';
import type { WriteHandle } from './repository-context.ts';

/** Columns of plain text, numbers and states, by the record's field. */
const plainColumns = {
  size: 'size',
  app: 'app',
  packageName: 'package_name',
  company: 'company',
  version: 'version',
  versionCode: 'version_code',
  signerId: 'signer_id',
  rating: 'rating',
  votesCount: 'votes_count',
  commentsCount: 'comments_count',
  matchesCount: 'matches_count',
  fileState: 'file_state',
  uploaderId: 'uploader_id',
  lastYaraAnalysisAt: 'last_yara_analysis_at',
  verdict: 'verdict',
  family: 'family',
  note: 'note',
  damage: 'damage',
} as const;
const flagColumns = {
  hasIcon: 'has_icon',
  isTrusted: 'is_trusted',
  isInstalled: 'is_installed',
  isDetected: 'is_detected',
  isCorrupted: 'is_corrupted',
  isStaticAnalyzed: 'is_static_analyzed',
  isDynamicAnalyzed: 'is_dynamic_analyzed',
} as const;
const hashColumns = ['sha256', 'sha1', 'md5'] as const;

/**
 * Rows per insert. The full-text indexes write a segment for each statement, which costs more than the rows themselves;
 * with few sizes the statements stay prepared.
 */
const rowsAtOnce = [64, 16, 4, 1] as const;

type HashName = (typeof hashColumns)[number];
type StoredRow = Selectable<ApksTable>;
/** A row as it is read, with hashes in hex. */
export type ApkRow = Omit<StoredRow, HashName> & Record<HashName, string>;

/** The columns that are read. Hashes as hex: a Buffer for each would take longer than the rest of the row. */
export const apkColumns = [
  ...['id', 'min_sdk', 'target_sdk', 'risk', 'severity', 'findings_count', 'techniques_count', 'trackers_count'],
  ...['libraries_count', 'apis_count', 'hosts_count', 'file_names', 'children', 'known', 'code_family_id'],
  ...['created_at', 'updated_at'],
  ...Object.values(plainColumns),
  ...Object.values(flagColumns),
  ...hashColumns.map((name) => `lower(hex(${name})) as ${name}`),
].join(', ');

/** The columns for those fields that are given. */
export function toColumns(fields: Partial<NewApk>): Updateable<ApksTable> {
  const columns: Record<string, unknown> = {};
  for (const [field, column] of Object.entries(plainColumns)) {
    const value = fields[field as keyof typeof plainColumns];
    if (value !== undefined) columns[column] = value;
  }
  for (const [field, column] of Object.entries(flagColumns)) {
    const value = fields[field as keyof typeof flagColumns];
    if (value !== undefined) columns[column] = Number(value);
  }
  if (fields.fileNames !== undefined) columns.file_names = JSON.stringify(fields.fileNames);
  if (fields.children !== undefined) {
    columns.children = fields.children === null ? null : JSON.stringify(fields.children);
  }
  for (const name of hashColumns) {
    const value = fields[name];
    if (value !== undefined) columns[name] = Buffer.from(value, 'hex');
  }
  return columns;
}

/** Defaults of a new APK. */
const unsaid = toColumns({
  ...{ app: '', packageName: '', company: '', version: '', versionCode: '', signerId: null, uploaderId: null },
  ...{ rating: 0, votesCount: 0, commentsCount: 0, matchesCount: 0, fileState: 'ok', lastYaraAnalysisAt: null },
  ...{ hasIcon: false, isTrusted: false, isInstalled: false, isDetected: false, isCorrupted: false },
  ...{ isStaticAnalyzed: false, isDynamicAnalyzed: false, verdict: 'unknown', family: '', note: '' },
  ...{ damage: null, fileNames: [] },
});
const insertedColumns = [
  'file_names' as const,
  ...Object.values(plainColumns),
  ...Object.values(flagColumns),
  ...hashColumns,
  ...(['created_at', 'updated_at'] as const),
];

const insertions = new Map(
  rowsAtOnce.map((count) => {
    const row = `(${insertedColumns.map(() => '?').join(', ')})`;
    const rows = Array.from({ length: count }, () => row).join(', ');
    return [count, `insert into apks (${insertedColumns.join(', ')}) values ${rows} returning ${apkColumns}`];
  }),
);

/**
 * Inserts new APKs in their order.
 * @param createdAt time of the first; times rise from one to the next
 * @returns the stored rows
 */
export async function insertApks(
  database: WriteHandle,
  apks: readonly NewApk[],
  { createdAt, updatedAt }: { createdAt: number; updatedAt: number },
): Promise<ApkRow[]> {
  const stored: ApkRow[] = [];
  while (stored.length < apks.length) {
    if (stored.length > 0) await setImmediate();
    const count = rowsAtOnce.find((size) => size <= apks.length - stored.length)!;
    const values = apks.slice(stored.length, stored.length + count).flatMap((apk, at) => {
      const times = { created_at: createdAt + stored.length + at, updated_at: updatedAt };
      const row: Updateable<ApksTable> = { ...unsaid, ...toColumns(apk), ...times };
      return insertedColumns.map((column) => row[column]);
    });
    const { rows } = await database.executeQuery<ApkRow>(CompiledQuery.raw(insertions.get(count)!, values));
    stored.push(...rows.toSorted((a, b) => a.created_at - b.created_at));
  }
  return stored;
}

/** A row of all columns as it is read. */
export function withHex(row: StoredRow): ApkRow {
  const hex = (hash: Uint8Array) => Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('hex');
  return { ...row, sha256: hex(row.sha256), sha1: hex(row.sha1), md5: hex(row.md5) };
}

/**
 * @param tags in alphabetical order
 * @param familyName of the family by code; null: there is none
 */
export function toRecord(row: ApkRow, tags: string[], familyName: string | null): ApkRecord {
  return {
    id: row.id,
    sha256: row.sha256,
    sha1: row.sha1,
    md5: row.md5,
    size: row.size,
    app: row.app,
    packageName: row.package_name,
    company: row.company,
    version: row.version,
    versionCode: row.version_code,
    signerId: row.signer_id,
    minSdk: row.min_sdk,
    targetSdk: row.target_sdk,
    risk: row.risk,
    severity: row.severity === null ? null : severities[row.severity]!,
    findingsCount: row.findings_count,
    techniquesCount: row.techniques_count,
    trackersCount: row.trackers_count,
    librariesCount: row.libraries_count,
    apisCount: row.apis_count,
    hostsCount: row.hosts_count,
    hasIcon: row.has_icon === 1,
    isTrusted: row.is_trusted === 1,
    isInstalled: row.is_installed === 1,
    isDetected: row.is_detected === 1,
    isCorrupted: row.is_corrupted === 1,
    isStaticAnalyzed: row.is_static_analyzed === 1,
    isDynamicAnalyzed: row.is_dynamic_analyzed === 1,
    rating: row.rating,
    votesCount: row.votes_count,
    commentsCount: row.comments_count,
    matchesCount: row.matches_count,
    fileState: row.file_state,
    uploaderId: row.uploader_id,
    lastYaraAnalysisAt: row.last_yara_analysis_at,
    verdict: row.verdict,
    family: row.family,
    note: row.note,
    damage: row.damage,
    children: row.children === null ? null : (JSON.parse(row.children) as ChildrenSummary),
    known: row.known === null ? [] : (JSON.parse(row.known) as Known[]),
    codeFamilyId: row.code_family_id,
    codeFamilyName: familyName,
    fileNames: row.file_names === '[]' ? [] : (JSON.parse(row.file_names) as string[]),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    tags,
  };
}
