// The folded list of dismissals, each with who, when and why, and a button to undo it. Knows names, not evidence.
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { Dismissal } from '../../../server/contract/catalogue/dismissal.ts';
import { useUndoDismissal } from '../../api/dismissal-queries.ts';
import { formatFull } from '../text/format.ts';
import { HostileText, visibleString } from '../text/hostile-text.tsx';
import styles from './dismissal.module.css';
import { dismissalScopeText, dismissalTexts as words } from './texts.ts';

/** @property times how many findings or matches it covers */
export interface DismissedLine {
  dismissal: Dismissal;
  name: string;
  times: number;
}

export function UndoButton({ id, name }: { id: string; name: string }) {
  const undo = useUndoDismissal();
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={undo.isPending}
      aria-label={words.undoLabel(visibleString(name, 80))}
      onClick={() => undo.mutate(id)}
    >
      {words.undo}
    </Button>
  );
}

export function DismissedFold({ count, lines }: { count: number; lines: readonly DismissedLine[] }) {
  if (lines.length === 0) return null;
  return (
    <details className={styles.fold} data-testid="dismissed">
      <summary>{words.dismissed(count)}</summary>
      <ul>
        {lines.map(({ dismissal, name, times }) => (
          <li key={dismissal.id}>
            <strong>
              <HostileText value={name} max={120} isFixed />
            </strong>
            {times > 1 && <span className={styles.faint}>×{times}</span>}
            <span className={styles.faint}>
              <HostileText value={dismissalScopeText(dismissal)} max={160} isFixed />
            </span>
            <span className={styles.faint}>
              {words.by(dismissal.analyst)},{' '}
              <time dateTime={dismissal.created_at}>{formatFull(dismissal.created_at)}</time>
            </span>
            <UndoButton id={dismissal.id} name={name} />
            <p>
              <HostileText value={dismissal.reason} max={1000} />
            </p>
          </li>
        ))}
      </ul>
      <Link to="/dismissals">{words.all}</Link>
    </details>
  );
}
