// Every finding that can be made: its code, its severity and what it means to the analyst. Knows nothing of how it is found.

import { analysisFindings } from './analysis.ts';
import { archiveFindings } from './archive.ts';
import { behaviourFindings } from './behaviour.ts';
import { codeFindings } from './code.ts';
import { contentFindings } from './content.ts';
import { dexFindings } from './dex.ts';
import type { Finding } from './finding.ts';
import { manifestFindings } from './manifest.ts';
import { nativeLibraryFindings } from './native-library.ts';
import { payloadFindings } from './payload.ts';
import { repackagingFindings } from './repackaging.ts';
import type { FindingRow } from './row.ts';
import { signatureFindings } from './signature.ts';
import { weaknessFindings } from './weakness.ts';
import { xmlAndResourcesFindings } from './xml-and-resources.ts';

export const findingCatalogue = {
  ...analysisFindings,
  ...archiveFindings,
  ...xmlAndResourcesFindings,
  ...dexFindings,
  ...nativeLibraryFindings,
  ...contentFindings,
  ...manifestFindings,
  ...signatureFindings,
  ...codeFindings,
  ...weaknessFindings,
  ...behaviourFindings,
  ...payloadFindings,
  ...repackagingFindings,
};

/** Whoever makes a finding names it by one of these. */
export type FindingCode = keyof typeof findingCatalogue;

/** @param severity where the case at hand is graver or lighter than others of its code */
export const findingOf = (
  code: FindingCode,
  where: string,
  evidence: string,
  severity = findingCatalogue[code].severity,
): Finding => ({ code, severity, where, evidence });

/** What a finding means. Reports of other versions hold codes that this one does not know: those read as their own words. */
export function findingText(code: string): Omit<FindingRow, 'severity'> {
  if (Object.hasOwn(findingCatalogue, code)) return findingCatalogue[code as FindingCode];
  const words = code.replaceAll('-', ' ');
  return { title: words.charAt(0).toUpperCase() + words.slice(1), description: '', cwe: [], masvs: [], attack: [] };
}
