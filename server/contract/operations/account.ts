// One's own account over HTTP: profile, password, tokens, use of limits, and the session.
import { z } from 'zod';
import {
  accountChangesSchema,
  accountSchema,
  avatarTypes,
  createdTokenSchema,
  newTokenSchema,
  passwordChangeSchema,
  sessionListSchema,
  sessionRequestSchema,
  sessionSchema,
  statisticsSchema,
  tokenListSchema,
  tokenSchema,
} from '../people/account.ts';
import { renamingSchema } from '../people/analyst.ts';
import type { Operations } from './operation.ts';

export const accountOperations = {
  'GET /account/': { summary: 'The account of the token', access: 'token', answers: { 200: accountSchema } },
  'PUT|PATCH /account/': {
    summary: 'Changes what is given of profile and settings',
    access: 'token',
    body: accountChangesSchema,
    answers: { 200: accountSchema },
  },
  'POST|PUT /account/avatar/': {
    summary: 'Shows a PNG, JPEG, GIF or WebP picture of at most 1 MiB beside the name',
    access: 'token',
    body: 'file',
    answers: { 200: accountSchema },
  },
  'DELETE /account/avatar/': { summary: 'Removes the picture', access: 'token', answers: { 204: null } },
  'GET /avatars/<username>/': {
    summary: 'The picture of an analyst, by the link in a record',
    access: 'anybody',
    query: z.object({
      image: z.string().optional().describe('SHA-256 of the picture'),
      signature: z.string().optional(),
    }),
    refusals: ['wrong-signature'],
    answers: { 200: avatarTypes },
  },
  'POST /account/username/': {
    summary: 'Changes the user name (owner)',
    access: 'token',
    policy: 'account.rename',
    body: renamingSchema,
    answers: { 200: accountSchema },
  },
  'POST /account/password/': {
    summary: 'Sets the password and ends all other sessions',
    access: 'token',
    body: passwordChangeSchema,
    answers: { 200: accountSchema },
  },
  'GET /account/statistics/': { summary: 'Limits and their use', access: 'token', answers: { 200: statisticsSchema } },
  'GET /account/tokens/': {
    summary: "The account's tokens, newest first",
    access: 'token',
    answers: { 200: tokenListSchema },
  },
  'POST /account/tokens/': {
    summary: 'Makes a token; its secret is shown this once',
    access: 'token',
    body: newTokenSchema,
    answers: { 201: createdTokenSchema },
  },
  'GET /account/tokens/<id>/': {
    summary: 'One token, without its secret',
    access: 'token',
    answers: { 200: tokenSchema },
  },
  'DELETE /account/tokens/<id>/': { summary: 'Revokes a token', access: 'token', answers: { 204: null } },
  'GET /account/sessions/': {
    summary: "The account's sessions, newest first",
    access: 'token',
    answers: { 200: sessionListSchema },
  },
  'DELETE /account/sessions/<id>/': {
    summary: 'Ends a session of the account',
    access: 'token',
    answers: { 204: null },
  },
  'POST /session/': {
    summary:
      'Logs in by username and password or by a one-time login code, with a code where a second factor is set up',
    access: 'anybody',
    body: sessionRequestSchema,
    refusals: ['wrong-credentials', 'wrong-login-code', 'throttled'],
    answers: { 201: sessionSchema },
  },
  'DELETE /session/': { summary: 'Logs out: the token of this request ends', access: 'token', answers: { 204: null } },
} satisfies Operations;
