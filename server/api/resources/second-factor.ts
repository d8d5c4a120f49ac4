// An authenticator app as the second factor over HTTP: one's own, and the owner's look at who has one.
import type { secondFactorOperations } from '../../contract/operations/second-factor.ts';
import { created, type Handlers, noContent, ok } from '../operation.ts';
import { wholeList } from '../paging.ts';
import { presentSecondFactor, presentSecondFactorOwner } from '../presenters/second-factor.ts';

export const secondFactorHandlers: Handlers<typeof secondFactorOperations> = {
  'GET /account/second_factor/': async ({ account, services: { secondFactors } }) => {
    return ok(presentSecondFactor(await secondFactors.state(account)));
  },

  'POST /account/second_factor/': async ({ account, caller, body, services: { sessions, secondFactors } }) => {
    await sessions.confirmPassword(caller, body.current_password);
    return created(await secondFactors.begin(account));
  },

  'POST /account/second_factor/confirm/': async ({ account, caller, body, services: { secondFactors } }) =>
    ok({ recovery_codes: await secondFactors.confirm(account, body.second_factor, caller.token.id) }),

  'POST /account/second_factor/renew_recovery_codes/': async ({
    account,
    caller,
    body,
    services: { sessions, secondFactors },
  }) => {
    await sessions.confirmPassword(caller, body.current_password);
    const guesser = { tokenId: caller.token.id };
    return ok({ recovery_codes: await secondFactors.renewRecoveryCodes(account, body.second_factor, guesser) });
  },

  'POST /account/second_factor/remove/': async ({ account, caller, body, services: { sessions, secondFactors } }) => {
    await sessions.confirmPassword(caller, body.current_password);
    await secondFactors.remove(account, body.second_factor, { tokenId: caller.token.id });
    return noContent;
  },

  'GET /second_factors/': async ({ services: { secondFactors } }) => {
    return ok(wholeList((await secondFactors.list()).map(presentSecondFactorOwner)));
  },

  'DELETE /second_factors/<username>/': async ({ params, services: { accounts, secondFactors } }) => {
    await secondFactors.reset(await accounts.get(params.username));
    return noContent;
  },
};
