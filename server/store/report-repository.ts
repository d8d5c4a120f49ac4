// Reports and other analysis results of an APK, compressed. Knows nothing of what they say.
export const reportKinds = ['androguard', 'cuckoo', 'dynamic', 'manifest', 'files', 'icon', 'identity'] as const;
export type ReportKind = (typeof reportKinds)[number];

export interface ReportRecord {
  apkId: number;
  kind: ReportKind;
  status: 'done' | 'partial';
  engineVersion: number;
  /** Length of the content in bytes, uncompressed. */
  size: number;
  createdAt: number;
}

export interface StoredReport extends ReportRecord {
  /** The very bytes that were saved. */
  content: Buffer;
}

export interface NewReport {
  apkId: number;
  kind: ReportKind;
  status: 'done' | 'partial';
  engineVersion: number;
  /** Bytes as they are; text as UTF-8; anything else is stored as JSON text. */
  content: Uint8Array | string | object;
}

export interface ReportRepository {
  /** Stores reports, each in the place of the same kind's older one. Compresses off the main thread. */
  save(reports: readonly NewReport[]): Promise<void>;
  read(apkId: number, kind: ReportKind): Promise<StoredReport | null>;
  /** The parsed JSON content, null where there is no such report. */
  readJson<T>(apkId: number, kind: ReportKind): Promise<T | null>;
  /** What reports an APK has, without their content. */
  list(apkId: number): Promise<ReportRecord[]>;
  /** Ids of APKs whose report of this kind is missing or was made by an older engine, upwards from `afterId`. */
  outdated(request: { kind: ReportKind; engineVersion: number; afterId: number; limit: number }): Promise<number[]>;
  remove(apkId: number, kind: ReportKind): Promise<boolean>;
}
