// The one window of the desktop app. It shows the user interface of the embedded server and can go nowhere else.
import { BrowserWindow, type Session } from 'electron';

/** Opens the window on the user interface. The page gets no bridge to Electron: it speaks to the server over HTTP alone. */
export function openWindow(loginUrl: string): BrowserWindow {
  const window = new BrowserWindow({
    title: 'APK Workstation',
    width: 1440,
    height: 900,
    minWidth: 1024,
    minHeight: 640,
    show: false,
    backgroundColor: '#16181d',
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  const { origin } = new URL(loginUrl);
  window.once('ready-to-show', () => window.show());
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  window.webContents.on('will-navigate', (event) => {
    if (!URL.canParse(event.url) || new URL(event.url).origin !== origin) event.preventDefault();
  });
  window.webContents.on('will-attach-webview', (event) => event.preventDefault());
  denyPermissions(window.webContents.session);
  void window.loadURL(loginUrl);
  return window;
}

/** The interface needs the clipboard to copy hashes, and nothing else that a page must ask for. */
function denyPermissions(session: Session): void {
  const isAllowed = (permission: string) => permission === 'clipboard-sanitized-write';
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isAllowed(permission)));
  session.setPermissionCheckHandler((_contents, permission) => isAllowed(permission));
}
