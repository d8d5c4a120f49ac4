// Everybody on this workstation.
import { useSearchParams } from 'react-router';
import { useAnalysts } from '../../api/people-queries.ts';
import { Page, ScrollRegion } from '../../components/page/page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { AnalystLink } from '../../components/place/named-link.tsx';
import { PageSteps } from '../../components/table/page-steps.tsx';
import { NumberCell, Table } from '../../components/table/table.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { formatDate } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import styles from './analysts.module.css';
import { Avatar } from './avatar.tsx';
import { analystsTexts as words } from './texts.ts';

export function Component() {
  const [parameters, setParameters] = useSearchParams();
  const page = Math.max(1, Number(parameters.get('page')) || 1);
  const analysts = useAnalysts(page);
  if (!analysts.isSuccess) return <QueryState query={analysts} isPage />;
  const { results, count } = analysts.data;
  return (
    <Page
      title={words.title}
      bar={<span className={`${styles.soft} tabular`}>{formatCount(count)}</span>}
      actions={<PageSteps page={page} list={analysts.data} onPage={(next) => setParameters({ page: String(next) })} />}
    >
      <ScrollRegion label={words.list}>
        <Table
          columns={[
            words.columns.name,
            words.columns.role,
            { label: words.columns.rulesets, as: 'number' },
            { label: words.columns.followers, as: 'number' },
            { label: words.columns.comments, as: 'number' },
            words.columns.joined,
          ]}
        >
          {results.map((analyst) => (
            <tr key={analyst.username} data-testid="analyst">
              <td>
                <span className={styles.who}>
                  <Avatar url={analyst.avatar_url} name={analyst.username} size={22} />
                  <AnalystLink username={analyst.username} />
                  <span className={styles.soft}>
                    <HostileText value={`${analyst.first_name} ${analyst.last_name}`.trim()} max={80} isFixed />
                  </span>
                  {analyst.is_expert && (
                    <Chip tone="good" title={words.expertText}>
                      {words.expert}
                    </Chip>
                  )}
                  {analyst.is_disabled && <Chip tone="quiet">{words.disabled}</Chip>}
                </span>
              </td>
              <td>{words.roles[analyst.role]}</td>
              <NumberCell>{formatCount(analyst.total_public_rulesets)}</NumberCell>
              <NumberCell>{formatCount(analyst.total_followers)}</NumberCell>
              <NumberCell>{formatCount(analyst.total_comments)}</NumberCell>
              <td className="tabular">{formatDate(new Date(analyst.date_joined * 1000).toISOString())}</td>
            </tr>
          ))}
        </Table>
      </ScrollRegion>
    </Page>
  );
}
