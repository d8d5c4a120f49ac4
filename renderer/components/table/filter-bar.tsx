// A line with a filter field, a count and whatever else acts on a list. Knows nothing of the list.
import type { ReactNode } from 'react';
import { texts } from '../../texts.ts';
import styles from './filter-bar.module.css';
import { FilterField } from './filter-field.tsx';

interface FilterBarProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
  shown: number;
  total: number;
  children?: ReactNode;
}

export function FilterBar({ value, onChange, label, shown, total, children }: FilterBarProps) {
  return (
    <div className={styles.bar}>
      <FilterField value={value} onChange={onChange} label={label} placeholder={texts.filter.placeholder} />
      {children}
      <span className={`${styles.count} tabular`} role="status">
        {texts.filter.count(shown, total)}
      </span>
    </div>
  );
}
