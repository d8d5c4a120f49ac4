// That an APK's code came from other signers too, as the catalogue tells. Knows nothing of how it is found.
import { type FindingsOf, info, low } from './row.ts';

export const repackagingFindings = {
  'repackaging-copy': low(
    'Its code is that of an APK by another signer',
    'Repackaged apps carry the whole code of another one, often with some of their own. What this one is taken to be a copy of is known good, or came here first. Stores that sign by themselves, and builders of apps that give all customers the same code, do so too.',
  ),
  'repackaging-copied': info(
    'Another signer has the same code too',
    'The other one is taken to be the copy: it came here later, or is known bad where this one is not, or this one is known good.',
  ),
} as const satisfies FindingsOf<'repackaging'>;
