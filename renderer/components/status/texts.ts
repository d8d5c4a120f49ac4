// English texts of this room. Knows nothing of where they are shown.
import { jobKindNames, jobKinds } from '../../../server/contract/jobs/job-kinds.ts';
import { counted, formatCount } from '../text/counted.ts';

export const jobsTexts = {
  title: 'Jobs',
  tray: 'Running and queued',
  trayLabel: (count: number) => (count === 0 ? 'Jobs: none running' : `Jobs: ${formatCount(count)} running or queued`),
  all: 'All jobs',
  noneOf: { all: 'No job yet', active: 'Nothing is running', failed: 'No job failed' },
  noneText: 'Analyses are listed here while they are queued or running, and afterwards with their result.',
  counts: (running: number, queued: number) =>
    running + queued === 0 ? 'No jobs' : `${formatCount(running)} running · ${formatCount(queued)} queued`,
  kinds: Object.fromEntries(jobKindNames.map((kind) => [kind, jobKinds[kind].label])) as Record<string, string>,
  rate: (perMinute: number) => `${formatCount(Math.round(perMinute))} per minute`,
  left: (time: string) => `${time} left`,
  ended: 'Recently finished',
  states: { queued: 'queued', running: 'running', done: 'done', partial: 'partial', failed: 'failed' },
  cancel: 'Cancel',
  gone: 'APK deleted',
  /** What stands in the place of an APK's name, for jobs that are not about one. */
  subjects: Object.fromEntries(jobKindNames.map((kind) => [kind, jobKinds[kind].subject])) as Record<
    string,
    string | null
  >,
  choice: 'Which jobs',
  choices: { all: 'All', active: 'Running and queued', failed: 'Failed and partial' },
};

export const statusTexts = {
  detected: 'Detected',
  corrupted: 'Corrupted',
  /** What is wrong with what counts as corrupted. */
  damage: {
    unsigned: { name: 'Unsigned', text: 'No signature of any scheme: Android does not install it.' },
    signature: { name: 'Signature fails', text: 'Android versions that check this signature refuse to install it.' },
    damaged: { name: 'Damaged', text: 'The manifest or the code cannot be read.' },
  },
  failsBefore: (version: string) => `Signature fails before ${version}`,
  known: { good: 'Known good', bad: 'Known bad' },
  knownBy: {
    file: (list: string) => `The file is in the list “${list}”`,
    signer: (list: string) => `Its signer is in the list “${list}”`,
  },
  trusted: 'Trusted',
  riskLevels: { low: 'Low', elevated: 'Elevated', high: 'High', critical: 'Critical' },
  risk: (level: string) => `${level} risk`,
  installed: 'Installed on a device',
  notAnalyzed: 'Not analysed',
  partial: 'Partial report',
  partialText: 'The analysis stopped early. What it found until then is shown.',
  file: { missing: 'File missing', altered: 'File altered' },
};

export const missingReportTexts = {
  failed: 'The analysis failed',
  queued: 'Analysis queued',
  running: 'Analysis running',
  static: {
    title: 'Not analysed yet',
    text: 'A static analysis reads the manifest, the signature, the resources and the code.',
  },
  dynamic: {
    title: 'No dynamic analysis yet',
    text: 'A dynamic analysis runs the app’s own code against a model of Android and records what it does.',
  },
};

export const outdatedTexts = {
  outdated: (apks: number) =>
    `${counted(apks, 'APK was', 'APKs were')} analysed by an older version: classes, called methods, hosts and newer findings may be missing.`,
  renew: 'Analyse again',
  ownerRenews: 'The owner of the workstation can have them analysed again.',
  queued: (jobs: number) => `${counted(jobs, 'analysis is', 'analyses are')} queued; the jobs tray shows the progress.`,
};
