// Which values the rows of the catalogue must have, beyond their types, for the workstation to run. Knows no page.
import { zstdDecompressSync } from 'node:zlib';
import { jobKinds } from '../../contract/jobs/job-kinds.ts';
import type { Value } from './b-tree.ts';

export type NamedRow = Record<string, Value>;

const isJson = (value: Value | undefined): boolean => {
  if (value === null || value === undefined) return true;
  try {
    JSON.parse(value as string);
    return true;
  } catch {
    return false;
  }
};

const isUnpacked = (packed: Value | undefined, size: Value | undefined): boolean => {
  try {
    const most = typeof size === 'number' ? size : 2 ** 28;
    const { length } = zstdDecompressSync(packed as Buffer, { maxOutputLength: Math.max(1, most) });
    return typeof size !== 'number' || length === size;
  } catch {
    return false;
  }
};

const hasLength = (value: Value | undefined, length: number): boolean =>
  Buffer.isBuffer(value) && value.length === length;

const checks: Readonly<Record<string, (row: NamedRow) => boolean>> = {
  installation: ({ id_salt, signing_secret }) =>
    /^[A-Za-z0-9]{32}$/.test(String(id_salt)) && hasLength(signing_secret, 32),
  settings: ({ value }) => isJson(value),
  accounts: ({ settings }) => isJson(settings),
  tokens: ({ secret_sha256 }) => hasLength(secret_sha256, 32),
  invitations: ({ code_sha256 }) => hasLength(code_sha256, 32),
  signers: ({ sha256, sha1 }) => hasLength(sha256, 32) && hasLength(sha1, 20),
  apks: ({ sha256, sha1, md5 }) => hasLength(sha256, 32) && hasLength(sha1, 20) && hasLength(md5, 16),
  reports: ({ content, size }) => isUnpacked(content, size),
  ruleset_versions: ({ rules }) => isUnpacked(rules, undefined),
  rulesets: ({ scan_error }) => isJson(scan_error),
  matches: ({ rules }) => isJson(rules),
  detections: ({ information }) => isJson(information),
  detection_changes: ({ information }) => isJson(information),
  retrohunts: ({ ahead }) => isJson(ahead),
  dry_runs: ({ task, result }) => isJson(task) && isJson(result),
  rule_proposals: ({ task, result }) => isJson(task) && isJson(result),
  // A job of an unknown kind would keep the workstation from starting.
  jobs: ({ kind, payload }) => Object.hasOwn(jobKinds, String(kind)) && isJson(payload),
};

export const checkedTables: readonly string[] = Object.keys(checks);

/** Whether the values of a row are undamaged, as far as that can be checked. */
export const isWholeRow = (table: string, row: NamedRow): boolean => checks[table]?.(row) ?? true;
