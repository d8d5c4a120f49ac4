// How an app is signed. Knows nothing of how it is found.
import { type FindingsOf, high, info, low, medium } from './row.ts';

export const signatureFindings = {
  'signature-missing': high('The app is not signed', 'Android does not install it.'),
  'signature-fails': high(
    'The signature does not verify',
    'The app was changed after it was signed, or signed wrongly; Android does not install it.',
  ),
  'signature-fails-before': medium(
    'Older Android versions refuse the signature',
    'The app says that it runs on them. Newer versions verify another scheme and install it.',
  ),
  'signature-v1-only': low(
    'Signed with the oldest scheme only',
    'JAR signing covers single files, not the archive. Android 11 and later refuse it for apps that target them.',
    'CWE-347 MASVS-RESILIENCE-2',
  ),
  'signature-debug-certificate': low(
    'Signed with a debug certificate',
    "Made by a developer's tools; not accepted by stores.",
    'CWE-489 MASVS-RESILIENCE-2',
  ),
  'signature-public-key': medium(
    'Signed with a publicly known key',
    'Anyone can sign an update of this app. Repackaged malware often uses such a key.',
    'CWE-321 MASVS-RESILIENCE-2',
  ),
  'signature-rotated': info(
    "The signer's key was rotated",
    'The lineage proves that each key followed the one before.',
  ),
  'signature-block-data': low(
    'The signing block holds unknown data',
    'No signature covers it, so it can be changed without signing again: a hiding place for settings or code.',
  ),
  'signature-weak-key': info(
    "The signer's key is short",
    '1024 bits are not considered safe any more.',
    'CWE-326 MASVS-RESILIENCE-2',
  ),
  'signature-weak-algorithm': low(
    'The certificate uses an old hash',
    "Android does not check a certificate's own signature.",
  ),
  'signature-expired': info('The certificate has expired', 'Android does not look at the dates.'),
} satisfies FindingsOf<'signature'>;
