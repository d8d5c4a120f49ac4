// Where the picture of an analyst is read, without a token.
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { SignedLinks } from '../../services/signed-links.ts';

/** What the signature of a picture's address stands for. */
export const avatarSubject = (accountId: number, sha256: string): string => `${accountId} ${sha256}`;

/**
 * A path of this server where there is a picture; it changes with the picture. Else what the analyst wrote instead, or
 * nothing.
 */
export function avatarPath(links: SignedLinks, { id, username, avatar, avatarSha256 }: AccountRecord): string {
  if (avatarSha256 === null) return avatar;
  const { signature } = links.sign('avatar', avatarSubject(id, avatarSha256));
  return `/avatars/${username}/?image=${avatarSha256}&signature=${signature}`;
}

/** The same as a whole address. */
export function avatarUrl({ baseUrl, links }: { baseUrl: string; links: SignedLinks }, account: AccountRecord): string {
  return account.avatarSha256 === null ? account.avatar : `${baseUrl}${avatarPath(links, account)}`;
}
