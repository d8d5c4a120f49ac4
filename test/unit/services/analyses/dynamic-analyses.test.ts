// Artefacts of dynamic runs, as they are kept in the catalogue.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { engineVersion } from '../../../../server/contract/engine/engine-version.ts';
import { packArtefacts } from '../../../../server/vault/packed-artefacts.ts';
import { startWorkstation } from '../../../fixtures/workstation.ts';
import { newApk } from '../../store/new-apk.ts';

const way = { path: '/data/data/a.b/x.dex', action: 'loaded', by: null } as const;

test('an artefact in which a bit has changed, or that bears the hash of another, is told of and not handed out', async () => {
  await using workstation = await startWorkstation();
  const { store } = workstation.server;
  const apk = await store.transaction(({ apks }) => apks.insert(newApk(1)));
  const hash = createHash('sha256').update('payload').digest('hex');
  const bytes = Buffer.from('payload');
  const { size, compressed } = packArtefacts([{ sha256: hash, bytes, ...way }]);
  const sealed = store.files.seal(compressed);
  const keep = (content: Uint8Array) =>
    store.transaction(({ reports }) =>
      reports.save([{ apkId: apk.id, kind: 'artefacts', status: 'done', engineVersion, size, compressed: content }]),
    );
  const path = `/apks/${apk.sha256}/artefacts/${hash}/`;
  await keep(sealed);
  assert.equal((await workstation.ask(path)).text, 'payload');
  const other = packArtefacts([{ sha256: hash, bytes: Buffer.from('another'), ...way }]);
  const named = store.files.seal(other.compressed);
  for (const damaged of [named, sealed.with(sealed.length - 1, sealed.at(-1)! ^ 0x10), sealed.subarray(0, 20)]) {
    await keep(damaged);
    const { status, body } = await workstation.ask(path);
    assert.equal(status, 500);
    assert.deepEqual(body, { detail: 'A stored report of this APK is damaged. Have it analysed again.' });
  }
});
