// Votes in the shape of the older API.
import type { LegacyVote } from '../../../contract/legacy.ts';
import type { AccountRecord } from '../../../services/people/accounts.ts';

export const presentLegacyVote = (vote: Pick<LegacyVote, 'kind'>, analyst: AccountRecord): LegacyVote => ({
  kind: vote.kind,
  analyst: analyst.username,
});
