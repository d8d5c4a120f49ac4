import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyzeDynamic } from '../../../../../server/engine/dynamic/driver/run.ts';
import { memorySource } from '../../../../../server/vault/byte-source.ts';
import { clockworkApk, everydayApk, handmadeApk, readerApk } from '../../../../fixtures/dynamic/everyday/everyday.ts';

const { dynamic } = analyzeDynamic(memorySource(everydayApk()), { budget: { directedMilliseconds: 0 } });
const did = new Set(dynamic.log.filter(({ tag }) => tag === 'did').map(({ message }) => message));

const assertDid = (...wanted: string[]) =>
  assert.deepEqual(
    wanted.filter((each) => !did.has(each)),
    [],
  );

test('every entry of the menu of a row that is held is taken, also where another one fails', () => {
  assertDid('Share of row 0');
});

test('the entries of a menu beside a view and of the bar over chosen things are taken', () => {
  assertDid('popup 3', 'mode 4', 'mode over');
});

test('a list shows the rows that its adapter gets later', () => {
  assertDid('row late');
});

test('a list of groups shows them and their children, and a child is touched', () => {
  assertDid('group 0', 'child view 0 false', 'child view 1 true', 'child 00 70');
});

test('a screen is handed the objects that it looks for, by the class to which it casts them', () => {
  assertDid('album 2 1 true', 'artist BAND true');
});

test('a service is started with each action that it compares with', () => {
  assertDid('plays', 'stops');
});

test('a provider is asked and changed at each address that it tells from others', () => {
  assertDid('query 1', 'query 2', 'insert 1', 'update 2', 'delete 1', 'delete 2');
});

test('on a phone that has been used, a table that the app only reads has an entry', () => {
  assertDid('book 2 1');
});

test('an instrumentation goes on beside the app, and a program is started as app_process does', () => {
  assertDid('on the main thread', 'instrumented', 'instrumentation over', 'program with 0 privileges');
});

test('links are drawn and touched, ports are connected to, downloads arrive, and keys are pressed', () => {
  const { dynamic: report } = analyzeDynamic(memorySource(readerApk()), { budget: { directedMilliseconds: 0 } });
  const done = new Set(report.log.filter(({ tag }) => tag === 'did').map(({ message }) => message));
  const wanted = ['link drawn', 'link touched in b.Reader', 'asked GET / HTTP/1.1', 'told the status'];
  assert.deepEqual(
    [...wanted, 'fetched book.pdf 8', 'key 59', 'key 66'].filter((each) => !done.has(each)),
    [],
  );
  assert.ok(report.timeline.some(({ summary }) => summary === 'listened for connections on port 8080'));
  assert.ok(report.sendnet.some(({ desthost, data }) => desthost === '192.168.1.117' && data.endsWith('hello')));
});

test('a clock that ticks without anything new is not watched at every tick, and what comes later comes', () => {
  const { dynamic: report } = analyzeDynamic(memorySource(clockworkApk()), { budget: { directedMilliseconds: 0 } });
  const later = new Set(report.log.flatMap(({ message }) => (message.startsWith('later') ? [message] : [])));
  assert.equal(later.size, 60);
  const ticks = Math.max(...report.log.filter(({ tag }) => tag === 'ticks').map(({ message }) => Number(message)));
  assert.ok(ticks > 2_000 && ticks < 40_000, String(ticks));
});

test('own views are touched, headings passed over, databases upgraded, texts spoken, sounds and networks lost', () => {
  const { dynamic: report } = analyzeDynamic(memorySource(handmadeApk()), { budget: { directedMilliseconds: 0 } });
  const done = new Set(report.log.filter(({ tag }) => tag === 'did').map(({ message }) => message));
  const wanted = [
    ...['finger 0', 'finger 2', 'finger 1', 'view key 66'],
    ...['kinds of rows', 'kind of row 2', 'touched row 1'],
    ...['database made', 'database of 2 made 3'],
    ...['speech 0 0', 'begins greeting', 'has said greeting', 'focus -1'],
    ...['placed', 'network lost'],
    ...['meter true', 'bound com.power.Meter true 0', 'own false', 'widget on', 'widget off'],
  ];
  assert.deepEqual(
    wanted.filter((each) => !done.has(each)),
    [],
  );
  assert.ok(!done.has('touched row 0'));
});
