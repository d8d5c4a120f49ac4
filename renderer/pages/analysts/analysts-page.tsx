// Everybody on this workstation.
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useAnalysts } from '../../api/people-queries.ts';
import { Chip } from '../../components/chip.tsx';
import { formatCount, formatWhen } from '../../components/format.ts';
import { HostileText } from '../../components/hostile-text.tsx';
import table from '../../components/section-page.module.css';
import { ErrorPanel, LoadingPanel } from '../../components/state-panel.tsx';
import { texts } from '../../texts.ts';
import styles from './analysts.module.css';
import { Avatar } from './avatar.tsx';

const words = texts.analysts;

export function Component() {
  const [parameters, setParameters] = useSearchParams();
  const page = Math.max(1, Number(parameters.get('page')) || 1);
  const analysts = useAnalysts(page);
  useEffect(() => {
    document.title = texts.title(words.title);
  }, []);
  if (analysts.isPending) return <LoadingPanel />;
  if (analysts.isError) return <ErrorPanel error={analysts.error} onRetry={() => void analysts.refetch()} />;
  const { results, next, previous, count } = analysts.data;
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <h1>{words.title}</h1>
        <span className={`${styles.soft} tabular`}>{formatCount(count)}</span>
        <span className={styles.spacer} />
        {(next !== null || previous !== null) && (
          <>
            <Button
              variant="default"
              disabled={previous === null}
              onClick={() => setParameters({ page: String(page - 1) })}
            >
              {words.earlier}
            </Button>
            <span className="tabular">{words.page(page)}</span>
            <Button
              variant="default"
              disabled={next === null}
              onClick={() => setParameters({ page: String(page + 1) })}
            >
              {words.later}
            </Button>
          </>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={words.list}>
        <table className={table.table}>
          <thead>
            <tr>
              <th>{words.columns.name}</th>
              <th>{words.columns.role}</th>
              <th className={table.number}>{words.columns.rulesets}</th>
              <th className={table.number}>{words.columns.followers}</th>
              <th className={table.number}>{words.columns.comments}</th>
              <th>{words.columns.joined}</th>
            </tr>
          </thead>
          <tbody>
            {results.map((analyst) => (
              <tr key={analyst.username} data-testid="analyst">
                <td>
                  <span className={styles.who}>
                    <Avatar url={analyst.avatar_url} name={analyst.username} size={22} />
                    <Link to={`/analysts/${encodeURIComponent(analyst.username)}`}>
                      <HostileText value={analyst.username} max={80} isFixed />
                    </Link>
                    <span className={styles.soft}>
                      <HostileText value={`${analyst.first_name} ${analyst.last_name}`.trim()} max={80} isFixed />
                    </span>
                    {analyst.is_expert && <Chip tone="good">{words.expert}</Chip>}
                    {analyst.is_disabled && <Chip tone="quiet">{words.disabled}</Chip>}
                  </span>
                </td>
                <td>{words.roles[analyst.role]}</td>
                <td className={table.number}>{formatCount(analyst.total_public_rulesets)}</td>
                <td className={table.number}>{formatCount(analyst.total_followers)}</td>
                <td className={table.number}>{formatCount(analyst.total_comments)}</td>
                <td className="tabular">{formatWhen(new Date(analyst.date_joined * 1000).toISOString())}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
