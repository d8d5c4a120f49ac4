// English texts of this room. Knows nothing of where they are shown.
import { counted, formatCount } from '../../components/text/counted.ts';

export const dashboardTexts = {
  title: 'Dashboard',
  days: 'Period',
  dayChoices: { '7': '7 days', '30': '30 days', '90': '90 days' },
  totals: {
    total: 'APKs',
    detected: 'Detected',
    trusted: 'Trusted',
    static_analyzed: 'Static analyses',
    dynamic_analyzed: 'Dynamic analyses',
  },
  newest: 'Newest',
  worst: 'Riskiest without a verdict',
  severities: 'APKs by their most severe finding',
  permissions: (apks: number) => `Permissions of the newest ${counted(apks, 'APK', 'APKs')}`,
  risk: (score: number) => `risk ${score}`,
  imports: 'Added',
  detections: 'Detected',
  families: 'Families by ruleset',
  signers: 'Signers',
  queue: 'Jobs',
  storage: 'Disk usage',
  nothing: 'Nothing yet.',
  noneThen: 'None in this period',
  idle: 'No jobs are queued or running.',
  queueLine: (running: number, queued: number) => `${formatCount(running)} running, ${formatCount(queued)} queued`,
  storageLine: (apks: string, database: string) => `APKs ${apks}, records ${database}`,
  bar: (from: string, to: string, value: number, what: string) =>
    `${from === to ? from : `${from} – ${to}`}: ${formatCount(value)} ${what}`,
} as const;
