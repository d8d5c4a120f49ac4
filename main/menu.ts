// The application menu, by each platform's conventions. Knows what can be done, not how.
import type { MenuItemConstructorOptions } from 'electron';

export interface MenuActions {
  importFiles(): void;
  importFolder(): void;
  exportCatalogue(): void;
  backUp(): void;
  showLogs(): void;
  showDataFolder(): void;
  /** Absent where no address for updates is set. */
  checkForUpdates?: (() => void) | undefined;
  openRoute(route: string): void;
}

const separator: MenuItemConstructorOptions = { type: 'separator' };

export function menuTemplate(actions: MenuActions, platform: NodeJS.Platform): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const updates: MenuItemConstructorOptions[] =
    actions.checkForUpdates === undefined ? [] : [{ label: 'Check for Updates…', click: actions.checkForUpdates }];
  const go = (label: string, route: string, key: string): MenuItemConstructorOptions => ({
    label,
    accelerator: `CmdOrCtrl+${key}`,
    click: () => actions.openRoute(route),
  });
  const about: MenuItemConstructorOptions = {
    label: 'About APK Workstation',
    click: () => actions.openRoute('/about'),
  };
  return [
    ...(isMac
      ? [
          {
            role: 'appMenu',
            submenu: [
              about,
              ...updates,
              separator,
              { role: 'services' },
              separator,
              { role: 'hide' },
              { role: 'hideOthers' },
              { role: 'unhide' },
              separator,
              { role: 'quit' },
            ],
          } as MenuItemConstructorOptions,
        ]
      : []),
    {
      label: '&File',
      submenu: [
        { label: 'Import Files…', accelerator: 'CmdOrCtrl+O', click: actions.importFiles },
        { label: 'Import Folder…', accelerator: 'CmdOrCtrl+Shift+O', click: actions.importFolder },
        separator,
        { label: 'Export Catalogue…', accelerator: 'CmdOrCtrl+E', click: actions.exportCatalogue },
        { label: 'Back Up…', click: actions.backUp },
        separator,
        isMac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&Go',
      submenu: [
        go('Catalogue', '/catalogue', '1'),
        go('Jobs', '/jobs', '2'),
        go('Rulesets', '/rulesets', '3'),
        go('Dashboard', '/dashboard', '4'),
      ],
    },
    { role: 'viewMenu' },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        { label: 'Show Logs', click: actions.showLogs },
        { label: 'Show Data Folder', click: actions.showDataFolder },
        ...(isMac ? [] : [separator, ...updates, about]),
      ],
    },
  ];
}
