// Pages about APKs for people, over HTTP.
import type { Response } from 'express';
import type { PageFormat } from '../../contract/catalogue/apk-page.ts';
import type { Comparison } from '../../contract/engine/comparison.ts';
import type { apkPageOperations } from '../../contract/operations/apk-pages.ts';
import { comparisonPage } from '../../services/exports/comparison-page.ts';
import type { PageSubject } from '../../services/exports/group-page.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { Services } from '../../services/services.ts';
import { accepted, type Handlers } from '../operation.ts';

/** Milliseconds that a page waits for a comparison that nobody has asked for before. */
const comparisonWait = 60_000;

/** Saved, never shown as a page of this workstation. @throws Failure */
async function sendPage(
  {
    response,
    query,
    services: { printing },
  }: { response: Response; query: { format: PageFormat }; services: Services },
  page: string,
  name: string,
): Promise<null> {
  const content = query.format === 'pdf' ? await printing.pdfOf(page) : page;
  response.set('Content-Disposition', `attachment; filename="${name}_report.${query.format}"`);
  response.type(query.format === 'pdf' ? 'application/pdf' : 'text/html').send(content);
  return null;
}

interface Asked {
  search?: string | undefined;
  family?: string | undefined;
  case?: string | undefined;
}

/** @throws Failure `not-found`, `too-many-apks`; SearchFailure */
async function subjectOf(asked: Asked, account: AccountRecord, services: Services): Promise<PageSubject> {
  const { cases, families, ids, apkSelections } = services;
  if (asked.case !== undefined) {
    const about = await cases.get(ids.decode('case', asked.case));
    return { ...(await apkSelections.ofCase(about)), note: about.note, about };
  }
  if (asked.family !== undefined) {
    const family = await families.get(ids.decode('family', asked.family));
    return { ...(await apkSelections.ofFamily(family)), note: family.note, about: null };
  }
  return { ...(await apkSelections.ofSearch(asked.search ?? '', account)), note: '', about: null };
}

export const apkPageHandlers: Handlers<typeof apkPageOperations> = {
  'GET /apks/<sha256>/page/': async (call) => {
    const { params, query, account, services } = call;
    const order = { tlp: query.tlp, sections: query.sections, logo: await services.printing.logo() };
    const page = await services.apkPages.of(params.sha256, account, order);
    return sendPage(call, page, params.sha256.slice(0, 12));
  },

  'GET /apks/<sha256>/compare/<other>/page/': async (call) => {
    const { params, query, account, services } = call;
    const { comparisons, catalogue, printing } = services;
    const found = await comparisons.of(account, params.sha256, params.other, comparisonWait);
    if ('progress' in found) return accepted(found.progress);
    const comparison = JSON.parse(found.comparison.toString()) as Comparison;
    const apks = [await catalogue.get(comparison.first), await catalogue.get(comparison.second)] as const;
    const order = { tlp: query.tlp, sections: query.sections, logo: await printing.logo() };
    const page = comparisonPage(comparison, apks, order, Date.now() * 1000);
    return sendPage(call, page, `${comparison.first.slice(0, 12)}_${comparison.second.slice(0, 12)}`);
  },

  'GET /pages/': async (call) => {
    const { query, account, services } = call;
    const subject = await subjectOf(query, account, services);
    const order = { tlp: query.tlp, sections: query.sections, logo: await services.printing.logo() };
    const page = await services.groupPages.of(subject, order);
    return sendPage(call, page, query.case !== undefined ? 'case' : query.family !== undefined ? 'family' : 'search');
  },
};
