// The members of a family as a table; those that are chosen are split off, taken out or compared. Knows one family.
import { Button, Modal, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Apk } from '../../../server/contract/catalogue/apk.ts';
import type { FamilyDetail } from '../../../server/contract/catalogue/family.ts';
import { useMembers, useRemoveMembers, useSplitFamily } from '../../api/family-queries.ts';
import { submitting } from '../../components/form/submitting.ts';
import { ScrollRegion } from '../../components/page/page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { AppIcon } from '../../components/picture/app-icon.tsx';
import { ApkLink, apkName } from '../../components/place/named-link.tsx';
import { compareAddress } from '../../components/place/place-address.ts';
import { RiskChip } from '../../components/status/risk-chip.tsx';
import { StatusChips } from '../../components/status/status-chips.tsx';
import { PageSteps } from '../../components/table/page-steps.tsx';
import { Table } from '../../components/table/table.tsx';
import { toggled } from '../../components/table/toggled.ts';
import { Chip } from '../../components/text/chip.tsx';
import { formatFull, formatWhen } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import styles from './families.module.css';
import { familyTexts as words } from './texts.ts';

interface RowProps {
  apk: Apk;
  isFixed: boolean;
  isChosen: boolean;
  onChoose: () => void;
}

function Row({ apk, isFixed, isChosen, onChoose }: RowProps) {
  return (
    <tr data-testid="member" aria-selected={isChosen}>
      <td className={styles.check}>
        <input
          type="checkbox"
          checked={isChosen}
          onChange={onChoose}
          aria-label={words.choose(visibleString(apkName(apk), 80))}
        />
      </td>
      <td>
        <span className={styles.name}>
          <AppIcon image={apk.image} size={22} />
          <ApkLink apk={apk} />
          <span className={styles.soft}>
            <HostileText value={apk.package_name} max={80} mono isFixed />{' '}
            <HostileText value={apk.version} max={30} isFixed />
          </span>
          {isFixed && <Chip tone="quiet">{words.fixed}</Chip>}
        </span>
      </td>
      <td>
        <RiskChip risk={apk.workstation.risk} />
      </td>
      <td>
        <span className={styles.name}>
          <StatusChips apk={apk} />
        </span>
      </td>
      <td>
        <HostileText value={apk.company} max={60} isFixed />
      </td>
      <td className="tabular" title={formatFull(apk.created_at)}>
        {formatWhen(apk.created_at)}
      </td>
    </tr>
  );
}

/** What can be done with those that are chosen. */
function ChosenBar({ id, chosen, onDone }: { id: string; chosen: readonly string[]; onDone: () => void }) {
  const navigate = useNavigate();
  const split = useSplitFamily(id);
  const remove = useRemoveMembers(id);
  const [isSplitting, setSplitting] = useState(false);
  const [name, setName] = useInputState('');
  const [first, second] = chosen;
  const begin = () =>
    split.mutate(
      { apks: [...chosen], name: name.trim() },
      {
        onSuccess: (family) => {
          setSplitting(false);
          onDone();
          notifications.show({
            message: (
              <>
                {/* Notifications stand outside of the pages' router. */}
                {words.splitDone} <a href={`#/families/${family.id}`}>{words.openNew}</a>
              </>
            ),
          });
        },
      },
    );
  const takeOut = () =>
    remove.mutate(chosen, {
      onSuccess: () => {
        notifications.show({ message: words.removed(chosen.length) });
        onDone();
      },
    });
  if (chosen.length === 0) return <span className={styles.soft}>{words.chooseHint}</span>;
  return (
    <>
      <strong className="tabular" role="status">
        {words.chosen(chosen.length)}
      </strong>
      <Button size="compact-sm" variant="default" onClick={() => setSplitting(true)}>
        {words.split}
      </Button>
      <Button size="compact-sm" variant="default" loading={remove.isPending} onClick={takeOut}>
        {words.remove}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={chosen.length !== 2}
        title={chosen.length === 2 ? undefined : words.compareHint}
        onClick={() => void navigate(compareAddress(first ?? '', second))}
      >
        {words.compare}
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={onDone}>
        {words.clear}
      </Button>
      <Modal opened={isSplitting} onClose={() => setSplitting(false)} title={words.splitTitle(chosen.length)}>
        <form onSubmit={submitting(begin)}>
          <TextInput
            label={words.splitName}
            description={words.nameHint}
            maxLength={100}
            data-autofocus
            value={name}
            onChange={setName}
          />
          <Button type="submit" mt="sm" loading={split.isPending}>
            {words.splitTitle(chosen.length)}
          </Button>
        </form>
      </Modal>
    </>
  );
}

export function FamilyMembers({ family: { id } }: { family: FamilyDetail }) {
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const members = useMembers(id, page);
  if (!members.isSuccess) return <QueryState query={members} />;
  const { results } = members.data;
  const all = results.map(({ apk }) => apk.sha256);
  const isAll = all.length > 0 && all.every((sha256) => chosen.has(sha256));
  return (
    <>
      <div className={styles.bar}>
        <label className={styles.all}>
          <input
            type="checkbox"
            checked={isAll}
            onChange={() => setChosen(isAll ? new Set() : new Set([...chosen, ...all]))}
          />
          {words.chooseAll}
        </label>
        <ChosenBar id={id} chosen={[...chosen]} onDone={() => setChosen(new Set())} />
        <span className={styles.spacer} />
        <PageSteps page={page} list={members.data} onPage={setPage} />
      </div>
      <ScrollRegion label={words.views.members}>
        <Table
          columns={[
            { label: words.chooseAll, as: 'hidden' },
            words.columns.app,
            words.columns.risk,
            words.columns.status,
            words.columns.signer,
            words.columns.first,
          ]}
        >
          {results.map(({ apk, is_fixed }) => (
            <Row
              key={apk.sha256}
              apk={apk}
              isFixed={is_fixed}
              isChosen={chosen.has(apk.sha256)}
              onChoose={() => setChosen(toggled(chosen, apk.sha256))}
            />
          ))}
        </Table>
      </ScrollRegion>
    </>
  );
}
