// English texts of this room. Knows nothing of where they are shown.
import { counted, formatCount } from '../text/counted.ts';

export const queueTexts = {
  start: 'Triage',
  startHint: 'Opens APKs without a verdict, the riskiest first; a verdict opens the next one (q)',
  label: 'Queue',
  left: (value: number) => `${formatCount(value)} left to review`,
  judge: 'Verdict:',
  next: 'Skip',
  nextHint: 'Next without a verdict (n)',
  skip: 'Next in the queue without a verdict',
  leave: 'Leave the queue',
  leaveHint: 'Back to the catalogue (Esc)',
  through: 'Every APK here has a verdict.',
  passed: (value: number) => `The queue is finished; ${counted(value, 'APK was', 'APKs were')} left without a verdict.`,
} as const;
