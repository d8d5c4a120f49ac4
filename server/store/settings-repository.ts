// The workstation's settings and what was decided once for this installation. Knows no setting by name.
export interface InstallationRecord {
  /** Salts the public ids: letters and digits. */
  idSalt: string;
  /** 32 bytes that sign links. */
  signingSecret: Uint8Array;
  createdAt: number;
}

export interface SettingsRepository {
  installation(): Promise<InstallationRecord>;
  /** The value as it was set, undefined where it never was. */
  read(key: string): Promise<unknown>;
  all(): Promise<Record<string, unknown>>;
  /** Stores a JSON value; undefined removes the key. */
  write(key: string, value: unknown): Promise<void>;
}
