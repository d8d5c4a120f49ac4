// Accounts of analysts with profile and settings. Knows neither passwords in clear nor who may change what.
/** The nine switches of an account, in their wire names. */
export const accountSettingNames = [
  'notify_analysis_completed',
  'notify_ruleset_matched',
  'notify_new_profile_comment',
  'notify_new_ruleset_comment',
  'notify_new_follower',
  'notify_new_mention',
  'email_analysis_completed',
  'email_ruleset_matched',
  'email_new_follower',
] as const;
export type AccountSettings = Record<(typeof accountSettingNames)[number], boolean>;

export interface AccountRecord {
  id: number;
  username: string;
  firstName: string;
  lastName: string;
  email: string;
  /** As the account service wrote it; null where only tokens open the account. */
  passwordHash: string | null;
  role: 'owner' | 'analyst';
  apiGroup: string;
  isDisabled: boolean;
  isExpert: boolean;
  avatar: string;
  occupation: string;
  biography: string;
  twitter: string;
  settings: AccountSettings;
  lastLoginAt: number | null;
  createdAt: number;
}

export type NewAccount = Pick<AccountRecord, 'username' | 'role' | 'apiGroup'> &
  Partial<Omit<AccountRecord, 'id' | 'username' | 'role' | 'apiGroup' | 'createdAt' | 'lastLoginAt'>>;

export type AccountChanges = Partial<Omit<AccountRecord, 'id' | 'username' | 'createdAt' | 'settings'>> & {
  /** Only the named switches change. */
  settings?: Partial<AccountSettings>;
};

export interface AccountRepository {
  /** @throws DuplicateError where the username is taken, in whatever case */
  insert(account: NewAccount): Promise<AccountRecord>;
  findById(id: number): Promise<AccountRecord | null>;
  findByIds(ids: readonly number[]): Promise<Map<number, AccountRecord>>;
  /** Without regard to case. */
  findByUsername(username: string): Promise<AccountRecord | null>;
  /** In the order of creation. */
  list(range: { offset: number; limit: number }): Promise<AccountRecord[]>;
  count(): Promise<number>;
  /** @returns the changed record, null where there is none */
  update(id: number, changes: AccountChanges): Promise<AccountRecord | null>;
}
