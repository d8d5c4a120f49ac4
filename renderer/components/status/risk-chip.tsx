// The risk of an APK as a chip: its score, its level under the pointer. Knows no reason.
import type { Apk } from '../../../server/contract/catalogue/apk.ts';
import type { RiskLevel } from '../../../server/contract/findings/risk.ts';
import { Chip, type Tone } from '../text/chip.tsx';
import { statusTexts } from './texts.ts';

export const riskTones: Record<RiskLevel, Tone> = {
  low: 'quiet',
  elevated: 'medium',
  high: 'high',
  critical: 'critical',
};

export const RiskChip = ({ risk, label }: { risk: Apk['workstation']['risk']; label?: string }) =>
  risk !== null && (
    <Chip tone={riskTones[risk.level]} title={statusTexts.risk(statusTexts.riskLevels[risk.level])}>
      {label === undefined ? risk.score : `${label} ${risk.score}`}
    </Chip>
  );
