// Shown in place of content that is missing: empty, loading or failed. Knows nothing of the content.
import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ApiError, OfflineError } from '../../api/client.ts';
import { texts } from '../../texts.ts';
import { Icon, type IconName } from '../picture/icon.tsx';
import styles from './state-panel.module.css';

interface StatePanelProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** In place of a whole page: its title becomes the page's. */
  isPage?: boolean;
}

export function StatePanel({ icon, title, children, action, isPage = false }: StatePanelProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className={styles.panel}>
      <span className={styles.icon}>
        <Icon name={icon} size={28} />
      </span>
      <Title className={styles.title}>{title}</Title>
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

/** A title by the kind of error, which tells what to do about it. */
function kindOf(error: unknown): { icon: IconName; title: string; hint?: ReactNode } {
  if (error instanceof OfflineError) return { icon: 'offline', title: texts.state.away };
  if (!(error instanceof ApiError)) return { icon: 'warning', title: texts.state.failed };
  if (error.status === 429) {
    const hint = <Link to="/account/usage">{texts.state.usage}</Link>;
    return { icon: 'stop', title: texts.state.limited, hint };
  }
  if (error.status === 403) return { icon: 'key', title: texts.state.forbidden };
  if (error.status === 404) return { icon: 'search', title: texts.state.missing };
  return { icon: 'warning', title: texts.state.failed };
}

interface ErrorPanelProps {
  error: unknown;
  onRetry?: () => void;
  /** It stands for a whole page. */
  isPage?: boolean;
}

export function ErrorPanel({ error, onRetry, isPage = false }: ErrorPanelProps) {
  const { icon, title, hint } = kindOf(error);
  return (
    <div role="alert">
      <StatePanel
        icon={icon}
        title={title}
        isPage={isPage}
        action={
          onRetry !== undefined && (
            <Button variant="default" onClick={onRetry} leftSection={<Icon name="retry" size={14} />}>
              {texts.state.retry}
            </Button>
          )
        }
      >
        {error instanceof Error ? error.message : String(error)} {hint}
      </StatePanel>
    </div>
  );
}

interface QueryStateProps {
  query: { isPending: boolean; isError: boolean; error: unknown; refetch: () => unknown };
  /** While it loads. */
  label?: string;
  isPage?: boolean;
}

/** In place of an answer of the server that is not there: that it is loading, or why there is none. */
export function QueryState({ query: { isPending, isError, error, refetch }, label, isPage = false }: QueryStateProps) {
  if (isPending) return <LoadingPanel {...(label === undefined ? {} : { label })} />;
  return isError && <ErrorPanel error={error} onRetry={() => void refetch()} isPage={isPage} />;
}
