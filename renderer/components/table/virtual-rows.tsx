// A scrolling list that draws only the rows in view. Knows nothing of what a row shows.
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { texts } from '../../texts.ts';
import styles from './virtual-rows.module.css';

export interface VirtualRowsHandle {
  /** @param align where it stands then; as near as it is by default */
  scrollToRow(index: number, align?: 'auto' | 'center'): void;
  scrollToTop(): void;
}

interface VirtualRowsProps {
  count: number;
  /** Pixels; an estimate where `isMeasured`. */
  rowHeight: number;
  /** Rows of their own height, measured once drawn. */
  isMeasured?: boolean;
  label: string;
  /** j, k and the arrows move between what can be pressed in the rows: anywhere on its page, or within the list alone. */
  keys?: 'page' | 'list' | undefined;
  /** Pixels from the top where the list opens. */
  initialOffset?: number;
  children: (index: number) => ReactNode;
  /** Told of the first and the last row in view. */
  onRange?: (first: number, last: number) => void;
  handle?: Ref<VirtualRowsHandle>;
}

function PageKeys({ moveBy }: { moveBy: (step: number) => void }) {
  const words = texts.shortcuts;
  useShortcut(words.list, ['j', 'ArrowDown'], words.next, () => moveBy(1));
  useShortcut(words.list, ['k', 'ArrowUp'], words.previous, () => moveBy(-1));
  return null;
}

type RowsVirtualizer = Virtualizer<HTMLElement, HTMLLIElement>;

/** Moves the focus from row to row. */
function focusKeys(scroll: RefObject<HTMLElement | null>, virtualizer: RowsVirtualizer, count: number) {
  const moveTo = (row: number) => {
    const next = Math.max(0, Math.min(count - 1, row));
    virtualizer.scrollToIndex(next, { align: 'auto' });
    // A row out of view is drawn only once it is scrolled to. One with nothing to press takes the focus itself.
    requestAnimationFrame(() => {
      const line = scroll.current?.querySelector<HTMLElement>(`li[data-index="${next}"]`);
      (line?.querySelector<HTMLElement>('a') ?? line?.querySelector('button') ?? line)?.focus();
    });
  };
  const moveBy = (step: number) => {
    const row = scroll.current?.contains(document.activeElement)
      ? document.activeElement?.closest('li')?.dataset.index
      : undefined;
    moveTo(row === undefined ? (virtualizer.range?.startIndex ?? 0) : Number(row) + step);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && event.target.closest('input, textarea') !== null) return;
    if (step !== undefined) moveBy(step);
    else if (key === 'Home') moveTo(0);
    else if (key === 'End') moveTo(count - 1);
    else return;
    event.preventDefault();
  };
  return { moveBy, onKeyDown };
}

export function VirtualRows(props: VirtualRowsProps) {
  const { count, rowHeight, isMeasured = false, label, initialOffset = 0, keys, children, onRange, handle } = props;
  const scroll = useRef<HTMLElement>(null);
  const virtualizer: RowsVirtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    initialOffset,
  });
  const rows = virtualizer.getVirtualItems();
  const first = virtualizer.range?.startIndex ?? 0;
  const last = virtualizer.range?.endIndex ?? 0;
  useEffect(() => onRange?.(first, last), [first, last, onRange]);
  useImperativeHandle(
    handle,
    () => ({
      scrollToRow: (index, align = 'auto') => virtualizer.scrollToIndex(index, { align }),
      scrollToTop: () => virtualizer.scrollToOffset(0),
    }),
    [virtualizer],
  );
  const { moveBy, onKeyDown } = focusKeys(scroll, virtualizer, count);
  return (
    <section
      ref={scroll}
      className={styles.scroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      onKeyDown={keys === undefined ? undefined : onKeyDown}
    >
      {keys === 'page' && <PageKeys moveBy={moveBy} />}
      <ul className={styles.canvas} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => (
          <li
            key={row.key}
            ref={isMeasured ? virtualizer.measureElement : undefined}
            data-index={row.index}
            aria-setsize={count}
            aria-posinset={row.index + 1}
            tabIndex={keys === undefined ? undefined : -1}
            className={styles.row}
            style={{ height: isMeasured ? undefined : rowHeight, transform: `translateY(${row.start}px)` }}
          >
            {children(row.index)}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PagedList {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** Rows from the end at which the next ones are fetched. */
const rowsAhead = 30;

interface ListRowsProps<T> extends Omit<VirtualRowsProps, 'count' | 'children' | 'onRange'> {
  rows: readonly T[];
  /** Where they are the first of a list whose next page is fetched as its end comes into view. */
  list?: PagedList;
  children: (row: T) => ReactNode;
}

/** The same for rows that are there as records; by default they are what their page is about. */
export function ListRows<T>({ rows, list, children, keys = 'page', ...rest }: ListRowsProps<T>) {
  const held = rows.length;
  const { hasNextPage = false, isFetchingNextPage = false, fetchNextPage } = list ?? {};
  const onRange = useCallback(
    (_first: number, last: number) => {
      if (last >= held - rowsAhead && hasNextPage && !isFetchingNextPage) void fetchNextPage?.();
    },
    [held, hasNextPage, isFetchingNextPage, fetchNextPage],
  );
  return (
    <VirtualRows count={held} keys={keys} onRange={onRange} {...rest}>
      {(index) => index < held && children(rows[index]!)}
    </VirtualRows>
  );
}
