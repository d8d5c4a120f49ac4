// Analysts over HTTP, in the legacy shape and paged by number.

import { pageSchema } from '../list.ts';
import { activityListSchema } from '../people/activity.ts';
import {
  analystChangesSchema,
  analystSchema,
  createdAnalystSchema,
  followFiltersSchema,
  newAnalystSchema,
  oneTimePasswordSchema,
} from '../people/analyst.ts';
import { commentListSchema } from '../people/comment.ts';
import { rulesetListSchema } from '../rules/ruleset.ts';
import type { Operation, Operations } from './operation.ts';

/** Those who follow an analyst, or whom he follows. */
const followed = (summary: string) =>
  ({
    summary: `${summary}, the latest first`,
    access: 'token',
    limit: 'analysts',
    query: followFiltersSchema,
    paging: 'number',
    answers: { 200: pageSchema(analystSchema) },
  }) as const satisfies Operation;

/** GET changes something here, as clients of the original expect; tokens travel in a header alone, so that no page can forge it. */
const followChange = (summary: string) =>
  ({
    summary: `${summary}; no change where that is already so`,
    isAudited: true,
    isAct: true,
    access: 'token',
    limit: 'analysts',
    answers: { 200: analystSchema },
  }) as const satisfies Operation;

/** In the current shape; the older API shows the same records in its own. */
export const analystWorkOperations = {
  'GET /analysts/<username>/activity/': {
    summary: 'What an analyst did, newest first, as far as one may see it',
    access: 'token',
    limit: 'analysts',
    paging: 'number',
    answers: { 200: activityListSchema },
  },
  'GET /analysts/<username>/comments/': {
    summary: 'What an analyst commented, newest first, as far as one may see what it is about',
    access: 'token',
    limit: 'analysts',
    paging: 'number',
    answers: { 200: commentListSchema },
  },
  'GET /analysts/<username>/rulesets/': {
    summary: "An analyst's public rulesets, newest first",
    access: 'token',
    limit: 'analysts',
    paging: 'number',
    answers: { 200: rulesetListSchema },
  },
} satisfies Operations;

export const analystOperations = {
  'GET /analysts/': {
    summary: 'Analysts in the order they joined',
    access: 'token',
    limit: 'analysts',
    refusals: ['invalid-page'],
    paging: 'number',
    answers: { 200: pageSchema(analystSchema) },
  },
  'POST /analysts/': {
    summary: 'Makes an account with a one-time password (owner)',
    access: 'token',
    policy: 'analysts.create',
    limit: 'analysts',
    body: newAnalystSchema,
    answers: { 201: createdAnalystSchema },
  },
  'GET /analysts/<username>/': {
    summary: 'One analyst',
    access: 'token',
    limit: 'analysts',
    answers: { 200: analystSchema },
  },
  'PUT|PATCH /analysts/<username>/': {
    summary: 'Changes a profile (its analyst, the owner); role, group, expert mark, disabling (owner)',
    access: 'token',
    limit: 'analysts',
    body: analystChangesSchema,
    answers: { 200: analystSchema },
  },
  'POST /analysts/<username>/password/': {
    summary: 'Gives an account a one-time password, good for 7 days, and ends its sessions (owner)',
    access: 'token',
    policy: 'analysts.administer',
    subject: 'analyst',
    limit: 'analysts',
    answers: { 200: oneTimePasswordSchema },
  },
  'GET /analysts/<username>/followers/': followed('Those who follow an analyst'),
  'GET /analysts/<username>/following/': followed('Those whom an analyst follows'),
  'GET|POST /analysts/<username>/follow/': followChange('Follows an analyst'),
  'GET|POST /analysts/<username>/unfollow/': followChange('Stops following an analyst'),
} satisfies Operations;
