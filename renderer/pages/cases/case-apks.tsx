// The APKs of a case, and a line by which more are added. Knows one case.
import { Button, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { CaseApk } from '../../../server/contract/catalogue/case.ts';
import { useAddToCase, useCaseApks, useRemoveFromCase } from '../../api/case-queries.ts';
import { submitting } from '../../components/form/submitting.ts';
import { ScrollRegion } from '../../components/page/page.tsx';
import { QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { AppIcon } from '../../components/picture/app-icon.tsx';
import { ApkLink } from '../../components/place/named-link.tsx';
import { RiskChip } from '../../components/status/risk-chip.tsx';
import { StatusChips } from '../../components/status/status-chips.tsx';
import { PageSteps } from '../../components/table/page-steps.tsx';
import { Table } from '../../components/table/table.tsx';
import { formatFull, formatWhen } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import styles from './cases.module.css';
import { caseTexts as words } from './texts.ts';

function Row({ id, place }: { id: string; place: CaseApk }) {
  const { sha256, apk, name, note, analyst, added_at } = place;
  const remove = useRemoveFromCase(id);
  return (
    <tr data-testid="case-apk">
      <td>
        <span className={styles.name}>
          {apk === null ? (
            <>
              <HostileText value={name} max={80} isFixed />
              <code>{sha256}</code>
              <span className={styles.soft}>{words.notHere}</span>
            </>
          ) : (
            <>
              <AppIcon image={apk.image} size={22} />
              <ApkLink apk={apk} />
              <span className={styles.soft}>
                <HostileText value={apk.package_name} max={80} mono isFixed />
              </span>
            </>
          )}
        </span>
      </td>
      <td>{apk !== null && <RiskChip risk={apk.workstation.risk} />}</td>
      <td>
        <span className={styles.name}>{apk !== null && <StatusChips apk={apk} />}</span>
      </td>
      <td>
        <HostileText value={note} max={200} isFixed />
      </td>
      <td title={formatFull(added_at)}>
        {formatWhen(added_at)} {words.by(analyst)}
      </td>
      <td>
        <Button
          size="compact-xs"
          variant="subtle"
          loading={remove.isPending}
          aria-label={words.remove(visibleString(name || sha256, 80))}
          onClick={() => remove.mutate(sha256)}
        >
          {words.removeShort}
        </Button>
      </td>
    </tr>
  );
}

function AddLine({ id }: { id: string }) {
  const add = useAddToCase();
  const [text, setText] = useInputState('');
  const wanted = text.trim();
  const send = () =>
    add.mutate(
      { id, body: /^[0-9a-f]{64}$/i.test(wanted) ? { apks: [wanted] } : { search: wanted } },
      {
        onSuccess: ({ added }) => {
          setText('');
          notifications.show({ message: words.added(added) });
        },
      },
    );
  return (
    <form className={styles.bar} onSubmit={submitting(send)}>
      <TextInput
        className={styles.wide}
        aria-label={words.addApks}
        placeholder={words.addApksHint}
        value={text}
        onChange={setText}
      />
      <Button type="submit" variant="default" disabled={wanted === ''} loading={add.isPending}>
        {words.add}
      </Button>
    </form>
  );
}

export function CaseApks({ id }: { id: string }) {
  const [page, setPage] = useState(1);
  const apks = useCaseApks(id, page);
  if (!apks.isSuccess) return <QueryState query={apks} />;
  const { count, results } = apks.data;
  return (
    <>
      <AddLine id={id} />
      {count === 0 && (
        <StatePanel icon="catalogue" title={words.noApks}>
          {words.noApksText}
        </StatePanel>
      )}
      {results.length > 0 && (
        <ScrollRegion label={words.views.apks}>
          <Table
            columns={[
              ...[words.columns.app, words.columns.risk, words.columns.status, words.columns.why, words.columns.added],
              { label: words.removeShort, as: 'hidden' },
            ]}
          >
            {results.map((place) => (
              <Row key={place.sha256} id={id} place={place} />
            ))}
          </Table>
          <PageSteps page={page} list={apks.data} onPage={setPage} />
        </ScrollRegion>
      )}
    </>
  );
}
