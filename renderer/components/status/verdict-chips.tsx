// What is known of an APK at a glance, as chips. Knows the record only.
import type { Apk } from '../../../server/contract/catalogue/apk.ts';
import { Chip } from '../text/chip.tsx';
import { verdictsTexts } from './texts.ts';

export function VerdictChips({ apk }: { apk: Apk }) {
  return (
    <>
      {apk.is_detected && (
        <Chip tone="critical" icon="bug">
          {verdictsTexts.detected}
        </Chip>
      )}
      {apk.is_corrupted && (
        <Chip tone="medium" icon="warning">
          {verdictsTexts.corrupted}
        </Chip>
      )}
      {apk.is_trusted && (
        <Chip tone="good" icon="shieldCheck">
          {verdictsTexts.trusted}
        </Chip>
      )}
      {apk.file_state !== 'ok' && <Chip tone="high">{verdictsTexts.file[apk.file_state]}</Chip>}
      {!apk.is_static_analyzed && <Chip tone="quiet">{verdictsTexts.notAnalyzed}</Chip>}
    </>
  );
}
