// Votes in their current shape.
import type { CastVote, Vote } from '../../contract/people/vote.ts';
import type { ApkRecord } from '../../services/catalogue/catalogue.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { VoteRecord } from '../../services/triage/votes.ts';
import { timestamp } from './presenting.ts';

export function presentVote(vote: VoteRecord, analyst: AccountRecord): Vote {
  return { analyst: analyst.username, kind: vote.kind, created_at: timestamp(vote.createdAt) };
}

/** A vote with the rating that the APK has by it. */
export const presentCastVote = (vote: VoteRecord, analyst: AccountRecord, { rating }: ApkRecord): CastVote => ({
  ...presentVote(vote, analyst),
  rating,
});
