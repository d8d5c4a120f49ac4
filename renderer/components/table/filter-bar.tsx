// A line with a filter field, a count and whatever else acts on a list. Knows nothing of the list.
import type { ReactNode } from 'react';
import { texts } from '../../texts.ts';
import styles from './filter-bar.module.css';
import { FilterField } from './filter-field.tsx';
import type { FilteredList } from './use-filter.ts';

interface FilterBarProps {
  list: FilteredList;
  label: string;
  /** Of which the list is a part; the list's own number by default. */
  total?: number;
  children?: ReactNode;
}

export function FilterBar({ list, label, total = list.total, children }: FilterBarProps) {
  return (
    <div className={styles.bar}>
      <FilterField value={list.filter} onChange={list.setFilter} label={label} placeholder={texts.filter.placeholder} />
      {children}
      <span className={`${styles.count} tabular`} role="status">
        {texts.filter.count(list.shown.length, total)}
      </span>
    </div>
  );
}
