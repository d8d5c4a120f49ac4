// What the program is made of, over HTTP, for everybody who is signed in.
import type { aboutOperations } from '../../contract/operations/about.ts';
import { billOfMaterials, shippedPackages, thirdPartyNotices } from '../../services/papers.ts';
import { type Handlers, ok } from '../operation.ts';

export const aboutHandlers: Handlers<typeof aboutOperations> = {
  'GET /about/': async ({ presenting: { baseUrl }, services: { version } }) =>
    ok({
      version,
      packages: await shippedPackages(),
      notices_url: `${baseUrl}/about/notices/`,
      bill_of_materials_url: `${baseUrl}/about/bill_of_materials/`,
    }),

  'GET /about/notices/': async ({ response }) => {
    response.type('text/plain').send(await thirdPartyNotices());
    return null;
  },

  'GET /about/bill_of_materials/': async ({ response }) => {
    response
      .attachment('apk-workstation.cdx.json')
      .type('application/vnd.cyclonedx+json')
      .send(await billOfMaterials());
    return null;
  },
};
