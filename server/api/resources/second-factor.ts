// An authenticator app as the second factor over HTTP: one's own, and the owner's look at who has one.
import {
  createdSecondFactorSchema,
  newSecondFactorSchema,
  recoveryCodesSchema,
  secondFactorChangeSchema,
  secondFactorConfirmationSchema,
  secondFactorListSchema,
  secondFactorSchema,
} from '../../contract/second-factor.ts';
import { Failure } from '../../services/failure.ts';
import { isAllowed } from '../../services/policies.ts';
import { created, noContent, ok, operation, type Resource } from '../operation.ts';
import { timestamp, timestampOrNull } from '../presenters/presenting.ts';

const show = operation(
  { summary: 'Whether log-ins ask for a code', access: 'token', answers: { 200: secondFactorSchema } },
  async ({ account, services: { secondFactors } }) => {
    const { confirmedAt, recoveryCodesLeft } = await secondFactors.state(account);
    return ok({ confirmed_at: timestampOrNull(confirmedAt), recovery_codes_left: recoveryCodesLeft });
  },
);

const begin = operation(
  {
    summary: 'Makes a secret for an authenticator app; log-ins ask for its codes once one was confirmed',
    access: 'token',
    bodySchema: newSecondFactorSchema,
    refusals: ['second-factor-on', 'throttled'],
    answers: { 201: createdSecondFactorSchema },
  },
  async ({ account, caller, body, services: { sessions, secondFactors } }) => {
    await sessions.confirmPassword(caller, body.current_password);
    return created(await secondFactors.begin(account));
  },
);

const confirm = operation(
  {
    summary: 'Confirms the app by a code of it; answers recovery codes, and all other sessions end',
    access: 'token',
    bodySchema: secondFactorConfirmationSchema,
    refusals: ['second-factor-on', 'second-factor-off', 'throttled'],
    answers: { 200: recoveryCodesSchema },
  },
  async ({ account, caller, body, services: { secondFactors } }) =>
    ok({ recovery_codes: await secondFactors.confirm(account, body.second_factor, caller.token.id) }),
);

const renew = operation(
  {
    summary: 'Makes new recovery codes; the ones before open nothing any more',
    access: 'token',
    bodySchema: secondFactorChangeSchema,
    refusals: ['second-factor-off', 'throttled'],
    answers: { 200: recoveryCodesSchema },
  },
  async ({ account, caller, body, services: { sessions, secondFactors } }) => {
    await sessions.confirmPassword(caller, body.current_password);
    const guesser = { tokenId: caller.token.id };
    return ok({ recovery_codes: await secondFactors.renewRecoveryCodes(account, body.second_factor, guesser) });
  },
);

const remove = operation(
  {
    summary: 'Takes the second factor away, by password and a code',
    access: 'token',
    bodySchema: secondFactorChangeSchema,
    refusals: ['second-factor-off', 'throttled'],
    answers: { 204: null },
  },
  async ({ account, caller, body, services: { sessions, secondFactors } }) => {
    await sessions.confirmPassword(caller, body.current_password);
    await secondFactors.remove(account, body.second_factor, { tokenId: caller.token.id });
    return noContent;
  },
);

const list = operation(
  { summary: 'Accounts that have a second factor (owner)', access: 'token', answers: { 200: secondFactorListSchema } },
  async ({ account, services: { secondFactors } }) => {
    if (!isAllowed(account, 'analysts.administer')) throw new Failure('not-allowed');
    const results = (await secondFactors.list()).map(({ account: { username }, confirmedAt }) => ({
      username,
      confirmed_at: timestamp(confirmedAt),
    }));
    return ok({ count: results.length, next: null, previous: null, results });
  },
);

const reset = operation(
  {
    summary: 'Takes the second factor of an account away, for somebody who lost it (owner)',
    access: 'token',
    refusals: ['second-factor-off'],
    answers: { 204: null },
  },
  async ({ account, params, services: { accounts, secondFactors } }) => {
    if (!isAllowed(account, 'analysts.administer')) throw new Failure('not-allowed');
    await secondFactors.reset(await accounts.get(params.username!));
    return noContent;
  },
);

export const secondFactorResources: Resource[] = [
  { path: '/account/second_factor', operations: { get: show, post: begin } },
  { path: '/account/second_factor/confirm', operations: { post: confirm } },
  { path: '/account/second_factor/renew_recovery_codes', operations: { post: renew } },
  { path: '/account/second_factor/remove', operations: { post: remove } },
  { path: '/second_factors', operations: { get: list } },
  { path: '/second_factors/:username', operations: { delete: reset } },
];
