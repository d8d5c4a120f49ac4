// The index of contents is made of what analyses unpack, on a real workstation.
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { quietLog } from '../../server/app/log.ts';
import { writeBackup } from '../../server/store/backup/backup.ts';
import { restoreBackup } from '../../server/store/backup/restoration.ts';
import { startServer } from '../fixtures/program.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { startWorkstation } from '../fixtures/workstation.ts';

const settings = { analyze_dynamic_on_upload: false, analyze_yara_on_upload: false };
const progress = { total: () => undefined, advance: () => undefined };

test('an APK that was analysed is indexed without its file being read once more', async () => {
  await using workstation = await startWorkstation();
  const { contentIndexing } = workstation.server.services;
  await workstation.ask('/settings/', { method: 'PATCH', json: settings });
  // The look through all APKs at the start would index it as it is before its analysis too.
  await contentIndexing.settled();
  const { body } = await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  const files = readdirSync(join(workstation.dataDir, 'apks'), { recursive: true, withFileTypes: true });
  const file = files.find((one) => one.isFile() && one.name.includes(String(body.sha256)))!;
  const path = join(file.parentPath, file.name);
  renameSync(path, `${path}.away`);
  await contentIndexing.settled();
  assert.equal((await contentIndexing.index.state()).count, 1);
  renameSync(`${path}.away`, path);

  // Of its own, it comes to the same.
  const size = async () => (await contentIndexing.index.state()).size;
  const before = await size();
  for (const content_index of [false, true])
    await workstation.ask('/settings/', { method: 'PATCH', json: { content_index } });
  await contentIndexing.settled();
  assert.equal(await size(), before);
});

test('a data folder that is moved brings its index along; one that is restored from a backup makes it anew', async () => {
  const scratch = temporaryFolder('indexed-elsewhere');
  const [backup, moved, restored] = ['backup.zip', 'moved', 'restored'].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  {
    await using workstation = await startWorkstation();
    await workstation.ask('/settings/', { method: 'PATCH', json: settings });
    for (const path of [realApks.unlock, realApks.unicodeIme]) await workstation.upload(path);
    await workstation.server.idle();
    await workstation.server.services.contentIndexing.settled();
    await writeBackup(workstation.dataDir, backup, { progress, now: new Date() });
    await workstation.server.close();
    cpSync(workstation.dataDir, moved, { recursive: true });
  }
  await restoreBackup(backup, restored, { progress, now: new Date(), mayReplace: false, isOwn: true });
  for (const [dataDir, isThere] of [
    [moved, true],
    [restored, false],
  ] as const) {
    const server = await startServer({ dataDir, log: quietLog, analysesGiveWay: false });
    try {
      const { contentIndexing } = server.services;
      assert.equal((await contentIndexing.index.state()).count, isThere ? 2 : 0);
      await server.idle();
      await contentIndexing.settled();
      assert.equal((await contentIndexing.index.state()).count, 2);
    } finally {
      await server.close();
    }
  }
});

test('an index as an earlier version wrote it is made anew in the background', async () => {
  const dataDir = join(temporaryFolder('older-index'), 'data');
  {
    await using workstation = await startWorkstation();
    await workstation.ask('/settings/', { method: 'PATCH', json: settings });
    await workstation.upload(realApks.unlock);
    await workstation.server.idle();
    await workstation.server.services.contentIndexing.settled();
    await workstation.server.close();
    cpSync(workstation.dataDir, dataDir, { recursive: true });
  }
  const folder = join(dataDir, 'cache', 'content-index');
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    bytes.write('2', bytes.lastIndexOf('apk contents 3') + 'apk contents '.length);
    writeFileSync(join(folder, name), bytes);
  }
  const server = await startServer({ dataDir, log: quietLog, analysesGiveWay: false });
  try {
    const { contentIndexing } = server.services;
    assert.equal((await contentIndexing.index.state()).count, 0);
    await server.idle();
    await contentIndexing.settled();
    assert.equal((await contentIndexing.index.state()).count, 1);
  } finally {
    await server.close();
  }
});
