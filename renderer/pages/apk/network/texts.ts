// English texts of this room. Knows nothing of where they are shown.
import { counted } from '../../../components/text/counted.ts';

export const networkTexts = {
  apk: (verdict: string) => `APK, verdict: ${verdict.toLowerCase()}`,
  middle: 'this APK',
  verdicts: 'Verdicts:',
  leftOut: (count: number) => `${counted(count, 'more is', 'more are')} left out of the picture.`,
  shown: (count: number) => `${counted(count, 'APK', 'APKs')} in the picture`,
  openPage: 'Open its page (o)',
  compare: 'Compare with this APK (c)',
  open: 'Show what it is like',
  close: 'Hide what it is like',
  firstSeen: 'First seen',
  version: 'Version',
  risk: 'Risk',
  signer: 'Signer',
} as const;
