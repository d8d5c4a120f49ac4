// One's own account over HTTP: profile, password, tokens, use of limits, and the session.
import { z } from 'zod';
import {
  type AccountChangesBody,
  accountChangesSchema,
  accountSchema,
  createdTokenSchema,
  newTokenSchema,
  passwordChangeSchema,
  sessionListSchema,
  sessionRequestSchema,
  sessionSchema,
  statisticsSchema,
  tokenListSchema,
  tokenSchema,
} from '../../contract/account.ts';
import { Failure } from '../../services/failure.ts';
import type { AccountChanges, AccountRecord, TokenRecord } from '../../services/people/accounts.ts';
import { avatarTypes, maxAvatarBytes } from '../../services/people/avatar-image.ts';
import type { Services } from '../../services/services.ts';
import { callerAddress } from '../caller-address.ts';
import { created, noContent, ok, operation, type Resource } from '../operation.ts';
import { presentAccount, presentToken } from '../presenters/account.ts';
import { avatarPath, avatarSubject } from '../presenters/avatar.ts';
import { type Presenting, timestamp, timestampOrNull } from '../presenters/presenting.ts';
import { uploadedFile } from '../uploaded-file.ts';

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
  if (profile.occupation !== undefined) changes.occupation = profile.occupation;
  if (profile.biography !== undefined) changes.biography = profile.biography;
  if (profile.twitter !== undefined) changes.twitter = profile.twitter;
  if (settings !== undefined) changes.settings = settings;
  return changes;
}

/** The bytes of a picture in a data URL (RFC 2397); null where it is none. */
function pictureOf(text: string): Buffer | null {
  const [, base64] = /^data:[^,]*;base64,([A-Za-z0-9+/=\s]*)$/.exec(text) ?? [];
  return base64 === undefined ? null : Buffer.from(base64, 'base64');
}

/** The account with what was sent as its avatar: a picture, words, or the address of the picture that it shows already. */
async function withAvatar({ accounts }: Services, presenting: Presenting, account: AccountRecord, text: string) {
  if (text.startsWith('data:')) {
    return accounts.setAvatar(account, pictureOf(text) ?? Buffer.alloc(0), 'profile.avatar');
  }
  if (account.avatarSha256 !== null && text.endsWith(avatarPath(presenting.links, account))) return account;
  return accounts.update(await accounts.removeAvatar(account), { avatar: text });
}

const change = operation(
  {
    summary: 'Changes what is given of profile and settings',
    access: 'token',
    bodySchema: accountChangesSchema,
    answers: { 200: accountSchema },
  },
  async ({ account, body, presenting, services }) => {
    const avatar = body.profile?.avatar;
    // First what can be refused: nothing of a faulty request is kept.
    const pictured = avatar === undefined ? account : await withAvatar(services, presenting, account, avatar);
    const changed = await services.accounts.update(pictured, changesOf(body));
    return ok(presentAccount(presenting, await services.profiles.ofOne(changed)));
  },
);

const setAvatar = operation(
  {
    summary: 'Shows a PNG, JPEG, GIF or WebP picture of at most 1 MiB beside the name',
    access: 'token',
    bodyKind: 'file',
    answers: { 200: accountSchema },
  },
  async ({ account, request, presenting, services: { accounts, profiles } }) => {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of await uploadedFile(request, maxAvatarBytes)) {
      size += piece.length;
      if (size > maxAvatarBytes) throw new Failure('upload-too-large', { limit: maxAvatarBytes });
      pieces.push(piece);
    }
    const changed = await accounts.setAvatar(account, Buffer.concat(pieces), 'avatar');
    return ok(presentAccount(presenting, await profiles.ofOne(changed)));
  },
);

const removeAvatar = operation(
  { summary: 'Takes the picture away', access: 'token', answers: { 204: null } },
  async ({ account, services }) => {
    await services.accounts.removeAvatar(account);
    return noContent;
  },
);

