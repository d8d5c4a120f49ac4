// Figures by day as bars; each leads to the list of its days. Knows nothing of what is counted.
import { Link } from 'react-router';
import { formatCount } from '../../components/text/counted.ts';
import { formatDay } from '../../components/text/format.ts';
import { type Bar, barsOf } from './bars.ts';
import styles from './dashboard.module.css';
import { dashboardTexts } from './texts.ts';

interface DayBarsProps {
  days: readonly { date: string; count: number }[];
  what: string;
  tone: 'accent' | 'critical';
  addressOf: (bar: Bar) => string;
}

export function DayBars({ days, what, tone, addressOf }: DayBarsProps) {
  const bars = barsOf(days);
  const most = Math.max(0, ...bars.map(({ count }) => count));
  return (
    <div className={styles.plot}>
      <span className={`${styles.most} tabular`} aria-hidden="true">
        {most > 0 && formatCount(most)}
      </span>
      <div className={styles.bars}>
        {most === 0 && <span className={styles.noneThen}>{dashboardTexts.noneThen}</span>}
        {bars.map((bar) => {
          const { from, to, count } = bar;
          if (count === 0) return <span key={from} className={styles.barLink} />;
          const label = dashboardTexts.bar(formatDay(from), formatDay(to), count, what);
          return (
            <Link key={from} to={addressOf(bar)} className={styles.barLink} title={label} aria-label={label}>
              <span
                className={`${styles.bar} drawn-bar`}
                data-tone={tone}
                style={{ height: `max(2px, ${(100 * count) / most}%)` }}
              />
            </Link>
          );
        })}
      </div>
      <div className={`${styles.axis} tabular`} aria-hidden="true">
        <span>{formatDay(days[0]?.date ?? '')}</span>
        <span>{formatDay(days.at(-1)?.date ?? '')}</span>
      </div>
    </div>
  );
}
