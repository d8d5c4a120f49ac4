// Jobs over HTTP: the queue as an analyst sees it, and cancelling.
import type { jobOperations } from '../../contract/operations/jobs.ts';
import type { JobListRequest, JobRecord } from '../../services/analyses/analyses.ts';
import { Failure } from '../../services/failure.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { type Handlers, ok } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentJob } from '../presenters/job.ts';

/** The queue's states behind each state of the interface. */
const statusesOf = {
  active: ['queued', 'running'],
  queued: ['queued'],
  running: ['running'],
  done: ['done'],
  partial: ['partial'],
  failed: ['failed', 'cancelled'],
} as const satisfies Record<string, NonNullable<JobListRequest['statuses']>>;

async function find({ analyses, ids }: Services, account: AccountRecord, id: string): Promise<JobRecord> {
  const number = ids.decode('job', id);
  if (number === null) throw new Failure('not-found');
  return analyses.job(account, number);
}

async function apkOf({ catalogue }: Services, { apkId }: JobRecord) {
  return apkId === null ? null : ((await catalogue.findByIds([apkId])).get(apkId) ?? null);
}

export const jobHandlers: Handlers<typeof jobOperations> = {
  'GET /jobs/': async ({ request, query, account, presenting, services: { analyses, catalogue, ids } }) => {
    const asked = pageRequestOf(queryOf(request), ids);
    const apkId = query.apk === undefined ? undefined : (await catalogue.get(query.apk)).id;
    const statuses = query.status === undefined ? undefined : statusesOf[query.status];
    const found = await analyses.jobs(account, { ...asked, apkId, statuses });
    const page = { ...found, count: await analyses.countJobs(account, { apkId, statuses }) };
    const apks = await catalogue.findByIds(page.items.flatMap((job) => (job.apkId === null ? [] : [job.apkId])));
    return ok(
      cursorPage(request, asked, ids, page, (job) => presentJob(presenting, job, apks.get(job.apkId ?? 0) ?? null)),
    );
  },

  'GET /jobs/<id>/': async ({ params, account, presenting, services }) => {
    const job = await find(services, account, params.id);
    return ok(presentJob(presenting, job, await apkOf(services, job)));
  },

  'POST /jobs/<id>/cancel/': async ({ params, account, presenting, services }) => {
    const { id } = await find(services, account, params.id);
    const job = await services.analyses.cancel(account, id);
    return ok(presentJob(presenting, job, await apkOf(services, job)));
  },
};
