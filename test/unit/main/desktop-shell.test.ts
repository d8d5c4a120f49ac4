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

let first: Run;
before(async () => {
  first = await runShell();
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

test('the window opens where it was closed, as large as it was', async () => {
  const second = await runShell({ folder: first.folder });
  const { x, y, width, height } = second.find('window')[0]!.options;
  assert.deepEqual([x, y, width, height], [10, 20, 1200, 800]);
  assert.equal(second.find('maximize').length, 1);
});

test('a second instance quits without a server or a window', async () => {
  const second = await runShell({ environment: { STAND_IN_SECOND_INSTANCE: '1' } });
  assert.deepEqual(
    second.events.map(({ event }) => event),
    ['quit'],
  );
});

test('a server that cannot start is told in a dialog', async () => {
  const failing = await runShell({ environment: { APK_WORKSTATION_DATA: '/dev/null/nowhere' } });
  assert.equal(failing.find('error-box')[0]?.title, 'APK Workstation could not start');
  assert.equal(failing.status, 1);
});

test('the server’s log is kept in a file that the menu shows', async () => {
  const { find, folder } = await runShell({
    script: [{ menu: 'Show Logs' }, { menu: 'Show Data Folder' }, { wait: 'open-path.*data' }, { close: true }],
  });
  assert.deepEqual(
    find('open-path').map(({ path }) => path),
    [join(folder, 'logs'), join(folder, 'data')],
  );
  assert.match(readFileSync(join(folder, 'logs', 'server.log'), 'utf8'), /"level":30/);
});

test('a folder that the system cannot show is told', async () => {
  const { find } = await runShell({
    script: [{ menu: 'Show Logs' }, { wait: '"message"' }, { close: true }],
    answers: { openPath: 'no program for folders' },
  });
  assert.deepEqual(
    find('message').map(({ options }) => [options.message, options.detail]),
    [['The folder could not be shown', 'no program for folders']],
  );
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
  for (const [item, properties] of [
    ['Import Files…', ['openFile', 'multiSelections']],
    ['Import Folder…', ['openDirectory', 'multiSelections']],
  ] as const) {
    const folder = temporaryFolder('chosen');
    copyFileSync(realApks.unlock, join(folder, 'chosen.apk'));
    writeFileSync(join(folder, 'notes.txt'), 'no app');
    const { find } = await runShell({
      answers: { open: [item === 'Import Folder…' ? folder : join(folder, 'chosen.apk')], message: 0 },
      script: [{ menu: item }, { wait: 'notification.*1 added' }, { quit: true }],
    });
    assert.deepEqual(find('open-dialog')[0]!.options.properties, properties);
    const refusals = find('message').map(({ options }) => [options.message, options.detail]);
    if (item === 'Import Files…') assert.deepEqual(refusals, []);
    else {
      assert.equal(refusals.length, 1);
      assert.equal(refusals[0]![0], 'Some files were not taken');
      assert.match(String(refusals[0]![1]), /notes\.txt: .*not an Android application/);
    }
  }
});

test('a link opens the page it names and nothing else', async () => {
  const sha256 = 'ab'.repeat(32);
  const { find } = await runShell({
    script: [
      { emit: 'open-url', arguments: [{}, `apk-workstation://apks/${sha256}`] },
      { wait: 'load.*#/apks/ab' },
      { emit: 'open-url', arguments: [{}, 'apk-workstation://../../etc/passwd'] },
      { emit: 'open-url', arguments: [{}, 'https://evil.example/'] },
      { close: true },
    ],
  });
  const pages = find('load').map(({ url }) => new URL(url).hash);
  assert.equal(pages.length, 2);
  assert.equal(pages[1], `#/apks/${sha256}`);
});

test('a server that dies is started again on its port, and the window stays', async () => {
  const { find, status } = await runShell({
    script: [{ kill: true }, { wait: 'started again' }, { menu: 'Jobs' }, { wait: 'load.*#/jobs' }, { close: true }],
  });
  assert.equal(find('window').length, 1);
  const [before_, after_] = find('load').map(({ url }) => new URL(url).origin);
  assert.equal(after_, before_);
  assert.equal(find('error-box').length, 0);
  assert.equal(status, 0);
});

test('a page that could not be loaded is loaded again once, and one that gave way to another is not', async () => {
  const { find } = await runShell({
    script: [{ fail: -3 }, { fail: -102 }, { fail: -102 }, { wait: '"load"', count: 2 }, { close: true }],
  });
  const [first, second, ...others] = find('load').map(({ url }) => url);
  assert.equal(second, first);
  assert.deepEqual(others, []);
});

test('a server that dies and finds its port taken is shown on another, and the window goes nowhere else', async () => {
  const { find, status } = await runShell({
    script: [{ kill: 'port' }, { wait: '"navigate"', count: 4 }, { close: true }],
  });
  const origins = find('load').map(({ url }) => new URL(url).origin);
  assert.equal(origins.length, 2);
  assert.notEqual(origins[0], origins[1]);
  assert.match(find('load')[1]!.url, /#\/login\?code=/);
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

test('the app does not import its own program where a second start names it', async () => {
  const { find } = await runShell({
    script: [
      { emit: 'second-instance', arguments: [{}, ['electron', desktopProgram], '/'] },
      { wait: 'focus' },
      { close: true },
    ],
  });
  assert.ok(!find('load').some(({ url }) => String(url).endsWith('#/jobs')));
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

test('the catalogue and a backup are written where the dialog says', async () => {
  const folder = temporaryFolder('shell');
  const save = join(folder, 'written');
  const exported = await runShell({
    folder,
    answers: { save: `${save}.csv` },
    script: [{ menu: 'Export Catalogue…' }, { wait: 'notification' }, { close: true }],
  });
  assert.match(readFileSync(`${save}.csv`, 'utf8'), /^sha256,md5/);
  assert.equal(exported.find('notification')[0]!.title, 'The catalogue is written');
  const backedUp = await runShell({
    folder,
    answers: { save: `${save}.zip` },
    script: [{ menu: 'Back Up…' }, { wait: 'notification' }, { close: true }],
  });
  assert.equal(backedUp.find('notification')[0]!.title, 'The backup is written');
  assert.ok(existsSync(`${save}.zip`));
});

test('updates are looked for only where an address is set', async () => {
  const folder = temporaryFolder('shell');
  mkdirSync(join(folder, 'userData'));
  const without = await runShell({ folder });
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'userData', 'desktop.json'), 'utf8')), {
    updateAddress: '',
    showsTray: true,
  });
  assert.equal(without.find('message').length, 0);
  writeFileSync(
    join(folder, 'userData', 'desktop.json'),
    JSON.stringify({ updateAddress: 'https://127.0.0.1:9/latest' }),
  );
  const asked = await runShell({
    folder,
    script: [{ menu: 'Check for Updates…' }, { wait: 'message' }, { close: true }],
  });
  assert.equal(asked.find('message')[0]!.options.message, 'Updates could not be looked for');
});
