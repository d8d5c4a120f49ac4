// The workstation's settings and its table of limits over HTTP, for the owner alone.
import type { settingsOperations } from '../../contract/operations/settings.ts';
import { type Handlers, ok } from '../operation.ts';
import { presentSettings } from '../presenters/settings.ts';

export const settingsHandlers: Handlers<typeof settingsOperations> = {
  'GET /settings/': async ({ services: { settings } }) => {
    return ok(presentSettings(await settings.all()));
  },

  'PUT|PATCH /settings/': async ({ body, services: { settings } }) => {
    await settings.change(body);
    return ok(presentSettings(await settings.all()), { subject: Object.keys(body).join(' ') });
  },

  'GET /limits/': async ({ services: { limits } }) => {
    return ok(await limits.table());
  },

  'PUT|PATCH /limits/': async ({ body, services: { limits } }) => {
    await limits.changeTable(body);
    const changed = Object.entries(body).flatMap(([group, names]) =>
      Object.entries(names ?? {}).map(([name, limit]) => `${group} ${name}=${limit}`),
    );
    return ok(await limits.table(), { subject: changed.join(', ') });
  },
};
