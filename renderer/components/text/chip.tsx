// A small label with a tone. Knows nothing of what it says.
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../picture/icon.tsx';
import styles from './chip.module.css';

export type Tone = 'critical' | 'high' | 'medium' | 'low' | 'info' | 'good' | 'quiet';

interface ChipProps {
  tone: Tone;
  children: ReactNode;
  icon?: IconName;
  title?: string;
}

export function Chip({ tone, children, icon, title }: ChipProps) {
  return (
    <span
      className={styles.chip}
      style={{ color: `var(--tone-${tone})`, background: `var(--tint-${tone})` }}
      title={title}
    >
      {icon !== undefined && <Icon name={icon} size={12} />}
      <span className={styles.text}>{children}</span>
    </span>
  );
}
