// One's own account over HTTP: profile, password, tokens, use of limits, and the session.
import {
  type AccountChangesBody,
  accountChangesSchema,
  accountSchema,
  createdTokenSchema,
  newTokenSchema,
  passwordChangeSchema,
  type Session,
  type SessionRequest,
  sessionRequestSchema,
  sessionSchema,
  statisticsSchema,
  tokenListSchema,
  tokenSchema,
} from '../../contract/account.ts';
import type { AccountChanges } from '../../services/accounts.ts';
import { Failure } from '../../services/failure.ts';
import type { Profile } from '../../services/profiles.ts';
import type { OpenedSession } from '../../services/sessions.ts';
import { created, noContent, ok, operation, type Resource } from '../operation.ts';
import { presentAccount, presentToken } from '../presenters/account.ts';
import { type Presenting, timestamp } from '../presenters/presenting.ts';

const show = operation(
  { summary: 'The account of the token', access: 'token', answers: { 200: accountSchema } },
  async ({ account, presenting, services: { profiles } }) =>
    ok(presentAccount(presenting, await profiles.ofOne(account))),
);

function changesOf({ first_name, last_name, email, profile = {}, settings }: AccountChangesBody): AccountChanges {
  const changes: AccountChanges = {};
  if (first_name !== undefined) changes.firstName = first_name;
  if (last_name !== undefined) changes.lastName = last_name;
  if (email !== undefined) changes.email = email;
  if (profile.avatar !== undefined) changes.avatar = profile.avatar;
  if (profile.occupation !== undefined) changes.occupation = profile.occupation;
  if (profile.biography !== undefined) changes.biography = profile.biography;
  if (profile.twitter !== undefined) changes.twitter = profile.twitter;
  if (settings !== undefined) changes.settings = settings;
  return changes;
}

const change = operation(
  {
    summary: 'Changes what is given of profile and settings',
    access: 'token',
    bodySchema: accountChangesSchema,
    answers: { 200: accountSchema },
  },
  async ({ account, body, presenting, services }) =>
    ok(
      presentAccount(
        presenting,
        await services.profiles.ofOne(await services.accounts.update(account, changesOf(body))),
      ),
    ),
);

const setPassword = operation(
  {
    summary: 'Sets the password and ends all other sessions',
    access: 'token',
    bodySchema: passwordChangeSchema,
    answers: { 200: accountSchema },
  },
  async ({ caller, body, request, presenting, services: { sessions, profiles } }) => {
    const address = request.socket.remoteAddress ?? '';
    const account = await sessions.setPassword(caller, body.password, body.current_password, address);
    return ok(presentAccount(presenting, await profiles.ofOne(account)));
  },
);

const statistics = operation(
  { summary: 'Limits and their use', access: 'token', answers: { 200: statisticsSchema } },
  async ({ account, services }) => {
    const rows = await services.limits.statistics(account);
    return ok({
      rate_limits: Object.fromEntries(
        rows.map(({ name, limit, used }) => [name, { limit: `${limit.amount}/${limit.unit}`, used }]),
      ),
    });
  },
);

const listTokens = operation(
  { summary: "The account's tokens, newest first", access: 'token', answers: { 200: tokenListSchema } },
  async ({ account, presenting, services }) => {
    const tokens = await services.accounts.tokens(account);
    const results = tokens.map((token) => presentToken(presenting, token));
    return ok({ count: results.length, next: null, previous: null, results });
  },
);

const createToken = operation(
  {
    summary: 'Makes a token; its secret is shown this once',
    access: 'token',
    bodySchema: newTokenSchema,
    answers: { 201: createdTokenSchema },
  },
  async ({ account, body, presenting, services }) => {
    const { record, secret } = await services.accounts.createToken(account, body.name ?? '');
    return created({ ...presentToken(presenting, record), token: secret });
  },
);

const showToken = operation(
  { summary: 'One token, without its secret', access: 'token', answers: { 200: tokenSchema } },
  async ({ account, params, presenting, services: { accounts, ids } }) => {
    const id = ids.decode('token', params.id!);
    const token = (await accounts.tokens(account)).find((one) => one.id === id);
    if (token === undefined) throw new Failure('not-found');
    return ok(presentToken(presenting, token));
  },
);

const revokeToken = operation(
  { summary: 'Revokes a token', access: 'token', answers: { 204: null } },
  async ({ account, params, services: { accounts, ids } }) => {
    const id = ids.decode('token', params.id!);
    if (id === null || !(await accounts.revokeToken(account, id))) throw new Failure('not-found');
    return noContent;
  },
);

function presentSession(presenting: Presenting, { secret, expiresAt }: OpenedSession, profile: Profile): Session {
  return { token: secret, expires_at: timestamp(expiresAt), account: presentAccount(presenting, profile) };
}

const openSession = operation(
  {
    summary: 'Logs in by username and password, or by a one-time login code',
    access: 'anybody',
    bodySchema: sessionRequestSchema,
    refusals: ['wrong-credentials', 'wrong-login-code', 'throttled'],
    answers: { 201: sessionSchema },
  },
  async ({ body, request, presenting, services: { sessions, profiles } }) => {
    const address = request.socket.remoteAddress ?? '';
    const open = (asked: SessionRequest) =>
      'login_code' in asked
        ? sessions.openByCode(asked.login_code, address)
        : sessions.openByPassword(asked.username, asked.password, address);
    const opened = await open(body);
    return created(presentSession(presenting, opened, await profiles.ofOne(opened.account)));
  },
);

const closeSession = operation(
  { summary: 'Logs out: the token of this request ends', access: 'token', answers: { 204: null } },
  async ({ caller, services }) => {
    await services.sessions.close(caller);
    return noContent;
  },
);

export const accountResources: Resource[] = [
  { path: '/account', operations: { get: show, put: change, patch: change } },
  { path: '/account/password', operations: { post: setPassword } },
  { path: '/account/statistics', operations: { get: statistics } },
  { path: '/account/tokens', operations: { get: listTokens, post: createToken } },
  { path: '/account/tokens/:id', operations: { get: showToken, delete: revokeToken } },
  { path: '/session', operations: { post: openSession, delete: closeSession } },
];
