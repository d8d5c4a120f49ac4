// What is known of an APK at a glance, as chips. Knows the record only.
import type { Apk } from '../../../server/contract/catalogue/apk.ts';
import { Chip } from '../text/chip.tsx';
import { VerdictChip } from '../verdict/verdict-chip.tsx';
import { statusTexts } from './texts.ts';

export function StatusChips({ apk }: { apk: Apk }) {
  return (
    <>
      {apk.workstation.verdict !== 'unknown' && <VerdictChip {...apk.workstation} />}
      {apk.is_detected && (
        <Chip tone="critical" icon="bug">
          {statusTexts.detected}
        </Chip>
      )}
      {apk.is_corrupted && (
        <Chip tone="medium" icon="warning">
          {statusTexts.corrupted}
        </Chip>
      )}
      {apk.is_trusted && (
        <Chip tone="good" icon="shieldCheck">
          {statusTexts.trusted}
        </Chip>
      )}
      {apk.file_state !== 'ok' && <Chip tone="high">{statusTexts.file[apk.file_state]}</Chip>}
      {!apk.is_static_analyzed && <Chip tone="quiet">{statusTexts.notAnalyzed}</Chip>}
    </>
  );
}
