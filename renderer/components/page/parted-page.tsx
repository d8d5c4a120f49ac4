// A page of many parts: what it is about, their list at its left with what each holds, the chosen one beside it. Knows no part.
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { formatCount } from '../text/counted.ts';
import { ContentKeys } from './content-keys.tsx';
import styles from './parted-page.module.css';

export interface PartLink {
  name: string;
  label: string;
  address: string;
  /** How much it holds; null where that is not known or says nothing. */
  count: number | null;
  title?: string;
}

interface PartedPageProps {
  /** Above both: what the page is about. */
  head: ReactNode;
  /** Names the list for screen readers. */
  label: string;
  /** An empty title stands for none. */
  groups: readonly { title: string; parts: readonly PartLink[] }[];
  current: string;
  children: ReactNode;
}

export function PartedPage({ head, label, groups, current, children }: PartedPageProps) {
  const list = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const counts = groups.flatMap(({ parts }) => parts.map(({ count }) => count)).join();
  const isFirst = groups[0]?.parts[0]?.name === current;
  // In a low window a part that was opened gets all of it; the head stays above, to be scrolled to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the part that is open decides
  useEffect(() => {
    if (!isFirst && matchMedia('(height < 520px)').matches) list.current?.scrollIntoView({ block: 'start' });
  }, [current]);
  // A part that is opened by its key may be scrolled out of view in the list, and arriving counts move it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the part that is open and the counts decide
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current, counts]);
  return (
    <article className={styles.page}>
      {head}
      <div className={styles.body}>
        <nav ref={list} className={styles.parts} aria-label={label}>
          {groups.map(({ title, parts }) => (
            <div key={title} className={styles.partGroup}>
              {title !== '' && <p className={styles.partTitle}>{title}</p>}
              {parts.map(({ name, label: text, address, count, title: hint }) => (
                <Link
                  key={name}
                  to={address}
                  className={styles.part}
                  aria-current={name === current ? 'page' : undefined}
                  title={hint}
                >
                  {text}
                  {count !== null && count > 0 && <span className="tabular">{formatCount(count)}</span>}
                </Link>
              ))}
            </div>
          ))}
        </nav>
        <div ref={content} className={styles.content} data-testid={`tab-${current}`}>
          <ContentKeys content={content} />
          {children}
        </div>
      </div>
    </article>
  );
}
