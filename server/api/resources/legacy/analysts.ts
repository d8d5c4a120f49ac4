// Analysts for clients of the older generation.
import type { legacyAnalystOperations } from '../../../contract/operations/legacy/analysts.ts';
import { under } from '../../../contract/operations/operation.ts';
import { queryOf } from '../../addressing.ts';
import { type Call, type Handlers, ok } from '../../operation.ts';
import { numberedPage, numberedPageRequestOf } from '../../paging.ts';
import { analystHandlers } from '../analysts.ts';
import { legacyRulesets } from './records.ts';

/** `current` stands for the name of whoever asks. */
const current = (call: Call<never, 'token', undefined, undefined>) =>
  analystHandlers['GET /analysts/<username>/']({ ...call, params: { username: call.account.username } });

export const legacyAnalystHandlers: Handlers<typeof legacyAnalystOperations> = {
  'GET /analysts/current/': current,

  'GET /legacy/analysts/current/': current,

  'GET /legacy/analysts/<username>/rulesets/': async ({ request, params, services }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const author = await services.accounts.get(params.username);
    const filter = { readerId: null, authorId: author.id };
    const found = await services.rulesets.list(filter, asked.offset, asked.limit);
    const count = await services.rulesets.count(filter);
    return ok(numberedPage(request, asked, count, await legacyRulesets(services, found)));
  },

  ...under('/legacy', analystHandlers),
};
