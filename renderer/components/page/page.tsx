// The frame of a page: its title, also the window's, a bar of controls beside it, and what it shows. Knows no page.
import { type ReactNode, useEffect } from 'react';
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
