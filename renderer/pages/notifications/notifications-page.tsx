// Every notification, newest first, by kind and by whether it was read; the choice stands in the address.
import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useMarkAllRead, useMarkRead, useNotifications } from '../../api/people-queries.ts';
import { Page, useMoreAtEnd } from '../../components/page/page.tsx';
import { Segments } from '../../components/page/segments.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { VirtualRows } from '../../components/table/virtual-rows.tsx';
import { formatFull, formatWhen } from '../../components/text/format.ts';
import { NotificationWords, pageOf } from './notification-line.tsx';
import styles from './notifications.module.css';
import { notificationsTexts as words } from './texts.ts';

const choices = Object.entries(words.choices).map(([value, label]) => ({ value: value as 'all' | 'unread', label }));
const types = [
  { value: '', label: words.everyType },
  ...Object.entries(words.types).map(([value, label]) => ({ value, label })),
];

const typeNames = Object.keys(words.types) as (keyof typeof words.types)[];

export function Component() {
  const [parameters, setParameters] = useSearchParams();
  const type = typeNames.find((known) => known === parameters.get('type'));
  const choice = parameters.get('read') === 'unread' ? 'unread' : 'all';
  const list = useNotifications({
    type,
    is_read: choice === 'unread' ? false : undefined,
  });
  const markRead = useMarkRead();
  const markAll = useMarkAllRead();
  const set = (name: string, value: string) =>
    setParameters(
      (known) => {
        const next = new URLSearchParams(known);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const rows = useMemo(() => list.data?.pages.flatMap(({ results }) => results) ?? [], [list.data]);
  const onRange = useMoreAtEnd(list, rows.length);
  return (
    <Page
      title={words.title}
      bar={
        <>
          <Segments
            label={words.filter}
            value={choice}
            onChange={(value) => set('read', value === 'all' ? '' : value)}
            segments={choices}
          />
          <NativeSelect
            size="xs"
            aria-label={words.type}
            value={type ?? ''}
            onChange={(event) => set('type', event.currentTarget.value)}
            data={types}
          />
        </>
      }
      actions={
        <Button variant="default" loading={markAll.isPending} onClick={() => markAll.mutate()}>
          {words.markAll}
        </Button>
      }
    >
      {list.isPending && <LoadingPanel />}
      {list.isError && <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && (
        <StatePanel icon="bell" title={choice === 'unread' ? words.noneUnread : words.none}>
          {words.noneText}
        </StatePanel>
      )}
      {rows.length > 0 && (
        <VirtualRows count={rows.length} rowHeight={40} label={words.title} isNavigable isMain onRange={onRange}>
          {(index) => {
            const one = rows[index];
            if (one === undefined) return null;
            const label = one.is_read ? words.markUnread : words.markRead;
            return (
              <div className={styles.row} data-unread={!one.is_read} data-testid="notification">
                <span className={styles.dot} data-unread={!one.is_read} />
                <Link
                  className={styles.words}
                  to={pageOf(one)}
                  onClick={() => {
                    if (!one.is_read) markRead.mutate({ id: one.id, isRead: true });
                  }}
                >
                  <NotificationWords notification={one} />
                </Link>
                <time className={`${styles.time} tabular`} dateTime={one.created_at} title={formatFull(one.created_at)}>
                  {formatWhen(one.created_at)}
                </time>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={label}
                  title={label}
                  onClick={() => markRead.mutate({ id: one.id, isRead: !one.is_read })}
                >
                  <Icon name={one.is_read ? 'retry' : 'check'} size={14} />
                </ActionIcon>
              </div>
            );
          }}
        </VirtualRows>
      )}
    </Page>
  );
}
