import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { processUsage } from '../../../server/jobs/process-usage.ts';
import { DataFolderError } from '../../../server/store/store-errors.ts';
import { openScratch, scratchFolder } from './scratch-store.ts';

const skip = process.platform !== 'linux' && 'whether a process stands still is read of /proc';
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

async function farAway(folder: string): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, './machine-process.ts'), [folder], {
    stdio: ['ignore', 2, 'pipe', 'ipc'],
  });
  children.push(child);
  await once(child, 'message');
  return child;
}

test('a folder that a machine holds whose locks are not seen here is refused, naming the machine', {
  skip,
}, async () => {
  const folder = scratchFolder();
  await farAway(folder);
  const note = readFileSync(join(folder, 'lock.json'), 'utf8');
  await assert.rejects(openScratch(folder), (error) => {
    assert.ok(error instanceof DataFolderError && error.code === 'in-use');
    assert.match(error.message, /process \d+ on far-away, since 2/);
    return true;
  });
  assert.equal(readFileSync(join(folder, 'lock.json'), 'utf8'), note);
  await assert.rejects(openScratch(folder, { exclusive: false }), /process \d+ on far-away/);
});

test('one that stands still is taken for gone, and when it goes on it ends itself before it writes', {
  skip,
}, async () => {
  const folder = scratchFolder();
  const child = await farAway(folder);
  let complaint = '';
  child.stderr!.on('data', (piece: Buffer) => (complaint += piece));
  const exited = once(child, 'exit');
  child.send('stand still');
  while (!/^\d+ \(.*\) T/.test(readFileSync(`/proc/${child.pid}/stat`, 'latin1'))) await wait(10);
  const store = await openScratch(folder);
  await store.transaction(({ settings }) => settings.write('written', 'by the one that took over'));
  child.once('message', () => assert.fail('it went on as if nothing had been'));
  child.kill('SIGCONT');
  assert.deepEqual(await exited, [null, 'SIGKILL']);
  assert.match(complaint, /stood still, and another one .* has taken its data folder over/);
  assert.equal(await store.settings.read('written'), 'by the one that took over');
  assert.equal(await store.settings.read('decided'), undefined);
  await store.close();
  assert.ok(!existsSync(join(folder, 'lock.json')));
});

test('one that goes on before anybody has taken its folder over writes as ever', { skip }, async () => {
  const child = await farAway(scratchFolder());
  child.send('stand still');
  while (!/^\d+ \(.*\) T/.test(readFileSync(`/proc/${child.pid}/stat`, 'latin1'))) await wait(10);
  child.kill('SIGCONT');
  assert.deepEqual(await once(child, 'message'), ['still there', undefined]);
});

test('a note that a former holder of this machine left behind keeps nobody waiting', async () => {
  const folder = scratchFolder();
  const store = await openScratch(folder);
  const note = JSON.parse(readFileSync(join(folder, 'lock.json'), 'utf8')) as object;
  await store.close();
  // No process has this number.
  const pid = 2 ** 22 + 1;
  assert.equal(await processUsage(pid), null);
  writeFileSync(join(folder, 'lock.json'), JSON.stringify({ ...note, pid }));
  await (await openScratch(folder)).close();
});
