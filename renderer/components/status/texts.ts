// English texts of this room. Knows nothing of where they are shown.
import { jobKindNames, jobKinds } from '../../../server/contract/job-kinds.ts';
import { formatCount } from '../text/counted.ts';

export const jobsTexts = {
  title: 'Jobs',
  tray: 'Running and waiting',
  trayLabel: (count: number) => (count === 0 ? 'Jobs: none running' : `Jobs: ${count} running or waiting`),
  all: 'All jobs',
  noneOf: { all: 'No job yet', active: 'Nothing is running', failed: 'No job failed' },
  noneText: 'Analyses appear here while they wait and run, and stay with their result.',
  counts: (running: number, queued: number) =>
    running + queued === 0 ? 'No jobs' : `${running} running · ${formatCount(queued)} waiting`,
  kinds: Object.fromEntries(jobKindNames.map((kind) => [kind, jobKinds[kind].label])) as Record<string, string>,
  rate: (perMinute: number) => `${Math.round(perMinute)} a minute`,
  left: (time: string) => `${time} left`,
  ended: 'Ended lately',
  states: { queued: 'waiting', running: 'running', done: 'done', partial: 'partial', failed: 'failed' },
  cancel: 'Cancel',
  gone: 'APK no longer held',
  /** What jobs work for that are about no single APK. */
  subjects: Object.fromEntries(jobKindNames.map((kind) => [kind, jobKinds[kind].subject])) as Record<
    string,
    string | null
  >,
  choice: 'Which jobs',
  choices: { all: 'All', active: 'Running and waiting', failed: 'Failed and partial' },
};

export const verdictsTexts = {
  detected: 'Detected',
  corrupted: 'Corrupted',
  trusted: 'Trusted',
  installed: 'On a device',
  notAnalyzed: 'Not analysed',
  partial: 'Partial report',
  partialText: 'The analysis did not reach its end; what it found until then is shown.',
  file: { missing: 'File missing', altered: 'File altered' },
};

export const missingReportTexts = {
  failed: 'The analysis failed',
  queued: 'Waiting to be analysed',
  running: 'The analysis is running',
  static: {
    title: 'Not analysed yet',
    text: 'A static analysis reads the manifest, the signature, the resources and the code.',
  },
  dynamic: {
    title: 'No dynamic analysis yet',
    text: 'It runs the app’s own code against a model of Android and notes what it does.',
  },
};
