// Entry point of the desktop app: one instance, one server process, one window. Knows nothing of APKs.
import { app, BrowserWindow, dialog } from 'electron';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { openWindow } from './window.ts';

let server: ServerProcess | undefined;

async function start(): Promise<void> {
  await app.whenReady();
  try {
    server = await startServerProcess();
  } catch (error) {
    dialog.showErrorBox('APK Workstation could not start', (error as Error).message);
    app.exit(1);
    return;
  }
  server.onUnexpectedExit((reason) => {
    dialog.showErrorBox('The server of APK Workstation has ended', reason);
    app.exit(1);
  });
  openWindow(server.loginUrl);
}

if (app.requestSingleInstanceLock()) {
  app.enableSandbox();
  app.on('second-instance', () => {
    const [window] = BrowserWindow.getAllWindows();
    if (window?.isMinimized()) window.restore();
    window?.focus();
  });
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    if (server === undefined) return;
    event.preventDefault();
    const stopping = server;
    server = undefined;
    void stopping.stop().finally(() => app.quit());
  });
  void start();
} else {
  app.quit();
}
