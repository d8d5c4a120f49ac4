// Tokens, of which only the hash of the secret is kept. Knows nothing of HTTP.
export interface TokenRecord {
  id: number;
  accountId: number;
  /** A session ends by itself; an API token only when it is revoked or at a date its owner gave. */
  kind: 'api' | 'session';
  name: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}

export type NewToken = Pick<TokenRecord, 'accountId' | 'kind' | 'name'> & {
  /** The secret as the client will send it; only its SHA-256 is stored. */
  secret: string;
  expiresAt?: number | null;
};

export interface TokenRepository {
  insert(token: NewToken): Promise<TokenRecord>;
  /** The token with this secret, null where there is none or it has expired. */
  findBySecret(secret: string): Promise<TokenRecord | null>;
  /** Newest first. */
  listByAccount(accountId: number, kind?: TokenRecord['kind']): Promise<TokenRecord[]>;
  /** Notes the use; at most one write a minute for a token. */
  touch(token: TokenRecord): Promise<void>;
  /** Revokes one token of this account. @returns whether it was there */
  remove(id: number, accountId: number): Promise<boolean>;
  /** Revokes all tokens of an account. @returns how many there were */
  removeByAccount(accountId: number): Promise<number>;
  /** Deletes what has expired. @returns how many there were */
  removeExpired(): Promise<number>;
}
