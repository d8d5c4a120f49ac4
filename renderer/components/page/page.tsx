// The frame of a page: its title, also the window's, a bar of controls beside it, and what it shows. Knows no page.
import { type ReactNode, useCallback, useEffect } from 'react';
import { texts } from '../../texts.ts';
import styles from './page.module.css';

/** Names the window by what it shows. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = texts.title(title);
  }, [title]);
}

interface PageProps {
  title: string;
  /** Beside the title. */
  bar?: ReactNode;
  /** At the right end of the bar. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, bar, actions, children }: PageProps) {
  usePageTitle(title);
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <h1>{title}</h1>
        {bar}
        <span className={styles.spacer} />
        {actions}
      </div>
      {children}
    </div>
  );
}

/** A part of a page that scrolls by itself and is reached by keyboard. */
export function ScrollRegion({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={label}>
      {children}
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

/** For `VirtualRows`: fetches the next page when the last loaded rows come into view. */
export function useMoreAtEnd({ hasNextPage, isFetchingNextPage, fetchNextPage }: PagedList, held: number) {
  return useCallback(
    (_first: number, last: number) => {
      if (last >= held - rowsAhead && hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
    [held, hasNextPage, isFetchingNextPage, fetchNextPage],
  );
}
