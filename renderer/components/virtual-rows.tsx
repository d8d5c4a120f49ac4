// A scrolling list that draws only the rows in view. Knows nothing of what a row shows.
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import styles from './virtual-rows.module.css';

export interface VirtualRowsHandle {
  scrollToRow(index: number): void;
  scrollToTop(): void;
}

interface VirtualRowsProps {
  count: number;
  /** Pixels; an estimate where `isMeasured`. */
  rowHeight: number;
  /** Rows of their own height, measured once drawn. */
  isMeasured?: boolean;
  label: string;
  /** Pixels from the top where the list opens. */
  initialOffset?: number;
  children: (index: number) => ReactNode;
  /** Told of the first and the last row in view. */
  onRange?: (first: number, last: number) => void;
  handle?: Ref<VirtualRowsHandle>;
}

export function VirtualRows(props: VirtualRowsProps) {
  const { count, rowHeight, isMeasured, label, initialOffset = 0, children, onRange, handle } = props;
  const scrollElement = useRef<HTMLElement>(null);
  const virtualizer: Virtualizer<HTMLElement, HTMLLIElement> = useVirtualizer({
    count,
    getScrollElement: () => scrollElement.current,
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
      scrollToRow: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
      scrollToTop: () => virtualizer.scrollToOffset(0),
    }),
    [virtualizer],
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={scrollElement} className={styles.scroll} tabIndex={0} aria-label={label}>
      <ul className={styles.canvas} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => (
          <li
            key={row.key}
            ref={isMeasured === true ? virtualizer.measureElement : undefined}
            data-index={row.index}
            className={styles.row}
            style={{ height: isMeasured === true ? undefined : rowHeight, transform: `translateY(${row.start}px)` }}
          >
            {children(row.index)}
          </li>
        ))}
      </ul>
    </section>
  );
}
