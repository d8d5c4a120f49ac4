// What is known of an APK at a glance, as chips. Knows the record only.
import type { Apk } from '../../../server/contract/catalogue/apk.ts';
import type { Damage } from '../../../server/contract/catalogue/damage.ts';
import { Chip } from '../text/chip.tsx';
import { VerdictChip } from '../verdict/verdict-chip.tsx';
import { KnownChips } from './known-chips.tsx';
import { statusTexts } from './texts.ts';

/** @param failsBefore the Android version that is the first to accept the signature, where one does */
function DamageChip({ damage, failsBefore }: { damage: Damage | null; failsBefore: string | undefined }) {
  const { name, text } = damage === null ? { name: statusTexts.corrupted, text: '' } : statusTexts.damage[damage];
  return (
    <Chip tone="medium" icon="warning" title={text}>
      {damage === 'signature' && failsBefore !== undefined ? statusTexts.failsBefore(failsBefore) : name}
    </Chip>
  );
}

export function StatusChips({ apk, failsBefore }: { apk: Apk; failsBefore?: string | undefined }) {
  return (
    <>
      {apk.workstation.verdict !== 'unknown' && <VerdictChip {...apk.workstation} />}
      {apk.is_detected && (
        <Chip tone="critical" icon="bug">
          {statusTexts.detected}
        </Chip>
      )}
      <KnownChips known={apk.workstation.known} />
      {apk.is_corrupted && <DamageChip damage={apk.workstation.damage} failsBefore={failsBefore} />}
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