const showAvatar = operation(
  {
    summary: 'The picture of an analyst, by the link in a record',
    access: 'anybody',
    querySchema: z.object({
      image: z.string().optional().describe('SHA-256 of the picture'),
      signature: z.string().optional(),
    }),
    refusals: ['wrong-signature'],
    answers: { 200: avatarTypes },
  },
  async ({ params, query: { image = '', signature = '' }, response, services: { accounts, links } }) => {
    // Nobody learns by it who has an account.
    const account = await accounts.find(params.username!);
    links.check('avatar', avatarSubject(account?.id ?? 0, image), { signature });
    const avatar = account?.avatarSha256 === image ? await accounts.avatar(account) : null;
    if (avatar === null) throw new Failure('not-found');
    response.set({
      'Cache-Control': 'private, max-age=604800, immutable',
      'Content-Type': avatar.mediaType,
      // Whatever else the bytes may be: opened on their own they run nothing and load nothing.
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
    response.send(Buffer.from(avatar.content));
    return null;
  },
);

const setPassword = operation(
  {
    summary: 'Sets the password and ends all other sessions',
    access: 'token',
    bodySchema: passwordChangeSchema,
    answers: { 200: accountSchema },
  },
  async ({ caller, body, presenting, services: { sessions, profiles } }) => {
    const { password, current_password: current } = body;
    const account = await sessions.setPassword(caller, password, current);
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

const openSession = operation(
  {
    summary:
      'Logs in by username and password or by a one-time login code, with a code where a second factor is set up',
    access: 'anybody',
    bodySchema: sessionRequestSchema,
    refusals: ['wrong-credentials', 'wrong-login-code', 'throttled'],
    answers: { 201: sessionSchema },
  },
  async ({ body, request, presenting, services: { sessions, settings, profiles } }) => {
    const client = request.headers['user-agent'];
    const details = { address: callerAddress(request), client, secondFactor: body.second_factor };
    const opened =
      'login_code' in body
        ? await sessions.openByCode(body.login_code, details)
        : await sessions.openByPassword(body.username, body.password, details);
    const { username } = opened.account;
    return created(
      {
        token: opened.secret,
        expires_at: timestamp(opened.expiresAt),
        idle_minutes: (await settings.all()).session_idle_minutes,
        account: presentAccount(presenting, await profiles.ofOne(opened.account)),
      },
      { username, subject: username },
    );
  },
);

const closeSession = operation(
  { summary: 'Logs out: the token of this request ends', access: 'token', answers: { 204: null } },
  async ({ caller, services }) => {
    await services.sessions.close(caller);
    return noContent;
  },
);

const listSessions = operation(
  { summary: "The account's sessions, newest first", access: 'token', answers: { 200: sessionListSchema } },
  async ({ account, caller, presenting: { ids }, services: { sessions } }) => {
    const present = async (session: TokenRecord) => ({
      id: ids.encode('token', session.id),
      name: session.name,
      created_at: timestamp(session.createdAt),
      expires_at: timestampOrNull(session.expiresAt),
      ends_at: timestamp(await sessions.endOf(session)),
      last_used_at: timestampOrNull(session.lastUsedAt),
      is_current: session.id === caller.token.id,
    });
    const results = await Promise.all((await sessions.list(account)).map(present));
    return ok({ count: results.length, next: null, previous: null, results });
  },
);

const revokeSession = operation(
  { summary: 'Ends a session of the account', access: 'token', answers: { 204: null } },
  async ({ account, params, services: { sessions, ids } }) => {
    const id = ids.decode('token', params.id!);
    if (id === null || !(await sessions.revoke(account, id))) throw new Failure('not-found');
    return noContent;
  },
);

export const accountResources: Resource[] = [
  { path: '/account', operations: { get: show, put: change, patch: change } },
  { path: '/account/avatar', operations: { put: setAvatar, post: setAvatar, delete: removeAvatar } },
  { path: '/avatars/:username', operations: { get: showAvatar } },
  { path: '/account/password', operations: { post: setPassword } },
  { path: '/account/statistics', operations: { get: statistics } },
  { path: '/account/tokens', operations: { get: listTokens, post: createToken } },
  { path: '/account/tokens/:id', operations: { get: showToken, delete: revokeToken } },
  { path: '/account/sessions', operations: { get: listSessions } },
  { path: '/account/sessions/:id', operations: { delete: revokeSession } },
  { path: '/session', operations: { post: openSession, delete: closeSession } },
];
