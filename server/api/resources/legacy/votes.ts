// Votes on APKs over HTTP, as clients of the older API know them.
import type { legacyVoteOperations } from '../../../contract/operations/legacy/votes.ts';
import { created, type Handlers, ok } from '../../operation.ts';
import { presentLegacyVote } from '../../presenters/legacy/vote.ts';
import { voteList } from '../votes.ts';

export const legacyVoteHandlers: Handlers<typeof legacyVoteOperations> = {
  'GET /legacy/apks/<sha256>/votes/': voteList(presentLegacyVote),

  'POST /legacy/apks/<sha256>/votes/': async ({ params, body: { kind }, account, services: { catalogue, votes } }) => {
    const { id } = await catalogue.get(params.sha256);
    await votes.cast(account, id, kind);
    return created({ kind });
  },

  'GET /legacy/apks/<sha256>/user_vote/': async ({ params, account, services: { catalogue, votes } }) => {
    const { id } = await catalogue.get(params.sha256);
    return ok(presentLegacyVote(await votes.get(account, id), account));
  },
};
