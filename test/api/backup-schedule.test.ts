// Backups into a second place by schedule, over HTTP, with a clock of the test's own.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

const hour = 3_600_000_000;
let now = Date.now() * 1000;
let workstation: TestWorkstation;
const scratch = mkdtempSync(join(tmpdir(), 'apk-workstation-backup-schedule-'));
const place = join(scratch, 'drive');
before(async () => {
  mkdirSync(place);
  workstation = await startWorkstation({ clock: () => now, onUpload: [] });
});
after(async () => {
  await workstation[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

const state = async () => (await workstation.ask('/backup-schedule/')).body;

/** What the schedule does when its clock strikes. */
async function strike(): Promise<void> {
  const { scheduledBackups } = workstation.server.services;
  await scheduledBackups.lookAtClock();
  await scheduledBackups.ended();
}

const alerts = async () =>
  (await workstation.ask('/notifications/')).body.results.filter(
    ({ type }: { type: string }) => type === 'backup_failed',
  ).length;

test('without a folder nothing is made, and a folder is the whole path of one', async () => {
  await strike();
  const { body } = await workstation.ask('/backup-schedule/');
  assert.deepEqual([body.folder, body.last, body.due_at], [null, null, null]);
  const { status, body: refusal } = await workstation.ask('/backup-schedule/', { method: 'POST' });
  assert.equal(status, 409);
  assert.match(refusal.detail, /backup_folder/);
  const relative = await workstation.ask('/settings/', { method: 'PATCH', json: { backup_folder: 'drive' } });
  assert.equal(relative.status, 400);
});

test('a backup is made at once where none was, again when the hours are over, and tells what it copied', async () => {
  await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  const settings = { backup_folder: place, backup_hours: 6 };
  assert.equal((await workstation.ask('/settings/', { method: 'PATCH', json: settings })).status, 200);
  await strike();
  const { last: first, due_at } = await state();
  assert.deepEqual([first.error, first.apks, first.states], [null, 1, 1]);
  assert.equal(Date.parse(due_at) - Date.parse(first.started_at), 6 * 3_600_000);
  now += 5 * hour;
  await strike();
  assert.equal((await state()).last.states, 1, 'not before');
  now += 2 * hour;
  await strike();
  const { last: second } = await state();
  assert.equal(second.states, 2);
  assert.ok(second.copied < first.copied, `${second.copied} after ${first.copied}`);
  now += hour;
  assert.equal((await workstation.ask('/backup-schedule/', { method: 'POST' })).status, 202);
  await workstation.server.services.scheduledBackups.ended();
  assert.equal((await state()).last.states, 3, 'and when the owner asks');
  assert.equal(await alerts(), 0);
});

test('owners are told once that backups fail, and the next hour tries again', async () => {
  renameSync(place, `${place} away`);
  mkdirSync(place);
  now += 7 * hour;
  await strike();
  const { last, last_good } = await state();
  assert.match(last.error, /holds no backups any more. Is its drive mounted\?/);
  assert.equal(last_good.states, 3);
  assert.equal(await alerts(), 1);
  now += 2 * hour;
  await strike();
  assert.equal(await alerts(), 1, 'not again');
  rmSync(place, { recursive: true });
  renameSync(`${place} away`, place);
  now += 2 * hour;
  await strike();
  assert.deepEqual([(await state()).last.error, (await state()).last.states], [null, 4]);
});
