// The desktop shell against a stand-in for Electron (test/fixtures/electron-stand-in.mjs), with the real server.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { treeRoot } from '../../architecture/import-boundaries.ts';

interface Recorded {
  event: string;
  [detail: string]: unknown;
}

function runShell(environment: Record<string, string> = {}): { events: Recorded[]; status: number | null } {
  const standIn = pathToFileURL(join(treeRoot, 'test/fixtures/electron-stand-in.mjs')).href;
  const { stdout, status } = spawnSync(process.execPath, ['--import', standIn, join(treeRoot, 'main/main.ts')], {
    encoding: 'utf8',
    timeout: 60_000,
    env: {
      ...process.env,
      APK_WORKSTATION_DATA: mkdtempSync(join(tmpdir(), 'apk-workstation-shell-')),
      ...environment,
    },
  });
  return {
    events: stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Recorded),
    status,
  };
}

let events: Recorded[];
let status: number | null;
before(() => {
  ({ events, status } = runShell());
});
const find = (name: string) => events.filter(({ event }) => event === name);

test('the window loads the interface of its own server through a link that logs in', () => {
  const [load] = find('load');
  assert.match(String(load?.url), /^http:\/\/127\.0\.0\.1:\d+\/app\/#\/login\?code=/);
  assert.equal(load?.status, 200);
  assert.equal(find('show').length, 1);
});

test('the page is sandboxed, isolated and without Node', () => {
  const { webPreferences } = find('window')[0]!.options as { webPreferences: Record<string, unknown> };
  assert.deepEqual(
    { ...webPreferences },
    { sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false, spellcheck: false },
  );
  assert.equal(find('sandbox').length, 1);
});

test('new windows, other origins and permissions are denied, except writing to the clipboard', () => {
  assert.deepEqual(find('window-open'), [{ event: 'window-open', action: 'deny' }]);
  assert.deepEqual(
    find('navigate').map(({ isPrevented }) => isPrevented),
    [true, false],
  );
  assert.deepEqual(
    find('permission').map(({ permission, allowed }) => [permission, allowed]),
    [
      ['media', false],
      ['geolocation', false],
      ['clipboard-sanitized-write', true],
    ],
  );
});

test('closing the last window ends the server before the app quits', () => {
  assert.equal(events.at(-1)?.event, 'quit');
  assert.equal(status, 0);
});

test('a second instance quits without a server or a window', () => {
  const second = runShell({ STAND_IN_SECOND_INSTANCE: '1' });
  assert.deepEqual(
    second.events.map(({ event }) => event),
    ['quit'],
  );
});

test('a server that cannot start is told in a dialog', () => {
  const failing = runShell({ APK_WORKSTATION_DATA: '/dev/null/nowhere' });
  assert.equal(failing.events.find(({ event }) => event === 'error-box')?.title, 'APK Workstation could not start');
  assert.equal(failing.status, 1);
});
