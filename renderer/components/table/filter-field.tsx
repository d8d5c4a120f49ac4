// A field that filters what stands below it, and its keys: f leads into it, Escape empties or leaves it. Knows nothing
// of what is filtered.
import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useRef } from 'react';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { texts } from '../../texts.ts';
import { Icon } from '../picture/icon.tsx';
import styles from './filter-bar.module.css';

interface FilterFieldProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
  placeholder: string;
}

export function FilterField({ value, onChange, label, placeholder }: FilterFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useShortcut(texts.shortcuts.list, ['f'], texts.shortcuts.filter, () => field.current?.select());
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape' && value !== '') onChange('');
    else if (key === 'Escape' || key === 'Enter') field.current?.blur();
  };
  return (
    <TextInput
      ref={field}
      className={styles.field}
      size="xs"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      placeholder={placeholder}
      aria-label={label}
      spellCheck={false}
      leftSection={<Icon name="search" size={13} />}
    />
  );
}
