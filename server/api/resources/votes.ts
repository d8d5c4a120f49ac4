// Votes on APKs over HTTP.
import type { voteOperations } from '../../contract/operations/votes.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { VoteKind, VoteRecord } from '../../services/triage/votes.ts';
import { queryOf } from '../addressing.ts';
import { type Call, type Handlers, ok } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentCastVote, presentVote } from '../presenters/vote.ts';

/** The list of the votes on an APK, newest first. */
export const voteList =
  <Shown>(present: (vote: VoteRecord, analyst: AccountRecord) => Shown) =>
  async ({ request, params, services: { accounts, catalogue, ids, votes } }: Call<'sha256'>) => {
    const asked = pageRequestOf(queryOf(request), ids);
    const apk = await catalogue.get(params.sha256);
    const { items, ...ends } = await votes.ofApk(apk.id, asked);
    const analysts = await accounts.findByIds(items.map(({ accountId }) => accountId));
    const page = { items, ...ends, count: apk.votesCount };
    return ok(cursorPage(request, asked, ids, page, (vote) => present(vote, analysts.get(vote.accountId)!)));
  };

const cast =
  (kind: VoteKind) =>
  async ({ params, account, services: { catalogue, votes } }: Call<'sha256'>) => {
    const { id } = await catalogue.get(params.sha256);
    const { vote, apk } = await votes.cast(account, id, kind);
    return ok(presentCastVote(vote, account, apk));
  };

export const voteHandlers: Handlers<typeof voteOperations> = {
  'GET|POST /apks/<sha256>/vote_positive/': cast('positive'),
  'GET|POST /apks/<sha256>/vote_negative/': cast('negative'),
  'GET /apks/<sha256>/votes/': voteList(presentVote),
};
