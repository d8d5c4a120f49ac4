// The icon in the system's tray: how many analyses are under way. Knows nothing of how they run.
import { Menu, nativeImage, Tray } from 'electron';

export interface JobCounts {
  queued: number;
  running: number;
}

export function describeJobs({ queued, running }: JobCounts): string {
  if (queued + running === 0) return 'No analysis under way';
  const waiting = queued === 0 ? '' : `, ${queued} waiting`;
  return `${running} ${running === 1 ? 'analysis' : 'analyses'} under way${waiting}`;
}

export interface TrayIcon {
  show(counts: JobCounts): void;
  remove(): void;
}

export function createTray(imagePath: string, actions: { open(): void; openJobs(): void; quit(): void }): TrayIcon {
  const tray = new Tray(nativeImage.createFromPath(imagePath));
  tray.on('click', actions.open);
  const show = (counts: JobCounts) => {
    tray.setToolTip(`APK Workstation — ${describeJobs(counts)}`);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: describeJobs(counts), click: actions.openJobs },
        { type: 'separator' },
        { label: 'Open APK Workstation', click: actions.open },
        { label: 'Quit', click: actions.quit },
      ]),
    );
  };
  show({ queued: 0, running: 0 });
  return { show, remove: () => tray.destroy() };
}
