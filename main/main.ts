// Entry point of the desktop app: one instance, one server process, one window. Knows nothing of APKs.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, type BrowserWindow, dialog, Menu, Notification, net, shell } from 'electron';
import type { ImportSummary } from '../server/app/commands/import.ts';
import { LogFile } from '../server/app/log-file.ts';
import { endCommands, runCommand, runCommandInto } from './commands.ts';
import { readDesktopSettings } from './desktop-settings.ts';
import { menuTemplate } from './menu.ts';
import { openedBy, routeOf, scheme } from './opened.ts';
import { type ServerMessage, ServerProcess } from './server-process.ts';
import { createTray, describeJobs, type JobCounts, type TrayIcon } from './tray.ts';
import { newerRelease } from './updates.ts';
import { bringForward, openWindow, show } from './window.ts';

/** As electron-builder.yml has it. */
const appId = 'org.apkworkstation.desktop';
const ownFile = fileURLToPath(import.meta.url);
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
  #waiting = this.#opened(process.argv.slice(1), process.cwd());
  #isReady = false;
  #isQuitting = false;
  /** Quit as soon as no analysis is under way. */
  #isDraining = false;
  /** The owner has said that what is under way may be left. */
  #isQuitConfirmed = false;
  /** What the shell itself does just now, by its name: an import, a backup. */
  readonly #works = new Set<string>();
  /** Held while they are shown: one that is garbage-collected gets no click events. */
  readonly #notifications = new Set<Notification>();

  /** Unpackaged, this program's own file stands among the words. */
  #opened(words: readonly string[], workingFolder: string): { files: string[]; route: string | null } {
    const { files, route } = openedBy(words, workingFolder);
    return { files: files.filter((path) => path !== ownFile), route };
  }

  /** Listens to the system from the first moment: files and links may be named before anything is ready. */
  listen(): void {
    app.on('second-instance', (_event, words, workingFolder) =>
      this.#open(this.#opened(words.slice(1), workingFolder)),
    );
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
      endCommands();
      void this.#server.stop().finally(() => app.quit());
    });
  }

  async start(): Promise<void> {
    await app.whenReady();
    // Unpackaged, Windows has to be told what Electron's own program is to run.
    if (app.isPackaged) app.setAsDefaultProtocolClient(scheme);
    else app.setAsDefaultProtocolClient(scheme, process.execPath, [ownFile]);
    // Windows shows notifications of programs with an identity alone; the installer gives the shortcut the same.
    app.setAppUserModelId(appId);
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
    // Where closing the window ends the app it asks while there is still a window to stay in.
    window.on('close', (event) => {
      if (process.platform !== 'darwin' && !this.#isQuitting && !this.#mayQuit()) event.preventDefault();
    });
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      this.#log.write(`The window's page has ended (${reason}). It is loaded again.\n`);
      window.webContents.reload();
    });
    window.on('closed', () => {
      this.#window = null;
    });
  }

  async #showWindow(route: string | null = null): Promise<void> {
    if (!this.#isReady) return;
    try {
      if (this.#window === null) {
        const loginUrl = await this.#server.newLoginUrl();
        // Two may have asked at the same time.
        if (this.#window === null) this.#openWindow(loginUrl);
      }
      bringForward(this.#window!, route);
    } catch (error) {
      this.#tellOfFailure('The window could not be opened', (error as Error).message);
    }
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
    const work = `An import of ${paths.length === 1 ? '1 file or folder' : `${paths.length} files and folders`}`;
    this.#works.add(work);
    try {
      const told = await runCommand(['import', '--json', '--recursive', ...paths]);
      const { added, held, refused } = JSON.parse(told) as ImportSummary;
      const body = `${added} added, ${held} held already, ${refused.length} refused`;
      this.#notify({ title: 'The import is done', body, route: '/catalogue' });
      if (refused.length > 0) {
        const reasons = refused.slice(0, 10).map(({ name, reason }) => `${name}: ${reason}`);
        this.#tellOfFailure('Some files were not taken', reasons.join('\n'));
      }
    } catch (error) {
      if (!this.#isQuitting) this.#tellOfFailure('The import failed', (error as Error).message);
    } finally {
      this.#workEnded(work);
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
      const written = `${what} that is being written`;
      this.#works.add(written);
      try {
        await work(filePath);
        this.#notify({ title: `${what} is written`, body: filePath, route: '/catalogue' });
      } catch (error) {
        if (!this.#isQuitting) this.#tellOfFailure(`${what} could not be written`, (error as Error).message);
      } finally {
        this.#workEnded(written);
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
      showLogs: () => void this.#showFolder(this.#log.folder),
      showDataFolder: () => void this.#showFolder(runCommand(['where']).then((folder) => folder.trim())),
      checkForUpdates: this.#settings.updateAddress === '' ? undefined : () => void this.#checkForUpdates(),
      openRoute: (route: string) => void this.#showWindow(route),
    };
  }

  async #showFolder(folder: string | Promise<string>): Promise<void> {
    try {
      const fault = await shell.openPath(await folder);
      if (fault) throw new Error(fault);
    } catch (error) {
      this.#tellOfFailure('The folder could not be shown', (error as Error).message);
    }
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
    this.#quitIfDrained();
  }

  #workEnded(work: string): void {
    this.#works.delete(work);
    this.#quitIfDrained();
  }

  #quitIfDrained(): void {
    if (this.#isDraining && this.#jobs.queued + this.#jobs.running + this.#works.size === 0) app.quit();
  }

  #notify({ title, body, route }: { title: string; body: string; route: string }): void {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body });
    this.#notifications.add(notification);
    notification.on('click', () => void this.#showWindow(route));
    for (const end of ['click', 'close', 'failed'] as const) {
      notification.on(end as 'close', () => this.#notifications.delete(notification));
    }
    notification.show();
  }

  #onRestart(url: string, loginUrl: string): void {
    const isElsewhere = url !== this.#serverUrl;
    this.#notify({ title: 'The server was started again', body: 'It had ended. Show Logs tells why.', route: '/jobs' });
    this.#serverUrl = url;
    // On its old port the page finds the server again by itself, and stays where it was.
    if (isElsewhere && this.#window !== null) show(this.#window, loginUrl);
  }

  /** Asks where analyses, imports or backups are under way. @returns whether the app may quit now */
  #mayQuit(): boolean {
    const { queued, running } = this.#jobs;
    const hasJobs = queued + running > 0;
    if (this.#isDraining || this.#isQuitConfirmed || (!hasJobs && this.#works.size === 0)) return true;
    const choice = dialog.showMessageBoxSync({
      type: 'question',
      message: `${[...(hasJobs ? [describeJobs(this.#jobs)] : []), ...this.#works].join(', ')}.`,
      detail:
        'Analyses that are not finished go on at the next start. An import can be started again and skips what it has taken; a file that is being written is given up.',
      buttons: ['Quit now', 'Quit when they are done', 'Cancel'],
      defaultId: 1,
      cancelId: 2,
    });
    this.#isQuitConfirmed = choice === 0;
    if (choice === 1) {
      this.#isDraining = true;
      // The window cannot be closed while it handles being closed.
      setImmediate(() => this.#window?.close());
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
