// English texts of this room. Knows nothing of where they are shown.
import { formatCount } from '../../components/text/counted.ts';

export const dashboardTexts = {
  title: 'Dashboard',
  days: 'How far back',
  dayChoices: { 7: '7 days', 30: '30 days', 90: '90 days' },
  totals: {
    total: 'APKs',
    detected: 'Detected',
    trusted: 'Trusted',
    corrupted: 'Corrupted',
    static_analyzed: 'Analysed statically',
    dynamic_analyzed: 'Analysed dynamically',
  },
  imports: 'Came in',
  detections: 'Detected',
  families: 'Families by ruleset',
  signers: 'Signers',
  queue: 'Under way',
  storage: 'On the disk',
  nothing: 'Nothing yet.',
  noneThen: 'None in these days',
  idle: 'No job is queued or running.',
  queueLine: (running: number, queued: number) => `${formatCount(running)} running, ${formatCount(queued)} waiting`,
  storageLine: (apks: string, database: string) => `APKs ${apks}, records ${database}`,
  bar: (from: string, to: string, value: number, what: string) =>
    `${from === to ? from : `${from} – ${to}`}: ${formatCount(value)} ${what}`,
} as const;
