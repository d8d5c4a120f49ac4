// The workstation's settings and its table of limits over HTTP, for the owner alone.
import { limitChangesSchema, limitTableSchema, settingChangesSchema, settingsSchema } from '../../contract/settings.ts';
import { Failure } from '../../services/failure.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import { isAllowed } from '../../services/policies.ts';
import { ok, operation, type Resource } from '../operation.ts';

function check(account: AccountRecord): void {
  if (!isAllowed(account, 'settings.manage')) throw new Failure('not-allowed');
}

const showSettings = operation(
  { summary: 'The settings of the workstation (owner)', access: 'token', answers: { 200: settingsSchema } },
  async ({ account, services: { settings } }) => {
    check(account);
    return ok(await settings.all());
  },
);

const changeSettings = operation(
  {
    summary: 'Changes the settings that are given; null brings one back to its default (owner)',
    access: 'token',
    bodySchema: settingChangesSchema,
    answers: { 200: settingsSchema },
  },
  async ({ account, body, services: { settings } }) => {
    check(account);
    await settings.change(body);
    return ok(await settings.all(), { subject: Object.keys(body).join(' ') });
  },
);

const showLimits = operation(
  { summary: 'The limits of every API group (owner)', access: 'token', answers: { 200: limitTableSchema } },
  async ({ account, services: { limits } }) => {
    check(account);
    return ok(await limits.table());
  },
);

const changeLimits = operation(
  {
    summary: 'Changes the limits that are given, from the next request on (owner)',
    access: 'token',
    bodySchema: limitChangesSchema,
    answers: { 200: limitTableSchema },
  },
  async ({ account, body, services: { limits } }) => {
    check(account);
    await limits.changeTable(body);
    const changed = Object.entries(body).flatMap(([group, names]) =>
      Object.entries(names ?? {}).map(([name, limit]) => `${group} ${name}=${limit}`),
    );
    return ok(await limits.table(), { subject: changed.join(', ') });
  },
);

export const settingsResources: Resource[] = [
  { path: '/settings', operations: { get: showSettings, put: changeSettings, patch: changeSettings } },
  { path: '/limits', operations: { get: showLimits, put: changeLimits, patch: changeLimits } },
];
