// What people did with a family, newest first, each with a button that undoes it. Knows actions, not what they change.
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { FamilyAction } from '../../../server/contract/catalogue/family.ts';
import { useFamilyActions, useUndoFamilyAction } from '../../api/family-queries.ts';
import { QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { MoreButton } from '../../components/table/more-button.tsx';
import { formatFull } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import styles from './families.module.css';
import { familyTexts as words } from './texts.ts';

function Action({ action, family }: { action: FamilyAction; family: string }) {
  const { id, description, other, analyst, created_at, undone_by, undone_at } = action;
  const undo = useUndoFamilyAction(family);
  return (
    <li data-testid="family-action">
      <HostileText value={description} max={300} isFixed />
      {other !== null && other.id !== family && (
        <Link to={`/families/${other.id}`}>
          <HostileText value={other.name} max={80} isFixed />
        </Link>
      )}
      <span className={styles.soft}>{words.by(analyst, formatFull(created_at))}</span>
      {undone_by === null || undone_at === null ? (
        <Button
          size="compact-sm"
          variant="default"
          loading={undo.isPending}
          aria-label={words.undoOf(visibleString(description, 120))}
          onClick={() => undo.mutate(id)}
        >
          {words.undo}
        </Button>
      ) : (
        <span className={styles.soft}>{words.undoneBy(undone_by, formatFull(undone_at))}</span>
      )}
    </li>
  );
}

export function FamilyActions({ id }: { id: string }) {
  const actions = useFamilyActions(id);
  if (!actions.isSuccess) return <QueryState query={actions} />;
  if (actions.data.items.length === 0)
    return (
      <StatePanel icon="families" title={words.noActions}>
        {words.noActionsText}
      </StatePanel>
    );
  return (
    <>
      <ul className={styles.actions}>
        {actions.data.items.map((action) => (
          <Action key={action.id} action={action} family={id} />
        ))}
      </ul>
      <MoreButton list={actions} />
    </>
  );
}
