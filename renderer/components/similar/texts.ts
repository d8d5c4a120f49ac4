// English texts of this room. Knows nothing of where they are shown.
import type { SimilarityKind } from '../../../server/contract/catalogue/similar-apk.ts';
import { counted } from '../text/counted.ts';

export const similarTexts = {
  list: 'Similar APKs, the most similar first',
  picture: 'Similar APKs as a picture: near is alike',
  layout: 'How it is shown',
  layouts: { list: 'List', picture: 'Picture' },
  count: (apks: number) => counted(apks, 'similar APK', 'similar APKs'),
  compare: 'Compare with the similar APK',
  compareWith: (name: string) => `Compare with ${name}`,
  open: 'Show what it is like',
  close: 'Hide what it is like',
  compareShort: 'Compare',
  risk: 'Risk',
  none: 'The catalogue has nothing like it',
  noneText: 'APKs that share code, files or other traits with it stand here as soon as they are analysed.',
  firstSeen: (when: string) => `first seen ${when}`,
  kinds: {
    code: 'Code',
    files: 'Files',
    native: 'Native code',
    icon: 'Icon',
    tlsh: 'TLSH',
    ssdeep: 'SSDEEP',
    behaviour: 'Behaviour',
    signer: 'Signer',
    package: 'Package',
  } satisfies Record<SimilarityKind, string>,
} as const;
