// Analysts over HTTP, in the legacy shape and paged by number.

import type { analystOperations, analystWorkOperations } from '../../contract/operations/analysts.ts';
import type { AnalystChangesBody } from '../../contract/people/analyst.ts';
import { Failure } from '../../services/failure.ts';
import type { AccountChanges, AccountRecord } from '../../services/people/accounts.ts';
import { mayChangeAccount } from '../../services/policies.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { type Call, created, type Handlers, ok } from '../operation.ts';
import { numberedPage, numberedPageRequestOf } from '../paging.ts';
import { presentAnalyst, presentCreatedAnalyst } from '../presenters/account.ts';
import { presentActivity } from '../presenters/activity.ts';
import { presentApkReference } from '../presenters/apk.ts';
import { presentRuleset } from '../presenters/rules/ruleset.ts';
import { commentPresenter } from './comments.ts';

const shown = async ({ links, profiles }: Services, account: AccountRecord) =>
  presentAnalyst(links, await profiles.ofOne(account));

/** A record that may be gone. */
const shownOrNull = <Found, Shown>(found: Found | undefined, show: (found: Found) => Shown): Shown | null =>
  found === undefined ? null : show(found);

function changesOf(body: AnalystChangesBody): AccountChanges {
  const changes: AccountChanges = {};
  if (body.first_name !== undefined) changes.firstName = body.first_name;
  if (body.last_name !== undefined) changes.lastName = body.last_name;
  if (body.occupation !== undefined) changes.occupation = body.occupation;
  if (body.bio !== undefined) changes.biography = body.bio;
  if (body.twitter_user !== undefined) changes.twitter = body.twitter_user;
  if (body.role !== undefined) changes.role = body.role;
  if (body.api_group !== undefined) changes.apiGroup = body.api_group;
  if (body.is_expert !== undefined) changes.isExpert = body.is_expert;
  if (body.is_disabled !== undefined) changes.isDisabled = body.is_disabled;
  return changes;
}

/** Those who follow an analyst, or whom he follows. */
const followList =
  (side: 'followers' | 'following') =>
  async ({ request, params, query, services }: Call<'username', 'token', { username?: string | undefined }>) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const analyst = await services.accounts.get(params.username);
    const only = query.username;
    const onlyId = only === undefined ? undefined : ((await services.accounts.find(only))?.id ?? 0);
    const { count, profiles } = await services.profiles.list(side, analyst, { ...asked, onlyId });
    const results = profiles.map((profile) => presentAnalyst(services.links, profile));
    return ok(numberedPage(request, asked, count, results));
  };

const followChange =
  (change: 'follow' | 'unfollow') =>
  async ({ params, account, services }: Call<'username'>) => {
    const analyst = await services.accounts.get(params.username);
    await services.profiles[change](account, analyst);
    return ok(await shown(services, analyst));
  };

export const analystWorkHandlers: Handlers<typeof analystWorkOperations> = {
  'GET /analysts/<username>/activity/': async ({ request, params, account, presenting, services }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const analyst = await services.accounts.get(params.username);
    const { count, records, comments: found } = await services.profiles.activity(analyst, account, asked);
    const presentOne = await commentPresenter(presenting, services, [...found.values()]);
    const apks = await services.catalogue.findByIds(records.flatMap(({ apkId }) => apkId ?? []));
    const known = await services.rulesets.findByIds(records.flatMap(({ rulesetId }) => rulesetId ?? []));
    const ids = [...known.values()].map(({ authorId }) => authorId);
    const people = await services.accounts.findByIds([...ids, ...records.flatMap(({ otherId }) => otherId ?? [])]);
    const results = records.map((record) => {
      const ruleset = known.get(record.rulesetId ?? 0);
      const comment = found.get(record.commentId ?? 0);
      return presentActivity(record, {
        analyst,
        apk: shownOrNull(apks.get(record.apkId ?? 0), (apk) => presentApkReference(presenting, apk)),
        ruleset: shownOrNull(ruleset, (one) => presentRuleset(presenting, one, people.get(one.authorId)!)),
        comment: shownOrNull(comment, presentOne),
        other: people.get(record.otherId ?? 0) ?? null,
      });
    });
    return ok(numberedPage(request, asked, count, results));
  },

  'GET /analysts/<username>/comments/': async ({ request, params, account, presenting, services }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const filter = { authorId: (await services.accounts.get(params.username)).id, readerId: account.id };
    const found = await services.comments.list(filter, asked.offset, asked.limit);
    const present = await commentPresenter(presenting, services, found);
    return ok(numberedPage(request, asked, await services.comments.count(filter), found.map(present)));
  },

  'GET /analysts/<username>/rulesets/': async ({ request, params, presenting, services }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const analyst = await services.accounts.get(params.username);
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
};

export const analystHandlers: Handlers<typeof analystOperations> = {
  'GET /analysts/': async ({ request, services: { accounts, links, profiles } }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const found = await profiles.of(await accounts.list(asked.offset, asked.limit));
    const results = found.map((profile) => presentAnalyst(links, profile));
    return ok(numberedPage(request, asked, await accounts.count(), results));
  },

  'POST /analysts/': async ({ body, services }) => {
    const { username, first_name: firstName, last_name: lastName, api_group: apiGroup } = body;
    const made = await services.accounts.createAnalyst({ username, firstName, lastName, apiGroup });
    return created(
      presentCreatedAnalyst(services.links, await services.profiles.ofOne(made.account), made.oneTimePassword),
    );
  },

  'GET /analysts/<username>/': async ({ params, services }) =>
    ok(await shown(services, await services.accounts.get(params.username))),

  'PUT|PATCH /analysts/<username>/': async ({ params, account, body, services }) => {
    const analyst = await services.accounts.get(params.username);
    const changes = changesOf(body);
    if (!mayChangeAccount(account, analyst, changes)) throw new Failure('not-allowed');
    return ok(await shown(services, await services.accounts.update(analyst, changes)));
  },

  'POST /analysts/<username>/password/': async ({ params, services: { accounts } }) =>
    ok({ one_time_password: await accounts.resetPassword(await accounts.get(params.username)) }),

  'GET /analysts/<username>/followers/': followList('followers'),

  'GET /analysts/<username>/following/': followList('following'),

  'GET|POST /analysts/<username>/follow/': followChange('follow'),

  'GET|POST /analysts/<username>/unfollow/': followChange('unfollow'),
};
