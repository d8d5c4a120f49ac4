// The list of rulesets: one's own and the public ones. What is shown stands in the address.
import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { Ruleset } from '../../../server/contract/rules/ruleset.ts';
import { useMay } from '../../api/queries.ts';
import { type RulesetFilter, useRulesets } from '../../api/ruleset-queries.ts';
import { Page } from '../../components/page/page.tsx';
import { Segments } from '../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { AnalystLink } from '../../components/place/named-link.tsx';
import { FilterField } from '../../components/table/filter-field.tsx';
import { ListRows } from '../../components/table/virtual-rows.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { formatFull, formatWhen } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { RulesetState } from './ruleset-state.tsx';
import styles from './rulesets.module.css';
import { StartingRulesDialog } from './starting-rules.tsx';
import { rulesetsTexts as words } from './texts.ts';

type Choice = keyof typeof words.choices;
const filters: Record<Choice, RulesetFilter> = { own: { is_own: true }, public: { is_public: true }, all: {} };

const RowHead = () => (
  <div className={`${styles.row} ${styles.head}`} aria-hidden="true">
    <span>{words.columns.name}</span>
    <span>{words.columns.author}</span>
    <span className={styles.number}>{words.columns.rules}</span>
    <span className={styles.number}>{words.columns.matches}</span>
    <span className={styles.number}>{words.columns.comments}</span>
    <span>{words.columns.changed}</span>
    <span>{words.columns.state}</span>
  </div>
);

const RulesetRow = ({ ruleset }: { ruleset: Ruleset }) => (
  <div className={styles.row} data-testid="ruleset">
    <Link to={`/rulesets/${ruleset.id}`} title={visibleString(ruleset.name)}>
      <HostileText value={ruleset.name} max={120} isFixed />
    </Link>
    <AnalystLink username={ruleset.author} />
    <span className={styles.number}>{formatCount(ruleset.rules_count)}</span>
    <span className={styles.number}>{formatCount(ruleset.matches_count)}</span>
    <span className={styles.number}>{formatCount(ruleset.comments_count)}</span>
    <time className="tabular" dateTime={ruleset.updated_at} title={formatFull(ruleset.updated_at)}>
      {formatWhen(ruleset.updated_at)}
    </time>
    <RulesetState ruleset={ruleset} />
  </div>
);

export function Component() {
  const navigate = useNavigate();
  const may = useMay();
  const [parameters, setParameters] = useSearchParams();
  const shown = parameters.get('show') ?? '';
  const choice = (shown in filters ? shown : 'all') as Choice;
  const [name, setName] = useState(parameters.get('name') ?? '');
  const [asked] = useDebouncedValue(name, 200);
  const inPackage = parameters.get('package') ?? '';
  const list = useRulesets({
    ...filters[choice],
    ...(inPackage === '' ? {} : { package: inPackage }),
    ...(asked === '' ? {} : { search: asked }),
  });
  useEffect(() => {
    setParameters(
      (known) => {
        const next = new URLSearchParams(known);
        if (asked === '') next.delete('name');
        else next.set('name', asked);
        return next;
      },
      { replace: true },
    );
  }, [asked, setParameters]);
  const [isStarting, setStarting] = useState(false);
  useShortcut(words.title, ['n'], words.new, () => void navigate('/rulesets/new'));
  const rows = list.data?.items ?? [];
  return (
    <Page
      title={words.title}
      bar={
        <>
          <Segments
            label={words.filter}
            value={choice}
            onChange={(value) =>
              setParameters(
                {
                  show: value,
                  ...(asked === '' ? {} : { name: asked }),
                  ...(inPackage === '' ? {} : { package: inPackage }),
                },
                { replace: true },
              )
            }
            labels={words.choices}
          />
          {inPackage !== '' && (
            <Button
              variant="light"
              rightSection={<Icon name="close" size={12} />}
              aria-label={words.leavePackage(visibleString(inPackage, 60))}
              onClick={() => setParameters({ show: choice }, { replace: true })}
            >
              <HostileText value={inPackage} max={40} isFixed />
            </Button>
          )}
          <FilterField value={name} onChange={setName} label={words.search} placeholder={words.search} />
        </>
      }
      actions={
        <>
          {may('rule-packages.manage') && (
            <Button variant="default" component={Link} to="/rule-packages">
              {words.packages}
            </Button>
          )}
          <Button variant="default" component={Link} to="/rule-statistics">
            {words.statistics}
          </Button>
          <Button variant="default" onClick={() => setStarting(true)}>
            {words.starting}
          </Button>
          <Button component={Link} to="/rulesets/new">
            {words.new}
          </Button>
        </>
      }
    >
      <QueryState query={list} />
      {list.isSuccess && rows.length === 0 && (
        <StatePanel
          icon="rulesets"
          title={words.none}
          action={
            <Button leftSection={<Icon name="rulesets" size={14} />} onClick={() => setStarting(true)}>
              {words.starting}
            </Button>
          }
        >
          {words.noneText}
        </StatePanel>
      )}
      {rows.length > 0 && (
        <>
          <RowHead />
          <ListRows rows={rows} list={list} rowHeight={40} label={words.title}>
            {(one) => <RulesetRow ruleset={one} />}
          </ListRows>
        </>
      )}
      <StartingRulesDialog isOpen={isStarting} onClose={() => setStarting(false)} />
    </Page>
  );
}
