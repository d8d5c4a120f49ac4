// Analysts over HTTP, in the legacy shape and paged by number.
import { type Activity, activityListSchema } from '../../contract/activity.ts';
import {
  type AnalystChangesBody,
  analystChangesSchema,
  analystSchema,
  createdAnalystSchema,
  followFiltersSchema,
  newAnalystSchema,
} from '../../contract/analyst.ts';
import { commentListSchema } from '../../contract/comment.ts';
import { pageSchema } from '../../contract/list.ts';
import { rulesetListSchema } from '../../contract/ruleset.ts';
import { Failure } from '../../services/failure.ts';
import type { AccountChanges, AccountRecord } from '../../services/people/accounts.ts';
import { isAllowed, mayEditProfile } from '../../services/policies.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { created, ok, operation, type Resource } from '../operation.ts';
import { numberedPage, numberedPageRequestOf } from '../paging.ts';
import { presentAnalyst } from '../presenters/account.ts';
import { presentApkReference } from '../presenters/apk.ts';
import { timestamp } from '../presenters/presenting.ts';
import { presentRuleset } from '../presenters/ruleset.ts';
import { commentPresenter } from './comments.ts';

const shown = async ({ links, profiles }: Services, account: AccountRecord) =>
  presentAnalyst(links, await profiles.ofOne(account));

const list = operation(
  {
    summary: 'Analysts in the order they joined',
    access: 'token',
    limit: 'analysts',
    refusals: ['invalid-page'],
    answers: { 200: pageSchema(analystSchema) },
  },
  async ({ request, services: { accounts, links, profiles } }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const found = await profiles.of(await accounts.list(asked.offset, asked.limit));
    const results = found.map((profile) => presentAnalyst(links, profile));
    return ok(numberedPage(request, asked, await accounts.count(), results));
  },
);

const create = operation(
  {
    summary: 'Makes an account with a one-time password (owner)',
    access: 'token',
    limit: 'analysts',
    bodySchema: newAnalystSchema,
    answers: { 201: createdAnalystSchema },
  },
  async ({ account, body, services }) => {
    if (!isAllowed(account, 'analysts.create')) throw new Failure('not-allowed');
    const { username, first_name: firstName, last_name: lastName, api_group: apiGroup } = body;
    const made = await services.accounts.createAnalyst({ username, firstName, lastName, apiGroup });
    return created({ ...(await shown(services, made.account)), one_time_password: made.oneTimePassword });
  },
);

const detail = operation(
  { summary: 'One analyst', access: 'token', limit: 'analysts', answers: { 200: analystSchema } },
  async ({ params, services }) => ok(await shown(services, await services.accounts.get(params.username!))),
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
    limit: 'analysts',
    bodySchema: analystChangesSchema,
    answers: { 200: analystSchema },
  },
  async ({ params, account, body, services }) => {
    const analyst = await services.accounts.get(params.username!);
    if (!mayEditProfile(account, analyst)) throw new Failure('not-allowed');
    const changes = changesOf(body);
    const isAdministering = administered.some((name) => name in changes && changes[name] !== analyst[name]);
    if (isAdministering && !isAllowed(account, 'analysts.administer')) throw new Failure('not-allowed');
    return ok(await shown(services, await services.accounts.update(analyst, changes)));
  },
);

/** Those who follow an analyst, or whom he follows. */
const followList = (side: 'followers' | 'following', summary: string) =>
  operation(
    {
      summary,
      access: 'token',
      limit: 'analysts',
      querySchema: followFiltersSchema,
      answers: { 200: pageSchema(analystSchema) },
    },
    async ({ request, params, query: { username }, services }) => {
      const asked = numberedPageRequestOf(queryOf(request));
      const analyst = await services.accounts.get(params.username!);
      const onlyId = username === undefined ? undefined : ((await services.accounts.find(username))?.id ?? 0);
      const { count, profiles } = await services.profiles.list(side, analyst, { ...asked, onlyId });
      const results = profiles.map((profile) => presentAnalyst(services.links, profile));
      return ok(numberedPage(request, asked, count, results));
    },
  );

