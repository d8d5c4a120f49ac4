// Votes on APKs over HTTP.
import type { z } from 'zod';
import type { Page } from '../../contract/list.ts';
import { castVoteSchema, voteListSchema } from '../../contract/vote.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { VoteKind, VoteRecord } from '../../services/triage/votes.ts';
import { queryOf } from '../addressing.ts';
import { type Operation, ok, operation, type Resource } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentVote } from '../presenters/vote.ts';

/** The list of the votes on an APK, newest first. */
export function voteList<Shown>(
  summary: string,
  schema: z.ZodType<Page<Shown>>,
  present: (vote: VoteRecord, analyst: AccountRecord) => Shown,
): Operation {
  return operation(
    { summary, access: 'token', answers: { 200: schema } },
    async ({ request, params, services: { accounts, catalogue, ids, votes } }) => {
      const asked = pageRequestOf(queryOf(request), ids);
      const apk = await catalogue.get(params.sha256!);
      const { rows: items, ...ends } = await votes.ofApk(apk.id, asked);
      const analysts = await accounts.findByIds(items.map(({ accountId }) => accountId));
      const page = { items, ...ends, count: apk.votesCount };
      return ok(cursorPage(request, asked, ids, page, (vote) => present(vote, analysts.get(vote.accountId)!)));
    },
  );
}

function voteResource(kind: VoteKind): Resource {
  const cast = operation(
    {
      summary: `Votes ${kind}; a vote stands for ever`,
      isAudited: true,
      access: 'token',
      isAct: true,
      refusals: ['voted-already'],
      answers: { 200: castVoteSchema },
    },
    async ({ params, account, services: { catalogue, votes } }) => {
      const { id } = await catalogue.get(params.sha256!);
      const { vote, apk } = await votes.cast(account, id, kind);
      return ok({ ...presentVote(vote, account), rating: apk.rating });
    },
  );
  return { path: `/apks/:sha256/vote_${kind}`, operations: { get: cast, post: cast } };
}

export const voteResources: Resource[] = [
  voteResource('positive'),
  voteResource('negative'),
  {
    path: '/apks/:sha256/votes',
    operations: { get: voteList('Votes on an APK, newest first', voteListSchema, presentVote) },
  },
];
