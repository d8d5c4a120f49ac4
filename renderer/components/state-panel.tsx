// What stands where content is missing: nothing there, not there yet, or not to be had. Knows nothing of the content.
import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './state-panel.module.css';

interface StatePanelProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

export function StatePanel({ icon, title, children, action }: StatePanelProps) {
  return (
    <div className={styles.panel}>
      <span className={styles.icon}>
        <Icon name={icon} size={28} />
      </span>
      <p className={styles.title}>{title}</p>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action}
    </div>
  );
}

export function LoadingPanel({ label = texts.state.loading }: { label?: string }) {
  return (
    <div className={styles.panel} role="status">
      <Loader size="sm" aria-hidden="true" />
      <p className={styles.text}>{label}</p>
    </div>
  );
}

export function ErrorPanel({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <div role="alert">
      <StatePanel
        icon="warning"
        title={texts.state.failed}
        action={
          onRetry !== undefined && (
            <Button variant="default" onClick={onRetry} leftSection={<Icon name="retry" size={14} />}>
              {texts.state.retry}
            </Button>
          )
        }
      >
        {error instanceof Error ? error.message : String(error)}
      </StatePanel>
    </div>
  );
}
