// English texts of this room. Knows nothing of where they are shown.

export const feedsTexts = {
  title: 'Feeds',
  kind: 'Content',
  kinds: { apks: 'New APKs', analyses: 'Detections', detected: 'Detected APKs' },
  interval: 'Interval',
  intervals: { '5-minutes': '5 minutes', '1-hour': '1 hour' },
  begins: 'From',
  packageName: 'Package',
  download: 'Download',
  downloadLabel: (name: string) => `Download the package ${name}`,
  none: 'No packages yet',
  noneText: 'While the workstation runs, a package is made every 5 minutes and every hour, and kept for 7 days.',
  forbidden:
    'The feed tells other programs of new and detected APKs. It is for accounts of the groups gold (the highest level) and workstation; the owner changes groups under Administration → Accounts.',
} as const;
