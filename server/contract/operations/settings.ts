// The workstation's settings and its table of limits over HTTP, for the owner alone.
import { limitChangesSchema, limitTableSchema, settingChangesSchema, settingsSchema } from '../workstation/settings.ts';
import type { Operations } from './operation.ts';

export const settingsOperations = {
  'GET /settings/': {
    summary: 'The settings of the workstation (owner)',
    access: 'token',
    policy: 'settings.manage',
    answers: { 200: settingsSchema },
  },
  'PUT|PATCH /settings/': {
    summary: 'Changes the settings that are given; null brings one back to its default (owner)',
    access: 'token',
    policy: 'settings.manage',
    body: settingChangesSchema,
    answers: { 200: settingsSchema },
  },
  'GET /limits/': {
    summary: 'The limits of every API group (owner)',
    access: 'token',
    policy: 'settings.manage',
    answers: { 200: limitTableSchema },
  },
  'PUT|PATCH /limits/': {
    summary: 'Changes the limits that are given, from the next request on (owner)',
    access: 'token',
    policy: 'settings.manage',
    body: limitChangesSchema,
    answers: { 200: limitTableSchema },
  },
} satisfies Operations;
