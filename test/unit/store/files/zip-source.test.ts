import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BackupError, openBackupFile } from '../../../../server/store/backup/backup-file.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-zip-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Of a ZIP64 file: the signature of the record that says where its directory's end is, and where it says so. */
const locator = { signature: Buffer.from('PK\x06\x07', 'latin1'), place: 8 };

for (const place of [2n ** 64n - 1n, 2n ** 53n, 2n ** 40n]) {
  test(`a backup whose ZIP file has its end at ${place} is refused, and ends no process`, async () => {
    const zip = buildZip({ entries: [{ name: 'manifest.json', content: '{}' }], isZip64: true });
    zip.writeBigUInt64LE(place, zip.lastIndexOf(locator.signature) + locator.place);
    const path = join(folder, `${place}.zip`);
    writeFileSync(path, zip);
    await assert.rejects(openBackupFile(path, null), BackupError);
  });
}

test('a ZIP file whose directory is past its end is refused for that, and shows nothing of the memory that was meant for it', async () => {
  const zip = buildZip({ entries: [{ name: 'manifest.json', content: '{}' }], isZip64: true });
  // Of the record of a ZIP64 file's end: where its directory begins. So far away, all that is read ends where it began.
  zip.writeBigUInt64LE(2n ** 60n, zip.lastIndexOf(Buffer.from('PK\x06\x06', 'latin1')) + 48);
  const path = join(folder, 'far.zip');
  writeFileSync(path, zip);
  await assert.rejects(openBackupFile(path, null), /unexpected EOF/);
});
