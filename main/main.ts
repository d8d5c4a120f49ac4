// Entry point of the desktop app: one instance, one server process, one window. Knows nothing of APKs.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, type BrowserWindow, dialog, Menu, Notification, net, shell } from 'electron';
import { runCommand, runCommandInto } from './commands.ts';
import { readDesktopSettings } from './desktop-settings.ts';
import { LogFile } from './log-file.ts';
import { menuTemplate } from './menu.ts';
import { openedBy, routeOf, scheme } from './opened.ts';
import { type ServerMessage, ServerProcess } from './server-process.ts';
import { createTray, describeJobs, type JobCounts, type TrayIcon } from './tray.ts';
import { newerRelease } from './updates.ts';
import { bringForward, openWindow, show } from './window.ts';

const trayImage = fileURLToPath(new URL('../resources/icons/32x32.png', import.meta.url));

class DesktopApp {
  readonly #files = {
    window: join(app.getPath('userData'), 'window.json'),
    settings: join(app.getPath('userData'), 'desktop.json'),
  };
  readonly #settings = readDesktopSettings(this.#files.settings);
  readonly #log = new LogFile(app.getPath('logs'));
  readonly #server = new ServerProcess(this.#log, {
    onMessage: (message) => this.#onServerMessage(message),
    onRestart: ({ url, loginUrl }) => this.#onRestart(url, loginUrl),
    onGivingUp: (reason) => this.#giveUp('The server of APK Workstation has ended', reason),
  });
  #window: BrowserWindow | null = null;
  #tray: TrayIcon | null = null;
  #jobs: JobCounts = { queued: 0, running: 0 };
  #serverUrl = '';
  /** What the system asked to open before the server was there. */
  #waiting = openedBy(process.argv.slice(app.isPackaged ? 1 : 2), process.cwd());
  #isReady = false;
  #isQuitting = false;
  /** Quit as soon as no analysis is under way. */
  #isDraining = false;

  /** Listens to the system from the first moment: files and links may be named before anything is ready. */
  listen(): void {
    app.on('second-instance', (_event, words, workingFolder) => this.#open(openedBy(words.slice(1), workingFolder)));
    app.on('open-file', (event, path) => {
      event.preventDefault();
      this.#open({ files: [path], route: null });
    });
    app.on('open-url', (event, link) => {
      event.preventDefault();
      this.#open({ files: [], route: routeOf(link) });
    });
    app.on('activate', () => void this.#showWindow());
    app.on('window-all-closed', () => {
      // On macOS an app stays when its window goes.
      if (process.platform !== 'darwin' && !this.#isDraining) app.quit();
    });
    app.on('before-quit', (event) => {
      if (this.#isQuitting || this.#mayQuit()) return;
      event.preventDefault();
    });
    app.on('will-quit', (event) => {
      if (this.#isQuitting) return;
      event.preventDefault();
      this.#isQuitting = true;
      this.#tray?.remove();
      void this.#server.stop().finally(() => app.quit());
    });
  }

  async start(): Promise<void> {
    await app.whenReady();
    app.setAsDefaultProtocolClient(scheme);
    try {
      const { url, loginUrl } = await this.#server.start();
      this.#serverUrl = url;
      this.#openWindow(loginUrl);
    } catch (error) {
      this.#giveUp('APK Workstation could not start', (error as Error).message);
      return;
    }
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(this.#menuActions(), process.platform)));
    if (this.#settings.showsTray) {
      this.#tray = createTray(trayImage, {
        open: () => void this.#showWindow(),
        openJobs: () => void this.#showWindow('/jobs'),
        quit: () => app.quit(),
      });
    }
    this.#isReady = true;
    if (this.#waiting.files.length > 0 || this.#waiting.route !== null) this.#open(this.#waiting);
  }

  #openWindow(loginUrl: string): void {
    const window = openWindow(loginUrl, this.#files.window);
    this.#window = window;
    window.on('closed', () => {
      this.#window = null;
    });
  }

  async #showWindow(route: string | null = null): Promise<void> {
    if (!this.#isReady) return;
    if (this.#window === null) this.#openWindow(await this.#server.newLoginUrl());
    bringForward(this.#window!, route);
  }

  #open(opened: { files: readonly string[]; route: string | null }): void {
    if (!this.#isReady) {
      this.#waiting = { files: [...this.#waiting.files, ...opened.files], route: opened.route ?? this.#waiting.route };
      return;
    }
    if (opened.files.length > 0) void this.#import(opened.files);
    void this.#showWindow(opened.files.length > 0 ? '/jobs' : opened.route);
  }

  async #import(paths: readonly string[]): Promise<void> {
    try {
      const told = await runCommand(['import', '--recursive', ...paths]);
      const lines = told.trim().split('\n');
      this.#notify({ title: 'The import is done', body: lines.at(-1) ?? '', route: '/catalogue' });
      const refused = lines.filter((line) => line.startsWith('refused '));
      if (refused.length > 0) this.#tellOfFailure('Some files were not taken', refused.slice(0, 10).join('\n'));
    } catch (error) {
      this.#tellOfFailure('The import failed', (error as Error).message);
    }
  }

  #menuActions() {
    const choose = async (properties: ('openFile' | 'openDirectory' | 'multiSelections')[]) => {
      const { filePaths } = await dialog.showOpenDialog({
        properties,
        filters: properties.includes('openFile')
          ? [
              { name: 'Android packages and archives', extensions: ['apk', 'zip'] },
              { name: 'All files', extensions: ['*'] },
            ]
          : [],
      });
      if (filePaths.length > 0) this.#open({ files: filePaths, route: null });
    };
    const day = () => new Date().toISOString().slice(0, 10);
    const save = async (name: string, extensions: string[], work: (file: string) => Promise<unknown>, what: string) => {
      const { filePath } = await dialog.showSaveDialog({ defaultPath: name, filters: [{ name: what, extensions }] });
      if (!filePath) return;
      try {
        await work(filePath);
        this.#notify({ title: `${what} is written`, body: filePath, route: '/catalogue' });
      } catch (error) {
        this.#tellOfFailure(`${what} could not be written`, (error as Error).message);
      }
    };
    return {
      importFiles: () => void choose(['openFile', 'multiSelections']),
      importFolder: () => void choose(['openDirectory', 'multiSelections']),
      exportCatalogue: () =>
        void save(
          `apks-${day()}.csv`,
          ['csv', 'jsonl'],
          (file) => runCommandInto(file, ['export', '--format', file.endsWith('.jsonl') ? 'jsonl' : 'csv']),
          'The catalogue',
        ),
      backUp: () =>
        void save(`apk-workstation-${day()}.zip`, ['zip'], (file) => runCommand(['backup', file]), 'The backup'),
      showLogs: () => void shell.openPath(this.#log.folder),
      showDataFolder: () => void runCommand(['where']).then((folder) => shell.openPath(folder.trim())),
      checkForUpdates: this.#settings.updateAddress === '' ? undefined : () => void this.#checkForUpdates(),
      openRoute: (route: string) => void this.#showWindow(route),
    };
  }

  async #checkForUpdates(): Promise<void> {
    try {
      const release = await newerRelease(this.#settings.updateAddress, app.getVersion(), (url, options) =>
        net.fetch(url, options),
      );
      const message = release === null ? 'This is the newest release.' : `Release ${release.version} is available.`;
      const buttons = release === null ? ['OK'] : ['Open its page', 'Later'];
      const { response } = await dialog.showMessageBox({ type: 'info', message, buttons });
      if (release !== null && response === 0) void shell.openExternal(release.url);
    } catch (error) {
      this.#tellOfFailure('Updates could not be looked for', (error as Error).message);
    }
  }

  #onServerMessage(message: ServerMessage): void {
    if (message.kind === 'notification') this.#notify(message);
    if (message.kind !== 'jobs') return;
    this.#jobs = { queued: message.queued, running: message.running };
    this.#tray?.show(this.#jobs);
    if (this.#isDraining && message.queued + message.running === 0) app.quit();
  }

  #notify({ title, body, route }: { title: string; body: string; route: string }): void {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body });
    notification.on('click', () => void this.#showWindow(route));
    notification.show();
  }

  #onRestart(url: string, loginUrl: string): void {
    const isElsewhere = url !== this.#serverUrl;
    this.#notify({ title: 'The server was started again', body: 'It had ended. Show Logs tells why.', route: '/jobs' });
    this.#serverUrl = url;
    // On its old port the page finds the server again by itself, and stays where it was.
    if (isElsewhere && this.#window !== null) show(this.#window, loginUrl);
  }

  /** Asks where analyses are under way. @returns whether the app may quit now */
  #mayQuit(): boolean {
    const { queued, running } = this.#jobs;
    if (this.#isDraining || queued + running === 0) return true;
    const choice = dialog.showMessageBoxSync({
      type: 'question',
      message: `${describeJobs(this.#jobs)}.`,
      detail: 'What is not finished goes on at the next start.',
      buttons: ['Quit now', 'Quit when they are done', 'Cancel'],
      defaultId: 1,
      cancelId: 2,
    });
    if (choice === 1) {
      this.#isDraining = true;
      this.#window?.close();
    }
    return choice === 0;
  }

  #tellOfFailure(title: string, detail: string): void {
    void dialog.showMessageBox({ type: 'error', message: title, detail });
  }

  #giveUp(title: string, reason: string): void {
    dialog.showErrorBox(title, reason);
    app.exit(1);
  }
}

if (app.requestSingleInstanceLock()) {
  app.enableSandbox();
  const desktop = new DesktopApp();
  desktop.listen();
  void desktop.start();
} else {
  app.quit();
}
