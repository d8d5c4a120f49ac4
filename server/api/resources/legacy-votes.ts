// Votes on APKs over HTTP, as clients of the older API know them.
import { legacyVoteKindSchema, legacyVoteSchema } from '../../contract/legacy.ts';
import { pageSchema } from '../../contract/list.ts';
import { queryOf } from '../addressing.ts';
import { created, ok, operation, type Resource } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentLegacyVote } from '../presenters/legacy-vote.ts';

const list = operation(
  {
    summary: 'Votes on an APK, newest first (older API)',
    access: 'token',
    answers: { 200: pageSchema(legacyVoteSchema) },
  },
  async ({ request, params, services: { accounts, catalogue, ids, votes } }) => {
    const asked = pageRequestOf(queryOf(request), ids);
    const apk = await catalogue.get(params.sha256!);
    const { rows: items, ...ends } = await votes.ofApk(apk.id, asked);
    const analysts = await accounts.findByIds(items.map(({ accountId }) => accountId));
    const page = { items, ...ends, count: apk.votesCount };
    return ok(cursorPage(request, asked, ids, page, (vote) => presentLegacyVote(vote, analysts.get(vote.accountId)!)));
  },
);

const cast = operation(
  {
    summary: 'Votes on an APK; a vote stands for ever (older API)',
    access: 'token',
    bodySchema: legacyVoteKindSchema,
    refusals: ['voted-already'],
    answers: { 201: legacyVoteKindSchema },
  },
  async ({ params, body: { kind }, account, services: { catalogue, votes } }) => {
    const { id } = await catalogue.get(params.sha256!);
    await votes.cast(account, id, kind);
    return created({ kind });
  },
);

export const legacyVoteResources: Resource[] = [
  { path: '/legacy/apks/:sha256/votes', operations: { get: list, post: cast } },
];
