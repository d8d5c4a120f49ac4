// Rules that match APKs, noisy ones first, each put into quarantine and taken out again. What is shown stands in the address.

import { Button, Modal, Stack } from '@mantine/core';
import { useDebouncedValue, useInputState } from '@mantine/hooks';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { AnswerOf } from '../../api/client.ts';
import { useDismiss } from '../../api/dismissal-queries.ts';
import { type RuleOrder, useRuleStatistics } from '../../api/ruleset-queries.ts';
import { UndoButton } from '../../components/dismissal/dismissed-fold.tsx';
import { ReasonField } from '../../components/dismissal/reason-field.tsx';
import { submitting } from '../../components/form/submitting.ts';
import { Page, ScrollRegion } from '../../components/page/page.tsx';
import { Segments } from '../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { searchAddress } from '../../components/place/catalogue-address.ts';
import { FilterField } from '../../components/table/filter-field.tsx';
import { NumberCell, Table } from '../../components/table/table.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { formatFull, percent } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { statisticsTexts as words } from './statistics-texts.ts';

type Statistics = AnswerOf<'GET /rule_statistics/'>;
type Rule = Statistics['results'][number];

function QuarantineDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const dismiss = useDismiss();
  const [reason, setReason] = useInputState('');
  const send = () =>
    dismiss.mutate({ scope: 'everywhere', ruleset: rule.ruleset.id, rule: rule.name, reason }, { onSuccess: onClose });
  return (
    <Modal opened onClose={onClose} title={words.quarantineTitle(visibleString(rule.name, 80))} size="lg">
      <form onSubmit={submitting(send)}>
        <Stack gap="sm">
          <span>{words.quarantineText}</span>
          <ReasonField value={reason} onChange={setReason} />
          {dismiss.error !== null && <span role="alert">{dismiss.error.message}</span>}
          <Button type="submit" loading={dismiss.isPending} style={{ alignSelf: 'start' }}>
            {words.quarantineNow}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

function Row({ rule, apks, onQuarantine }: { rule: Rule; apks: number; onQuarantine: () => void }) {
  const { name, ruleset, quarantine } = rule;
  return (
    <tr data-testid="rule-statistics">
      <th scope="row">
        <HostileText value={name} max={100} isFixed />
      </th>
      <td>
        <Link to={`/rulesets/${ruleset.id}`}>
          <HostileText value={ruleset.name} max={80} isFixed />
        </Link>
      </td>
      <td>{rule.package !== null && <HostileText value={rule.package} max={60} isFixed />}</td>
      <NumberCell>
        <Link to={searchAddress(`rule:"${name}"`)}>{formatCount(rule.apks_count)}</Link>
      </NumberCell>
      <NumberCell>{percent(rule.apks_count / Math.max(1, apks))}</NumberCell>
      <NumberCell>{formatCount(rule.dismissals_count)}</NumberCell>
      <td>
        {quarantine === null ? (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={words.quarantineLabel(visibleString(name, 80))}
            onClick={onQuarantine}
          >
            {words.quarantine}
          </Button>
        ) : (
          <>
            <UndoButton id={quarantine.id} name={name} /> <HostileText value={quarantine.reason} max={200} />{' '}
            <span title={formatFull(quarantine.created_at)}>{words.by(quarantine.analyst)}</span>
          </>
        )}
      </td>
    </tr>
  );
}

function RuleTable({ statistics }: { statistics: Statistics }) {
  const [noisy, setNoisy] = useState<Rule | null>(null);
  const { results, count, apks_count } = statistics;
  const { columns } = words;
  return (
    <ScrollRegion label={words.title}>
      <Table
        columns={[
          columns.rule,
          columns.ruleset,
          columns.package,
          { label: columns.apks, as: 'number' },
          { label: columns.share, as: 'number' },
          { label: columns.dismissals, as: 'number' },
          columns.state,
        ]}
      >
        {results.map((rule) => (
          <Row
            key={`${rule.ruleset.id} ${rule.name}`}
            rule={rule}
            apks={apks_count}
            onQuarantine={() => setNoisy(rule)}
          />
        ))}
      </Table>
      {count > results.length && <p>{words.first(results.length, count)}</p>}
      {noisy !== null && <QuarantineDialog rule={noisy} onClose={() => setNoisy(null)} />}
    </ScrollRegion>
  );
}

export function Component() {
  const [parameters, setParameters] = useSearchParams();
  const choice = parameters.get('show') === 'quarantined' ? 'quarantined' : 'all';
  const asked = parameters.get('order') ?? '';
  const order = (asked in words.orders ? asked : '-apks') as RuleOrder;
  const [part, setPart] = useState('');
  const [search] = useDebouncedValue(part, 200);
  const statistics = useRuleStatistics({
    search,
    ordering: order,
    ...(choice === 'quarantined' ? { is_quarantined: true } : {}),
  });
  const show = (changes: Record<string, string>) =>
    setParameters((known) => ({ ...Object.fromEntries(known), ...changes }), { replace: true });
  return (
    <Page
      title={words.title}
      bar={
        <>
          <Segments
            label={words.choice}
            value={choice}
            onChange={(value) => show({ show: value })}
            labels={words.choices}
          />
          <Segments
            label={words.order}
            value={order}
            onChange={(value) => show({ order: value })}
            labels={words.orders}
          />
          <FilterField value={part} onChange={setPart} label={words.search} placeholder={words.search} />
        </>
      }
      actions={
        <Button variant="default" component={Link} to="/rulesets">
          {words.rulesets}
        </Button>
      }
    >
      <QueryState query={statistics} />
      {statistics.isSuccess && statistics.data.count === 0 && (
        <StatePanel icon="rulesets" title={words.none}>
          {search === '' ? words.noneText : words.noneFoundText}
        </StatePanel>
      )}
      {statistics.isSuccess && statistics.data.count > 0 && <RuleTable statistics={statistics.data} />}
    </Page>
  );
}
