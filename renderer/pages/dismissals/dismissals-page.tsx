// All dismissals with author and reason, and a button to undo each. The filter is part of the address.
import { useSearchParams } from 'react-router';
import type { Dismissal } from '../../../server/contract/catalogue/dismissal.ts';
import { findingText } from '../../../server/contract/findings/finding-catalogue.ts';
import { useDismissals } from '../../api/dismissal-queries.ts';
import { UndoButton } from '../../components/dismissal/dismissed-fold.tsx';
import { dismissalScopeText, dismissalTexts } from '../../components/dismissal/texts.ts';
import { Page, ScrollRegion } from '../../components/page/page.tsx';
import { Segments } from '../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { ApkLink } from '../../components/place/named-link.tsx';
import { MoreButton } from '../../components/table/more-button.tsx';
import { Table } from '../../components/table/table.tsx';
import { formatFull } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { dismissalsTexts as words } from './texts.ts';

const nameOf = ({ finding, rule, ruleset }: Dismissal): string =>
  finding === null ? words.rule(rule ?? '', ruleset?.name ?? '') : findingText(finding).title;

function Row({ dismissal }: { dismissal: Dismissal }) {
  const { id, apk, signer, reason, analyst, created_at, undone_by, undone_at } = dismissal;
  const name = nameOf(dismissal);
  return (
    <tr data-testid="dismissal">
      <td>
        <HostileText value={name} max={160} isFixed />
      </td>
      <td>
        <HostileText value={dismissalScopeText(dismissal)} max={200} isFixed /> {apk !== null && <ApkLink apk={apk} />}
        {signer !== null && <code>{signer.sha256.slice(0, 12)}</code>}
      </td>
      <td>
        <HostileText value={reason} max={400} />
      </td>
      <td>
        {analyst}, <time dateTime={created_at}>{formatFull(created_at)}</time>
      </td>
      <td>
        {undone_by === null || undone_at === null ? (
          <UndoButton id={id} name={name} />
        ) : (
          dismissalTexts.undoneBy(undone_by, formatFull(undone_at))
        )}
      </td>
    </tr>
  );
}

export function Component() {
  const [parameters, setParameters] = useSearchParams();
  const choice = parameters.get('show') === 'undone' ? 'undone' : 'held';
  const dismissals = useDismissals(choice === 'undone');
  const rows = dismissals.data?.items ?? [];
  return (
    <Page
      title={words.title}
      bar={
        <Segments
          label={words.choice}
          value={choice}
          onChange={(show) => setParameters({ show }, { replace: true })}
          labels={words.choices}
        />
      }
    >
      <QueryState query={dismissals} />
      {dismissals.isSuccess && rows.length === 0 && (
        <StatePanel icon="check" title={words.none[choice]}>
          {words.noneText}
        </StatePanel>
      )}
      {rows.length > 0 && (
        <ScrollRegion label={words.title}>
          <Table
            columns={[
              words.columns.what,
              words.columns.where,
              words.columns.reason,
              words.columns.by,
              { label: dismissalTexts.undo, as: 'hidden' },
            ]}
          >
            {rows.map((dismissal) => (
              <Row key={dismissal.id} dismissal={dismissal} />
            ))}
          </Table>
          <MoreButton list={dismissals} />
        </ScrollRegion>
      )}
    </Page>
  );
}
