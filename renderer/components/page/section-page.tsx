// A page of several sections with their list at its left, each with an address of its own. Knows no section.
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { usePageTitle } from './page.tsx';
import styles from './section-page.module.css';

interface SectionPageProps {
  title: string;
  /** Address of the page, without the section. */
  address: string;
  sections: readonly { id: string; label: string }[];
  children: ReactNode;
}

export function SectionPage({ title, address, sections, children }: SectionPageProps) {
  usePageTitle(title);
  return (
    <div className={styles.page}>
      <div className={styles.title}>
        <h1>{title}</h1>
      </div>
      <nav className={styles.sections} aria-label={title}>
        {sections.map(({ id, label }) => (
          <NavLink key={id} to={`${address}/${id}`} replace>
            {label}
          </NavLink>
        ))}
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={styles.content} tabIndex={0} aria-label={title}>
        {children}
      </section>
    </div>
  );
}

export function Group({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.group}>
      <h2>{title}</h2>
      {note !== undefined && <p className={styles.note}>{note}</p>}
      {children}
    </section>
  );
}
