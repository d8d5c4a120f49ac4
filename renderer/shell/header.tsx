// The line at the window's top: search, adding APKs, jobs, colours, account. Knows nothing of the pages.
import { ActionIcon, Indicator, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import { useNavigate } from 'react-router';
import { closeSession, useAccount, useJobs, useMay } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { Icon } from '../components/picture/icon.tsx';
import { jobsTexts } from '../components/status/texts.ts';
import { aboutTexts } from '../pages/about/texts.ts';
import { accountTexts } from '../pages/account/texts.ts';
import { administrationTexts } from '../pages/administration/texts.ts';
import { passwordTexts } from '../pages/login/texts.ts';
import { useInterface } from '../state/interface.ts';
import { useSession } from '../state/session.ts';
import { NotificationBell } from './notification-bell.tsx';
import { SearchLine } from './search/search-line.tsx';
import styles from './shell.module.css';
import { shellTexts } from './texts.ts';
import { UploadButton } from './uploads/upload-button.tsx';

const schemes = [
  { value: 'light', icon: 'sun' },
  { value: 'dark', icon: 'moon' },
  { value: 'auto', icon: 'contrast' },
] as const;

function SchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const current = schemes.find(({ value }) => value === colorScheme) ?? schemes[2];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="lg" aria-label={shellTexts.scheme}>
          <Icon name={current.icon} size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon name={icon} />}
            rightSection={value === colorScheme ? <Icon name="check" size={14} /> : null}
            onClick={() => setColorScheme(value)}
          >
            {shellTexts.schemes[value]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function AccountMenu() {
  const account = useAccount();
  const may = useMay();
  const navigate = useNavigate();
  const username = useSession(({ session }) => session?.username ?? '');
  const logOut = async () => {
    try {
      await closeSession();
    } catch (error) {
      // Unreachable or expired already: here it ends in any case.
      console.info('The session could not be closed on the server.', error);
    }
    useSession.getState().end('asked');
    queryClient.clear();
    void navigate('/login');
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="lg" aria-label={shellTexts.account(username)}>
          <Icon name="person" size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {username}
          {account.data !== undefined && ` · ${account.data.role} · ${account.data.api_group}`}
        </Menu.Label>
        <Menu.Item leftSection={<Icon name="person" />} onClick={() => void navigate('/account/profile')}>
          {accountTexts.title}
        </Menu.Item>
        {may('settings.manage') && (
          <Menu.Item leftSection={<Icon name="settings" />} onClick={() => void navigate('/administration/accounts')}>
            {administrationTexts.title}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Icon name="key" />} onClick={() => void navigate('/password')}>
          {passwordTexts.menu}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="shield" />} onClick={() => void navigate('/about')}>
          {aboutTexts.title}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="back" />} onClick={() => void logOut()}>
          {shellTexts.logOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function JobsButton() {
  const { isJobsTrayOpen, setJobsTrayOpen } = useInterface();
  const jobs = useJobs({ status: 'active' });
  const count = jobs.data?.count ?? 0;
  return (
    <Tooltip label={jobsTexts.tray} disabled={isJobsTrayOpen}>
      <Indicator label={count > 999 ? '999+' : count} size={15} disabled={count === 0} offset={4} color="accent">
        <ActionIcon
          size="lg"
          aria-label={jobsTexts.trayLabel(count)}
          aria-expanded={isJobsTrayOpen}
          onClick={() => setJobsTrayOpen(!isJobsTrayOpen)}
        >
          <Icon name="jobs" size={18} />
        </ActionIcon>
      </Indicator>
    </Tooltip>
  );
}

export function Header() {
  return (
    <header className={styles.header}>
      <SearchLine />
      <div className={styles.spacer} />
      <UploadButton />
      <JobsButton />
      <NotificationBell />
      <SchemeMenu />
      <AccountMenu />
    </header>
  );
}
