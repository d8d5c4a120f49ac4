// The families of the catalogue: their size, risk and newest member. What is sought and the order stand in the address.
import { Link, useSearchParams } from 'react-router';
import { type Family, familyOrders } from '../../../server/contract/catalogue/family.ts';
import { useFamilies } from '../../api/family-queries.ts';
import { Page, ScrollRegion } from '../../components/page/page.tsx';
import { Segments } from '../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { AppIcon } from '../../components/picture/app-icon.tsx';
import { ApkLink } from '../../components/place/named-link.tsx';
import { RiskChip } from '../../components/status/risk-chip.tsx';
import { FilterField } from '../../components/table/filter-field.tsx';
import { PageSteps } from '../../components/table/page-steps.tsx';
import { NumberCell, Table } from '../../components/table/table.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { formatWhen } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import styles from './families.module.css';
import { FamilyChips } from './family-chips.tsx';
import { familiesTexts as words } from './texts.ts';

const when = (time: string | null) => (time === null ? '–' : formatWhen(time));

function Row({ family }: { family: Family }) {
  const { id, name, newest } = family;
  return (
    <tr data-testid="family">
      <td>
        <span className={styles.name}>
          <Link to={`/families/${id}`}>
            <HostileText value={name} max={80} isFixed />
          </Link>
          <FamilyChips family={family} />
        </span>
      </td>
      <NumberCell>{formatCount(family.apks_count)}</NumberCell>
      <td>
        <RiskChip risk={family.risk} />
      </td>
      <td>
        {newest !== null && (
          <span className={styles.name}>
            <AppIcon image={newest.image} size={20} />
            <ApkLink apk={newest} />
          </span>
        )}
      </td>
      <td className="tabular">{when(family.first_seen_at)}</td>
      <td className="tabular">{when(family.last_seen_at)}</td>
    </tr>
  );
}

export function Component() {
  const [parameters, setParameters] = useSearchParams();
  const search = parameters.get('search') ?? '';
  const ordering = familyOrders.find((order) => order === parameters.get('ordering')) ?? familyOrders[0];
  const page = Math.max(1, Number(parameters.get('page')) || 1);
  const families = useFamilies({ search, ordering, page });
  const change = (name: string, value: string) => {
    const next = new URLSearchParams(parameters);
    next.delete('page');
    if (value === '') next.delete(name);
    else next.set(name, value);
    setParameters(next, { replace: name !== 'page' });
  };
  const { count = 0, results = [] } = families.data ?? {};
  return (
    <Page
      title={words.title}
      bar={
        <>
          <FilterField
            value={search}
            onChange={(value) => change('search', value)}
            label={words.searchLabel}
            placeholder={words.search}
          />
          <Segments
            label={words.order}
            value={ordering}
            onChange={(value) => change('ordering', value)}
            labels={words.orders}
          />
          {families.isSuccess && <span className={styles.soft}>{words.count(count)}</span>}
        </>
      }
      actions={
        families.isSuccess && (
          <PageSteps page={page} list={families.data} onPage={(next) => change('page', String(next))} />
        )
      }
    >
      <QueryState query={families} />
      {families.isSuccess && count === 0 && (
        <StatePanel icon="families" title={search === '' ? words.none : words.noneFound}>
          {search === '' && words.noneText}
        </StatePanel>
      )}
      {results.length > 0 && (
        <ScrollRegion label={words.title}>
          <Table
            columns={[
              words.columns.name,
              { label: words.columns.members, as: 'number' },
              words.columns.risk,
              words.columns.newest,
              words.columns.first,
              words.columns.last,
            ]}
          >
            {results.map((family) => (
              <Row key={family.id} family={family} />
            ))}
          </Table>
        </ScrollRegion>
      )}
    </Page>
  );
}
