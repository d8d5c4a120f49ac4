// What it means for an APK that its code came from other signers too: which of both is taken for the copy. Pure; knows no store.
import type { Known } from '../../contract/catalogue/known.ts';
import type { Finding, Severity } from '../../contract/findings/finding.ts';
import { findingOf } from '../../contract/findings/finding-catalogue.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { Repackaging } from '../../store/repositories/repackaging-repository.ts';

const maxEvidence = 1000;

/** What is said of an APK, in words; null: nothing. */
interface Standing {
  isGood: boolean;
  words: string;
}

/** Bad by one word is bad, whoever calls it good. */
function standingOf({ known, verdict }: Pick<ApkRecord, 'known' | 'verdict'>): Standing | null {
  const listed = (kind: Known['kind']) => known.find((one) => one.kind === kind);
  const bad = listed('bad');
  if (bad !== undefined) return { isGood: false, words: `known bad by the list "${bad.list}"` };
  if (verdict === 'malicious') return { isGood: false, words: 'judged malicious' };
  const good = listed('good');
  if (good !== undefined) return { isGood: true, words: `known good by the list "${good.list}"` };
  return verdict === 'clean' ? { isGood: true, words: 'judged clean' } : null;
}

const rank = (standing: Standing | null): number => (standing === null ? 1 : standing.isGood ? 2 : 0);
const dayOf = (microseconds: number): string => new Date(microseconds / 1000).toISOString().slice(0, 10);

function severityOfCopy(apk: ApkRecord, other: ApkRecord, standing: Standing | null): Severity {
  if (standing?.isGood === true) return 'high';
  return apk.packageName !== '' && apk.packageName === other.packageName ? 'medium' : 'low';
}

/** One for each of the others. @property other an APK by another signer */
export function repackagingFindings(
  apk: ApkRecord,
  found: readonly (Omit<Repackaging, 'otherId'> & { other: ApkRecord })[],
): Finding[] {
  const own = standingOf(apk);
  return found.map(({ other, shared, methods }) => {
    const standing = standingOf(other);
    const isCopy = rank(own) === rank(standing) ? apk.id > other.id : rank(own) < rank(standing);
    // Of two that are known good none is a copy that matters.
    const isHarmless = own?.isGood === true;
    const came = `came here ${other.id < apk.id ? 'before' : 'after'} this one, on ${dayOf(other.createdAt)}`;
    const name = [other.app || other.packageName, other.version].filter((part) => part !== '').join(' ');
    const words = [
      `${name} (${other.packageName}), signed by ${other.company || 'somebody without a name'}`,
      `${shared} of ${methods} own methods are the same`,
      ...(standing === null ? [came] : [standing.words, came]),
    ];
    const evidence = words.join('; ').slice(0, maxEvidence);
    return isCopy && !isHarmless
      ? findingOf('repackaging-copy', `apk:${other.sha256}`, evidence, severityOfCopy(apk, other, standing))
      : findingOf('repackaging-copied', `apk:${other.sha256}`, evidence);
  });
}
