// The one window of the desktop app. It shows the user interface of the embedded server and can go nowhere else.
import { BrowserWindow, nativeTheme, type Session, screen } from 'electron';
import { readWindowState, writeWindowState } from './window-state.ts';

/** Backgrounds of the interface, so that a new window does not flash in the other theme. */
const backgrounds = { dark: '#16181d', light: '#ffffff' } as const;

/** Chromium's ERR_ABORTED: another address was loaded meanwhile. */
const aborted = -3;
/** Milliseconds before another attempt to load: a server that has ended is being restarted. */
const reloadAfter = 1_000;

/**
 * Opens the window on the user interface. The page gets no preload script and no bridge to Electron: it speaks to the
 * server over HTTP alone, so there is no message that a page could forge.
 * @param statePath where the window's place is kept from one start to the next
 */
export function openWindow(loginUrl: string, statePath: string): BrowserWindow {
  const { bounds, isMaximized } = readWindowState(
    statePath,
    screen.getAllDisplays().map(({ workArea }) => workArea),
  );
  const window = new BrowserWindow({
    title: 'APK Workstation',
    width: 1440,
    height: 900,
    ...bounds,
    minWidth: 1024,
    minHeight: 640,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? backgrounds.dark : backgrounds.light,
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  if (isMaximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () =>
    writeWindowState(statePath, { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() }),
  );
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  window.webContents.on('will-navigate', (event) => {
    if (!URL.canParse(event.url) || new URL(event.url).origin !== originOf(window)) event.preventDefault();
  });
  window.webContents.on('did-fail-load', (_event, code, _description, url, isMainFrame) => {
    if (isMainFrame && code !== aborted) loadAgain(window, url);
  });
  window.webContents.on('will-attach-webview', (event) => event.preventDefault());
  denyPermissions(window.webContents.session);
  show(window, loginUrl);
  return window;
}

const origins = new WeakMap<BrowserWindow, string>();
const originOf = (window: BrowserWindow): string | undefined => origins.get(window);

/** Loads an address of the server, which from now on is the only origin that the window goes to. */
export function show(window: BrowserWindow, url: string): void {
  origins.set(window, new URL(url).origin);
  load(window, url);
}

const reloads = new WeakMap<BrowserWindow, NodeJS.Timeout>();

function load(window: BrowserWindow, url: string): void {
  clearTimeout(reloads.get(window));
  // What fails is told by `did-fail-load`.
  void window.loadURL(url).catch(() => undefined);
}

/** In a moment, unless the window is gone, or goes to another page or server meanwhile. */
function loadAgain(window: BrowserWindow, url: string): void {
  clearTimeout(reloads.get(window));
  const reload = () => {
    if (!window.isDestroyed() && new URL(url).origin === originOf(window)) load(window, url);
  };
  reloads.set(window, setTimeout(reload, reloadAfter));
}

/** Brings the window to the front and, where one is given, a page of the interface into it. */
export function bringForward(window: BrowserWindow, route: string | null = null): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
  const origin = originOf(window);
  if (route !== null && origin !== undefined) load(window, `${origin}/app/#${route}`);
}

/** The interface needs the clipboard to copy hashes, and nothing else that a page must ask for. */
function denyPermissions(session: Session): void {
  const isAllowed = (permission: string) => permission === 'clipboard-sanitized-write';
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isAllowed(permission)));
  session.setPermissionCheckHandler((_contents, permission) => isAllowed(permission));
}
