// A report as lines: what is open, and what holds a text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLines } from '../../../renderer/pages/apk/raw/json-lines.ts';

const report = {
  app_name: 'Demo',
  permissions: ['SEND_SMS', 'INTERNET'],
  dexes: { classes: { size: 7, sha256: 'ab' }, classes2: { size: 9, sha256: 'cd' } },
  empty: [],
  nothing: null,
};
const told = (open: string[], text = '') =>
  jsonLines(report, new Set(open), text).map(({ path, isOpen }) => (isOpen ? `${path} open` : path));

test('an open node of JSON shows its members, a closed one its name alone', () => {
  assert.deepEqual(told([]), ['/app_name', '/permissions', '/dexes', '/empty', '/nothing']);
  assert.deepEqual(told(['/permissions', '/dexes/classes']), [
    '/app_name',
    '/permissions open',
    '/permissions/0',
    '/permissions/1',
    '/dexes',
    '/empty',
    '/nothing',
  ]);
});

test('a filter keeps the nodes that hold its text, in any case of letters, and those around them', () => {
  assert.deepEqual(told([], 'sms'), ['/permissions open', '/permissions/0']);
  assert.deepEqual(told([], 'CD'), ['/dexes open', '/dexes/classes2 open', '/dexes/classes2/sha256']);
  assert.deepEqual(told([], 'null'), ['/nothing']);
  assert.deepEqual(told([], 'not there'), []);
});

test('a node whose name holds the text is shown closed, and shows all of its members when it is opened', () => {
  assert.deepEqual(told(['/dexes/classes2'], 'cd'), [
    '/dexes open',
    '/dexes/classes2 open',
    '/dexes/classes2/size',
    '/dexes/classes2/sha256',
  ]);
  assert.deepEqual(told([], 'permissions'), ['/permissions']);
  assert.deepEqual(told(['/permissions'], 'permissions'), ['/permissions open', '/permissions/0', '/permissions/1']);
});

test('a filter that matches everywhere is cut, and nesting without end is shown as text', () => {
  assert.equal(jsonLines({ all: Array.from({ length: 20_000 }, () => 'a') }, new Set(), 'a').length, 5_000);
  let deep: unknown = 'bottom';
  for (let depth = 0; depth < 200; depth++) deep = { inner: deep };
  assert.equal(jsonLines(deep, new Set(), 'bottom').at(-1)!.depth, 60);
});
