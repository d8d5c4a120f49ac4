// Two texts in two columns, line beside line, with what differs in them. Knows no APK.
import { Button } from '@mantine/core';
import { diffWordsWithSpace } from 'diff';
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { ComparedLines } from '../../../server/contract/engine/comparison.ts';
import { StatePanel } from '../../components/page/state-panel.tsx';
import { VirtualRows, type VirtualRowsHandle } from '../../components/table/virtual-rows.tsx';
import { visibleString } from '../../components/text/hostile-text.tsx';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { differencesIn, type Row, rowsOf } from './line-rows.ts';
import styles from './side-by-side.module.css';
import { compareTexts as words } from './texts.ts';

const texts = words.lines;

/** Lines that are compared word by word: longer ones have no words that one looks for. */
const maxMarked = 1000;

/** The words of a line, those marked that the other side does not have. */
function marked(one: string | null, other: string | null, side: 'removed' | 'added'): ReactNode {
  if (one === null) return '';
  if (other === null || one === other || one.length + other.length > maxMarked) return visibleString(one, 4000);
  const parts = side === 'removed' ? diffWordsWithSpace(one, other) : diffWordsWithSpace(other, one);
  return parts.map((part, place) =>
    part[side] === true ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a line stay where they are
      <mark key={place}>{visibleString(part.value, 4000)}</mark>
    ) : (
      part.added !== true && part.removed !== true && visibleString(part.value, 4000)
    ),
  );
}

const Line = memo(function Line({ row, isCurrent }: { row: Row; isCurrent: boolean }) {
  const { state, first, second, firstLine, secondLine, gap } = row;
  return (
    <>
      {gap > 0 && <div className={styles.gap}>{texts.gap(gap)}</div>}
      <div className={styles.row} data-testid="line-pair" data-state={state} data-current={isCurrent || undefined}>
        <span className={styles.number}>{first === null ? '' : firstLine}</span>
        <code data-missing={first === null || undefined}>
          <span className="visually-hidden">{state === 'same' ? '' : `${texts.states[state]}: `}</span>
          {marked(first, second, 'removed')}
        </code>
        <span className={styles.number}>{second === null ? '' : secondLine}</span>
        <code data-missing={second === null || undefined}>{marked(second, first, 'added')}</code>
      </div>
    </>
  );
});

interface SideBySideProps {
  label: string;
  lines: ComparedLines;
  isSwapped: boolean;
  isWhole: boolean;
  onWhole: (isWhole: boolean) => void;
  /** Which difference is looked at, from 1; 0: none yet. */
  current: number;
  onCurrent: (current: number) => void;
  /** Above the columns: what each of them is. */
  heads: readonly [ReactNode, ReactNode];
  /** Leads back to where it was opened. */
  back: ReactNode;
}

export function SideBySide(props: SideBySideProps) {
  const { label, lines, isSwapped, isWhole, onWhole, current, onCurrent, heads, back } = props;
  const rows = useMemo(() => rowsOf(lines, isSwapped), [lines, isSwapped]);
  const starts = useMemo(() => differencesIn(rows), [rows]);
  const list = useRef<VirtualRowsHandle>(null);
  const at = starts[current - 1];
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    if (at !== undefined && isDrawn) list.current?.scrollToRow(at, 'center');
  }, [at, isDrawn]);
  // The rows have to be there before one of them can be scrolled to.
  useEffect(() => setDrawn(true), []);
  const step = (by: number) => {
    if (starts.length > 0)
      onCurrent(((Math.max(current, by > 0 ? 0 : 1) - 1 + by + starts.length) % starts.length) + 1);
  };
  useShortcut(words.title, ['n'], texts.next, () => step(1));
  useShortcut(words.title, ['p'], texts.previous, () => step(-1));
  useShortcut(words.title, ['w'], texts.whole, () => onWhole(!isWhole));
  return (
    <section className={styles.pane} aria-label={label}>
      <div className={styles.bar}>
        {back}
        {([-1, 1] as const).map((by) => (
          <Button
            key={by}
            variant="default"
            size="xs"
            title={by < 0 ? `${texts.previous} (p)` : `${texts.next} (n)`}
            disabled={starts.length === 0}
            onClick={() => step(by)}
          >
            {by < 0 ? texts.previous : texts.next}
          </Button>
        ))}
        <span className={styles.soft} role="status">
          {texts.place(current, starts.length)}
        </span>
        <Button variant="default" size="xs" title={`${texts.whole} (w)`} onClick={() => onWhole(!isWhole)}>
          {isWhole ? texts.hunks : texts.whole}
        </Button>
        <span className={styles.soft}>{texts.counts(lines.counts)}</span>
        {lines.is_cut && <span className={styles.soft}>{texts.cut}</span>}
      </div>
      <div className={styles.heads}>
        <div>{heads[0]}</div>
        <div>{heads[1]}</div>
      </div>
      {rows.length === 0 ? (
        <StatePanel icon="check" title={words.noDifference} />
      ) : (
        <VirtualRows count={rows.length} rowHeight={20} isMeasured label={label} handle={list}>
          {(place) => <Line row={rows[place]!} isCurrent={place === at} />}
        </VirtualRows>
      )}
    </section>
  );
}
