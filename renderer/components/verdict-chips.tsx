// What is known of an APK at a glance, as chips. Knows the record only.
import type { Apk } from '../../server/contract/apk.ts';
import { texts } from '../texts.ts';
import { Chip } from './chip.tsx';

export function VerdictChips({ apk }: { apk: Apk }) {
  const { verdicts } = texts;
  return (
    <>
      {apk.is_detected && (
        <Chip tone="critical" icon="bug">
          {verdicts.detected}
        </Chip>
      )}
      {apk.is_corrupted && (
        <Chip tone="medium" icon="warning">
          {verdicts.corrupted}
        </Chip>
      )}
      {apk.is_trusted && (
        <Chip tone="good" icon="shieldCheck">
          {verdicts.trusted}
        </Chip>
      )}
      {apk.file_state !== 'ok' && <Chip tone="high">{verdicts.file[apk.file_state]}</Chip>}
      {!apk.is_static_analyzed && <Chip tone="quiet">{verdicts.notAnalyzed}</Chip>}
    </>
  );
}
