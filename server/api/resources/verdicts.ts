// Verdicts of the workstation's analysts over HTTP.
import type { verdictOperations } from '../../contract/operations/verdicts.ts';
import { queryOf } from '../addressing.ts';
import { type Handlers, ok } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentStandingVerdict, presentVerdict } from '../presenters/verdict.ts';

export const verdictHandlers: Handlers<typeof verdictOperations> = {
  'GET /apks/<sha256>/verdict/': async ({ params, services: { catalogue, verdicts } }) => {
    const { id } = await catalogue.get(params.sha256);
    return ok(presentStandingVerdict(await verdicts.latest(id)));
  },

  'PUT|PATCH /apks/<sha256>/verdict/': async ({ params, body, account, services: { catalogue, verdicts } }) => {
    const { id } = await catalogue.get(params.sha256);
    return ok(presentStandingVerdict(await verdicts.say(account, id, body)));
  },

  'GET /apks/<sha256>/verdicts/': async ({ request, params, services: { catalogue, ids, verdicts } }) => {
    const asked = pageRequestOf(queryOf(request), ids);
    const { id } = await catalogue.get(params.sha256);
    const [page, count] = await Promise.all([verdicts.history(id, asked), verdicts.count(id)]);
    return ok(cursorPage(request, asked, ids, { ...page, count }, presentVerdict));
  },
};
