import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { quietLog } from '../../server/app/log.ts';
import type { RunningServer } from '../../server/app/server.ts';
import { createTokenFor } from '../../server/services/people/accounts.ts';
import { startServer } from '../fixtures/program.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { smallDisk } from '../fixtures/small-disk.ts';

const disk = smallDisk(48);
const skip = disk === null && 'only root on Linux can make a small disk';
const dataDir = join(disk?.folder ?? '', 'data');
const start = () => startServer({ dataDir, log: quietLog, analysesGiveWay: false });
const apk = realApks.unicodeIme;
let token = '';
let sha256 = '';
let unwanted = '';

type Served = Pick<RunningServer, 'url'>;
const ask = (server: Served, path: string, init: RequestInit = {}, secret = token) =>
  fetch(`${server.url}${path}`, { ...init, headers: { authorization: `Token ${secret}`, connection: 'close' } });
const tag = (server: Served, name: string) =>
  ask(server, `/apks/${sha256}/tags/`, { method: 'POST', body: new URLSearchParams({ name }) });

/** Everything can be read, also by whoever logs in now, and nothing is written, for the reason that is said. */
async function readsAlone(server: RunningServer, reason: RegExp): Promise<void> {
  const record = await ask(server, `/apks/${sha256}/`);
  assert.equal(record.status, 200);
  const link = (await (await ask(server, `/apks/${sha256}/download/`)).json()) as { download_url: string };
  const download = await fetch(link.download_url);
  assert.equal(download.status, 200);
  assert.deepEqual(Buffer.from(await download.arrayBuffer()), readFileSync(apk));
  const found = (await (await ask(server, `/apks/?search=${sha256}`)).json()) as { count?: number };
  assert.equal(found.count ?? 1, 1);
  // What was written and carried over before has left room in the log, which takes a few records more.
  let refused = await tag(server, 'refused');
  for (let more = 1; refused.status < 300 && more < 2000; more++) refused = await tag(server, `refused ${more}`);
  assert.equal(refused.status, 507, await refused.clone().text());
  assert.match(await refused.text(), reason);
  const code = new URL(server.newLoginUrl().replace('/#/', '/')).searchParams.get('code');
  const opened = await fetch(`${server.url}/session/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ login_code: code }),
  });
  assert.equal(opened.status, 201, await opened.clone().text());
  const session = (await opened.json()) as { token: string };
  assert.equal((await ask(server, '/account/', {}, session.token)).status, 200);
}

const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

test('a workstation that was ended on a full disk starts for reading, and writes again when there is room', {
  skip,
}, async () => {
  const first = await start();
  try {
    token = await createTokenFor(first.store, 'ada');
    // The whole disk is smaller than what is kept free by default.
    await ask(first, '/settings/', { method: 'PATCH', body: new URLSearchParams({ disk_reserve_bytes: '0' }) });
    const uploaded = await ask(first, '/uploads/', { method: 'POST', body: readFileSync(apk) });
    sha256 = ((await uploaded.json()) as { sha256: string }).sha256;
    assert.equal(uploaded.status, 201);
    const second = await ask(first, '/uploads/', { method: 'POST', body: readFileSync(realApks.uiautomator2Test) });
    unwanted = ((await second.json()) as { sha256: string }).sha256;
    await first.idle();
  } finally {
    await first.close();
  }
  disk!.fill();
  const server = await start();
  try {
    await readsAlone(server, /disk is full/);
    const path = `/apks/${unwanted}/`;
    const deleted = await ask(server, path, { method: 'DELETE' });
    assert.equal(deleted.status, 204, await deleted.text());
    assert.equal((await ask(server, path)).status, 404);
    // What lies in the trash takes room.
    const trash = (await (await ask(server, '/trash/')).json()) as { count: number };
    assert.equal(trash.count, 0);
    for (let tries = 0; (await tag(server, 'deleted')).status >= 500; tries += 1) assert.ok(tries < 3);
    disk!.makeRoom();
    for (let tries = 0; (await tag(server, 'room')).status >= 500; tries += 1) assert.ok(tries < 3);
  } finally {
    await server.close();
  }
});

test('what workers can reach is measured on a full disk as on any other', { skip }, async () => {
  const measured = async () => {
    const server = await start();
    try {
      await server.services.isolation.measure();
      return server.services.isolation.report;
    } finally {
      await server.close();
    }
  };
  const before = await measured();
  disk!.fill();
  const full = await measured();
  disk!.makeRoom();
  assert.notEqual(before.status, 'unmeasured');
  assert.deepEqual(full, before);
});

test('a workstation that was killed on a full disk, with its last changes in the write-ahead log, starts for reading too', {
  skip,
}, async () => {
  const child = fork(join(import.meta.dirname, '../fixtures/served-workstation.ts'), [dataDir]);
  children.push(child);
  const [url] = (await once(child, 'message')) as [string];
  const tagged = await tag({ url }, 'last');
  assert.ok(tagged.status < 300);
  disk!.fill();
  child.kill('SIGKILL');
  await once(child, 'exit');
  // What only the process had open has gone with it and left room.
  disk!.fill();
  const server = await start();
  try {
    await readsAlone(server, /disk is full/);
    assert.match(await (await ask(server, `/apks/${sha256}/`)).text(), /last/);
    disk!.makeRoom();
    for (let tries = 0; (await tag(server, 'again')).status >= 500; tries += 1) assert.ok(tries < 3);
  } finally {
    await server.close();
  }
});

test('a folder on a disk that is mounted to be read is served to be read', { skip }, async () => {
  disk!.remount('ro');
  try {
    const server = await start();
    try {
      await readsAlone(server, /can only be read/);
    } finally {
      await server.close();
    }
  } finally {
    disk!.remount('rw');
  }
});
