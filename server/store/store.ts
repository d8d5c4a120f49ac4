// Opens a data folder: lock, database, migrations, repositories, files. The only way into the catalogue.
import type { AccountRepository } from './account-repository.ts';
import type { ApkRepository } from './apk-repository.ts';
import type { FileStore } from './file-store.ts';
import type { JobRepository } from './job-repository.ts';
import type { LimitRepository } from './limit-repository.ts';
import type { ReportRepository } from './report-repository.ts';
import type { SettingsRepository } from './settings-repository.ts';
import type { SignerRepository } from './signer-repository.ts';
import type { TokenRepository } from './token-repository.ts';

/** One repository per aggregate, all on the same connection or within the same transaction. */
export interface Repositories {
  readonly accounts: AccountRepository;
  readonly apks: ApkRepository;
  readonly jobs: JobRepository;
  readonly limits: LimitRepository;
  readonly reports: ReportRepository;
  readonly settings: SettingsRepository;
  readonly signers: SignerRepository;
  readonly tokens: TokenRepository;
  /** Calls back once what was written is on disk: at once outside a transaction, after the commit within one. */
  afterCommit(callback: () => void): void;
}

export interface Store extends Repositories {
  readonly dataDir: string;
  readonly files: FileStore;
  /**
   * Runs the work in one write transaction; it is rolled back where the work throws. Within the work use only the
   * repositories that it is given: any other query waits for the transaction's end, for ever.
   */
  transaction<T>(work: (inside: Repositories) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface StoreLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface OpenStoreOptions {
  log: StoreLog;
  /** false: a short visit of another process while a server may run (`token create`). True by default. */
  exclusive?: boolean;
}
export declare function openStore(dataDir: string, options: OpenStoreOptions): Promise<Store>;
