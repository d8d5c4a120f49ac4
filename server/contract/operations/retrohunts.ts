// Retrohunts over HTTP: one's own.
import { z } from 'zod';
import {
  huntEstimateSchema,
  huntedMatchListSchema,
  huntFailureListSchema,
  huntRequestSchema,
  retrohuntListQuerySchema,
  retrohuntListSchema,
  retrohuntSchema,
  rulesetHuntRequestSchema,
} from '../rules/retrohunt.ts';
import type { Operations } from './operation.ts';

export const retrohuntOperations = {
  'POST /rulesets/<id>/retrohunt/': {
    summary:
      'Runs a ruleset over all APKs, or over those that a search finds (its author; a public one also owner, expert)',
    access: 'token',
    body: rulesetHuntRequestSchema,
    answers: { 200: retrohuntSchema, 201: retrohuntSchema },
  },
  'GET /retrohunts/': {
    summary: "One's own retrohunts, newest first",
    access: 'token',
    query: retrohuntListQuerySchema,
    paging: 'cursor',
    answers: { 200: retrohuntListSchema },
  },
  'POST /retrohunts/': {
    summary: 'Runs several rulesets in one hunt, which unpacks every APK once',
    access: 'token',
    body: huntRequestSchema,
    refusals: ['not-found'],
    answers: { 200: retrohuntSchema, 201: retrohuntSchema },
  },
  'POST /retrohunts/estimate/': {
    summary: 'What a retrohunt would have to read, how long it would take, and which rules make it slow',
    access: 'token',
    body: huntRequestSchema,
    refusals: ['not-found'],
    answers: { 200: huntEstimateSchema },
  },
  'GET /retrohunts/<id>/': {
    summary: 'One retrohunt with progress, rate and estimate',
    access: 'token',
    answers: { 200: retrohuntSchema },
  },
  'POST /retrohunts/<id>/cancel/': {
    summary: 'Ends a retrohunt; what it found stays',
    access: 'token',
    body: z.object({}),
    answers: { 200: retrohuntSchema },
  },
  'POST /retrohunts/<id>/resume/': {
    summary: 'Goes on with a retrohunt that was cancelled or failed, where it stands',
    access: 'token',
    body: z.object({}),
    answers: { 200: retrohuntSchema },
  },
  'GET /retrohunts/<id>/matches/': {
    summary: 'What a retrohunt found so far, the latest first',
    access: 'token',
    paging: 'cursor',
    answers: { 200: huntedMatchListSchema },
  },
  'GET /retrohunts/<id>/failures/': {
    summary: 'APKs that a retrohunt could not scan, the latest first',
    access: 'token',
    paging: 'cursor',
    answers: { 200: huntFailureListSchema },
  },
} satisfies Operations;
