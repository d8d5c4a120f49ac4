// An authenticator app as the second factor over HTTP: one's own, and the owner's look at who has one.
import {
  createdSecondFactorSchema,
  newSecondFactorSchema,
  recoveryCodesSchema,
  secondFactorChangeSchema,
  secondFactorConfirmationSchema,
  secondFactorListSchema,
  secondFactorSchema,
} from '../people/second-factor.ts';
import type { Operations } from './operation.ts';

export const secondFactorOperations = {
  'GET /account/second_factor/': {
    summary: 'Whether log-ins ask for a code',
    access: 'token',
    answers: { 200: secondFactorSchema },
  },
  'POST /account/second_factor/': {
    summary: 'Makes a secret for an authenticator app; log-ins ask for its codes once one was confirmed',
    access: 'token',
    body: newSecondFactorSchema,
    refusals: ['second-factor-on', 'throttled'],
    answers: { 201: createdSecondFactorSchema },
  },
  'POST /account/second_factor/confirm/': {
    summary: 'Confirms the app by a code of it; answers recovery codes, and all other sessions end',
    access: 'token',
    body: secondFactorConfirmationSchema,
    refusals: ['second-factor-on', 'second-factor-off', 'throttled'],
    answers: { 200: recoveryCodesSchema },
  },
  'POST /account/second_factor/renew_recovery_codes/': {
    summary: 'Creates new recovery codes; the old ones stop working',
    access: 'token',
    body: secondFactorChangeSchema,
    refusals: ['second-factor-off', 'throttled'],
    answers: { 200: recoveryCodesSchema },
  },
  'POST /account/second_factor/remove/': {
    summary: 'Removes the second factor, by password and a code',
    access: 'token',
    body: secondFactorChangeSchema,
    refusals: ['second-factor-off', 'throttled'],
    answers: { 204: null },
  },
  'GET /second_factors/': {
    summary: 'Accounts that have a second factor (owner)',
    access: 'token',
    policy: 'analysts.administer',
    answers: { 200: secondFactorListSchema },
  },
  'DELETE /second_factors/<username>/': {
    summary: 'Removes the second factor of an account that has lost it (owner)',
    access: 'token',
    policy: 'analysts.administer',
    subject: 'analyst',
    refusals: ['second-factor-off'],
    answers: { 204: null },
  },
} satisfies Operations;
