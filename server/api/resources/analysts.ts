// Analysts over HTTP, in the legacy shape and paged by number.
import {
  type AnalystChangesBody,
  analystChangesSchema,
  analystSchema,
  createdAnalystSchema,
  newAnalystSchema,
} from '../../contract/analyst.ts';
import { pageSchema } from '../../contract/list.ts';
import type { AccountChanges, AccountRecord } from '../../services/accounts.ts';
import { Failure } from '../../services/failure.ts';
import { isAllowed, mayEditProfile } from '../../services/policies.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { created, ok, operation, type Resource } from '../operation.ts';
import { numberedPage, numberedPageRequestOf } from '../paging.ts';
import { presentAnalyst } from '../presenters/account.ts';

async function find({ accounts }: Services, username: string): Promise<AccountRecord> {
  const account = await accounts.find(username);
  if (account === null) throw new Failure('not-found');
  return account;
}

const list = operation(
  { summary: 'Analysts in the order they joined', access: 'token', answers: { 200: pageSchema(analystSchema) } },
  async ({ request, services: { accounts } }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const found = await accounts.list(asked.offset, asked.limit);
    return ok(numberedPage(request, asked, await accounts.count(), found.map(presentAnalyst)));
  },
);

const create = operation(
  {
    summary: 'Makes an account with a one-time password (owner)',
    access: 'token',
    bodySchema: newAnalystSchema,
    answers: { 201: createdAnalystSchema },
  },
  async ({ account, body, services: { accounts } }) => {
    if (!isAllowed(account, 'analysts.create')) throw new Failure('not-allowed');
    const { username, first_name: firstName, last_name: lastName, api_group: apiGroup } = body;
    const made = await accounts.createAnalyst({ username, firstName, lastName, apiGroup });
    return created({ ...presentAnalyst(made.account), one_time_password: made.oneTimePassword });
  },
);

const detail = operation(
  { summary: 'One analyst', access: 'token', answers: { 200: analystSchema } },
  async ({ params, services }) => ok(presentAnalyst(await find(services, params.username!))),
);

function changesOf(body: AnalystChangesBody): AccountChanges {
  const changes: AccountChanges = {};
  if (body.first_name !== undefined) changes.firstName = body.first_name;
  if (body.last_name !== undefined) changes.lastName = body.last_name;
  if (body.occupation !== undefined) changes.occupation = body.occupation;
  if (body.bio !== undefined) changes.biography = body.bio;
  if (body.twitter_user !== undefined) changes.twitter = body.twitter_user;
  if (body.api_group !== undefined) changes.apiGroup = body.api_group;
  if (body.is_expert !== undefined) changes.isExpert = body.is_expert;
  if (body.is_disabled !== undefined) changes.isDisabled = body.is_disabled;
  return changes;
}

/** Fields that only the owner may change. */
const administered = ['apiGroup', 'isExpert', 'isDisabled'] as const;

const change = operation(
  {
    summary: 'Changes a profile (its analyst, the owner); group, expert mark, disabling (owner)',
    access: 'token',
    bodySchema: analystChangesSchema,
    answers: { 200: analystSchema },
  },
  async ({ params, account, body, services }) => {
    const analyst = await find(services, params.username!);
    if (!mayEditProfile(account, analyst)) throw new Failure('not-allowed');
    const changes = changesOf(body);
    const isAdministering = administered.some((name) => name in changes && changes[name] !== analyst[name]);
    if (isAdministering && !isAllowed(account, 'analysts.administer')) throw new Failure('not-allowed');
    return ok(presentAnalyst(await services.accounts.update(analyst, changes)));
  },
);

export const analystResources: Resource[] = [
  { path: '/analysts', operations: { get: list, post: create } },
  { path: '/analysts/:username', operations: { get: detail, put: change, patch: change } },
];
