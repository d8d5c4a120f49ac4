// Comments in their current shape.
import type { Comment } from '../../contract/people/comment.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { CommentRecord } from '../../services/triage/comments.ts';
import { avatarUrl } from './avatar.ts';
import { type Presenting, timestamp } from './presenting.ts';

/** A comment with the records that its shape names; of the three that it can be about, the one that it is about. */
export interface CommentContext {
  comment: CommentRecord;
  author: AccountRecord;
  /** SHA-256. */
  apk: string | null;
  profile: AccountRecord | null;
}

export function presentComment(
  { baseUrl, ids, links }: Presenting,
  { comment, author, apk, profile }: CommentContext,
): Comment {
  const id = ids.encode('comment', comment.id);
  const ruleset = comment.rulesetId === null ? null : ids.encode('ruleset', comment.rulesetId);
  const place =
    profile !== null
      ? `analysts/${profile.username}/profile_comments`
      : ruleset !== null
        ? `rulesets/${ruleset}/comments`
        : `apks/${apk}/comments`;
  return {
    id,
    url: `${baseUrl}/${place}/${id}/`,
    author: {
      username: author.username,
      url: `${baseUrl}/analysts/${author.username}/`,
      avatar_url: avatarUrl({ baseUrl, links }, author),
    },
    apk,
    ruleset,
    profile: profile?.username ?? null,
    text: comment.text,
    created_at: timestamp(comment.createdAt),
    updated_at: timestamp(comment.updatedAt),
  };
}
