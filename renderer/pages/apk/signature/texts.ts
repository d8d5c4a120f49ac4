// English texts of this room. Knows nothing of where they are shown.
import type { AndroguardReport } from '../../../../server/contract/engine/reports.ts';
import { counted } from '../../../components/text/counted.ts';

export const signatureTexts = {
  verified: 'Valid signature',
  notVerified: 'Invalid signature',
  unsigned: 'Not signed',
  since: (level: number) => `as Android verifies it from SDK ${level} on`,
  columns: ['Scheme', 'Result', 'Algorithms', 'Signers', 'Messages'],
  absent: 'not present',
  unchecked: 'not checked',
  verifies: 'valid',
  fails: 'invalid',
  messages: (count: number) => counted(count, 'message', 'messages'),
  moreMessages: (count: number) => counted(count, 'more message', 'more messages'),
  noCertificate: 'No certificate could be read.',
  unverifiedCertificate: 'Certificate (not verified)',
  judgement: 'What is known of this signer',
  judgements: { good: 'Known good publisher', bad: 'Known bad signer', none: 'Neither' },
  signer: (number: number, count: number) => (count === 1 ? 'Signer' : `Signer ${number} of ${count}`),
  chain: (index: number) => `Certificate ${index + 1} of the chain`,
  lineage: 'Lineage, oldest first',
  generation: (number: number) => `Key ${number}`,
  subject: 'Subject',
  issuer: 'Issuer',
  selfSigned: 'self-signed',
  valid: 'Valid',
  key: 'Key',
  serial: 'Serial number',
  keySha256: 'Key SHA-256',
  stamp: 'Source stamp',
  block: 'APK signing block',
  unknownPair: 'unknown',
};

/** What Android says of an APK's signature, in a word or two. */
export const signatureVerdict = ({ verified, schemes }: AndroguardReport['signature']) =>
  verified
    ? signatureTexts.verified
    : schemes.some(({ present }) => present)
      ? signatureTexts.notVerified
      : signatureTexts.unsigned;
