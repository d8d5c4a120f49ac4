// Votes in their current shape.
import type { Vote } from '../../contract/vote.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { VoteRecord } from '../../services/triage/votes.ts';
import { timestamp } from './presenting.ts';

export function presentVote(vote: VoteRecord, analyst: AccountRecord): Vote {
  return { analyst: analyst.username, kind: vote.kind, created_at: timestamp(vote.createdAt) };
}
