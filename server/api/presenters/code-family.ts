// A family of APKs as other records mention it.
import type { ApkDetail } from '../../contract/catalogue/apk.ts';
import type { FamilyRecord } from '../../services/families/families.ts';
import type { Presenting } from './presenting.ts';

export const presentFamilyReference = ({ baseUrl, ids }: Presenting, { id, title }: FamilyRecord) => {
  const publicId = ids.encode('family', id);
  return { id: publicId, url: `${baseUrl}/families/${publicId}/`, name: title };
};

/** The family of an APK, as the APK's own answer names it. */
export const presentCodeFamily = (presenting: Presenting, family: FamilyRecord | null): ApkDetail['code_family'] =>
  family === null
    ? null
    : { ...presentFamilyReference(presenting, family), is_confirmed: family.isConfirmed, apks_count: family.members };
