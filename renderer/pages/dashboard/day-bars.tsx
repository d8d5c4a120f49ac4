// Figures by day as bars; each leads to that day's list. Knows nothing of what is counted.
import { Link } from 'react-router';
import { formatDay } from '../../components/format.ts';
import { formatCount } from '../../counted.ts';
import { texts } from '../../texts.ts';
import styles from './dashboard.module.css';

interface DayBarsProps {
  days: readonly { date: string; count: number }[];
  what: string;
  tone: 'accent' | 'critical';
  /** Where a day leads. */
  addressOf: (date: string) => string;
}

export function DayBars({ days, what, tone, addressOf }: DayBarsProps) {
  const most = Math.max(0, ...days.map(({ count }) => count));
  const first = days[0]?.date ?? '';
  const last = days.at(-1)?.date ?? '';
  return (
    <div className={styles.plot}>
      <span className={`${styles.most} tabular`} aria-hidden={most > 0}>
        {most === 0 ? texts.dashboard.noneThen : formatCount(most)}
      </span>
      <div className={styles.bars}>
        {days.map(({ date, count }) => {
          const label = texts.dashboard.day(formatDay(date), count, what);
          return (
            <Link key={date} to={addressOf(date)} className={styles.barLink} title={label} aria-label={label}>
              <span
                className={`${styles.bar} drawn-bar`}
                data-tone={tone}
                style={{ height: count === 0 ? 0 : `max(2px, ${(100 * count) / most}%)` }}
              />
            </Link>
          );
        })}
      </div>
      <div className={`${styles.axis} tabular`} aria-hidden="true">
        <span>{formatDay(first)}</span>
        <span>{formatDay(last)}</span>
      </div>
    </div>
  );
}
