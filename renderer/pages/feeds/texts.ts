// English texts of this room. Knows nothing of where they are shown.

export const feedsTexts = {
  title: 'Feeds',
  kind: 'Content',
  kinds: { apks: 'New APKs', analyses: 'Detections', detected: 'Detected APKs' },
  interval: 'Interval',
  intervals: { '5-minutes': '5 minutes', '1-hour': '1 hour' },
  begins: 'Begins',
  packageName: 'Package',
  download: 'Download',
  downloadLabel: (name: string) => `Download the package ${name}`,
  none: 'No packages yet',
  noneText: 'A package is made every 5 minutes and every hour while the workstation runs, and kept for 7 days.',
  forbidden: 'The feed is open to the groups gold and workstation.',
} as const;
