// Every notification, newest first, by kind and by whether it was read; the choice stands in the address.
import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import type { Notification } from '../../../server/contract/people/notification.ts';
import { useMarkAllRead, useMarkRead, useNotifications } from '../../api/people-queries.ts';
import { Page } from '../../components/page/page.tsx';
import { Segments } from '../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { ListRows } from '../../components/table/virtual-rows.tsx';
import { formatFull, formatWhen } from '../../components/text/format.ts';
import { NotificationWords, pageOf } from './notification-line.tsx';
import styles from './notifications.module.css';
import { notificationsTexts as words } from './texts.ts';

const types = [
  { value: '', label: words.everyType },
  ...Object.entries(words.types).map(([value, label]) => ({ value, label })),
];

const typeNames = Object.keys(words.types) as (keyof typeof words.types)[];

function NotificationRow({ notification: { id, is_read, created_at }, notification }: { notification: Notification }) {
  const markRead = useMarkRead();
  const label = is_read ? words.markUnread : words.markRead;
  return (
    <div className={styles.row} data-unread={!is_read} data-testid="notification">
      <span className={styles.dot} data-unread={!is_read} />
      <Link
        className={styles.words}
        to={pageOf(notification)}
        onClick={() => {
          if (!is_read) markRead.mutate({ id, isRead: true });
        }}
      >
        <NotificationWords notification={notification} />
      </Link>
      <time className={`${styles.time} tabular`} dateTime={created_at} title={formatFull(created_at)}>
        {formatWhen(created_at)}
      </time>
      <ActionIcon aria-label={label} title={label} onClick={() => markRead.mutate({ id, isRead: !is_read })}>
        <Icon name={is_read ? 'retry' : 'check'} size={14} />
      </ActionIcon>
    </div>
  );
}

export function Component() {
  const [parameters, setParameters] = useSearchParams();
  const type = typeNames.find((known) => known === parameters.get('type'));
  const choice = parameters.get('read') === 'unread' ? 'unread' : 'all';
  const list = useNotifications({ type, is_read: choice === 'unread' ? false : undefined });
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
  const rows = list.data?.items ?? [];
  return (
    <Page
      title={words.title}
      bar={
        <>
          <Segments
            label={words.filter}
            value={choice}
            onChange={(value) => set('read', value === 'all' ? '' : value)}
            labels={words.choices}
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
      <QueryState query={list} />
      {list.isSuccess && rows.length === 0 && (
        <StatePanel icon="bell" title={choice === 'unread' ? words.noneUnread : words.none}>
          {words.noneText}
        </StatePanel>
      )}
      {rows.length > 0 && (
        <ListRows rows={rows} list={list} rowHeight={40} label={words.title}>
          {(one) => <NotificationRow notification={one} />}
        </ListRows>
      )}
    </Page>
  );
}
