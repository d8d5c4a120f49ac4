// Analysts over HTTP under /legacy, and the analyst of the token at both bases. What both generations share is theirs.
import { legacyRulesetSchema } from '../../contract/legacy.ts';
import { pageSchema } from '../../contract/list.ts';
import { queryOf } from '../addressing.ts';
import { type Operation, ok, operation, type Resource } from '../operation.ts';
import { numberedPage, numberedPageRequestOf } from '../paging.ts';
import { analystResources } from './analysts.ts';
import { legacyRulesets } from './legacy-records.ts';

const shared = new Map(analystResources.map((resource) => [resource.path, resource]));

const detail = shared.get('/analysts/:username')!.operations.get!;

/** `current` stands for the name of whoever asks. */
const current: Operation = {
  ...detail,
  summary: 'The analyst of the token',
  run: (call) => detail.run({ ...call, params: { username: call.account!.username } }),
};

const rulesets = operation(
  {
    summary: "An analyst's public rulesets, newest first (older API)",
    access: 'token',
    limit: 'analysts',
    answers: { 200: pageSchema(legacyRulesetSchema) },
  },
  async ({ request, params, services }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const author = await services.accounts.get(params.username!);
    const filter = { readerId: null, authorId: author.id };
    const found = await services.rulesets.list(filter, asked.offset, asked.limit);
    const count = await services.rulesets.count(filter);
    return ok(numberedPage(request, asked, count, await legacyRulesets(services, found)));
  },
);

export const legacyAnalystResources: Resource[] = [
  { path: '/analysts/current', operations: { get: current } },
  { path: '/legacy/analysts/current', operations: { get: current } },
  { path: '/legacy/analysts/:username/rulesets', operations: { get: rulesets } },
  ...analystResources.map(({ path, operations }) => ({ path: `/legacy${path}`, operations })),
];
