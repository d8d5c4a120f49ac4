// The frame around every page: rail, header, banner, status line, trays. Knows nothing of what the pages show.
import { Suspense } from 'react';
import { Outlet, useNavigate } from 'react-router';
import { LoadingPanel } from '../components/state-panel.tsx';
import { useInterface } from '../state/interface.ts';
import { texts } from '../texts.ts';
import { AuthorityBanner } from './authority-banner.tsx';
import { CommandPalette } from './command-palette.tsx';
import { DropTarget } from './drop-target.tsx';
import { Header } from './header.tsx';
import { JobsTray } from './jobs-tray.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { Rail } from './rail.tsx';
import styles from './shell.module.css';
import { useShortcut } from './shortcuts.ts';
import { ShortcutsHelp } from './shortcuts-help.tsx';
import { StatusLine } from './status-line.tsx';
import { UploadsPanel } from './uploads-panel.tsx';
import { useServerEvents } from './use-server-events.ts';

export function Shell() {
  const navigate = useNavigate();
  useServerEvents();
  useShortcut(texts.shortcuts.general, ['?'], texts.shortcuts.help, () => useInterface.getState().setHelpOpen(true));
  useShortcut(texts.shortcuts.general, ['g c'], texts.shortcuts.catalogue, () => void navigate('/catalogue'));
  useShortcut(texts.shortcuts.general, ['g j'], texts.shortcuts.jobs, () => void navigate('/jobs'));
  useShortcut(texts.shortcuts.general, ['g d'], texts.dashboard.title, () => void navigate('/dashboard'));
  useShortcut(texts.shortcuts.general, ['g r'], texts.rulesets.title, () => void navigate('/rulesets'));
  useShortcut(texts.shortcuts.general, ['g n'], texts.notifications.title, () => void navigate('/notifications'));
  useShortcut(texts.shortcuts.general, ['t'], texts.shortcuts.tray, () => {
    const { isJobsTrayOpen, setJobsTrayOpen } = useInterface.getState();
    setJobsTrayOpen(!isJobsTrayOpen);
  });
  return (
    <DropTarget>
      <div className={styles.frame}>
        <button type="button" className={styles.skip} onClick={() => document.getElementById('main')?.focus()}>
          {texts.shell.skip}
        </button>
        <Rail />
        <Header />
        <main id="main" className={styles.main} tabIndex={-1}>
          <OfflineBanner />
          <AuthorityBanner />
          <Suspense fallback={<LoadingPanel />}>
            <Outlet />
          </Suspense>
        </main>
        <StatusLine />
      </div>
      <JobsTray />
      <UploadsPanel />
      <ShortcutsHelp />
      <CommandPalette />
    </DropTarget>
  );
}
