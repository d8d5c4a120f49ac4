// A tree whose open branches are drawn as rows in view, with the keys of a tree. Knows nothing of its nodes.
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { texts } from '../../texts.ts';
import { Icon, type IconName } from '../picture/icon.tsx';
import styles from './tree-rows.module.css';
import { VirtualRows, type VirtualRowsHandle } from './virtual-rows.tsx';

export interface TreeRow {
  /** Unique in the tree. */
  id: string;
  depth: number;
  /** null: a leaf. */
  isOpen: boolean | null;
  icon?: IconName;
  label: ReactNode;
  /** At the right edge. */
  note?: ReactNode;
}

interface TreeRowsProps {
  rows: readonly TreeRow[];
  label: string;
  chosen: string | null;
  onToggle: (id: string) => void;
  onChoose: (id: string) => void;
}

const rowHeight = 24;

interface TreeLineProps extends Pick<TreeRowsProps, 'onToggle' | 'onChoose'> {
  row: TreeRow;
  isActive: boolean;
  isChosen: boolean;
  onFocus: () => void;
}

function TreeLine({ row: { id, depth, isOpen, icon, label, note }, isActive, isChosen, ...acts }: TreeLineProps) {
  return (
    <button
      type="button"
      className={styles.row}
      data-tree-id={id}
      data-testid="tree-row"
      style={{ paddingLeft: 8 + depth * 13 }}
      tabIndex={isActive ? 0 : -1}
      aria-expanded={isOpen ?? undefined}
      aria-current={isChosen ? 'true' : undefined}
      onFocus={acts.onFocus}
      onClick={() => (isOpen === null ? acts.onChoose(id) : acts.onToggle(id))}
    >
      {isOpen === null ? (
        <span className={styles.space} />
      ) : (
        <Icon name={isOpen ? 'chevronDown' : 'chevron'} size={12} />
      )}
      {icon !== undefined && <Icon name={icon} size={13} />}
      <span className={styles.label}>{label}</span>
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </button>
  );
}

export function TreeRows({ rows, label, chosen, onToggle, onChoose }: TreeRowsProps) {
  const list = useRef<VirtualRowsHandle>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const container = useRef<HTMLDivElement>(null);
  const active = rows.some(({ id }) => id === focused) ? focused : (chosen ?? rows[0]?.id ?? null);

  // What is chosen comes into view once it is among the rows, and not again while branches open and close.
  const isThere = chosen !== null && rows.some(({ id }) => id === chosen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows change with every branch
  useEffect(() => {
    if (isThere) list.current?.scrollToRow(rows.findIndex(({ id }) => id === chosen));
  }, [chosen, isThere]);

  const move = (to: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (row === undefined) return;
    setFocused(row.id);
    list.current?.scrollToRow(rows.indexOf(row));
    // A row out of view is drawn only once it is scrolled to.
    requestAnimationFrame(() => {
      container.current?.querySelector<HTMLElement>(`[data-tree-id="${CSS.escape(row.id)}"]`)?.focus();
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = rows.findIndex(({ id }) => id === active);
    const row = rows[at];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const actions: Record<string, () => void> = {
      ArrowDown: () => move(at + 1),
      j: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      k: () => move(at - 1),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      ArrowRight: () => (row.isOpen === false ? onToggle(row.id) : move(at + 1)),
      ArrowLeft: () => {
        if (row.isOpen === true) onToggle(row.id);
        else move(rows.findLastIndex((other, index) => index < at && other.depth < row.depth));
      },
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  // From outside the tree the keys lead back to the row that had the focus.
  const enter = () => move(rows.findIndex(({ id }) => id === active));
  useShortcut(texts.shortcuts.list, ['j', 'ArrowDown'], texts.shortcuts.next, enter);
  useShortcut(texts.shortcuts.list, ['k', 'ArrowUp'], texts.shortcuts.previous, enter);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the rows inside
    <div ref={container} className={styles.tree} onKeyDown={onKeyDown}>
      <VirtualRows count={rows.length} rowHeight={rowHeight} label={label} handle={list}>
        {(index) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <TreeLine
              row={row}
              isActive={row.id === active}
              isChosen={row.id === chosen}
              onFocus={() => setFocused(row.id)}
              onToggle={onToggle}
              onChoose={onChoose}
            />
          );
        }}
      </VirtualRows>
    </div>
  );
}
