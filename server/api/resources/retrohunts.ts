// Retrohunts over HTTP: one's own.
import { z } from 'zod';
import {
  huntedMatchListSchema,
  huntFailureListSchema,
  huntRequestSchema,
  retrohuntListQuerySchema,
  retrohuntListSchema,
  retrohuntSchema,
  rulesetHuntRequestSchema,
} from '../../contract/retrohunt.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { BegunHunt } from '../../services/rules/retrohunts.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { created, ok, operation, type Resource } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentApkReference } from '../presenters/apk.ts';
import { type Presenting, timestamp } from '../presenters/presenting.ts';
import { presentRetrohunt } from '../presenters/retrohunt.ts';
import { matchPresenter } from './matches.ts';
import { rulesetId } from './rulesets.ts';

const find = ({ ids, retrohunts }: Services, account: AccountRecord, { id }: Record<string, string>) =>
  retrohunts.get(account, ids.decode('retrohunt', id!));

const shown = (presenting: Presenting, { view, isNew }: BegunHunt) =>
  (isNew ? created : ok)(presentRetrohunt(presenting, view));

const beginWithOne = operation(
  {
    summary:
      'Runs a ruleset over all APKs, or over those that a search finds (its author; a public one also owner, expert)',
    access: 'token',
    bodySchema: rulesetHuntRequestSchema,
    answers: { 200: retrohuntSchema, 201: retrohuntSchema },
  },
  async ({ params, body, account, presenting, services }) => {
    const ruleset = await services.rulesets.get(account, rulesetId(services, params));
    return shown(presenting, await services.retrohunts.begin(account, [ruleset], body.search ?? ''));
  },
);

const begin = operation(
  {
    summary: 'Runs several rulesets in one hunt, which unpacks every APK once',
    access: 'token',
    bodySchema: huntRequestSchema,
    refusals: ['not-found'],
    answers: { 200: retrohuntSchema, 201: retrohuntSchema },
  },
  async ({ body, account, presenting, services }) => {
    const rulesets = await Promise.all(
      body.rulesets.map((id) => services.rulesets.get(account, services.ids.decode('ruleset', id))),
    );
    return shown(presenting, await services.retrohunts.begin(account, rulesets, body.search ?? ''));
  },
);

const list = operation(
  {
    summary: "One's own retrohunts, newest first",
    access: 'token',
    querySchema: retrohuntListQuerySchema,
    answers: { 200: retrohuntListSchema },
  },
  async ({ request, query, account, presenting, services: { ids, retrohunts } }) => {
    const asked = pageRequestOf(queryOf(request), ids);
    const ruleset = query.ruleset === undefined ? undefined : (ids.decode('ruleset', query.ruleset) ?? 0);
    const page = await retrohunts.page(account, ruleset, asked);
    return ok(cursorPage(request, asked, ids, page, ({ view }) => presentRetrohunt(presenting, view)));
  },
);

const detail = operation(
  { summary: 'One retrohunt with progress, rate and estimate', access: 'token', answers: { 200: retrohuntSchema } },
  async ({ params, account, presenting, services }) =>
    ok(presentRetrohunt(presenting, await find(services, account, params))),
);

const cancel = operation(
  {
    summary: 'Ends a retrohunt; what it found stays',
    access: 'token',
    bodySchema: z.object({}),
    answers: { 200: retrohuntSchema },
  },
  async ({ params, account, presenting, services }) => {
    const hunt = await find(services, account, params);
    return ok(presentRetrohunt(presenting, await services.retrohunts.cancel(account, hunt)));
  },
);

const matches = operation(
  {
    summary: 'What a retrohunt found so far, the latest first',
    access: 'token',
    answers: { 200: huntedMatchListSchema },
  },
  async ({ request, params, account, presenting, services }) => {
    const { ids, retrohunts } = services;
    const asked = pageRequestOf(queryOf(request), ids);
    const page = await retrohunts.foundMatches(await find(services, account, params), asked);
    const present = await matchPresenter(
      presenting,
      services,
      page.items.map(({ match }) => match),
    );
    return ok(cursorPage(request, asked, ids, page, ({ match, isNew }) => ({ ...present(match), is_new: isNew })));
  },
);

const failures = operation(
  {
    summary: 'APKs that a retrohunt could not scan, the latest first',
    access: 'token',
    answers: { 200: huntFailureListSchema },
  },
  async ({ request, params, account, presenting, services }) => {
    const { catalogue, ids, retrohunts } = services;
    const asked = pageRequestOf(queryOf(request), ids);
    const page = await retrohunts.failures(await find(services, account, params), asked);
    const apks = await catalogue.findByIds(page.items.map(({ apkId }) => apkId));
    return ok(
      cursorPage(request, asked, ids, page, ({ apkId, code, message, createdAt }) => ({
        apk: presentApkReference(presenting, apks.get(apkId)!),
        code,
        message,
        created_at: timestamp(createdAt),
      })),
    );
  },
);

export const retrohuntResources: Resource[] = [
  { path: '/rulesets/:id/retrohunt', operations: { post: beginWithOne } },
  { path: '/retrohunts', operations: { get: list, post: begin } },
  { path: '/retrohunts/:id', operations: { get: detail } },
  { path: '/retrohunts/:id/cancel', operations: { post: cancel } },
  { path: '/retrohunts/:id/matches', operations: { get: matches } },
  { path: '/retrohunts/:id/failures', operations: { get: failures } },
];
