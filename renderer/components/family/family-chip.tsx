// The family of an APK as a link to its page, and a key that judges all of it. Knows the record only.
import { useState } from 'react';
import { Link } from 'react-router';
import type { ApkDetail } from '../../../server/contract/catalogue/apk.ts';
import type { Verdict } from '../../../server/contract/catalogue/verdict.ts';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { useTriageQueue } from '../../state/triage-queue.ts';
import { texts } from '../../texts.ts';
import { Chip } from '../text/chip.tsx';
import { HostileText } from '../text/hostile-text.tsx';
import { JudgeFamily } from './judge-family.tsx';
import { familyTexts as words } from './texts.ts';

export function FamilyChip({ apk }: { apk: ApkDetail }) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  // One that lost its other members is none, unless people said that it is.
  const isShown = apk.code_family !== null && (apk.code_family.apks_count > 1 || apk.code_family.is_confirmed);
  const family = isShown ? apk.code_family : null;
  const standing = apk.workstation.verdict;
  useShortcut(texts.shortcuts.apk.group, ['A'], words.judgeKey, () => {
    if (family !== null) setVerdict(standing === 'unknown' ? 'malicious' : standing);
  });
  if (family === null) return null;
  return (
    <>
      <Link to={`/families/${family.id}`} data-testid="family-chip">
        <Chip tone="info" icon="families" title={words.chipText(family.apks_count)}>
          <HostileText value={words.chip(family.name)} max={60} isFixed /> · {family.apks_count}
        </Chip>
      </Link>
      <JudgeFamily
        family={family}
        verdict={verdict}
        onClose={() => setVerdict(null)}
        onJudged={() => useTriageQueue.getState().noteJudged(apk.sha256)}
      />
    </>
  );
}
