// The bell in the header: how much is unread, the newest of it, and the way to the rest.
import { ActionIcon, Indicator, Menu } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useMarkAllRead, useMarkRead, useUnread } from '../api/people-queries.ts';
import { Icon } from '../components/picture/icon.tsx';
import { NotificationWords, pageOf } from '../pages/notifications/notification-line.tsx';
import styles from '../pages/notifications/notifications.module.css';
import { notificationsTexts } from '../pages/notifications/texts.ts';

export function NotificationBell() {
  const navigate = useNavigate();
  const unread = useUnread();
  const markRead = useMarkRead();
  const markAll = useMarkAllRead();
  const count = unread.data?.count ?? 0;
  return (
    <Indicator label={count > 99 ? '99+' : count} size={15} disabled={count === 0} offset={4} color="accent">
      <Menu position="bottom-end" width={440}>
        <Menu.Target>
          <ActionIcon size="lg" aria-label={notificationsTexts.bell(count)}>
            <Icon name="bell" size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {(unread.data?.results ?? []).map((one) => (
            <Menu.Item
              key={one.id}
              onClick={() => {
                markRead.mutate({ id: one.id, isRead: true });
                void navigate(pageOf(one));
              }}
            >
              <span className={styles.menuItem}>
                <NotificationWords notification={one} />
              </span>
            </Menu.Item>
          ))}
          {count === 0 && <Menu.Label>{notificationsTexts.noneUnread}</Menu.Label>}
          <Menu.Divider />
          {count > 0 && <Menu.Item onClick={() => markAll.mutate()}>{notificationsTexts.markAll}</Menu.Item>}
          <Menu.Item onClick={() => void navigate('/notifications')}>{notificationsTexts.all}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Indicator>
  );
}
