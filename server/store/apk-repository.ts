// The catalogue's APKs. Knows nothing of their bytes, nor of who may see them.
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Database } from './schema.ts';

export type FileState = 'ok' | 'missing' | 'altered';

export interface ApkRecord {
  id: number;
  /** Hashes in lower-case hex. */
  sha256: string;
  sha1: string;
  md5: string;
  /** Bytes. */
  size: number;
  app: string;
  packageName: string;
  company: string;
  version: string;
  versionCode: string;
  signerId: number | null;
  hasIcon: boolean;
  isTrusted: boolean;
  isInstalled: boolean;
  isDetected: boolean;
  isCorrupted: boolean;
  isStaticAnalyzed: boolean;
  isDynamicAnalyzed: boolean;
  rating: number;
  votesCount: number;
  commentsCount: number;
  matchesCount: number;
  /** What the last access to the stored bytes found. */
  fileState: FileState;
  uploaderId: number | null;
  /** Microseconds since 1970 UTC, as all times. */
  lastYaraAnalysisAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** In alphabetical order. */
  tags: string[];
}

export type NewApk = Pick<ApkRecord, 'sha256' | 'sha1' | 'md5' | 'size'> &
  Partial<Omit<ApkRecord, 'id' | 'sha256' | 'sha1' | 'md5' | 'size' | 'createdAt' | 'updatedAt' | 'tags'>>;

export type ApkChanges = Partial<
  Omit<ApkRecord, 'id' | 'sha256' | 'sha1' | 'md5' | 'size' | 'createdAt' | 'updatedAt' | 'tags' | 'uploaderId'>
>;

/** A condition on APKs, as a search makes it. */
export type ApkFilter = (expressions: ExpressionBuilder<Database, 'apks'>) => Expression<SqlBool>;

/** One page, newest first: below `olderThan` or right above `newerThan` (ids), from the newest where neither is given. */
export interface ApkPageRequest {
  filter?: ApkFilter | undefined;
  olderThan?: number | undefined;
  newerThan?: number | undefined;
  limit: number;
}

export interface ApkPage {
  apks: ApkRecord[];
  hasOlder: boolean;
  hasNewer: boolean;
}

export interface ApkRepository {
  /**
   * Inserts an APK and gives it a creation time later than every other's.
   * @throws DuplicateError where its sha256 is held already
   */
  insert(apk: NewApk): Promise<ApkRecord>;
  findById(id: number): Promise<ApkRecord | null>;
  /** Records of those ids that exist, by id. */
  findByIds(ids: readonly number[]): Promise<Map<number, ApkRecord>>;
  /** @param sha256 64 hex digits in any case; anything else finds nothing */
  findBySha256(sha256: string): Promise<ApkRecord | null>;
  page(request: ApkPageRequest): Promise<ApkPage>;
  /** The exact number of APKs that pass the filter. */
  count(filter?: ApkFilter): Promise<number>;
  /** @returns the changed record with a new `updatedAt`, null where there is none */
  update(id: number, changes: ApkChanges): Promise<ApkRecord | null>;
  /** Deletes the record with all that hangs on it. @returns whether it was there */
  remove(id: number): Promise<boolean>;
  /** @returns whether the tag is new on this APK */
  addTag(apkId: number, name: string): Promise<boolean>;
  /** @returns whether the tag was there */
  removeTag(apkId: number, name: string): Promise<boolean>;
}
