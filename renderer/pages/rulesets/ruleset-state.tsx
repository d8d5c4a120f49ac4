// The state of a ruleset, as chips. Knows no list.
import type { Ruleset } from '../../../server/contract/rules/ruleset.ts';
import { Chip, type Tone } from '../../components/text/chip.tsx';
import { formatFull, formatWhen } from '../../components/text/format.ts';
import { visibleString } from '../../components/text/hostile-text.tsx';
import styles from './rulesets.module.css';
import { rulesetsTexts as words } from './texts.ts';

const tones: Record<Ruleset['scan_state'], Tone> = {
  ok: 'good',
  slow: 'medium',
  timed_out: 'high',
  failed: 'high',
  suspended: 'critical',
};

export function RulesetState({ ruleset }: { ruleset: Ruleset }) {
  const { status, scan_state, last_scan_error, active_since, social_status } = ruleset;
  const isWaiting = active_since !== null && new Date(active_since).getTime() > Date.now();
  const reason =
    last_scan_error === null
      ? undefined
      : `${visibleString(last_scan_error.message)} (${formatFull(last_scan_error.at)})`;
  return (
    <span className={styles.chips}>
      {scan_state !== 'suspended' && <Chip tone={status === 'enabled' ? 'good' : 'quiet'}>{words.states[status]}</Chip>}
      {isWaiting && <Chip tone="info">{words.waiting(formatWhen(active_since))}</Chip>}
      {scan_state !== 'ok' && (
        <Chip tone={tones[scan_state]} {...(reason === undefined ? {} : { title: reason })}>
          {words.scanStates[scan_state]}
        </Chip>
      )}
      {social_status !== 'none' && (
        <Chip
          tone={social_status === 'accepted' ? 'good' : social_status === 'pending' ? 'info' : 'quiet'}
          title={words.socialText}
        >
          {words.social[social_status]}
        </Chip>
      )}
      <Chip tone="quiet">{ruleset.is_public ? words.public : words.private}</Chip>
    </span>
  );
}
