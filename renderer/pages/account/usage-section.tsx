// How much of one's limits is used.
import { Progress } from '@mantine/core';
import type { Account } from '../../../server/contract/people/account.ts';
import { useStatistics } from '../../api/people-queries.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { limitNamesTexts, accountTexts as words } from './texts.ts';

/** @param unit what the limit is counted in, `today`; empty for none */
function Usage({ label, used, limit, unit }: { label: string; used: number; limit: number | null; unit: string }) {
  const text = limit === null ? words.unlimited(used) : words.used(used, limit, unit);
  const share = limit === null ? 0 : Math.min(100, (100 * used) / Math.max(1, limit));
  return (
    <div>
      <div className={styles.pair}>
        <span>{label}</span>
        <span className={styles.number}>{text}</span>
      </div>
      {limit !== null && (
        <Progress value={share} color={share >= 90 ? 'red' : 'accent'} aria-label={`${label}: ${text}`} />
      )}
    </div>
  );
}

export function UsageSection({ account }: { account: Account }) {
  const statistics = useStatistics();
  if (!statistics.isSuccess) return <QueryState query={statistics} />;
  const { rate_limits: rates, ruleset_limits: rulesets, ruleset_scan_seconds: scanSeconds } = statistics.data;
  const known: Record<string, { limit: string; used: number } | undefined> = rates;
  return (
    <>
      <Group title={words.sections.usage} note={words.usageNote(account.api_group)}>
        <div className={styles.fields}>
          {Object.entries(limitNamesTexts).map(([name, label]) => {
            const entry = known[name];
            if (entry === undefined) return null;
            const [amount = '0', unit = 'day'] = entry.limit.split('/');
            return (
              <Usage
                key={name}
                label={label}
                used={entry.used}
                limit={Number(amount)}
                unit={words.units[unit as 'day' | 'min']}
              />
            );
          })}
        </div>
      </Group>
      <Group title={words.rulesetLimits.title} note={words.rulesetLimits.note}>
        <div className={styles.fields}>
          {(['enabled', 'enabled_characters', 'private'] as const).map((name) => (
            <Usage key={name} label={words.rulesetLimits.names[name]} unit="" {...rulesets[name]} />
          ))}
          <div className={styles.pair}>
            <span>{words.rulesetLimits.scanTime}</span>
            <span className={styles.number}>{words.rulesetLimits.seconds(scanSeconds)}</span>
          </div>
        </div>
      </Group>
    </>
  );
}
