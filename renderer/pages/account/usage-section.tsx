// How much of one's limits is used.
import { Progress } from '@mantine/core';
import type { Account } from '../../../server/contract/account.ts';
import { useStatistics } from '../../api/people-queries.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { ErrorPanel, LoadingPanel } from '../../components/page/state-panel.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { limitNamesTexts, accountTexts as words } from './texts.ts';

export function UsageSection({ account }: { account: Account }) {
  const statistics = useStatistics();
  if (statistics.isPending) return <LoadingPanel />;
  if (statistics.isError) return <ErrorPanel error={statistics.error} onRetry={() => void statistics.refetch()} />;
  const used: Record<string, { limit: string; used: number } | undefined> = statistics.data.rate_limits;
  return (
    <Group title={words.sections.usage} note={words.usageNote(account.api_group)}>
      <div className={styles.fields}>
        {Object.entries(limitNamesTexts).map(([name, label]) => {
          const entry = used[name];
          if (entry === undefined) return null;
          const [amount = '0', unit = 'day'] = entry.limit.split('/');
          const share = Math.min(100, (100 * entry.used) / Math.max(1, Number(amount)));
          const text = words.used(
            formatCount(entry.used),
            formatCount(Number(amount)),
            words.units[unit as 'day' | 'min'],
          );
          return (
            <div key={name}>
              <div className={styles.pair}>
                <span>{label}</span>
                <span className={styles.number}>{text}</span>
              </div>
              <Progress value={share} color={share >= 90 ? 'red' : 'accent'} aria-label={`${label}: ${text}`} />
            </div>
          );
        })}
      </div>
    </Group>
  );
}