/** GET changes something here, as clients of the original expect; tokens travel in a header alone, so that no page can forge it. */
const followChange = (change: 'follow' | 'unfollow', summary: string) =>
  operation(
    { summary, isAudited: true, isAct: true, access: 'token', limit: 'analysts', answers: { 200: analystSchema } },
    async ({ params, account, services }) => {
      const analyst = await services.accounts.get(params.username!);
      await services.profiles[change](account, analyst);
      return ok(await shown(services, analyst));
    },
  );

const follow = followChange('follow', 'Follows an analyst; nothing changes where that is so already');
const unfollow = followChange('unfollow', 'Stops following an analyst; nothing changes where that is so already');

const rulesets = operation(
  {
    summary: "An analyst's public rulesets, newest first",
    access: 'token',
    limit: 'analysts',
    answers: { 200: rulesetListSchema },
  },
  async ({ request, params, presenting, services }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const analyst = await services.accounts.get(params.username!);
    const filter = { readerId: null, authorId: analyst.id };
    const found = await services.rulesets.list(filter, asked.offset, asked.limit);
    const count = await services.rulesets.count(filter);
    return ok(
      numberedPage(
        request,
        asked,
        count,
        found.map((one) => presentRuleset(presenting, one, analyst)),
      ),
    );
  },
);

const comments = operation(
  {
    summary: 'What an analyst commented, newest first, as far as one may see what it is about',
    access: 'token',
    limit: 'analysts',
    answers: { 200: commentListSchema },
  },
  async ({ request, params, account, presenting, services }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const filter = { authorId: (await services.accounts.get(params.username!)).id, readerId: account.id };
    const found = await services.comments.list(filter, asked.offset, asked.limit);
    const present = await commentPresenter(presenting, services, found);
    return ok(numberedPage(request, asked, await services.comments.count(filter), found.map(present)));
  },
);

const activity = operation(
  {
    summary: 'What an analyst did, newest first, as far as one may see it',
    access: 'token',
    limit: 'analysts',
    answers: { 200: activityListSchema },
  },
  async ({ request, params, account, presenting, services }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const analyst = await services.accounts.get(params.username!);
    const { count, records, comments: found } = await services.profiles.activity(analyst, account, asked);
    const presentOne = await commentPresenter(presenting, services, [...found.values()]);
    const apks = await services.catalogue.findByIds(records.flatMap(({ apkId }) => apkId ?? []));
    const known = await services.rulesets.findByIds(records.flatMap(({ rulesetId }) => rulesetId ?? []));
    const ids = [...known.values()].map(({ authorId }) => authorId);
    const people = await services.accounts.findByIds([...ids, ...records.flatMap(({ otherId }) => otherId ?? [])]);
    const results = records.map((record): Activity => {
      const apk = apks.get(record.apkId ?? 0);
      const ruleset = known.get(record.rulesetId ?? 0);
      const comment = found.get(record.commentId ?? 0);
      return {
        type: record.type,
        analyst: analyst.username,
        apk: apk === undefined ? null : presentApkReference(presenting, apk),
        ruleset: ruleset === undefined ? null : presentRuleset(presenting, ruleset, people.get(ruleset.authorId)!),
        comment: comment === undefined ? null : presentOne(comment),
        kind: record.kind,
        created_at: timestamp(record.createdAt),
        profile: people.get(record.otherId ?? 0)?.username ?? null,
      };
    });
    return ok(numberedPage(request, asked, count, results));
  },
);

/** In the current shape; the older API shows the same records in its own. */
export const analystWorkResources: Resource[] = [
  { path: '/analysts/:username/activity', operations: { get: activity } },
  { path: '/analysts/:username/comments', operations: { get: comments } },
  { path: '/analysts/:username/rulesets', operations: { get: rulesets } },
];

export const analystResources: Resource[] = [
  { path: '/analysts', operations: { get: list, post: create } },
  { path: '/analysts/:username', operations: { get: detail, put: change, patch: change } },
  {
    path: '/analysts/:username/followers',
    operations: { get: followList('followers', 'Those who follow an analyst, the latest first') },
  },
  {
    path: '/analysts/:username/following',
    operations: { get: followList('following', 'Those whom an analyst follows, the latest first') },
  },
  { path: '/analysts/:username/follow', operations: { get: follow, post: follow } },
  { path: '/analysts/:username/unfollow', operations: { get: unfollow, post: unfollow } },
];
