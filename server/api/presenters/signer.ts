// Signers in their current shape.
import type { Signer } from '../../contract/catalogue/signer.ts';
import type { CountedSigner } from '../../services/catalogue/signers.ts';

export const presentSigner = ({ sha256, sha1, company, isTrusted, isBad, apks }: CountedSigner): Signer => ({
  sha256,
  sha1,
  company,
  is_trusted: isTrusted,
  is_bad: isBad,
  apks_count: apks,
  search: `cert:${sha256}`,
});
