// What the audit log says of those who are refused: strangers in heaps, the signed-in by name.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { AuditRecordBody } from '../../server/contract/workstation/audit.ts';
import { systemClock } from '../../server/store/clock.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
/** In the middle of an hour: one that ends within a test would begin new records. */
const halfPast = Math.floor(systemClock() / 3_600_000_000) * 3_600_000_000 + 1_800_000_000;
const began = systemClock();
before(async () => {
  workstation = await startWorkstation({ clock: () => halfPast + (systemClock() - began) });
});
after(() => workstation[Symbol.asyncDispose]());

const log = async (query = ''): Promise<AuditRecordBody[]> =>
  (await workstation.ask(`/audit/?page_size=100${query}`)).body.results;
const logged = async () => (await workstation.ask('/audit/')).body.count as number;

/** Sends so many requests, some at a time. */
async function refused(count: number, path: (at: number) => string, address: (at: number) => string) {
  let next = 0;
  const send = async () => {
    while (next < count) {
      const at = next++;
      const headers = { 'X-Forwarded-For': address(at) };
      const response = await fetch(`${workstation.url}${path(at)}`, { method: 'DELETE', headers });
      await response.arrayBuffer();
      assert.equal(response.status, 401);
    }
  };
  await Promise.all(Array.from({ length: 16 }, send));
}

test('hundreds of refusals of one stranger are a few records, with how many, first and last', async () => {
  const before = await logged();
  await refused(
    300,
    (at) => `/apks/${at}/`,
    () => '',
  );
  const records = (await log()).filter(({ action }) => action === 'DELETE /apks/:sha256');
  assert.equal((await logged()) - before, records.length);
  assert.equal(records.length, 21);
  const rest = records.find(({ subject }) => subject === '')!;
  assert.equal(rest.count, 280);
  assert.ok(rest.at < rest.last_at);
  assert.deepEqual([rest.address, rest.username, rest.status], ['127.0.0.1', '', 401]);
});

test('refusals from ever new networks are bounded all the same, and every one is counted', async () => {
  await workstation.ask('/settings/', { method: 'PATCH', json: { trusted_proxies: ['127.0.0.1'] } });
  const before = await logged();
  await refused(
    600,
    () => '/rulesets/x/',
    (at) => `2001:db8:${at.toString(16)}::${at.toString(16)}`,
  );
  const { text } = await workstation.ask('/audit/export/');
  const records = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as AuditRecordBody)
    .filter(({ action }) => action === 'DELETE /rulesets/:id');
  assert.equal((await logged()) - before, records.length + 1, 'and the export');
  assert.ok(records.length <= 500);
  assert.equal(
    records.reduce((sum, { count }) => sum + count, 0),
    600,
  );
  assert.ok(records.some(({ address, count }) => address === '' && count >= 100));
  assert.ok(records.some(({ address }) => address === '2001:db8:1:0::/64'));
  await workstation.ask('/settings/', { method: 'PATCH', json: { trusted_proxies: null } });
});

test('refusals of somebody who is signed in are recorded under their name, once with a count', async () => {
  const token = await workstation.analyst('curious');
  const read = async (path: string, status: number) =>
    assert.equal((await workstation.ask(path, { token })).status, status, path);
  const before = await logged();
  await read('/rulesets/', 200);
  await read(`/apks/${'a'.repeat(64)}/`, 404);
  assert.equal(await logged(), before, 'what is merely not there is no refusal');
  for (const path of ['/settings/', '/audit/', '/audit/', '/audit/', '/feed/']) await read(path, 403);
  await read('/legacy/feed/apks?package=1', 401);
  const told = (await log('&username=curious')).map(({ action, status, count, address }) => [
    action,
    status,
    count,
    address,
  ]);
  assert.deepEqual(told, [
    ['GET /legacy/feed/apks', 401, 1, '127.0.0.1'],
    ['GET /feed', 403, 1, '127.0.0.1'],
    ['GET /audit', 403, 3, '127.0.0.1'],
    ['GET /settings', 403, 1, '127.0.0.1'],
  ]);
});

test('an attempt to read what is private to another is recorded with what it was, though the answer is a 404', async () => {
  const json = { name: 'secret', rules: 'rule a { condition: true }', is_public: false };
  const { id } = (await workstation.ask('/rulesets/', { method: 'POST', json })).body;
  const token = await workstation.analyst('nosy');
  assert.equal((await workstation.ask(`/rulesets/${id}/`, { token })).status, 404);
  assert.equal((await workstation.ask(`/rulesets/${id}/versions/1/`, { token })).status, 404);
  const told = (await log('&username=nosy')).map(({ action, subject, status }) => [
    action,
    subject.split(' ')[0],
    status,
  ]);
  assert.deepEqual(told, [
    ['GET /rulesets/:id/versions/:version', id, 404],
    ['GET /rulesets/:id', id, 404],
  ]);
});

test('the CSV says how many and when the last was', async () => {
  const { text } = await workstation.ask('/audit/export/?format=csv');
  assert.ok(text.startsWith('at,username,address,action,subject,status,count,last_at,words\r\n'));
});
