// The desktop shell against a stand-in for Electron (test/fixtures/electron-stand-in.mjs), with the real server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { treeRoot } from '../../architecture/import-boundaries.ts';
import { desktopProgram } from '../../fixtures/program.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

interface Recorded {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: each record has its own details
  [detail: string]: any;
}

interface Run {
  events: Recorded[];
  status: number | null;
  folder: string;
  find(name: string): Recorded[];
}

interface RunOptions {
  environment?: Record<string, string>;
  script?: object[];
  answers?: object;
  words?: string[];
  /** Of an earlier run. */
  folder?: string;
}

function runShell({ environment = {}, script, answers, words = [], folder }: RunOptions = {}): Promise<Run> {
  const standIn = pathToFileURL(join(treeRoot, 'test/fixtures/electron-stand-in.mjs')).href;
  const home = folder ?? temporaryFolder('shell');
  const child = spawn(process.execPath, ['--import', standIn, desktopProgram, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 300_000,
    killSignal: 'SIGKILL',
    env: {
      ...process.env,
      APK_WORKSTATION_DATA: join(home, 'data'),
      STAND_IN_FOLDER: home,
      ...(script === undefined ? {} : { STAND_IN_SCRIPT: JSON.stringify(script) }),
      ...(answers === undefined ? {} : { STAND_IN_ANSWERS: JSON.stringify(answers) }),
      ...environment,
    },
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  return new Promise((resolve) =>
    child.on('close', (status) => {
      const events = stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Recorded);
      resolve({ events, status, folder: home, find: (name) => events.filter(({ event }) => event === name) });
    }),
  );
}

const linked = 'ab'.repeat(32);
/** Of one person: what its tests tell of does not touch each other. */
let first: Run;
/** The next start of the same person, who uses the menus and what the system hands over. */
let second: Run;
before(async () => {
  first = await runShell();
  second = await runShell({
    folder: first.folder,
    answers: { save: join(first.folder, 'written') },
    script: [
      { fail: -3 },
      { fail: -102 },
      { fail: -102 },
      { wait: '"load"', count: 2 },
      { menu: 'Show Logs' },
      { menu: 'Show Data Folder' },
      { wait: 'open-path.*data' },
      { emit: 'second-instance', arguments: [{}, ['electron', desktopProgram], '/'] },
      { wait: 'focus' },
      { menu: 'Export Catalogue…' },
      { wait: 'notification' },
      { menu: 'Back Up…' },
      { wait: 'notification', count: 2 },
      { emit: 'open-url', arguments: [{}, `apk-workstation://apks/${linked}`] },
      { wait: 'load.*#/apks/ab' },
      { emit: 'open-url', arguments: [{}, 'apk-workstation://../../etc/passwd'] },
      { emit: 'open-url', arguments: [{}, 'https://evil.example/'] },
      { close: true },
    ],
  });
});

test('the window loads the interface of its own server through a link that logs in', () => {
  const [load] = first.find('load');
  assert.match(String(load?.url), /^http:\/\/127\.0\.0\.1:\d+\/app\/#\/login\?code=/);
  assert.equal(load?.status, 200);
  assert.equal(first.find('show').length, 1);
});

test('the page is sandboxed, isolated, without Node and without a preload script', () => {
  const { webPreferences } = first.find('window')[0]!.options as { webPreferences: Record<string, unknown> };
  assert.deepEqual(
    { ...webPreferences },
    { sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false, spellcheck: false },
  );
  assert.equal(first.find('sandbox').length, 1);
});

test('new windows, other origins and permissions are denied, except writing to the clipboard', () => {
  assert.deepEqual(first.find('window-open'), [{ event: 'window-open', action: 'deny' }]);
  assert.deepEqual(
    first.find('navigate').map(({ isPrevented }) => isPrevented),
    [true, false],
  );
  assert.deepEqual(
    first.find('permission').map(({ permission, allowed }) => [permission, allowed]),
    [
      ['media', false],
      ['geolocation', false],
      ['clipboard-sanitized-write', true],
    ],
  );
});

test('closing the last window ends the server before the app quits', () => {
  assert.equal(first.events.at(-1)?.event, 'quit');
  assert.equal(first.status, 0);
});

test('the window opens where it was closed, as large as it was', () => {
  const { x, y, width, height } = second.find('window')[0]!.options;
  assert.deepEqual([x, y, width, height], [10, 20, 1200, 800]);
  assert.equal(second.find('maximize').length, 1);
});

test('a second instance quits without a server or a window', async () => {
  const { events } = await runShell({ environment: { STAND_IN_SECOND_INSTANCE: '1' } });
  assert.deepEqual(
    events.map(({ event }) => event),
    ['quit'],
  );
});

test('a server that cannot start is told in a dialog', async () => {
  const failing = await runShell({ environment: { APK_WORKSTATION_DATA: '/dev/null/nowhere' } });
  assert.equal(failing.find('error-box')[0]?.title, 'APK Workstation could not start');
  assert.equal(failing.status, 1);
});

test('the server’s log is kept in a file that the menu shows', () => {
  const { find, folder } = second;
  assert.deepEqual(
    find('open-path').map(({ path }) => path),
    [join(folder, 'logs'), join(folder, 'data')],
  );
  assert.match(readFileSync(join(folder, 'logs', 'server.log'), 'utf8'), /"level":30/);
});

test('APKs opened from the shell, before the start and by a second instance, are imported', async () => {
  const { find, folder } = await runShell({
    words: [realApks.unlock],
    script: [
      { wait: 'notification.*1 added' },
      { emit: 'second-instance', arguments: [{}, ['app', realApks.unicodeIme, realApks.minicap], '/'] },
      { wait: 'notification.*2 added' },
      { quit: true },
    ],
    answers: { message: 0 },
  });
  assert.ok(find('load').some(({ url }) => String(url).endsWith('/app/#/jobs')));
  assert.equal(find('window').length, 1);
  assert.ok(existsSync(join(folder, 'data', 'apks')));
});

test('files and folders chosen in the system’s dialogs are imported', async () => {
  const folder = temporaryFolder('chosen');
  copyFileSync(realApks.unicodeIme, join(folder, 'chosen.apk'));
  writeFileSync(join(folder, 'notes.txt'), 'no app');
  const { find, events } = await runShell({
    answers: { openFile: [realApks.unlock], openDirectory: [folder], message: 0 },
    script: [
      { menu: 'Import Files…' },
      { wait: 'notification.*1 added' },
      { menu: 'Import Folder…' },
      { wait: 'notification.*1 added', count: 2 },
      { quit: true },
    ],
  });
  const dialogs = find('open-dialog');
  assert.deepEqual(
    dialogs.map(({ options }) => options.properties),
    [
      ['openFile', 'multiSelections'],
      ['openDirectory', 'multiSelections'],
    ],
  );
  const refusals = find('message');
  assert.deepEqual(
    refusals.map(({ options }) => options.message),
    ['Some files were not taken'],
  );
  assert.match(refusals[0]!.options.detail, /notes\.txt: .*not an Android application/);
  assert.ok(events.indexOf(refusals[0]!) > events.indexOf(dialogs[1]!), 'the file alone was taken without a word');
});

test('a link opens the page it names and nothing else', () => {
  const pages = second.find('load').map(({ url }) => new URL(url).hash);
  assert.equal(pages.length, 3);
  assert.equal(pages[2], `#/apks/${linked}`);
});

test('a page that could not be loaded is loaded again once, and one that gave way to another is not', () => {
  const [loaded, again, ...others] = second.find('load').map(({ url }) => url);
  assert.equal(again, loaded);
  assert.deepEqual(
    others.map((url) => new URL(url).hash),
    [`#/apks/${linked}`],
  );
});

/** A server that dies, and whose window goes on; it dies again, and another program has its port. */
let dying: Run;
test('a server that dies is started again on its port, and the window stays', async () => {
  dying = await runShell({
    script: [
      { kill: true },
      { wait: 'started again' },
      { menu: 'Jobs' },
      { wait: 'load.*#/jobs' },
      { kill: 'port' },
      { wait: '"navigate"', count: 4 },
      { close: true },
    ],
  });
  const { find, status } = dying;
  assert.equal(find('window').length, 1);
  const [before_, after_] = find('load').map(({ url }) => new URL(url).origin);
  assert.equal(after_, before_);
  assert.equal(find('error-box').length, 0);
  assert.equal(status, 0);
});

test('a server that dies and finds its port taken is shown on another, and the window goes nowhere else', () => {
  const { find, status } = dying;
  const [, former, other, ...others] = find('load').map(({ url }) => url);
  const origins = [former, other].map((url) => new URL(url).origin);
  assert.deepEqual(others, []);
  assert.notEqual(origins[0], origins[1]);
  assert.match(other, /#\/login\?code=/);
  const after_ = find('navigate').slice(2);
  assert.deepEqual(
    after_.map(({ url, isPrevented }) => [new URL(url).origin, isPrevented]),
    [
      [origins[0], true],
      [origins[1], false],
    ],
  );
  assert.equal(find('window').length, 1);
  assert.equal(status, 0);
});

test('a server that dies again and again is given up, and its log is told', async () => {
  const again = [1, 2, 3].flatMap((count) => [{ kill: true }, { wait: 'started again', count }]);
  const { find, status } = await runShell({ script: [...again, { kill: true }, { wait: 'never' }] });
  assert.equal(find('error-box')[0]?.title, 'The server of APK Workstation has ended');
  assert.match(find('error-box')[0]?.content, /SIGKILL/);
  assert.equal(status, 1);
});

test('closing the window while work is under way asks first, and Cancel keeps the window', async () => {
  const files = Object.values(realApks).slice(0, 4);
  const { find, status } = await runShell({
    words: files,
    script: [{ close: true }, { wait: 'close-prevented' }, { wait: 'notification.*added' }, { end: true }],
    answers: { message: 2 },
  });
  assert.match(find('question')[0]!.options.message, /An import of 4 files and folders/);
  assert.equal(find('window').length, 1);
  assert.equal(status, 9);
});

test('the app does not import its own program where a second start names it', () => {
  assert.ok(second.find('focus').length > 0);
  assert.ok(!second.find('load').some(({ url }) => String(url).endsWith('#/jobs')));
});

test('quitting while analyses run asks, and goes on with them at the next start', async () => {
  const files = Object.values(realApks).slice(0, 4);
  const stopped = await runShell({
    words: files,
    script: [{ wait: 'tray-tip.*[0-9] analys' }, { quit: true }],
    answers: { message: 0 },
  });
  const [question] = stopped.find('question');
  assert.match(question!.options.message, /under way/);
  assert.ok(stopped.find('tray-tip').some(({ text }) => /[0-9] analys[ei]s under way/.test(text)));
  assert.deepEqual(question!.options.buttons, ['Quit now', 'Quit when they are done', 'Cancel']);
  assert.equal(stopped.status, 0);
});

test('the catalogue and a backup are written where the dialog says', () => {
  assert.match(readFileSync(join(second.folder, 'written.csv'), 'utf8'), /^sha256,md5/);
  assert.ok(existsSync(join(second.folder, 'written.zip')));
  assert.deepEqual(
    second.find('notification').map(({ title }) => title),
    ['The catalogue is written', 'The backup is written'],
  );
});

/** Updates are looked for where nobody answers, and folders cannot be shown. */
let troubled: Run;
test('a folder that the system cannot show is told', async () => {
  const folder = temporaryFolder('shell');
  mkdirSync(join(folder, 'userData'));
  const settings = JSON.stringify({ updateAddress: 'https://127.0.0.1:9/latest' });
  writeFileSync(join(folder, 'userData', 'desktop.json'), settings);
  troubled = await runShell({
    folder,
    script: [
      { menu: 'Show Logs' },
      { wait: '"message"' },
      { menu: 'Check for Updates…' },
      { wait: '"message"', count: 2 },
      { close: true },
    ],
    answers: { openPath: 'no program for folders' },
  });
  const { options } = troubled.find('message')[0]!;
  assert.deepEqual([options.message, options.detail], ['The folder could not be shown', 'no program for folders']);
});

test('updates are looked for only where an address is set', () => {
  assert.deepEqual(JSON.parse(readFileSync(join(first.folder, 'userData', 'desktop.json'), 'utf8')), {
    updateAddress: '',
    showsTray: true,
  });
  assert.equal(first.find('message').length, 0);
  const asked = troubled.find('message')[1]!;
  assert.equal(asked.options.message, 'Updates could not be looked for');
});
