// The parts of the desktop shell that need no Electron.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readDesktopSettings } from '../../../main/desktop-settings.ts';
import { menuTemplate } from '../../../main/menu.ts';
import { openedBy, routeOf } from '../../../main/opened.ts';
import { newerRelease } from '../../../main/updates.ts';
import { readWindowState, writeWindowState } from '../../../main/window-state.ts';
import { LogFile } from '../../../server/app/log-file.ts';
import { treeRoot } from '../../architecture/import-boundaries.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const folder = temporaryFolder('shell-parts');
const screen = { x: 0, y: 0, width: 1920, height: 1080 };

test('a window whose screen is gone opens as it did the first time', () => {
  const path = join(folder, 'window.json');
  const write = (state: unknown) => writeFileSync(path, typeof state === 'string' ? state : JSON.stringify(state));
  write({ bounds: { x: 100, y: 100, width: 1100, height: 700 }, isMaximized: true });
  assert.deepEqual(readWindowState(path, [screen]).bounds, { x: 100, y: 100, width: 1100, height: 700 });
  write({ bounds: { x: 2500, y: 100, width: 1100, height: 700 }, isMaximized: false });
  assert.deepEqual(readWindowState(path, [screen]), { bounds: null, isMaximized: false });
  write({ bounds: { x: 100, y: 'low', width: 1, height: null } });
  assert.deepEqual(readWindowState(path, [screen]), { bounds: null, isMaximized: false });
  write('{"bounds": {"x"');
  assert.deepEqual(readWindowState(path, [screen]), { bounds: null, isMaximized: false });
});

test('links lead to known pages alone', () => {
  assert.equal(routeOf(`apk-workstation://apks/${'0'.repeat(64)}`), `/apks/${'0'.repeat(64)}`);
  assert.equal(routeOf('apk-workstation://catalogue/'), '/catalogue');
  for (const link of [
    'apk-workstation://apks/1',
    'http://catalogue',
    'apk-workstation://login?code=1',
    'apk-workstation:',
  ]) {
    assert.equal(routeOf(link), null, link);
  }
});

test('of a command line only files that exist and links are taken', () => {
  const words = ['--inspect', 'nothing-here.apk', 'package.json', 'apk-workstation://jobs'];
  assert.deepEqual(openedBy(words, treeRoot), { files: [join(treeRoot, 'package.json')], route: '/jobs' });
});

test('files that a Linux desktop names by their URLs are taken, those of other machines are not', () => {
  const file = join(folder, 'two words ü.apk');
  writeFileSync(file, '');
  const words = [pathToFileURL(file).href, 'file://elsewhere/shared.apk', 'file:///a%2Fb.apk'];
  assert.deepEqual(openedBy(words, treeRoot), { files: [file], route: null });
});

test('a log grows to three files and no further', () => {
  const logs = join(folder, 'logs');
  const log = new LogFile(logs);
  const line = `${'x'.repeat(1024 * 1024)}\n`;
  for (let index = 0; index < 30; index++) log.write(line);
  log.write('the end\n');
  assert.deepEqual(readdirSync(logs).sort(), ['server.1.log', 'server.2.log', 'server.log']);
  for (const name of readdirSync(logs)) assert.ok(statSync(join(logs, name)).size <= 5 * 1024 ** 2);
  assert.equal(log.lastLines(2), 'the end\n');
});

test('lines that stream in pieces stay whole where one log ends and the next begins', () => {
  const logs = join(folder, 'streamed');
  const log = new LogFile(logs);
  const lines = Array.from({ length: 6_000 }, (_, index) => `{"line":${index},"text":"${'y'.repeat(1_000)}"}\n`).join(
    '',
  );
  for (let at = 0; at < lines.length; at += 65_536) log.write(lines.slice(at, at + 65_536));
  const read = (name: string) => readFileSync(join(logs, name), 'utf8');
  const numbers = (read('server.1.log') + read('server.log')).trim().split('\n');
  for (const name of readdirSync(logs)) assert.match(read(name), /^\{"line":[\s\S]*\}\n$/);
  assert.deepEqual(
    numbers.map((line) => JSON.parse(line).line),
    Array.from({ length: 6_000 }, (_, index) => index),
  );
});

test('a log whose folder is removed goes on in a new one', () => {
  const logs = join(folder, 'removed');
  const log = new LogFile(logs);
  log.write('first\n');
  rmSync(logs, { recursive: true });
  log.write('last\n');
  assert.equal(readFileSync(join(logs, 'server.log'), 'utf8'), 'last\n');
});

test('a folder of the app that cannot be written stops nobody, and the log still tells its end', () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  const inside = join(file, 'user-data');
  const log = new LogFile(inside);
  log.write('unwritten\n');
  assert.equal(log.lastLines(2), 'unwritten\n');
  writeWindowState(join(inside, 'window.json'), { bounds: null, isMaximized: true });
  assert.deepEqual(readDesktopSettings(join(inside, 'desktop.json')), { updateAddress: '', showsTray: true });
  const path = join(folder, 'first-start', 'desktop.json');
  assert.deepEqual(readDesktopSettings(path), JSON.parse(readFileSync(path, 'utf8')));
});

test('menus follow the conventions of each platform', () => {
  const nothing = () => undefined;
  const actions = {
    importFiles: nothing,
    importFolder: nothing,
    exportCatalogue: nothing,
    backUp: nothing,
    showLogs: nothing,
    showDataFolder: nothing,
    openRoute: nothing,
  };
  const titles = (platform: NodeJS.Platform) => menuTemplate(actions, platform).map(({ label, role }) => label ?? role);
  assert.deepEqual(titles('darwin'), ['appMenu', '&File', 'editMenu', '&Go', 'viewMenu', 'windowMenu', 'help']);
  assert.deepEqual(titles('linux'), ['&File', 'editMenu', '&Go', 'viewMenu', 'windowMenu', 'help']);
});

test('a newer release is told, an older one and the same are not, and anything else is an error', async () => {
  const answer =
    (body: unknown, status = 200) =>
    async () =>
      Response.json(body, { status });
  const newest = (version: string) =>
    newerRelease('https://r.example', '1.9.0', answer({ version, url: 'https://r.example/1' }));
  assert.deepEqual(await newest('1.10.0'), { version: '1.10.0', url: 'https://r.example/1' });
  assert.equal(await newest('1.9.0'), null);
  assert.equal(await newest('1.8.9'), null);
  await assert.rejects(newest('newest'), /does not say/);
  await assert.rejects(newerRelease('https://r.example', '1.0.0', answer({}, 404)), /answered 404/);
  const plain = answer({ version: '2.0.0', url: 'http://r.example/' });
  await assert.rejects(newerRelease('https://r.example', '1.0.0', plain), /not on https/);
});

test('the icons are there in every size and containers hold them', () => {
  const icons = join(treeRoot, 'resources/icons');
  for (const size of [16, 24, 32, 48, 64, 128, 256, 512, 1024]) {
    const image = readFileSync(join(icons, `${size}x${size}.png`));
    assert.deepEqual([image.readUInt32BE(16), image.readUInt32BE(20)], [size, size]);
  }
  const ico = readFileSync(join(icons, 'icon.ico'));
  assert.equal(ico.readUInt16LE(4), 7);
  assert.equal(ico.subarray(ico.readUInt32LE(18)).subarray(1, 4).toString(), 'PNG');
  const icns = readFileSync(join(icons, 'icon.icns'));
  assert.equal(icns.readUInt32BE(4), icns.length);
});
