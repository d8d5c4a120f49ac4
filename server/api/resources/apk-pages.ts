// Pages about APKs for people, over HTTP.
import type { apkPageOperations } from '../../contract/operations/apk-pages.ts';
import type { Handlers } from '../operation.ts';

export const apkPageHandlers: Handlers<typeof apkPageOperations> = {
  'GET /apks/<sha256>/page/': async ({ params, query, response, account, services: { apkPages } }) => {
    const { tlp, sections } = query;
    const page = await apkPages.of(params.sha256, account, { tlp, sections });
    // Saved, never shown as a page of this workstation.
    response.set('Content-Disposition', `attachment; filename="${params.sha256.slice(0, 12)}_report.html"`);
    response.type('text/html').send(page);
    return null;
  },
};
