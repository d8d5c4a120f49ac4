// Votes on APKs over HTTP, as clients of the older API know them.
import { legacyVoteKindSchema, legacyVoteSchema } from '../../contract/legacy.ts';
import { pageSchema } from '../../contract/list.ts';
import { created, ok, operation, type Resource } from '../operation.ts';
import { presentLegacyVote } from '../presenters/legacy-vote.ts';
import { voteList } from './votes.ts';

const list = voteList('Votes on an APK, newest first (older API)', pageSchema(legacyVoteSchema), presentLegacyVote);

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

const own = operation(
  {
    summary: 'The vote of the caller on an APK, where there is one (older API)',
    access: 'token',
    answers: { 200: legacyVoteSchema },
  },
  async ({ params, account, services: { catalogue, votes } }) => {
    const { id } = await catalogue.get(params.sha256!);
    return ok(presentLegacyVote(await votes.get(account, id), account));
  },
);

export const legacyVoteResources: Resource[] = [
  { path: '/legacy/apks/:sha256/votes', operations: { get: list, post: cast } },
  { path: '/legacy/apks/:sha256/user_vote', operations: { get: own } },
];
