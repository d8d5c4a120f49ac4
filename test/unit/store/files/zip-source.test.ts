import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BackupError, readManifest } from '../../../../server/store/backup/backup-file.ts';
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
    await assert.rejects(readManifest(path, null), BackupError);
  });
}
