// What an address without a resource answers, and the state of the server.
import type { entranceOperations } from '../../contract/operations/entrance.ts';
import { type Handlers, ok } from '../operation.ts';
import { presentHealth } from '../presenters/health.ts';

export const entranceHandlers: Handlers<typeof entranceOperations> = {
  'GET /': ({ request, response, presenting: { baseUrl } }) => {
    response.set('Vary', 'Accept');
    if (request.headers.accept?.includes('text/html')) {
      response.redirect(302, '/app/');
      return null;
    }
    const names = [
      'apks',
      'jobs',
      'rulesets',
      'notifications',
      'feed',
      'account',
      'analysts',
      'events',
      'health',
      'app',
    ];
    const addresses = Object.fromEntries(names.map((name) => [name, `${baseUrl}/${name}/`]));
    return ok({ ...addresses, openapi: `${baseUrl}/openapi.json`, docs: `${baseUrl}/docs/` });
  },

  'GET /health/': async ({ account, services }) => {
    const state = await services.health.state();
    // Guests do not see the length of the queue: where it grows with an upload, the APK was new.
    const isTold = account !== null || state.database !== 'ok' || (await services.intake.tellsAnybody());
    const shown = presentHealth(state, services.sharing.servingAuthority, isTold);
    return { status: state.database === 'ok' ? 200 : 503, body: shown };
  },
};
