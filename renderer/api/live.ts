// Applies the events of `/events/` to the cached answers. Knows neither the connection nor the pages.
import type { InfiniteData } from '@tanstack/react-query';
import type { Apk, ApkDetail } from '../../server/contract/catalogue/apk.ts';
import type { Job } from '../../server/contract/jobs/job.ts';
import type { Page } from '../../server/contract/list.ts';
import type { WorkstationEvent } from '../../server/contract/people/event.ts';
import { useThroughput } from '../state/throughput.ts';
import { codeChanged } from './code-name-queries.ts';
import { contentSearchChanged } from './content-queries.ts';
import { dismissalsKey } from './dismissal-queries.ts';
import type { ServerSentEvent } from './event-stream.ts';
import { familiesKey } from './family-queries.ts';
import { proposalKey } from './proposal-queries.ts';
import { type JobFilter, keys, riskKey } from './queries.ts';
import { askAnew, queryClient } from './query-client.ts';
import { applyHunt } from './ruleset-queries.ts';

/** An import of thousands brings hundreds of events a second: they are applied together, this often (milliseconds). */
const batchInterval = 200;
/** The catalogue's head is asked for again at most this often (milliseconds). */
const headInterval = 2000;
/** A live list keeps this many; the jobs page holds the rest. */
const maxLiveJobs = 200;

const jobs = new Map<string, Job>();
const apks = new Map<string, Apk>();
let isBatchDue = false;
let headState: 'idle' | 'pausing' | 'changed' = 'idle';

const isActive = (job: Job) => job.status === 'queued' || job.status === 'running';

const matches = (filter: JobFilter, job: Job) =>
  (filter.apk === undefined || job.apk?.sha256 === filter.apk) && (filter.status === undefined || isActive(job));

/** Replaces, adds and removes jobs in a list, newest first. */
function mergeJobs(page: Page<Job>, filter: JobFilter, changes: ReadonlyMap<string, Job>): Page<Job> {
  const seen = new Set<string>();
  let { count } = page;
  const results: Job[] = [];
  for (const job of page.results) {
    const changed = changes.get(job.id) ?? job;
    seen.add(job.id);
    if (matches(filter, changed)) results.push(changed);
    else count -= 1;
  }
  const added = [...changes.values()].filter((job) => !seen.has(job.id) && matches(filter, job));
  const surelyNew = added.filter((job) => job.status === 'queued').length;
  return {
    ...page,
    count: Math.max(count + surelyNew, results.length + (page.results.length < page.count ? 0 : added.length)),
    results: [...added.reverse(), ...results].slice(0, maxLiveJobs),
  };
}

function applyJobs(changes: ReadonlyMap<string, Job>): void {
  const ended = [...changes.values()].filter((job) => !isActive(job));
  if (ended.length > 0) useThroughput.getState().note(ended);
  for (const [key, page] of queryClient.getQueriesData<Page<Job>>({ queryKey: ['jobs'] })) {
    if (page === undefined) continue;
    const merged = mergeJobs(page, key[1] as JobFilter, changes);
    queryClient.setQueryData(key, merged);
    // The list holds the newest only: what is left of a long queue has to be asked for.
    if (merged.results.length === 0 && merged.count > 0) void askAnew(key);
  }
  queryClient.setQueryData<InfiniteData<Page<Job>>>(keys.jobHistory, (history) => {
    if (history === undefined) return history;
    const known = new Set(history.pages.flatMap(({ results }) => results.map(({ id }) => id)));
    const added = [...changes.values()].filter(({ id }) => !known.has(id)).reverse();
    return {
      ...history,
      pages: history.pages.map((page, index) => ({
        ...page,
        count: page.count + added.length,
        results: [...(index === 0 ? added : []), ...page.results.map((job) => changes.get(job.id) ?? job)],
      })),
    };
  });
  for (const job of changes.values()) {
    if (isActive(job) || job.apk === null) continue;
    const { sha256 } = job.apk;
    void askAnew(keys.report(sha256), keys.manifest(sha256), keys.files(sha256), keys.apk(sha256));
  }
}

function applyApks(changes: ReadonlyMap<string, Apk>): void {
  for (const apk of changes.values()) {
    queryClient.setQueryData<ApkDetail>(keys.apk(apk.sha256), (known) =>
      known === undefined ? known : { ...known, ...apk },
    );
  }
  for (const prefix of ['catalogue-head', 'catalogue-page']) {
    for (const [key, page] of queryClient.getQueriesData<Page<Apk>>({ queryKey: [prefix] })) {
      if (page === undefined || !page.results.some(({ sha256 }) => changes.has(sha256))) continue;
      queryClient.setQueryData(key, {
        ...page,
        results: page.results.map((apk) => changes.get(apk.sha256) ?? apk),
      });
    }
  }
}

function scheduleBatch(): void {
  if (isBatchDue) return;
  isBatchDue = true;
  setTimeout(() => {
    isBatchDue = false;
    const changedJobs = new Map(jobs);
    const changedApks = new Map(apks);
    jobs.clear();
    apks.clear();
    if (changedApks.size > 0) applyApks(changedApks);
    if (changedJobs.size > 0) applyJobs(changedJobs);
  }, batchInterval);
}

/** Asks for the catalogue's head now, and once more after the pause where it changed again meanwhile. */
function headChanged(): void {
  if (headState !== 'idle') {
    headState = 'changed';
    return;
  }
  headState = 'pausing';
  void askAnew(['catalogue-head']);
  setTimeout(() => {
    const hasChanged = headState === 'changed';
    headState = 'idle';
    if (hasChanged) headChanged();
  }, headInterval);
}

let hasConnected = false;

/** Applies one event; unknown names, as of a newer server, are ignored. */
export function applyEvent(event: ServerSentEvent): void {
  const { name, data } = { name: event.type, data: JSON.parse(event.data) } as WorkstationEvent;
  switch (name) {
    case 'hello':
      // Events missed while disconnected are not sent again: everything that is shown is fetched anew.
      if (hasConnected) void queryClient.invalidateQueries();
      hasConnected = true;
      break;
    case 'job':
      jobs.set(data.id, data);
      // Dry runs and proposed rules have no events of their own: they follow those of their jobs.
      if (data.finished_at !== null) void askAnew(['figures']);
      if (data.kind === 'dry_run') void askAnew(['dry-run']);
      if (data.kind === 'rule_proposal') void askAnew(proposalKey);
      scheduleBatch();
      break;
    case 'retrohunt':
      applyHunt(data);
      break;
    case 'content_search':
      void contentSearchChanged(data);
      break;
    case 'notification':
      void askAnew(['notifications'], ['notifications-unread']);
      break;
    case 'apk_created':
      headChanged();
      break;
    case 'apk_updated':
      apks.set(data.sha256, data);
      scheduleBatch();
      void askAnew([...riskKey, data.sha256]);
      break;
    case 'dismissals_changed':
      void askAnew(dismissalsKey);
      void askAnew(riskKey);
      break;
    case 'family_changed':
      void askAnew(familiesKey);
      break;
    case 'code_names_changed':
      void codeChanged(data.sha256);
      break;
    case 'apk_deleted':
      queryClient.removeQueries({ queryKey: keys.report(data.sha256) });
      void askAnew(keys.apk(data.sha256));
      headChanged();
      break;
  }
}
