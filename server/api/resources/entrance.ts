// What the server says about itself over HTTP: the entrance, its health.
import { z } from 'zod';
import { healthSchema } from '../../contract/health.ts';
import { ok, operation, type Resource } from '../operation.ts';
import { timestamp, timestampOrNull } from '../presenters/presenting.ts';

const entrance = operation(
  {
    summary: 'The addresses of the interface; a browser goes to the user interface',
    access: 'anybody',
    answers: { 200: z.record(z.string(), z.string()), 302: null },
  },
  ({ request, response, presenting: { baseUrl } }) => {
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
);

const health = operation(
  {
    summary: 'Version, database, disk, queue, workers',
    access: 'lenient',
    answers: { 200: healthSchema, 503: healthSchema },
  },
  async ({ account, services }) => {
    const { jobs, ...state } = await services.health();
    // A queue that grows with an upload tells that it was new.
    const shown = account !== null || state.database !== 'ok' || (await services.intake.tellsAnybody()) ? { jobs } : {};
    const serving = services.sharing.servingAuthority;
    const authority =
      serving === null
        ? null
        : {
            fingerprint: serving.fingerprint,
            expires_at: timestamp(serving.expires * 1000),
            former_expires_at: timestampOrNull(serving.former === null ? null : serving.former.expires * 1000),
          };
    return { status: state.database === 'ok' ? 200 : 503, body: { ...state, ...shown, authority } };
  },
);

export const entranceResources: Resource[] = [
  { path: '/', operations: { get: entrance } },
  { path: '/health', operations: { get: health } },
];
