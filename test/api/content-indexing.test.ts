// The index of contents is made of what analyses unpack, on a real workstation.
import assert from 'node:assert/strict';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation } from '../fixtures/workstation.ts';

test('an APK that was analysed is indexed without its file being read once more', async () => {
  await using workstation = await startWorkstation();
  const { contentIndexing } = workstation.server.services;
  const settings = { analyze_dynamic_on_upload: false, analyze_yara_on_upload: false };
  await workstation.ask('/settings/', { method: 'PATCH', json: settings });
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
