// A line with a filter field, a count and whatever else acts on a list. Knows nothing of the list.
import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../counted.ts';
import { texts } from '../texts.ts';
import styles from './filter-bar.module.css';
import { Icon } from './icon.tsx';

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
      <TextInput
        className={styles.field}
        size="xs"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        placeholder={texts.filter.placeholder}
        aria-label={label}
        spellCheck={false}
        leftSection={<Icon name="search" size={13} />}
      />
      {children}
      <span className={`${styles.count} tabular`} role="status">
        {shown === total ? formatCount(total) : texts.filter.count(formatCount(shown), formatCount(total))}
      </span>
    </div>
  );
}
