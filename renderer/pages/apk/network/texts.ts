// English texts of this room. Knows nothing of where they are shown.
import type { PivotField } from '../../../../server/contract/catalogue/pivot.ts';
import { counted } from '../../../components/text/counted.ts';

export const networkTexts = {
  apk: (verdict: string) => `APK, verdict: ${verdict.toLowerCase()}`,
  middle: 'this APK',
  having: (count: number) => counted(count, 'APK', 'APKs'),
  fields: {
    family: 'Family',
    signer: 'Signer',
    cert: 'Certificate',
    domain: 'Host',
    ip: 'Address',
    payload: 'Payload',
    icon: 'Icon',
  } satisfies Record<PivotField, string>,
  connections: 'Connections as a picture: what the APK has, and who else has it',
  openTrait: 'Show who has it',
  closeTrait: 'Hide who has it',
  openApk: 'Show what it has',
  closeApk: 'Hide what it has',
  verdicts: 'Verdicts:',
  leftOut: (count: number) => `${counted(count, 'more is', 'more are')} left out of the picture.`,
  shown: (count: number) => `${counted(count, 'node', 'nodes')} in the picture.`,
  openPage: 'Open its page (o)',
  compare: 'Compare with this APK (c)',
  firstSeen: 'First seen',
  version: 'Version',
  risk: 'Risk',
  signer: 'Signer',
} as const;
