// The caller's own account over HTTP: profile, password, tokens, sessions, log-in.
import type { accountOperations } from '../../contract/operations/account.ts';
import type { AccountChangesBody } from '../../contract/people/account.ts';
import { exactSize } from '../../contract/quantity.ts';
import { Failure } from '../../services/failure.ts';
import type { AccountChanges, AccountRecord } from '../../services/people/accounts.ts';
import { maxAvatarBytes } from '../../services/people/avatar-image.ts';
import type { Services } from '../../services/services.ts';
import { callerAddress } from '../caller-address.ts';
import { created, type Handlers, noContent, ok } from '../operation.ts';
import { wholeList } from '../paging.ts';
import {
  presentAccount,
  presentCreatedToken,
  presentOpenedSession,
  presentSession,
  presentStatistics,
  presentToken,
} from '../presenters/account.ts';
import { avatarPath, avatarSubject } from '../presenters/avatar.ts';
import type { Presenting } from '../presenters/presenting.ts';
import { uploadedFile } from '../uploaded-file.ts';

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

export const accountHandlers: Handlers<typeof accountOperations> = {
  'GET /account/': async ({ account, presenting, services: { profiles } }) =>
    ok(presentAccount(presenting, await profiles.ofOne(account))),

  'PUT|PATCH /account/': async ({ account, body, presenting, services }) => {
    const avatar = body.profile?.avatar;
    // First what can be refused: nothing of a faulty request is kept.
    const pictured = avatar === undefined ? account : await withAvatar(services, presenting, account, avatar);
    const changed = await services.accounts.update(pictured, changesOf(body));
    return ok(presentAccount(presenting, await services.profiles.ofOne(changed)));
  },

  'POST|PUT /account/avatar/': async ({ account, request, presenting, services: { accounts, profiles } }) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const { bytes } = await uploadedFile(request, maxAvatarBytes);
    for await (const piece of bytes) {
      size += piece.length;
      if (size > maxAvatarBytes) throw new Failure('upload-too-large', { limit: exactSize(maxAvatarBytes) });
      pieces.push(piece);
    }
    const changed = await accounts.setAvatar(account, Buffer.concat(pieces), 'avatar');
    return ok(presentAccount(presenting, await profiles.ofOne(changed)));
  },

  'DELETE /account/avatar/': async ({ account, services }) => {
    await services.accounts.removeAvatar(account);
    return noContent;
  },

  'GET /avatars/<username>/': async ({
    params,
    query: { image = '', signature = '' },
    response,
    services: { accounts, links },
  }) => {
    // The answer does not reveal who has an account.
    const account = await accounts.find(params.username);
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

  'POST /account/username/': async ({ account, body, presenting, services: { accounts, profiles } }) =>
    ok(presentAccount(presenting, await profiles.ofOne(await accounts.rename(account, body.username)))),

  'POST /account/password/': async ({ caller, body, presenting, services: { sessions, profiles } }) => {
    const { password, current_password: current } = body;
    const account = await sessions.setPassword(caller, password, current);
    return ok(presentAccount(presenting, await profiles.ofOne(account)));
  },

  'GET /account/statistics/': async ({ account, services }) =>
    ok(presentStatistics(await services.limits.statistics(account), await services.rulesets.usage(account))),

  'GET /account/tokens/': async ({ account, presenting, services }) => {
    const tokens = await services.accounts.tokens(account);
    return ok(wholeList(tokens.map((token) => presentToken(presenting, token))));
  },

  'POST /account/tokens/': async ({ account, body, presenting, services }) => {
    const { record, secret } = await services.accounts.createToken(account, body.name ?? '');
    return created(presentCreatedToken(presenting, record, secret));
  },

  'GET /account/tokens/<id>/': async ({ account, params, presenting, services: { accounts, ids } }) => {
    const id = ids.decode('token', params.id);
    const token = (await accounts.tokens(account)).find((one) => one.id === id);
    if (token === undefined) throw new Failure('not-found');
    return ok(presentToken(presenting, token));
  },

  'DELETE /account/tokens/<id>/': async ({ account, params, services: { accounts, ids } }) => {
    const id = ids.decode('token', params.id);
    if (id === null || !(await accounts.revokeToken(account, id))) throw new Failure('not-found');
    return noContent;
  },

  'GET /account/sessions/': async ({ account, caller, presenting, services: { sessions } }) => {
    const found = await Promise.all(
      (await sessions.list(account)).map(async (session) => ({ session, endsAt: await sessions.endOf(session) })),
    );
    const results = found.map(({ session, endsAt }) =>
      presentSession(presenting, session, { endsAt, isCurrent: session.id === caller.token.id }),
    );
    return ok(wholeList(results));
  },

  'DELETE /account/sessions/<id>/': async ({ account, params, services: { sessions, ids } }) => {
    const id = ids.decode('token', params.id);
    if (id === null || !(await sessions.revoke(account, id))) throw new Failure('not-found');
    return noContent;
  },

  'POST /session/': async ({ body, request, presenting, services: { sessions, settings, profiles } }) => {
    const client = request.headers['user-agent'];
    const details = { address: callerAddress(request), client, secondFactor: body.second_factor };
    const opened =
      'login_code' in body
        ? await sessions.openByCode(body.login_code, details)
        : await sessions.openByPassword(body.username, body.password, details);
    const { username } = opened.account;
    const profile = await profiles.ofOne(opened.account);
    const { session_idle_minutes: idleMinutes } = await settings.all();
    return created(presentOpenedSession(presenting, { ...opened, profile, idleMinutes }), {
      username,
      subject: username,
    });
  },

  'DELETE /session/': async ({ caller, services }) => {
    await services.sessions.close(caller);
    return noContent;
  },
};
