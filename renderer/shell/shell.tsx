// The frame around every page: rail, header, banner, status line, trays. Knows nothing of what the pages show.
import { Suspense } from 'react';
import { Outlet, useNavigate } from 'react-router';
import { LoadingPanel } from '../components/page/state-panel.tsx';
import { pages } from '../pages/pages.ts';
import { useShortcut } from '../shortcuts/shortcuts.ts';
import { ShortcutsHelp } from '../shortcuts/shortcuts-help.tsx';
import { useInterface } from '../state/interface.ts';
import { texts } from '../texts.ts';
import { AuthorityBanner } from './authority-banner.tsx';
import { Header } from './header.tsx';
import { JobsTray } from './jobs-tray.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { Rail } from './rail.tsx';
import { CommandPalette } from './search/command-palette.tsx';
import styles from './shell.module.css';
import { StatusLine } from './status-line.tsx';
import { shellTexts } from './texts.ts';
import { DropTarget } from './uploads/drop-target.tsx';
import { UploadsPanel } from './uploads/uploads-panel.tsx';
import { useServerEvents } from './use-server-events.ts';

function PageShortcut({ keys, title, address }: { keys: string; title: string; address: string }) {
  const navigate = useNavigate();
  useShortcut(texts.shortcuts.general, [keys], texts.shortcuts.go(title), () => void navigate(address));
  return null;
}

export function Shell() {
  useServerEvents();
  useShortcut(texts.shortcuts.general, ['?'], texts.shortcuts.help, () => useInterface.getState().setHelpOpen(true));
  useShortcut(texts.shortcuts.general, ['t'], texts.shortcuts.tray, () => {
    const { isJobsTrayOpen, setJobsTrayOpen } = useInterface.getState();
    setJobsTrayOpen(!isJobsTrayOpen);
  });
  return (
    <DropTarget>
      {pages.map(
        ({ key, title, address }) =>
          key !== undefined && <PageShortcut key={key} keys={`g ${key}`} title={title} address={address} />,
      )}
      <div className={styles.frame}>
        <button type="button" className={styles.skip} onClick={() => document.getElementById('main')?.focus()}>
          {shellTexts.skip}
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
