// Comments in the shape of the older API.

import type { LegacyComment } from '../../../contract/legacy.ts';
import type { Analyst } from '../../../contract/people/analyst.ts';
import type { CommentRecord } from '../../../services/triage/comments.ts';
import { unixSeconds } from '../presenting.ts';

/** @param apk SHA-256 of the APK it is about, null where it is about none */
export function presentLegacyComment(comment: CommentRecord, author: Analyst, apk: string | null): LegacyComment {
  return {
    id: comment.id,
    author,
    apk,
    ruleset: comment.rulesetId,
    created_on: unixSeconds(comment.createdAt),
    modified_on: unixSeconds(comment.updatedAt),
    text: comment.text,
  };
}
