// The verdict on an APK, as a chip. Knows the word only.
import type { Verdict } from '../../../server/contract/catalogue/verdict.ts';
import { Chip, type Tone } from '../text/chip.tsx';
import { HostileText, visibleString } from '../text/hostile-text.tsx';
import { verdictTexts } from './texts.ts';

const tones: Record<Verdict, Tone> = { malicious: 'critical', suspicious: 'high', clean: 'good', unknown: 'quiet' };

export function VerdictChip({ verdict, family }: { verdict: Verdict; family: string }) {
  return (
    <Chip
      tone={tones[verdict]}
      icon="person"
      title={[verdictTexts.title, visibleString(family)].filter(Boolean).join(': ')}
    >
      {verdictTexts.labels[verdict]}
      {family !== '' && (
        <>
          {' · '}
          <HostileText value={family} max={40} isFixed />
        </>
      )}
    </Chip>
  );
}
