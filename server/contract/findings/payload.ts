// What came out of an APK: apps and code that it carries, or that a run of it left. Knows nothing of how it is found.
import { type FindingsOf, info, low } from './row.ts';

export const payloadFindings = {
  'payload-app': info(
    'Brings another app along',
    'It was analysed by itself: the graver its own risk, the graver it is to bring it along.',
  ),
  'payload-part': info(
    'Is installed with a part',
    'A split APK of the same app, which was analysed by itself: what it does, the app does.',
  ),
  'payload-code': low(
    'Brings code along that needs a look',
    'It lies outside of what Android loads, or appeared when the app ran, and was analysed by itself.',
  ),
} as const satisfies FindingsOf<'payload'>;
